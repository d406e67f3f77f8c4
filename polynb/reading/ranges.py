"""Which iterations there are, as ranges of their counters: `1 <= i <= N-2`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from polynb import isl
from polynb.scop.affine_from_isl import expression
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Expr, Select

LONG_BOUND: Final = 20
"""Characters."""


class Unsaid(Exception):
    """There is no short way to say it."""


@dataclass(frozen=True)
class CounterRange:
    """The values of a counter, both ends included; `step` is `" by 2"` or nothing. `down`: from the
    last one, or the one that steps have left there, to the first."""

    name: str
    first: str
    last: str
    step: str = ""
    down: bool = False

    def __str__(self) -> str:
        if self.down and not self.step:
            return f"{self.name} from {self.last} down to {self.first}"
        if self.down:
            return f"{self.first} <= {self.name} <= {self.last}{self.step}, counted down"
        return f"{self.first} <= {self.name} <= {self.last}{self.step}"

    @property
    def dotted(self) -> str:
        return f"{self.name} = {self.first}..{self.last}{self.step}"


def described(loops: Sequence[CounterRange]) -> str:
    """`1 <= i <= N-2, 0 <= j, k <= M-1`"""
    alike = groupby(loops, lambda r: (r.first, r.last, r.step, r.down))
    return ", ".join(str(CounterRange(", ".join(r.name for r in g), *ends)) for ends, g in alike)


@dataclass(frozen=True, eq=False)
class CounterRanges:
    """Of `{ [names] -> S[i] }`: the positions of the iterators that are determined by what is in
    front of them, and the ranges of the others. Not `exact`: that is so for some sizes only."""

    fixed: tuple[int, ...]
    loops: tuple[CounterRange, ...]
    exact: bool

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(r.name for r in self.loops)


def ranges_of(
    m: isl.Map, names: tuple[str, ...], iterators: tuple[str, ...], frame: isl.Set
) -> CounterRanges:
    """Those of a map `{ [names] -> S[iterators] }`, of which `frame` is where it is asked for.

    Raises Unsaid for all that is not, for each point of the frame, ranges of whole numbers, which
    are empty where the map has no image (but for whole sizes: see `exact`).
    """
    known, fixed, loops, exact = names, list[int](), list[CounterRange](), True
    points = m.wrap().flatten().reset_tuple_id()
    for k, name in enumerate(iterators):
        here = len(known)
        column = isl.Map.from_range(points.project_out(isl.SET, here + 1, len(iterators) - k - 1))
        column = column.move_dims(isl.IN, 0, isl.OUT, 0, here)
        if column.is_single_valued():
            fixed.append(k)
            points = points.project_out(isl.SET, here, 1)
            continue
        ends, step, between = _ends(column, frame)
        if not between.is_equal(column):
            exact = False
            if not between.intersect_params(m.params()).is_equal(column):
                raise Unsaid
        free = name if name not in known else f"{name}'"
        bounds = [expression(f, known, column.domain()) for f in ends]
        if any(isinstance(x, Select) for x in bounds):
            raise Unsaid
        first, last = map(print_affine, bounds)
        if max(len(first), len(last)) > LONG_BOUND:
            raise Unsaid
        loops.append(CounterRange(free, first, last, f" by {step}" if step > 1 else ""))
        known, frame = (*known, free), column.wrap().flatten()
    return CounterRanges(tuple(fixed), tuple(loops), exact)


def _ends(column: isl.Map, frame: isl.Set) -> tuple[list[isl.PwAff], int, isl.Map]:
    """The first and the last value, the step, and all that is between them."""
    first, last = map(_plain, (column.lexmin_pw_multi_aff(), column.lexmax_pw_multi_aff()))
    between = _apart(first, ">=", 1).intersect(_apart(last, "<=", 1))
    step = column.wrap().flatten().get_stride(column.dim(isl.IN)).to_python()
    if step > 1:
        last = _plain(column.remove_divs().lexmax_pw_multi_aff())
        between = _apart(first, ">=", step).intersect(_apart(last, "<=", 1))
    return [first, last], step, between.intersect_domain(frame)


def _plain(f: isl.PwMultiAff) -> isl.PwAff:
    """The one function, where it is simplest."""
    column = isl.one_piece(isl.coalesced(f.get_at(0)))
    return column.gist(column.domain())


def _apart(end: isl.PwAff, how: str, step: int) -> isl.Map:
    """`{ [names] -> [y] }`: what is whole steps from an end."""
    relation = isl.read_map(f"{{ [x] -> [y] : y {how} x and (y - x) mod {step} = 0 }}")
    return isl.Map.from_pw_aff(end).apply_range(relation)


def iterators_of(m: isl.Map, iterators: tuple[str, ...], names: tuple[str, ...]) -> dict[str, Expr]:
    """What each iterator of S is, of `{ [names] -> S[iterators] }`, which is single-valued."""
    hull = m.affine_hull().to_map()
    function = (hull if hull.is_single_valued() else m).as_pw_multi_aff()
    each = (isl.one_piece(isl.coalesced(function.get_at(k))) for k in range(len(iterators)))
    return {n: expression(f, names, m.domain()) for n, f in zip(iterators, each, strict=True)}
