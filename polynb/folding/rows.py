"""Entries as arrays: which are refused, and which continue rows.

A row is a run of entries whose innermost coordinate counts up by one, and nothing else changes.
What its polyhedron is after several of them, it can be at once, since Algorithm 1 does this:

- Between the entries of a row no loop completes, so nothing but the row's polyhedron changes. As
  long as it absorbs them, as many polyhedra live as before, so either none of them gives up, or the
  first does.
- Every point is one step further, where the row's edge leads: the end moves, and the shape fits.
- The first label that differs from the one before fixes the coefficient ⊥, whatever it is; from
  then on a label fits if it is as much larger again. So up to where the steps of the labels turn,
  all points fit, or the first of them does not.
- A label that does not fit makes the coefficient ⊤, which fits all others (its residuals are a sum
  over the points), or begins another polyhedron, where nothing is widened.

Where steps turn is found for a whole array, by differences of differences. So is which rows are
like those before them, only moved, and always by the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Integers = NDArray[Any]
"""64-bit integers, or Python's where differences of labels may need more."""

FAR: Final = 2**48
"""Coordinates lie between -FAR and FAR, so that no sum of terms leaves the engine's 128 bits."""
REPEATED: Final = -1
EARLIER: Final = -2
TOO_FAR: Final = -3
"""Why an entry is refused; the engine's numbers, too."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Entries that are in order, cut into rows, with what each is to the one before it.

    `changed` is the outermost axis that differs, and `steps` are the differences of the labels;
    `turn` is the first entry after it whose steps are others than those before them (the number of
    entries, if there is none). `starts` are the entries that begin a row. For each of these rows,
    `others` is the number of the first after it that is not like the two before it, moved on by
    the same from each to the next. `code` says why the entry after the last one is refused (0 if
    there is none).
    """

    points: Ints
    labels: Ints
    changed: Ints
    starts: Ints
    steps: Integers
    turn: Ints
    others: Ints
    code: int


def cut(points: Ints, labels: Ints, before: tuple[list[int], list[int]]) -> Cut:
    """The entries up to the first that is refused; `before` is the entry before them. There is at
    least one dimension."""
    dims = points.shape[1]
    moves = np.diff(points, axis=0, prepend=np.array([before[0]]))
    changed = np.full(len(points), dims - 1)
    for q in range(dims - 2, -1, -1):
        changed[moves[:, q] != 0] = q
    progress = np.take_along_axis(moves, changed[:, None], 1)[:, 0]
    wrong = progress <= 0
    if points.min() < -FAR or points.max() > FAR:
        wrong |= ((points < -FAR) | (points > FAR)).any(axis=1)
    code, count = 0, len(points)
    if len(refused := np.flatnonzero(wrong)):
        count = int(refused[0])
        code = EARLIER if progress[count] else REPEATED
        if not -FAR <= points[count].min() <= points[count].max() <= FAR:
            code = TOO_FAR
    starts = np.flatnonzero((changed[:count] < dims - 1) | (progress[:count] > 1))
    steps = _steps(labels[:count], before[1])
    turned = np.zeros(count, bool)
    turned[1:] = (steps[1:] != steps[:-1]).any(axis=1)
    parts = points[:count], labels[:count], changed[:count], starts, steps
    others = _next(_is_other(points, labels[:count].astype(steps.dtype), starts, steps))
    return Cut(*parts, _next(turned), others, code)


def _is_other(points: Ints, labels: Integers, starts: Ints, steps: Integers) -> NDArray[np.bool_]:
    """Of each row, whether it is another one than the two rows before it, or moved on otherwise."""
    found = np.ones(len(starts), bool)
    if len(starts) < 3:
        return found
    lengths = np.diff(starts, append=len(labels))
    before = np.arange(starts[1], len(labels)) - np.repeat(lengths[:-1], lengths[1:])
    inside = (steps[starts[1] :] != steps[before]).any(axis=1)
    inside[starts[1:] - starts[1]] = False
    unlike = np.logical_or.reduceat(inside, starts[1:] - starts[1])
    unlike |= lengths[1:] != lengths[:-1]
    found[2:] = unlike[1:] | unlike[:-1]
    for ends in (points[starts], labels[starts]):
        moves = np.diff(ends, axis=0)
        found[2:] |= (moves[1:] != moves[:-1]).any(axis=1)
    return found


def _steps(labels: Ints, before: list[int]) -> Integers:
    """The differences of each entry's labels from those before; exact."""
    values: Integers = np.concatenate([np.array([before], np.int64), labels])
    if values.size and int(values.max()) - int(values.min()) >= 2**63:
        values = values.astype(object)
    return np.diff(values, axis=0)


def _next(marked: NDArray[np.bool_]) -> Ints:
    """For each entry, the first after it that is marked."""
    count = len(marked)
    at = np.where(marked, np.arange(count), count)
    first = np.minimum.accumulate(at[::-1])[::-1]
    return np.append(first[1:], count)[:count]
