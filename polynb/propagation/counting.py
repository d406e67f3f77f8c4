"""How many integer points a set has, exactly: by lines, over a grid of all but one dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polynb import isl

GRID = 1_500_000
"""Lines that are counted one by one, at once and usually at most: a tenth of a second. Three
dimensions that depend on each other, of a thousand values each, have a million."""

SAFE = 2**62

Row = dict[int, int]
"""A linear form: coefficients by variable; CONSTANT's is the constant. It is to be >= 0 or = 0."""

CONSTANT = -1


class Uncountable(Exception):
    """The set is unbounded, or has too many lines."""


@dataclass(frozen=True)
class _System:
    """Rows over integer variables, and the least and greatest value of each."""

    equal: tuple[Row, ...]
    least_zero: tuple[Row, ...]
    bounds: dict[int, tuple[int, int]]


def count(s: isl.Set, most: int = GRID) -> int:
    """The number of points of a set `{ [i] }` without parameters. Raises Uncountable for one that
    has more than so many lines."""
    if s.is_empty():
        return 0
    if not s.is_bounded():
        raise Uncountable
    pieces = s.compute_divs()
    if pieces.n_basic_set() > 1:
        pieces = pieces.make_disjoint()
    return sum(_count(_substituted(_system(b)), most) for b in isl.basic_sets(pieces))


def _system(b: isl.BasicSet) -> _System:
    """A basic set as rows over its dimensions and its integer divisions: each division has one
    value at a point, so that there are as many solutions as points."""
    dims, divs = b.dim(isl.SET), b.dim(isl.dim_type.div)
    bounds = {k: _extent(b.to_set(), k) for k in range(dims)}
    equal: list[Row] = []
    least_zero: list[Row] = []
    local = b.get_local_space()
    for k in range(divs):
        quotient = local.get_div(k)
        if quotient.is_nan():
            raise Uncountable
        denominator = quotient.get_denominator_val()
        row = _row(quotient.scale_val(denominator), dims, divs)
        by = int(denominator.to_python())
        low, high = _range(row, bounds)
        bounds[dims + k] = low // by, high // by
        least_zero.append(_sum(row, {dims + k: -by}))  # by * e <= row < by * (e + 1)
        least_zero.append(_sum({v: -c for v, c in row.items()}, {dims + k: by, CONSTANT: by - 1}))
    for c in isl.constraints(b):
        row = _row(c, dims, divs)
        (equal if c.is_equality() else least_zero).append(row)
    return _System(tuple(equal), tuple(least_zero), bounds)


def _extent(s: isl.Set, k: int) -> tuple[int, int]:
    low, high = s.dim_min_val(k), s.dim_max_val(k)
    if not (low.is_int() and high.is_int()):
        raise Uncountable
    return low.to_python(), high.to_python()


def _row(f: isl.Aff | isl.Constraint, dims: int, divs: int) -> Row:
    """The coefficients of a function of, or a constraint on, dimensions and divisions."""
    at = isl.IN if isinstance(f, isl.Aff) else isl.SET
    row = {k: f.get_coefficient_val(at, k).to_python() for k in range(dims)}
    for k in range(divs):
        row[dims + k] = f.get_coefficient_val(isl.dim_type.div, k).to_python()
    row[CONSTANT] = f.get_constant_val().to_python()
    return {k: c for k, c in row.items() if c}


def _sum(a: Row, b: Row, times: int = 1) -> Row:
    total = {k: a.get(k, 0) + times * b.get(k, 0) for k in {**a, **b}}
    return {k: c for k, c in total.items() if c}


