"""Why a loop runs in parallel, or does not: what `choose_loops` says of it."""

from __future__ import annotations

from enum import StrEnum

from polynb.legality.carried import DependentPairs


class Bar(StrEnum):
    """Why a loop that could run in parallel is not chosen."""

    NONE_ASKED = "none is asked for"
    PARALLEL_INSIDE = "as a loop inside is parallel"
    TOO_SMALL = "as it is too small: a part of an iteration with temporaries of its own"
    IN_VECTORS = "as it is inside a loop that runs in vectors"
    LITTLE = "as it has too little work, again and again, to wake threads for"


class Chosen(StrEnum):
    """Why a loop is parallel."""

    GIVEN = "as it was"
    FREE = "as it carries no dependence"


COLLAPSED = "collapsed with the loop {} where both form a rectangle"
INSIDE = COLLAPSED.format("outside")
"""Of a loop whose iterations are shared out with those of a parallel one."""


def together(why: str) -> str:
    """Of the outer one of two loops that share out their iterations as one."""
    return f"{why}, {COLLAPSED.format('inside')}"


def busiest(threads: int) -> str:
    """Of a loop of few iterations that is chosen all the same."""
    return f"as no loop inside keeps {threads} threads busier"


def too_few(threads: int) -> str:
    """Of a loop that is passed over."""
    return f"too few for {threads} threads, which are busier with a loop inside"


def obstructed(obstacle: DependentPairs | None) -> str:
    """Of a loop that cannot run in parallel: it carries a dependence, or runs in another way."""
    if obstacle is None:
        return "as the schedule says"
    return f"as {obstacle.target} depends on {obstacle.source} through {obstacle.array}"
