"""A small SVG writer. The same calls give the same bytes, so that displays can be compared.

An SVG inside an `<img>` cannot inherit the page's text colour: all colours are middle tones,
which can be read on a light and on a dark page (at least 4:1 for text, 3:1 for lines).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

INK: Final = "#777777"
FAINT: Final = "#8f8f8f"
BLUE: Final = "#0072B2"
BROWN: Final = "#B85C00"
VIOLET: Final = "#BF00FF"
GREEN: Final = "#009E73"
ORANGE: Final = "#E69F00"
RED: Final = "#D55E00"
SANS: Final = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
MONO: Final = "Menlo, Consolas, DejaVu Sans Mono, monospace"

Point = tuple[float, float]


@dataclass(frozen=True)
class SvgShape:
    """An element: its attributes as they are written, and its text or the shapes in it."""

    tag: str
    attributes: Mapping[str, str]
    text: str = ""
    shapes: tuple[SvgShape, ...] = ()

    def __str__(self) -> str:
        said = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        plain = self.text if self.tag == "style" else escape(self.text)
        inside = plain + "".join(map(str, self.shapes))
        return f"<{self.tag}{said}>{inside}</{self.tag}>" if inside else f"<{self.tag}{said}/>"


class Svg:
    """Shapes on a canvas of `width` x `height` pixels, drawn in the order they are added. One that
    `stretches` fills the place it is given, whatever its shape."""

    def __init__(self, width: float, height: float, stretches: bool = False) -> None:
        self.stretches = stretches
        self.width, self.height = round(width), round(height)
        self.shapes: list[SvgShape] = []

    def _add(
        self,
        tag: str,
        text: str = "",
        shapes: Sequence[SvgShape] = (),
        **attributes: float | str | None,
    ) -> None:
        written = {
            name.replace("_", "-"): _written(value)
            for name, value in attributes.items()
            if value is not None
        }
        self.shapes.append(SvgShape(tag, written, text, tuple(shapes)))

    def path(
        self,
        d: str,
        stroke: str = INK,
        width: float = 1.5,
        dash: str | None = None,
        opacity: float | None = None,
    ) -> None:
        self._add(
            "path",
            d=d,
            fill="none",
            stroke=stroke,
            stroke_width=width,
            stroke_dasharray=dash,
            stroke_linecap="round" if dash and dash.startswith("0") else None,
            opacity=opacity,
        )

    def polygon(self, points: Sequence[Point], fill: str, stroke: str | None = None) -> None:
        said = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        line = 1.4 if stroke else None
        self._add("polygon", points=said, fill=fill, stroke=stroke, stroke_width=line)

    def circle(self, x: float, y: float, r: float, fill: str, stroke: str | None = None) -> None:
        line = 1.4 if stroke else None
        self._add("circle", cx=x, cy=y, r=r, fill=fill, stroke=stroke, stroke_width=line)

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, opacity: float = 1
    ) -> None:
        shown = None if opacity == 1 else opacity
        self._add("rect", x=x, y=y, width=width, height=height, rx=3, fill=fill, fill_opacity=shown)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 12,
        anchor: str = "start",
        mono: bool = False,
        bold: bool = False,
        fill: str = INK,
        turn: float = 0,
    ) -> None:
        self._add(
            "text",
            text,
            x=x,
            y=y,
            font_size=size,
            text_anchor=None if anchor == "start" else anchor,
            font_family=MONO if mono else SANS,
            font_weight="bold" if bold else None,
            fill=fill,
            transform=f"rotate({number(turn)} {number(x)} {number(y)})" if turn else None,
        )

    def place(self, other: Svg, x: float, y: float, **attributes: str) -> None:
        """Another drawing's shapes, as a group with its corner at (x, y)."""
        moved = f"translate({number(x)} {number(y)})" if x or y else None
        self._add("g", "", other.shapes, transform=moved, **attributes)

    def define(self, key: str, other: Svg) -> None:
        """Shapes that `use` draws, as often as they are needed."""
        self._add("defs", "", [SvgShape("g", {"id": key}, "", tuple(other.shapes))])

    def use(self, key: str, x: float = 0, y: float = 0) -> None:
        self._add("use", href=f"#{key}", x=x or None, y=y or None)

    def style(self, css: str) -> None:
        self._add("style", css)

    def __str__(self) -> str:
        size = f'width="{self.width}" height="{self.height}"'
        box = f'viewBox="0 0 {self.width} {self.height}"'
        box += ' preserveAspectRatio="none"' if self.stretches else ""
        inside = "".join(map(str, self.shapes))
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>{inside}</svg>'


@dataclass(frozen=True, eq=False)
class SvgPicture:
    """A drawing, and what it shows in words."""

    svg: Svg
    alt: str


def number(x: float, digits: int = 1) -> str:
    """A number without needless zeros."""
    text = f"{x:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _written(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return number(value, 2 if abs(value) < 2 else 1)
