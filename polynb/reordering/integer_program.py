"""The integer program of a band member (Pluto's, in isl's order of variables).

All variables are nonnegative; a coefficient that may be negative is the difference of two. They are
minimised one after the other: the distance bound first (its parameters, its constant), then the sum
of the parameters' coefficients, then that of the absolute values of the iterators', then each for
itself, which decides ties. In the sum a negative coefficient counts three times (in isl once):
rather skew a loop than run it backwards. A solution must be independent of earlier members for
every statement that has dimensions left: where it is not, the program is branched, and the best of
the branches is taken.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Final

from polynb import isl
from polynb.reordering.farkas import Row, Unknown
from polynb.reordering.matrices import least, polyhedron, reaches_above

Vector = tuple[int, ...]

BLOCK: Final = 8
"""Variables whose smallest values are found together: with more, the numbers get too large."""

Ways = tuple[tuple[Vector, int], ...]
"""Forms of a region, and the sign that each can have."""

WEIGHTS: Final = (3, 1)
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

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The variables after the sums, a few neighbours at a time: those that are in sums, and the
        others each alone."""
        summed = {at for k in range(len(self.sums)) for at in self.places(k)}
        found: list[list[int]] = []
        for k in range(len(self.sums), self.length):
            if found and k in summed and found[-1][-1] in summed and len(found[-1]) < BLOCK:
                found[-1].append(k)
            else:
                found.append([k])
        return tuple(tuple(b) for b in found)

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

    def places(self, number: int) -> Iterator[int]:
        """The variables of a sum."""
        for u in self.sums[number][0]:
            yield from range(self.place[u], self.place[u] + 1 + signed(u))

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
    rows = tuple({r.key: r for r in rows}.values())
    ways = {r.name: possible_signs(rows, r) for r in regions}
    if not all(ways.values()):
        return None
    whole = _polyhedron(layout, rows, regions, ways)
    order = count()
    queue: list[tuple[Vector, int, isl.Set, isl.Set]] = []

    def push(part: isl.Set) -> None:
        counter.one_more()
        sums = _sums(layout, part)
        if sums is not None:
            heapq.heappush(queue, (sums[0], next(order), part, sums[1]))

    push(whole)
    while queue:
        values, _, part, best = heapq.heappop(queue)
        if len(values) < layout.length:  # ties are decided only where it comes to that
            values = (*values, *_rest(layout, values, best))
            heapq.heappush(queue, (values, next(order), part, best))
            continue
        found = Solution(layout.read(values), values[: len(layout.sums)])
        outside = [r for r in regions if not r.holds(found.vector(r.name, len(r.forms[0])))]
        if not outside:
            return found
        for branch in _branches(outside[0], ways[outside[0].name]):
            push(part.intersect(_branch(layout, branch)))
    return None


def _branches(r: Region, ways: Ways) -> Iterator[tuple[Row, ...]]:
    """Disjoint: the first form that is not zero is positive, or negative, if it can be."""
    zero: list[Row] = []
    for form in r.forms:
        terms: dict[Unknown, int] = {("x", r.name, str(k)): c for k, c in enumerate(form) if c}
        for sign in (1, -1):
            if (form, sign) in ways:
                yield (*zero, Row({u: sign * c for u, c in terms.items()}, -1))
        zero.append(Row(terms, 0, equality=True))


def possible_signs(rows: Sequence[Row], region: Region) -> Ways:
    """The forms of a region that can be positive, or negative, where only the rows without a bound
    count.

    Those say that linear forms of the coefficients are not negative, so their solutions make a
    cone: the sum of two is a third. If for every statement for itself some form can be other than
    zero, all can at once; and where one statement has none, no branch needs to be tried.
    """
    linear = [r for r in rows if not r.constant and not any(u[0] in "me" for u in r.terms)]
    own = {("x", region.name, str(k)) for k in range(len(region.forms[0]))}
    unknowns = sorted(own.union(*(r.terms for r in linear)))
    place = {u: k for k, u in enumerate(unknowns)}
    cone = _cone(linear, place)
    found: list[tuple[Vector, int]] = []
    for form in region.forms:
        for sign in (1, -1):
            value = [0] * len(place)
            for k, c in enumerate(form):
                value[place["x", region.name, str(k)]] = sign * c
            if reaches_above(cone, value):
                found.append((form, sign))
    return tuple(found)


