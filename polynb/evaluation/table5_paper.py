"""What the paper measured: Table 5 of "Building a Polyhedral Representation from an Instrumented
Execution" (Selva and others, TACO 16(4), 2019), as it is printed there.

They count machine instructions of gcc 8.1 for x86, dependences through registers too, and the hot
region of each program on the suite's own inputs; here, loads and stores of a whole run on small
inputs are counted. So #P, #MP_I and the input size are not to be compared; what is: %A of the
dependences of regular programs (backprop, lud, nw, pathfinder), that F gives 100% of them, that
giving up makes no more pieces (F_GG beside F, F_GG,W beside F_W), and which programs have much that
is not affine. Widening has no such bound: with coefficients ⊤ fewer polyhedra live at a time, so a
stream may be kept (F_GG,W) that is given up without (F_GG, one piece).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


# Program | dependences: size; F: #P #MP_I; F_W, F_GG, F_GG,W: #P %A #MP_I |
# instructions: size; F_W, F_GG,W: #P %A #MP_I | Optim
PRINTED: Final = """
backprop|19M 160 385 160 100 385 160 100 385 160 100 385|15M 140 99 304 140 99 304|T 2D, P, V
bfs|5M 903K 965K 874K 93 951K 74 31 772 70 31 772|4M 520K 82 472K 38 51 367|T 2D, P
b+tree|95M 91K 390K 86K 99 336K 113 99 3K 113 99 3K|61M 50K 90 153K 160 89 1K|T 3D, P, V
cfd|782M 530 1K 525 98 1K 530 100 1K 525 98 1K|498M 332 100 961 332 100 961|T 3D, P, V
heartwall|33G 3K 8K 2K 90 6K 1K 10 5K 1K 10 5K|18G 1K 69 3K 1K 9 3K|T 5D, P
hotspot|19M 11K 22K 10K 95 21K 785 0 6K 785 0 6K|11M 6K 71 13K 520 0 3K|T 2D, P
hotspot3D|235M 168 1K 162 91 1K 168 100 1K 162 91 1K|183M 84 85 782 84 85 782|T 3D, P
kmeans|1G 135 477 131 99 472 135 100 477 131 99 472|911M 82 95 281 82 95 281|T 4D, P, V
lavaMD|1G 7K 2K 7K 94 2K 7K 100 2K 7K 94 2K|923M 4K 71 1K 4K 71 1K|T 3D, P
leukocyte|5G 516K 161K 514K 99 113K 162 99 66K 162 99 65K|2G 355K 84 72K 128 84 40K|T 3D, P, V
lud|89M 2K 1K 2K 98 1K 2K 98 1K 2K 98 1K|51M 1K 97 864 1K 97 864|T 3D, P
myocyte|4M 5K 9K 5K 100 9K 5K 100 9K 5K 100 9K|3M 3K 99 4K 3K 99 4K|T 1D, P, V
nn|782K 124 242 124 100 211 124 100 241 124 100 211|855K 160 100 189 160 100 189|T 1D, P
nw|217M 301 1K 296 99 1K 301 100 1K 296 99 1K|111M 155 100 555 155 100 555|T 2D, P, V
particlefilter|3G 5K 92K 3K 99 2K 550 8 2K 541 8 2K|2G 2K 99 1K 474 11 1K|T 2D, P, V
pathfinder|74M 35 139 35 100 135 35 100 139 35 100 135|42M 24 61 116 24 61 116|T 2D, P
srad_v1|3G 250 851 242 94 824 250 100 851 242 94 824|2G 179 93 531 179 93 531|T 2D, P
srad_v2|1G 276 811 268 97 791 276 100 811 268 97 791|721M 204 93 493 204 93 493|T 2D, P
streamcluster|2G 1M 1M 1M 85 1M 8K 85 13K 6K 85 12K|1G 611K 71 618K 3K 71 6K|-
"""


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


PAPER: Final = dict(map(_row, PRINTED.split("\n")[1:-1]))
"""The rows by program."""
