"""Live range intervals at new times: the paper's transformed image (section 4.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from polynb import isl
from polynb.arguments import named, objects
from polynb.derivation import Derivation, as_scop
from polynb.legality.checking import New, new_times
from polynb.scop import Scop
from polynb.violations.intervals import Interval, intervals

HINT: Final = "polynb.violations.intervals(scop)"


@isl.bounded("the image of live range intervals")
def images(
    program: Scop | Derivation, schedule: New, known: Mapping[str, Iterable[Interval]] | None = None
) -> dict[str, isl.Map]:
    """The family Image_M[s] of each array M, `{ A[s] -> [[t_w] -> [t_r]] }`: of each live range
    interval in the cell s, the times of its ends in a new order.

    `schedule` is what `pn.check` takes; `known` the intervals, unless they are to be found. Raises
    PolynbError for a schedule that leaves instances out.
    """
    scop = as_scop(program)
    when = new_times(scop, schedule)
    found = intervals(scop) if known is None else named("known", known, what="array")
    parts = {
        a: objects("known", part, _is_interval, "intervals", HINT) for a, part in found.items()
    }
    return {array: image(part, when) for array, part in parts.items() if part}


def image(parts: Iterable[Interval], when: Mapping[str, isl.Map]) -> isl.Map:
    """Image_M[s] of the intervals of one array, at times `{ S[i] -> [t] }`."""
    moved = [p.cells.reverse().apply_range(when[p.write].product(when[p.read])) for p in parts]
    together = moved[0]
    for more in moved[1:]:
        together = together.union(more)
    return isl.coalesced(together)


def _is_interval(x: object) -> bool:
    return isinstance(x, Interval)