def _cone(rows: Iterable[Row], place: Mapping[Unknown, int]) -> isl.Set:
    equal: list[list[int]] = []
    positive: list[list[int]] = []
    for r in rows:
        dense = [0] * (len(place) + 1)
        for u, c in r.terms.items():
            dense[place[u]] = c
        (equal if r.equality else positive).append(dense)
    for u, k in place.items():
        if not signed(u):
            positive.append([int(j == k) for j in range(len(place) + 1)])
    return polyhedron(equal, positive, len(place))


def _polyhedron(
    layout: Layout, rows: Sequence[Row], regions: Iterable[Region], ways: Mapping[str, Ways]
) -> isl.Set:
    equal = [layout.dense(r) for r in rows if r.equality]
    positive = [layout.dense(r) for r in rows if not r.equality]
    for k, (unknowns, minus, plus) in enumerate(layout.sums):
        total = layout.sum(unknowns, minus, plus)
        total[k] = -1
        equal.append(total)
    positive += [_nonzero(layout, r, ways[r.name]) for r in regions]
    positive += [[int(j == k) for j in range(layout.length + 1)] for k in range(layout.length)]
    return polyhedron(equal, positive, layout.length)


def _nonzero(layout: Layout, r: Region, ways: Ways) -> list[int]:
    """What holds in a region: exactly it, where no form can have two signs; else that some
    coefficient in some form is not zero, which leaves it to branches."""
    if len({form for form, _ in ways}) == len(ways):
        terms: dict[Unknown, int] = {}
        for form, sign in ways:
            for k, c in enumerate(form):
                u = ("x", r.name, str(k))
                terms[u] = terms.get(u, 0) + sign * c
        return layout.dense(Row(terms, -1))
    support = [k for k in range(len(r.forms[0])) if any(f[k] for f in r.forms)]
    some = layout.sum(("x", r.name, str(k)) for k in support)
    some[-1] = -1
    return some


def _branch(layout: Layout, rows: Iterable[Row]) -> isl.Set:
    rows = tuple(rows)
    equal = [layout.dense(r) for r in rows if r.equality]
    return polyhedron(equal, [layout.dense(r) for r in rows if not r.equality], layout.length)


def _sums(layout: Layout, s: isl.Set) -> tuple[Vector, isl.Set] | None:
    """The smallest sums, one after the other, and the solutions that have them; None if there are
    no solutions."""
    found: list[int] = []
    for k in range(len(layout.sums)):
        value = s.dim_min_val(k)
        if not value.is_int():
            return None
        s = s.fix_val(isl.SET, k, value)
        found.append(value.to_python())
        for at in layout.places(k) if not found[k] else ():
            s = s.fix_val(isl.SET, at, isl.Val(0))
    return tuple(found), s


def _rest(layout: Layout, sums: Vector, s: isl.Set) -> Vector:
    """The smallest values of the variables after the sums, in their order. (isl's own lexmin takes
    a thousand times longer on some of these.)

    Neighbours that belong to sums are found together: none is larger than its sum, so they are the
    digits of one number.
    """
    found: list[int] = []
    base = max(sums) + 1
    for block in layout.blocks:
        free = [k for k in block if not s.plain_get_val_if_fixed(isl.SET, k).is_int()]
        weights = {k: base ** (len(free) - 1 - n) for n, k in enumerate(free)}
        digits: dict[int, int] = {}
        if free:
            left = least(s, weights)
            for k in free:
                digits[k], left = divmod(left, weights[k])
                s = s.fix_val(isl.SET, k, isl.Val(digits[k]))
        for k in block:
            known = digits.get(k)
            if known is None:
                known = s.plain_get_val_if_fixed(isl.SET, k).to_python()
            found.append(known)
    return tuple(found)
