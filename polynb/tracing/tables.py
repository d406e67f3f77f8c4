"""A Folding as text: its instructions as in Table 3 (TACO'19), its dependences as in Table 4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from polynb.folding import Folded, FoldedPiece
from polynb.tracing.records import Block, Instruction

SHOWN: Final = 40
"""Rows of a table that a text shows."""
LEFT: Final = ("Text", "Polyhedron", "Label function", "Vectors")
ADDRESSES: Final = "addresses are in bytes; @x is where the memory called x begins"


Rows = tuple[list[str], list[tuple[Any, ...]], list[str]]
"""Head, rows and notes of a table."""


def instruction_rows(
    instructions: Mapping[str, Instruction],
    executed: Mapping[str, Folded],
    blocks: Sequence[Block],
) -> Rows:
    """A row for each piece of each instruction's stream."""
    names = _BlockNames(blocks)
    rows: list[tuple[Any, ...]] = []
    for name, i in instructions.items():
        for k, (shape, label, points) in enumerate(_pieces(executed[name], names)):
            about = (name, i.line, i.text, ", ".join(i.loops)) if not k else ("", "", "", "")
            rows.append((*about, shape, label, points))
    head = ["Id", "Line", "Text", "Vectors", "Polyhedron", "Label function", "Points"]
    return head, rows, [ADDRESSES] if any("@" in r[5] for r in rows) else []


def dependence_rows(dependences: Mapping[tuple[str, str], Folded]) -> Rows:
    """The same of dependences, from the consumer's vectors to the producer's."""
    rows: list[tuple[Any, ...]] = []
    for (source, target), folded in dependences.items():
        for k, (shape, label, points) in enumerate(_pieces(folded, None)):
            rows.append((f"{source} → {target}" if not k else "", shape, label, points))
    return ["Id", "Polyhedron", "Label function", "Points"], rows, []


def shortened(table: str, where: str, most: int) -> str:
    """The first lines of a table; `where` is the whole of it."""
    lines = table.splitlines()
    more = len(lines) - 1 - most
    return table if more <= 1 else "\n".join([*lines[: most + 1], f"… {more} more: {where}"])


def _pieces(folded: Folded, names: _BlockNames | None) -> Iterator[tuple[str, str, int]]:
    """Polyhedron, label function and points of each piece."""
    for piece in folded.pieces:
        shape = piece.polyhedron(folded.stream.dimensions)
        shape += " (approximate)" if piece.approximate else ""
        label = folded.label_text(piece)
        if names is not None and folded.stream.outputs == ("address",) and not piece.approximate:
            label = names.label(folded, piece)
        yield shape, label, piece.points


class _BlockNames:
    """The names of the blocks that addresses lie in; the block that came last counts."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = sorted(blocks, key=lambda b: b.address)

    def label(self, folded: Folded, piece: FoldedPiece) -> str:
        """`8cj + ⊤ck + @conn[i] + 8`: the constant as a place in a block."""
        f = piece.labels[0]
        at = f.constant + f.affine_part(piece.anchor)
        block = next((b for b in reversed(self._blocks) if at in b), None)
        if block is None:
            return folded.label_text(piece)
        terms = [f"{k}{c}" for k, c in zip(f.coefficients, folded.stream.dimensions, strict=True)]
        offset = f.constant - block.address
        terms += [f"@{block.name}", *([str(offset)] if offset else [])]
        return " + ".join(terms).replace(" + -", " - ")
