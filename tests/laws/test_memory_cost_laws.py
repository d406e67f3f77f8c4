"""What expansions of temporaries cost, against the cells that are enumerated: the number, and the
formula as a program computes it. POLYNB_LAWS is the number of programs (6 unless it is set)."""

import os
from itertools import combinations
from math import prod

import pytest
from deep_scops import deep_program
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program
from shares import COUNTS

from polynb import isl
from polynb.run.oracle import equivalent
from polynb.schedules.expanding import all_dimensions, dimensions, expanded, refusal
from polynb.scop.parsing import parse
from polynb.scop.storage import touching
from polynb.violations.memory_cost import Cells

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "6"))
SIZES = (0, 1, 2, 3, 5)
KINDS = (deep_program, random_program, reusing_program, scalar_program)
counted = COUNTS["memory cost"]


def expansions(scop, array):
    """All there are: by each of the loops around what writes it, or not; by statement, or not."""
    loops = range(max(len(s.iterators) for s in scop.statements if s.write.array == array))
    for number in range(len(loops) + 1):
        for chosen in combinations(loops, number):
            yield dimensions(scop, array, chosen)
            yield dimensions(scop, array, chosen, by_statement=True)
    yield all_dimensions(scop, array)


def sizes(scop):
    for n in SIZES:
        values = dict.fromkeys(scop.parameters, n)
        if not isl.fix_parameters(scop.assumed, values).is_empty():
            yield values


def enumerated(scop, array, values):
    """One more than the largest subscript in each dimension; None if it is never accessed."""
    cells = [
        cell
        for s, a in touching(scop, array)
        for _, cell in isl.pairs(a.relation.intersect_domain(s.domain), values)
    ]
    return [max(x) + 1 for x in zip(*cells, strict=True)] if cells else None


def computed(formula, value, values):
    """Whether a program computes a formula to be so."""
    head = f"param {', '.join(values)}; output int64 x; x = "
    first, second = parse(f"{head}{formula};"), parse(f"{head}{value};")
    return equivalent(first, second, {p: [n] for p, n in values.items()})


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_cells_are_those_that_are_used(seed):
    scop = parse(KINDS[seed % len(KINDS)](seed))
    for array in scop.temporaries:
        if refusal(scop, array) is not None:
            counted["refused"] += 1
            continue
        for added in expansions(scop, array):
            made = expanded(scop, {array: added})
            cost = Cells.of(made, array)
            kept = 0 if added.instead else scop.arrays[array].dimensions
            counted["expansions"] += 1
            for values in sizes(scop):
                used = enumerated(made, array, values)
                if used is None:
                    continue
                old = Cells.of(scop, array).at(values) if kept else 1
                assert cost.at(values) == old * prod(used[kept:]), f"{cost} {values}\n{made}"
                counted["sizes"] += 1
            assert computed(cost.formula, cost.at(values), values), f"{cost} {values}\n{made}"
