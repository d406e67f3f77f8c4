"""Arrays that live in other memory: windows, scalars, cells of other arrays."""

from dataclasses import replace

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.dependences.storage import stored_ranges
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.schedules import contract, permutable_bands, privatize, with_storage
from polynb.schedules.parallel import choose_loops
from polynb.scop.access import inconsistency, with_relations
from polynb.scop.model import Array
from polynb.scop.storage import in_memory, storage_text
from tests.run import interpreter

STENCIL = """param N; assume N >= 4; temp t[N + 1];
for i = 0 to N do
  t[i] = 2 * A[i];
  if i >= 2 then B[i] = t[i] + 3*t[i-1] + 5*t[i-2]; fi
done"""
ROWS = """param N, M; assume N >= 2 and M >= 1; temp t[N + 1][M + 1];
for i = 0 to N do
  for j = 0 to M do t[i][j] = 2 * A[i][j]; done
  for j = 0 to M do
    if i >= 1 then B[i][j] = t[i][j] - t[i-1][j]; fi
  done
done"""
SUM = """param N; assume N >= 1; temp s;
for i = 0 to N do
  s = 0;
  for j = 0 to N do s = s + A[i][j]; done
  C[i] = s;
done"""


@pytest.fixture
def stencil():
    return pn.parse(STENCIL)


def test_a_window(stencil):
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    assert equivalent(stencil, scop)
    assert "w[mod(i,3)] = 2 * A[i];" in str(scop)
    assert "t[" not in str(scop)
    assert "double w[3];" in scop.to_c()
    assert inconsistency(in_memory(scop)) is None
    assert set(in_memory(scop).arrays) == {"A", "B", "w"}
    assert equivalent(pn.parse(str(scop)), scop)


def test_a_window_compiled(stencil):
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    a = np.random.default_rng(1).standard_normal(41)
    expected = pn.compile(stencil, threads=1)(N=40, A=a)["B"]
    for threads in (1, 2):
        assert np.array_equal(pn.compile(scop, threads=threads)(N=40, A=a)["B"], expected)
    assert np.array_equal(interpreter.run(scop, {"A": a}, N=40)["B"], expected)


def test_a_window_that_is_too_small_has_a_witness(stencil):
    with pytest.raises(PolynbError, match="t cannot live in w like that") as caught:
        with_storage(stencil, "t", "{ t[i] -> w[i mod 2] }")
    assert caught.value.reason.startswith(
        "S0(2) would overwrite w between S0(0), which writes it, and S1(2), which reads it"
    )


def test_rows():
    scop = pn.parse(ROWS)
    window = with_storage(scop, "t", "{ t[i, j] -> w[i mod 2, j] }")
    assert equivalent(scop, window)
    assert "double w[2][M + 1];" in window.to_c()
    one = with_storage(scop, "t", "{ t[i, j] -> w[2 j + i mod 2] }")
    assert equivalent(scop, one)
    with pytest.raises(PolynbError, match="t cannot live in row"):
        with_storage(scop, "t", "{ t[i, j] -> row[j] }")


def test_a_scalar_in_the_cell_that_it_is_for():
    """As DeLICM maps scalars: expanded first, to a cell for each value, then into an array."""
    scop = pn.parse(SUM)
    statements = tuple(
        with_relations(
            s,
            {id(a): expanded(s) for a in (s.write, *s.reads) if a.array == "s"},
            scop.assumed,
        )
        for s in scop.statements
    )
    extent = isl.PwAff("[N] -> { [N + 1] }")
    arrays = {**scop.arrays, "e": Array("e", scop.arrays["s"].type, (extent,), "temp")}
    wide = replace(scop, statements=statements, arrays=arrays, program=None)
    assert equivalent(scop, wide)
    stored = with_storage(wide, "e", "{ e[i] -> C[i] }")
    assert equivalent(scop, stored)
    assert "C[i] = C[i] + A[i][j];" in str(stored)
    a = np.arange(16.0).reshape(4, 4)
    assert np.array_equal(pn.compile(stored)(N=3, A=a)["C"], a.sum(axis=1))


def expanded(s):
    """`{ S[i, ...] -> e[i] }`"""
    return isl.read_map(f"{{ {s.name}[{', '.join(s.iterators)}] -> e[i] }}")


def test_cells_that_something_else_needs_are_refused():
    scop = pn.parse(SUM)
    with pytest.raises(PolynbError) as caught:
        with_storage(scop, "s", "{ s[] -> C[0] }")
    assert caught.value.reason == (
        "S2(0) is to write the last value of C, and S0(1) would run after it, N = 1"
    )


def test_what_memory_holds_before_the_program_is_kept():
    text = """param N; assume N >= 2; inout C[N + 1]; temp t[N + 1];
    for i = 0 to N do t[i] = A[i]; done
    for i = 0 to N do C[i] = C[i] + t[i]; done"""
    with pytest.raises(PolynbError, match="t cannot live in C like that") as caught:
        with_storage(pn.parse(text), "t", "{ t[i] -> C[i] }")
    assert "before S1(" in caught.value.reason
    assert "what was there before the program" in caught.value.reason


def test_what_is_to_remain_is_kept():
    text = """param N; assume N >= 2; temp t[N + 1];
    for i = 0 to N do C[i] = A[i]; done
    for i = 0 to N do t[i] = 2*A[i]; D[i] = t[i]; done"""
    with pytest.raises(PolynbError, match="t cannot live in C like that") as caught:
        with_storage(pn.parse(text), "t", "{ t[i] -> C[i] }")
    assert "is to write the last value of C" in caught.value.reason
    part = text.replace("for i = 0 to N do C[i]", "for i = 0 to N - 1 do C[i]")
    with pytest.raises(PolynbError, match=r"S1 cannot use C\[\d+\]"):
        with_storage(pn.parse(part.replace("temp", "output C[N + 1]; temp")), "t",
                     "{ t[i] -> C[i] }")  # fmt: skip


