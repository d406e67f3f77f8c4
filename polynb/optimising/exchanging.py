"""The loops of a band in another order, as a model sees them, without generating them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from polynb import isl
from polynb.legality.carried import LoopContext, arriving, at_root
from polynb.optimising.carrying import LoopsCarry
from polynb.optimising.counted import CountedLoop, CountedStatement, Part, work
from polynb.scop.model import Scop
from polynb.scop.schedule import Band


@dataclass(frozen=True, eq=False)
class Exchange:
    """The loops of a program, as a model sees them, of which those of a band change places."""

    parts: tuple[Part, ...]
    scop: Scop
    band: Band

    @cached_property
    def _depth(self) -> int | None:
        """How many loops are around the band; None where another order changes more than itself."""
        here = arriving(self.scop.schedule, self.band, at_root(self.scop, ()))
        return here.depth if _rectangular(here, self.band) else None

    def to(
        self, order: Sequence[int], carried: Callable[[], LoopsCarry]
    ) -> tuple[Part, ...] | None:
        """Those in an order in which loops carry what is `carried`; None where that is not known
        without generating them."""
        if self._depth is None:
            return None
        new = carried()
        found = [_exchanged(p, self._depth, order, self.band.members, new) for p in self.parts]
        whole = tuple(p for p in found if p is not None)
        return whole if len(whole) == len(found) else None


@isl.guarded
def _rectangular(here: LoopContext, band: Band) -> bool:
    """Whether each loop of a band takes the same values, for each statement, whatever those beside
    it take: in another order they have the same bounds then."""
    boxes = []
    for name, domain in here.domains.items():
        whole = here.outer[name].flat_range_product(band.members[name])
        times = whole.intersect_domain(domain).range()
        first = times.dim(isl.SET) - band.depth
        box = isl.Set.universe(times.get_space())
        for k in range(band.depth):
            alone = times
            for other in range(band.depth):
                if other != k:
                    alone = alone.project_out(isl.SET, first + other, 1)
                    alone = alone.insert_dims(isl.SET, first + other, 1)
            box = box.intersect(alone)
        if not times.is_equal(box):
            return False
        boxes.append(times)
    return all(b.is_equal(boxes[0]) for b in boxes)


def _exchanged(
    part: Part, first: int, order: Sequence[int], members: Collection[str], carried: LoopsCarry
) -> Part | None:
    """None where the loops, of which `first` is the outermost one's depth, are not directly inside
    one another."""
    if isinstance(part, CountedStatement) or not work([part]).keys() & members:
        return part
    if part.depth < first:
        body = [_exchanged(p, first, order, members, carried) for p in part.body]
        inside = tuple(p for p in body if p is not None)
        return replace(part, body=inside) if len(inside) == len(body) else None
    chain: list[CountedLoop] = []
    inside = (part,)
    for depth in range(first, first + len(order)):
        if len(inside) != 1 or not isinstance(inside[0], CountedLoop) or inside[0].depth != depth:
            return None
        chain.append(inside[0])
        inside = inside[0].body
    for place, k in reversed(list(enumerate(order, first))):
        inside = (carried.of(replace(chain[k], body=inside), place),)
    return inside[0]
