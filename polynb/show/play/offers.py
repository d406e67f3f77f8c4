"""What can be done at a handle: for each move its forms there, as lines with a place for a number.

A form is offered if the move can be made; whether it is legal is what a person finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules.moves import NamedLoop
from polynb.scop import Scop
from polynb.show.play.code import Handle
from polynb.violations.script import read

NUMBER: Final = "#"
"""Where the number goes in a line."""
SIZES: Final = (2, 4, 8, 16, 32, 64, 128)
FACTORS: Final = (-3, -2, -1, 1, 2, 3)
DISTANCES: Final = (-4, -3, -2, -1, 1, 2, 3, 4)
FEW: Final = (1, 2, 3, 4)


@dataclass(frozen=True)
class OfferForm:
    """A line such as `skew j by #*i`, and what tells it from the move's other forms here."""

    label: str
    line: str


@dataclass(frozen=True, eq=False)
class Offer:
    """A move at a handle: its forms, the likeliest first; without any, `why`. `numbers` are those
    of a slider that starts at `number`."""

    move: str
    forms: tuple[OfferForm, ...]
    why: str = ""
    numbers: tuple[int, ...] = ()
    number: int = 0


@dataclass(frozen=True, eq=False)
class OfferPlace:
    """A handle, among all of the program."""

    scop: Scop
    handle: Handle
    loops: tuple[Handle, ...]

    @property
    def statements(self) -> tuple[str, ...]:
        loop = self.handle.loop
        return (self.handle.name,) if loop is None else loop.statements

    def around(self) -> list[Handle]:
        """The loops around it, the nearest first."""
        return [h for h in reversed(self.loops) if self._is_around(h.loop)]

    def inside(self) -> list[Handle]:
        """The loops in it, in the order of the text."""
        loop = self.handle.loop
        return [h for h in self.loops if h.loop and loop and loop.is_around(h.loop)]

    def after(self) -> list[Handle]:
        """Loops as deep as it that come later."""
        depth = len(self.around())
        known = [
            h for h in self.loops if len(OfferPlace(self.scop, h, self.loops).around()) == depth
        ]
        ids = [h.id for h in known]
        return known[ids.index(self.handle.id) + 1 :] if self.handle.id in ids else []

    def _is_around(self, other: NamedLoop | None) -> bool:
        if other is None:
            return False
        loop = self.handle.loop
        return self.handle.name in other.statements if loop is None else other.is_around(loop)


Forms = Iterator[OfferForm]
Numbers = tuple[tuple[int, ...], int]


def offers(
    scop: Scop, handle: Handle, every: Sequence[Handle], *, tried: bool = True
) -> tuple[Offer, ...]:
    """Each of `MOVES` at a handle of a program; those that are not `tried` may turn out to be
    impossible when they are made."""
    place = OfferPlace(scop, handle, tuple(h for h in every if h.loop is not None))
    found = []
    for move, (forms, (numbers, number)) in MOVES.items():
        said = list(forms(place))
        kept, why = _possible(scop, said, number) if tried and move in TRIED else (said, "")
        why = "" if kept else why or _needs(move, handle)
        found.append(Offer(move, tuple(kept), why, numbers, number))
    return tuple(found)


def _possible(scop: Scop, forms: Sequence[OfferForm], number: int) -> tuple[list[OfferForm], str]:
    """Those that can be made; and why not, if none can."""
    kept, why = [], ""
    for form in forms:
        try:
            for line in read(form.line.replace(NUMBER, str(number))):
                line.move.applied(scop)
            kept.append(form)
        except isl.BudgetExhausted:
            raise
        except PolynbError as error:
            why = why or error.message
    return kept, "" if kept else why


def _needs(move: str, handle: Handle) -> str:
    """What a move would take that has no form here."""
    if move in ("privatize", "expand"):
        return "it takes a temporary that is used here"
    if move == "distribute":
        return "it takes a loop with several parts"
    if move == "fuse":
        return "it takes a second loop that comes after"
    if handle.loop is None and move != "shift":
        return "it takes a loop: pick one"
    return "it takes another loop in the nest" if move != "shift" else "it takes a loop around"


# -- the forms of each move ------------------------------------------------------------------


def _interchange(p: OfferPlace) -> Forms:
    if p.handle.loop is not None:
        for h in [*p.inside(), *p.around()]:
            yield OfferForm(f"with {h.name}", f"interchange {p.handle.name} {h.name}")


def _skew(p: OfferPlace) -> Forms:
    if p.handle.loop is not None:
        for h in [*p.around(), *p.inside()[:1]]:
            yield OfferForm(f"by {h.name}", f"skew {p.handle.name} by {NUMBER}*{h.name}")


