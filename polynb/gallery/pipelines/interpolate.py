"""Multiscale interpolation: the missing parts of a picture are filled in from coarser copies.

Every coarser level averages what is known; going back up, each level takes of the coarser one
what its own mask leaves open (an example of Halide; PolyMage, benchmark 6).
"""

from __future__ import annotations

from polynb.gallery.pipelines.pyramids import (
    Extent,
    Picture,
    evenly_halved,
    level_size,
    loop,
    weighted,
    when,
)

HEADER = """\
// Fill the missing parts of a picture of R rows and C columns from coarser copies of it. Channels
// 0 to 2 are its colours, channel 3 is 1 where a pixel is known and 0 where it is not. All but the
// result have a frame of one pixel, which is zero at all levels below the first.
param R, C; assume R >= 1 and C >= 1; {halves}
input float img[4][R+2][C+2];
output float interpolate[3][R][C];"""
WEIGH = """\
for c = 0 to 3 do
  for x = 0 to R+1 do
    for y = 0 to C+1 do
      D0: D0[c][x][y] = img[c][x][y] * img[3][x][y];
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


def program(levels: int = 10) -> str:
    """D0, D1, ... are the levels on the way down, I8, I7, ... on the way up; Dx1 and Ux8 have
    their rows and the columns of the level before."""
    known = [_picture("D0", 0, 0)]
    pictures, stages = list(known), [WEIGH]

    def stage(picture: Picture, value: str) -> Picture:
        pictures.append(picture)
        stages.append(_framed(picture, value))
        return picture

    for level in range(1, levels):
        value = _blurred([known[-1].at(x, "y") for x in ("2*x-2", "2*x-1", "2*x")])
        wide = stage(_picture(f"Dx{level}", level, level - 1), value)
        value = _blurred([wide.at("x", y) for y in ("2*y-2", "2*y-1", "2*y")])
        known.append(stage(_picture(f"D{level}", level, level), value))
    filled = known.pop()
    for level, own in reversed(list(enumerate(known))):
        value = _mean([filled.at(x, "y") for x in ("(x+1)/2", "(x+2)/2")])
        narrow = stage(_picture(f"Ux{level}", level, level + 1), value)
        filling = _mean([narrow.at("x", y) for y in ("(y+1)/2", "(y+2)/2")])
        value = f"{own.at('x', 'y')} + (1.0f - {own.at('x', 'y', 3)}) * ({filling})"
        filled = stage(_picture(f"I{level}", level, level), value)
    header = HEADER.format(halves=evenly_halved(levels - 1))
    return "\n".join([header, *(p.declaration() for p in pictures), *stages, NORMALISE])


def _picture(name: str, row_level: int, column_level: int) -> Picture:
    rows, columns = level_size("R", row_level), level_size("C", column_level)
    return Picture(name, 4, Extent(0, rows, 1), Extent(0, columns, 1))


def _framed(picture: Picture, value: str) -> str:
    """The loops that give a picture this value at each pixel, and zeros around them."""
    rows, columns = picture.rows, picture.columns
    row = loop("y", 1, columns.size, picture.assign("x", "y", value, "body"))
    bottom, top = (
        loop("y", 0, columns.last, picture.assign("x", "y", "0", part))
        for part in ("bottom", "top")
    )
    left, right = (
        picture.assign("x", y, "0", part) for y, part in (("0", "left"), (columns.last, "right"))
    )
    inner = when("x <= 0", top, when(f"x <= {rows.size}", row, bottom))
    return picture.planewise(loop("x", 0, rows.last, left, inner, right))


def _blurred(pixels: list[str]) -> str:
    return f"0.25f * {weighted((1, 2, 1), pixels)}"


def _mean(pixels: list[str]) -> str:
    return f"0.5f * {weighted((1, 1), pixels)}"
