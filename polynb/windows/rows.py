"""When each row of a picture is computed.

A pipeline of pictures is computed row by row: at time t, each stage computes what its readers need
from t on. For that, the rows of a picture have to keep pace with those of its readers: along the
flow of values, `{ [row of A] -> [row of B] }`, the distance of `scale * row` of the two is bounded
for all sizes. A picture of half the rows has twice the scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Final

from polynb import isl
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import member

PACES: Final = tuple(Fraction(*p) for p in ((1, 1), (2, 1), (1, 2), (4, 1), (1, 4), (3, 1), (1, 3)))
"""How many rows of its reader's a row of a picture may stand for."""


@dataclass(frozen=True)
class RowTimes:
    """The rows of an array A[x]: `x[subscript]` counts them, and row r is computed at the time
    `scale * r + shift`. What is computed at a time t is read until t + `read`, and needed until
    t + `needed` by the results in the end. Each stage computes the rows of so many times
    `together`, from a multiple of them on, before the next stage does: so `needed` is a multiple as
    well, and the rows of a strip are whole groups."""

    subscript: int
    scale: int
    shift: int = 0
    read: int = 0
    needed: int = 0
    together: int = 1

    @property
    def height(self) -> int:
        """The rows that are needed at a time: of two rows with as many between them, or more, the
        first one is read for the last time before the other one is written, which is at least
        `together` times later, and so not together with it."""
        return (self.read + self.together - 1) // self.scale + 1


@dataclass(frozen=True, eq=False)
class ArrayFlow:
    """A flow of values: from statement `source`, which writes `array`, to `target`; `exact`: data
    does not decide it."""

    source: Statement
    target: Statement
    relation: isl.Map
    exact: bool

    @property
    def array(self) -> str:
        return self.source.write.array

    @property
    def reader(self) -> str:
        """The array that is computed from it."""
        return self.target.write.array

    def rows(self, subscript: int, of_reader: int) -> isl.Set:
        """`{ [x, y] }`: row y of the reader's array is computed from row x of the array."""
        x = row_of(self.source, subscript).reverse()
        return pairs_of(x.apply_range(self.relation).apply_range(row_of(self.target, of_reader)))


def row_of(s: Statement, subscript: int) -> isl.Map:
    """`{ S[i] -> [x] }`, the row of the cell that an instance writes."""
    return member(s.write.relation.intersect_domain(s.domain), subscript)


def row_iterator(s: Statement, subscript: int) -> int | None:
    """The iterator of which each value has a row of its own, None if there is none."""
    m = row_of(s, subscript)
    for k in range(m.dim(isl.IN)):
        own = m.project_out(isl.IN, k + 1, m.dim(isl.IN) - k - 1).project_out(isl.IN, 0, k)
        if own.is_bijective():
            return k
    return None


def writes_rows(s: Statement, subscript: int) -> bool:
    """Whether a row is what one value of one iterator writes, or all instances write one row."""
    if row_iterator(s, subscript) is not None:
        return True
    m = row_of(s, subscript)
    return bool(m.project_out(isl.IN, 0, m.dim(isl.IN)).is_single_valued())


@isl.guarded
def paced(
    scop: Scop, flow: Sequence[ArrayFlow], results: Mapping[str, int], together: int
) -> dict[str, RowTimes]:
    """The rows of the arrays that keep pace with all that is computed from them; of `results` it is
    given which subscript counts them.

    Each row is computed as late as its readers allow: when the earliest of them is.
    """
    scales: dict[str, tuple[int, Fraction]] = {n: (k, Fraction(1)) for n, k in results.items()}
    written = dict.fromkeys(s.write.array for s in scop.statements)
    ordered = [*_readers_first([*reversed(written)], flow)]
    for array in ordered:
        mine = [f for f in flow if f.array == array]
        if array not in scales and mine:
            fitting = [set(_fitting(f, scop.arrays[array].dimensions, scales)) for f in mine]
            if common := set.intersection(*fitting):
                scales[array] = min(common)
    whole = lcm(*(scale.denominator for _, scale in scales.values()))
    rows: dict[str, RowTimes] = {}
    for array in ordered:
        if array in scales:
            subscript, scale = scales[array]
            mine = [f for f in flow if f.array == array]
            rows[array] = _latest(
                RowTimes(subscript, int(scale * whole), together=together), mine, rows
            )
    return {a: rows[a] for a in written if a in rows}


def _readers_first(arrays: Sequence[str], flow: Sequence[ArrayFlow]) -> Iterator[str]:
    """Arrays, each behind those that are computed from it, wherever they are first written: a
    result's border may be before all that its inside is computed from."""
    readers = {a: {f.reader for f in flow if f.array == a} - {a} for a in arrays}
    left = [*arrays]
    while left:
        first = next((a for a in left if not readers[a] & {*left}), left[0])
        left.remove(first)
        yield first


def _fitting(
    f: ArrayFlow, dimensions: int, scales: Mapping[str, tuple[int, Fraction]]
) -> Iterator[tuple[int, Fraction]]:
    """The subscripts and scales of an array that keep pace with its reader's."""
    if f.reader not in scales:
        return
    of_reader, scale = scales[f.reader]
    for subscript in range(dimensions):
        pairs = f.rows(subscript, of_reader)
        few = pairs.is_bounded()  # else one pace keeps the distance bounded, or none
        for pace in PACES:
            own = scale * pace
            whole = lcm(own.denominator, scale.denominator)
            if few or distances(pairs, int(own * whole), int(scale * whole)) is not None:
                yield subscript, own
                if not few:
                    break


def _latest(rows: RowTimes, flow: Sequence[ArrayFlow], readers: Mapping[str, RowTimes]) -> RowTimes:
    """The rows at the latest times that their readers allow."""
    first, read, needed = [], [], []
    for f in flow:
        reader = readers[f.reader]
        between = distances(f.rows(rows.subscript, reader.subscript), rows.scale, reader.scale)
        assert between is not None  # so they were chosen
        first.append(between[0] + reader.shift)
        read.append(between[1] + reader.shift)
        needed.append(between[1] + reader.shift + reader.needed)
    if not first:
        return rows
    shift = min(first)
    groups = -((shift - max(needed)) // rows.together)
    return replace(rows, shift=shift, read=max(read) - shift, needed=groups * rows.together)


def pairs_of(pairs: isl.Map) -> isl.Set:
    """`{ [x, y] }` of `{ [x] -> [y] }` for any parameters."""
    flat = pairs.wrap().flatten()
    return flat.project_out(isl.PARAM, 0, flat.dim(isl.PARAM))


def distances(pairs: isl.Set, scale: int, of_reader: int) -> tuple[int, int] | None:
    """The least and the greatest `of_reader * y - scale * x` of `{ [x, y] }`; None if one of them
    is not bounded (0 and 0 of no pairs)."""
    if pairs.is_empty():
        return 0, 0
    difference = isl.Aff(f"{{ [x, y] -> [{of_reader}y - {scale}x] }}")
    least, greatest = pairs.min_val(difference), pairs.max_val(difference)
    if not (least.is_int() and greatest.is_int()):
        return None
    return int(least.to_python()), int(greatest.to_python())
