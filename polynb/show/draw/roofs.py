"""A roofline as a picture: operations a second over operations for each byte, both logarithmic; the
roof is what memory allows, up to where arithmetic ends it, and each kernel hangs below it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from polynb.conveniences import Markup
from polynb.show.draw.svg import BLUE, FAINT, INK, Svg, SvgPicture, number
from polynb.tuning.limits import MachineLimits
from polynb.tuning.roofs import Roofline, RooflinePoint

WIDTH, HEIGHT = 560.0, 330.0
LEFT, RIGHT, TOP, BOTTOM = 54.0, 544.0, 24.0, 282.0  # of the axes
LINE: Final = 14.0  # between names
LETTER: Final = 6.8
LABELS: Final = 8  # along an axis


def roofline_svg(found: Roofline) -> Markup:
    """See `Roofline.to_svg`."""
    return Markup(picture(found).svg)


def picture(found: Roofline) -> SvgPicture:
    """The picture, and in words what it shows."""
    svg = Svg(WIDTH, HEIGHT)
    limits = found.limits
    at = _Axes(found.kernels, limits)
    _ticks(svg, at, limits)
    y, x = at.y(limits.peak), at.x(limits.peak / limits.bandwidth)
    svg.path(f"M{LEFT} {number(at.y(at.low_x * limits.bandwidth))}L{x:.1f} {y:.1f}H{RIGHT}", INK, 2)
    svg.text(RIGHT, y - 6, f"{limits.peak / 1e9:.3g} {limits.unit}", 11, "end")
    svg.text(x - 8, y - 6, f"{limits.bandwidth / 1e9:.3g} GB/s", 11, "end")
    spots = [(at.y(p.rate), at.x(p.intensity), p) for p in found.kernels]
    for y, x, p in spots:
        roof = at.y(min(limits.peak, max(p.intensity, at.low_x) * limits.bandwidth))
        svg.path(f"M{x:.1f} {roof:.1f}V{y:.1f}", BLUE, 1.2, "3 3")
        svg.circle(x, y, 4.5, BLUE)
    below = 0.0
    for y, x, p in sorted(spots, key=lambda spot: spot[0]):  # no name on another
        name = f"{p.label} {p.times:.2f} ×"
        half = LETTER * len(name) / 2
        below = max(y + 18, below + LINE)
        svg.text(min(max(x, LEFT + half), RIGHT - half), below, name, 12, "middle")
    return SvgPicture(svg, "; ".join(map(str, found.kernels)))


class _Axes:
    """Where things are: whole powers of two around all that is shown."""

    def __init__(self, kernels: Sequence[RooflinePoint], limits: MachineLimits) -> None:
        ridge = limits.peak / limits.bandwidth
        xs = [ridge, *(p.intensity for p in kernels if 0 < p.intensity < math.inf)]
        self.low_x, self.high_x = _around(min(xs) / 2), _around(max(xs) * 4, up=True)
        shown = [p.rate for p in kernels if p.rate]
        ys = [limits.peak, self.low_x * limits.bandwidth, *shown]
        self.low_y, self.high_y = (
            _around(min(ys) / 2e9) * 1e9,
            _around(max(ys) / 1e9, up=True) * 1e9,
        )

    def x(self, intensity: float) -> float:
        return LEFT + (RIGHT - LEFT) * _share(intensity, self.low_x, self.high_x)

    def y(self, rate: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * _share(rate, self.low_y, self.high_y)


def _around(value: float, up: bool = False) -> float:
    power = math.log2(value)
    return float(2.0 ** (math.ceil(power) if up else math.floor(power)))


def _share(value: float, low: float, high: float) -> float:
    """Where a value is on a logarithmic axis; at its ends, what is not on it."""
    inside = min(max(value, low), high)
    return math.log(inside / low) / math.log(high / low)


def _ticks(svg: Svg, at: _Axes, limits: MachineLimits) -> None:
    svg.path(f"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}", FAINT, 1)
    for value in _powers(at.low_x, at.high_x):
        x = at.x(value)
        svg.path(f"M{x:.1f} {BOTTOM}v4", FAINT, 1)
        svg.text(x, BOTTOM + 17, _said(value), 11, "middle")
    for value in _powers(at.low_y / 1e9, at.high_y / 1e9):
        y = at.y(value * 1e9)
        svg.path(f"M{LEFT - 4} {y:.1f}H{RIGHT}", FAINT, 0.5, opacity=0.4)
        svg.text(LEFT - 8, y + 4, _said(value), 11, "end")
    svg.text((LEFT + RIGHT) / 2, HEIGHT - 8, "operations for each byte", 12, "middle")
    svg.text(8, 13, limits.unit, 12)


def _powers(low: float, high: float) -> list[float]:
    """Powers of two from one to another, some of them if they are many."""
    count = round(math.log2(high / low))
    step = math.ceil(count / LABELS)
    return [low * 2.0**k for k in range(0, count + 1, step)]


def _said(value: float) -> str:
    return f"{value:g}" if value >= 1 else f"1/{1 / value:g}"
