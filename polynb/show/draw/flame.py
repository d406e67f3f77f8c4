"""A flame graph: the loops of a traced program, each as wide as the share of the operations that
were executed in it, the loops inside below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.show.draw.svg import BLUE, INK, Svg, SvgPicture
from polynb.tracing.feedback.loops import LoopNode, loop_tree
from polynb.tracing.model import Folding

WIDTH: Final = 760.0
ROW: Final = 26.0
LETTER: Final = 7.4  # the width of a letter, in pixels
SHADES: Final = (0.1, 0.2)  # by turns, so that rows can be told apart in any colour
NARROW: Final = 2.0  # pixels: what is less is not drawn
TOLD: Final = 6  # loops that the words name


@dataclass(frozen=True)
class LoopBar:
    """A loop: from `start`, `width` of the whole (both shares), `depth` rows below the program."""

    name: str
    line: int
    depth: int
    start: float
    width: float
    operations: int


def bars(folding: Folding) -> list[LoopBar]:
    """All loops, outer before inner; of a program that executed nothing, none."""
    total = sum(f.entries for f in folding.executed.values())
    found: list[LoopBar] = []
    at = 0.0
    for root in loop_tree(folding) if total else ():
        at += _add(found, root, folding, at, total)
    return found


def _add(found: list[LoopBar], node: LoopNode, folding: Folding, at: float, total: int) -> float:
    operations = sum(folding.executed[i.name].entries for i in node.inside)
    share = operations / total
    found.append(LoopBar(node.name, node.loop.line, node.depth, at, share, operations))
    below = at
    for child in node.children:
        below += _add(found, child, folding, below, total)
    return share


def flame_graph(folding: Folding) -> SvgPicture:
    """The picture; what is too narrow for its name has none."""
    shown = bars(folding)
    total = sum(f.entries for f in folding.executed.values())
    rows = max((b.depth for b in shown), default=-1) + 2
    svg = Svg(WIDTH + 2, rows * ROW + 2)
    _bar(svg, 0, 0, WIDTH, f"{folding.run.command or 'the program'}: {total:,} operations", 0)
    for k, b in enumerate(shown):
        x, width = b.start * WIDTH, b.width * WIDTH
        if width >= NARROW:
            text = f"{b.name}, line {b.line}: {100 * b.width:.0f} %"
            _bar(svg, x, (b.depth + 1) * ROW, width, text, k + 1)
    largest = sorted(shown, key=lambda b: -b.operations)[:TOLD]
    said = ", ".join(f"{b.name} (line {b.line}) {100 * b.width:.0f} %" for b in largest)
    alt = f"Executed operations by loop, of {total:,}: {said or 'no loops'}."
    return SvgPicture(svg, alt)


def _bar(svg: Svg, x: float, y: float, width: float, text: str, k: int) -> None:
    svg.rectangle(x + 1, y + 1, max(width - 1, 1), ROW - 3, BLUE, SHADES[k % 2])
    room = int((width - 10) / LETTER)
    said = text if len(text) <= room else text.partition(",")[0]
    if len(said) <= room:
        svg.text(x + 7, y + ROW - 9, said, 12, fill=INK)
