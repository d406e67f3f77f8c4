"""Pyramid blending in Halide: the Gaussian levels are stored; bands and their sum are computed
where a strip of rows of the result needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from polynb.evaluation.halide.model import LANES, Halide, Pipeline, weighted

LEVELS = 4
ROWS = 32


def pyramid_blending(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    x, y, c, strip, row, pair, odd = (
        hl.Var(n) for n in ("x", "y", "c", "strip", "row", "pair", "odd")
    )
    inputs = {n: hl.ImageParam(hl.Float(32), d, n) for n, d in
              (("img1", 3), ("img2", 3), ("mask", 2))}  # fmt: skip
    wide: list[tuple[Halide, Halide]] = []

    def gaussian(name: str) -> list[Halide]:
        levels = [inputs[name]]
        where = (c,) if name != "mask" else ()
        for k in range(1, LEVELS):
            down, both = hl.Func(f"Gx{k}_{name}"), hl.Func(f"G{k}_{name}")
            down[x, y, *where] = blurred(lambda n, f=levels[-1]: f[x, 2 * y + n, *where])
            both[x, y, *where] = blurred(lambda n, f=down: f[2 * x + n, y, *where])
            levels.append(both)
            wide.append((both, down))
        return levels

    def blurred(at: Callable[[int], Halide]) -> Halide:
        return hl.f32(0.0625) * weighted((1, 4, 6, 4, 1), [at(n) for n in range(-2, 3)])

    def doubled(v: Halide, at: Callable[[Halide], Halide]) -> Halide:
        """What the coarser level has at v, even or odd."""
        before, middle, after = (at(v / 2 + n) for n in (-1, 0, 1))
        between = hl.f32(0.5) * weighted((1, 1), (middle, after))
        on = hl.f32(0.125) * weighted((1, 6, 1), (before, middle, after))
        return hl.select(v % 2 == 0, on, between)

    narrow: list[tuple[int, Halide]] = []

    def upsampled(name: str, coarse: Halide, k: int) -> Halide:
        up = hl.Func(name)
        up[x, y, c] = doubled(y, lambda v: coarse[x, v, c])
        narrow.append((k, up))
        return doubled(x, lambda v: up[v, y, c])

    one, two, mask = (gaussian(n) for n in inputs)
    total = hl.Func(f"S{LEVELS - 1}")
    m = mask[-1][x, y]
    total[x, y, c] = one[-1][x, y, c] * m + two[-1][x, y, c] * (1 - m)
    totals = [total]
    for k in reversed(range(LEVELS - 1)):
        a, b = (
            levels[k][x, y, c] - upsampled(f"Ux{k}_{n}", levels[k + 1], k)
            for n, levels in (("img1", one), ("img2", two))
        )
        m, total = mask[k][x, y], hl.Func(f"S{k}")
        total[x, y, c] = a * m + b * (1 - m) + upsampled(f"Ux{k}", totals[0], k)
        totals.insert(0, total)
    result = hl.Func("blend")
    result[x, y, c] = totals[0][x + 31, y + 31, c]

    def schedule() -> None:
        on_pairs(result.reorder(x, c, y).split(y, strip, row, ROWS).parallel(strip))
        for k, up in narrow:
            up.compute_at(totals[k] if k else result, c).vectorize(x, LANES)
        for total in totals[1:-1]:
            on_pairs(total.compute_root().reorder(x, c, y).parallel(y, 8))
        totals[-1].compute_root().vectorize(x, LANES)
        for k, levels in enumerate(zip(one, two, mask, strict=True)):
            for level in levels if k else ():
                level.compute_root().parallel(y, 8).vectorize(x, LANES)
        for level, down in wide:
            down.compute_at(level, y).vectorize(x, LANES)

    def on_pairs(f: Halide) -> None:
        """Two columns of one coarse one at once, so that the coarse ones are a vector."""
        if f is not result:
            f.align_bounds(x, 2)
        f.split(x, pair, odd, 2).reorder(odd, pair).unroll(odd).vectorize(pair, LANES)

    return Pipeline(inputs, result, schedule)
