"""Terms as numbers: what two of them are for many contents of memory at once.

Memory is drawn, with special values (infinities, values that are no numbers, negative zero,
denormals, the ends of integer types) and those that stand in the terms, and their neighbours, among
ordinary ones. What C leaves undefined (an overflow of signed integers, a division by zero) says
nothing about a difference; what is undefined for all data, such as a read out of bounds, is one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

import numpy as np

from polynb import isl
from polynb.run.terms import Term, looked_up
from polynb.run.vectors import DRAWS, Mask, Vector, VectorAlgebra, text_of, vector
from polynb.run.verdicts import Numbers
from polynb.scop.witness import cell_text
from polynb.source.types import ElementType

SHOWN: Final = 4
"""The most cells whose content is said."""
Pair = tuple[Term, Term]
State = tuple["State", Sequence[Vector], Vector] | str
"""An array: its name, as it was at first; or another one, a place in it, and what is there."""


class Evaluation:
    """The values of terms, each computed once, in all draws. `extents` are those of arrays: what
    data reads outside of them is undefined."""

    def __init__(self, roots: Iterable[Term], extents: Mapping[str, Sequence[int | None]]) -> None:
        self.extents = extents
        terms = _below(roots)
        self.draws = DrawnCells(terms, extents)
        self.algebra = VectorAlgebra(self.draws.seed)
        self._values: dict[int, Vector] = {}
        self._states: dict[int, State] = {}
        self.undefined: Mask = np.zeros(DRAWS, bool)
        """Where C leaves undefined what is stored on the way."""
        for k, t in enumerate(terms):
            if k % 256 == 0:
                isl.check_time()
            if self._is_state(t):
                self._states[t.number] = self._state(t)
            else:
                self._values[t.number] = self._value(t)

    def undefined_in(self, terms: Iterable[Term]) -> Mask:
        """The draws in which one of some values is undefined, or what is stored on the way."""
        values = (self._of(t) for t in terms if t.number in self._values)
        undefined = self.undefined.copy()
        for x in values:
            undefined |= _undefined(x)
        return undefined

    def compared(self, a: Term, b: Term) -> Iterable[tuple[Vector, Vector]]:
        """Values; of states, what is in each cell that either was stored to."""
        if not (self._is_state(a) and self._is_state(b)):
            yield self._values[a.number], self._values[b.number]
            return
        for index in (*self._places(a), *self._places(b)):
            yield self._content(a, index), self._content(b, index)

    # -- arrays ------------------------------------------------------------------------

    def _is_state(self, t: Term) -> bool:
        whole = t.op == "initial" and len(t.arguments) == 1
        return t.op == "store" or (whole and bool(self.extents[t.arguments[0]]))

    def _places(self, t: Term) -> list[Sequence[Vector]]:
        """Where a state was stored to."""
        found = []
        state = self._states[t.number]
        while not isinstance(state, str):
            found.append(state[1])
            state = state[0]
        return found

    def _content(self, t: Term, index: Sequence[Vector]) -> Vector:
        """What a state holds somewhere."""
        return self._loaded(self._states[t.number], index, t.type)

    # -- terms -------------------------------------------------------------------------

    def _of(self, t: Term) -> Vector:
        return self._values[t.number]

    def _state(self, t: Term) -> State:
        if t.op == "initial":
            return str(t.arguments[0])
        state, *rest = t.arguments
        before = self._states[state.number]
        *index, value = (self._of(x) for x in rest)
        if rest[-1].op != "select":  # else the store may be one that a condition keeps from it
            self.undefined |= _undefined(value) | self.draws.outside(_array_of(before), index)
        return before, tuple(index), value

    def _value(self, t: Term) -> Vector:
        a, rest = self.algebra, t.arguments
        match t.op:
            case "number":
                return a.number(rest[0], t.type)
            case "float":
                return a.number(float.fromhex(rest[0]), t.type)
            case "undefined":
                return a.nowhere(rest[0], t.type)
            case "initial":
                return self.draws.cell(rest[0], rest[1:], t.type)
            case "load":
                index = [*map(self._of, rest[1:])]
                self.draws.loaded(t, _array_of(self._states[rest[0].number]), index)
                return self._loaded(self._states[rest[0].number], index, t.type)
            case "lookup":
                places, shape, held = looked_up(t)
                return a.picked([*map(self._of, places)], shape, [*map(self._of, held)], t.type)
            case "call":
                return a.call(rest[0], [self._of(x) for x in rest[1:]])
            case "convert":
                return a.convert(t.type, self._of(rest[0]))
            case "select":
                return a.choose(*(self._of(x) for x in rest))
        parts = [self._of(x) for x in rest]
        if t.op in ("&&", "||"):
            return a.connected(t.op, parts)
        return a.unary(t.op, *parts) if len(parts) == 1 else a.binary(t.op, *parts)

    def _loaded(self, state: State, index: Sequence[Vector], type: ElementType) -> Vector:
        stored = []
        while not isinstance(state, str):
            stored.append((state[1], state[2]))
            state = state[0]
        found = self.draws.at(state, index, type)
        for place, value in reversed(stored):
            found = self.algebra.overlaid(found, place, index, value)
        return found


def _array_of(state: State) -> str:
    while not isinstance(state, str):
        state = state[0]
    return state


PARTIAL: Final = ("/", "%", "floord", "mod", "+", "-", "*", "<<", ">>", "convert")
"""Operations of integers that have no value for some."""


def parting(
    pairs: Sequence[Pair],
    extents: Mapping[str, Sequence[int | None]],
    beside: Sequence[Term] = (),
) -> tuple[int, Numbers] | None:
    """The first of some pairs of terms that are not the same bits for some data, and that data:
    such for which what the programs pick `beside` them, by the same cells, is defined, too."""
    found = Evaluation((*(t for pair in pairs for t in pair), *beside), extents)
    decided = [(t, by) for t in beside if (by := _deciding(t))]
    for k, (a, b) in enumerate(pairs):
        own = _initial((a, b))
        outside = found.undefined_in(t for t, by in decided if not by.isdisjoint(own))
        for left, right in found.compared(a, b):
            draw = _first(left, right, outside)
            if draw is not None:
                cells = found.draws.used((a, b), draw, SHOWN)
                data = tuple((cell_text(n, index), said) for n, index, said in cells)
                return k, Numbers(text_of(left, draw), text_of(right, draw), data)
    return None


def _first(a: Vector, b: Vector, outside: Mask) -> int | None:
    """The first draw in which two values differ, but for those that say nothing."""
    differs = a.bits() != b.bits() if a.type is b.type else np.ones(DRAWS, bool)
    differs &= ~(a.undefined | b.undefined)
    differs |= b.nowhere & ~a.undefined  # what comes after a program without a value, is free
    differs &= ~outside
    return int(np.argmax(differs)) if differs.any() else None


def _undefined(x: Vector) -> Mask:
    """Where a value is undefined for some data, and not for all."""
    return x.undefined & ~x.nowhere


def _deciding(t: Term) -> set[int]:
    """The cells that decide what a term picks, or whether it has a value."""
    by: list[Term] = []
    for x in _below([t]):
        if x.op == "load":
            by += x.arguments[1:]
        elif x.op == "lookup":
            by += looked_up(x)[0]
        elif x.op in PARTIAL and not x.type.is_float:
            by += x.arguments
    return _initial(by)


def _initial(roots: Iterable[Term]) -> set[int]:
    """The cells that terms are made of."""
    return {t.number for t in _below(roots) if t.op == "initial"}


def _below(roots: Iterable[Term]) -> list[Term]:
    """The terms that some are made of, operands first."""
    known: dict[int, Term] = {}
    todo = list(roots)
    while todo:
        t = todo.pop()
        if t.number not in known:
            known[t.number] = t
            todo += [x for x in t.arguments if isinstance(x, Term)]
    return [known[k] for k in sorted(known)]


# Contents of memory, drawn: ordinary numbers, special ones, and those that programs mention.


SPECIAL: Final = (math.nan, -0.0, 0.0, math.inf, -math.inf, 1.0, -1.0, 0.1)
TINY_AND_LARGE: Final = {4: (1e-40, 3e38, -3e38), 8: (5e-324, 1.5e308, -1.5e308)}
Index = tuple[int, ...]


class DrawnCells:
    """The cells that terms are made of, in each draw: the first ones ordinary, then some special,
    or near numbers that are mentioned, then all alike. Every other one has integers that may be
    subscripts."""

    def __init__(self, terms: Iterable[Term], extents: Mapping[str, Sequence[int | None]]) -> None:
        self.seed = 1
        self.extents = extents
        self.random = Random(self.seed)
        sizes = (n for known in extents.values() for n in known if n)
        self.smallest = max(min(sizes, default=1), 1)
        self.mentioned = sorted({x for t in terms if (x := _literal(t)) is not None})
        self._cells: dict[tuple[str, Index], Vector] = {}
        self._named: dict[int, tuple[str, Sequence[Vector]]] = {}

    def cell(self, array: str, index: Index, type: ElementType) -> Vector:
        key = array, index
        if key not in self._cells:
            self._cells[key] = vector(type, [self._drawn(k, type) for k in range(DRAWS)])
        return self._cells[key]

    def loaded(self, load: Term, array: str, index: Sequence[Vector]) -> None:
        """Remember which cells a term loads, of an array as it was at first."""
        self._named[load.number] = array, index

    def at(self, array: str, index: Sequence[Vector], type: ElementType) -> Vector:
        """The cells of an array that subscripts name, which have to be inside."""
        undefined: Mask = np.any([x.undefined for x in index], axis=0)
        values: list[float] = [0] * DRAWS
        for k in range(DRAWS):
            place = tuple(int(x.data[k]) for x in index)
            if not undefined[k] and self._inside(array, place):
                values[k] = self.cell(array, place, type).data[k]
            else:
                undefined[k] = True
        return vector(type, values, undefined)

    def outside(self, array: str, index: Sequence[Vector]) -> Mask:
        """Where subscripts name no cell of an array."""
        places = zip(*(x.data for x in index), strict=True)
        return np.array([not self._inside(array, tuple(map(int, p))) for p in places], bool)

    def _inside(self, array: str, place: Index) -> bool:
        sizes = zip(place, self.extents[array], strict=True)
        return all(x >= 0 and (n is None or x < n) for x, n in sizes)

    def used(self, terms: Iterable[Term], draw: int, most: int) -> list[tuple[str, Index, str]]:
        """Cells that terms are made of, each with its content in a draw."""
        found: dict[tuple[str, Index], str] = {}
        seen, todo = set[int](), list(terms)
        while todo and len(found) < most:
            t = todo.pop(0)
            if t.number in seen:
                continue
            seen.add(t.number)
            key = self._cell(t, draw)
            if key in self._cells:
                found[key] = text_of(self._cells[key], draw)
            todo += [x for x in t.arguments if isinstance(x, Term)]
        return [(array, index, said) for (array, index), said in found.items()]

    def _cell(self, t: Term, draw: int) -> tuple[str, Index]:
        if t.number in self._named:
            array, index = self._named[t.number]
            return array, tuple(int(x.data[draw]) for x in index)
        return (t.arguments[0], t.arguments[1:]) if t.op == "initial" else ("", ())

    # -- values ------------------------------------------------------------------------

    def _drawn(self, draw: int, type: ElementType) -> float:
        kind, nth = divmod(draw * 8, DRAWS)
        if kind == 7:  # all cells alike
            special = _special(type)
            return special[(nth * len(special)) // DRAWS]
        subscript = draw % 2 and not type.is_float
        if subscript or self.random.random() >= (0.0, 0.0, 0.3, 0.5, 0.5, 1.0, 0.5)[kind]:
            return self._ordinary(draw, kind, type)
        near = self._near(type)
        return self.random.choice(near if near and kind % 2 == 0 else _special(type))

    def _ordinary(self, draw: int, kind: int, type: ElementType) -> float:
        if type.is_float:
            short = kind % 2 == 0  # easily read
            return self.random.randint(4, 40) / 8 if short else self.random.uniform(-4, 4)
        if draw % 2:
            return self.random.randrange(self.smallest)  # a subscript, wherever it stands
        return self.random.randint(0 if kind % 2 == 0 or not type.is_signed else -9, 9)

    def _near(self, type: ElementType) -> list[float]:
        """The numbers that stand in the terms, and those next to them."""
        found = [s * x + d for x in self.mentioned for s in (1, -1) for d in (0, 0, 1, -1, 0.5)]
        if type.is_float:
            return found
        whole = (int(x) for x in found if abs(x) < 2**64)
        return [x for x in whole if type.least <= x <= type.most]


def _special(type: ElementType) -> list[float]:
    if type.is_float:
        return [*SPECIAL, *TINY_AND_LARGE[type.size]]
    ends = (type.least, type.least + 1, type.most, type.most - 1)
    return [x for x in (0, 1, -1, 2, *ends) if type.least <= x]


def _literal(t: Term) -> float | None:
    """A number that is no infinity."""
    if t.op == "number":
        return float(t.arguments[0])
    value = float.fromhex(t.arguments[0]) if t.op == "float" else math.inf
    return value if math.isfinite(value) else None
