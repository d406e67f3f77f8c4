"""Greedy scalar mapping: scalars back into the array elements they came from (section 2.1)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace

from polynb import isl
from polynb.arguments import count, instance, optional, several_names
from polynb.delicm.candidates import (
    MappableScalar,
    candidate,
    unmappable,
)
from polynb.delicm.mapping_steps import (
    MappingSpent,
    NotMapped,
    TargetChosen,
    TargetSkipped,
    WebsSplit,
)
from polynb.delicm.readings import AS_MEANT, DelicmReadings
from polynb.delicm.search import MappingSearch
from polynb.delicm.targets import MappingTarget, ineligible, input_scalars
from polynb.delicm.timing import times
from polynb.dependences import Dependences, analyze
from polynb.derivation import Step, attempted_steps, derivation, unanswered
from polynb.errors import PolynbError
from polynb.graphs import reached
from polynb.rewriting.splitting import with_statements
from polynb.scop.access import restricted, with_relations
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import without_promises
from polynb.scop.storage import in_memory

BUDGET = 5_000_000
"""isl operations for one target, of the order that propagation has for one array."""


@derivation(paper="DeLICM", start=in_memory)
def map_scalars(
    scop: Scop,
    *,
    scalars: str | tuple[str, ...] | None = None,
    max_operations: int | None = BUDGET,
    readings: DelicmReadings = AS_MEANT,
) -> Generator[Step, None, Scop]:
    """Map scalars to array elements that are unused while their values live (DeLICM, Listing 5).

    Claims that the result computes the same values of all live-out arrays, for all parameter
    values that the context and `requires` allow. For each store in a loop, in textual order, the
    scalars that it uses are tried, then those that the definitions of mapped ones use (last found,
    first tried): each value is to live in the element that the store overwrites next after the
    definition of the value, or else after its last use. A scalar is mapped whole or not at all,
    where nothing that is known of the array is in conflict with what its values need; nothing is
    taken back. A scalar that is used for several things is one for each.

    `scalars`: only these (`"c, s"` or a sequence). `max_operations` bounds isl's work for one
    store; if it is used up, nothing more is mapped there. `readings`: the listings read in
    other ways. Raises PolynbError for names of no scalar.
    """
    instance("readings", readings, DelicmReadings, "DelicmReadings()")
    only = optional(_scalar_names, "scalars", scalars, scop)
    max_operations = optional(count, "max_operations", max_operations)
    before = scop
    dependences, called = yield from _webs(analyze(scop), only)
    for name in [s.name for s in scop.statements]:
        if name in dependences.scop.by_name:
            wanted = None if only is None else (*only, *(n for n in called if called[n] in only))
            work = _one_target(dependences, name, wanted, readings)
            done, taken = attempted_steps(max_operations, work)
            if isinstance(done, isl.IslError):
                array = dependences.scop.by_name[name].write.array
                yield MappingSpent(name, array, unanswered(done))
            else:
                yield from taken
                dependences = done or dependences
    left = dependences.scop
    if not any(n not in left.arrays for n in (*before.temporaries, *called)):
        return before
    left = _without_webs(left, _alone(left, called))
    return replace(left, schedule=without_promises(left.schedule, left.arrays))


def _scalar_names(name: str, given: object, scop: Scop) -> tuple[str, ...]:
    """Names of scalars: an array would be passed over in silence."""
    scalars = [n for n, a in scop.arrays.items() if not a.dimensions]
    for each in several_names(name, given, what="scalar"):
        if each in scop.arrays and each not in scalars:
            hint = f"one of: {', '.join(scalars)}" if scalars else "the program has no scalars"
            raise PolynbError(f"{each} is an array, not a scalar", hint=hint)
    return several_names(name, given, scalars, what="scalar")


Found = Generator[Step, None, Dependences | None]


def _webs(
    dependences: Dependences, only: tuple[str, ...] | None
) -> Generator[Step, None, tuple[Dependences, dict[str, str]]]:
    """The program in which each scalar is used for one thing; names of the new ones."""
    scop = dependences.scop
    scalars = [
        n for n in scop.temporaries if not scop.arrays[n].dimensions and (only is None or n in only)
    ]
    split, called = _with_webs(dependences, scalars)
    for scalar in dict.fromkeys(called.values()):
        yield WebsSplit(scalar, tuple(n for n, s in called.items() if s == scalar), split)
    return (analyze(split, previous=dependences) if called else dependences), called


def _alone(scop: Scop, called: Mapping[str, str]) -> dict[str, str]:
    """Of the new names those whose scalar no longer has another use, and may have its name back."""
    freed: dict[str, str] = {}
    for name, scalar in called.items():
        if name in scop.arrays and scalar not in scop.arrays and scalar not in freed.values():
            freed[name] = scalar
    return freed


def _one_target(
    dependences: Dependences,
    name: str,
    only: tuple[str, ...] | None,
    readings: DelicmReadings,
) -> Found:
    """Lines 3 to 20 of Listing 5, for the store of one statement."""
    scop = dependences.scop
    s = scop.by_name[name]
    queue = [x for x in input_scalars(scop, s) if only is None or x in only]
    if not queue or not scop.arrays[s.write.array].dimensions:
        return None
    why = ineligible(scop, s)
    if why is not None:
        yield TargetSkipped(name, s.write.array, why)
        return None
    target = MappingTarget(s, s.write.array)
    at = times(_involved(scop, target), scop.assumed)
    search: MappingSearch | None = None
    closed: set[str] = set()
    while queue:
        scalar = queue.pop()
        if scalar in closed:
            continue
        closed.add(scalar)
        why = unmappable(dependences, scalar, scop.arrays[target.array])
        if why is not None:
            yield NotMapped(scalar, name, target.array, why, tuple(reversed(queue)))
            continue
        if search is None:
            search = readings.mapping.begun(dependences, target, at)
            first = (scalar, *reversed(queue))
            yield TargetChosen(name, target.array, first, search.existing, at)
        c = candidate(dependences, scalar)
        tried = search.tried(dependences, c)
        if tried.why:
            yield tried.refused(tuple(reversed(queue)))
            continue
        queue += [x for x in search.adjacent(scop, c) if x != scalar and x not in closed]
        scop = _with_cells(scop, c, tried.cells)
        dependences = analyze(scop, previous=dependences)
        search = search.renewed(scop, tried)
        yield tried.mapped(tuple(reversed(queue)), scop, search.existing)
    return dependences


def _involved(scop: Scop, target: MappingTarget) -> tuple[Statement, ...]:
    """The statements that access the target's array, or a scalar that may be mapped to it."""

    def feeding(scalar: str) -> list[str]:
        writers = (s for s in scop.statements if s.write.array == scalar)
        return [x for s in writers for x in input_scalars(scop, s)]

    arrays = {target.array, *reached(input_scalars(scop, target.statement), feeding)}
    return tuple(s for s in scop.statements if any(a.array in arrays for a in (s.write, *s.reads)))


