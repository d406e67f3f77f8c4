"""What a refusal proposes, judged: of moves to be made instead of one that cannot be made, or
before it, its hint names those that are legal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves import Move
from polynb.moves.script import moves_in
from polynb.violations.moving import State, moved
from polynb.violations.ways import MOST, OPERATIONS, ways
from polynb.words import listed

EITHER: Final = re.compile(r",? or (?=`)")
PLAN: Final = re.compile(r"`([^`]+)`( first)?(?:, then `([^`]+)`|, which .*)?")


@dataclass(frozen=True, eq=False)
class Proposal:
    """Moves to be made instead of another one, or (`first`) before it."""

    moves: tuple[Move, ...]
    first: bool = False

    def __str__(self) -> str:
        lines = [f"`{m}`" for m in self.moves]
        *before, last = lines if not self.first else (*lines, "")
        return f"{listed(before)} first{f', then {last}' * bool(last)}" if before else last


def judged_hint(hint: str, state: State, move: Move) -> str:
    """The hint of an error about a move that cannot be made, without the moves that are illegal.
    Where all are, what makes them legal, if single moves do."""
    parts = {part: _plan(part) for part in EITHER.split(hint)}
    plans = [p for p in parts.values() if p is not None]
    if not plans:
        return hint
    legal = [part for part, plan in parts.items() if plan is None]
    illegal: list[str] = []
    mended: list[str] = []
    with suppress(isl.BudgetExhausted), isl.budget(OPERATIONS):
        for part, plan in parts.items():
            if plan is not None:
                (legal if _failing(state, plan, move) is None else illegal).append(part)
        for plan in plans if not legal else ():
            mended += [str(p) for p in _mended(state, plan, move)] if len(mended) < MOST else []
    kept = legal or mended or [part for part in parts if part not in illegal]
    if not kept:
        said = " nor ".join(f"`{p.moves[0]}`" for p in plans[:MOST])
        said = f"neither {said} is" if len(plans) > 1 else f"{said} is not"
        return f"another move: {said} {'enough' if plans[0].first else 'legal here'}"
    return (", or " if any(" first" in part for part in kept) else " or ").join(kept)


def _plan(part: str) -> Proposal | None:
    """What a part of a hint proposes, if all of it is moves."""
    found = PLAN.fullmatch(part)
    if found is None:
        return None
    lines = [line for line in (found[1], found[3]) if line]
    moves = tuple(moves_in("\n".join(lines)))
    before = found[2] is not None and found[3] is None
    return Proposal(moves, before) if len(moves) == len(lines) else None


def _failing(state: State, plan: Proposal, move: Move) -> tuple[int, State] | None:
    """The first move of a plan that is illegal, by its number, and where it is; None if there is
    none. (It is counted among the moves with the one that comes behind.)"""
    for k, each in enumerate(_whole(plan, move)):
        try:
            there, verdict = moved(state, each)
        except isl.BudgetExhausted:
            raise
        except PolynbError:
            return k, state
        if not verdict:
            return k, state
        state = there
    return None


def _whole(plan: Proposal, move: Move) -> Sequence[Move]:
    return (*plan.moves, move) if plan.first else plan.moves


def _mended(state: State, plan: Proposal, move: Move) -> list[Proposal]:
    """A plan with one more move that makes it legal."""
    failing = _failing(state, plan, move)
    if failing is None:
        return [plan]
    k, there = failing
    try:
        verdict = moved(there, _whole(plan, move)[k])[1]
    except PolynbError:
        return []
    found = [Proposal((*plan.moves[:k], way, *plan.moves[k:]), plan.first)
             for way in ways(there, _whole(plan, move)[k], verdict)]  # fmt: skip
    return [p for p in found if _failing(state, p, move) is None][:1]
