"""Best first: of sequences of moves, those that prolong what measured well are timed before others.

A sequence is as good as the lower end of the interval of its ratio: what may be noise is not gone
after, nor is a move that is not faster for sure than what it was made behind. Each time that one
more move brings nothing, the sequence loses a tenth of what it is worth, until a first move of
another kind is worth as much: that of a program which is no faster than it was. Passes are few,
and change more than moves do: each is timed before anything is made longer.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.moves.script import PASSES
from polynb.tuning.results import Row, lower_end
from polynb.tuning.scripts import TimeIsUp
from polynb.tuning.space import MoveSequence, OpenSpace

PATIENCE: Final = 0.9
Measure = Callable[[Sequence[MoveSequence]], Sequence[Row]]
Clock = Callable[[], float]


@dataclass(eq=False)
class _Timed:
    """A sequence that was timed: its ratio, what it is worth to make it longer, and what does and
    has not been looked at yet."""

    script: str
    depth: int
    ratio: float
    hope: float
    left: Iterator[MoveSequence]
    begun: bool = False
    ended: bool = False

    def following(self, known: Container[str], seconds: float) -> MoveSequence | None:
        """The next sequence one longer that is not known; None if there is none. Raises
        BudgetExhausted."""
        self.begun = True
        with isl.budget(seconds=max(seconds, 0.001)):
            found = next((s for s in self.left if s.script not in known), None)
        self.ended = found is None
        return found


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
    nodes = [_Timed("", 0, 1.0, math.inf if space.passes else 1.0, space.longer(""))]
    with suppress(isl.BudgetExhausted, TimeIsUp):
        while len(rows) < most and (left := end - clock()) > 0:
            chosen = _chosen(nodes, rows, depth, min(width, most - len(rows)), left)
            if not chosen:
                break
            for (parent, s), row in zip(chosen, measure([s for _, s in chosen]), strict=True):
                rows[s.script] = row
                score = lower_end(row)
                helps = score > parent.ratio
                if parent.script and not helps:
                    parent.hope *= PATIENCE
                if row.error is None:
                    ratio, hope = row.values.get("ratio", 0.0), score if helps else PATIENCE
                    new = _Timed(s.script, parent.depth + 1, ratio, hope, space.longer(s.script))
                    nodes.append(new)
        for n in nodes:  # what there was no room for is counted
            while len(rows) >= most and n.begun and not n.ended:
                n.following((), end - clock())
    space.complete &= all(n.ended or n.depth == depth for n in nodes)
    return list(rows.values())


def _chosen(
    nodes: Sequence[_Timed], rows: Mapping[str, Row], depth: int, width: int, seconds: float
) -> list[tuple[_Timed, MoveSequence]]:
    """The next sequences to be timed, each with the one that it prolongs."""
    found: dict[str, tuple[_Timed, MoveSequence]] = {}
    while len(found) < width:
        open_ = [n for n in nodes if not n.ended and n.depth < depth]
        if not open_:
            break
        best = max(open_, key=lambda n: n.hope)  # the first of several
        s = best.following(rows.keys() | found.keys(), seconds)
        if s is not None:
            found[s.script] = best, s
        if s is None or s.move not in PASSES:
            best.hope = 1.0 if best.hope == math.inf else best.hope
    return list(found.values())
