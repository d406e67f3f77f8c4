"""Skewing: what a loop counts grows with another loop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves.loops import bare, moved, nested, singled
from polynb.moves.move import NUMBER, KnownLoops, Move, Offered, Spot
from polynb.moves.words import AMOUNTS, LOOP, Cursor, Factor, LoopName
from polynb.scop.model import Scop
from polynb.words import listed


@dataclass(frozen=True)
class Skew(Move):
    """What a loop counts grows with another loop, `factor` times.

    A loop that counts t counts `t + factor*u`, u being what the other loop of the nest counts:
    `{ S[i, j] -> [i, j] }` becomes `{ S[i, j] -> [i, i + j] }`. (A loop that was reversed counts up
    from the negated end.) Skewing by a loop around keeps the order; by one further in it need not.
    Raises PolynbError for loops that are not in one nest, and for statements that are in the loop
    but not in the other one. (Wolfe: Loop skewing, the wavefront method revisited, 1986.)
    """

    loop: LoopName
    by: LoopName
    factor: Factor = 1

    usage = "skew LOOP by [N*]LOOP"
    example = "skew j by i"
    about = "what a loop counts grows with another loop"
    numbers = (-3, -2, -1, 1, 2, 3)
    number = 1

    def __str__(self) -> str:
        times = {1: "", -1: "-"}.get(self.factor, f"{self.factor}*")
        return f"skew {self.loop} by {times}{self.by}"

    @classmethod
    def read(cls, line: Cursor) -> Skew:
        loop = line.loop()
        line.need("by")
        start = line.at
        rest = " ".join(w.text for w in line.words[start:])
        said = re.fullmatch(rf"(-?) ?(?:(\d+) ?\*? ?)?({LOOP.pattern})", rest)
        if said is None:
            raise line.missing("a loop, or 2*i,")
        line.at = len(line.words)
        factor = line.checked(int(said[2] or 1) * (-1 if said[1] else 1), AMOUNTS, start)
        return cls(loop, said[3], factor)

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        scop, loops = singled(scop, self.loop, self.by)
        one, other = loops if loops[0].name == bare(self.loop) else reversed(loops)
        outside = [n for n in one.statements if n not in other.statements]
        if outside:
            raise PolynbError(
                f"the loop '{self.loop}' cannot be skewed by '{self.by}'",
                reason=f"{listed(outside)} {'is' if len(outside) == 1 else 'are'} not in "
                f"'{self.by}'",
                hint=f"`distribute {self.loop}` first",
            )
        total = isl.read_map(f"{{ [t, u] -> [t + {self.factor}*u] }}")
        members = {
            n: one.values(n).flat_range_product(other.values(n)).apply_range(total)
            for n in one.statements
        }
        return moved(scop, [(one.band, replace(one.band, members=members))])

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        for other in [*at.around(), *at.inside()[:1]] if at.loop else ():
            yield f"by {other}", f"skew {at.name} by {NUMBER}*{other}"

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        return (cls(inner, outer) for outer, inner in nested(loops))
