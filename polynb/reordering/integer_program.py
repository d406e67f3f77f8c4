"""The integer program of a band member (Pluto's, in isl's order of variables).

All variables are nonnegative; a coefficient that may be negative is the difference of two. They are
minimised one after the other: the distance bound first (its parameters, its constant), then the sum
of the parameters' coefficients, then that of the absolute values of the iterators', then each for
itself, which decides ties. In the sum a negative coefficient weighs more than two positive ones and
less than three: rather skew a loop once than run it backwards, rather backwards than skew it twice.
A solution must be independent of earlier members for every statement that has dimensions left:
where it is not, the program is branched, and the best of the branches is taken.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from polynb import isl
from polynb.reordering.farkas import Row, Unknown
from polynb.reordering.matrices import polyhedron

Vector = tuple[int, ...]

WEIGHTS: Final = (5, 2)
"""Of the negative and the positive parts of the iterators' coefficients."""


@dataclass(frozen=True)
class Region:
    """Statement `name` must not have all `forms` zero: the integer rows span what is orthogonal to
    its earlier members."""

    name: str
    forms: tuple[Vector, ...]

    def holds(self, coefficients: Vector) -> bool:
        return any(_dot(f, coefficients) for f in self.forms)


def _dot(a: Vector, b: Vector) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


@dataclass(frozen=True, eq=False)
class Solution:
    """The values of the unknowns; `objective` is what was minimised first: the sum of |m_N|, m_0,
    the sum of the parameters' coefficients and of the absolute values of the iterators'."""

    values: Mapping[Unknown, int]
    objective: Vector

    def vector(self, name: str, dims: int) -> Vector:
        """The coefficients of a statement's iterators."""
        return tuple(self.values[("x", name, str(k))] for k in range(dims))


class ProgramLimit(Exception):
    """More integer programs were solved than allowed."""


@dataclass
class Counter:
    """How many integer programs have been solved, of how many allowed."""

    limit: int
    solved: int = 0

    def one_more(self) -> None:
        if self.solved >= self.limit:
            raise ProgramLimit
        self.solved += 1


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the variables are: first come the sums of some unknowns, then the unknowns, two
    variables each if they may be negative. A sum has weights for the negative and the positive
    parts."""

    sums: tuple[tuple[tuple[Unknown, ...], int, int], ...]
    unknowns: tuple[Unknown, ...]
    place: Mapping[Unknown, int] = field(init=False, repr=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        place, at = {}, len(self.sums)
        for u in self.unknowns:
            place[u] = at
            at += 2 if signed(u) else 1
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "length", at)

    def dense(self, row: Row) -> list[int]:
        """The coefficients of the variables, and the constant last."""
        found = [0] * (self.length + 1)
        for u, c in row.terms.items():
            if signed(u):
                found[self.place[u]] -= c
                found[self.place[u] + 1] += c
            else:
                found[self.place[u]] += c
        found[-1] = row.constant
        return found

    def sum(self, unknowns: Iterable[Unknown], negative: int = 1, positive: int = 1) -> list[int]:
        """The row of a weighted sum of absolute values."""
        found = [0] * (self.length + 1)
        for u in unknowns:
            if signed(u):
                found[self.place[u]] = negative
            found[self.place[u] + signed(u)] = positive
        return found

    def read(self, values: Sequence[int]) -> dict[Unknown, int]:
        return {
            u: values[p + 1] - values[p] if signed(u) else values[p] for u, p in self.place.items()
        }


def signed(u: Unknown) -> bool:
    """Whether an unknown may be negative."""
    return u[0] == "x" or (u[0] == "m" and len(u) == 2)


def member_layout(dims: Mapping[str, int], parameters: Sequence[str]) -> Layout:
    """isl's order: the bound, then for each statement its iterators' coefficients from the last to
    the first, its parameters', its constant."""
    m = tuple(("m", p) for p in parameters)
    of_n = tuple(("n", s, p) for s in dims for p in parameters)
    of_x = tuple(("x", s, str(k)) for s, d in dims.items() for k in range(d))
    own: list[Unknown] = [*m]
    for s, d in reversed(list(dims.items())):
        own += [("x", s, str(k)) for k in reversed(range(d))]
        own += [("n", s, p) for p in parameters]
        own.append(("0", s))
    return Layout(
        ((m, 1, 1), ((("m",),), 1, 1), (of_n, 1, 1), (of_x, *WEIGHTS)),
        (("m",), *own),
    )


def solve(
    layout: Layout, rows: Iterable[Row], regions: Sequence[Region], counter: Counter
) -> Solution | None:
    """The lexicographically smallest solution that lies in every region; None if there is none.

    Best first: what a branch can reach at best is what its program without the regions says, so the
    first solution taken from the queue that is in all of them is the smallest.
    """
    equal, least = _matrices(layout, rows)
    for r in regions:
        support = [k for k in range(len(r.forms[0])) if any(f[k] for f in r.forms)]
        some = layout.sum(("x", r.name, str(k)) for k in support)
        some[-1] = -1
        least.append(some)
    order = count()
    queue: list[tuple[Vector, int, tuple[Row, ...]]] = []

    def push(branch: tuple[Row, ...]) -> None:
        counter.one_more()
        more_equal = [layout.dense(r) for r in branch if r.equality]
        more = [layout.dense(r) for r in branch if not r.equality]
        values = _smallest(layout.length, [*equal, *more_equal], [*least, *more])
        if values is not None:
            heapq.heappush(queue, (values, next(order), branch))

    push(())
    while queue:
        values, _, branch = heapq.heappop(queue)
        found = Solution(layout.read(values), values[: len(layout.sums)])
        outside = [r for r in regions if not r.holds(found.vector(r.name, len(r.forms[0])))]
        if not outside:
            return found
        for rows_ in _branches(outside[0]):
            push((*branch, *rows_))
    return None


def _branches(r: Region) -> Iterator[tuple[Row, ...]]:
    """Disjoint: the first form that is not zero is positive, or negative."""
    zero: list[Row] = []
    for form in r.forms:
        terms: dict[Unknown, int] = {("x", r.name, str(k)): c for k, c in enumerate(form) if c}
        yield (*zero, Row(terms, -1))
        yield (*zero, Row({u: -c for u, c in terms.items()}, -1))
        zero.append(Row(terms, 0, equality=True))


def _matrices(layout: Layout, rows: Iterable[Row]) -> tuple[list[list[int]], list[list[int]]]:
    equal: list[list[int]] = []
    least: list[list[int]] = []
    for row in {r.key: r for r in rows}.values():
        (equal if row.equality else least).append(layout.dense(row))
    for k, (unknowns, negative, positive) in enumerate(layout.sums):
        total = layout.sum(unknowns, negative, positive)
        total[k] = -1
        equal.append(total)
    return equal, least


def _smallest(length: int, equal: list[list[int]], least: list[list[int]]) -> Vector | None:
    """The lexicographically smallest nonnegative integer point, coordinate by coordinate (isl's own
    lexmin takes a thousand times longer on some of these)."""
    positive = [[int(j == k) for j in range(length + 1)] for k in range(length)]
    found: list[int] = []
    s = polyhedron(equal, [*least, *positive], length)
    for k in range(length):
        value = s.dim_min_val(k)
        if not value.is_int():
            return None
        found.append(value.to_python())
        s = s.fix_val(isl.SET, k, value)
    return tuple(found)