def _tile(p: OfferPlace) -> Forms:
    if p.handle.loop is None:
        return
    nest = [p.handle.name]
    for h in p.inside()[:2]:
        nest.append(h.name)
        names = " ".join(nest)
        yield OfferForm(names, f"tile {names} by {NUMBER}")


def _of_loop(line: str, label: str = "") -> Callable[[OfferPlace], Forms]:
    def forms(p: OfferPlace) -> Forms:
        if p.handle.loop is not None:
            yield OfferForm(label, line.format(p.handle.name))

    return forms


def _kind(move: str, kind: str) -> Callable[[OfferPlace], Forms]:
    """A loop is to run so, if it does not yet."""

    def forms(p: OfferPlace) -> Forms:
        if p.handle.loop is not None and p.handle.loop.loop.kind != kind:
            yield OfferForm("", f"{move} {p.handle.name}")

    return forms


def _unroll_and_jam(p: OfferPlace) -> Forms:
    if p.inside():
        yield OfferForm("", f"unroll-and-jam {p.handle.name} by {NUMBER}")


def _peel(p: OfferPlace) -> Forms:
    if p.handle.loop is not None:
        for side in ("first", "last"):
            yield OfferForm(side, f"peel {side} {NUMBER} of {p.handle.name}")


def _fuse(p: OfferPlace) -> Forms:
    """With a loop that comes later; of statements, as deep as both are."""
    for h in p.after()[:3]:
        if h.loop is None:
            continue
        yield OfferForm(f"with {h.name}", f"fuse {p.handle.name} {h.name}")
        first, second = p.statements[-1], h.loop.statements[0]
        if p.inside():
            yield OfferForm(f"{first} with {second}", f"fuse {first} {second}")


def _distribute(p: OfferPlace) -> Forms:
    if p.handle.loop is None:
        yield OfferForm(f"at {p.handle.name}", f"distribute at {p.handle.name}")
        return
    yield OfferForm("all parts", f"distribute {p.handle.name}")
    for s in p.statements[1:]:
        yield OfferForm(f"at {s}", f"distribute {p.handle.name} at {s}")


def _shift(p: OfferPlace) -> Forms:
    loops = p.around() if p.handle.loop is None else [p.handle]
    for s in p.statements:
        for h in loops:
            name = h.name.partition(":")[0].rpartition(".")[2]
            label = s if p.handle.loop else f"along {name}"
            yield OfferForm(label, f"shift {s}.{name} by {NUMBER}")


def _temporaries(p: OfferPlace) -> list[str]:
    used = [s for s in p.scop.statements if s.name in p.statements]
    names = {a.array for s in used for a in (s.write, *s.reads)}
    return [t for t in p.scop.temporaries if t in names]


def _of_array(move: str) -> Callable[[OfferPlace], Forms]:
    def forms(p: OfferPlace) -> Forms:
        for t in _temporaries(p):
            if p.scop.arrays[t].why != "expanded":
                yield OfferForm(t, f"{move} {t}")

    return forms


NONE: Final[Numbers] = (), 0
MOVES: Final[dict[str, tuple[Callable[[OfferPlace], Forms], Numbers]]] = {
    "interchange": (_interchange, NONE),
    "reverse": (_of_loop("reverse {}"), NONE),
    "skew": (_skew, (FACTORS, 1)),
    "tile": (_tile, (SIZES, 32)),
    "strip-mine": (_of_loop(f"strip-mine {{}} by {NUMBER}"), (SIZES, 8)),
    "parallel": (_kind("parallel", "parallel"), NONE),
    "vectorize": (_kind("vectorize", "vector"), NONE),
    "unroll": (_of_loop(f"unroll {{}} by {NUMBER}"), (SIZES[:3], 4)),
    "unroll-and-jam": (_unroll_and_jam, (SIZES[:3], 4)),
    "peel": (_peel, (FEW, 1)),
    "fuse": (_fuse, NONE),
    "distribute": (_distribute, NONE),
    "shift": (_shift, (DISTANCES, 1)),
    "privatize": (_of_array("privatize"), NONE),
    "expand": (_of_array("expand"), NONE),
}
"""The forms of each move, and its numbers, with the one that comes first."""
TRIED: Final = {
    *("skew", "tile", "strip-mine", "parallel", "vectorize", "unroll", "unroll-and-jam"),
    *("fuse", "distribute"),
}
"""Moves that are tried before they are offered; of the others, handles say enough."""
