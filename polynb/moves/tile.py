"""Tiling and strip-mining: loops over tiles around loops over the points of a tile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Seq
from dataclasses import dataclass

from polynb import isl
from polynb.arguments import integers
from polynb.errors import PolynbError
from polynb.moves.loops import NamedLoop, bare, moved, named_loops, nested, singled
from polynb.moves.move import NUMBER, KnownLoops, Move, Offered, Spot
from polynb.moves.words import Cursor, LoopName, Loops, Size, Sizes
from polynb.schedules.tile_names import Tiles
from polynb.schedules.tiling import LARGEST, check_size, in_tiles
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Mark, Sequence
from polynb.words import counted, listed


@dataclass(frozen=True)
class Tile(Move):
    """Loops over tiles around loops over the points of a tile.

    `{ S[i, j] -> [i, j] }` becomes `{ S[i, j] -> [32*floor(i/32), 32*floor(j/32), i, j] }`; the
    loops are directly inside one another. Those over the tiles of `i` are called `ii`, and so on.
    `by`: the size of a tile in each loop, in the order of their names, or one for all. A parallel
    loop runs in parallel over the tiles, a vector loop and one that is unrolled over the points.
    Raises PolynbError for loops with something between or beside them, and for sizes that make no
    tiles.
    """

    loops: Loops
    by: Sizes

    usage = "tile LOOP LOOP by N[, N]"
    example = "tile i j by 32"
    about = "loops over tiles, and over their points"
    numbers = (2, 4, 8, 16, 32, 64, 128)
    number = 32

    @classmethod
    def of(cls, *loops: str, by: int | Seq[int] = 32) -> Tile:
        """Loops over tiles around loops over the points of a tile."""
        if not loops:
            raise PolynbError("tile takes one loop or more", hint='tile("i", "j", by=32)')
        return cls(loops, by)

    def __str__(self) -> str:
        sizes = (self.by,) if isinstance(self.by, int) else self.by
        return f"tile {' '.join(self.loops)} by {', '.join(map(str, sizes))}"

    @classmethod
    def read(cls, line: Cursor) -> Tile:
        loops = line.loops()
        line.need("by")
        return cls(loops, line.sizes())

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        sizes = dict(zip(map(bare, self.loops), _sizes(self.loops, self.by), strict=True))
        scop, loops = singled(scop, *self.loops)
        _check_between(loops)
        widths = [sizes[x.name] for x in loops]
        for x, size in zip(loops, widths, strict=True):
            check_size(x.name, x.loop, size)
        first, last = loops[0], loops[-1]
        members = {}
        for n in last.statements:
            members[n] = first.values(n)
            for x in loops[1:]:
                members[n] = members[n].flat_range_product(x.values(n))
        points = Band(members, last.band.child, loops=tuple(x.loop for x in loops))
        names = _names(scop, loops, widths)
        tiles = in_tiles(points, widths, names=names, keep=("parallel", "collapsed"))
        return moved(scop, [(first.band, tiles)])

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        nest = [at.name]
        for inner in at.inside()[:2]:
            nest.append(inner)
            yield (names := " ".join(nest)), f"tile {names} by {NUMBER}"

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        """Loops around one another, from each one inwards, that are not tiles or their points."""
        if any(x.loop.width > 1 for x in loops.values()):
            return
        for first, last in nested(loops):
            outer, inner = loops[first], loops[last]
            between = [n for n, x in loops.items() if outer.is_around(x) and x.is_around(inner)]
            yield cls((first, *between, last), by)


@dataclass(frozen=True)
class StripMine(Move):
    """A loop in strips.

    They are tiles of one loop. It keeps the order.
    """

    loop: LoopName
    by: Size

    usage = "strip-mine LOOP by N"
    example = "strip-mine i by 8"
    about = "a loop in strips"
    also = ("strip_mine", "stripmine")
    numbers = Tile.numbers
    number = 8

    def applied(self, scop: Scop) -> Scop:
        return Tile((self.loop,), self.by).applied(scop)


def _names(scop: Scop, loops: Seq[NamedLoop], widths: Seq[int]) -> list[str]:
    """What to call the loops over tiles, by a name that nothing has."""
    taken = {x.name for x in named_loops(scop)} | {i for s in scop.statements for i in s.iterators}
    names = []
    for x, size in zip(loops, widths, strict=True):
        free = (n for n in Tiles(x.name, False, size).names if n not in taken)
        names.append(next(free, f"{x.name}_t"))
        taken.add(names[-1])
    return names


def _check_between(loops: Seq[NamedLoop]) -> None:
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


def _sizes(loops: Seq[str], by: int | Seq[int]) -> tuple[int, ...]:
    given = integers("by", (by,) if isinstance(by, int) else by, least=2, most=LARGEST)
    given = given * len(loops) if len(given) == 1 else given
    if len(given) != len(loops):
        raise PolynbError(
            f"{counted(len(given), 'size')} for {counted(len(loops), 'loop')}",
            hint=f"{len(loops)} sizes, for {listed(loops)}, or one for all",
        )
    return given
