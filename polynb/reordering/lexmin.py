"""The lexicographically smallest nonnegative integer solution of linear inequalities, by the dual
simplex method and cuts (Feautrier: "Parametric integer programming", 1988, without parameters).

Every unknown and every constraint is a row of a tableau: an affine function, with integer
coefficients over one denominator, of as many nonnegative variables as there are columns, all 0 at
the point that is looked at. Each step moves along one column to where a violated row holds, along
the one that costs least in the order of the unknowns; so the point only grows, and when nothing is
violated it is the smallest. If it is not integer, a cut (Gomory's) is one more row.

isl's minimum of a set searches for an integer point by reducing a lattice, which on some programs
of schedulers takes minutes inside of one operation. Here each step is short, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import Final, Self

import numpy as np

from polynb import isl

Point = tuple[int, ...]

CUTS: Final = 8
"""After so many, the values of an unknown are split: cuts alone may take very many."""
LARGE: Final = 2**62
"""Products below this fit into machine integers."""
SLOW: Final = 8
"""Operations on rows of Python's integers, in those on rows of machine integers."""


class Budget:
    """How many operations on rows are left (None: any number)."""

    def __init__(self, operations: int | None = None) -> None:
        self.operations = operations
        self.spent = 0

    def spend(self, operations: int) -> None:
        """Raises BudgetExhausted if that is more than is left."""
        self.spent += operations
        if self.operations is not None and self.spent > self.operations:
            raise isl.BudgetExhausted(
                "the integer program used up its operation budget",
                reason=f"it took more than {self.operations:,} operations on rows",
                hint="a larger `max_operations=`, or fewer statements",
            )