def _with_cells(scop: Scop, c: MappableScalar, cells: Mapping[str, isl.Map]) -> Scop:
    """The program in which a scalar is gone: each definition writes its element, `{ D[i] -> A[x]
    }`, and each read reads that of its definition. Definitions that nobody reads are gone, too.
    """
    reads = _read_cells(c, cells)
    for s in scop.statements:
        moved = {id(s.reads[k]): m for (name, k), m in reads.items() if name == s.name}
        new = with_relations(s, moved, scop.assumed) if moved else s
        if s.write.array == c.name:
            made = _written(scop, new, cells.get(s.name))
            scop = with_statements(scop, s.name, () if made is None else (made,))
        elif any(r.array == c.name and id(r) not in moved for r in s.reads):
            # No definition reaches this read, and there is no value before: it never runs.
            assert s.domain.intersect_params(scop.assumed).is_empty()
            scop = with_statements(scop, s.name, ())
        elif new is not s:
            scop = with_statements(scop, s.name, (new,))
    arrays = {name: a for name, a in scop.arrays.items() if name != c.name}
    return replace(scop, arrays=arrays, program=None)


def _written(scop: Scop, s: Statement, element: isl.Map | None) -> Statement | None:
    """A definition that writes its element, where its value is read."""
    if element is None:
        return None
    used = element.domain()
    if not s.domain.intersect_params(scop.assumed).is_subset(used):
        s = restricted(s, isl.coalesced(used).gist_params(scop.assumed))
    return with_relations(s, {id(s.write): element}, scop.assumed)


