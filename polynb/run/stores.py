"""Stores to the cells of an array, of which some are where data decides."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from polynb import isl
from polynb.run.terms import Term, Terms

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
