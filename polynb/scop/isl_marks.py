"""What marks say, as text: isl's trees know marks by a name only.

How a loop is to run ("parallel", "collapsed", "vector") is in the name of a mark above its band,
`loops@d:parallel,sequential`, d being the number of band members above it; what our own marks say
is in names such as `private@t,u` and `full@32,32` (`full@from0:32,32` if shifted). Any other name
stays a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.scop.schedule import KINDS, FullTiles, LoopKind, Meaning, Named, Private

_LOOPS: Final = "loops@"
_PRIVATE: Final = "private@"
_FULL: Final = "full@"
_SHIFTED: Final = "from0:"


@dataclass(frozen=True)
class BandKinds:
    """How the loops of the band below run, which so many band members are above."""

    depth: int
    kinds: tuple[LoopKind, ...]


def mark_name(what: Meaning | BandKinds) -> str:
    """The name of the mark that says this in isl's trees."""
    match what:
        case BandKinds(depth=depth, kinds=kinds):
            return f"{_LOOPS}{depth}:{','.join(kinds)}"
        case Private(arrays=arrays):
            return _PRIVATE + ",".join(arrays)
        case FullTiles(sizes=sizes, shifted=shifted):
            return f"{_FULL}{_SHIFTED * shifted}{','.join(map(str, sizes))}"
        case Named(text=text):
            return text


def read_mark(mark: isl.Id) -> Meaning | BandKinds:
    """What a mark of isl's says."""
    name = str(mark.get_name())
    if name.startswith(_PRIVATE):
        return Private(tuple(n for n in name.removeprefix(_PRIVATE).split(",") if n))
    if found := re.fullmatch(rf"{_FULL}({_SHIFTED})?(\d+(?:,\d+)*)", name):
        return FullTiles(tuple(map(int, found[2].split(","))), found[1] is not None)
    if found := re.fullmatch(rf"{_LOOPS}(\d+):(.*)", name):
        words = found[2].split(",")
        kinds = tuple(k for w in words for k in KINDS if k == w)
        if len(kinds) == len(words):
            return BandKinds(int(found[1]), kinds)
    return Named(name)
