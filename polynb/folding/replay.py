"""A small stream, folded once more for its steps (TACO'19, Figure 5)."""

from __future__ import annotations

from typing import Final

from polynb.errors import PolynbError
from polynb.folding.model import Entries, Folded
from polynb.folding.steps import FoldingStep
from polynb.folding.streams import SMALL, fold_stepwise

AGAIN: Final = "pn.fold(points, labels).step(), or pn.trace(..., streams=True)['I1'].step()"


def entries_of(folded: Folded) -> Entries:
    """The stream itself. Raises PolynbError where it was not kept: it was too long, or traced
    without its streams."""
    if folded.stream_entries is not None:
        return folded.stream_entries
    if folded.entries > SMALL:
        raise PolynbError(
            f"a stream of {folded.entries:,} entries is not stepped through",
            reason=f"only streams of at most {SMALL} are kept",
            hint="the same with smaller sizes; its pieces: .table()",
        )
    raise PolynbError(
        "the entries of this stream were not kept",
        hint=AGAIN,
    )


def replay(folded: Folded) -> tuple[FoldingStep, ...]:
    """The steps in which the reference folds the stream; it ends with the same pieces. Raises
    PolynbError where the stream was not kept."""
    kept = entries_of(folded)
    again, steps = fold_stepwise(kept.points, kept.labels, folded.stream, kept.variant)
    assert again.pieces == folded.pieces, "the engine and the reference differ"
    return steps
