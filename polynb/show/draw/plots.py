"""Pictures with matplotlib. Figures are made without pyplot: no backend is chosen or changed, and
a figure is shown once, as the value of its cell."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection, LineCollection, PolyCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.path import Path
from matplotlib.spines import Spine
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, MaxNLocator

from polynb.errors import PolynbError
from polynb.show.draw.drawable import Cloud, Drawn
from polynb.show.draw.kinds import KINDS, Kind
from polynb.show.draw.scene import RADIUS, Arrow, DrawnScene
from polynb.show.draw.svg import BLUE, FAINT, GREEN, INK, ORANGE, RED

MARKERS: Final = "os^DvP*X"
COLOURS: Final = (BLUE, RED, GREEN, "#CC79A7", "#56B4E9", ORANGE, INK)
HEADS: Final = {"filled": "-|>", "open": "->", "diamond": "-|>"}


class Drawing(Figure):
    """A figure that a notebook shows as a picture, whatever backend is in use."""

    described = ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """The picture says what it shows, and so does the text: who compares stored outputs can
        compare that instead of pixels."""
        themed(self)
        canvas = FigureCanvasAgg(self)
        canvas.draw()
        said = f"{self.described.removesuffix('>')}; marks {digest(self)}>"
        file = io.BytesIO()
        canvas.print_png(file, metadata={"Description": said})
        return {"text/plain": said, "image/png": file.getvalue()}

    def __repr__(self) -> str:
        return self.described


def new_figure(width: float, height: float, described: str) -> Drawing:
    """A figure without pyplot, so that nothing shows it a second time."""
    figure = Drawing(figsize=(width, height), layout="constrained", dpi=100)
    figure.described = f"<Drawing: {described}>"
    FigureCanvasAgg(figure)
    return figure


def canvas(
    ax: Axes | None, width: float, height: float, described: str, **options: Any
) -> tuple[Axes, Drawing | Axes]:
    """What to draw on, and what is given back for it: the axes that a caller has for both, else
    those of a new figure (with `options`), and the figure."""
    if ax is not None:
        return ax, ax
    figure = new_figure(width, height, described)
    return figure.add_subplot(**options), figure


def subplots(
    rows: int = 1, columns: int = 1, *, size: tuple[float, float], described: str, **options: Any
) -> tuple[Drawing, Any]:
    """A figure and its axes as matplotlib's `subplots` (which gets the `options`), that fits light
    and dark pages where it is a cell's value. `size` is in inches; what is `described` stands for
    it where pictures cannot be seen. Lines that mean nothing are best "0.5", a middle grey."""
    figure = new_figure(*size, described)
    return figure, figure.subplots(rows, columns, **options)


def themed(figure: Figure) -> None:
    """Make a figure readable on light and on dark pages: nothing is behind it, and lines and texts
    that would be black or white have a middle tone. Colours that mean something stay."""
    figure.patch.set_alpha(0)
    for artist in figure.findobj():
        match artist:
            case Axes():
                artist.patch.set_alpha(0)
                artist.tick_params(which="both", color=INK, labelcolor=INK)
                if artist.name == "3d":
                    deep: Any = artist
                    for axis in (deep.xaxis, deep.yaxis, deep.zaxis):
                        axis.set_pane_color((0.5, 0.5, 0.5, 0.08))
                        axis.line.set_color(INK)
            case Legend():
                artist.get_frame().set_alpha(0)
            case Spine() if _is_neutral(artist.get_edgecolor()):
                artist.set_edgecolor(INK)
            case Text() if _is_neutral(artist.get_color()):
                artist.set_color(INK)


def _is_neutral(colour: Any) -> bool:
    red, green, blue, _ = to_rgba(colour)
    return (red, green, blue) in ((0, 0, 0), (1, 1, 1))


# -- sets and maps of one depth --------------------------------------------------------


def plot(drawn: Drawn, ax: Axes | None) -> Figure | Axes:
    """Points and arrows of one depth, on these axes or on a new figure."""
    counts = ", ".join(f"{c.name or 'set'} {len(c.points)} points" for c in drawn.clouds)
    arrows = f", {len(drawn.arrows)} arrows" if drawn.arrows else ""
    if ax is not None and drawn.depth == 3 and ax.name != "3d":
        raise PolynbError(
            "three dimensions need axes with three dimensions",
            hint='ax = figure.add_subplot(projection="3d")',
        )
    height = 1.0 + 0.6 * len(drawn.clouds) if drawn.depth == 1 else 4.2
    described = "; ".join((counts + arrows, *drawn.notes))
    ax, shown = canvas(ax, 6.0, height, described, projection="3d" if drawn.depth == 3 else None)
    if any(c.points for c in drawn.clouds):
        {1: _line, 2: _plane, 3: _space}[drawn.depth](drawn, ax)
    else:
        ax.set_axis_off()
        write: Any = getattr(ax, "text2D", ax.text)
        write(0.5, 0.5, "empty", ha="center", va="center", transform=ax.transAxes, style="italic")
    ax.set_title("; ".join(drawn.notes), loc="left", fontsize=9)
    return shown


def _style(k: int) -> dict[str, Any]:
    return {"marker": MARKERS[k % len(MARKERS)], "color": COLOURS[k % len(COLOURS)]}


def _line(drawn: Drawn, ax: Axes) -> None:
    """One row for each tuple."""
    rows = {c.name: -k for k, c in enumerate(drawn.clouds)}
    for k, c in enumerate(drawn.clouds):
        xs = [p[0] for p in c.points]
        for piece in c.pieces:
            ends = [f(p[0] for p in piece) for f in (min, max)]
            ax.plot(ends, [-k, -k], lw=7, alpha=0.15, color=_style(k)["color"])
        ax.plot(xs, [-k] * len(xs), ls="", ms=7, **_style(k))
    for a, p, b, q in drawn.arrows:
        _curve(ax, (p[0], rows[a]), (q[0], rows[b]), 0.3 if a == b else 0.0)
    ax.set_yticks(list(rows.values()), [c.name or "" for c in drawn.clouds])
    ax.set_ylim(-len(rows) + 0.4, 0.6)
    ax.set_xlabel(_axis_name(drawn.clouds, 0))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _plane(drawn: Drawn, ax: Axes) -> None:
    for k, c in enumerate(drawn.clouds):
        for piece in c.pieces:
            _shade(ax, piece, _style(k)["color"])
    for k, c in enumerate(drawn.clouds):
        ax.plot(
            [p[0] for p in c.points],
            [p[1] for p in c.points],
            ls="",
            ms=max(min(7, 150 / len(c.points) ** 0.5), 2) if c.points else 7,
            label=c.name or None,
            **_style(k),
        )
    for a, p, b, q in drawn.arrows:
        _curve(ax, (p[0], p[1]), (q[0], q[1]), 0.12 if a == b else 0.0)
    _axes(drawn, ax)
    left, right, low, high = ax.axis()
    if 1 / 3 <= (right - left) / (high - low) <= 3:
        ax.set_aspect("equal")


def _space(drawn: Drawn, ax: Any) -> None:
    for k, c in enumerate(drawn.clouds):
        columns = [[p[d] for p in c.points] for d in range(3)]
        ax.scatter(*columns, s=22, label=c.name or None, depthshade=True, **_style(k))
    for _, p, _, q in drawn.arrows:
        step = [b - a for a, b in zip(p, q, strict=True)]
        ax.quiver(*p, *step, color=KINDS["map"].colour, lw=1, arrow_length_ratio=0.15)
    _axes(drawn, ax)


def _axes(drawn: Drawn, ax: Any) -> None:
    """Names and whole numbers along the axes; a legend if tuples have names."""
    for d, axis in enumerate("xyz"[: drawn.depth]):
        getattr(ax, f"set_{axis}label")(_axis_name(drawn.clouds, d))
        getattr(ax, f"{axis}axis").set_major_locator(MaxNLocator(integer=True))
    if any(c.name and c.points for c in drawn.clouds):
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _axis_name(clouds: Sequence[Cloud], d: int) -> str:
    return ", ".join(dict.fromkeys(c.dims[d] for c in clouds))


def _curve(ax: Axes, start: tuple[float, float], end: tuple[float, float], bend: float) -> None:
    look = KINDS["map"]
    if start == end:
        ax.plot(*start, marker="o", ms=13, mfc="none", mec=look.colour, ls="")
        return
    ax.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=9,
            shrinkA=4,
            shrinkB=4,
            lw=1,
            color=look.colour,
            alpha=0.8,
            connectionstyle=f"arc3,rad={-bend}",
        )
    )


def _shade(ax: Axes, points: Sequence[tuple[int, ...]], colour: str) -> None:
    corners = hull([(p[0], p[1]) for p in points])
    if len(corners) > 2:
        ax.fill([p[0] for p in corners], [p[1] for p in corners], color=colour, alpha=0.12, lw=0)


def hull(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The corners of the convex hull, counterclockwise (Andrew's monotone chain)."""

    def chain(ordered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for p in ordered:
            while len(found) > 1 and _turn(found[-2], found[-1], p) <= 0:
                found.pop()
            found.append(p)
        return found

    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return chain(ordered)[:-1] + chain(ordered[::-1])[:-1]


def _turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# -- scenes ----------------------------------------------------------------------------


def plot_scene(scene: DrawnScene, ax: Axes | None) -> Figure | Axes:
    """A scene as `scene_svg` draws it, on these axes or on a new figure."""
    height = scene.height / 90 + 0.3 + 0.2 * len(scene.kinds)
    ax, shown = canvas(ax, scene.width / 90, height, scene.alt)
    for left, right in scene.rules:
        ax.plot([left.x, right.x], [left.y, right.y], color=FAINT, lw=0.8, alpha=0.6)
    dots = [p.x for p in scene.dots], [p.y for p in scene.dots]
    ax.plot(*dots, "o", ms=1.4 * RADIUS, color=INK, zorder=3)
    for a in scene.arrows:
        _scene_arrow(ax, a)
    looks = [KINDS[k] for k in scene.kinds if k != "map"]
    lines = [
        Line2D([], [], color=k.colour, ls=_dashes(k), dash_capstyle="round",
               label=f"{k.name}: {k.meaning}")
        for k in looks
    ]  # fmt: skip
    if lines:
        ax.legend(handles=lines, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, fontsize=8)
    for t in scene.texts:
        side = {"start": "left", "middle": "center", "end": "right"}[t.anchor]
        family = "monospace" if t.role == "name" else None
        ax.text(t.x, t.y, t.text, ha=side, va="baseline", fontsize=8.5, family=family)
    ax.set_xlim(0, scene.width)
    ax.set_ylim(scene.height, 0)
    ax.set_aspect("equal")
    ax.axis("off")
    ax.set_title(" ".join(scene.notes), loc="left", fontsize=9)
    return shown


def _scene_arrow(ax: Axes, a: Arrow) -> None:
    look = KINDS[a.kind]
    style: Any = {"color": look.colour, "lw": 0.8 * look.width, "alpha": 0.9 if a.exact else 0.5}
    if a.loop:
        x, y = a.start
        left, right = (x - 3, y - RADIUS), (x + 3, y - RADIUS)
        points, codes = [left, (x - 12, y - 21), (x + 12, y - 21), right], [1, 4, 4, 4]
    else:
        points, codes = [a.start, a.control, a.end], [1, 3, 3]
    path = Path(points, codes)
    style |= {"linestyle": _dashes(look), "capstyle": "round"}
    patch = FancyArrowPatch(path=path, arrowstyle=HEADS[look.head], mutation_scale=8, **style)
    ax.add_patch(patch)


def _dashes(look: Kind) -> Any:
    """matplotlib's line style for SVG's dashes: it counts in widths of the line."""
    if look.dash is None:
        return "-"
    return 0, tuple(float(x) / look.width for x in look.dash.split())


# What a figure of matplotlib shows, in short: a digest of its marks and words. Pixels depend on the
# machine's fonts, and on matplotlib's version; what they show does not.


LENGTH: Final = 8


def digest(figure: Figure) -> str:
    """Of a figure that has been drawn: where marks in space are is known only then."""
    said = "\n".join(line for axes in figure.axes for line in _of_axes(axes))
    return hashlib.sha256(said.encode()).hexdigest()[:LENGTH]


def _of_axes(axes: Axes) -> Iterator[str]:
    for where in ("left", "center", "right"):
        yield f"title {axes.get_title(where)}"
    yield f"axes {axes.get_xlabel()} {axes.get_ylabel()} {axes.get_xscale()} {axes.get_yscale()}"
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):  # others depend on the room
            yield f"ticks {[label.get_text() for label in axis.get_ticklabels()]}"
    for artist in axes.get_children():
        if artist.get_visible() and artist not in (axes.patch, *axes.spines.values()):
            yield from _of(artist)
    legend = axes.get_legend()
    yield f"legend {[t.get_text() for t in legend.get_texts()] if legend else []}"


def _of(artist: Artist) -> Iterator[str]:
    found: Any = artist  # the getters below are not typed
    match artist:
        case Line2D():
            look = f"{found.get_marker()} {found.get_linestyle()} {to_hex(found.get_color())}"
            yield f"line {look} {_rounded(found.get_xydata())}"
        case Text():
            yield f"text {found.get_text()} {_rounded([found.get_position()])}"
        case FancyArrowPatch():  # whose path is in pixels
            yield f"arrow {_rounded(found._posA_posB or found._path_original.vertices)}"
        case Patch():
            placed = found.get_patch_transform().transform(found.get_path().vertices)
            yield f"patch {to_hex(found.get_facecolor())} {_rounded(placed)}"
        case Collection():
            paths = found.get_paths() if isinstance(artist, LineCollection | PolyCollection) else []
            ends = [p for path in paths for p in path.vertices]
            colours = [to_hex(c) for c in found.get_facecolor()]
            yield f"points {colours} {_rounded(found.get_offsets())} {_rounded(ends)}"


def _rounded(points: Iterable[Iterable[float]]) -> str:
    """Four digits: what comes after them is not seen, and depends on the processor."""
    return "; ".join(" ".join(f"{float(x) + 0.0:.4g}" for x in p) for p in points)
