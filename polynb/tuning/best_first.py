"""Best first: of sequences of moves, those that prolong what measured well are timed before others.

A sequence is as good as the lower end of the interval of its ratio: what may be noise is not gone
after. Each time that one more move brings nothing, the sequence loses a tenth of that, until a
first move of another kind is worth as much: that of a program which is no faster than it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.tuning.results import Row, lower_end
from polynb.tuning.space import MoveSequence, OpenSpace

PATIENCE: Final = 0.9
Measure = Callable[[Sequence[MoveSequence]], Sequence[Row]]
Clock = Callable[[], float]


@dataclass(eq=False)
class _Timed:
    """A sequence that was timed: how good it is by now, and what prolongs it and has not been
    looked at yet (None: it was not prolonged at all)."""

    script: str
    depth: int
    score: float
    hope: float
    left: list[MoveSequence] | None = None


def best_first(
    space: OpenSpace,
    measure: Measure,
    *,
    depth: int,
    most: int,
    seconds: float,
    width: int = 1,
    clock: Clock = time.monotonic,
) -> list[Row]:
    """The rows of up to `most` programs, `width` of them measured together, found and timed until
    `seconds` have passed."""
    end = clock() + seconds
    (start,) = measure([space.sequences[0]])
    rows = {"": start}
    nodes = [_Timed("", 0, 1.0, 1.0)]
    while len(rows) < most and clock() < end:
        chosen = _chosen(space, nodes, rows, depth, min(width, most - len(rows)), end - clock())
        if not chosen:
            break
        found = measure([s for _, s in chosen])
        for (parent, s), row in zip(chosen, found, strict=True):
            rows[s.script] = row
            score = lower_end(row)
            if parent.script and score <= parent.score:
                parent.hope *= PATIENCE
            if row.error is None:
                nodes.append(_Timed(s.script, parent.depth + 1, score, score))
    space.complete &= all(n.left is not None or n.depth == depth for n in nodes)
    return list(rows.values())


def _chosen(
    space: OpenSpace,
    nodes: Sequence[_Timed],
    rows: dict[str, Row],
    depth: int,
    width: int,
    seconds: float,
) -> list[tuple[_Timed, MoveSequence]]:
    """The next sequences to be timed, each with the one that it prolongs."""
    found: dict[str, tuple[_Timed, MoveSequence]] = {}
    open_ = [n for n in nodes if n.left != [] and n.depth < depth]
    while open_ and len(found) < width:
        best = max(open_, key=lambda n: n.hope)  # the first of several
        try:
            if best.left is None:
                with isl.budget(seconds=max(seconds, 0.001)):
                    best.left = list(space.longer(best.script))
        except isl.BudgetExhausted:
            space.complete = False
            break
        while best.left and best.left[0].script in (rows.keys() | found.keys()):
            best.left.pop(0)
        if best.left:
            s = best.left.pop(0)
            found[s.script] = best, s
        open_ = [n for n in open_ if n.left != []]
    return list(found.values())
