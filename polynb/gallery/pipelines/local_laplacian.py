"""Local Laplacian filter: details made stronger or weaker without halos at edges.

Paris, Hasinoff and Kautz (2011) with 8 intensities, as Halide and PolyMage (benchmark 7) have it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from polynb.gallery.pipelines.pyramids import (
    Extent,
    Picture,
    evenly_halved,
    level_size,
    loop,
    shifted,
    weighted,
    when,
)

HEADER = """\
// Change the contrast of details in a picture of 3 channels, R rows and C columns, by alpha, and of
// the whole by beta; alpha = 0 and beta = 1 change nothing. 8 copies of the picture are remapped
// around an intensity each; every level of the result takes its details from the two copies whose
// intensities are nearest. The picture has a frame of 2 pixels, all levels below it one of zeros.
param R, C; assume R >= 1 and C >= 1; {halves}
input uint16 img[3][R+4][C+4];
input float alpha, beta;
output uint16 laplacian[3][R][C];
temp float remap[3585];"""
# The detail that is added for a distance from an intensity, of which 256 are one step.
REMAP = """\
for r = 0 to 3584 do
  let f = (r - 1792) / 256.0f;
  remap: remap[r] = alpha / 7.0f * f * expf(-f * f / 2.0f);
done"""
GREY = """\
for x = 0 to R+3 do
  for y = 0 to C+3 do
    G0: G0[x][y] = (0.299f * img[0][x][y] + 0.587f * img[1][x][y]
      + 0.114f * img[2][x][y]) / 65535.0f;
  done
done"""
COPIES = """\
for c = 0 to 7 do
  for x = 0 to R+3 do
    for y = 0 to C+3 do
      let intensity = c / 7.0f;
      let nearest = min(max(int32(G0[x][y] * 1792.0f), 0), 1792);
      P0: P0[c][x][y] = beta * (G0[x][y] - intensity) + intensity + remap[nearest - 256*c + 1792];
    done
  done
done"""
SELECTED = """\
let intensity = {grey} * 7.0f;
let below = min(max(int32(intensity), 0), 6);
let rest = intensity - below;"""
COLOUR = """\
for c = 0 to 2 do
  for x = 2 to R+1 do
    for y = 2 to C+1 do
      let ratio = (img[c][x][y] / 65535.0f + 0.01f) / (G0[x][y] + 0.01f);
      colour: laplacian[c][x-2][y-2] = uint16(min(max(S0[x][y] * ratio, 0.0f), 1.0f) * 65535.0f);
    done
  done
