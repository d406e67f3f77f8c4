"""Versions of one program, scanned nest by nest: a nest that is the very one of an earlier version
keeps its text.

A pass that has many steps changes one nest in each, and isl takes long for all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Any

from polynb import isl
from polynb.codegen.scan import ScheduleScanner, refuse_overflow, with_declarations
from polynb.errors import PolynbError
from polynb.scop.fresh_names import global_names
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import Filter, Sequence
from polynb.scop.storage import in_memory
from polynb.source import tree as syntax
from polynb.source.names import is_name


@dataclass(frozen=True, eq=False)
class _Nest:
    """A nest as it is scanned alone, which is how it stands in the whole: `body` is None where that
    is not sure. `of` is what it was scanned from."""

    body: tuple[syntax.Stmt, ...] | None
    names: Set[str]
    used: Set[str]
    of: Any


class Nests:
    """What was scanned of the versions of a program so far."""

    def __init__(self) -> None:
        self._known: dict[Hashable, _Nest] = {}

    @isl.bounded("the search for the program's loops")
    def scan(self, scop: Scop) -> syntax.Program | None:
        """The program in the order of its schedule, as `scan` has it; None where it has to be
        scanned as a whole. What stands in its body stays the same object in the next version."""
        scop = in_memory(scop)
        nests = list(self._nests(scop))
        names = {*scop.parameters, *scop.arrays, *(f.name for f in scop.functions)}
        names = names.union(*(n.names for n in nests))
        iterators = {i for s in scop.statements for i in s.iterators}
        if not nests or not all(map(is_name, names)) or names & iterators:
            return None
        body: tuple[syntax.Stmt, ...] = ()
        for nest in nests:
            if nest.body is None:
                return None
            body += nest.body
        return with_declarations(scop, body, set().union(*(n.used for n in nests)))

    def _nests(self, scop: Scop) -> Iterator[_Nest]:
        """Those of a sequence of whole statements; none of any other program."""
        children = scop.schedule.children if isinstance(scop.schedule, Sequence) else ()
        names = [name for c in children for name in c.domains]
        if len(names) != len(set(names)) or any(p for c in children for p in c.domains.values()):
            return
        assumed = str(scop.assumed)
        for child in children:
            own = tuple(scop.by_name[name] for name in child.domains)
            touched = {a.array for s in own for a in s.accesses}
            arrays = tuple(scop.arrays[name] for name in sorted(touched))
            of = child, scop.functions, *own, *arrays
            key = assumed, *map(id, of)
            if key not in self._known:
                self._known[key] = _nest(scop, child, own, of)
            yield self._known[key]


def _nest(scop: Scop, child: Filter, own: tuple[Statement, ...], of: Any) -> _Nest:
    alone = replace(scop, statements=own, schedule=child, program=None)
    scanner = ScheduleScanner(alone, vectors=False)
    try:
        refuse_overflow(alone)
        body = scanner.body()
    except PolynbError:  # of the whole program it will be said
        return _Nest(None, frozenset(), frozenset(), of)
    sure = _as_in_the_whole(body, own) and not (body and scanner.loops.moved)
    used = syntax.accessed(body)
    return _Nest(body if sure else None, global_names(alone), used, of)


def _as_in_the_whole(body: tuple[syntax.Stmt, ...], own: tuple[Statement, ...]) -> bool:
    """Whether nothing in a text depends on the rest of the program: conditions around a nest, which
    isl shares, and names that were made up. (What isl moved is checked with all of it.)"""
    names = [s.name for s in own]
    iterators = {i for s in own for i in s.iterators}
    labels = [s.label for s in syntax.statements(body)]
    if not set(labels) <= set(names) or len(set(labels)) < len(labels):
        return False
    if any(isinstance(s, syntax.If) for s in body) or not all(map(is_name, names)):
        return False
    for s in syntax.every(body):
        if isinstance(s, syntax.For) and not (s.iterator in iterators and is_name(s.iterator)):
            return False
        if any(isinstance(x, syntax.Let) for e in syntax.expressions(s) for x in syntax.walk(e)):
            return False
    return True
