"""Scalars taken apart into webs: the writes and reads that are tied together by the flow of values.

A program often uses one name for several things, `sum` in this loop and in the next. What LLVM has
from being in SSA form, each value a variable of its own, is found here from the flow: two reads
belong together if one write may reach both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from polynb import isl
from polynb.dependences import Dependences
from polynb.scop import MemoryAccess, Scop
from polynb.scop.access import with_relations
from polynb.scop.fresh_names import Names, global_names

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


def with_webs(dependences: Dependences, scalars: Iterable[str]) -> tuple[Scop, dict[str, str]]:
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


def without_webs(scop: Scop, called: Mapping[str, str]) -> Scop:
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
