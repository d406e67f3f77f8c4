"""Programs of CC'18's artifact as kernels: their arrays, their results, their refusals."""

import subprocess

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation import artifact
from polynb.run import compilers, measure

# In place of the tool's program: blue is first, the result has no frame, alpha is a seventh.
STUB = """
#include <stdlib.h>
static int threads;
void omp_set_num_threads(int n) { threads = n; }
void pipeline(long C, long R, float alpha, void *in, void *out) {
  const float *img = in; float *to = out;
  if (threads != 2) abort();
  for (long p = 0; p < 3; p++)
    for (long r = 0; r < R; r++)
      for (long c = 0; c < C; c++)
        to[(p * R + r) * C + c] = 7 * alpha * img[(p * (R + 4) + r + 1) * (C + 4) + c + 1]
          + (p == 0 ? 1 : 0);
}
"""
OURS = """param R, C; assume R >= 1 and C >= 1; input float img[3][R+3][C+3], alpha;
output float B[3][R+3][C+3];
for p = 0 to 2 do for x = 1 to R do for y = 1 to C do
  B[p][x][y] = alpha * img[p][x][y] + (p == 2 ? 1 : 0);
done done done"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    made = tmp_path / artifact.PLACE.format(name="scaled")
    made.parent.mkdir(parents=True)
    (tmp_path / "stub.c").write_text(STUB)
    command = [*compilers.find().command, "-shared", "-fPIC", "-O1", tmp_path / "stub.c"]
    subprocess.run([*command, "-o", made], check=True)
    program = artifact.Tooled(
        *("pipeline", ("alpha", "img", "B")),
        frame=(1, 2),
        margin=1,
        backwards=True,
        factors={"alpha": "1 / 7.0f"},
        fixed=False,
    )
    monkeypatch.setattr(artifact, "PROGRAMS", {"scaled": program})
    return tmp_path


def test_arrays_are_brought_into_the_tools_shapes_and_back(checkout):
    naive = pn.compile(pn.parse(OURS), threads=1, fast_math=True)
    sizes = {"R": 5, "C": 7}
    tool = artifact.kernel("scaled", naive.signature, sizes, checkout, threads=2)
    for seed in (0, 1):  # the second time in the same process, on other arrays
        img = np.random.default_rng(seed).random((3, 8, 10), np.float32)
        given = {"img": img, "alpha": np.float32(3), **sizes}
        np.testing.assert_allclose(tool(given)["B"], naive(given)["B"], rtol=1e-6)
    timing = measure({"naive": naive, "tool": tool}, given, rounds=5)
    assert timing.agreement == "results equal within 0.0001 of the largest value"


def test_what_is_not_there_says_so(checkout):
    signature = pn.compile(pn.parse(OURS), threads=1).signature
    with pytest.raises(PolynbError, match="there is no program of CC'18's artifact 'camera_pipe'"):
        artifact.kernel("camera_pipe", signature, {}, checkout)
    with pytest.raises(PolynbError, match=r"polly-prop-parallel-32\.so is not there"):
        artifact.kernel("scaled", signature, {}, checkout / "elsewhere")


def test_what_is_made_for_one_size_takes_no_other(checkout, monkeypatch):
    program = artifact.Tooled("pipeline", ("img", "harris"))
    monkeypatch.setattr(artifact, "PROGRAMS", {"harris": program})
    (checkout / artifact.PLACE.format(name="harris")).parent.mkdir(parents=True)
    (checkout / artifact.PLACE.format(name="harris")).touch()
    signature = pn.compile(pn.gallery.load("harris"), threads=1).signature
    with pytest.raises(PolynbError, match=r"harris is made for .*6400.* only"):
        artifact.kernel("harris", signature, {"R": 9, "C": 9}, checkout)
