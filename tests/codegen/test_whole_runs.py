"""Private arrays are private only in loops that have all of each run."""

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import Target, lower
from polynb.windows import row_windows

BORDER = """
param N, M; assume N >= 1 and M >= 1;
input float img[N+4][M+4]; temp float a[N+4][M+4]; output float o[N+4][M+4];
for y = 0 to M do a[0][y] = 2; done
for x = 1 to N do for y = 0 to M do a[x][y] = img[x][y]; done done
for x = 1 to N do for y = 0 to M do o[x][y] = a[x-1][y] + a[x][y]; done done
"""


@pytest.mark.parametrize("together", [1, 4])
def test_a_row_that_isl_takes_out_of_the_loop_is_in_the_window_that_is_read(together):
    """Its row is filled in front of the loop over strips: in the only window there is, then."""
    d = row_windows(pn.parse(BORDER), rows=8, together=together)
    text = lower(d.result, Target(threads=2)).source.text
    if "this_thread" in text:  # the row is filled in the loop, by the thread that reads it
        outside = text[text.index("static void kernel_threads") :]
        outside = outside[: outside.index("\n}\n")]
        assert "// S0" not in outside
    kernel = pn.compile(d, threads=2)
    img = np.ones((1004, 3004), np.float32)
    wanted = pn.compile(pn.parse(BORDER), threads=1)(N=1000, M=3000, img=img)["o"][1:1001, :3001]
    for _ in range(5):
        assert np.array_equal(kernel(N=1000, M=3000, img=img)["o"][1:1001, :3001], wanted)


def test_whole_runs_stay_parallel():
    d = pn.propagate(pn.gallery.load("harris"), windows=True)
    assert "this_thread" in lower(d.result, Target(threads=2)).source.text
