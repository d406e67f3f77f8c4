"""The lines that cross caches while loops run (Carr, McKinley and Tseng: ASPLOS'94)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Final, NamedTuple

from polynb.codegen.affine_bounds import Affine
from polynb.optimising.chains import shape
from polynb.optimising.counted import (
    CountedAccess,
    CountedLoop,
    CountedStatement,
    Part,
    coefficient,
)

LINE: Final = 64
"""Bytes."""
BEGUN: Final = 0.25
"""Of the first lines of a row, as many come as if it were a column."""


class _Touched(NamedTuple):
    """A reference, and how often the loops around it iterate, from some loop in. `across`: the
    share of its lines to which no line before it leads: all where the innermost loop takes it to
    another line each time, and of a row the first ones, from which the hardware sees where it goes.
    """

    reference: CountedAccess
    spans: Mapping[str, float]
    across: float


def lines_of(parts: Iterable[Part]) -> float:
    """How many lines are touched."""
    return sum(_lines(_all_touched(parts)))


_Lines = tuple[float, float]
"""Those that are come to along rows, and across them."""


def _touched(
    part: Part, spans: Mapping[str, float], innermost: CountedLoop | None = None
) -> list[_Touched]:
    if isinstance(part, CountedLoop):
        inside = {**spans, part.iterator: part.trips}
        return [t for p in part.body for t in _touched(p, inside, part)]
    return [_Touched(r, spans, _across(r, innermost)) for r in part.references if r.forms]


def _all_touched(parts: Iterable[Part], innermost: CountedLoop | None = None) -> Iterator[_Touched]:
    return (t for p in parts for t in _touched(p, {}, innermost))


def _across(r: CountedAccess, innermost: CountedLoop | None) -> float:
    if innermost is None:
        return 0.0
    stride = r.stride(innermost.iterator)
    if stride is None or abs(stride) * r.size >= LINE:
        return 1.0
    row = innermost.trips * abs(stride) * r.size / LINE
    return min(1.0, BEGUN / row) if row else 0.0


@dataclass(frozen=True, eq=False)
class Traffic:
    """The lines that come into caches while a part runs, counted once for caches of any size."""

    part: Part

    def brought(self, capacity: float) -> _Lines:
        """Those that come into a cache of so many bytes."""
        if isinstance(self.part, CountedStatement) or sum(self._of_iteration) * LINE <= capacity:
            return self.whole
        inside = [p.brought(capacity) for p in self._inside]
        return self.part.trips * sum(a for a, _ in inside), self.part.trips * sum(
            b for _, b in inside
        )

    @cached_property
    def _inside(self) -> tuple[Traffic, ...]:
        return (
            () if isinstance(self.part, CountedStatement) else tuple(map(Traffic, self.part.body))
        )

    @cached_property
    def whole(self) -> _Lines:
        return _lines(_touched(self.part, {}))

    @cached_property
    def _of_iteration(self) -> _Lines:
        assert isinstance(self.part, CountedLoop)
        if len(self._inside) == 1 and not self.part.innermost:
            return self._inside[0].whole
        return _lines(_all_touched(self.part.body, self.part))


def _lines(touched: Iterable[_Touched]) -> _Lines:
    """How many lines some references touch, those that differ by constants together."""
    groups: dict[object, list[_Touched]] = {}
    for t in touched:
        groups.setdefault((t.reference.array, shape(t.reference)), []).append(t)
    along = across = 0.0
    for group in groups.values():
        lines, share = _lines_of(group), min(t.across for t in group)
        across += share * lines
        along += (1 - share) * lines
    return along, across


def _lines_of(group: Sequence[_Touched]) -> float:
    first = group[0].reference
    forms = first.forms
    spans: dict[str, float] = {}
    for t in group:
        for i, n in t.spans.items():
            spans[i] = max(n, spans.get(i, 1.0))
    known = {d: f for d, f in enumerate(forms) if f is not None}
    chosen = {d: first.extents[d] for d in range(len(forms)) if d not in known}  # by data
    left = dict(zip(known, _left_open(known.values(), spans), strict=True))
    mentioned = {n for f in known.values() for n in f.coefficients}
    involved = [i for i in spans if chosen or ("i", i) in mentioned]
    accesses = len(group) * prod(spans[i] for i in involved)
    rows, values, width = 1.0, 1.0, 1.0
    for d in range(len(forms)):
        rows *= values
        if d in known:
            values, width = _extent(group, d, left[d], spans)
        else:
            values = width = chosen[d] or accesses
    along = min(values, 1 + (width - 1) * first.size / LINE)
    return min(rows * along, accesses)


def _left_open(forms: Iterable[Affine], iterators: Iterable[str]) -> list[Affine]:
    """Each subscript without what those before it fix: of `a[i][i + j]` a row has as many columns
    as there are j, and of `a[i][i]` it has one."""
    left: list[Affine] = []
    fixed: dict[str, Affine] = {}
    for form in forms:
        for i, known in fixed.items():
            if form.mentions(i):
                form = form.plus(known, -_exactly(form, i) / _exactly(known, i))
        left.append(form)
        free = next((i for i in iterators if form.mentions(i)), None)
        if free is not None:
            fixed[free] = form
    return left


def _exactly(form: Affine, iterator: str) -> Fraction:
    return Fraction(form.coefficients.get(("i", iterator), 0))


def _extent(
    group: Sequence[_Touched], d: int, form: Affine, spans: Mapping[str, float]
) -> tuple[float, float]:
    """How many values a subscript takes whose form, but for constants, is this, and over how many
    they are spread."""
    constants = {float(f.constant) for t in group if (f := t.reference.forms[d]) is not None}
    between = max(constants) - min(constants)
    steps = [(abs(coefficient(form, i)), n) for i, n in spans.items()]
    width = sum(c * (n - 1) for c, n in steps if c) + between + 1
    return min(len(constants) * prod(n for c, n in steps if c), width), width
