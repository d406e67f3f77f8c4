"""What a figure of matplotlib shows, in short: a digest of its marks and words. Pixels depend on
the machine's fonts, and on matplotlib's version; what they show does not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection, LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator

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
