"""Cells that hold terms: the memory of a program that runs on symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import prod
from typing import Final

from polynb import isl
from polynb.run.execution import Mismatch, Point
from polynb.run.tables import Tables
from polynb.run.terms import Term, Terms
from polynb.scop.model import Scop
from polynb.scop.sizes import extents_at
from polynb.scop.witness import cell_text
from polynb.source.types import INT64

TABLE: Final = 4096
"""The most cells of which a term lists what they hold."""


@dataclass
class Rows:
    """An array some of whose stores are where data decides, in the dimensions `free`: stores by
    what is known of their cells in the other ones, which keeps them apart."""

    free: frozenset[int]
    rows: dict[Point, Stores] = field(default_factory=dict)


class SymbolicMemory:
    """What is in the cells of the arrays: as long as it is known which cells are stored to, a term
    for each; from the first store on where data decides, the stores."""

    def __init__(self, scop: Scop, terms: Terms) -> None:
        self.arrays = scop.arrays
        self.terms = terms
        self.tables = Tables(terms)
        self.extents: dict[str, tuple[int | None, ...]] = {}
        self._cells: dict[str, dict[Point, Term]] = {}
        self._rows: dict[str, Rows] = {}
        self._views: dict[str, dict[frozenset[int], Rows]] = {}  # until the next store

    def clear(self, parameters: Mapping[str, int]) -> None:
        """Forget everything: a new run begins, at these parameter values."""
        self.extents = {n: extents_at(a, parameters) for n, a in self.arrays.items()}
        self._cells = {n: {} for n in self.arrays}
        self._rows = {}
        self._views = {}

    # -- what an execution asks for -------------------------------------------------------

    def load(self, array: str, index: Index) -> Term:
        known = self._known(index)
        if known is not None and not self._inside(array, known):
            why = f"{cell_text(array, known)} is out of bounds"
            return self.terms.undefined(why, self.arrays[array].type)
        return self._content(array, self._places(index))

    def store(self, array: str, index: Index, value: Term, guard: Term | None) -> None:
        value = self.terms.convert(self.arrays[array].type, value)
        if guard is not None:
            value = self.terms.choose(guard, value, self.load(array, index))
        known = self._known(index)
        if known is not None and not self._inside(array, known):
            if guard is None:
                raise Mismatch(f"it writes to {cell_text(array, known)}, which is out of bounds")
            return
        if known is not None and array not in self._rows:
            self._cells[array][known] = value
            self._views.pop(array, None)
            return
        places = self._places(index)
        self._rows[array] = rows = self._along(array, _unknown(places))
        if value is not self._content(array, places):
            self._row(array, rows, places).add(places, value)
            self._views.pop(array, None)

    def _known(self, index: Index) -> Point | None:
        known = [x for t in index if (x := self.terms.integer(t)) is not None]
        return tuple(known) if len(known) == len(index) else None

    def _places(self, index: Index) -> Index:
        """Subscripts: of whatever type, they say the same place."""
        return tuple(self.terms.convert(INT64, t) for t in index)

    def _inside(self, array: str, index: Point) -> bool:
        extents = self.extents[array]
        return all(k >= 0 and (n is None or k < n) for k, n in zip(index, extents, strict=True))

    # -- what is there -----------------------------------------------------------------

    def cell(self, array: str, index: Point) -> Term:
        """What a cell holds."""
        return self._content(array, self._numbers(index))

    def touched(self, array: str) -> set[Point]:
        """The cells stored to, of an array whose cells are known."""
        return set(self._cells[array])

    def is_known(self, array: str) -> bool:
        """Whether all stores so far were to cells that do not depend on data."""
        return array not in self._rows

    def state(self, array: str) -> Term:
        """The whole array as a term."""
        return Stores(self.terms, self._initial(array), self._stores(array)).state

    def states(self, array: str, free: frozenset[int]) -> Mapping[Point, Term]:
        """The rows of an array along dimensions in which data decides, as terms; without those that
        nothing is stored in."""
        rows = self._along(array, free).rows
        return {key: row.state for key, row in rows.items() if row.stores}

    def free(self, array: str) -> frozenset[int]:
        """The dimensions in which data has decided where stores are."""
        return self._rows[array].free if array in self._rows else frozenset()

    def _content(self, array: str, index: Index) -> Term:
        type, known = self.arrays[array].type, self._known(index)
        if known is not None and array not in self._rows:
            found = self._cells[array].get(known)
        else:
            row = self._row(array, self._along(array, _unknown(index)), index)
            listed = known is None and self._listed(array, index, row.stores)
            found = listed or row.at(index)
        if found:
            return found
        if known is not None:
            return self.terms.initial(array, known, type)
        return self.terms.make("load", (self._initial(array), *index), type)

    def _listed(self, array: str, index: Index, stores: Sequence[Store]) -> Term | None:
        """What data picks of cells that are known, whatever array they are of: a table is the same
        wherever it lives. None if nothing is stored in any of them, or if what is, is not known."""
        held = {k: v for place, v in stores if (k := self._known(place)) is not None}
        free = sorted(_unknown(index))
        sizes = [self.extents[array][k] for k in free]
        known = [n for n in sizes if n is not None]
        if len(held) < len(stores) or len(known) < len(sizes) or prod(known) > TABLE:
            return None
        extents = enumerate(zip(index, self.extents[array], strict=True))
        choices = [range(n or 0) if k in free else (t.arguments[0],) for k, (t, n) in extents]
        points = list(product(*choices))
        if held.keys().isdisjoint(points):
            return None
        type = self.arrays[array].type
        cells = (held.get(p) or self.terms.initial(array, p, type) for p in points)
        inside = tuple(tuple(p[k] for k in free) for p in points)
        return self.tables.lookup(tuple(index[k] for k in free), inside, tuple(cells))

    # -- stores ------------------------------------------------------------------------

    def _initial(self, array: str) -> Term:
        return self.terms.make("initial", (array,), self.arrays[array].type)

    def _numbers(self, index: Point) -> Index:
        return tuple(self.terms.number(k, INT64) for k in index)

    def _row(self, array: str, rows: Rows, index: Index) -> Stores:
        key = tuple(t.arguments[0] for k, t in enumerate(index) if k not in rows.free)
        if key not in rows.rows:
            rows.rows[key] = Stores(self.terms, self._initial(array))
        return rows.rows[key]

    def _along(self, array: str, free: frozenset[int]) -> Rows:
        """The rows of an array along some dimensions, and those in which data has decided."""
        rows = self._rows.get(array)
        if rows is not None and free <= rows.free:
            return rows
        free |= self.free(array)
        views = self._views.setdefault(array, {})
        if free not in views:
            views[free] = made = Rows(free)
            for index, value in self._stores(array):
                self._row(array, made, index).add(index, value)
        return views[free]

    def _stores(self, array: str) -> Iterator[Store]:
        """All stores, those of one row in order; what left in a cell what it held is none."""
        if array in self._rows:
            for key in sorted(self._rows[array].rows):
                yield from self._rows[array].rows[key].stores
            return
        for point, value in sorted(self._cells[array].items(), key=lambda x: x[0]):
            if value is not self.terms.initial(array, point, self.arrays[array].type):
                yield self._numbers(point), value


def _unknown(index: Index) -> frozenset[int]:
    """The dimensions in which a subscript depends on data."""
    return frozenset(k for k, t in enumerate(index) if t.op != "number")


# Stores to the cells of an array, of which some are where data decides.


Index = tuple[Term, ...]
Store = tuple[Index, Term]
"""A cell, and what is stored in it."""


class Stores:
    """Stores one after the other, the same for all orders in which those to cells that cannot be
    one change places: the lexicographic normal form of a trace, of which some letters commute.

    `states[k]` is the array as a term after the first k of them.
    """

    def __init__(self, terms: Terms, initial: Term, stores: Iterable[Store] = ()) -> None:
        self.terms = terms
        self.stores: list[Store] = []
        self.states = [initial]
        self._found: dict[Index, Term | None] = {}  # until the next store
        for index, value in stores:
            self.add(index, value)

    def add(self, index: Index, value: Term) -> None:
        """One more: as far in front as it may be and is smaller than what follows. What it
        overwrites at once is gone."""
        isl.check_time()
        self._found.clear()
        k = self._first_after(index)
        if k and self.stores[k - 1][0] == index:
            del self.stores[k - 1]
            del self.states[k:]
            k = self._first_after(index)
        while k < len(self.stores) and _order(self.stores[k][0]) < _order(index):
            k += 1
        self.stores.insert(k, (index, value))
        del self.states[k + 1 :]
        for s in self.stores[len(self.states) - 1 :]:
            self.states.append(self._after(self.states[-1], s))

    def _after(self, state: Term, s: Store) -> Term:
        index, value = s
        return self.terms.make("store", (state, *index, value), state.type)

    def _first_after(self, index: Index) -> int:
        """The place behind all stores that may be to this cell."""
        k = len(self.stores)
        while k and apart(self.stores[k - 1][0], index):
            k -= 1
        return k

    @property
    def state(self) -> Term:
        """The array as a term."""
        return self.states[-1]

    def at(self, index: Index) -> Term | None:
        """What a cell holds; None if none of the stores may be to it."""
        if index not in self._found:
            self._found[index] = self._at(index)
        return self._found[index]

    def _at(self, index: Index) -> Term | None:
        about = [s for s in self.stores if not apart(s[0], index)]
        if not about:
            return None
        if about[-1][0] == index:
            return about[-1][1]
        return self.terms.make("load", (self._state(about), *index), about[-1][1].type)

    def _state(self, about: list[Store]) -> Term:
        """The array after some of the stores."""
        if len(about) == len(self.stores):
            return self.state
        if any(apart(s[0], t[0]) for s, t in pairwise(about)):
            return Stores(self.terms, self.states[0], about).state
        state = self.states[0]
        for s in about:  # each may be to the cell of the one before: there is one order
            state = self._after(state, s)
        return state


def apart(a: Index, b: Index) -> bool:
    """Whether two cells cannot be the same one, whatever the data: numbers in them differ."""
    for x, y in zip(a, b, strict=True):
        if x is not y and x.op == "number" and y.op == "number":
            return True
    return False


def _order(index: Index) -> tuple[tuple[bool, int], ...]:
    """Numbers in their order, before what depends on data."""
    return tuple((False, t.arguments[0]) if t.op == "number" else (True, t.number) for t in index)
