"""The local Laplacian filter in Halide: the copies of a level lie beside each other, pixel by
pixel; of their details, only the two that the brightness of a pixel selects are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import LANES, Halide, PictureVars, Pipeline, framed, weighted

LEVELS: Final = 8
COPIES: Final = 8
PARALLEL: Final = 5  # levels, from the finest on, that are large enough for several threads


def local_laplacian(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `local_laplacian`."""
    write = _Writer(hl, sizes)
    x, y, c, v = write.v.x, write.v.y, write.v.c, write.v
    img = hl.ImageParam(hl.UInt(16), 3, "img")
    alpha, beta = (hl.Param(hl.Float(32), n) for n in ("alpha", "beta"))
    grey, colour, result = (hl.Func(n) for n in ("G0", "colour", "laplacian"))
    weights = [hl.f32(w) for w in (0.299, 0.587, 0.114)]
    red, green, blue = (w * img[x, y, n] for n, w in enumerate(weights))
    grey[x, y] = (red + green + blue) * hl.f32(1 / 65535)
    remap, copies = write.copies(grey, alpha, beta)
    greys, levels = write.gaussian("G", grey), write.gaussian("P", copies, write.k)
    sums = write.collapsed(greys, levels)
    ratio = (img[x, y, c] / hl.f32(65535) + hl.f32(0.01)) / (grey[x, y] + hl.f32(0.01))
    colour[x, y, c] = hl.u16(hl.clamp(sums[0][x, y] * ratio, hl.f32(0), hl.f32(1)) * 65535)
    result[x, y, c] = colour[x + 2, y + 2, c]

    def schedule() -> None:
        v.in_strips(result).vectorize(x, LANES)
        remap.compute_root().vectorize(x, LANES)
        grey.compute_root().parallel(y, 8).vectorize(x, LANES)
        v.on_pairs(sums[0].compute_at(result, v.row).align_bounds(x, 2))
        for n, f in enumerate(sums[1:-1], 1):
            v.on_pairs(write.strips(f, n).align_bounds(x, 2))
        sums[-1].compute_root()
        for total, up in write.narrow:
            up.compute_at(*((result, v.row) if total is sums[0] else (total, y)))
            up.vectorize(x, LANES)
        for n, level, down in write.wide:
            write.strips(level, n)
            down.compute_at(level, y)
            for f in (level, down):
                write.vectors(f)

    return Pipeline({"img": img, "alpha": alpha, "beta": beta}, result, schedule)


class _Writer:
    """Writes pyramids. `wide`: each level with its number, and what it is before its columns are
    halved; `narrow`: each sum, and what it takes of the coarser one before columns are doubled."""

    def __init__(self, hl: ModuleType, sizes: Mapping[str, int]) -> None:
        self.hl, self.v, self.k = hl, PictureVars.of(hl), hl.Var("k")
        levels = range(LEVELS)
        self.inside = [[range(2, sizes[n] // 2**i + 2) for n in "CR"] for i in levels]
        self.wide: list[tuple[int, Halide, Halide]] = []
        self.narrow: list[tuple[Halide, Halide]] = []

    def copies(self, grey: Halide, alpha: Halide, beta: Halide) -> tuple[Halide, Halide]:
        """The table of what is added for a distance from an intensity, and the picture remapped
        around each intensity."""
        hl, x, y, k = self.hl, self.v.x, self.v.y, self.k
        remap, copies = hl.Func("remap"), hl.Func("P0")
        distance = hl.f32(x - 1792) / 256
        remap[x] = alpha / 7 * distance * hl.exp(-distance * distance / 2)
        value, intensity = grey[x, y], hl.f32(k) / 7
        nearest = hl.clamp(hl.i32(value * 1792), 0, 1792)
        added = remap[nearest - 256 * k + 1792]
        copies[k, x, y] = beta * (value - intensity) + intensity + added
        return remap, copies

    def gaussian(self, name: str, first: Halide, *planes: Halide) -> list[Halide]:
        hl, x, y = self.hl, self.v.x, self.v.y
        levels = [first]
        for i in range(1, LEVELS):
            (before, _), (columns, rows) = self.inside[i - 1], self.inside[i]
            down, both = hl.Func(f"{name}x{i}"), hl.Func(f"{name}{i}")
            pixels = [levels[-1][*planes, x, 2 * y + n] for n in range(-3, 1)]
            down[*planes, x, y] = hl.f32(0.125) * weighted((1, 3, 3, 1), pixels)
            down = framed(hl, down, before, rows, len(planes))
            pixels = [down[*planes, 2 * x + n, y] for n in range(-3, 1)]
            both[*planes, x, y] = hl.f32(0.125) * weighted((1, 3, 3, 1), pixels)
            levels.append(framed(hl, both, columns, rows, len(planes)))
            self.wide.append((i, levels[-1], down))
        return levels

    def collapsed(self, greys: list[Halide], levels: list[Halide]) -> list[Halide]:
        """The sums of the selected details from each level on."""
        hl, x, y = self.hl, self.v.x, self.v.y
        sums: list[Halide] = []
        for i in reversed(range(LEVELS)):
            columns, rows = self.inside[i]
            position = greys[i][x, y] * 7
            below = hl.clamp(hl.i32(position), 0, COPIES - 2)
            rest = position - below
            details = [levels[i][below + n, x, y] for n in (0, 1)]
            added, narrow = hl.f32(0), []
            if sums:
                up = self._halfway("L", levels[i + 1], i, self.k)
                coarse = [self._selected(up, below + n) for n in (0, 1)]
                details = [d - e for d, e in zip(details, coarse, strict=True)]
                more = self._halfway("S", sums[0], i)
                added = self._doubled_along(more)
                narrow = [more]
            total = hl.Func(f"S{i}")
            total[x, y] = (1 - rest) * details[0] + rest * details[1] + added
            sums.insert(0, framed(hl, total, columns, rows) if i else total)
            self.narrow += [(sums[0], f) for f in narrow]
        return sums

    def _doubled_along(self, up: Halide) -> Halide:
        return self._doubled(self.v.x, lambda column: up[column, self.v.y])

    def _selected(self, up: Halide, copy: Halide) -> Halide:
        return self._doubled(self.v.x, lambda column: up[copy, column, self.v.y])

    def _halfway(self, name: str, coarse: Halide, i: int, *planes: Halide) -> Halide:
        """The rows of level i and the columns of the coarser one."""
        (_, rows), (columns, _) = self.inside[i], self.inside[i + 1]
        up = self.hl.Func(f"Ux{name}{i}")
        up[*planes, self.v.x, self.v.y] = self._doubled(
            self.v.y, lambda row: coarse[*planes, self.v.x, row]
        )
        return framed(self.hl, up, columns, rows, len(planes))

    def _doubled(self, at: Halide, coarse: Callable[[Halide], Halide]) -> Halide:
        """What the coarser level has there, which is even or odd."""
        before, middle, after = (coarse(at / 2 + n) for n in range(3))
        on, between = (
            self.hl.f32(0.25) * weighted((1, 3), (far, middle)) for far in (before, after)
        )
        return self.hl.select(at % 2 == 0, on, between)

    def strips(self, f: Halide, n: int) -> Halide:
        f.compute_root()
        return f.parallel(self.v.y, 8) if n < PARALLEL else f

    def vectors(self, f: Halide) -> None:
        """Along the row, or over the copies."""
        if f.dimensions() == 2:
            f.vectorize(self.v.x, LANES)
        else:
            f.bound(f.args()[0], 0, COPIES).vectorize(f.args()[0], COPIES)
