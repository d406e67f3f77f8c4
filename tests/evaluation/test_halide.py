"""Pipelines in Halide: the C around them without Halide, and themselves where it is installed."""

import importlib.util
import json
import subprocess
import sys

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation import halide
from polynb.evaluation.commands import pictures
from polynb.evaluation.halide.compiling import Made, Request
from polynb.evaluation.halide.wrapping import HEAD
from polynb.evaluation.halide.writers import PIPELINES
from polynb.evaluation.paper import PAPER
from polynb.run import compilers, measure

needs_halide = pytest.mark.skipif(
    importlib.util.find_spec("halide") is None, reason="Halide is not installed"
)
STUB = """
int threads_set;
int halide_set_num_threads(int n) { threads_set = n; return 0; }
int pipeline(buffer *in, float scale, buffer *out) {
  dimension *d = out->dim, *e = in->dim;
  if (out->type.code != 1 || out->type.bits != 16 || in->type.code != 2 || threads_set != 3)
    return 7;
  for (int c = d[2].min; c < d[2].min + d[2].extent; c++)
    for (int y = d[1].min; y < d[1].min + d[1].extent; y++)
      for (int x = d[0].min; x < d[0].min + d[0].extent; x++) {
        float v = ((float *)in->host)[x * e[0].stride + y * e[1].stride + c * e[2].stride];
        ((uint16_t *)out->host)[(x - d[0].min) * d[0].stride + (y - d[1].min) * d[1].stride
                                + (c - d[2].min) * d[2].stride] = scale * v;
      }
  return 0;
}
"""


def test_every_pipeline_of_the_paper_is_written():
    assert set(PIPELINES) == set(PAPER)


def test_without_halide_it_says_so(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "not installed (pip install halide)" in str(halide.missing())


def test_a_program_that_is_not_written_has_no_halide_kernel(monkeypatch):
    signature = pn.compile(pn.gallery.load("fig1"), threads=1).signature
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    with pytest.raises(PolynbError, match="fig1 is not written in Halide here"):
        halide.kernel("fig1", signature, {"N": 3})


def test_a_picture_smaller_than_a_tile_is_refused(monkeypatch):
    signature = pn.compile(pn.gallery.load("harris"), threads=1).signature
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    with pytest.raises(PolynbError, match="at least 132 x 132 pixels"):
        halide.kernel("harris", signature, {"R": 200, "C": 129})


def test_halides_buffers_are_the_arrays_without_the_frame(monkeypatch, tmp_path):
    """In place of Halide, a C function that scales what it reads."""
    source, result = tmp_path / "stub.c", tmp_path / "stub.o"
    source.write_text(HEAD + STUB)
    # Without -O1, zig adds checks that call a library nobody links.
    command = [*compilers.find().command, "-O1", "-fPIC", "-c", source, "-o", result]
    subprocess.run(command, check=True)
    asked = []

    def compiled(request):
        asked.append(json.loads(request))
        return result.read_bytes(), Made(("A", "s", "B"), (2, 1))

    monkeypatch.setattr(halide, "missing", lambda name: None)
    monkeypatch.setattr(halide, "_compiled", compiled)
    scop = pn.parse("""param N; input float A[3][N][N+5], s; output uint16 B[3][N][N+5];
    for c = 0 to 2 do for i = 2 to N - 2 do for j = 2 to N + 3 do
      B[c][i][j] = s * A[c][i][j]; done done done""")
    naive = pn.compile(scop, threads=1)
    kernel = halide.kernel("scaled", naive.signature, {"N": 140}, scheduler="Li2018", threads=3)
    given = {
        "A": 99 * np.random.default_rng(0).random((3, 140, 145), np.float32),
        "s": np.float32(4),
    }
    np.testing.assert_array_equal(kernel(given, N=140)["B"], naive(given, N=140)["B"])
    (request,) = asked
    assert request["shapes"] == {"A": [3, 140, 145], "s": [], "B": [3, 140, 145]}
    assert (request["output"], request["scheduler"], request["threads"]) == ("B", "Li2018", 3)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.exit('Error: no schedule')", "Halide fails: Error: no schedule"),
        ("import os; os.kill(os.getpid(), 6)", "Halide fails: exit code -6"),
        ("import time; time.sleep(60)", "Halide was stopped after 0.5 seconds"),
    ],
)
def test_what_goes_wrong_in_halide_stays_in_its_process(monkeypatch, code, said):
    monkeypatch.setattr(halide, "_command", lambda file: [sys.executable, "-c", code])
    monkeypatch.setattr(halide, "SECONDS", 0.5)
    request = Request("harris", {"R": 9}, {}, "harris", "", 1).to_json() + " " * len(said)
    assert str(halide._compiled(request)) == said


@needs_halide
@pytest.mark.parametrize("name", PAPER)
@pytest.mark.parametrize("scheduler", ["", "Mullapudi2016"])
def test_halide_computes_what_the_program_does(name, scheduler):
    scop = pn.gallery.load(name)
    least = {"interpolate": 512, "local_laplacian": 256}.get(name, 133)
    sizes = {"R": least, "C": 2 * least}  # odd, where no assumption forbids it
    naive = pn.compile(scop, threads=1, fast_math=True)
    other = halide.kernel(name, naive.signature, sizes, scheduler=scheduler, threads=2)
    given = {**pictures(scop, sizes), **sizes}
    assert "equal within" in measure({"naive": naive, "Halide": other}, given, rounds=1).agreement
