"""The local Laplacian filter in Halide: the copies of a level lie beside each other, pixel by
pixel; of their details, only the two that the brightness of a pixel selects are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import LANES, ROWS, Halide, Pipeline, framed, weighted

LEVELS: Final = 8
COPIES: Final = 8
PARALLEL: Final = 5  # levels, from the finest on, that are large enough for several threads


def local_laplacian(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    x, y, c, k, strip, row, pair, odd = (
        hl.Var(n) for n in ("x", "y", "c", "k", "strip", "row", "pair", "odd")
    )
    img = hl.ImageParam(hl.UInt(16), 3, "img")
    alpha, beta = (hl.Param(hl.Float(32), n) for n in ("alpha", "beta"))
    rows, columns = ([range(2, sizes[n] // 2**i + 2) for i in range(LEVELS)] for n in "RC")
    remap, grey, copies, result = (hl.Func(n) for n in ("remap", "G0", "P0", "laplacian"))
    wide: list[tuple[Halide, Halide]] = []
    narrow: list[tuple[Halide, Halide]] = []

    def gaussian(name: str, first: Halide, *planes: Halide) -> list[Halide]:
        levels = [first]
        for i in range(1, LEVELS):
            down, both = hl.Func(f"{name}x{i}"), hl.Func(f"{name}{i}")
            down[*planes, x, y] = blurred(lambda n, f=levels[-1]: f[*planes, x, 2 * y + n])
            down = framed(hl, down, columns[i - 1], rows[i], len(planes))
            both[*planes, x, y] = blurred(lambda n, f=down: f[*planes, 2 * x + n, y])
            levels.append(framed(hl, both, columns[i], rows[i], len(planes)))
            wide.append((levels[-1], down))
        return levels

    def blurred(at: Callable[[int], Halide]) -> Halide:
        return hl.f32(0.125) * weighted((1, 3, 3, 1), [at(n) for n in range(-3, 1)])

    def doubled(v: Halide, at: Callable[[Halide], Halide]) -> Halide:
        """What the coarser level has at v, even or odd."""
        before, middle, after = (at(v / 2 + n) for n in range(3))
        on, between = (hl.f32(0.25) * weighted((1, 3), (far, middle)) for far in (before, after))
        return hl.select(v % 2 == 0, on, between)

    def halfway(name: str, coarse: Halide, i: int, *planes: Halide) -> Halide:
        """The rows of level i and the columns of the coarser one."""
        up = hl.Func(f"Ux{name}{i}")
        up[*planes, x, y] = doubled(y, lambda v: coarse[*planes, x, v])
        return framed(hl, up, columns[i + 1], rows[i], len(planes))

    distance = hl.f32(x - 1792) / 256
    remap[x] = alpha / 7 * distance * hl.exp(-distance * distance / 2)
    weights = [hl.f32(w) for w in (0.299, 0.587, 0.114)]
    red, green, blue = (w * img[x, y, n] for n, w in enumerate(weights))
    grey[x, y] = (red + green + blue) * hl.f32(1 / 65535)
    intensity = hl.f32(k) / 7
    nearest = hl.clamp(hl.i32(grey[x, y] * 1792), 0, 1792)
    copies[k, x, y] = beta * (grey[x, y] - intensity) + intensity + remap[nearest - 256 * k + 1792]
    greys, levels = gaussian("G", grey), gaussian("P", copies, k)
    sums: list[Halide] = []
    for i in reversed(range(LEVELS)):
        position = greys[i][x, y] * 7
        below = hl.clamp(hl.i32(position), 0, COPIES - 2)
        details = [levels[i][below + n, x, y] for n in (0, 1)]
        added = hl.f32(0)
        total = hl.Func(f"S{i}")
        if sums:
            up = halfway("L", levels[i + 1], i, k)
            details = [
                detail - doubled(x, lambda v, n=n, up=up: up[below + n, v, y])
                for n, detail in enumerate(details)
            ]
            more = halfway("S", sums[0], i)
            added = doubled(x, lambda v, more=more: more[v, y])
        rest = position - below
        total[x, y] = (1 - rest) * details[0] + rest * details[1] + added
        sums.insert(0, framed(hl, total, columns[i], rows[i]) if i else total)
        if i < LEVELS - 1:
            narrow += [(sums[0], up), (sums[0], more)]
    ratio = (img[x, y, c] / hl.f32(65535) + hl.f32(0.01)) / (grey[x, y] + hl.f32(0.01))
    colour = hl.Func("colour")
    colour[x, y, c] = hl.u16(hl.clamp(sums[0][x, y] * ratio, hl.f32(0), hl.f32(1)) * 65535)
    result[x, y, c] = colour[x + 2, y + 2, c]

    def schedule() -> None:
        result.reorder(x, c, y).split(y, strip, row, ROWS).parallel(strip).vectorize(x, LANES)
        remap.compute_root().vectorize(x, LANES)
        grey.compute_root().parallel(y, 8).vectorize(x, LANES)
        for n, f in enumerate(sums):
            if n == 0:
                on_pairs(f.compute_at(result, row))
            elif n < LEVELS - 1:
                on_pairs(strips(f.compute_root(), n))
            else:
                f.compute_root()
        for level, up in narrow:
            if up.dimensions() == 2:
                up.compute_at(*((result, row) if level is sums[0] else (level, y)))
                up.vectorize(x, LANES)
        for level, down in wide:
            n = (greys if level.dimensions() == 2 else levels).index(level)
            strips(level.compute_root(), n)
            down.compute_at(level, y)
            for f in (level, down):
                if f.dimensions() == 2:
                    f.vectorize(x, LANES)
                else:
                    f.bound(f.args()[0], 0, COPIES).vectorize(f.args()[0], COPIES)

    def strips(f: Halide, n: int) -> Halide:
        return f.parallel(y, 8) if n < PARALLEL else f

    def on_pairs(f: Halide) -> None:
        """Two columns of one coarse one at once, so that the coarse ones are a vector."""
        f.align_bounds(x, 2).split(x, pair, odd, 2).reorder(odd, pair)
        f.unroll(odd).vectorize(pair, LANES)

    return Pipeline({"img": img, "alpha": alpha, "beta": beta}, result, schedule)
