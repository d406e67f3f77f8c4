"""What can be done at a handle: for each move its forms there, as lines with a place for a number.

A form is offered if the move can be made; whether it is legal is what a person finds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves import MOVES
from polynb.moves.move import NUMBER, Move, Spot
from polynb.moves.script import read
from polynb.scop import Scop
from polynb.show.play.code import Handle

OFFERED: Final = (
    *("interchange", "reverse", "skew", "tile", "strip-mine", "parallel", "vectorize", "unroll"),
    *("unroll-and-jam", "peel", "fuse", "distribute", "shift", "privatize", "expand"),
)
"""In the order of their buttons."""


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


def offers(
    scop: Scop, handle: Handle, every: Sequence[Handle], *, tried: bool = True
) -> tuple[Offer, ...]:
    """Each of the moves at a handle of a program; those that are not `tried` may turn out to be
    impossible when they are made."""
    loops = {h.name: h.loop for h in every if h.loop is not None}
    place = Spot(scop, handle.name, handle.loop, loops)
    found = []
    for move in map(MOVES.__getitem__, OFFERED):
        forms = [OfferForm(label, line) for label, line in move.offered(place)]
        kept, why = _possible(scop, forms, move.number) if tried and move.tried else (forms, "")
        why = "" if kept else why or f"it takes {_needs(move, handle)}"
        found.append(Offer(move.name, tuple(kept), why, move.numbers, move.number))
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


def _needs(move: type[Move], handle: Handle) -> str:
    """What a move would take that has no form here."""
    return move.needs or ("a loop: pick one" if handle.loop is None else "another loop in the nest")
