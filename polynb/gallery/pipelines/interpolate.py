"""Multiscale interpolation: the missing parts of a picture are filled in from coarser copies.

Every coarser level averages what is known; going back up, each level takes of the coarser one
what its own mask leaves open (an example of Halide; PolyMage, benchmark 6).
"""

from __future__ import annotations

from typing import NamedTuple

from polynb.gallery.pipelines.pyramids import loop, size, weighted, when

LEVELS = 10
HEADER = """\
// Fill the missing parts of a picture of R rows and C columns from coarser copies of it. Channels
// 0 to 2 are its colours, channel 3 is 1 where a pixel is known and 0 where it is not. All but the
// result have a frame of one pixel, which is zero at all levels below the first.
param R, C; assume R >= 1 and C >= 1;
input float img[4][R+2][C+2];
output float interpolate[3][R][C];"""
WEIGH = """\
for c = 0 to 3 do
  for x = 0 to R+1 do
    for y = 0 to C+1 do
      weigh: D0[c][x][y] = img[c][x][y] * img[3][x][y];
    done
  done
done"""
NORMALISE = """\
for c = 0 to 2 do
  for x = 0 to R-1 do
    for y = 0 to C-1 do
      normalise: interpolate[c][x][y] = I0[c][x+1][y+1] / I0[3][x+1][y+1];
    done
  done
done
"""


class Picture(NamedTuple):
    """An array of 4 channels with rows of one level and columns of one that may differ."""

    name: str
    row_level: int
    column_level: int

    @property
    def rows(self) -> str:
        return size("R", self.row_level)

    @property
    def columns(self) -> str:
        return size("C", self.column_level)

    def declaration(self) -> str:
        return f"temp float {self.at(f'{self.rows}+2', f'{self.columns}+2', '4')};"

    def at(self, x: str, y: str, channel: str = "c") -> str:
        return f"{self.name}[{channel}][{x}][{y}]"

    def framed(self, value: str) -> str:
        """The loops that give it a value at each pixel, and zeros around them."""
        whole = ("y", 0, f"{self.columns}+1")
        inner = loop("y", 1, self.columns, self._label("body", f"{self.at('x', 'y')} = {value}"))
        bottom, top = (loop(*whole, self._zero(side, "y")) for side in ("bottom", "top"))
        outer = when(f"x == {self.rows}+1", bottom, top)
        rows = when(f"x >= 1 and x <= {self.rows}", inner, outer)
        left, right = self._zero("left", "0"), self._zero("right", f"{self.columns}+1")
        return loop("c", 0, "3", loop("x", 0, f"{self.rows}+1", left, rows, right))

    def _zero(self, side: str, y: str) -> str:
        return self._label(side, f"{self.at('x', y)} = 0")

    def _label(self, part: str, assignment: str) -> str:
        return f"{self.name}_{part}: {assignment};"


def program() -> str:
    """D0, D1, ... are the levels on the way down, I8, I7, ... on the way up; Dx1 and Ux8 have
    their rows and the columns of the level before."""
    known = [Picture("D0", 0, 0)]
    pictures, stages = list(known), [WEIGH]

    def stage(picture: Picture, value: str) -> Picture:
        pictures.append(picture)
        stages.append(picture.framed(value))
        return picture

    for level in range(1, LEVELS):
        wide = Picture(f"Dx{level}", level, level - 1)
        stage(wide, _blurred([known[-1].at(x, "y") for x in ("2*x-2", "2*x-1", "2*x")]))
        values = _blurred([wide.at("x", y) for y in ("2*y-2", "2*y-1", "2*y")])
        known.append(stage(Picture(f"D{level}", level, level), values))
    filled = known.pop()
    for level, own in reversed(list(enumerate(known))):
        narrow = Picture(f"Ux{level}", level, level + 1)
        stage(narrow, _mean([filled.at(x, "y") for x in ("(x+1)/2", "(x+2)/2")]))
        filling = _mean([narrow.at("x", y) for y in ("(y+1)/2", "(y+2)/2")])
        values = f"{own.at('x', 'y')} + (1.0f - {own.at('x', 'y', '3')}) * ({filling})"
        filled = stage(Picture(f"I{level}", level, level), values)
    return "\n".join([HEADER, *(p.declaration() for p in pictures), *stages, NORMALISE])


def _blurred(pixels: list[str]) -> str:
    return f"0.25f * {weighted((1, 2, 1), pixels)}"


def _mean(pixels: list[str]) -> str:
    return f"0.5f * {weighted((1, 1), pixels)}"
