"""A drawing of ours, made of SVG's simple shapes, on matplotlib's axes: the second pen of
what `Svg` writes itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path

from polynb.show.draw.plots import new_figure, themed
from polynb.show.draw.svg import SvgPicture, SvgShape

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
    for shape, x, y, opacity in _placed(svg.shapes, 0.0, 0.0, 1.0):
        _add(ax, shape, x, y, opacity)
    ax.set_xlim(0, svg.width)
    ax.set_ylim(svg.height, 0)
    ax.set_aspect("equal")
    ax.axis("off")
    if figure is None:
        return ax
    themed(figure)
    return figure


def _placed(
    shapes: Iterable[SvgShape], x: float, y: float, opacity: float
) -> Iterator[tuple[SvgShape, float, float, float]]:
    """All shapes, out of their groups: where the origin of each is, and how opaque it is."""
    for shape in shapes:
        shown = opacity * float(shape.attributes.get("opacity", 1))
        if shape.tag == "g":
            moved = re.findall(r"-?[0-9.]+", shape.attributes.get("transform", "0 0"))
            yield from _placed(shape.shapes, x + float(moved[0]), y + float(moved[1]), shown)
        else:
            yield shape, x, y, shown


def _add(ax: Axes, shape: SvgShape, x: float, y: float, opacity: float) -> None:
    a = shape.attributes
    look = _look(a, opacity)
    match shape.tag:
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
            _write(ax, shape, x + float(a["x"]), y + float(a["y"]), opacity)
        case _:
            raise AssertionError(f"{shape.tag} is no simple shape")


def _look(a: Mapping[str, str], opacity: float) -> dict[str, Any]:
    width = float(a.get("stroke-width", 1)) * POINT
    dash = a.get("stroke-dasharray")
    style = (0, tuple(float(k) * POINT / width for k in dash.split())) if dash else "-"
    return {
        "facecolor": a.get("fill", "none"),
        "edgecolor": a.get("stroke", "none"),
        "linewidth": width if "stroke" in a else 0,
        "linestyle": style,
        "alpha": opacity,
    }


def _write(ax: Axes, shape: SvgShape, x: float, y: float, opacity: float) -> None:
    a, text = shape.attributes, shape.text.replace("$", r"\$")
    turn = re.findall(r"-?[0-9.]+", a.get("transform", "0"))[0]
    ax.text(
        x, y, text, ha=SIDES[a.get("text-anchor", "start")], va="baseline",
        fontsize=float(a["font-size"]) * POINT, color=a["fill"], alpha=opacity,
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
