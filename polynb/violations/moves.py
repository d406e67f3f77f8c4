"""The moves of the transformation language: what each is called, does, and looks like in a script.

A `Move` is a line of a script, whether somebody wrote it or called a method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from polynb.schedules import moves
from polynb.scop.model import Scop


@dataclass(frozen=True)
class Move:
    """A move and what it is about: the arguments of its function."""

    name: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        """The line that says it."""
        return FORMS[self.name].say(**self.arguments)

    def applied(self, scop: Scop) -> Scop:
        """The program after it, legal or not. Raises PolynbError where it cannot be made."""
        return FORMS[self.name].function(scop, **self.arguments)


@dataclass(frozen=True)
class Form:
    """`usage` is how a line is written, `example` one, `about` what it does."""

    usage: str
    example: str
    about: str
    function: Callable[..., Scop]
    say: Callable[..., str]


def _fuse(first: str | None = None, second: str | None = None, depth: int | None = None) -> str:
    names = f" {first} {second}" if first else ""
    return f"fuse{names}{f' depth {depth}' if depth else ''}"


def _distribute(loop: str | None = None, at: str | None = None) -> str:
    return f"distribute{f' {loop}' if loop else ''}{f' at {at}' if at else ''}"


def _skew(loop: str, by: str, factor: int = 1) -> str:
    times = {1: "", -1: "-"}.get(factor, f"{factor}*")
    return f"skew {loop} by {times}{by}"


def _shift(statement: str, amounts: Any, along: str | None = None) -> str:
    numbers = (amounts,) if isinstance(amounts, int | str) else amounts
    place = f"{statement}.{along}" if along else statement
    return f"shift {place} by {', '.join(map(str, numbers))}"


def _tile(loops: Any, by: Any) -> str:
    sizes = (by,) if isinstance(by, int) else by
    return f"tile {' '.join(loops)} by {', '.join(map(str, sizes))}"


def _peel(loop: str, first: int | None = None, last: int | None = None) -> str:
    sides = [f"{side} {n}" for side, n in (("first", first), ("last", last)) if n is not None]
    return f"peel {' '.join([*sides, 'of']) if sides else ''} {loop}".replace("  ", " ")


def _unroll(loop: str, by: int | None = None) -> str:
    return f"unroll {loop}{f' by {by}' if by else ''}"


def _no_move(scop: Scop, array: str) -> Scop:
    """Marks are put where they belong once the order is known (`judging.judged`)."""
    return scop


FORMS: Final[Mapping[str, Form]] = {
    "interchange": Form(
        "interchange LOOP LOOP", "interchange i j", "two loops of a nest change places",
        moves.interchange, lambda first, second: f"interchange {first} {second}",
    ),
    "fuse": Form(
        "fuse [A B] [depth N]", "fuse S T", "two neighbouring nests, or loops, become one",
        moves.fuse, _fuse,
    ),
    "distribute": Form(
        "distribute [LOOP] [at STATEMENT]", "distribute i at T",
        "the parts of a loop get loops of their own", moves.distribute, _distribute,
    ),
    "reverse": Form(
        "reverse LOOP", "reverse i", "a loop runs the other way round",
        moves.reverse, lambda loop: f"reverse {loop}",
    ),
    "skew": Form(
        "skew LOOP by [N*]LOOP", "skew j by i", "what a loop counts grows with another loop",
        moves.skew, _skew,
    ),
    "shift": Form(
        "shift STATEMENT[.LOOP] by N[, N]", "shift S by 1",
        "a statement runs some iterations later",
        moves.shift, _shift,
    ),
    "tile": Form(
        "tile LOOP LOOP by N[, N]", "tile i j by 32", "loops over tiles, and over their points",
        moves.tile, _tile,
    ),
    "strip-mine": Form(
        "strip-mine LOOP by N", "strip-mine i by 8", "a loop in strips",
        moves.strip_mine, lambda loop, by: f"strip-mine {loop} by {by}",
    ),
    "parallel": Form(
        "parallel LOOP", "parallel i", "iterations are shared out to threads",
        moves.parallel, lambda loop: f"parallel {loop}",
    ),
    "vectorize": Form(
        "vectorize LOOP", "vectorize j", "iterations run in the lanes of vectors",
        moves.vectorize, lambda loop: f"vectorize {loop}",
    ),
    "unroll": Form(
        "unroll LOOP [by N]", "unroll i by 4", "iterations are written out", moves.unroll, _unroll
    ),
    "peel": Form(
        "peel [first N | last N of] LOOP", "peel first 1 of i",
        "the first or last iterations stand apart", moves.peel, _peel,
    ),
    "unroll-and-jam": Form(
        "unroll-and-jam LOOP by N", "unroll-and-jam i by 4",
        "iterations are written out inside of the loops in it",
        moves.unroll_and_jam, lambda loop, by: f"unroll-and-jam {loop} by {by}",
    ),
    "privatize": Form(
        "privatize ARRAY", "privatize t", "an iteration has a temporary for itself",
        _no_move, lambda array: f"privatize {array}",
    ),
    "expand": Form(
        "expand ARRAY", "expand t", "a temporary has a cell for each value",
        moves.expand, lambda array: f"expand {array}",
    ),
    "schedule": Form(
        "schedule { S[i, j] -> [j, i] }", "schedule { S[i, j] -> [j, i] }",
        "times of one's own, in isl's notation", moves.reschedule,
        lambda times: f"schedule {times}",
    ),
}  # fmt: skip
