"""How a computation of isl may end, but for its result."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from polynb.errors import PolynbError


class IslError(PolynbError):
    """isl refused a computation."""


class BudgetExhausted(IslError):
    """A computation used more isl operations or seconds than it was given; nothing was changed.

    `limit` says how much that was: "20 operations", "2 seconds"."""

    limit = "budget"


class Interrupted(BaseException):
    """A signal stopped isl, and its handler lets the program go on: what was being computed has to
    begin anew. No `Exception`: nobody but `bounded` knows how."""


@dataclass(eq=False)
class Level:
    """A budget in force. `cap` is the count of operations, `deadline` the time at which it is
    used up; `given` and `seconds` are what was asked for."""

    doing: str
    given: int | None
    seconds: float | None
    cap: int
    deadline: float


def out_of_operations(levels: Sequence[Level]) -> BudgetExhausted:
    """Of budgets in each other, the outermost whose operations are used up."""
    level = next(x for x in levels if x.cap == levels[-1].cap)
    if level.given is None:  # it stands for seconds, where there is no brake
        return out_of_time(levels)
    limit = f"{level.given} operations"
    hint = "a larger `max_operations=`, a smaller program, or stronger assumptions"
    return _exhausted(levels, level, "its operation budget", limit, hint)


def out_of_time(levels: Sequence[Level], waiting: str = "") -> BudgetExhausted:
    """The outermost whose time is up; `waiting`: for what else than isl it was waited."""
    now = time.monotonic()
    timed = [x for x in levels if x.seconds is not None]
    level = next((x for x in timed if now >= x.deadline), timed[-1])
    seconds = level.seconds or 0.0
    limit = f"{seconds:g} seconds"
    hint = (
        f"more time, `with pn.budget(seconds={max(2 * seconds, 1):g}): ...` (or the environment "
        "variable POLYNB_SECONDS); a smaller program; or stronger assumptions"
    )
    return _exhausted(levels, level, f"its {limit}", limit, hint, waiting)


def _exhausted(
    levels: Sequence[Level], level: Level, what: str, limit: str, hint: str, waiting: str = ""
) -> BudgetExhausted:
    named = next((x.doing for x in levels if x.doing), waiting or "the integer-set computation")
    why = "sets with many dimensions, pieces or divisions can take exponential time"
    error = BudgetExhausted(
        f"{level.doing or named} used up {what}",
        reason=f"{limit} were not enough{f' for {waiting}' if waiting else f': {why}'}",
        hint=hint,
    )
    error.limit = limit
    return error
