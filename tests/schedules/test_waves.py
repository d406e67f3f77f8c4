"""What runs in waves of tiles of other loops than its own."""

import pytest

import polynb as pn
from polynb.optimising.orders import in_waves, outer_band
from polynb.schedules.bands import mapped
from polynb.schedules.tiled_dependences import untiled


def waves(name: str, sizes: tuple[int, ...]) -> tuple[pn.Scop, pn.Scop]:
    scop = pn.gallery.load(name)
    band = outer_band(pn.reorder(scop).result)
    assert band is not None
    return scop, in_waves(scop, band, sizes)


@pytest.mark.parametrize(
    ("name", "sizes"), [("jacobi_2d", (4, 5, 6)), ("fdtd_2d", (2, 3, 4)), ("seidel_2d", (3, 3, 3))]
)
def test_the_order_in_a_tile_tells_the_dependences(name: str, sizes: tuple[int, ...]) -> None:
    scop, tiled = waves(name, sizes)
    assert untiled(tiled).schedule is scop.schedule
    assert pn.check(scop, tiled)


def test_tiles_of_a_wave_run_in_parallel() -> None:
    _, tiled = waves("jacobi_2d", (16, 64, 256))
    loops = pn.compile(tiled, threads=2).loops
    assert [x.parallel for x in loops][:2] == [False, True]


def test_tiles_that_turn_a_dependence_around_tell_nothing() -> None:
    scop = pn.gallery.load("jacobi_2d")
    band = outer_band(pn.reorder(scop).result)
    assert band is not None
    backwards = in_waves(scop, mapped(band, ["-t0", "t1", "t2"]), (4, 5, 6))
    assert not pn.check(scop, backwards)
    assert untiled(backwards) is backwards
