"""The set Vio as the paper prints it (section 4.3.2), with what is wrong with it.

1. The sequential formula pairs every live range with itself, in the original order too.
2. The parallel one leaves out pairs of equal times: two live ranges that run at the same times.
3. A write that nothing reads has no live range, and nothing says what it may overwrite.
4. A live range ends with the last read in the original order, which another one may overtake.
5. What a cell holds before and after the program has no live range.
"""

from __future__ import annotations

from polynb import isl
from polynb.violations.intervals import Interval


def printed_vio(image: isl.Map, *, parallel: bool) -> isl.Map:
    """Vio of an array, `{ A[s] -> [[[t_w] -> [t_r]] -> [[t_w'] -> [t_r']]] }`, of its image
    `{ A[s] -> [[t_w] -> [t_r]] }`; the first or the second formula."""
    range_ = image.range().unwrap()
    return image.range_product(image).intersect_range(_overlap(range_, range_, parallel).wrap())


def printed_pairs(
    first: Interval, second: Interval, when: dict[str, isl.Map], *, parallel: bool
) -> isl.Map:
    """The same of two λ, in instances: `{ A[s] -> [[W[i] -> R[j]] -> [X[k] -> T[l]]] }`."""
    a, b = (when[x.write].product(when[x.read]) for x in (first, second))
    times = _overlap(a.range().unwrap(), b.range().unwrap(), parallel)
    pairs = a.apply_range(times).apply_range(b.reverse())
    both = first.cells.reverse().range_product(second.cells.reverse())
    return both.intersect_range(pairs.wrap())


def _overlap(first: isl.Map, second: isl.Map, parallel: bool) -> isl.Map:
    """`{ [[t_w] -> [t_r]] -> [[t_w'] -> [t_r']] }` that the formula relates, of these ranges."""
    w, r = first.domain_map(), first.range_map()
    w_, r_ = second.domain_map(), second.range_map()
    time = isl.Map.lex_lt(w.get_space().range())
    less = w.apply_range(time).apply_range(r_.reverse())  # t_w < t_r'
    less = less.intersect(r.apply_range(time.reverse()).apply_range(w_.reverse()))  # t_w' < t_r
    if parallel:
        same = w.apply_range(w_.reverse()).intersect(r.apply_range(r_.reverse()))
        less = less.subtract(same)
    return less
