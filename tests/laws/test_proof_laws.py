"""What is proved is so: programs with one mistake are never proved where the oracle sees it; and
what passes make of random programs is mostly proved. POLYNB_LAWS is the number of mutants (15
unless it is set)."""

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from mutants import mutant
from random_scops import random_program
from shares import COUNTS

from polynb import gallery
from polynb.errors import PolynbError
from polynb.isl import budget
from polynb.proofs import prove
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.run.oracle import equivalent
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.scop.parsing import parse

MUTANTS = int(os.environ.get("POLYNB_LAWS", "15"))
EACH = 5  # mutants of one pair
SMALL = (
    *("fig1", "fig4", "fig5", "fig7a", "fig9a", "fig10", "lrr_listing1", "lrr_listing3"),
    *("delicm_listing1", "delicm_listing4", "gemm", "atax", "lu", "jacobi_1d", "durbin"),
    *("pencil_histogram", "gemm_accumulator", "trmm", "cholesky", "floyd_warshall"),
)


def pair(seed: int) -> tuple[Scop, Scop]:
    """A program, and what a pass makes of it, or itself, as a text."""
    random = Random(seed)
    scop = parse(random_program(seed)) if seed % 3 else gallery.load(random.choice(SMALL))
    kind = random.randrange(4)
    with budget(seconds=20):
        after = (
            scop if kind == 0
            else propagate(scop).result if kind == 1
            else reorder(scop).result if kind == 2
            else reorder(scop, tile=3).result
        )  # fmt: skip
    return scop, after if kind == 0 and after.program is not None else parse(str(after))


def mutants() -> Iterator[tuple[int, str, Scop, Scop]]:
    for seed in range((MUTANTS + EACH - 1) // EACH):
        try:
            before, after = pair(seed)
        except PolynbError:  # its loops were not found, say
            continue
        for k in range(EACH):
            assert after.program is not None
            found = mutant(after.program, Random(1000 * seed + k))
            try:
                if found is not None:
                    yield seed, found[0], before, build(found[1])
            except PolynbError:
                continue  # a subscript that is always out of bounds, say


@pytest.mark.long
def test_no_mutant_is_proved_that_differs():
    counts: Counter[str] = Counter()
    for seed, kind, before, after in mutants():
        proof = prove(before, after, seconds=5)
        counts[proof.answer] += 1
        if proof:
            sizes = {p: [0, 1, 4, 7] for p in before.parameters}
            assert equivalent(before, after, sizes), (seed, kind, str(after))
        elif proof.difference is not None:
            values = proof.difference.witness.parameters
            assert not equivalent(before, after, values), (seed, kind, str(after))
    COUNTS["mutants"] |= dict(counts)
    assert counts["different"] > 0.4 * counts.total(), counts


@pytest.mark.parametrize("seed", range(max(MUTANTS // 10, 1)))
@pytest.mark.long
def test_what_a_pass_makes_of_a_program_is_the_same(seed):
    try:
        before, after = pair(seed)
    except PolynbError:
        return
    proof = prove(before, after, seconds=20)
    COUNTS["proofs"][proof.answer] += 1
    assert proof.answer != "different", str(proof)
