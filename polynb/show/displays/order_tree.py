"""The orders in which arrays can be propagated, as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from polynb.derivation import Derivation, as_scop
from polynb.propagation.order_tree import Branch, order_tree
from polynb.scop.model import Scop
from polynb.show.draw.svg import GREEN, INK, RED, Svg, number
from polynb.show.html import image, page
from polynb.words import listed

WIDE: Final = 150.0
HIGH: Final = 34.0


@dataclass(frozen=True, eq=False)
class OrderTree:
    """Every order, and what is left after it. In a page it is a tree, as text a line an order."""

    branches: tuple[Branch, ...]

    def __repr__(self) -> str:
        return "\n".join(
            f"{', '.join(map(_said, way))}; left: {_left(way)}"
            for branch in self.branches
            for way in branch.leaves()
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        svg = _drawn(self.branches)
        alt = f"A tree of the orders, from the left to the right. {self!r}"
        return {"text/plain": repr(self), "text/html": page(image(str(svg), alt, svg.width))}


def draw_order_tree(program: Scop | Derivation, **options: Any) -> OrderTree:
    """What comes of each order in which the temporaries of a program can be propagated: solid
    lines to what goes, dashed ones to what stays.

    `options` are those of `propagate`. Raises PolynbError for a program without temporaries, or
    with more than four.
    """
    return OrderTree(order_tree(as_scop(program), **options))


def _drawn(branches: Sequence[Branch]) -> Svg:
    ways = [way for branch in branches for way in branch.leaves()]
    svg = Svg(WIDE * (len(ways[0]) + 1) + 30, HIGH * len(ways) + 10)
    _fork(svg, branches, 12.0, 5.0, ())
    return svg


def _fork(
    svg: Svg, branches: Sequence[Branch], x: float, top: float, way: tuple[Branch, ...]
) -> float:
    """Draws what begins at x, from `top` downwards; returns where it ends."""
    bottom = top
    joints: list[tuple[Branch, float]] = []
    for branch in branches:
        below = _fork(svg, branch.then, x + WIDE, bottom, (*way, branch))
        joints.append((branch, (bottom + below) / 2))
        bottom = below
    if not joints:
        svg.text(x + 10, top + HIGH / 2 + 4, f"left: {_left(way)}", 13, bold=True)
        bottom = top + HIGH
    y = (top + bottom) / 2
    for branch, end in joints:
        colour, dash = (GREEN, None) if branch.goes else (RED, "5 4")
        bend = f"M{number(x)} {number(y)}C{number(x + 30)} {number(y)} {number(x + 10)} "
        bend += f"{number(end)} {number(x + 45)} {number(end)}H{number(x + WIDE)}"
        svg.path(bend, colour, 2, dash)
        svg.text(x + 50, end - 6, _said(branch), 12, mono=True)
    svg.circle(x, y, 4, INK)
    return bottom


def _said(branch: Branch) -> str:
    return f"{branch.array} {'goes' if branch.goes else 'stays'}"


def _left(way: Sequence[Branch]) -> str:
    return listed(sorted(b.array for b in way if not b.goes)) or "none"