def _range(row: Row, bounds: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """The least and the greatest value that a row can have within the bounds."""
    ends = [(c, c) if k == CONSTANT else _scaled(c, bounds[k]) for k, c in row.items()]
    low, high = sum(a for a, _ in ends), sum(b for _, b in ends)
    if sum(abs(a) + abs(b) for a, b in ends) >= SAFE:
        raise Uncountable
    return low, high


def _scaled(c: int, ends: tuple[int, int]) -> tuple[int, int]:
    a, b = c * ends[0], c * ends[1]
    return min(a, b), max(a, b)


def _substituted(system: _System) -> _System:
    """Without the equalities that say what a variable is, and these variables: what is left has as
    many solutions."""
    equal, rows, bounds = list(system.equal), list(system.least_zero), dict(system.bounds)
    while True:
        units = ((e, k) for e in equal for k, c in e.items() if k != CONSTANT and abs(c) == 1)
        pick = next(units, None)
        if pick is None:
            return _System(tuple(equal), tuple(rows), bounds)
        e, k = pick
        equal = [_sum(x, e, -x.get(k, 0) * e[k]) for x in equal if x is not e]
        rows = [_sum(x, e, -x.get(k, 0) * e[k]) for x in rows]
        low, high = bounds.pop(k)
        value = _sum({}, {v: c for v, c in e.items() if v != k}, -e[k])
        rows += [_sum(value, {CONSTANT: -low}), _sum({CONSTANT: high}, value, -1)]


def _count(system: _System, most: int) -> int:
    """The solutions of a system: the product over parts that do not depend on each other."""
    total = 1
    for rows in (system.equal, system.least_zero):
        for row in rows:
            _range(row, system.bounds)
            if set(row) <= {CONSTANT}:
                value = row.get(CONSTANT, 0)
                total *= value == 0 if rows is system.equal else value >= 0
    for part in _parts(system):
        total *= _lines(system, part, most) if total else 0
    return total


def _parts(system: _System) -> Iterator[set[int]]:
    """The variables, those together that rows connect."""
    parts = [{k} for k in system.bounds]
    for row in (*system.equal, *system.least_zero):
        touched = [p for p in parts if p & set(row)]
        if len(touched) > 1:
            parts = [p for p in parts if not p & set(row)] + [set.union(*touched)]
    yield from parts


def _lines(system: _System, part: set[int], most: int) -> int:
    """The solutions in some variables: one of them is counted from its least to its greatest value,
    for all values of the others."""
    extents = {k: high - low + 1 for k, (low, high) in system.bounds.items() if k in part}
    along = max(extents, key=lambda k: extents[k])
    others = [k for k in extents if k != along]
    lines = prod(extents[k] for k in others)
    if lines > most:
        raise Uncountable
    if lines > GRID:  # in halves, as they are in memory
        isl.check_time()
        longest = max(others, key=lambda k: extents[k])
        first, last = system.bounds[longest]
        ends = (first, (first + last) // 2), ((first + last) // 2 + 1, last)
        halves = (replace(system, bounds={**system.bounds, longest: end}) for end in ends)
        return sum(_lines(half, part, most) for half in halves)
    grid = dict(zip(others, _grid([system.bounds[k] for k in others]), strict=True))
    shape = [extents[k] for k in others]
    low = np.full(shape, system.bounds[along][0], dtype=np.int64)
    high = np.full(shape, system.bounds[along][1], dtype=np.int64)
    rows = [r for r in system.least_zero if set(r) & part]
    for e in (r for r in system.equal if set(r) & part):
        rows += [e, {k: -c for k, c in e.items()}]
    for row in rows:
        rest: Any = np.int64(row.get(CONSTANT, 0))
        for k in others:
            rest = rest + row[k] * grid[k] if k in row else rest
        c = row.get(along, 0)
        if c > 0:
            low = np.maximum(low, -(rest // c))
        elif c < 0:
            high = np.minimum(high, rest // -c)
        else:
            high = np.where(rest >= 0, high, low - 1)
    most = np.prod([*shape, extents[along]], dtype=object)
    exact = np.int64 if most < SAFE else object
    return int(np.sum(np.maximum(high - low + 1, 0), dtype=exact))


def _grid(ends: Sequence[tuple[int, int]]) -> list[NDArray[np.int64]]:
    ranges = [np.arange(low, high + 1, dtype=np.int64) for low, high in ends]
    return list(np.meshgrid(*ranges, indexing="ij", sparse=True)) if ranges else []
