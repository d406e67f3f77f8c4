"""Tiling and strip-mining: loops over tiles around loops over the points of a tile."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polynb import isl
from polynb.arguments import integers
from polynb.errors import PolynbError
from polynb.schedules.moves.loops import NamedLoop, moved, named_loops, singled
from polynb.schedules.tile_names import Tiles
from polynb.schedules.tiling import LARGEST, check_size
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Loop, Mark, Sequence
from polynb.words import counted, listed


@isl.guarded
def tile(scop: Scop, loops: Seq[str], by: int | Seq[int]) -> Scop:
    """The program with loops that are directly inside one another tiled: `{ S[i, j] -> [i, j] }`
    as `{ S[i, j] -> [32*floor(i/32), 32*floor(j/32), i, j] }`. The loops over the tiles of `i` are
    called `ii`, and so on.

    `by`: the size of a tile in each loop, in the order of their names, or one for all. Claims
    nothing: whether it computes the same is asked of `check`. A parallel loop runs in parallel over
    the tiles, a vector loop and one that is unrolled over the points. Raises PolynbError for loops
    with something between or beside them, and for sizes that make no tiles.
    """
    sizes = dict(zip(loops, _sizes(loops, by), strict=True))
    scop, found = singled(scop, *loops)
    between(found)
    names = {_bare(n): n for n in loops}
    widths = [sizes[names[x.name]] for x in found]
    for x, size in zip(found, widths, strict=True):
        check_size(x.name, x.loop, size)
    first, last = found[0], found[-1]
    over, values, points = [], [], []
    taken = {x.name for x in named_loops(scop)} | {i for s in scop.statements for i in s.iterators}
    for k, (x, size) in enumerate(zip(found, widths, strict=True)):
        tiles = next((n for n in Tiles(x.name, False, size).names if n not in taken), f"{x.name}_t")
        taken.add(tiles)
        outside = x.loop.kind if x.loop.kind in ("parallel", "collapsed") else "sequential"
        inside = "sequential" if outside == x.loop.kind else x.loop.kind
        over.append(Loop(outside, width=size, name=tiles))
        points.append(replace(x.loop, kind=inside))
        values.append(f"{size}*floor(t{k}/{size})")
    dims = ", ".join(f"t{k}" for k in range(len(found)))
    start = isl.read_map(f"{{ [{dims}] -> [{', '.join(values)}] }}")
    members = {}
    for n in last.statements:
        members[n] = found[0].values(n)
        for x in found[1:]:
            members[n] = members[n].flat_range_product(x.values(n))
    inner = Band(members, last.band.child, loops=tuple(points))
    outer = Band({n: m.apply_range(start) for n, m in members.items()}, inner, loops=tuple(over))
    return moved(scop, [(first.band, outer)])


def strip_mine(scop: Scop, loop: str, by: int) -> Scop:
    """The program with a loop cut into strips: tiles of one loop. It keeps the order."""
    return tile(scop, (loop,), by)


def between(loops: Seq[NamedLoop]) -> None:
    """Raises PolynbError unless each of these loops is all that is in the one before."""
    first, last = loops[0], loops[-1]
    start = next((k for k, t in enumerate(last.above) if t is first.band), len(last.above))
    own = [x.band for x in loops]
    for node in last.above[start:]:
        names = " ".join(x.name for x in loops)
        if isinstance(node, Sequence):
            beside = [n for n in first.statements if n not in last.statements]
            raise PolynbError(
                f"the loops '{first.name}' and '{last.name}' make no tiles",
                reason=f"{listed(beside)} {'is' if len(beside) == 1 else 'are'} in "
                f"'{first.name}' beside '{last.name}'",
                hint=f"`distribute {first.name}` first",
            )
        if isinstance(node, Band) and not any(node is b for b in own):
            there = node.loops[0].name
            raise PolynbError(
                f"the loops '{first.name}' and '{last.name}' make no tiles",
                reason=f"the loop '{there}' is between them",
                hint=f"tile {names} and {there} together, or `interchange {there} {last.name}` "
                "first",
            )
        assert isinstance(node, Band | Mark) or hasattr(node, "domains")


def _bare(name: str) -> str:
    return name.rpartition(".")[2].partition(":")[0]


def _sizes(loops: Seq[str], by: int | Seq[int]) -> tuple[int, ...]:
    given = integers("by", (by,) if isinstance(by, int) else by, least=2, most=LARGEST)
    given = given * len(loops) if len(given) == 1 else given
    if len(given) != len(loops):
        raise PolynbError(
            f"{counted(len(given), 'size')} for {counted(len(loops), 'loop')}",
            hint=f"{len(loops)} sizes, for {listed(loops)}, or one for all",
        )
    return given
