"""Pyramid blending: two pictures joined along a mask, each detail as smoothly as it is coarse.

Burt and Adelson's multiresolution spline (1983); PolyMage, benchmark 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from polynb.gallery.pipelines.pyramids import Extent, Picture, loop, shifted, weighted, when

# Rows of each level that can be computed; columns are the same with C for R.
GAUSSIAN = [Extent(0, "R", 59), Extent(1, "R/2", 28), Extent(2, "R/4", 13), Extent(3, "(R+4)/8", 5)]
LAPLACIAN = [Extent(31, "R", 30), Extent(15, "R/2", 16), Extent(7, "R/4", 9), GAUSSIAN[3]]
HEADER = """\
// Join two pictures of 3 channels, R rows and C columns: the first where a mask is 1, the second
// where it is 0, in bands of detail. Pictures and mask have a frame of 31 pixels at the top and
// at the left and of 29 at the bottom and at the right, as much as the coarsest band needs.
param R, C; assume R >= 1 and C >= 1;
input float img1[3][R+60][C+60], img2[3][R+60][C+60], mask[R+60][C+60];
output float blend[3][R][C];"""


def program(levels: int = 4) -> str:
    """G1_img1, ... are the blurred levels of a picture, L0_img1, ... what each has more than the
    next one; B0, ... the blended bands; S2, S1 and the result their sums from the coarsest on.
    Gx1_img1 has the columns of the level before it, Ux2_img1 and Ux2 of the level after it."""
    write = _Writer(levels - 1)
    first, second = (write.laplacian(name, write.gaussian(name, 3)) for name in ("img1", "img2"))
    bands = zip(first, second, write.gaussian("mask", 0), strict=True)
    total, *blended = reversed([write.blend(i, *pictures) for i, pictures in enumerate(bands)])
    for i, band in zip(reversed(range(levels - 1)), blended, strict=True):
        name = f"S{i}" if i else "blend"
        total = write.upsampled(total, i, (f"Ux{i}", name), band, "+")
    temporary = [p.declaration() for p in write.pictures if p.name != "blend"]
    return "\n".join([HEADER, *temporary, *write.stages, ""])


@dataclass
class _Writer:
    """Writes stage after stage; each makes a picture. `top` is the coarsest level."""

    top: int
    pictures: list[Picture] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)

    def gaussian(self, name: str, planes: int) -> list[Picture]:
        """The levels of an input: each blurs the one before and takes every other pixel of it."""
        levels = [_picture(name, planes, GAUSSIAN[0], GAUSSIAN[0])]
        for i in range(1, self.top + 1):
            wide = _picture(f"Gx{i}_{name}", planes, GAUSSIAN[i], GAUSSIAN[i - 1])
            self._pixelwise(wide, _blurred([levels[-1].at(x, "y") for x in _around("2*x")]))
            level = _picture(f"G{i}_{name}", planes, GAUSSIAN[i], GAUSSIAN[i])
            self._pixelwise(level, _blurred([wide.at("x", y) for y in _around("2*y")]))
            levels.append(level)
        return levels

    def laplacian(self, name: str, levels: list[Picture]) -> list[Picture]:
        bands = [
            self.upsampled(levels[i + 1], i, (f"Ux{i}_{name}", f"L{i}_{name}"), levels[i], "-")
            for i in range(self.top)
        ]
        return [*bands, levels[self.top]]

    def blend(self, level: int, first: Picture, second: Picture, mask: Picture) -> Picture:
        a, b, m = (p.at("x", "y") for p in (first, second, mask))
        picture = _picture(f"B{level}", 3, LAPLACIAN[level], LAPLACIAN[level])
        return self._pixelwise(picture, f"{a} * {m} + {b} * (1.0f - {m})")

    def upsampled(
        self, coarse: Picture, level: int, names: tuple[str, str], other: Picture, sign: str
    ) -> Picture:
        """A level computed from a coarser one, rows first, and what is then added to or taken
        from another picture of its size. Odd and even pixels have different neighbours."""
        fine = LAPLACIAN[level]
        narrow = _picture(names[0], 3, fine, LAPLACIAN[level + 1])
        columns = narrow.columns
        odd, even = (
            loop("y", columns.first, columns.last, narrow.assign(x, "y", value, part))
            for x, part, value in _odd_and_even("x", lambda x: coarse.at(x, "y"))
        )
        both = loop("x", fine.first, fine.last, odd, when(f"x < {fine.last}", even), by=2)
        self._add(narrow, both)
        picture = _picture(names[1], 3, fine, fine)
        columns = picture.columns
        odd, even = (
            picture.assign("x", y, f"{other.at('x', y)} {sign} {value}", part)
            for y, part, value in _odd_and_even("y", lambda y: narrow.at("x", y))
        )
        row = loop("y", columns.first, columns.last, odd, when(f"y < {columns.last}", even), by=2)
        return self._add(picture, loop("x", fine.first, fine.last, row))

    def _pixelwise(self, picture: Picture, value: str) -> Picture:
        rows, columns = picture.rows, picture.columns
        row = loop("y", columns.first, columns.last, picture.assign("x", "y", value))
        return self._add(picture, loop("x", rows.first, rows.last, row))

    def _add(self, picture: Picture, body: str) -> Picture:
        self.pictures.append(picture)
        self.stages.append(picture.planewise(body))
        return picture


def _picture(name: str, planes: int, rows: Extent, columns: Extent) -> Picture:
    across = columns._replace(size=columns.size.replace("R", "C"))
    return Picture(name, planes, rows, across, origin=rows.first if name == "blend" else 0)


def _blurred(pixels: list[str]) -> str:
    return f"0.0625f * {weighted((1, 4, 6, 4, 1), pixels)}"


def _around(middle: str) -> list[str]:
    return [shifted(middle, i) for i in range(-2, 3)]


def _odd_and_even(i: str, coarse: Callable[[str], str]) -> list[tuple[str, str, str]]:
    """For an odd pixel i and the even one after it: which it is, what to call it, its value."""
    before, after, next_one = (coarse(f"({shifted(i, n)})/2") for n in (-1, 1, 3))
    return [
        (i, "odd", f"0.5f * {weighted((1, 1), (before, after))}"),
        (f"{i}+1", "even", f"0.125f * {weighted((1, 6, 1), (before, after, next_one))}"),
    ]
