"""A schedule in isl's notation as a schedule tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.errors import PolynbError
from polynb.legality.order import new_times
from polynb.moves.loops import reordered
from polynb.moves.move import Move, Offered, Spot
from polynb.moves.words import SCHEDULE, Cursor, Times
from polynb.scop.isl_text import span_of
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence, Tree, at_one_time, member
from polynb.scop.witness import Instance, values_text


@dataclass(frozen=True)
class Schedule(Move):
    """Times of one's own, `{ S[i, j] -> [j, i] }`, for all statements.

    Where a dimension is a number for each of them, `{ S[i] -> [i, 0]; T[i] -> [i, 1] }`, it says
    which part comes first. Raises PolynbError for a schedule that leaves out statements or
    instances, gives an instance several times, or two instances one time.
    """

    times: Times

    usage = f"schedule {SCHEDULE}"
    example = usage
    about = "times of one's own, in isl's notation"

    def __str__(self) -> str:
        return f"schedule {self.times}"

    @classmethod
    def read(cls, line: Cursor) -> Schedule:
        return cls(line.rest())

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        times = new_times(scop, self.times)
        times = {n: m.intersect_params(scop.assumed) for n, m in times.items()}
        _check_distinct(scop, times, self.times)
        return reordered(scop, tree_of_times(times))

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        yield from ()


def _check_distinct(scop: Scop, times: dict[str, isl.Map], given: object) -> None:
    names = list(times)
    for k, a in enumerate(names):
        for b in names[k:]:
            same = at_one_time(times, a, b)
            if a == b:
                same = same.subtract(isl.Map.identity(same.get_space()))
            pair = isl.witness_pair(same)
            if pair is not None:
                values, i, j = pair
                both = f"{Instance(a, i)} and {Instance(b, j)}"
                where = f" for {values_text(values)}" if values else ""
                raise PolynbError(
                    f"the schedule gives {both} the same time{where}",
                    span=span_of("schedule", given, a),
                    reason="it would not say which of them runs first",
                    hint="a further dimension that tells them apart: "
                    + ("one of the iterators" if a == b else f"0 for {a}, 1 for {b}"),
                )


def tree_of_times(times: Mapping[str, isl.Map], k: int = 0) -> Tree:
    """The tree of times `{ S[i] -> [t] }` of one length: what their dimensions from k on say. One
    that is a number for each statement becomes a sequence, others loops."""
    if not times or k == next(iter(times.values())).dim(isl.OUT):
        return Leaf()
    values = {n: member(m, k) for n, m in times.items()}
    numbers = {n: _number(v) for n, v in values.items()}
    if None in numbers.values():
        whole = {n: _unbounded(v) for n, v in values.items()}
        return Band(whole, tree_of_times(times, k + 1), loops=(Loop(),))
    parts = []
    for number in sorted({x for x in numbers.values() if x is not None}):
        own = {n: times[n] for n in times if numbers[n] == number}
        parts.append(Filter(dict.fromkeys(own), tree_of_times(own, k + 1)))
    return Sequence(tuple(parts)) if len(parts) > 1 else parts[0].child


def _unbounded(values: isl.Map) -> isl.Map:
    """`{ S[i] -> [t] }` without what it says of the domain."""
    return values.gist_domain(values.domain())


def _number(values: isl.Map) -> int | None:
    """The one number that all instances have in a dimension; None if there is none."""
    low, high = (f(0) for f in (values.range().dim_min_val, values.range().dim_max_val))
    if not (low.is_int() and high.is_int()) or low.ne(high):
        return None
    return int(low.to_python())
