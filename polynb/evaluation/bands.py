"""How many loops of a program can be interchanged and tiled."""

from __future__ import annotations

from polynb.errors import PolynbError
from polynb.reordering.algorithm import reorder
from polynb.schedules.bands import all_bands, several_permutable
from polynb.scop.model import Scop


def permutable_loops(scop: Scop) -> int:
    """The loops of the widest permutable band, of the program as it is or as the scheduler orders
    it where no live range may change its place (memory-based dependences, as Feautrier's and
    Pluto's). 1 where there are loops, but no such band; 0 without loops."""
    return max(_widest(scop), _widest(_in_order(scop)))


def _in_order(scop: Scop) -> Scop:
    try:
        return reorder(scop, preset="none", privatize=False).result
    except PolynbError:  # no order is found in time: its own has the bands that it has
        return scop


def _widest(scop: Scop) -> int:
    bands = all_bands(scop.schedule)
    return max((b.depth for b in bands if several_permutable(b)), default=min(len(bands), 1))
