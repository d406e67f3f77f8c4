"""A schedule in isl's notation as a schedule tree."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.errors import PolynbError
from polynb.legality.carried import member
from polynb.legality.checking import new_times
from polynb.schedules.moves.loops import reordered
from polynb.scop.isl_text import span_of
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence, Tree
from polynb.scop.witness import Instance, values_text


@isl.guarded
def reschedule(scop: Scop, times: str | isl.UnionMap) -> Scop:
    """The program in the order of times of one's own, `{ S[i, j] -> [j, i]; T[i] -> [i, 0] }`, for
    all statements; where a dimension is a number for each of them, it says which part comes first.

    Claims nothing: whether it computes the same is asked of `check`. Raises PolynbError for a
    schedule that leaves out statements or instances, gives an instance several times, or two
    instances one time.
    """
    found = new_times(scop, times)
    found = {n: m.intersect_params(scop.assumed) for n, m in found.items()}
    _check_distinct(scop, found, times)
    return reordered(scop, tree_of_times(found))


def _check_distinct(scop: Scop, times: dict[str, isl.Map], given: object) -> None:
    names = list(times)
    for k, a in enumerate(names):
        for b in names[k:]:
            same = times[a].apply_range(times[b].reverse())
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
