"""What instances of statements compute, as expressions of what arrays held before, or are left
with: what a statement reads is replaced by what wrote it, as the flow of values says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from polynb import isl
from polynb.dependences.analysis import Dependences, analyze
from polynb.dependences.memory import live_out_writes, same_cell
from polynb.reading.choices import chosen, with_tests
from polynb.reading.folds import Accumulation, fold_of
from polynb.reading.ranges import Unsaid, iterators_of, ranges_of
from polynb.scop.doubtful_cells import usual
from polynb.scop.model import Scop, Statement
from polynb.source.normal_form import normal_form
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Let,
    Number,
    rebuild,
    walk,
    with_children,
)
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE

DEEP: Final = 12
"""FlowValues inside of each other."""
WHOLE: Final = "whole part of "
LARGE: Final = 8
"""Sizes from here on are no special case."""


@dataclass
class Mixed(Exception):
    """Instances of a consumer read what others do not: `pieces` of them, `{ [names] }`."""

    pieces: tuple[isl.Set, ...]


@dataclass(frozen=True, eq=False)
class ReadingFrame:
    """Where a value is read: `at` is `{ [names] -> S[i] }`, the instance that computes it at each
    point of a consumer; `inside` are the statements whose values it is a part of."""

    at: isl.Map
    names: tuple[str, ...]
    inside: tuple[str, ...] = ()

    def iterators(self, s: Statement) -> dict[str, Expr]:
        """What each iterator of S is."""
        return iterators_of(self.at, s.iterators, self.names)


Source = tuple[Statement | None, isl.Map]
"""`{ [names] -> T[j] }`: which instances wrote what is read; None: `{ [names] -> A[x] }`, cells
that nothing wrote before."""


class FlowValues:
    """Those of one program. An access in an expression is what the program leaves in the cell, or
    has there all the time; `old A[i]` what was there before, where that is another value.

    Raises Unsaid for programs that do not say which cells they write.
    """

    def __init__(self, scop: Scop) -> None:
        self.scop = replace(
            scop, statements=tuple(map(chosen, with_tests(scop.statements))), program=None
        )
        self.sizes = usual(scop.assumed, LARGE)
        self.types = types_of(scop)
        self.written: dict[str, isl.Set] = {}
        self.left: dict[str, isl.Set] = {}
        for s in self.scop.statements:
            if not (s.write.must and s.write.relation.is_single_valued()):
                raise Unsaid
            runs = s.domain.intersect_params(self.sizes)
            cells = s.write.relation.intersect_domain(runs).range()
            known = self.written.get(s.write.array)
            self.written[s.write.array] = cells if known is None else known.union(cells)
            self.left[s.name] = live_out_writes(self.scop, s).domain().intersect(runs)
        self._shared: list[tuple[Statement, isl.Map, Let]] = []

    def of(self, s: Statement, frame: ReadingFrame) -> Expr:
        """What S computes. Raises Unsaid, and Mixed. What temporaries hold is in a Let."""
        if s.name in frame.inside or len(frame.inside) > DEEP:
            raise Unsaid
        fold = self._fold(s)
        if fold is not None:
            return self._folded(fold, [(s, frame.at)], frame)
        return self._computed(s, s.expression, frame)

    def left_by(self, s: Statement, frame: ReadingFrame) -> Expr:
        """What S leaves: what it computes, converted where its array holds less than that."""
        value = self.of(s, frame)
        return value if self.scop.arrays[s.write.array].type.is_float else self._stored(s, value)

    def _computed(self, s: Statement, e: Expr, frame: ReadingFrame) -> Expr:
        nodes = {id(x) for x in walk(e)}
        inside = replace(frame, inside=(*frame.inside, s.name))
        reads = (k for k, r in enumerate(s.reads) if id(r.node) in nodes)
        new = {id(s.reads[k].node): self._read(s, k, inside) for k in reads}
        return moved(e, frame.iterators(s), new, self.types)

    def _read(self, s: Statement, k: int, frame: ReadingFrame) -> Expr | str:
        """What a read gives: a value, or the cell under its name, with a word in front."""
        r = s.reads[k]
        if r.array not in self.written:
            return ""
        if not (r.must and r.relation.is_single_valued()):
            raise Unsaid
        sources = self._sources(s, k, frame.at)
        if all(self._is_left(r.array, t, m) for t, m in sources):
            return ""
        if len(sources) == 1:
            ((t, m),) = sources
            return "old " if t is None else self._named(t, replace(frame, at=m))
        for t, _ in sources:
            fold = None if t is None or t.name in frame.inside else self._fold(t)
            if fold is not None:
                return self._folded(fold, sources, frame)
        raise Mixed(tuple(m.domain() for _, m in sources))

    def _named(self, t: Statement, frame: ReadingFrame) -> Expr:
        """A value, of a temporary under its name: the same node where it is read again."""
        if self.scop.arrays[t.write.array].live_out:
            return self._stored(t, self.of(t, frame))
        for s, m, let in self._shared:
            if s is t and m.get_space().is_equal(frame.at.get_space()) and m.is_equal(frame.at):
                return let
        made = Let(t.write.array, self._stored(t, self.of(t, frame)))
        self._shared.append((t, frame.at, made))
        return made

    def _stored(self, t: Statement, value: Expr) -> Expr:
        """With the conversion that storing it does, if that changes anything (integers of 32 bits
        are taken to be large enough)."""
        type, of = self.scop.arrays[t.write.array].type, self.types.of(t.expression)
        if type is DOUBLE and isinstance(value, Number):
            return Number(float(value.value), DOUBLE)
        alike = type is of or (type.size >= 4 and not (type.is_float or of.is_float))
        return value if alike else Cast(type, value)

    def _sources(self, s: Statement, k: int, at: isl.Map) -> list[Source]:
        flow = self.dependences.flow(s.reads[k].array)
        edges = (e for e in flow.edges if e.target == s.name and e.read == k)
        found: list[Source] = [
            (self.scop.by_name[e.source], at.apply_range(e.relation.reverse())) for e in edges
        ]
        if (s.name, k) in flow.live_in:
            found.append((None, at.apply_range(flow.live_in[s.name, k])))
        return [(t, isl.coalesced(m)) for t, m in found if not m.is_empty()]

    def _is_left(self, array: str, t: Statement | None, m: isl.Map) -> bool:
        if t is not None:
            return bool(m.range().is_subset(self.left[t.name]))
        return bool(m.range().is_disjoint(self.written[array]))

    @property
    def dependences(self) -> Dependences:
        return analyze(self.scop)

    # -- sums ----------------------------------------------------------------------------

    def _fold(self, s: Statement) -> Accumulation | None:
        edges = self.dependences.flow(s.write.array).edges
        own = (e for e in edges if e.source == e.target == s.name and e.read is not None)
        found = fold_of(s, {e.read: e.relation for e in own if e.read is not None})
        alike = (
            self.scop.arrays[s.write.array].type.is_float == self.types.of(s.expression).is_float
        )
        return found if alike else None

    def _folded(self, fold: Accumulation, sources: list[Source], frame: ReadingFrame) -> Expr:
        """The first value, and what iterations made of it up to the one among the sources; at
        points where there is none, the first value alone."""
        s = fold.statement
        others = [x for x in sources if x[0] is not s]
        (reached,) = (m for t, m in sources if t is s)
        chain = isl.coalesced(reached.apply_range(_so_far(fold)))
        begins = self._sources(s, fold.read, chain.intersect_range(fold.firsts))
        start = self._start(fold, [*begins, *others], frame)
        asked = isl.united([m.domain() for _, m in sources])
        ranges = ranges_of(chain, frame.names, s.iterators, asked)
        if not (ranges.loops and ranges.exact):
            raise Unsaid
        at = _inside_of(chain, len(frame.names), ranges.fixed)
        inner = ReadingFrame(at, (*frame.names, *ranges.names), frame.inside)
        over = ", ".join(r.dotted for r in ranges.loops)
        return fold.whole(start, over, self._computed(s, fold.value, inner))

    def _start(self, fold: Accumulation, begins: list[Source], frame: ReadingFrame) -> Expr:
        """The value from which a fold starts: from one statement, or from before the program."""
        t = begins[0][0]
        if any(x is not t for x, _ in begins):
            raise Unsaid
        m = isl.coalesced(isl.united([m for _, m in begins]))
        if not m.is_single_valued():
            raise Unsaid
        inside = (*frame.inside, fold.statement.name)
        if t is not None:
            return self._stored(t, self.of(t, replace(frame, at=m, inside=inside)))
        array = fold.statement.write.array
        index = iterators_of(m, tuple(map(str, range(m.dim(isl.OUT)))), frame.names)
        return Access(f"old {array}", tuple(index.values()))


def _so_far(fold: Accumulation) -> isl.Map:
    """`{ S[i] -> S[j] }`: those up to i that add to its cell, from the last one on that begins."""
    s = fold.statement
    write = s, s.write
    earlier, before = (same_cell(write, write, strict=x).reverse() for x in (False, True))
    return earlier.subtract(earlier.intersect_range(fold.firsts).apply_range(before))


def types_of(scop: Scop) -> Types:
    return Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)


def moved(
    e: Expr,
    iterators: Mapping[str, Expr],
    new: Mapping[int, Expr | str] = MappingProxyType({}),
    types: Types | None = None,
) -> Expr:
    """An expression at other iterators, with `new` in place of accesses or in front of them; what
    C divides as integers says so, where the types are known."""
    same = all(isinstance(x, Iterator) and x.name == n for n, x in iterators.items())

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Iterator):
            return iterators[node.name]
        instead = new.get(id(node), "")
        if not isinstance(instead, str):
            return instead
        if isinstance(node, Access):
            return Access(instead + node.array, parts if same else tuple(map(normal_form, parts)))
        made = with_children(node, parts)
        if isinstance(node, Binary) and node.op == "/" and types and not types.of(node).is_float:
            return Call(WHOLE, (made,))
        return made

    return rebuild(e, visit)


def _inside_of(chain: isl.Map, outer: int, fixed: tuple[int, ...]) -> isl.Map:
    """`{ [names, free] -> S[i] }` from `{ [names] -> S[i] }`."""
    m = chain.range_map().flatten_domain().reset_tuple_id(isl.IN)
    for k in reversed(fixed):
        m = m.project_out(isl.IN, outer + k, 1)
    return m
