"""One step of a proof: what has to hold for two nodes to have the same value in related instances.

Reads are looked through, to what was written there; what data does not decide is decided; then both
have to do the same with the same operands (Verdoolaege, Janssens, Bruynooghe, TOPLAS 2012, section
4). There is no algebra but that sums and products commute: what is reassociated is not the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.proofs.inside import inside
from polynb.proofs.nodes import Read, ValueNode
from polynb.proofs.places import free_dimensions, lifted, places
from polynb.proofs.program import ProgramModel
from polynb.proofs.sides import Side, side
from polynb.run import floats
from polynb.run.floats import COMMUTATIVE

ALIKE: Final = 4
"""How deep it is looked into operands that may be exchanged."""
COPIES: Final = 8
"""Through how many copies it is looked for the number that is read."""


@dataclass(frozen=True, eq=False)
class Obligation:
    """Two sides have the same value in all pairs of a `relation`, `{ S[i] -> T[j] }`: the first of
    statement S of one program, the second of T of the other. `through`: a read was looked through
    for it, so that it is about earlier instances."""

    first: Side
    second: Side
    relation: isl.Map
    through: bool = False


class Unequal(Exception):
    """Two sides that are not seen to have the same value in any pair of a relation."""

    def __init__(self, first: Side, second: Side, relation: isl.Map) -> None:
        super().__init__(first, second, relation)
        self.first, self.second, self.relation = first, second, relation


class Comparison:
    """The steps of comparing two programs."""

    def __init__(self, before: ProgramModel, after: ProgramModel) -> None:
        self.before = before
        self.after = after
        self._common = before.used & after.used
        self._equal: dict[tuple[int, int], isl.Map] = {}

    def step(self, o: Obligation) -> Iterator[Obligation]:
        """What an obligation follows from. Raises Unequal if it does not, in some pairs."""
        a, b = o.first.node, o.second.node
        if a.op == "pick" or b.op == "pick":
            yield from self._picked(o)
        elif a.op == "read" or b.op == "read":
            yield from self._looked_through(o)
        elif a.op != b.op and (made := self._inside(o) or self._known(o)) is not None:
            yield made
        elif a.op == b.op == "load" and (copied := self._copied(o)) is not None:
            yield copied
        elif o.first.types != o.second.types or a.op != b.op:
            raise Unequal(o.first, o.second, o.relation)
        elif a.op in ("whole", "initial"):
            self._same_function(o)
        elif (
            a.what != b.what
            or len(a.operands) != len(b.operands)
            or free_dimensions(a) != free_dimensions(b)
        ):
            raise Unequal(o.first, o.second, o.relation)
        elif a.op == "load":
            yield Obligation(side(a.operands[0]), side(b.operands[0]), lifted(o.relation, a, b))
            for p, q in zip(places(a), places(b), strict=True):
                yield Obligation(side(p), side(q), o.relation)
        elif a.op == "select" and bool(one := _by_number(a)) != bool(other := _by_number(b)):
            for x, y in zip(one or a.operands, other or b.operands, strict=True):
                yield Obligation(side(x), side(y), o.relation)
        else:
            for x, y in zip(a.operands, self._matched(o), strict=True):
                yield Obligation(side(x), side(y), o.relation)

    def _matched(self, o: Obligation) -> tuple[ValueNode, ...]:
        """The operands of the second node, in the order of those of the first one: exchanged, where
        that does not matter and they look more alike then, or read the same cells."""
        a, b = o.first.node, o.second.node
        if a.op not in COMMUTATIVE or len(a.operands) != 2:
            return b.operands
        alike = []
        for order in (b.operands, b.operands[::-1]):
            pairs = [*zip(a.operands, order, strict=True)]
            look = all(self._alike(p, q, o.relation) for p, q in pairs)
            alike.append((look, sum(_read_the_same(p, q, o.relation) for p, q in pairs), order))
        return max(alike, key=lambda each: each[:2])[-1]

    def _alike(self, a: ValueNode, b: ValueNode, relation: isl.Map, depth: int = ALIKE) -> bool:
        """Whether two nodes may be the same, for all that is seen without much ado."""
        first, second = side(a), side(b)
        a, b = first.node, second.node
        if depth == 0 or "pick" in (a.op, b.op) or relation.is_empty():
            return True
        if "read" in (a.op, b.op):
            ways = [list(_ways(p, s)) for p, s in ((self.before, first), (self.after, second))]
            if len(ways[0]) != 1 or len(ways[1]) != 1:
                return a.op == b.op and bool(a.what.array == b.what.array)
            ((s, m),), ((t, n),) = ways
            relation = relation if m is None else relation.apply_domain(m)
            relation = relation if n is None else relation.apply_range(n)
            return self._alike(s.node, t.node, relation, depth - 1)
        if a.op != b.op and "load" in (a.op, b.op):
            return True
        if a.op != b.op or first.types != second.types or len(a.operands) != len(b.operands):
            return False
        if a.op in ("whole", "initial"):
            try:
                self._same_function(Obligation(first, second, relation))
            except Unequal:
                return False
            return True
        if a.op == "load":
            arrays = {_picked_from(first), _picked_from(second)}
            return len(arrays) == 1 or not arrays <= self._common
        orders = [b.operands, b.operands[::-1]] if a.op in COMMUTATIVE else [b.operands]
        return a.what == b.what and any(
            all(self._alike(x, y, relation, depth - 1) for x, y in pairs)
            for pairs in (zip(a.operands, order, strict=True) for order in orders)
        )

    def _picked(self, o: Obligation) -> Iterator[Obligation]:
        """Each of the operands, in the instances in which it is picked."""
        first = o.first.node.op == "pick"
        node, then = (o.first.node, o.first.types) if first else (o.second.node, o.second.types)
        where: isl.Set = node.what
        for x, part in zip(node.operands, (where, where.complement()), strict=True):
            picked = side(x, then[1:])
            if first:
                relation = o.relation.intersect_domain(part)
                made = Obligation(picked, o.second, relation)
            else:
                relation = o.relation.intersect_range(part)
                made = Obligation(o.first, picked, relation)
            if not relation.is_empty():
                yield made

    def _looked_through(self, o: Obligation) -> Iterator[Obligation]:
        """What was written to the cells that are read, or was there before."""
        for first, m in _ways(self.before, o.first):
            left = o.relation if m is None else o.relation.apply_domain(m)
            if left.is_empty():
                continue
            for second, n in _ways(self.after, o.second):
                relation = left if n is None else left.apply_range(n)
                if not relation.is_empty():
                    yield Obligation(first, second, relation, through=True)

    def _inside(self, o: Obligation) -> Obligation | None:
        """The same about what one of two sides, which data picks from a row, was computed from."""
        return self._computed(o, first=True) or self._computed(o, first=False)

    def _computed(self, o: Obligation, *, first: bool) -> Obligation | None:
        """As `_inside`, about what this side picks."""
        if first and o.first.node.op == "load":
            made = inside(self.before, o.first.node, o.relation.domain())
            return None if made is None else replace(o, first=side(made, o.first.types[1:]))
        if not first and o.second.node.op == "load":
            made = inside(self.after, o.second.node, o.relation.range())
            return None if made is None else replace(o, second=side(made, o.second.types[1:]))
        return None

    def _copied(self, o: Obligation) -> Obligation | None:
        """The same, of two loads, about what one of them picks from a copy of the row of the other
        one."""
        if _picked_from(o.first) == _picked_from(o.second):
            return None
        found = (self._computed(o, first=first) for first in (True, False))
        same = (x for x in found if x and _picked_from(x.first) == _picked_from(x.second))
        return next(same, None)

    def _known(self, o: Obligation) -> Obligation | None:
        """The same, without an operation on one of two sides that does nothing, since it reads 1,
        say. (Where the other program has the number itself, `x * 1` is x there.)"""
        first = _left(self.before, o.first, o.relation)
        if first is not None:
            return replace(o, first=first)
        second = _left(self.after, o.second, o.relation.reverse())
        return None if second is None else replace(o, second=second)

    def _same_function(self, o: Obligation) -> None:
        """Whether two whole numbers, or cells, are the same."""
        a, b = o.first.node, o.second.node
        if a.op == "initial" and (a.what.array != b.what.array):
            raise Unequal(o.first, o.second, o.relation)
        key = a.number, b.number
        if key not in self._equal:
            self._equal[key] = _function(a).apply_range(_function(b).reverse())
        if not o.relation.is_subset(self._equal[key]):
            wrong = o.relation.subtract(self._equal[key])
            raise Unequal(o.first, o.second, wrong)


def _by_number(select: ValueNode) -> tuple[ValueNode, ...] | None:
    """The operands of a selection that asks whether a number is 0, for which it takes the first,
    as if it asked for the number itself: a cell may have kept another condition's 1 or 0."""
    condition, a, b = select.operands
    for k, x in enumerate(condition.operands if condition.op == "==" else ()):
        zero = x.home.literal(condition.operands[1 - k]) == 0
        if zero and not x.type.is_float:
            return x, b, a
    return None


