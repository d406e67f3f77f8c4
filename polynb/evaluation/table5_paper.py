"""What the paper measured: Table 5 of "Building a Polyhedral Representation from an Instrumented
Execution" (Selva and others, TACO 16(4), 2019), as it is printed there.

They count machine instructions of gcc 8.1 for x86, dependences through registers too, and the hot
region of each program on the suite's own inputs; here, loads and stores of a whole run on small
inputs are counted. So #P, #MP_I and the input size are not to be compared; what is: %A of the
dependences of regular programs (backprop, nw, pathfinder), that F gives 100% of them, that giving
up makes no more pieces (F_GG beside F, F_GG,W beside F_W), and which programs have much that is not
affine. Widening has no such bound: with coefficients ⊤ fewer polyhedra live at a time, so a stream
may be kept (F_GG,W) that is given up without (F_GG, one piece). Of lud, whose OpenMP version runs
over rows and columns of blocks by one loop, %A is 70, and less of larger matrices: little of that
loop's quotients and remainders is affine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final


@dataclass(frozen=True)
class PaperCell:
    """One variant of one program: polyhedra, the percentage of entries in affine pieces, the most
    polyhedra that lived at a time."""

    polyhedra: str
    affine: int
    live: str


@dataclass(frozen=True)
class PaperFigures:
    """A row: the input sizes, dependences and instructions by variant, and the column Optim."""

    dependence_entries: str
    dependences: Mapping[str, PaperCell]
    instruction_entries: str
    instructions: Mapping[str, PaperCell]
    optim: str


def _cells(words: list[str], names: tuple[str, ...]) -> dict[str, PaperCell]:
    found = {}
    for name in names:
        polyhedra = words.pop(0)
        affine = 100 if name == "F" else int(words.pop(0))
        found[name] = PaperCell(polyhedra, affine, words.pop(0))
    return found


def _row(line: str) -> tuple[str, PaperFigures]:
    name, dependences, instructions, optim = line.split("|")
    first, second = dependences.split(), instructions.split()
    return name, PaperFigures(
        first.pop(0),
        _cells(first, ("F", "F_W", "F_GG", "F_GG,W")),
        second.pop(0),
        _cells(second, ("F_W", "F_GG,W")),
        optim,
    )


_PRINTED: Final = files("polynb.evaluation").joinpath("table5.txt").read_text("utf-8")
PAPER: Final = dict(map(_row, _PRINTED.splitlines()[1:]))
"""The rows by program."""
