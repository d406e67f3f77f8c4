"""What passes make of a program, by the names of the ways."""

from collections.abc import Callable

import polynb as pn


def _live_out(scop: pn.Scop) -> pn.Scop:
    return pn.propagate(scop, live_out=True).result


WAYS: dict[str, Callable[[pn.Scop], pn.Scop]] = {
    "itself": lambda s: s,
    "propagated": lambda s: pn.propagate(s).result,
    "propagated, in part too": lambda s: pn.propagate(s, partial=True).result,
    "propagated, live-out too": _live_out,
    "propagated, handed on": lambda s: pn.propagate(s, recurrences=True).result,
    "propagated, in strips": lambda s: pn.propagate(s, recurrences="strips").result,
    "without scalars": lambda s: pn.remove_scalars(s).result,
    "reordered": lambda s: pn.reorder(s).result,
    "tiled": lambda s: pn.reorder(s, tile=32).result,
    "printed": lambda s: pn.parse(str(s)),
    "tiled, printed": lambda s: pn.parse(str(pn.reorder(s, tile=32).result)),
}
