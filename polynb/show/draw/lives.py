"""The live ranges of one cell along time, in several orders of a program (IMPACT'16, section 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from polynb import isl
from polynb.arguments import named, text, values as integers_by_name
from polynb.dependences import live_ranges
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.order import New, new_times
from polynb.scop.model import Scop
from polynb.scop.witness import Instance
from polynb.show.draw.sample import dated

if TYPE_CHECKING:
    from polynb.show.draw.plots import Drawing

CELL: Final = re.compile(r"(\w+)((?:\[\s*-?\d+\s*\])*)")
HEIGHT: Final = 0.38  # inches for each live range


@dataclass(frozen=True)
class Life:
    """From a write to its last read: the numbers of the two among all instances that run."""

    write: Instance
    read: Instance
    begin: int
    end: int

    def __str__(self) -> str:
        return f"{self.write} to {self.read.statement}"


def lives(
    program: Scop | Derivation, order: New, cell: str, parameters: Mapping[str, int]
) -> tuple[list[Life], int]:
    """The live ranges of a cell, such as `t[2]`, in the order they are written in the program; and
    how many instances run altogether.

    `order` is what `polynb.check` takes: a program, a schedule or isl text. One that is not legal
    may read before it writes: such a life ends before it begins.
    """
    scop = as_scop(program)
    array, wanted = _cell(scop, cell)
    parameters = integers_by_name("parameters", parameters, scop.parameters)
    when = {i: k for k, (_, i) in enumerate(dated(new_times(scop, order), parameters))}
    ends: dict[Instance, list[Instance]] = {}
    for edge in live_ranges(scop).flow:
        if edge.array != array:
            continue
        writer = scop.by_name[edge.source]
        written = isl.pairs(writer.write.relation.intersect_domain(writer.domain), parameters)
        here = {point for point, place in written if tuple(place) == wanted}
        for i, j in isl.pairs(edge.relation, parameters):
            if i in here:
                ends.setdefault(Instance(edge.source, i), []).append(Instance(edge.target, j))
    last = {write: max(reads, key=when.__getitem__) for write, reads in ends.items()}
    return [Life(write, read, when[write], when[read]) for write, read in last.items()], len(when)


def _cell(scop: Scop, cell: str) -> tuple[str, tuple[int, ...]]:
    found = CELL.fullmatch(text("cell", cell).strip())
    if found is None or found[1] not in scop.arrays:
        raise PolynbError(
            f"{cell!r} is no cell of {scop.name}",
            hint=f"such as {next(iter(scop.temporaries), 'A')}[2]; of a scalar, its name",
        )
    wanted = tuple(int(k) for k in re.findall(r"-?\d+", found[2]))
    depth = len(scop.arrays[found[1]].extents)
    if len(wanted) != depth:
        raise PolynbError(
            f"{found[1]} has {depth} subscripts, not {len(wanted)}", hint=found[1] + "[0]" * depth
        )
    return found[1], wanted


def overlaps(found: list[Life]) -> list[tuple[int, int]]:
    """The times at which two values would need the cell at once."""
    spans = sorted((min(life.begin, life.end), max(life.begin, life.end)) for life in found)
    return [(begin, end) for (_, end), (begin, _) in pairwise(spans) if begin < end]


@isl.bounded("the making of the picture")
def draw_lives(
    program: Scop | Derivation, orders: Mapping[str, New], cell: str, **values: int
) -> Drawing:
    """When the live ranges of one cell run, in each of several orders, one beside the other; red is
    where two of them overlap.

    `draw_lives(listing1, {"as written": listing1, "mine": order}, "t[2]", n=3)`. Needs matplotlib.
    Raises PolynbError for a cell that the program does not have, and for no order.
    """
    from polynb.show.draw import plots

    orders = named("orders", orders, what="order")
    if not orders:
        raise PolynbError("there is no order to draw", hint='{"as written": program}')
    drawn = {title: lives(program, order, cell, values) for title, order in orders.items()}
    most = max(len(found) for found, _ in drawn.values())
    said = "; ".join(
        f"{title}: {len(found)} live ranges of {cell}, {len(overlaps(found)) or 'no'} overlapping"
        for title, (found, _) in drawn.items()
    )
    figure = plots.new_figure(4.2 * len(drawn), 0.9 + HEIGHT * max(most, 2), said)
    written = dict.fromkeys(life.write.statement for found, _ in drawn.values() for life in found)
    colours = dict(zip(written, plots.COLOURS * len(written), strict=False))
    axes: Any = figure.subplots(1, len(drawn), squeeze=False)
    for ax, (title, (found, length)) in zip(axes[0], drawn.items(), strict=True):
        _panel(ax, found, length, colours)
        ax.set(title=title, xlabel="time")
    return figure


def _panel(ax: Any, found: list[Life], length: int, colours: Mapping[str, str]) -> None:
    for row, life in enumerate(found):
        line = {"color": colours[life.write.statement], "lw": 6, "solid_capstyle": "butt"}
        ax.plot([life.begin, life.end], [row, row], **line)
        first, last = sorted((life.begin, life.end))
        late = first > length / 2
        x, side = (first - 0.8, "right") if late else (last + 0.8, "left")
        ax.text(x, row, str(life), va="center", ha=side, fontsize=9)
    for begin, end in overlaps(found):
        ax.axvspan(begin, end, color="tab:red", alpha=0.3, lw=0)
    ax.set(yticks=[], xlim=(-1, length), ylim=(len(found), -1))
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
