"""Memory against time as SVG: what the stepper draws (widgets/src/memory_*.ts), for a slide and for
pages without scripts.

Nothing is filled, for the colour of the page is not known: so no texture is under another one, or
under a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from polynb.show.draw.svg import BLUE, BROWN, FAINT, INK, Svg
from polynb.show.trace.format import (
    MemoryConflictJson,
    MemoryJson,
    MemoryLayerJson,
    MemoryRole,
    MemoryRule,
)
from polynb.show.trace.memory_layout import (
    TICK,
    Box,
    Half,
    MemoryLayout,
    Run,
    compact,
    dots,
    hatch,
    lines,
    memory_layout,
    outline,
    runs,
    wide,
)

BAD: Final = "#D1495B"
VALUE: Final = 10.0  # the size of the letters of values
STRIP: Final = 8.0  # beside what is known, of a half
FLAG, LEGEND = 18.0, 18.0
HALVES: Final[tuple[Half, ...]] = ("existing", "proposed")
TEXTURES: Final[dict[MemoryRole, Callable[[Box], str]]] = {"unused": dots, "occupied": hatch}
RULES: Final[dict[MemoryRule, str]] = {
    "lifetime": "lifetime in an occupied zone",
    "existing write": "existing write into the lifetime",
    "proposed write": "proposed write into an occupied zone",
    "both write": "both write",
}
"""As the stepper names them beside the place (widgets/src/memory_words.ts)."""


def draw_memory(memory: MemoryJson) -> Svg:
    """Rows, zones, what is known of them, what is proposed, the conflict, and what each means."""
    layout = memory_layout(memory, FLAG if "conflict" in memory else 2)
    groups = [(half, found) for half in HALVES if (found := _layers(memory, half))]
    legend = [_title(memory, half) for half, _ in groups]
    needed = [
        layout.right,
        *(_across(t, found) for t, (_, found) in zip(legend, groups, strict=True)),
    ]
    if "conflict" in memory:
        needed.append(layout.left + wide(_flag(memory["conflict"]), 12))
    svg = Svg(max(needed) + 4, layout.bottom + 6 + LEGEND * len(groups))
    _axes(svg, memory, layout)
    for half, found in groups:
        _half(svg, half, found, layout, _ringed(memory))
    if "conflict" in memory:
        _conflict(svg, memory["conflict"], layout)
    for k, (title, (_, found)) in enumerate(zip(legend, groups, strict=True)):
        _legend(svg, title, found, layout.bottom + 6 + LEGEND * k)
    return svg


def _layers(memory: MemoryJson, half: Half) -> list[MemoryLayerJson]:
    return [layer for layer in memory["layers"] if layer["of"] == half and layer["places"]]


def _ringed(memory: MemoryJson) -> tuple[int, int] | None:
    """The [cell, time] that a ring is around."""
    conflict = memory.get("conflict")
    if conflict is None or conflict["at"] == "zone":
        return None
    cell, time = conflict["place"]
    return cell, time


# -- rows and lines --------------------------------------------------------------------------


def _axes(svg: Svg, memory: MemoryJson, layout: MemoryLayout) -> None:
    for k, cell in enumerate(memory["cells"]):
        row = layout.place(Run(k, 0, layout.zones - 1))
        svg.text(layout.left - 6, row.y + row.height / 2 + 4, cell, 12, "end", mono=True, bold=True)
        svg.path(outline(row), FAINT, 0.7)
    down = layout.bottom - layout.top
    for k, time in enumerate(memory["times"]):
        x = layout.line(k)
        svg.path(
            f"M{x:.1f} {layout.head - 3:.1f}v4M{x:.1f} {layout.top:.1f}v{down:.1f}", FAINT, 0.6
        )
        _tick(svg, x, compact(time), "middle", layout)
    first = min(8, layout.zone - 11) if layout.slanted else 0
    _tick(svg, layout.left + first, "before", "start", layout)
    _tick(svg, layout.line(layout.zones - 1), "after", "end", layout)


def _tick(svg: Svg, x: float, name: str, anchor: str, layout: MemoryLayout) -> None:
    y = layout.head - 6
    if layout.slanted:
        svg.text(x + 3, y, name, TICK, mono=True, turn=-60)
    else:
        svg.text(x, y, name, TICK, anchor, mono=True)


# -- what is in a half -----------------------------------------------------------------------


def _half(
    svg: Svg,
    half: Half,
    found: list[MemoryLayerJson],
    layout: MemoryLayout,
    ringed: tuple[int, int] | None,
) -> None:
    by_role = {layer["role"]: layer for layer in found}
    written = {(c, t) for c, t in by_role["written"]["places"]} if "written" in by_role else set()
    known: set[tuple[int, int]] = set()
    if "known" in by_role:
        known = {(c, z) for c, z in by_role["known"]["places"]}
        for run in runs(by_role["known"], written):
            free = _free(layout, half, run, ringed)
            _known(svg, run.value, _beside(layout.place(run, half), half, known=True), free)
    for role in [r for r in TEXTURES if r in by_role]:
        for run in runs(by_role[role]):
            if half == "proposed":
                svg.path(outline(layout.place(run, half)), BROWN, 2)
            for piece in _pieces(run, known):
                place = layout.place(piece, half)
                if (piece.cell, piece.first) in known:
                    place = _beside(place, half, known=False)
                _texture(svg, role, place, half)
    for cell, time in sorted(written):
        _diamond(svg, layout.line(time), layout.place(Run(cell, 0, 0), half), half)


def _beside(place: Box, half: Half, known: bool) -> Box:
    """Of a half with known content: the box of the content, and the strip that is left."""
    strip = STRIP if half == "existing" else 0
    if known:
        return place._replace(y=place.y + strip, height=place.height - strip)
    return place._replace(height=strip)


def _free(layout: MemoryLayout, half: Half, run: Run, ringed: tuple[int, int] | None) -> Box:
    """Where in a run there is room for its value: in the longer part, beside a ring."""
    if ringed is None or run.cell != ringed[0] or not run.first - 1 <= ringed[1] <= run.last:
        return layout.place(run, half)
    before, after = ringed[1] - run.first, run.last - ringed[1] - 1
    if before >= after:
        box = layout.place(run._replace(last=ringed[1]), half)
        return box._replace(width=box.width - 6)
    box = layout.place(run._replace(first=ringed[1] + 1), half)
    return box._replace(x=box.x + 6, width=box.width - 6)


def _pieces(run: Run, known: set[tuple[int, int]]) -> Iterator[Run]:
    """A run in pieces in which either all or nothing is known."""
    first = run.first
    for k in range(run.first, run.last + 1):
        if k == run.last or ((run.cell, k) in known) != ((run.cell, k + 1) in known):
            yield Run(run.cell, first, k)
            first = k + 1


def _texture(svg: Svg, role: MemoryRole, place: Box, half: Half) -> None:
    d = TEXTURES[role](place)
    if role == "unused":
        svg.path(d, INK, 1.8, "0.1 7.9")
    else:
        svg.path(d, BROWN if half == "proposed" else FAINT, 0.8)


def _known(svg: Svg, value: str, place: Box, free: Box) -> None:
    """What is known, with its value where it is free for a text."""
    tried = (compact(value), _begun(value)) if value else ()
    text = next((t for t in tried if wide(t, VALUE) <= free.width - 10), "")
    middle, half = free.x + free.width / 2 + 1, wide(text, VALUE) / 2 + 2
    svg.path(outline(place), BLUE, 0.9)
    svg.path(lines(place, (middle - half, middle + half) if text else None), BLUE, 0.6)
    if text:
        svg.text(middle, place.y + place.height / 2 + 3.5, text, VALUE, "middle", mono=True)


def _begun(value: str) -> str:
    return f"{value.partition('(')[0]}…"


def _diamond(svg: Svg, x: float, place: Box, half: Half) -> None:
    y = place.y + place.height / 2
    points = [(x, y - 8), (x + 4.5, y), (x, y + 8), (x - 4.5, y)]
    svg.polygon(points, BROWN if half == "proposed" else INK)


# -- the conflict ----------------------------------------------------------------------------


def _flag(conflict: MemoryConflictJson) -> str:
    return f"✗ conflict: {RULES[conflict['rule']]}"


def _conflict(svg: Svg, conflict: MemoryConflictJson, layout: MemoryLayout) -> None:
    """A ring, with a line to the name of the rule."""
    cell, k = conflict["place"]
    ring = layout.place(Run(cell, k, k))
    if conflict["at"] == "time":
        ring = ring._replace(x=layout.line(k) - 9, width=18)
    ring = Box(ring.x - 1, ring.y - 2, ring.width + 2, ring.height + 4)
    svg.path(outline(ring), BAD, 3)
    middle, text = ring.x + ring.width / 2, _flag(conflict)
    svg.path(f"M{middle:.1f} {layout.top - 3:.1f}V{ring.y:.1f}", BAD, 1.6)
    half = wide(text, 12) / 2
    x = max(layout.left + half, min(middle, svg.width - half))
    svg.text(x, layout.top - 6, text, 12, "middle", bold=True, mono=True)


# -- the legend ------------------------------------------------------------------------------


def _title(memory: MemoryJson, half: Half) -> str:
    if half == "proposed":
        return f"{memory.get('candidate', 'proposed')}, below:"
    return f"{memory['array']}, above:" if "candidate" in memory else f"{memory['array']}:"


def _across(title: str, found: list[MemoryLayerJson]) -> float:
    return 8 + wide(title, 12) + sum(44 + wide(layer["label"], 12) for layer in found)


def _legend(svg: Svg, title: str, found: list[MemoryLayerJson], y: float) -> None:
    """What each texture means, as it is on the picture."""
    svg.text(4, y + 11, title, 12, mono=True, bold=True)
    x = 12 + wide(title, 12)
    for layer in found:
        box, half = Box(x, y + 1, 24, 13), layer["of"]
        match layer["role"]:
            case "written":
                _diamond(svg, x + 12, box, half)
            case "known":
                _known(svg, "", box, box)
            case role:
                svg.path(outline(box), *((BROWN, 2) if half == "proposed" else (FAINT, 0.7)))
                _texture(svg, role, box, half)
        svg.text(x + 30, y + 11, layer["label"], 12, mono=True)
        x += 44 + wide(layer["label"], 12)
