"""From a program's text to a kernel and its times."""

import shutil

import numpy as np
import pytest

import polynb as pn
from polynb.run.measurement import variants
from polynb.run.resources import default_threads

pytestmark = pytest.mark.any_compiler

BLUR = """
param N;  assume N >= 3;  input A[N+1];  temp t;
for i = 0 to N do t[i] = 2 * A[i]; done
for i = 1 to N - 1 do B[i] = t[i-1] + t[i] + t[i+1]; done
"""


@pytest.fixture(scope="module")
def blur() -> pn.Scop:
    return pn.parse(BLUR)


@pytest.fixture(scope="module")
def blurred() -> tuple[np.ndarray, np.ndarray]:
    a = np.linspace(-1, 5, 101)
    expected = np.zeros(100)
    expected[1:] = 2 * a[:-2] + 2 * a[1:-1] + 2 * a[2:]
    return a, expected


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("threads", [None, 1, 2, 3])
def test_a_program_runs(blur, blurred, threads) -> None:
    a, expected = blurred
    k = pn.compile(blur, threads=threads)
    assert k.threads == (threads or default_threads())
    assert np.array_equal(k(N=100, A=a).B, expected)
    assert ("omp parallel" in k.source) == (k.threads > 1)


def test_a_derivation_counts_as_its_result(blur, blurred) -> None:
    a, expected = blurred
    k = pn.compile(pn.propagate(blur))
    assert np.array_equal(k(N=100, A=a).B, expected)
    with pytest.raises(pn.PolynbError, match="no argument 't'"):
        k(N=100, A=a, t=a)


def refusal(k: pn.Kernel, **arguments: object) -> tuple[str, str]:
    """What is wrong with a call, and the text under the carets."""
    with pytest.raises(pn.PolynbError) as caught:
        k(**arguments)
    assert caught.value.span is not None
    return str(caught.value), caught.value.span.text


@pytest.mark.parametrize("threads", [1, 2])
def test_refused_calls_point_into_the_program(blur, threads) -> None:
    k = pn.compile(blur, threads=threads)
    said, at = refusal(k, N=2, A=np.zeros(3))
    assert "assumes N >= 3" in said
    assert "because: the call has N = 2" in said
    assert at == "N >= 3"
    said, at = refusal(k, N=3, A=np.zeros(4), t=np.zeros(4))
    assert "t is a temporary" in said
    assert at.startswith("t")
    said, at = refusal(k, N=3, A=np.zeros(3))
    assert "A must have shape (4,), not shape (3,)" in said
    assert at.startswith("A")
    said, at = refusal(k, N=3, A=np.full(4, 2**53 + 1))
    assert "float64" in said
    assert "int64" in said
    assert at.startswith("A")
    assert refusal(k, N=3)[1].startswith("A")


def test_bounds_that_the_parameters_must_keep() -> None:
    k = pn.compile(pn.parse("param N, M; input A[M]; for i = 0 to N do B[i] = A[i]; done"))
    assert k(N=4, M=5, A=np.ones(5)).B.tolist() == [1.0] * 5
    said, at = refusal(k, N=5, M=5, A=np.ones(5))
    assert "stays inside its arrays only if" in said
    assert "the call has N = 5, M = 5, where A[5] is accessed" in said
    assert at == "A[i]"


def test_sizes_that_are_not_positive(blur) -> None:
    k = pn.compile(pn.parse(BLUR.replace("assume N >= 3;", "")))
    assert [k(N=n, A=np.ones(max(n + 1, 0))).B.tolist() for n in (1, 0, -1, -7)] == [
        [0],
        [],
        [],
        [],
    ]


def test_names_that_are_no_identifiers_of_python() -> None:
    k = pn.compile(pn.parse("param N; for i = 0 to N do out[i] = in[i] + 1; done"))
    results = k({"in": np.arange(4.0)}, N=3)
    assert results.out.tolist() == [1, 2, 3, 4]
    buffer = np.empty(4)
    assert k({"in": np.arange(4.0)}, N=3, out={"out": buffer}).out is buffer


def test_every_type_and_scalars() -> None:
    for t in ("float", "double", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint64"):
        text = f"param N; input {t} s, A; output {t} B, r; B[N] = A[N] + s; r = A[0];"
        k = pn.compile(pn.parse(text))
        dtype = k.signature.arrays[0].type.dtype
        results = k(N=2, s=3, A=np.array([7, 8, 9], dtype))
        assert results.B.tolist() == [0, 0, 12]
        assert (results.r, results.r.dtype) == (7, dtype)


def test_a_recurrence_is_not_parallel(blurred) -> None:
    k = pn.compile(pn.parse("param N; for i = 1 to N do A[i] = A[i-1] + 1; done"), threads=2)
    assert k.threads == 1
    assert k(N=3, A=np.zeros(4)).A.tolist() == [0, 1, 2, 3]


def test_stages_of_a_derivation_are_its_variants(blur) -> None:
    d = pn.propagate(blur)
    assert [(label, p) for label, p in variants(d)] == [(blur.name, blur), ("propagate", d.result)]
    assert variants([blur, d]) == variants(d)
    assert variants(pn.propagate(d)) == variants(d)
    assert variants({"fast": d}) == [("fast", d.result)]


def test_a_program_is_timed_against_what_became_of_it(blur) -> None:
    t = pn.measure(pn.propagate(blur), N=10_000, rounds=5)
    assert t.labels == (blur.name, "propagate")
    assert t.data == "seeded random"
    assert t.memory[0] - t.memory[1] == 8 * 10_001  # the temporary is gone
    assert t.agreement == "results equal bit for bit"
    assert t.ratio() > 0


def test_two_programs_that_differ(blur) -> None:
    other = pn.parse(BLUR.replace("t[i+1]", "t[i]"))
    with pytest.raises(pn.PolynbError, match=r"do not compute the same[^$]*B\[1\] is"):
        pn.measure({"blur": blur, "other": other}, N=100)


def test_with_parallel_none_nothing_runs_on_two_threads():
    """Nor a loop that is parallel already."""
    scop = pn.parse("param N; for i = 0 to N do A[i] = B[i]; done")
    kernel = pn.compile(pn.transform(scop).parallel("i"), threads=2, parallel="none")
    assert kernel.threads == 1
    with pytest.raises(pn.PolynbError):
        pn.compile(scop, threads="many", parallel="none")
