"""Peeling: the first or last iterations of a loop stand before or behind it."""

from __future__ import annotations

from dataclasses import dataclass, field

from polynb import isl
from polynb.arguments import count
from polynb.errors import PolynbError
from polynb.legality.carried import arriving, at_root
from polynb.moves.loops import NamedLoop, moved, singled
from polynb.moves.move import NUMBER, Move, Offered, Spot
from polynb.moves.words import COUNTS, NUMBER as DIGITS, Count, Cursor, LoopName
from polynb.scop.model import Scop
from polynb.scop.schedule import Filter, Sequence


@dataclass(frozen=True)
class Peel(Move):
    """The first or last iterations of a loop stand apart (by default the first one).

    `for i = 0 to N { S }` becomes `S(0); for i = 1 to N { S }`. It keeps the order. Which
    iterations come first is a matter of each execution of the loop. One iteration needs no loop;
    several have one. Raises PolynbError for none, and for a loop without a first iteration.
    """

    loop: LoopName
    first: Count | None = field(default=None, kw_only=True)
    last: Count | None = field(default=None, kw_only=True)

    usage = "peel [first N | last N of] LOOP"
    example = "peel first 1 of i"
    about = "the first or last iterations stand apart"
    numbers = (1, 2, 3, 4)
    number = 1
    tried = False

    def __str__(self) -> str:
        given = (("first", self.first), ("last", self.last))
        sides = [f"{side} {n}" for side, n in given if n is not None]
        return " ".join(["peel", *sides, *(["of"] if sides else []), self.loop])

    @classmethod
    def read(cls, line: Cursor) -> Peel:
        sides: dict[str, int] = {}
        while line.next is not None and line.next.text in ("first", "last"):
            if line.at + 1 == len(line.words):
                break
            side = line.next.text
            line.keyword(side)
            numbered = DIGITS.fullmatch(line.words[line.at].text)
            sides[side] = line.number(COUNTS) if numbered else 1
            line.keyword(",")
            line.keyword("and")
        if sides:
            line.keyword("of")
        return cls(line.loop(), **sides)

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        first = 1 if self.first is None and self.last is None else self.first
        scop, (loop,) = singled(scop, self.loop)
        pieces = []
        for side, number in (("first", first), ("last", self.last)):
            if number is not None:
                number = count(side, number, most=COUNTS[1])
                pieces.append((side, number, _ends(scop, loop, number, side == "first")))
        rest = {n: scop.by_name[n].domain for n in loop.statements}
        apart: dict[str, list[Filter]] = {"first": [], "last": []}
        for side, number, ends in pieces:
            own = {n: ends[n].intersect(rest[n]) for n in rest}
            rest = {n: rest[n].subtract(ends[n]) for n in rest}
            apart[side].append(Filter(own, loop.band.child if number == 1 else loop.band))
        parts = Sequence((*apart["first"], Filter(rest, loop.band), *apart["last"]))
        return moved(scop, [(loop.band, parts)])

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        for side in ("first", "last") if at.loop else ():
            yield side, f"peel {side} {NUMBER} of {at.name}"


def _ends(scop: Scop, loop: NamedLoop, number: int, up: bool) -> dict[str, isl.Set]:
    """`{ S[i] }`, the instances in so many first (`up`) or last iterations of the loop, for each
    value of those around."""
    here = arriving(scop.schedule, loop.band, at_root(scop, ()))
    together: isl.Map | None = None
    for n, domain in here.domains.items():
        taken = here.outer[n].intersect_domain(domain).reverse().apply_range(loop.values(n))
        together = taken if together is None else together.union(taken)
    empty = {n: isl.Set.empty(scop.by_name[n].domain.get_space()) for n in loop.statements}
    if together is None:
        return empty
    step = together.wrap().flatten().get_stride(together.dim(isl.IN)).to_python()
    try:
        end = together.lexmin() if up else together.lexmax()
    except isl.IslError as error:
        raise PolynbError(
            f"the loop '{loop.name}' has no {'first' if up else 'last'} iteration",
            hint="a loop with bounds",
        ) from error
    reach = (number - 1) * max(step, 1)
    low, high = ("t", f"t + {reach}") if up else (f"t - {reach}", "t")
    near = end.apply_range(isl.read_map(f"{{ [t] -> [u] : {low} <= u <= {high} }}"))
    found = {}
    for n, domain in here.domains.items():
        found[n] = here.outer[n].apply_range(near).intersect(loop.values(n)).domain()
        found[n] = isl.coalesced(found[n].intersect(domain))
    return {**empty, **found}
