"""Calls of kernels: what goes in, what comes out, and every way a call can be wrong."""

import copy
import gc
import os
import pickle
import shutil

import numpy as np
import pytest

from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.run import shared
from polynb.run.kernel import checked_options, compile
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse

pytestmark = pytest.mark.any_compiler

A = np.arange(101.0)


def test_arrays_come_back_by_name_and_arguments_are_kept(doubled) -> None:
    a = A.copy()
    results = doubled(N=100, A=a)
    assert list(results) == ["B"]
    assert np.array_equal(results.B, 2 * A)
    assert results["B"] is results.B
    assert np.array_equal(a, A)
    assert np.array_equal(doubled({"A": a, "N": np.int32(100)}).B, 2 * A)
    with pytest.raises(PolynbError, match="gives no 'tmp'"):
        results["tmp"]
    assert not hasattr(results, "tmp")
    assert np.array_equal(copy.deepcopy(results).B, pickle.loads(pickle.dumps(results)).B)


def test_results_of_two_calls_are_apart(doubled) -> None:
    first = doubled(N=100, A=A).B
    second = doubled(N=100, A=A + 1).B
    assert np.array_equal(first, 2 * A)
    assert np.array_equal(second, 2 * A + 2)


def test_inputs_of_any_layout(doubled) -> None:
    assert np.array_equal(doubled(N=100, A=np.arange(202.0)[::2]).B, np.arange(202.0)[::2] * 2)
    assert np.array_equal(doubled(N=100, A=A[::-1]).B, 2 * A[::-1])
    assert np.array_equal(doubled(N=3, A=[1, 2, 3, 4.5]).B, [2, 4, 6, 9])
    in_shared = shared.empty((101,), "float64")
    in_shared[:] = A
    assert np.array_equal(doubled(N=100, A=in_shared).B, 2 * A)
    half = in_shared[50:]  # starts inside its segment
    assert np.array_equal(doubled(N=50, A=half).B, 2 * A[50:])


def test_buffers_are_reused(doubled) -> None:
    buffer, wide = np.empty(101), np.full((101, 2), -1.0)
    assert doubled(N=100, A=A, out={"B": buffer}).B is buffer
    assert np.array_equal(buffer, 2 * A)
    doubled(N=100, A=A, out={"B": wide[:, 0]})
    assert np.array_equal(wide[:, 0], 2 * A)
    assert (wide[:, 1] == -1).all()


def test_in_and_out(kernel, array) -> None:
    k = kernel(
        "double *A = arrays[0]; int32_t *s = arrays[1]; *s += parameters[1]; A[2] = *s; return 0;",
        [array("A", "output", "N"), array("s", "inout", type="int32")],
        parameters=("N", "M"),
    )
    start = np.array(5, np.int32)
    results = k(N=4, M=2, s=start)
    assert results.A.tolist() == [0, 0, 7, 0]  # cells that are not written are 0
    assert results.s.shape == ()
    assert (results.s, start) == (7, 5)
    assert k(N=4, M=2, s=-1, A=np.ones(4)).A.tolist() == [1, 1, 1, 1]  # ... or what was given
    assert k(N=4, M=2, s=start, out={"s": start}).s is start
    assert start == 7


def test_a_temporary_that_is_read_first_is_an_argument(kernel, array) -> None:
    k = kernel(
        "((double *)arrays[1])[0] = ((double *)arrays[0])[0]++; return 0;",
        [array("t", "temp", "1", live_in=True), array("B", "output", "1")],
    )
    given = np.array([3.0])
    results = k(N=1, t=given)
    assert list(results) == ["B"]
    assert (results.B[0], given[0]) == (3.0, 3.0)


def test_extents_that_are_not_positive_count_as_none(kernel, array) -> None:
    k = kernel(
        "return 0;",
        [array("A", "input", "N - 5"), array("B", "output", "N", "M")],
        parameters=("N", "M"),
    )
    results = k(N=-2, M=3, A=np.empty(0))
    assert results.B.shape == (0, 3)


def test_an_extent_that_nothing_bounds(kernel, array) -> None:
    k = kernel(
        "((double *)arrays[1])[0] = ((double *)arrays[0])[6]; return 0;",
        [array("A", "input", "?"), array("B", "output", "?")],
    )
    assert k(N=1, A=A, out={"B": np.zeros(3)}).B.tolist() == [6, 0, 0]
    with pytest.raises(PolynbError, match=r"size of B is not known[^$]*numpy.zeros"):
        k(N=1, A=A)
    with pytest.raises(PolynbError, match=r"A must have shape \(any,\), not shape \(1, 2\)"):
        k(N=1, A=np.zeros((1, 2)), B=A)


