"""What hosts that play no trace show of one: pictures of its first and its last step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from polynb.show.html import Html, image, page
from polynb.show.trace.format import TraceJson
from polynb.show.trace.pictures import picture

MOST: Final = 60_000
"""Characters of all of them in a notebook's file: those of programs of a dozen statements."""


def stills(traces: Iterable[TraceJson]) -> Html:
    """Nothing where they would be too large."""
    shown = page(*(found for each in traces for found in _of(each)))
    return shown if len(shown) <= MOST else Html("")


def _of(found: TraceJson) -> Iterator[Html]:
    last = len(found["steps"]) - 1
    for k in sorted({0, last}):
        svg = picture(found, k)
        yield image(str(svg), f"Step {k} of {last}: {found['steps'][k]['sentence']}", svg.width)
