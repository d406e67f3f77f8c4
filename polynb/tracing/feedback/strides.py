"""How far an access moves in memory with each iteration of a loop (TACO'19, 2.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from polynb.folding import Folded
from polynb.tracing.feedback.loops import called
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction, LoopOf


@dataclass(frozen=True)
class AccessStrides:
    """The strides of an access along its loops, outermost first, in elements of what it moves.

    None where there is none: the coefficient is ⊤, differs between the pieces, or is no whole
    number of elements. `iterated` says of each loop whether it had more than one iteration there.
    """

    instruction: Instruction
    loops: tuple[str, ...]
    strides: tuple[int | None, ...]
    iterated: tuple[bool, ...]
    executed: int

    def along(self, loop: int) -> int | None:
        return self.strides[loop]

    def text(self) -> str:
        """`conn[k][j]: 1 along j, irregular along k`."""
        parts = [
            f"{'irregular' if s is None else s} along {name}"
            for s, name, many in zip(self.strides, self.loops, self.iterated, strict=True)
            if many
        ]
        return f"{self.instruction.text}: {', '.join(parts) or 'one element'}"


def access_strides(folding: Folding) -> dict[str, AccessStrides]:
    """Of all loads and stores, by name."""
    found, loops = {}, {loop.name: loop for loop in folding.loops}
    for name, i in folding.instructions.items():
        if i.kind in ("load", "store") and i.outputs == ("address",):
            folded = folding.executed[name]
            strides = tuple(_stride(folded, q, i.size or 1) for q in range(len(i.loops)))
            many = tuple(iterates(folded, q) for q in range(len(i.loops)))
            found[name] = AccessStrides(i, called(loops, i.loops), strides, many, folded.entries)
    return found


def _stride(folded: Folded, q: int, size: int) -> int | None:
    """The coefficient that all pieces with several iterations agree on, in elements. A piece with
    one iteration has a zero there that says nothing."""
    moving = [p for p in folded.pieces if p.approximate or _width(p.vertices, q)]
    found = {p.labels[0].coefficients[q] for p in moving if p.labels}
    if len(found) > 1 or any(p.approximate for p in moving):
        return None
    step = found.pop() if found else 0
    if not isinstance(step, int) or step % size:
        return None
    return step // size


def iterates(folded: Folded, q: int) -> bool:
    """Whether there are several iterations of its loop q."""
    return _width((v for p in folded.pieces for v in p.vertices), q)


def iterated(loop: LoopOf, i: Instruction, folded: Folded, q: int) -> bool:
    """Whether an instruction shows that its q-th loop, `loop`, had a second iteration. What the
    head of a loop asks is asked once more than it has iterations."""
    asked = i.kind in ("load", "integer") and (i.file, i.line) == (loop.file, loop.line)
    most = max((v[q] for p in folded.pieces for v in p.vertices), default=0)
    return most > (asked and q + 1 == len(i.loops))


def _width(vertices: Iterable[tuple[int, ...]], q: int) -> bool:
    return len({v[q] for v in vertices}) > 1