def _left(program: ProgramModel, s: Side, relation: isl.Map) -> Side | None:
    """The operand that an operation leaves as it is, in the domain of a relation; None if it does
    not leave one so."""
    operands = s.node.operands if s.node.op in floats.LEAVING else ()
    for k, x in enumerate(operands if len(operands) == 2 else ()):
        if floats.leaves(s.node.op, _number_read(program, side(x), relation.domain()), left=k == 0):
            return side(operands[1 - k], s.types[1:])
    return None


def _number_read(
    program: ProgramModel, read: Side, where: isl.Set, copies: int = COPIES
) -> float | None:
    """The one number that a read gives in some instances, if it is known."""
    if read.node.op != "read" or not copies:
        return None
    ways = [(w, m) for w, m in _ways(program, read) if m is None or not _apart(m, where)]
    found = [_number_written(program, w, m, where, copies) for w, m in ways]
    numbers = {repr(x): x for x in found}  # 0.0 and -0.0 are two
    return numbers.popitem()[1] if len(numbers) == 1 else None


def _apart(m: isl.Map, where: isl.Set) -> bool:
    return m.intersect_domain(where).is_empty()


def _number_written(
    program: ProgramModel, written: Side, m: isl.Map | None, where: isl.Set, copies: int
) -> float | None:
    """The number that an instance wrote which a read in some instances is mapped to, if it is
    known."""
    value = written.node.home.literal(written.node)
    if written.node.op == "read" and m is not None:
        return _number_read(program, written, where.apply(m), copies - 1)
    if isinstance(value, int):  # as its types make it, if none makes another number of it
        each = [floats.exactly(value, t) for t in written.types]
        return None if None in each else each[-1]
    return value if len(written.types) == 1 else None


