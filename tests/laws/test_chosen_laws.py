"""Propagation to reads whose cell data decides, on random programs: bit for bit the same is left,
and proofs say nothing else. They are run by the interpreter, because the oracle takes a cell that
data decides as one term. POLYNB_LAWS is the number of programs (12 unless it is set)."""

import os
from random import Random

import numpy as np
import pytest
from chosen_scops import chosen_program, content
from mutants import mutant
from shares import COUNTS

from polynb.errors import PolynbError
from polynb.proofs import prove
from polynb.propagation import propagate
from polynb.propagation.steps import ReloadTested
from polynb.run.verdicts import DIFFERENT
from polynb.scop.access import inconsistency
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
from tests.run.interpreter import run

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "12"))
OPERATIONS = 1_000_000
OPTIONS = ({}, {"partial": True}, {"live_out": True}, {"partial": True, "live_out": True})
SIZES = (3, 6)

counted = COUNTS["chosen"]


def left(scop: Scop, n: int, seed: int) -> dict[str, bytes]:
    """What a program leaves, by array; all values that are no numbers are one."""
    given = content(scop, n, seed)
    arrays = run(scop, given, N=n)
    return {k: np.where(np.isnan(a), np.nan, a).tobytes() for k, a in arrays.items()}


def differ(before: Scop, after: Scop, seed: int) -> bool | None:
    """Whether they leave something else for some data; None if one of them cannot be run."""
    try:
        runs = [[left(s, n, seed) for s in (before, after)] for n in SIZES]
    except PolynbError:  # out of bounds, say
        return None
    return any(a != b for a, b in runs)


@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.long
def test_what_data_chooses_is_computed_where_it_is_chosen(seed):
    text = chosen_program(seed)
    scop = parse(text, "scop")
    options = OPTIONS[seed % len(OPTIONS)]
    d = propagate(scop, by_data=True, heuristics=(), max_operations=OPERATIONS, **options)
    tests = [s.test for s in d.steps if isinstance(s, ReloadTested)]
    chosen = any(t.chosen is not None and not t.propagation.is_empty() for t in tests)
    counted["programs"] += 1
    counted["chosen by data"] += chosen
    counted["all of a table"] += any(t.chosen is not None and t.complete for t in tests)
    assert inconsistency(d.result) is None, text
    for n in SIZES:
        assert left(scop, n, seed) == left(d.result, n, seed), f"{text}\n{d.result}"
    proof = prove(scop, d.result, seconds=2)
    counted["proved"] += chosen and bool(proof)
    assert proof.answer != DIFFERENT, f"{proof}\n{text}\n{d.result}"


@pytest.mark.parametrize("seed", range(max(PROGRAMS // 3, 1)))
def test_no_mistake_in_it_is_proved(seed):
    scop = parse(chosen_program(seed), "scop")
    done = propagate(scop, by_data=True, heuristics=(), max_operations=OPERATIONS).result
    counted["mistakes"] += 1
    try:
        found = mutant(parse(str(done), "scop").program, Random(seed))
        other = build(found[1]) if found else done
    except PolynbError:  # a subscript that is always out of bounds, say
        return
    if differ(scop, other, seed):
        counted["mistakes seen"] += 1
        assert not prove(scop, other, seconds=2), f"{scop}\n{other}"
