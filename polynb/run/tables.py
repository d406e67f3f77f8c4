"""What data picks of terms that are listed: a table, by subscripts in it."""

from __future__ import annotations

from collections.abc import Sequence

from polynb.run.terms import Term, Terms
from polynb.source.types import INT64

UNLIKE = ("number", "float", "undefined", "lookup")
"""Terms of which nothing is said but themselves."""

Point = tuple[int, ...]


class Tables:
    """Lookups in a normal form: operations that all the elements are, on what is looked up.

    That takes long for tables of large terms, and where two programs look up the same in the same
    table it is not needed; so it is done only once somebody asks to `look_closer`.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._closer = self._passed_over = False
        self._known: dict[tuple[tuple[Term | Point, ...], ...], Term] = {}

    def look_closer(self) -> bool:
        """From now on, look into the terms of tables; whether that changes anything."""
        changes = self._passed_over and not self._closer
        self._closer = True
        self._known.clear()
        return changes

    def lookup(
        self, index: tuple[Term, ...], points: tuple[Point, ...], held: tuple[Term, ...]
    ) -> Term:
        """The element at `index` of a table that holds these terms at `points`, all from zero on in
        order."""
        key = index, points, held
        if key not in self._known:
            self._known[key] = self._lookup(index, points, held)
        return self._known[key]

    def _lookup(
        self, index: tuple[Term, ...], points: tuple[Point, ...], held: tuple[Term, ...]
    ) -> Term:
        first = held[0]
        if all(x is first for x in held):
            return first
        literals = [self.terms.literal(x) for x in held]
        if None not in literals:
            for k, place in enumerate(index):
                if all(_is(x, p[k]) for x, p in zip(literals, points, strict=True)):
                    return self.terms.convert(first.type, place)
        form = first.op, first.type, len(first.arguments)
        if all((x.op, x.type, len(x.arguments)) == form for x in held):
            if first.op == "initial":
                found = self._initial(index, points, held)
                if found is not None:
                    return found
            elif first.op not in UNLIKE and not self._closer:
                self._passed_over = True
            elif first.op not in UNLIKE and _same_names(held):
                return self._of_operands(index, points, held)
        shape = (k + 1 for k in points[-1])
        return self.terms.make("lookup", (*index, *shape, *held), first.type)

    def _of_operands(
        self, index: tuple[Term, ...], points: tuple[Point, ...], held: tuple[Term, ...]
    ) -> Term:
        columns = zip(*(x.arguments for x in held), strict=True)
        operands = tuple(
            self.lookup(index, points, c) if isinstance(c[0], Term) else c[0] for c in columns
        )
        return self.terms.with_operands(held[0], operands)

    def _initial(
        self, index: tuple[Term, ...], points: tuple[Point, ...], held: tuple[Term, ...]
    ) -> Term | None:
        """The cells of an array that a table is a copy of, as far as it is one."""
        array, *rest = zip(*(x.arguments for x in held), strict=True)
        if len(set(array)) > 1:
            return None
        state = self.terms.make("initial", (array[0],), held[0].type)
        places = []
        for column in rest:
            same = (k for k in range(len(index)) if all(
                c == p[k] for c, p in zip(column, points, strict=True)))  # fmt: skip
            k = next(same, None)
            if k is None and len(set(column)) > 1:
                return None
            places.append(self.terms.number(column[0], INT64) if k is None else index[k])
        return self.terms.make("load", (state, *places), held[0].type)


def _same_names(held: Sequence[Term]) -> bool:
    """Whether the operands that are no terms, names of functions, are the same."""
    return all(
        isinstance(a, Term) == isinstance(b, Term) and (isinstance(a, Term) or a == b)
        for x in held
        for a, b in zip(held[0].arguments, x.arguments, strict=True)
    )


def _is(literal: float | None, place: int) -> bool:
    """Whether a number is a place; -0.0 is none."""
    return literal is not None and repr(literal) == repr(type(literal)(place))
