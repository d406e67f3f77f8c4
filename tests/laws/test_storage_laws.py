"""Temporaries of random programs in memory of random shapes: what is allowed changes nothing, and
what is refused does. POLYNB_LAWS is the number of programs (16 unless it is set)."""

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from random_scops import random_program
from shares import COUNTS

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.schedules import with_storage
from polynb.scop.access import inconsistency
from polynb.scop.storage import in_memory

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "16"))


def maps(scop: pn.Scop, random: Random) -> Iterator[tuple[str, str]]:
    """Temporaries, and maps of their cells: some windows, some to cells of an array of the
    program, some to one cell."""
    names = list(scop.temporaries)
    for name in names:
        dims = [f"i{k}" for k in range(scop.arrays[name].dimensions)]
        cell = ", ".join(dims)
        folded = [f"{d} mod {random.randint(1, 4)}" if random.random() < 0.6 else d for d in dims]
        yield name, f"{{ {name}[{cell}] -> w[{', '.join(folded)}] }}"
        others = [n for n, a in scop.arrays.items()
                  if n != name and a.dimensions == len(dims) and a.role != "input"]  # fmt: skip
        if others:
            yield name, f"{{ {name}[{cell}] -> {random.choice(others)}[{cell}] }}"


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_memory_that_is_allowed_keeps_all_values_apart(seed):
    scop = pn.parse(random_program(seed))
    count = COUNTS["storage"]
    for name, storage in maps(scop, Random(seed)):
        count["maps"] += 1
        try:
            stored = with_storage(scop, name, storage)
        except PolynbError as error:
            if "like that" in error.message:
                count["refused by a witness"] += 1
                count["and different"] += different(scop, name, storage)
            continue
        count["allowed"] += 1
        assert equivalent(scop, stored, small(scop)), storage
        assert inconsistency(in_memory(stored)) is None
        assert pn.check(scop, stored)


def small(scop: pn.Scop) -> dict[str, tuple[int, ...]]:
    return dict.fromkeys(scop.parameters, (2, 5) if len(scop.parameters) > 1 else (1, 2, 5, 8))


def different(scop: pn.Scop, name: str, storage: str) -> bool:
    """Whether the program computes something else if it gets that memory all the same."""
    return not equivalent(scop, in_any_memory(scop, name, storage), small(scop))


def in_any_memory(scop: pn.Scop, name: str, storage: str) -> pn.Scop:
    """The program with a temporary in other memory, whether values keep apart there or not."""
    cell = ", ".join(f"i{k}" for k in range(scop.arrays[name].dimensions))
    own = with_storage(scop, name, f"{{ {name}[{cell}] -> own[{cell}] }}")
    relation = isl.Map(storage).align_params(scop.assumed.get_space())
    if "w[" in storage:
        relation = relation.set_tuple_name(isl.OUT, "own")
    arrays = {**own.arrays, name: replace(own.arrays[name], storage=relation)}
    return replace(own, arrays=arrays)