def test_several_arrays_in_one_memory():
    text = """param N; assume N >= 2; temp t[N + 1], u[N + 1];
    for i = 0 to N do t[i] = A[i]; done
    for i = 0 to N do B[i] = 2*t[i]; u[i] = B[i] + 1; done
    for i = 0 to N do C[i] = u[N - i]; done"""
    scop = pn.parse(text)
    first = with_storage(scop, "t", "{ t[i] -> m[i] }")
    both = with_storage(first, "u", "{ u[i] -> m[i] }")
    assert equivalent(scop, both)
    assert "m[i] = B[i] + 1;" in str(both)
    assert both.arrays["m"].why == "memory of t, u"
    larger = with_storage(first, "u", "[N] -> { u[i] -> m[N + 1 + i] }")
    assert equivalent(scop, larger)
    assert "double m[2 * N + 2];" in larger.to_c()
    with pytest.raises(PolynbError, match="u cannot live in m like that") as caught:
        with_storage(first, "u", "[N] -> { u[i] -> m[N - i] }")
    assert "would overwrite m between S0(" in caught.value.reason


def test_orders_are_checked_in_memory(stencil):
    apart = "{ S0[i] -> [0, i]; S1[i] -> [1, i] }"
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    assert pn.check(stencil, apart)
    refused = pn.check(scop, apart)
    assert not refused
    assert "would overwrite w between" in str(refused)
    assert pn.check(scop, "{ S0[i] -> [i, 0]; S1[i] -> [i, 1] }")
    assert pn.check(stencil, scop)


def test_a_storage_that_is_wrong_is_found_by_check_and_by_the_oracle(stencil):
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    two = isl.read_map("[N] -> { t[i] -> w[i mod 2] }")
    wrong = replace(scop, arrays={**scop.arrays, "t": replace(scop.arrays["t"], storage=two)})
    assert not equivalent(stencil, wrong)
    assert not pn.check(stencil, wrong)
    assert not pn.check(wrong, wrong.schedule)


def test_values_flow_through_arrays_and_memory_is_overwritten(stencil):
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    deps = pn.analyze(scop)
    assert {e.array for e in deps.flow_edges} == {"t"}
    assert {e.array for e in deps.anti_edges} == {"w"}
    assert not pn.analyze(stencil).anti_edges
    again = isl.read_union_map("[N] -> { S0[i] -> S0[i + 3] : 0 <= i <= N - 3 }")
    assert deps.waw.is_equal(again)
    ranges = stored_ranges(scop)
    assert {e.array for e in ranges.flow} == {"w"}


def test_loops_are_judged_by_memory(stencil):
    apart = pn.parse(STENCIL.replace("  if", "done for i = 0 to N do if"))
    threaded = choose_loops(apart, pn.analyze(apart), choice="outermost")[0]
    assert "#pragma omp parallel" in threaded.to_c()
    scop = with_storage(threaded, "t", "{ t[i] -> w[2*i] }")
    assert "#pragma omp parallel" not in scop.to_c()
    again = choose_loops(scop, pn.analyze(scop), choice="outermost")[0]
    assert "#pragma omp parallel" in again.to_c()
    window = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    assert (
        "#pragma omp parallel"
        not in choose_loops(window, pn.analyze(window), choice="outermost")[0].to_c()
    )


@pytest.mark.parametrize(
    "passed",
    [
        lambda s: pn.propagate(s).result,
        lambda s: pn.reorder(s).result,
        permutable_bands,
        contract,
        privatize,
    ],
)
def test_passes_keep_what_such_a_program_computes(stencil, passed):
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    after = passed(scop)
    assert equivalent(stencil, after)
    assert equivalent(stencil, pn.parse(str(after)))


def test_displays_name_the_memory(stencil):
    scop = with_storage(stencil, "t", "{ t[i] -> w[i mod 3] }")
    assert storage_text(scop.arrays["t"]) == "t[i] lives in w[mod(i, 3)]"
    assert storage_text(scop.arrays["w"]) == ""
    bundle = scop._repr_mimebundle_()
    assert "t[i] lives in w[mod(i, 3)]" in bundle["text/html"]
    assert "t[i] lives in w[mod(i, 3)]" in bundle["text/plain"]


@pytest.mark.parametrize(
    ("text", "array", "storage", "message"),
    [
        (STENCIL, "B", "{ B[i] -> w[i] }", "B cannot live in w"),
        (STENCIL, "t", "{ t[i] -> A[i] }", "t cannot live in A"),
        (STENCIL, "t", "{ t[i] -> w[i] : i > 3 }", r"leaves out t\[\d\]"),
        (STENCIL, "t", "{ t[i] -> w[i - 1] }", "out of its bounds"),
        (STENCIL.replace("t[i] = 2", "t[idx[i]] = 2"), "t", "{ t[i] -> w[i] }", "cannot live in"),
        (STENCIL.replace("if i >= 2 then", "if A[i] > 0 and i >= 2 then t[i] = 1;"), "t",
         "{ t[i] -> B[i] }", "cannot live in B|cannot use B"),
    ],
)  # fmt: skip
def test_what_cannot_live_elsewhere(text, array, storage, message):
    with pytest.raises(PolynbError, match=message):
        with_storage(pn.parse(text), array, storage)
