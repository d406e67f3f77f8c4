"""A drawing of ours, made of SVG's simple shapes, on matplotlib's axes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from xml.etree import ElementTree

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path

from polynb.show.draw.plots import new_figure, themed
from polynb.show.draw.svg import SvgPicture

DPI: Final = 100
POINT: Final = 72 / DPI  # a pixel, in points
SIDES: Final = {"start": "left", "middle": "center", "end": "right"}
TOKEN: Final = re.compile(r"[MLHQCZhlv]|-?[0-9.]+")
LENGTHS: Final = {"M": 2, "L": 2, "H": 1, "Q": 4, "C": 6, "Z": 0, "h": 1, "v": 1, "l": 2}
CODES: Final = {"M": Path.MOVETO, "Q": Path.CURVE3, "C": Path.CURVE4}


def plot_picture(picture: SvgPicture, ax: Axes | None) -> Figure | Axes:
    """The picture on these axes, or on a new figure of its size."""
    svg, figure = picture.svg, None
    if ax is None:
        figure = new_figure(svg.width / DPI, svg.height / DPI, picture.alt)
        figure.set_layout_engine("none")
        ax = figure.add_axes((0, 0, 1, 1))
    for tag, attributes, text, x, y in _shapes(ElementTree.fromstring(str(svg)), 0.0, 0.0, 1.0):
        _add(ax, tag, attributes, text, x, y)
    ax.set_xlim(0, svg.width)
    ax.set_ylim(svg.height, 0)
    ax.set_aspect("equal")
    ax.axis("off")
    if figure is None:
        return ax
    themed(figure)
    return figure


Shape = tuple[str, dict[str, str], str, float, float]
"""A tag, its attributes, its text, and where its origin is."""


def _shapes(node: ElementTree.Element, x: float, y: float, opacity: float) -> Iterator[Shape]:
    """All shapes, out of their groups."""
    for child in node:
        tag, attributes = child.tag.rpartition("}")[2], dict(child.attrib)
        shown = opacity * float(attributes.get("opacity", 1))
        if tag == "g":
            moved = re.findall(r"-?[0-9.]+", attributes.get("transform", "0 0"))
            yield from _shapes(child, x + float(moved[0]), y + float(moved[1]), shown)
        else:
            yield tag, {**attributes, "opacity": str(shown)}, child.text or "", x, y


def _add(ax: Axes, tag: str, a: dict[str, str], text: str, x: float, y: float) -> None:
    look = _look(a)
    match tag:
        case "path":
            look |= {"fill": False, "capstyle": "butt"}
            ax.add_patch(PathPatch(_path(a["d"], x, y), **look))
        case "polygon":
            corners = [tuple(map(float, p.split(","))) for p in a["points"].split()]
            ax.add_patch(Polygon([(x + u, y + v) for u, v in corners], **look))
        case "circle":
            centre = x + float(a["cx"]), y + float(a["cy"])
            ax.add_patch(Circle(centre, float(a["r"]), **look))
        case "rect":
            corner = x + float(a["x"]), y + float(a["y"])
            sides = float(a["width"]), float(a["height"])
            look["alpha"] = look["alpha"] * float(a.get("fill-opacity", 1))
            ax.add_patch(
                FancyBboxPatch(corner, *sides, boxstyle="round,pad=0,rounding_size=3", **look)
            )
        case "text":
            _write(ax, a, text, x + float(a["x"]), y + float(a["y"]))
        case _:
            raise AssertionError(f"{tag} is no simple shape")


def _look(a: dict[str, str]) -> dict[str, Any]:
    width = float(a.get("stroke-width", 1)) * POINT
    dash = a.get("stroke-dasharray")
    style = (0, tuple(float(k) * POINT / width for k in dash.split())) if dash else "-"
    return {
        "facecolor": a.get("fill", "none"),
        "edgecolor": a.get("stroke", "none"),
        "linewidth": width if "stroke" in a else 0,
        "linestyle": style,
        "alpha": float(a["opacity"]),
    }


def _write(ax: Axes, a: dict[str, str], text: str, x: float, y: float) -> None:
    turn = re.findall(r"-?[0-9.]+", a.get("transform", "0"))[0]
    ax.text(
        x, y, text.replace("$", r"\$"), ha=SIDES[a.get("text-anchor", "start")], va="baseline",
        fontsize=float(a["font-size"]) * POINT, color=a["fill"], alpha=float(a["opacity"]),
        family="monospace" if "mono" in a["font-family"] else "sans-serif",
        weight=a.get("font-weight", "normal"),
        rotation=-float(turn), rotation_mode="anchor",
    )  # fmt: skip


def _path(d: str, x: float, y: float) -> Path:
    """The path of SVG's commands that we write, from an origin."""
    tokens = TOKEN.findall(d)
    points: list[tuple[float, float]] = []
    codes: list[Any] = []
    while tokens:
        command = tokens.pop(0)
        given = [float(tokens.pop(0)) for _ in range(LENGTHS[command])]
        last = points[-1] if points else (0.0, 0.0)
        match command:
            case "H":
                given = [given[0], last[1]]
            case "h":
                given = [last[0] + given[0], last[1]]
            case "v":
                given = [last[0], last[1] + given[0]]
            case "l":
                given = [last[0] + given[0], last[1] + given[1]]
            case "Z":
                given = list(points[0])
        found = list(zip(given[::2], given[1::2], strict=True))
        points += found
        codes += [CODES.get(command, Path.LINETO)] * len(found)
    return Path([(x + u, y + v) for u, v in points], codes)
