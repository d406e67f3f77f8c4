"""Temporaries in parallel loops: a thread's own only where each iteration has its own."""

import re

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import kernel_source
from polynb.dependences import analyze
from polynb.recurrences import with_recurrences
from polynb.run.compilers import find
from polynb.schedules.parallel import choose_loops
from polynb.scop.sizes import extents_at
from polynb.windows import row_windows

pytestmark = pytest.mark.any_compiler

USED_AFTERWARDS = """param N; assume N >= 3; input A[N+1]; output B[N+1], O[N+1]; temp t;
for i = 0 to N do
  B[i] = A[i] * 2.0;
  if i == 2 then t = A[i]; fi
done
for j = 0 to N do O[j] = t; done"""

SEQUENTIAL_STRIPS = """param N; assume N >= 1; input a[N+4]; output o[1];
for i = 1 to N do
  o[0] = (a[i+2]*2 + 1) + (a[i+1]*2 + 1) + (a[i+3]*2 + 1);
done"""

PARALLEL_STRIPS = SEQUENTIAL_STRIPS.replace("o[0]", "o[i]").replace("o[1]", "o[N+1]")

ROWS = """param N; assume N >= 1; input a[3][N+4]; output o[3][N+4];
for j = 0 to 2 do for i = 1 to N do
  o[j][i] = (a[j][i+2]*2 + 1) + (a[j][i+1]*2 + 1) + (a[j][i+3]*2 + 1);
done done"""


def same(scop, other, threads=2, n=1000, **options):
    (given,) = [a for a in scop.arrays.values() if a.role == "input"]
    a = np.random.default_rng(0).random(extents_at(given, {"N": n}))
    first = pn.compile(scop, threads=1)({given.name: a}, N=n)
    second = pn.compile(other, threads=threads, **options)({given.name: a}, N=n)
    return all(np.array_equal(first[k], second[k]) for k in first)


def test_a_scalar_that_is_used_after_a_parallel_loop_is_everybodys():
    scop = pn.parse(USED_AFTERWARDS)
    assert "private" not in pn.compile(scop, threads=2).source
    assert same(scop, scop)


@pytest.mark.parametrize("text", [SEQUENTIAL_STRIPS, PARALLEL_STRIPS, ROWS])
@pytest.mark.parametrize("form", ["scalars", "strips"])
@pytest.mark.parametrize("parallel", ["outermost", "trip-count"])
def test_recurrences_in_threads(text, form, parallel):
    scop = pn.parse(text)
    carried = with_recurrences(scop, form=form)
    assert carried is not scop
    for threads in (2, 8):
        assert same(scop, carried, threads, parallel=parallel)


def test_each_thread_has_its_own_strip():
    scop = with_recurrences(pn.parse(PARALLEL_STRIPS), form="strips")
    scop, _ = choose_loops(scop, analyze(scop), threads=2)
    part = kernel_source(scop).text.split("static void part(")[1].split("\n}")[0]
    assert re.search(r"double \w+\[\d+\];", part)


WINDOW = """param N, M; assume N >= 1 and M >= 1;
input float a[N+2][M]; temp float b[N+2][M]; output float o[N][M];
for x = 0 to N + 1 do for y = 0 to M - 1 do b[x][y] = 2 * a[x][y]; done done
for x = 0 to N - 1 do for y = 0 to M - 1 do o[x][y] = b[x][y] + b[x+2][y]; done done"""


@pytest.mark.parametrize("threads", [1, 3])
def test_a_window_takes_memory_for_each_thread(threads):
    d = row_windows(pn.parse(WINDOW), rows=8, together=1)
    kernel = pn.compile(d, threads=threads)  # of which there is one with ziglang
    cells = 1002 * 2000 + 1000 * 2000 + 3 * 2000 * kernel.threads
    assert kernel.signature.memory_at({"N": 1000, "M": 2000}) == 4 * cells


OF_ITS_OWN = """param N, M; assume M >= {least} and M <= 100; temp double t[M];
input double A[N][100]; output double B[N][100];
for i = 0 to N-1 do
  for j = 0 to {last} do t[j] = A[i][j] + 1; done
  for j = 0 to {last} do B[i][j] = t[j] * 2; done
done"""


@pytest.mark.parametrize(("least", "last"), [(10, "9"), (-100, "M-1")])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_array_of_its_own_is_as_long_as_it_is_declared(threads, least, last):
    """Its extent alone mentions M, or is negative for some (gcc stops at such an array)."""
    scop = pn.parse(OF_ITS_OWN.format(least=least, last=last))
    scop = pn.transform(scop, "privatize t").result
    stops = "-fsanitize=vla-bound -fsanitize-undefined-trap-on-error"
    a = np.random.default_rng(0).random((50, 100))
    for flags in ("", stops) if find(None).name == "gcc" else ("",):
        kernel = pn.compile(scop, threads=threads, flags=flags)
        for m in (least, 0, 1, 100):
            if m >= least:
                count = int(last) + 1 if last.isdigit() else max(m, 0)
                found = kernel(N=50, M=m, A=a)["B"][:, :count]
                assert np.array_equal(found, (a[:, :count] + 1) * 2)


def test_cells_that_nothing_sets_are_zeros_in_an_array_of_its_own_too():
    text = """param N; input double A[N][8]; input int64 d[N]; temp double t[9]; output double B[N];
    for i = 0 to N-1 do for k = 0 to 7 do t[k] = A[i][k]; done B[i] = t[d[i]]; done"""
    scop = pn.transform(pn.parse(text), "privatize t").result
    a, d = np.random.default_rng(0).random((50, 8)), np.arange(50) % 9
    kernel = pn.compile(scop, threads=2)
    assert "double t[9]" not in kernel.source  # not what the stack happens to hold
    found = kernel(N=50, A=a, d=d)["B"]
    assert np.array_equal(found, np.where(d == 8, 0, a[np.arange(50), d % 8]))