def _read_the_same(a: ValueNode, b: ValueNode, relation: isl.Map) -> bool:
    """Whether two nodes are reads of the same cells of what has the same name."""
    a, b = side(a).node, side(b).node
    if not a.op == b.op == "read" or a.what.array != b.what.array:
        return False
    x, y = a.what.cells, b.what.cells
    if a.what.lift is not None or b.what.lift is not None or x.dim(isl.OUT) != y.dim(isl.OUT):
        return False
    cells = relation.apply_domain(x).apply_range(y)
    return bool(cells.is_subset(isl.Map.identity(cells.get_space())))


def _picked_from(s: Side) -> str | None:
    """The array from which data picks the value of a side."""
    return str(s.node.operands[0].what.array) if s.node.op == "load" else None


def _function(node: ValueNode) -> isl.Map:
    """`{ S[i] -> [e] }` of a whole number, `{ S[i] -> A[x] }` of what was in a cell."""
    if node.op == "initial":
        read: Read = node.what
        return read.cells
    return isl.Map.from_pw_aff(node.what)


def _ways(program: ProgramModel, s: Side) -> Iterator[tuple[Side, isl.Map | None]]:
    """What a side is when it is looked through, with `{ T[j] -> W[i] }`, the instance that wrote it
    for each that reads it; None: it is not another one."""
    if s.node.op != "read":
        yield s, None
        return
    read: Read = s.node.what
    sources = program.sources(read)
    for writer, m in sources.writers.items():
        yield side(program.root(writer), s.types[1:]), m
    if not sources.before.is_empty():
        there = s.node.home.make("initial", read.type, (), read)
        same = isl.Map.identity(sources.before.get_space().map_from_set())
        yield side(there, s.types[1:]), same.intersect_domain(sources.before)
