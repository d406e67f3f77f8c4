"""Greedy mapping on random programs with scalars: what is mapped computes the same, and what is
known of memory after each mapping is true of an execution, element by element, time by time.
POLYNB_LAWS is the number of programs (20 unless it is set)."""

import os

import pytest
from scalar_scops import scalar_program
from shares import COUNTS

from polynb import isl
from polynb.delicm import map_scalars
from polynb.delicm.mapping_steps import Mapped, MappingSpent
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "20"))
N = 3
counted = COUNTS["mapping"]


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_mapped_programs_compute_the_same(seed):
    scop = parse(scalar_program(seed))
    derivation = map_scalars(scop)
    steps = [s for s in derivation.steps if isinstance(s, Mapped)]
    counted["programs"] += 1
    counted["mapped"] += bool(steps)
    counted["given up"] += any(isinstance(s, MappingSpent) for s in derivation.steps)
    if not steps:
        assert derivation.result is derivation.before
        return
    answer = equivalent(scop, derivation, N=[0, 1, 2, 3, 5])
    assert answer, f"{answer}\n{scop}\n{derivation.result}"
    for step in steps:
        check_knowledge(step)


def check_knowledge(step):
    """By an execution of the program in which the scalar is mapped: no value that an element has in
    an unused zone is read later, and elements with one known value have one content."""
    _runs, contents, needed = executed(step.program, step.array, step.times)
    unused = points(step.known.unused, step.array)
    for cell, time in needed:
        assert (cell, time) not in unused, f"{step}: {step.array}{cell} is read after {time}"
    of: dict[tuple, object] = {}
    for m in isl.maps(step.known.known):
        pairs = isl.fix_parameters(m, {"N": N}).flatten_domain()
        for cell, time in contents:
            at = pairs
            for k, x in enumerate((*cell, *time)):
                at = at.fix_val(isl.IN, k, isl.Val(x))
            for v in isl.points(at.range()):
                value = isl.tuple_name(m, isl.OUT), v
                held = contents[cell, time]
                assert of.setdefault(value, held) == held, f"{step}: {value} at {time}"


def points(union, array):
    """(cell, time) of an unused zone, at the times of the execution."""
    return _Membership([isl.fix_parameters(s.flatten(), {"N": N}) for s in isl.sets(union)])


class _Membership:
    def __init__(self, sets):
        self.sets = sets

    def __contains__(self, place):
        cell, time = place
        for s in self.sets:
            for k, x in enumerate((*cell, *time)):
                s = s.fix_val(isl.SET, k, isl.Val(x))
            if not s.is_empty():
                return True
        return False


def executed(scop, array, times):
    """All instances in order; the content of each element of the array right before each time of
    an instance, as the write that put it there, with what copies copied; and the (element, time)
    at which a content is needed later."""
    order = []
    for s in scop.statements:
        for i, t in isl.pairs(s.schedule.intersect_domain(s.domain), {"N": N}):
            order.append((t, s, i))
    order.sort(key=lambda x: x[0])
    when = {}
    for name, m in times.items():
        when |= {(name, i): t for i, t in isl.pairs(m, {"N": N})}
    memory, contents, reads, stores = {}, {}, {}, {}
    clock = sorted(when.values())
    for _, s, i in order:
        at = when.get((s.name, i))
        if at is not None:
            for (a, cell), content in memory.items():
                if a == array:
                    contents[cell, at] = content
        values = [memory.get((r.array, c), (r.array, c)) for r in s.reads for c in cells(r, i)]
        for r in s.reads:
            if r.array == array and at is not None:
                for c in cells(r, i):
                    reads.setdefault(c, []).append(at)
        for c in cells(s.write, i):
            if s.write.array == array and at is not None and s.write.must:
                stores.setdefault(c, []).append(at)
            memory[s.write.array, c] = content_of(s, i, values)
    needed = set()
    for c, ends in reads.items():
        for end in ends:
            begin = max((w for w in stores.get(c, []) if w < end), default=None)
            needed |= {(c, t) for t in clock if t <= end and (begin is None or t > begin)}
    return order, contents, needed


def cells(access, i):
    at = isl.fix_parameters(access.relation, {"N": N})
    for k, x in enumerate(i):
        at = at.fix_val(isl.IN, k, isl.Val(x))
    return isl.points(at.range(), {"N": N}) if access.must else []


def content_of(s, i, values):
    """What a statement stores: a copy, a constant, or a value of its own."""
    text = type(s.expression).__name__
    if text == "Access" and s.guard is None and len(values) == 1:
        return values[0]
    if text == "Number" and s.guard is None:
        return "constant", float(s.expression.value)
    return s.name, i