class Tableau:
    """Rows over nonnegative columns; the first `unknowns` rows are the unknowns, in their order.

    Each row is its constant and its coefficients, all over the row's own denominator.
    """

    def __init__(self, rows: np.ndarray, denominators: np.ndarray, unknowns: int) -> None:
        self.rows, self.denominators, self.unknowns = rows, denominators, unknowns
        self.most = LARGE
        """At least the largest number in it, from when that was looked at last."""

    @classmethod
    def of(cls, unknowns: Sequence[Sequence[int]], constraints: Sequence[Sequence[int]]) -> Self:
        """Rows (coefficients of the columns, then the constant) of the unknowns, and of what must
        not be negative. Each column must grow in the order of the unknowns."""
        dense = np.array([*unknowns, *constraints], dtype=object)
        dense = dense.astype(object if abs(dense).max() >= LARGE else np.int64)
        rows = np.concatenate([dense[:, -1:], dense[:, :-1]], axis=1)
        return cls(rows, np.ones(len(rows), dtype=rows.dtype), len(unknowns))

    def with_constraints(self, more: Sequence[Sequence[int]]) -> Tableau:
        """A copy with more constraints, over the unknowns: their coefficients, then a constant."""
        new, below = [], []
        for c in more:
            used = [k for k, v in enumerate(c[:-1]) if v]
            scale = lcm(*(int(self.denominators[k]) for k in used))
            row = np.zeros(self.rows.shape[1], dtype=object)
            row[0] = scale * c[-1]
            for k in used:
                row += self.rows[k].astype(object) * (c[k] * (scale // int(self.denominators[k])))
            new.append(row)
            below.append(scale)
        return self._longer(np.array(new, dtype=object), below)

    def _longer(self, rows: np.ndarray, denominators: Sequence[int]) -> Tableau:
        """A copy with more rows, in lowest terms."""
        below = np.array(denominators, dtype=object)
        common = np.array([gcd(*r, d) for r, d in zip(rows, below, strict=True)], dtype=object)
        rows, below = rows // common[:, None], below // common
        kind = object
        if self.rows.dtype != object and max(abs(rows).max(), below.max()) < LARGE:
            kind = np.int64
        return Tableau(
            np.concatenate([self.rows, rows.astype(kind)]),
            np.concatenate([self.denominators, below.astype(kind)]),
            self.unknowns,
        )

    def least(self, budget: Budget, *, bound: Point | None = None) -> Point | None:
        """The smallest integer values of the unknowns; None if there are none, or none smaller than
        a bound. The tableau is near that point afterwards."""
        for cuts in range(CUTS + 1):
            if not self.relax(budget) or (bound is not None and not self._below(bound)):
                return None
            fraction = self._fraction()
            if fraction is None:
                return self._point()
            if cuts < CUTS:
                self._cut(fraction)
        best: Point | None = None
        for part in self._halves():
            found = part.least(budget, bound=bound)
            if found is not None:  # then it is smaller than what was known
                best = bound = found
        return best

    def relax(self, budget: Budget) -> bool:
        """Go to the smallest point, of any rational numbers; False if there is none."""
        while (row := self._violated()) is not None:
            column = self._cheapest(row)
            if column is None:
                return False
            self._pivot(row, column, budget)
        return True

    def _point(self) -> Point:
        """The unknowns here, rounded down."""
        below = self.denominators[: self.unknowns]
        return tuple(int(v) for v in self.rows[: self.unknowns, 0] // below)

    def _below(self, bound: Point) -> bool:
        """Whether the unknowns here come before a bound."""
        for at, below, most in zip(self.rows[:, 0], self.denominators, bound, strict=False):
            if at != below * most:
                return bool(at < below * most)
        return False

    def _halves(self) -> tuple[Tableau, ...]:
        """What is below the first unknown that is not an integer, and what is above."""
        k = self._fraction()
        assert k is not None
        form = [int(j == k) for j in range(self.unknowns)]
        low = self._point()[k]
        negative = [-c for c in form]
        return (
            self.with_constraints([[*negative, low]]),
            self.with_constraints([[*form, -low - 1]]),
        )

    def _violated(self) -> int | None:
        """The row that is violated most."""
        constants = self.rows[:, 0] / self.denominators
        row = int(constants.argmin())
        if self.rows[row, 0] < 0:
            return row
        exact = (self.rows[:, 0] < 0).nonzero()[0]  # what rounding hid
        return int(exact[0]) if len(exact) else None

    def _cheapest(self, row: int) -> int | None:
        """Of the columns that a row grows with, the one along which the unknowns grow least, in
        their order, until it has grown by 1."""
        growth = self.rows[row]
        left = (growth[1:] > 0).nonzero()[0] + 1
        if len(left) < 2:
            return int(left[0]) if len(left) else None
        prices = self.rows[: self.unknowns][:, left]
        each: list[tuple[int, int, int]] = list(
            zip(left.tolist(), growth[left].tolist(), range(len(left)), strict=True)
        )
        for r in np.flatnonzero(prices.astype(bool).any(axis=1)).tolist():
            own = prices[r].tolist()
            _, unit, least = each[0]
            price = own[least]
            for _, u, k in each:
                if own[k] * unit < price * u:
                    price, unit = own[k], u
            each = [x for x in each if own[x[2]] * unit == price * x[1]]
            if len(each) < 2:
                break
        return each[0][0]

    def _pivot(self, row: int, column: int, budget: Budget) -> None:
        """Exchange a column for a row, which is 0 then."""
        others = self.rows[:, column].nonzero()[0]
        others = others[others != row]
        self._widen(row, column, others)
        slow = self.rows.dtype == object
        budget.spend((len(others) + 1) * (SLOW if slow else 1))
        unit, own = self.rows[row, column], self.denominators[row]
        new = self.rows[others]
        factors = new[:, column].copy()
        if unit != 1:
            new *= unit
        new -= factors[:, None] * self.rows[row][None, :]
        new[:, column] = factors * own
        below = self.denominators[others] * unit
        parts = (below != 1).nonzero()[0]  # of whole numbers there is nothing to reduce
        if len(parts):
            common = np.gcd(np.gcd.reduce(new[parts], axis=1), below[parts])
            new[parts] //= common[:, None]
            below[parts] //= common
        self.rows[others] = new
        self.denominators[others] = below
        self.rows[row] = 0
        self.rows[row, column] = self.denominators[row] = 1

    def _widen(self, row: int, column: int, others: np.ndarray) -> None:
        """Go on with Python's integers where products might not fit."""
        if self.rows.dtype == object or not len(others):
            return
        if 2 * self.most**2 >= LARGE:
            self.most = max(_largest(self.rows), _largest(self.denominators))
        if 2 * self.most**2 < LARGE:
            self.most = 2 * self.most**2
            return
        self.most = LARGE
        unit, factor = int(self.rows[row, column]), _largest(self.rows[others, column])
        products = (
            _largest(self.rows[others]) * unit + factor * _largest(self.rows[row]),
            int(self.denominators[others].max()) * unit,
            factor * int(self.denominators[row]),
        )
        if max(products) >= LARGE:
            self.rows = self.rows.astype(object)
            self.denominators = self.denominators.astype(object)

    def _fraction(self) -> int | None:
        """The first unknown that is not an integer here."""
        parts = self.rows[: self.unknowns, 0] % self.denominators[: self.unknowns]
        where = parts.nonzero()[0]
        return int(where[0]) if len(where) else None

    def _cut(self, unknown: int) -> None:
        """One more row, which no integer point violates, but this one."""
        below = self.denominators[unknown]
        row = -self.rows[unknown] % below
        row[0] = -(self.rows[unknown, 0] % below)
        longer = self._longer(row[None, :].astype(object), [int(below)])
        self.rows, self.denominators, self.most = longer.rows, longer.denominators, LARGE


def _largest(numbers: np.ndarray) -> int:
    """The largest absolute value."""
    return max(int(numbers.max()), -int(numbers.min()))
