"""What runs in waves of tiles of other loops than its own."""

import pytest

import polynb as pn
from polynb.optimising.orders import in_waves, outer_band
from polynb.optimising.steps import TiledInWaves
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


BEHIND = """param T, N; input I[N][N]; inout A[N][N]; temp B;
for i = 0 to N-1 do for j = 0 to N-1 do A[i][j] = I[i][j]; done done
for t = 0 to T-1 do
  for i = 1 to N-2 do for j = 1 to N-2 do B[i][j] = A[i-1][j] + A[i+1][j] + A[i][j-1]; done done
  for i = 1 to N-2 do for j = 1 to N-2 do A[i][j] = B[i][j]; done done
done"""


@pytest.mark.long
def test_waves_behind_other_loops_are_compiled_for_threads() -> None:
    """isl does not come to an end with what floors say of the flow of values."""
    d = pn.optimise(pn.parse(BEHIND), {"T": 50, "N": 1500})
    assert any(isinstance(s, TiledInWaves) for s in d.steps)
    assert d.result is not d.before
    assert untiled(d.result) is not d.result
    assert any(x.parallel for x in pn.compile(d.result, threads=2).loops)
