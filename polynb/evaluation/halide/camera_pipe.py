"""The camera pipeline in Halide: strips of rows, in which each stage has a window of a few rows;
all in 16 bits, which hold what a sensor of 10 bits gives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from types import ModuleType
from typing import Final

from polynb.evaluation.halide.model import Halide, Pipeline

LANES: Final = 32  # numbers of 16 bits in a vector
ROWS: Final = 32
WHITE: Final = 1024  # the value from which on the tone curve is flat, as it is below 0
FRAME: Final = 6

Cell = tuple[int, int]


def camera_pipe(hl: ModuleType, sizes: Mapping[str, int]) -> Pipeline:
    """As the gallery's `camera_pipe`, of values that are not negative and have 10 bits."""
    x, y, c, strip, row, pair, odd, below = (
        hl.Var(n) for n in ("x", "y", "c", "strip", "row", "pair", "odd", "below")
    )
    img = hl.ImageParam(hl.Int(16), 2, "img")
    tables = {n: hl.ImageParam(hl.Float(32), 2, n) for n in ("matrix_3200", "matrix_7000")}
    settings = {n: hl.Param(hl.Float(32), n) for n in ("colour_temp", "contrast", "gamma")}
    inputs = {"img": img, **tables, **settings}
    temperature, contrast, gamma = settings.values()
    denoised, matrix, curve, colour, process = (
        hl.Func(n) for n in ("denoised", "matrix", "curve", "colour", "process")
    )
    near = [img[x, y - 2], img[x, y + 2], img[x - 2, y], img[x + 2, y]]
    denoised[x, y] = hl.max(reduce(hl.min, near), hl.min(reduce(hl.max, near), img[x, y]))
    planes, colours = _demosaicked(hl, denoised)
    sites = [_joined(hl, s, x, y) for s in colours]
    colour[x, y, c] = hl.mux(c, sites)
    warm, cold = (t[x, y] for t in tables.values())
    matrix[x, y] = _between(hl, warm, cold, temperature)
    curve[x] = _tone(hl, hl.f32(x) / 1024, contrast, gamma)
    products = [matrix[n, c] * hl.i32(colour[x, y, n]) for n in range(3)]
    corrected = (matrix[3, c] + products[0] + products[1] + products[2]) / 256
    process[x, y, c] = curve[hl.clamp(corrected, 0, WHITE)]

    def schedule() -> None:
        process.bound(x, FRAME, 2 * sizes["C"]).bound(y, FRAME, 2 * sizes["R"]).bound(c, 0, 3)
        process.split(y, strip, row, ROWS).split(row, row, below, 2)
        process.reorder(x, below, c, row, strip).unroll(c).parallel(strip).vectorize(x, LANES)
        colour.compute_at(process, row).align_bounds(x, 2).align_bounds(y, 2)
        colour.split(x, pair, odd, 2).split(y, row, below, 2).reorder(odd, below, c, pair, row)
        colour.unroll(odd).unroll(below).bound(c, 0, 3).unroll(c).vectorize(pair, LANES)
        for f in (denoised, *planes):
            f.store_at(process, strip).compute_at(process, row).vectorize(x, LANES)
        matrix.compute_root()
        curve.compute_root()

    return Pipeline(inputs, process, schedule, (FRAME, FRAME))


def _demosaicked(hl: ModuleType, denoised: Halide) -> tuple[list[Halide], list[list[Halide]]]:
    """The functions that are worth a window, and for red, green and blue the values at the four
    sites of cell [x, y]: green red, below them blue green."""
    x, y = hl.Var("x"), hl.Var("y")
    here: Cell = (0, 0)

    def plane(name: str, value: Halide) -> Halide:
        f = hl.Func(name)
        f[x, y] = value
        return f

    gr, r, b, gb = (
        plane(name, denoised[2 * x + i, 2 * y + j])
        for name, i, j in (("gr", 0, 0), ("r", 1, 0), ("b", 0, 1), ("gb", 1, 1))
    )

    def at(f: Halide, cell: Cell = here) -> Halide:
        return f[x + cell[0], y + cell[1]]

    def mean(f: Halide, *cells: Cell) -> Halide:
        one, other = (at(f, cell) for cell in cells)
        return (one + other) / 2

    def unlike(f: Halide, *cells: Cell) -> Halide:
        return hl.absd(*(at(f, cell) for cell in cells))

    def straight(f: Halide, cell: Cell, g: Halide, other: Cell) -> Halide:
        """Along the direction in which green differs less."""
        less = unlike(f, cell, here) < unlike(g, other, here)
        return hl.select(less, mean(f, cell, here), mean(g, other, here))

    g_r = plane("g_r", straight(gr, (1, 0), gb, (0, -1)))
    g_b = plane("g_b", straight(gb, (-1, 0), gr, (0, 1)))

    def guess(own: Halide, green: Halide, green_there: Halide, *cells: Cell) -> Halide:
        return at(green) - mean(green_there, *cells) + mean(own, *cells)

    def diagonal(
        own: Halide, green: Halide, green_there: Halide, *pairs: tuple[Cell, Cell]
    ) -> Halide:
        first, second = (unlike(own, *pair) for pair in pairs)
        return hl.select(first < second, *(guess(own, green, green_there, *p) for p in pairs))

    r_b = diagonal(r, g_b, g_r, (here, (-1, 1)), ((-1, 0), (0, 1)))
    b_r = diagonal(b, g_r, g_b, (here, (1, -1)), ((1, 0), (0, -1)))
    beside, above = (here, (-1, 0)), (here, (0, -1))
    red = [guess(r, gr, g_r, *beside), at(r), r_b, guess(r, gb, g_r, here, (0, 1))]
    green = [at(f) for f in (gr, g_r, g_b, gb)]
    blue = [guess(b, gr, g_b, *above), b_r, at(b), guess(b, gb, g_b, here, (1, 0))]
    return [gr, r, b, gb, g_r, g_b], [red, green, blue]


def _joined(hl: ModuleType, sites: list[Halide], x: Halide, y: Halide) -> Halide:
    """The pixel at [x, y] of the four sites of its cell."""
    cells = []
    for k, site in enumerate(sites):
        f = hl.Func(f"site{k}")
        f[hl.Var("x"), hl.Var("y")] = site
        cells.append(f[x / 2, y / 2])
    rows = [hl.select(x % 2 == 0, cells[k], cells[k + 1]) for k in (0, 2)]
    return hl.select(y % 2 == 0, *rows)


def _between(hl: ModuleType, warm: Halide, cold: Halide, temperature: Halide) -> Halide:
    """A factor for the temperature of the light, in 1/256."""
    ends = [hl.f32(1) / t for t in (3200, 7000)]
    alpha = (1 / temperature - ends[0]) / (ends[1] - ends[0])
    return hl.i32(256 * (warm * alpha + cold * (1 - alpha)))


def _tone(hl: ModuleType, linear: Halide, contrast: Halide, gamma: Halide) -> Halide:
    """An S, of two parabolas."""
    g = hl.pow(linear, 1 / gamma)
    b = 2 - hl.pow(hl.f32(2), contrast / 100)
    a = 2 - 2 * b
    upper, lower = 1 - (a * (1 - g) * (1 - g) + b * (1 - g)), a * g * g + b * g
    tone = hl.select(g > hl.f32(0.5), upper, lower)
    return hl.u8(hl.clamp(256 * tone, hl.f32(0), hl.f32(255)))
