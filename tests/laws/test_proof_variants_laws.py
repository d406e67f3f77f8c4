"""Proofs about programs that passes leave without a text of their own: in other memory, without
scalars, in tiles, in random orders, where kills allow more. What is legal is never refuted; what is
proved is the same for the oracle, whether it is legal or not. POLYNB_LAWS is the number of programs
of each kind (3 unless it is set)."""

import os
from collections.abc import Iterator
from random import Random

import pytest
from deep_scops import deep_program
from mutants import mutant
from random_orders import random_kills, random_order
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program
from shares import COUNTS
from test_storage_laws import in_any_memory, maps

from polynb import isl
from polynb.delicm import map_scalars, remove_scalars
from polynb.errors import PolynbError
from polynb.legality import check
from polynb.moves import named_loops
from polynb.proofs import prove
from polynb.reordering import reorder
from polynb.run.oracle import equivalent
from polynb.schedules import contract, with_storage
from polynb.schedules.bands import with_schedule
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
from polynb.violations import transform
from polynb.violations.trees import as_tree, in_some_order

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "3"))
SECONDS = 5
TILE = 3
SIZES = (1, 4), (0, 1, 2, 4, 7)
"""Parameter values of a proof that is checked, where there are several parameters or one."""
counted = COUNTS["proof variants"]
Variants = Iterator[tuple[str, Scop, bool | None]]
"""What becomes of a program: of what kind, and whether it is the same (None: it may be)."""


def in_other_memory(scop: Scop, random: Random) -> Variants:
    for name, storage in maps(scop, random):
        try:
            yield "stored", with_storage(scop, name, storage), True
        except PolynbError as error:
            if "like that" in error.message:
                yield "overwritten", in_any_memory(scop, name, storage), None
    result = contract(scop)
    if result is not scop:
        yield "contracted", result, True


def without_scalars(scop: Scop, random: Random) -> Variants:
    for kind, result in (
        ("scalars mapped", map_scalars(scop).result),
        ("scalars removed", remove_scalars(scop).result),
    ):
        if result is not scop:
            yield kind, result, True
            yield from mutated(result, random)


def in_tiles(scop: Scop, random: Random) -> Variants:
    made = [reorder(scop, tile=TILE).result]
    nest = [x for x in named_loops(scop) if not any(x.is_around(y) for y in named_loops(scop))]
    around = [x for x in named_loops(scop) if nest and x.is_around(nest[0])]
    try:
        names = [x.name for x in (*around[-1:], *nest[:1])]
        chain = transform(scop).tile(*names, by=random.choice([2, TILE]))
        made += [chain.result] if chain.legal else []
        if not chain.legal:
            yield "tiled wrongly", chain.steps[-1].program, None
    except PolynbError:
        pass
    for result in made:
        yield "tiled", result, True
        yield from mutated(result, random)


def in_another_order(scop: Scop, random: Random) -> Variants:
    for _ in range(3):
        tree = as_tree(scop, random_order(scop, random))
        kills = next(k for _ in range(99) if (k := random_kills(scop, random)) is not None)
        made = with_schedule(scop, in_some_order(scop, tree))
        if check(scop, made):
            yield "ordered", made, True
        elif check(scop, made, kills=kills):
            yield "ordered, with kills", made, None  # what is killed is as good as anything
        else:
            yield "ordered wrongly", made, None


def mutated(scop: Scop, random: Random) -> Variants:
    if not scop.statements:
        return
    text = parse(str(scop))  # nothing else has subscripts and bounds to change
    yield "printed", text, True
    found = None if text.program is None else mutant(text.program, random)
    try:
        if found is not None:
            yield "mutants", build(found[1]), None
    except PolynbError:
        return  # a subscript that is always out of bounds, say


WAYS = {
    "memory": (in_other_memory, (random_program, reusing_program)),
    "scalars": (without_scalars, (scalar_program,)),
    "tiles": (in_tiles, (deep_program, reusing_program)),
    "orders": (in_another_order, (deep_program, reusing_program, random_program)),
}


@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.long
def test_what_is_proved_is_the_same(way, seed):
    variants, generators = WAYS[way]
    random = Random(seed)
    scop = parse(generators[seed % len(generators)](seed))
    try:
        with isl.budget(seconds=60):
            made = list(variants(scop, random))
    except isl.BudgetExhausted:
        counted["given up"] += 1
        return
    for kind, after, same in made:
        proof = prove(scop, after, seconds=SECONDS)
        counted["proofs"] += 1
        counted[f"{kind}: {proof.answer}"] += 1
        if same:
            counted["the same"] += 1
            counted["the same, and proved"] += bool(proof)
            assert proof.answer != "different", f"{kind}\n{proof}\n{scop}\n{after.schedule}"
        if proof:
            sizes = dict.fromkeys(scop.parameters, SIZES[len(scop.parameters) == 1])
            answer = equivalent(scop, after, sizes)
            assert answer, f"{kind}\n{answer}\n{scop}\n{after.schedule}"
        elif same is None:
            counted["not the same"] += 1
            counted["not the same, and refuted"] += proof.answer == "different"