def _read_cells(c: MappableScalar, cells: Mapping[str, isl.Map]) -> dict[tuple[str, int], isl.Map]:
    """`{ R[j] -> A[x] }` for each read: the element of the definition that it reads."""
    cells_of_reads = isl.united_by(
        ((e.target, e.read), e.relation.reverse().apply_range(cells[e.source]))
        for e in c.uses
        if e.read is not None
    )
    return {key: isl.coalesced(m) for key, m in cells_of_reads.items()}


# Scalars taken apart into webs: the writes and reads that are tied together by the flow of values.
#
# A program often uses one name for several things, `sum` in this loop and in the next. What LLVM
# has from being in SSA form, each value a variable of its own, is found here from the flow: two
# reads belong together if one write may reach both.


Web = tuple[frozenset[str], frozenset[tuple[str, int]]]
"""The statements that write, and the (statement, number) of the reads."""


def webs(dependences: Dependences, scalar: str) -> tuple[Web, ...]:
    """The webs of a scalar, in textual order of their writes; writes that nobody reads, and reads
    of what was there before, belong to the first one, which keeps the name."""
    scop = dependences.scop
    groups: list[tuple[set[str], set[tuple[str, int]]]] = []
    for e in dependences.flow(scalar).edges:
        assert e.read is not None
        group = ({e.source}, {(e.target, e.read)})
        for other in [g for g in groups if g[0] & group[0] or g[1] & group[1]]:
            groups.remove(other)
            group = (group[0] | other[0], group[1] | other[1])
        groups.append(group)
    place = {s.name: k for k, s in enumerate(scop.statements)}
    groups.sort(key=lambda g: min(place[n] for n in g[0]))
    writes = {s.name for s in scop.statements if s.write.array == scalar}
    reads = {(s.name, k) for s in scop.statements for k, r in enumerate(s.reads) if _of(r, scalar)}
    left = writes.difference(*(g[0] for g in groups)), reads.difference(*(g[1] for g in groups))
    if any(left):
        first = groups[0] if groups else (set(), set())
        groups[:1] = [(first[0] | left[0], first[1] | left[1])]
    return tuple((frozenset(w), frozenset(r)) for w, r in groups)


def _with_webs(dependences: Dependences, scalars: Iterable[str]) -> tuple[Scop, dict[str, str]]:
    """The program with a scalar for each web, and which names the new ones have: `{"c_2": "c"}`.

    Only scalars that are not live-in or live-out are to be given: their values are made and used
    by the program alone.
    """
    scop = dependences.scop
    names = Names(global_names(scop))
    called: dict[str, str] = {}
    for scalar in scalars:
        for web in webs(dependences, scalar)[1:]:
            name = names.unique(f"{scalar}_2")
            called[name] = scalar
            scop = _renamed(scop, web, scalar, name)
    return scop, called


def _without_webs(scop: Scop, called: Mapping[str, str]) -> Scop:
    """The program in which the given scalars have their first names again."""
    for name, scalar in called.items():
        writes = frozenset(s.name for s in scop.statements if s.write.array == name)
        reads = frozenset(
            (s.name, k) for s in scop.statements for k, r in enumerate(s.reads) if _of(r, name)
        )
        scop = _renamed(scop, (writes, reads), name, scalar)
    return scop


def _of(access: MemoryAccess, scalar: str) -> bool:
    return access.array == scalar


def _renamed(scop: Scop, web: Web, scalar: str, name: str) -> Scop:
    """The program in which the accesses of a web are to another scalar."""
    writes, reads = web
    statements = []
    for s in scop.statements:
        mine = [s.write] if s.name in writes else []
        mine += [r for k, r in enumerate(s.reads) if (s.name, k) in reads]
        moved = {id(a): isl.rename(a.relation, isl.OUT, name) for a in mine}
        statements.append(with_relations(s, moved, scop.assumed) if moved else s)
    arrays = dict(scop.arrays)
    arrays.setdefault(name, replace(arrays[scalar], name=name, span=None))
    used = {a.array for s in statements for a in (s.write, *s.reads)}
    if scalar not in used:
        del arrays[scalar]
    return replace(scop, statements=tuple(statements), arrays=arrays, program=None)
