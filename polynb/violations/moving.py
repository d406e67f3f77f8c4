"""One move: what it leads to, and whether that is legal."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import moves as named
from polynb.errors import PolynbError
from polynb.moves import Move
from polynb.schedules.bands import with_schedule
from polynb.schedules.expanding import refusal, ways_out
from polynb.schedules.privatizing import privatizable
from polynb.scop.model import Scop
from polynb.violations.judging import MoveVerdict, Original, judged


@dataclass(frozen=True, eq=False)
class State:
    """A program between two moves; its arrays may have been expanded in the original too."""

    original: Original
    program: Scop
    private: tuple[str, ...] = ()


def moved(state: State, move: Move) -> tuple[State, MoveVerdict]:
    """What a move leads to, and whether that is legal. Raises PolynbError where it cannot be
    made."""
    original, program, private = state.original, state.program, state.private
    match move:
        case named.Privatize(array=array):
            private = tuple(dict.fromkeys((*private, array)))
        case named.Expand(array=array):
            original = Original(move.applied(original.scop))
            program = with_schedule(original.scop, program.schedule)
            private = tuple(n for n in private if n != array)
        case _:
            program = move.applied(program)
    program, verdict = judged(original, program, private)
    if isinstance(move, named.Privatize):
        array = move.array
        why = next((s.why for s in verdict.shared if s.array == array), None)
        if why is not None:
            raise PolynbError(
                f"'{array}' cannot be private to an iteration",
                reason=why,
                hint=_not_private(state.program, array),
            )
    return State(original, program, private), verdict


def _not_private(scop: Scop, array: str) -> str | None:
    """What can be done with an array that no iteration has for itself."""
    given = scop.arrays.get(array)
    if given is not None and given.live_out:
        return f"`temp {array};` in the program, if nothing needs it afterwards"
    if given is not None and refusal(scop, array) is None:
        return f"`expand {array}`"
    can = [name for name, why in privatizable(scop).items() if not why]
    return " or ".join(f"`privatize {t}`" for t in can) or ways_out(scop)
