"""Single live ranges as bars, in one order or in several, one below the other: whatever the sizes,
a picture has as many times as ranges have ends. (`timeline` shows all that happens to a cell.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from polynb.legality.pair import Time
from polynb.show.draw.svg import BLUE, FAINT, INK, Svg

WIDTH: Final = 460.0
LEFT, RIGHT = 16.0, 16.0
TITLE: Final = 24.0
ROW: Final = 34.0
THICK: Final = 8.0
BAD: Final = "#D0453A"
LETTER: Final = 6.7


@dataclass(frozen=True)
class RangeBar:
    """A live range: from the write `first` at `begin` to the read `last` at `end`. None: it was
    there before, or stays. `bad`: it is one of those that collide."""

    first: str | None
    last: str | None
    begin: Time | None
    end: Time | None
    bad: bool = False

    def __str__(self) -> str:
        return f"{self.first or 'before the program'} → {self.last or 'after the program'}"

    @property
    def is_backwards(self) -> bool:
        """Whether it is to be read before it is written, or at the same time."""
        return self.begin is not None and self.end is not None and self.end <= self.begin


def range_bars(panels: Mapping[str, Sequence[RangeBar]]) -> Svg:
    """The ranges of each panel, a title and its bars; times are only as far apart as there are
    other ones in between. What collides is red, and so is where."""
    height = sum(TITLE + ROW * len(bars) + 8 for bars in panels.values())
    svg = Svg(WIDTH, height)
    y = 0.0
    for title, bars in panels.items():
        _panel(svg, title, bars, y)
        y += TITLE + ROW * len(bars) + 8
    return svg


def _panel(svg: Svg, title: str, bars: Sequence[RangeBar], top: float) -> None:
    times = sorted({t for b in bars for t in (b.begin, b.end) if t is not None})
    step = (WIDTH - LEFT - RIGHT) / (len(times) + 1)
    at = {t: LEFT + step * (k + 1) for k, t in enumerate(times)}
    bottom = top + TITLE + ROW * len(bars)
    svg.text(LEFT, top + 15, title, 12.5, bold=True)
    svg.text(WIDTH - RIGHT, top + 15, "time →", 11, "end")
    ends = [_ends(b, at) for b in bars]
    for (a, (low, high)), (b, (start, stop)) in combinations(zip(bars, ends, strict=True), 2):
        left, right = max(low, start), min(high, stop)
        if a.bad and b.bad and left < right:
            svg.rectangle(left, top + TITLE, right - left, bottom - top - TITLE, BAD, 0.22)
    for k, (b, (low, high)) in enumerate(zip(bars, ends, strict=True)):
        _bar(svg, b, low, high, top + TITLE + ROW * (k + 0.68))
    svg.path(f"M{LEFT} {bottom + 1}H{WIDTH - RIGHT}", FAINT, 1)


def _ends(b: RangeBar, at: Mapping[Time, float]) -> tuple[float, float]:
    begin = LEFT if b.begin is None else at[b.begin]
    end = WIDTH - RIGHT if b.end is None else at[b.end]
    return min(begin, end), max(begin, end)


def _bar(svg: Svg, b: RangeBar, low: float, high: float, y: float) -> None:
    colour = BAD if b.bad else BLUE
    if b.is_backwards:
        svg.path(f"M{high} {y}H{low}", colour, 2.5, "5 4")
        svg.polygon([(low - 1, y), (low + 10, y - 6), (low + 10, y + 6)], colour)
    else:
        svg.rectangle(low, y - THICK / 2, max(high - low, 3), THICK, colour)
    for time, x in ((b.begin, high if b.is_backwards else low), (b.end, low)):
        if time is b.begin and time is not None:
            svg.circle(x, y, 5, colour)
    if b.end is not None and not b.is_backwards:
        svg.path(f"M{high} {y - 8}V{y + 8}", colour, 2.5)
    width = LETTER * len(str(b))
    x = min(max(low, LEFT), max(WIDTH - RIGHT - width, LEFT))
    svg.text(x, y - 9, str(b), 11.5, mono=True, fill=BAD if b.bad else INK)