BIG = np.zeros(101, dtype=">f8")
WRONG = [
    ({}, r"needs a value for N[^$]*kernel\(N=..., A=...\), which gives B"),
    ({"N": 100}, r"needs A\nbecause: A: float64, shape \(101,\)"),
    ({"N": 100, "A": A, "a": 1}, r"no argument 'a'\n[^$]*A\? The call is"),
    ({"N": 100, "A": A, "tmp": A}, "tmp is a temporary of doubled, which makes it itself"),
    ({"N": 100.0, "A": A}, r"N must be an integer, not 100.0\ntry: N=100"),
    ({"N": "100", "A": A}, "N must be an integer, not '100'"),
    ({"N": A, "A": A}, "N is a parameter, one integer, not an array"),
    ({"N": 2**70, "A": A}, "does not fit 64 bits"),
    ({"N": 2, "A": A[:3]}, r"doubled assumes N >= 3\nbecause: the call has N = 2"),
    ({"N": 51, "A": A[:52]}, r"stays inside its arrays only if N <= 50 or N >= 60"),
    (
        {"N": 100, "A": A.astype("complex64")},
        r'must be float64, not complex64[^$]*A.astype\("float64"\)',
    ),
    ({"N": 100, "A": BIG}, r'byte order\ntry: A.astype\("float64"\)'),
    ({"N": 100, "A": A[:7]}, r"A must have shape \(101,\), not shape \(7,\)\nbecause: for N = 100"),
    ({"N": 50, "A": A[:60]}, r"A must have shape \(51,\), not shape \(60,\)[^$]*try: A\[:51\]"),
    ({"N": 100, "A": A.reshape(1, 101)}, r"not shape \(1, 101\)"),
    ({"N": 100, "A": 3.0}, r"not shape \(\)"),
    ({"N": 100, "A": "photo.png"}, "cannot be made a float64 array without loss"),
    ({"N": 100, "A": np.ma.masked_array(A)}, r"masked array\ntry: A.filled\(0\)"),
    ({"N": 100, "A": A, "out": np.empty(101)}, "out= takes buffers by name"),
    ({"N": 100, "A": A, "out": {"A": A}}, "gives no 'A'[^$]*it gives B"),
    ({"N": 100, "A": A, "out": {"B": np.empty(100)}}, r"B must have shape \(101,\)"),
    ({"N": 100, "A": A, "out": {"B": np.empty(101, "int64")}}, "B must be float64, not int64"),
    ({"N": 100, "A": A, "out": {"B": [0.0] * 101}}, "NumPy array that can be written"),
    ({"N": 100, "A": A, "out": {"B": np.broadcast_to(0.0, (101,))}}, "that can be written"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=range(len(WRONG)))
def test_wrong_calls(kernel, array, arguments, message) -> None:
    k = kernel(
        "return 1;",
        [array("A", "input", "N + 1"), array("B", "output", "N + 1")],
        temporaries=(array("tmp", "temp", "N"),),
        context="[N] -> { : N >= 3 }",
        requires="[N] -> { : N <= 50 or N >= 60 }",
        name="doubled",
    )
    with pytest.raises(PolynbError, match=message):
        k(**arguments)


def test_names_given_twice_and_arrays_without_names(doubled) -> None:
    with pytest.raises(PolynbError, match="A is given twice"):
        doubled({"A": A}, A=A, N=100)
    with pytest.raises(PolynbError, match="by name, not as ndarray"):
        doubled(A, N=100)


def test_only_the_broken_part_of_a_condition_is_named(kernel) -> None:
    k = kernel("return 0;", parameters=("N", "M"), context="[N, M] -> { : N >= 3 and M < N }")
    with pytest.raises(PolynbError, match=r"assumes M < N\nbecause: the call has N = 5, M = 9"):
        k(N=5, M=9)
    with pytest.raises(PolynbError, match=r"assumes N >= 3 and M < N"):
        k(N=2, M=9)
    assert k(N=5, M=4) == {}


def test_overlapping_buffers(kernel, array) -> None:
    k = kernel("return 0;", [array("A", "output", "N"), array("B", "output", "N")])
    both = np.empty(30)
    with pytest.raises(PolynbError, match="buffers for A and B overlap"):
        k(N=20, out={"A": both[:20], "B": both[10:]})
    k(N=15, out={"A": both[:15], "B": both[15:]})


@pytest.mark.parametrize(
    ("type", "value", "fits"),
    [
        ("uint8", 255, True),
        ("uint8", 256, False),
        ("uint8", -1, False),
        ("int32", 2.5, False),
        ("int32", 2.0, True),
        ("float", 0.1, True),
        ("double", True, True),
        ("float", 1e39, False),
        ("float", 2**24 + 1, False),
        ("double", 1j, False),
        ("int64", float("nan"), False),
        ("double", None, False),
        ("double", [[1], [2, 3]], False),
    ],
)
def test_python_numbers(kernel, array, type, value, fits) -> None:
    copied = "memcpy(arrays[1], arrays[0], 1); return 0;".replace("memcpy", "__builtin_memcpy")
    arrays = [array("s", "input", type=type), array("t", "output", type=type)]
    k = kernel(copied.replace(", 1)", f", {arrays[0].type.size})"), arrays)
    if fits:
        assert k(N=1, s=value).t == np.asarray(value).astype(arrays[0].type.dtype)
    else:
        with pytest.raises(PolynbError, match=r"cannot be made|must have shape"):
            k(N=1, s=value)


def test_big_arrays(kernel, array) -> None:
    """200 MB, three times what /dev/shm holds in most containers."""
    k = kernel(
        "int64_t N = parameters[0]; double *A = arrays[0]; A[N - 1] = 5; return 0;",
        [array("A", "output", "N")],
    )
    n = 25_000_000
    result = k(N=n).A
    assert (result.nbytes, result[0], result[-1]) == (200_000_000, 0, 5)


def test_arrays_beyond_the_memory(kernel, array) -> None:
    k = kernel("return 0;", [array("A", "output", "N")], temporaries=(array("t", "temp", "N"),))
    with pytest.raises(PolynbError, match=r"arrays of hand take 24 TB, .* are left\n.*N = 10*"):
        k(N=10**12)
    with pytest.raises(PolynbError, match="arrays of hand take"):
        k(N=2**62)


def test_no_memory_for_temporaries(kernel) -> None:
    with pytest.raises(PolynbError, match="not enough memory for the temporary arrays"):
        kernel("return 1;")(N=1)


def test_descriptors_are_given_back(doubled) -> None:
    doubled(N=100, A=A)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        doubled(N=100, A=A)
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) <= before


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_what_a_kernel_says_of_itself(doubled) -> None:
    assert "B[i] = 2.0 * A[i]" in doubled.source
    assert "gcc" in doubled.compiler
    assert {"-O3", "-march=native", "-ffp-contract=off"} <= set(doubled.flags)
    assert (doubled.threads, doubled.heap, doubled.warnings) == (1, "kept", ())
    assert repr(doubled) == (
        "<Kernel doubled (gcc, 1 thread): kernel(N=..., A=...), which gives B>"
    )