done
"""


def program(levels: int = 8) -> str:
    """G0, G1, ... are the levels of the picture in grey, P0, P1, ... of its 8 copies; L0, ... what
    each of these has more than the next one, B0, ... the details selected from them; S6, ... and
    S0 their sums. Gx1 has the columns of the level before it, UxL6 and UxS6 of the level after it.
    """
    write, top = _Writer(), levels - 1
    grey, copies = (write.gaussian(name, planes, top) for name, planes in (("G", 0), ("P", 8)))
    details = [
        write.upsampled(copies[i + 1], i, "L", f"{copies[i].at('x', 'y')} -") for i in range(top)
    ]
    selected = [
        write.select(i, g, d)
        for i, (g, d) in enumerate(zip(grey, [*details, copies[top]], strict=True))
    ]
    total = selected[top]
    for i in reversed(range(top)):
        total = write.upsampled(total, i, "S", f"{selected[i].at('x', 'y')} +")
    header = HEADER.format(halves=evenly_halved(top))
    declared = (p.declaration() for p in write.pictures)
    return "\n".join([header, *declared, REMAP, GREY, COPIES, *write.stages, COLOUR])


@dataclass
class _Writer:
    """Writes stage after stage; each makes a picture."""

    pictures: list[Picture] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)

    def gaussian(self, name: str, planes: int, top: int) -> list[Picture]:
        """The levels of a picture: each blurs the one before and takes every other pixel of it."""
        levels = [_picture(f"{name}0", planes, 0, 0)]
        self.pictures += levels
        for i in range(1, top + 1):
            wide = _picture(f"{name}x{i}", planes, i, i - 1)
            value = _blurred([levels[-1].at(x, "y") for x in _around("x")])
            self._framed(wide, _row(wide, wide.assign("x", "y", value, "body")))
            level = _picture(f"{name}{i}", planes, i, i)
            value = _blurred([wide.at("x", y) for y in _around("y")])
            levels.append(self._framed(level, _row(level, level.assign("x", "y", value, "body"))))
        return levels

    def upsampled(self, coarse: Picture, level: int, name: str, other: str) -> Picture:
        """A level computed from a coarser one, rows first, and what is then added to it. Even and
        odd pixels have different neighbours."""
        narrow = _picture(f"Ux{name}{level}", coarse.planes, level, level + 1)
        even, odd = (
            _row(narrow, narrow.assign("x", "y", value, part))
            for part, value in _even_and_odd("x", lambda x: coarse.at(x, "y"))
        )
        self._framed(narrow, when("mod(x, 2) == 0", even, odd))
        picture = _picture(f"{name}{level}", coarse.planes, level, level)
        even, odd = (
            picture.assign("x", "y", f"{other} {value}", part)
            for part, value in _even_and_odd("y", lambda y: narrow.at("x", y))
        )
        return self._framed(picture, _row(picture, when("mod(y, 2) == 0", even, odd)))

    def select(self, level: int, grey: Picture, details: Picture) -> Picture:
        """Details from the copies with the two nearest intensities. Only data say which."""
        picture = _picture(f"B{level}", 0, level, level)
        near = [details.at("x", "y", plane) for plane in ("below", "below+1")]
        value = f"(1.0f - rest) * {near[0]} + rest * {near[1]}"
        lets = SELECTED.format(grey=grey.at("x", "y"))
        row = loop("y", 0, picture.columns.last, lets, picture.assign("x", "y", value))
        return self._add(picture, loop("x", 0, picture.rows.last, row))

    def _framed(self, picture: Picture, row: str) -> Picture:
        """The loops over a picture with this row of pixels and zeros around them. Each side of the
        frame is a case of its own; in the corners, two of them hold."""
        top, bottom = (_frame_row(picture, side) for side in ("top", "bottom"))
        columns = picture.columns
        left = loop("y", 0, "1", picture.assign("x", "y", "0", "left"))
        beyond = shifted(columns.size, 2)
        right = loop("y", beyond, columns.last, picture.assign("x", "y", "0", "right"))
        within = when(f"x <= {shifted(picture.rows.size, 1)}", f"{left}\n{row}\n{right}", bottom)
        return self._add(picture, loop("x", 0, picture.rows.last, when("x <= 1", top, within)))

    def _add(self, picture: Picture, body: str) -> Picture:
        self.pictures.append(picture)
        self.stages.append(picture.planewise(body))
        return picture


def _picture(name: str, planes: int, row_level: int, column_level: int) -> Picture:
    rows, columns = level_size("R", row_level), level_size("C", column_level)
    return Picture(name, planes, Extent(0, rows, 3), Extent(0, columns, 3))


def _row(picture: Picture, pixel: str) -> str:
    return loop("y", 2, shifted(picture.columns.size, 1), pixel)


def _frame_row(picture: Picture, side: str) -> str:
    """A row of the frame: the case of its side, and those of left and right at its ends."""

    def zeros(*parts: str) -> str:
        return "\n".join(picture.assign("x", "y", "0", part) for part in parts)

    left, right = (zeros(f"{side}_{end}", f"{end}_{side}") for end in ("left", "right"))
    middle = when(f"y <= {shifted(picture.columns.size, 1)}", zeros(side), right)
    return loop("y", 0, picture.columns.last, when("y <= 1", left, middle))


def _blurred(pixels: list[str]) -> str:
    return f"0.125f * {weighted((1, 3, 3, 1), pixels)}"


def _around(i: str) -> list[str]:
    return [shifted(f"2*{i}", n) for n in (-3, -2, -1, 0)]


def _even_and_odd(i: str, coarse: Callable[[str], str]) -> list[tuple[str, str]]:
    """For an even and an odd pixel i: what to call it, and its value."""
    before, middle, after = (coarse(shifted(f"{i}/2", n)) for n in range(3))
    return [
        (part, f"0.25f * {weighted((1, 3), (far, middle))}")
        for part, far in (("even", before), ("odd", after))
    ]
