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
from itertools import count
from typing import Final

from polynb.reordering.farkas import ConstraintRow, Unknown
from polynb.reordering.lexmin import Budget, Tableau

Vector = tuple[int, ...]

Ways = tuple[tuple[Vector, int], ...]
"""Forms of a region, and the sign that each can have."""

WEIGHTS: Final = (3, 1)
"""Of the negative and the positive parts of the iterators' coefficients."""


@dataclass(frozen=True)
class OutsideSpan:
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
class VariableLayout:
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

    def dense(self, row: ConstraintRow) -> list[int]:
        """The coefficients of the variables, and the constant last."""
        dense = [0] * (self.length + 1)
        for u, c in row.terms.items():
            if signed(u):
                dense[self.place[u]] -= c
                dense[self.place[u] + 1] += c
            else:
                dense[self.place[u]] += c
        dense[-1] = row.constant
        return dense

    def sum(self, unknowns: Iterable[Unknown], negative: int = 1, positive: int = 1) -> list[int]:
        """The row of a weighted sum of absolute values."""
        dense = [0] * (self.length + 1)
        for u in unknowns:
            if signed(u):
                dense[self.place[u]] = negative
            dense[self.place[u] + signed(u)] = positive
        return dense

    def read(self, values: Sequence[int]) -> dict[Unknown, int]:
        return {
            u: values[p + 1] - values[p] if signed(u) else values[p] for u, p in self.place.items()
        }


def signed(u: Unknown) -> bool:
    """Whether an unknown may be negative."""
    return u[0] == "x" or (u[0] == "m" and len(u) == 2)


def member_layout(dims: Mapping[str, int], parameters: Sequence[str]) -> VariableLayout:
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
    return VariableLayout(
        ((m, 1, 1), ((("m",),), 1, 1), (of_n, 1, 1), (of_x, *WEIGHTS)),
        (("m",), *own),
    )


def solve(
    layout: VariableLayout,
    rows: Iterable[ConstraintRow],
    regions: Sequence[OutsideSpan],
    counter: Counter,
    budget: Budget | None = None,
) -> Solution | None:
    """The lexicographically smallest solution that lies in every region; None if there is none.

    Best first: what a branch can reach at best is what its program without the regions says, so the
    first solution taken from the queue that is in all of them is the smallest. Raises
    BudgetExhausted.
    """
    rows = tuple({r.key: r for r in rows}.values())
    budget = budget or Budget()
    ways = possible_signs(rows, regions, budget)
    if not all(ways.values()):
        return None
    order = count()
    queue: list[tuple[Vector, int, Tableau]] = []

    def push(program: Tableau) -> None:
        counter.one_more()
        values = program.least(budget)
        if values is not None:
            heapq.heappush(queue, (values, next(order), program))

    push(_program(layout, rows, regions, ways))
    while queue:
        values, _, program = heapq.heappop(queue)
        found = Solution(layout.read(values), values[: len(layout.sums)])
        outside = [r for r in regions if not r.holds(found.vector(r.name, len(r.forms[0])))]
        if not outside:
            return found
        for branch in _branches(outside[0], ways[outside[0].name]):
            push(program.with_constraints([c for r in branch for c in _inequalities(layout, r)]))
    return None


def _branches(r: OutsideSpan, ways: Ways) -> Iterator[tuple[ConstraintRow, ...]]:
    """Disjoint: the first form that is not zero is positive, or negative, if it can be."""
    zero: list[ConstraintRow] = []
    for form in r.forms:
        terms: dict[Unknown, int] = {("x", r.name, str(k)): c for k, c in enumerate(form) if c}
        for sign in (1, -1):
            if (form, sign) in ways:
                yield (*zero, _above(r.name, form, sign))
        zero.append(ConstraintRow(terms, 0, equality=True))


def possible_signs(
    rows: Sequence[ConstraintRow], regions: Sequence[OutsideSpan], budget: Budget
) -> dict[str, Ways]:
    """For each region the forms that can be positive, or negative, where only the rows without a
    bound count.

    Those say that linear forms of the coefficients are not negative, so their solutions make a
    cone: the sum of two is a third. If for every statement for itself some form can be other than
    zero, all can at once; and where one statement has none, no branch needs to be tried.
    """
    if not regions:
        return {}
    linear = [r for r in rows if not r.constant and not any(u[0] in "me" for u in r.terms)]
    own = {("x", r.name, str(k)) for r in regions for k in range(len(r.forms[0]))}
    layout = VariableLayout((), tuple(sorted(own.union(*(r.terms for r in linear)))))
    cone = _program(layout, linear, (), {})
    ways: dict[str, Ways] = {}
    for region in regions:
        signs = ((f, sign) for f in region.forms for sign in (1, -1))
        above = {way: layout.dense(_above(region.name, *way)) for way in signs}
        ways[region.name] = tuple(
            way for way, row in above.items() if cone.with_constraints([row]).relax(budget)
        )
    return ways


def _above(name: str, form: Vector, sign: int) -> ConstraintRow:
    """`sign * form >= 1`"""
    return ConstraintRow({("x", name, str(k)): sign * c for k, c in enumerate(form) if c}, -1)


def _program(
    layout: VariableLayout,
    rows: Sequence[ConstraintRow],
    regions: Iterable[OutsideSpan],
    ways: Mapping[str, Ways],
) -> Tableau:
    """The sums and the variables in their order, and all constraints; the variables are 0."""
    sums = [layout.sum(unknowns, *weights) for unknowns, *weights in layout.sums]
    single = [[int(j == k) for j in range(layout.length + 1)] for k in range(layout.length)]
    needed = [c for r in rows for c in _inequalities(layout, r) if min(c) < 0]
    needed += [_nonzero(layout, r, ways[r.name]) for r in regions]
    count_ = len(layout.sums)  # which are rows, but no columns
    return Tableau.of([r[count_:] for r in (*sums, *single[count_:])], [r[count_:] for r in needed])


def _inequalities(layout: VariableLayout, r: ConstraintRow) -> Iterator[list[int]]:
    dense = layout.dense(r)
    yield dense
    if r.equality:
        yield [-c for c in dense]


def _nonzero(layout: VariableLayout, r: OutsideSpan, ways: Ways) -> list[int]:
    """What holds in a region: exactly it, where no form can have two signs; else that some
    coefficient in some form is not zero, which leaves it to branches."""
    if len({form for form, _ in ways}) == len(ways):
        terms: dict[Unknown, int] = {}
        for form, sign in ways:
            for k, c in enumerate(form):
                u = ("x", r.name, str(k))
                terms[u] = terms.get(u, 0) + sign * c
        return layout.dense(ConstraintRow(terms, -1))
    support = [k for k in range(len(r.forms[0])) if any(f[k] for f in r.forms)]
    some = layout.sum(("x", r.name, str(k)) for k in support)
    some[-1] = -1
    return some
