"""What is drawn of sets: small parameter values, a window where they are too large, and when the
instances in them run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from polynb import isl
from polynb.legality.pair import Time, Times
from polynb.scop.witness import Instance, values_text

MOST: Final = 600  # points of one picture
SEVERAL: Final = 40  # polyhedra that are told apart
COMFORTABLE: Final = 300  # points of a picture whose parameters could be larger


@dataclass(frozen=True, eq=False)
class Sample:
    """The points of a set at fixed parameter values; `window` cut it if `clipped`."""

    points: tuple[tuple[int, ...], ...]
    window: isl.Set
    clipped: bool = False


def small_parameters(
    allowed: isl.Set,
    drawn: Sequence[isl.Set],
    names: Sequence[str],
    relations: Iterable[isl.Map] = (),
    comfortable: int = COMFORTABLE,
) -> dict[str, int]:
    """Small values, within `allowed`, for which the sets to be drawn and the relations have
    members, as far as they have them together. A little larger than the smallest where that
    leaves few points, because a pattern needs some repetition to be seen."""
    region = allowed
    for s in [s.params() for s in drawn] + [r.params() for r in relations]:
        more = region.intersect(s)
        if not more.is_empty():
            region = more
    universe = isl.Set.universe(isl.param_space(names))
    found = isl.witness(isl.Set.from_params(region.intersect(universe)))
    if found is None:
        return dict.fromkeys(names, 4)
    smallest = found[0]
    for more_of_each in (4, 3, 2, 1):
        values = {n: v + more_of_each for n, v in smallest.items()}
        fits = not isl.fix_parameters(region, values).is_empty()
        if fits and sum(size(s, values) for s in drawn) <= comfortable:
            return values
    return smallest


def completed(
    allowed: isl.Set,
    drawn: Sequence[isl.Set],
    names: Sequence[str],
    relations: Sequence[isl.Map],
    given: Mapping[str, int],
    comfortable: int = COMFORTABLE,
) -> dict[str, int]:
    """The given values, and small ones for the other parameters."""
    rest = [n for n in names if n not in given]
    if not rest:
        return dict(given)
    sets = [_without(s, given) for s in (allowed, *drawn)]
    left = [_without(r, given) for r in relations]
    chosen = small_parameters(sets[0], sets[1:], rest, left, comfortable)
    return {n: given[n] if n in given else chosen[n] for n in names}


def _without(x: Any, given: Mapping[str, int]) -> Any:
    """A set or map at given parameter values, which are no parameters of it any more."""
    x = isl.fix_parameters(x, given)
    for name in given:
        if name in isl.dim_names(x, isl.PARAM):
            x = x.project_out(isl.PARAM, isl.dim_names(x, isl.PARAM).index(name), 1)
    return x


def size(s: isl.Set, values: Mapping[str, int]) -> float:
    """An upper bound of the number of points: the volume of the box around them."""
    s = at_values(s, values)
    if s.is_empty():
        return 0
    return math.prod(_length(_ends(s, k)) for k in range(s.dim(isl.SET)))


def sample(
    s: isl.Set, values: Mapping[str, int], most: int = MOST, longest: int | None = None
) -> Sample:
    """At most about `most` points of a set, at most `longest` in a row: all of them, or those of
    a window at its corner (around 0 in a dimension without ends)."""
    s = at_values(s, values)
    whole = isl.Set.universe(s.get_space())
    if s.is_empty():
        return Sample((), whole)
    with isl.wrapped():
        ends = [_ends(s, k) for k in range(s.dim(isl.SET))]
        lengths = [_length(e) for e in ends]
        if math.prod(lengths) <= most and max(lengths, default=1) <= (longest or math.inf):
            return Sample(tuple(isl.points(s)), whole)
        window = _window(s, ends, most, longest)
        return Sample(tuple(isl.points(s.intersect(window))), window, not s.is_subset(window))


def pieces(
    s: isl.Set, values: Mapping[str, int], drawn: Sample
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The points that are drawn, by the polyhedra of the set; of very many, all in one."""
    found = isl.basic_sets(isl.coalesced(at_values(s, values).intersect(drawn.window)))
    if len(found) > SEVERAL:
        return (drawn.points,)
    return tuple(tuple(isl.points(piece.to_set())) for piece in found)


def at_values(x: Any, values: Mapping[str, int]) -> Any:
    """A set or map at parameter values, without parameters."""
    x = isl.fix_parameters(x, values)
    return x.project_out(isl.PARAM, 0, x.dim(isl.PARAM))


def pinned(x: Any, end: Any, point: Sequence[int]) -> Any:
    """The part of a set or map that has these coordinates at one end."""
    for k, c in enumerate(point):
        x = x.fix_val(end, k, isl.Val(c))
    return x


def between(s: isl.Set, k: int, low: int, high: int) -> isl.Set:
    """The part of a set between two values of a dimension."""
    found: isl.Set = s.lower_bound_val(isl.SET, k, isl.Val(low))
    return found.upper_bound_val(isl.SET, k, isl.Val(high))


def drawn_pairs(
    m: isl.Map, source: Sample, target: Sample, values: Mapping[str, int]
) -> list[tuple[tuple[int, ...], ...]]:
    """The pairs of a relation of which both are drawn."""
    m = at_values(m, values)
    return isl.pairs(m.intersect_domain(source.window).intersect_range(target.window))


def dated(times: Times, values: Mapping[str, int]) -> list[tuple[Time, Instance]]:
    """The instances of `{ S[i] -> [t] }`, each with its time, the earliest first."""
    return sorted(
        (time, Instance(name, point))
        for name, m in times.items()
        for point, time in isl.pairs(m, values)
    )


def drawn_for(values: Mapping[str, int]) -> list[str]:
    """The note that says for which values something is drawn, where there are any."""
    return [f"Drawn for {values_text(values)}."] if values else []


Ends = tuple[int | None, int | None]


def _window(s: isl.Set, ends: Sequence[Ends], most: int, longest: int | None) -> isl.Set:
    """A box of about `most` points, dimension by dimension, the narrow ones whole."""
    window = isl.Set.universe(s.get_space())
    left = most
    for done, k in enumerate(sorted(range(len(ends)), key=lambda k: _length(ends[k]))):
        side = max(int(left ** (1 / (len(ends) - done))), 2)
        side = min(side, longest or side)
        if _length(ends[k]) > side:
            low = _corner(s.intersect(window), k, side)
            window = between(window, k, low, low + side - 1)
        left = max(int(left / min(_length(ends[k]), side)), 1)
    return window


def _ends(s: isl.Set, k: int) -> Ends:
    """The smallest and the largest value of a dimension, None where there is none."""
    low = s.dim_min_val(k) if s.dim_has_lower_bound(isl.SET, k) else None
    high = s.dim_max_val(k) if s.dim_has_upper_bound(isl.SET, k) else None
    a, b = (int(v.to_python()) if v is not None and v.is_int() else None for v in (low, high))
    return a, b


def _length(ends: Ends) -> float:
    low, high = ends
    return math.inf if low is None or high is None else high - low + 1


def _corner(s: isl.Set, k: int, side: int) -> int:
    """Where the window of a dimension begins: at the set's end if it has one, else around 0."""
    low, high = _ends(s, k)
    if low is not None:
        return low
    return -(side // 2) if high is None or high > 0 else high - side + 1
