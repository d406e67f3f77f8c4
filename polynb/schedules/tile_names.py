"""Loops over tiles: of which iterator, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.scop.schedule import Band, Tree, member
from polynb.scop.tree_walk import orders, paths

LEVELS: Final = 3


def loop_values(tree: Tree, name: str, depth: int) -> isl.Map | None:
    """`{ S[i] -> [t] }`, the values at statement `name` of the loop that so many band members are
    above; of the first one, if the statement is in several nests. None if there is none."""
    loop = _loop(tree, name, depth)
    return None if loop is None else member(loop[0].members[name], loop[1])


def given_name(tree: Tree, name: str, depth: int) -> str:
    """What that loop is called; "" if nobody has named it."""
    loop = _loop(tree, name, depth)
    return "" if loop is None else loop[0].loops[loop[1]].name


def _loop(tree: Tree, name: str, depth: int) -> tuple[Band, int] | None:
    """The band that has the loop, and its place there."""
    for node, above in paths(tree):
        if isinstance(node, Band) and all(orders(t, name) for t in (*above, node)):
            own = depth - sum(t.depth for t in above if isinstance(t, Band))
            if 0 <= own < node.depth:
                return node, own
    return None


@dataclass(frozen=True)
class Tiles:
    """A loop steps over tiles of `size` values of an iterator, or of minus it (`negated`)."""

    iterator: str
    negated: bool
    size: int

    @property
    def names(self) -> tuple[str, ...]:
        """What to call the loop, the best first: for `i` it is `ii`, `iii`, ..., for a longer name
        `row_tile`, `row_tile2`, ...; for tiles of one value just the iterator."""
        if self.size == 1:
            return (self.iterator,)
        if len(self.iterator) == 1:
            return tuple(self.iterator * (k + 2) for k in range(LEVELS))
        return tuple(f"{self.iterator}_tile{k + 1 if k else ''}" for k in range(LEVELS))


def tiles_of(values: isl.Map, iterators: Seq[str]) -> Tiles | None:
    """Whose tiles a loop with these values, `{ S[i] -> [t] }`, runs over: t steps by some number,
    and i, or -i, is from t on less than that number further. None if it is no iterator's."""
    size = values.range().get_stride(0).to_python()
    for k, iterator in enumerate(iterators):
        for negated in (False, True):
            within = _within(values, k, negated)
            if within is not None and within < size:
                return Tiles(iterator, negated, size)
    return None


def _within(values: isl.Map, k: int, negated: bool) -> int | None:
    """The largest distance from t to the k-th iterator, or to minus it; None if there is none or
    some distance is below 0."""
    count = values.dim(isl.IN)
    dims = [f"i{n}" for n in range(count)]
    value = f"-{dims[k]}" if negated else dims[k]
    distance = isl.Map(f"{{ [[{', '.join(dims)}] -> [t]] -> [{value} - t] }}")
    distances = values.reset_tuple_id(isl.IN).wrap().apply(distance)
    low, high = distances.dim_min_val(0), distances.dim_max_val(0)
    if not (low.is_int() and high.is_int()) or low.to_python() < 0:
        return None
    return int(high.to_python())