def test_options_are_checked() -> None:
    good = {"threads": 2, "fast_math": False, "flags": "-O2", "heap": "kept", "timeout": None}
    assert checked_options(**good).flags == ("-O2",)
    for wrong, said in (
        ({"threads": 0}, "threads must be at least 1"),
        ({"threads": 10**12}, "threads must be at most"),
        ({"heap": "warm"}, "no heap 'warm'"),
        ({"timeout": float("nan")}, "timeout must be positive"),
        ({"timeout": float("inf")}, "timeout must be at most"),
        ({"flags": "-DX='"}, "No closing quotation"),
    ):
        with pytest.raises(PolynbError, match=said):
            checked_options(**{**good, **wrong})
    with pytest.raises(PolynbError, match="a program is needed, not str"):
        compile("for i")  # type: ignore[arg-type]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_threads_and_heap_reach_the_worker(kernel, array) -> None:
    body = """
      int32_t *T = arrays[0];
      #pragma omp parallel num_threads(threads)
      {
        #pragma omp atomic
        T[0] += 1;
      }
      T[1] = atoi(getenv("OMP_NUM_THREADS"));
      T[2] = getenv("MALLOC_TOP_PAD_") != 0;
      T[3] = getenv("OMP_WAIT_POLICY")[0];
      return 0;
    """
    arrays = [array("T", "output", "4", type="int32")]
    kept = kernel(body, arrays, threads=3)
    assert kept.threads == 3
    assert kept(N=1).T.tolist() == [3, 3, 1, ord("p")]
    assert kernel(body, arrays, threads=2, heap="fresh")(N=1).T.tolist() == [2, 2, 0, ord("p")]
    assert kernel(body, arrays)(N=1).T[0] == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_no_store_is_forgotten(threads) -> None:
    """gcc 12 made steps of one pointer of o[i] and o[2 i], took the function for one without
    effects, and dropped its call: in a kernel's body, and in a part of a parallel loop."""
    scop = parse("""void f(int64_t n, int64_t o[n + 9]) {
  for (uint64_t i = 0; i < 4; i += 2)
    o[i / 2] ^= (o[i] + 0ull) % 1000;
}""")
    for program in (scop, choose_loops(scop, analyze(scop), choice="outermost")[0]):
        found = compile(program, threads=threads)(n=0, o=np.arange(3, 12))
        assert found.o.tolist() == [0, 4 ^ 5, *range(5, 12)]
