"""Parameters from the shapes of what a kernel is given, and arrays of other types."""

import warnings

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.run.inference import sizes_from

BLUR = """param N; temp t;
for i = 0 to N+1 do t[i] = (in[i] + in[i+1]) / 2; done
for i = 0 to N   do out[i] = (t[i] + t[i+1]) / 2; done"""
SEVERAL = """param N, M, K; input double A[N+1], B[2*N], C[N/2+M];
for i = 0 to N-1 do O[i] = A[i] + B[i] + C[M] + K; done"""


def sizes(text, **arrays):
    scop = pn.parse(text)
    given = {n: np.zeros(v) if isinstance(v, tuple) else v for n, v in arrays.items()}
    return sizes_from(scop.arrays.values(), scop.parameters, given, scop.context)


def test_a_kernel_takes_its_sizes_from_an_array():
    kernel = pn.compile(pn.gallery.load("harris"), threads=1)
    photo = np.random.default_rng(0).random((20, 30), np.float32)
    found = kernel(img=photo)["harris"]
    assert found.shape == photo.shape
    assert np.array_equal(found, kernel(img=photo, R=18, C=28)["harris"])


def test_extents_that_follow_from_accesses_are_solved_too():
    kernel = pn.compile(pn.parse(BLUR), threads=1)
    assert kernel({"in": list(range(10))})["out"].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert kernel({"in": np.ones(9)}, out={"out": np.empty(7)})["out"].tolist() == [1] * 7


def test_measure_takes_them_too():
    d = pn.propagate(pn.parse(BLUR))
    timing = pn.measure([d], {"in": np.ones(103)}, rounds=1, threads=1)
    assert timing.parameters == {"N": 100}
    with pytest.raises(PolynbError, match=r"in must have 1 dimension, not shape \(3, 3\)"):
        pn.measure([d], {"in": np.ones((3, 3))}, rounds=1)


def test_several_arrays_settle_what_one_leaves_open():
    assert sizes(SEVERAL, A=(8,)).values == {"N": 7}
    assert sizes(SEVERAL, C=(5,)).values == {}
    assert sizes(SEVERAL, C=(5,), N=7).values == {"M": 2}
    assert sizes(SEVERAL, A=(8,), B=(14,), C=(5,)).values == {"N": 7, "M": 2}
    assert sizes("param N; assume N >= 3; input A[N/2]; B[0] = A[0];", A=(2,)).values == {}
    odd = "param N; assume N >= 3 and N % 2 == 1; input A[N/2]; B[0] = A[0];"
    assert sizes(odd, A=(2,)).values == {"N": 5}
    with pytest.raises(PolynbError, match="A cannot be made a float64 array"):
        sizes(SEVERAL, A="photo.png", B=[[1], [2, 3]])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"A": 5, "B": 6}, "shapes of A and B do not fit .* A .* says N = 4; B .* says N = 3"),
        ({"B": 5}, r"no parameter values give B shape \(5,\).* B is \(2N\)"),
        ({"A": 5, "N": 7}, r"A of shape \(5,\) does not fit N = 7.* its shape says N = 4"),
    ],
)
def test_conflicts_name_the_arrays(given, said):
    given = {n: v if n == "N" else np.zeros(v) for n, v in given.items()}
    with pytest.raises(PolynbError, match=f"(?s){said}"):
        pn.compile(pn.parse(SEVERAL), threads=1)(given)


def test_what_shapes_leave_open_is_named():
    kernel = pn.compile(pn.parse(SEVERAL), threads=1)
    with pytest.raises(PolynbError) as caught:
        kernel(A=np.zeros(5))
    assert "needs a value for M and K" in caught.value.message
    assert caught.value.reason == "no size of A depends on M; no size of A depends on K"
    assert "kernel(N=..., M=..., K=..., A=..., B=..., C=...)" in caught.value.hint
    with pytest.raises(PolynbError, match="of C says only"):
        kernel(C=np.zeros(5), K=1)


# -- types ---------------------------------------------------------------------------------


def taken(type_, content):
    """What a kernel reads of the content, and what was said of it."""
    text = (
        f"param N; input {type_} A[N]; output {type_} B[N]; for i = 0 to N-1 do B[i] = A[i]; done"
    )
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = pn.compile(pn.parse(text), threads=1)(A=content)["B"]
    return found, [str(w.message) for w in said]


@pytest.mark.parametrize(
    ("type_", "content"),
    [
        ("int32", np.array([1, -(2**31), 2**31 - 1])),
        ("uint8", np.array([0, 255], "uint64")),
        ("int64", np.array([0, 255], "uint8")),
        ("int8", np.array([True, False])),
        ("double", np.array([-(2**53), 2**53])),
        ("float", np.array([0, 255], "uint8")),
        ("double", np.array([0.1, np.nan, -np.inf], "float32")),
        ("float", np.array([0.5, np.nan, 2.0**100])),
    ],
)
def test_other_types_are_taken_if_every_value_fits_and_it_is_said(type_, content):
    found, (said,) = taken(type_, content)
    assert np.array_equal(found.astype(content.dtype), content, equal_nan=content.dtype.kind == "f")
    assert said.startswith(f"A holds {content.dtype}, of which every value fits {found.dtype}")


@pytest.mark.parametrize(
    ("type_", "content", "said"),
    [
        ("int32", np.array([1, 2**31]), r"A\[1\] is 2147483648, which is no int32"),
        ("uint8", np.array([3, -1]), r"A\[1\] is -1, which is no uint8"),
        ("uint64", np.array([-1], "int8"), r"A\[0\] is -1, which is no uint64"),
        ("int64", np.array([2**63], "uint64"), r"A\[0\] is 9223372036854775808"),
        ("double", np.array([2**53 + 1]), r"A\[0\] is 9007199254740993, which is no float64"),
        ("float", np.array([0.5, 0.1]), r"A\[1\] is 0.1, which is no float32"),
        ("float", np.array([1e300]), "which is no float32"),
        ("int32", np.array([1.0, 2.0]), r'not float64[^$]*try: A.astype\("int32"\)'),
        ("double", np.array([1j]), "must be float64, not complex128"),
        ("double", np.array(["1"]), "must be float64, not <U1"),
    ],
)
def test_where_a_value_would_change_it_is_refused(type_, content, said):
    with pytest.raises(PolynbError, match=said):
        taken(type_, content)


def test_the_right_type_and_what_python_has_are_taken_without_a_word():
    assert taken("int32", np.array([1, 2], "int32"))[1] == []
    assert taken("float", [0.1, 2])[1] == []
    assert taken("int32", [1, 2])[1] == []


def test_a_timing_notes_what_was_converted():
    text = "param N; input int32 at[N]; for i = 0 to N-1 do B[i] = at[i]; done"
    timing = pn.measure(pn.parse(text), at=np.arange(4), rounds=1, threads=1)
    assert timing.parameters == {"N": 4}
    assert any("at holds int64" in w for w in timing.warnings)


HALVES = """void f(int n, double x[2*n], double y[n], double z[n]) {
  for (int i = 0; i < n; i++) { y[i] = x[2*i]; z[i] = x[2*i+1]; }
}"""


class Refusing:
    """As a tensor that gradients go through is."""

    dtype = np.dtype("float64")

    def __array__(self, *arguments, **options):
        raise RuntimeError("it requires grad")


@pytest.mark.parametrize("size", [{}, {"n": 1}], ids=["inferred", "given"])
def test_what_is_no_array_is_said_of_it(size):
    kernel = pn.compile(pn.parse(HALVES, language="c"), threads=1)
    for value in (None, "ab", {1.0, 2.0}, [[1], [2, 3]], Refusing()):
        with pytest.raises(PolynbError, match="x cannot be made a float64 array"):
            kernel(x=value, **size)


def test_of_an_empty_array_the_sizes_that_it_leaves_are_said_once():
    kernel = pn.compile(pn.parse(HALVES, language="c"), threads=1)
    with pytest.raises(PolynbError, match=r"the shape of x says only n <= 0\n"):
        kernel(x=[])


def test_buffers_are_views_that_share_no_cells():
    kernel = pn.compile(pn.parse(HALVES, language="c"), threads=1)
    x, pairs, row = np.arange(10.0), np.zeros((5, 2)), np.zeros(9)
    kernel(x=x, out={"y": pairs[:, 0], "z": pairs[::-1, 1]})
    assert pairs.tolist() == [[0, 9], [2, 7], [4, 5], [6, 3], [8, 1]]
    with pytest.raises(PolynbError, match="buffers for y and z overlap"):
        kernel(x=x, out={"y": row[:5], "z": row[4:]})
    folded = np.lib.stride_tricks.as_strided(row, (5,), (0,))
    with pytest.raises(PolynbError, match="cells of the buffer for y overlap"):
        kernel(x=x, out={"y": folded})


NARROW = "void f(unsigned char n, int A[300]) { for (int i = 0; i < n; i++) A[i] = n; }"


@pytest.mark.parametrize("n", [256, -1, 2**40])
def test_a_parameter_is_a_value_of_the_type_that_c_declares(n):
    """C passes 256 as 0 there, and -1 as 255."""
    scop = pn.parse(NARROW, "c")
    for program in (scop, pn.reorder(scop)):  # passes keep the types
        kernel = pn.compile(program, threads=1)
        with pytest.raises(PolynbError, match=f"n = {n} is no uint8") as error:
            kernel(n=n)
        assert "from 0 to 255" in error.value.reason
        assert kernel(n=255)["A"].tolist() == [255] * 255 + [0] * 45
    signed = pn.compile(pn.parse(NARROW.replace("unsigned", "signed"), "c"), threads=1)
    assert not signed(n=-128)["A"].any()
    with pytest.raises(PolynbError, match="n = -129 is no int8"):
        signed(n=-129)


def test_sizes_follow_only_as_values_of_their_types():
    kernel = pn.compile(pn.parse(NARROW.replace("300", "n + 1"), "c"), threads=1)
    out = np.zeros(256, "int32")
    assert kernel(out={"A": out})["A"].tolist() == [255] * 255 + [0]
    with pytest.raises(PolynbError, match="n = 300 is no uint8"):
        kernel(out={"A": np.zeros(301, "int32")})
    text = (
        "void f(unsigned char n, int A[(n + 1) / 2]) { for (int i = 0; i < n; i++) A[i / 2] = n; }"
    )
    kernel = pn.compile(pn.parse(text, "c"), threads=1)  # of 255 and 256, which give 128 cells
    assert kernel(out={"A": np.zeros(128, "int32")})["A"].tolist() == [255] * 128


def test_integers_that_numpy_rounded_are_refused():
    """`[2**53 + 1, 0.0]` is an array of float64, in which the last digit is lost already."""
    kernel = pn.compile(pn.parse("inout int64 B[2]; B[1] = B[0];"), threads=1)
    for value in (2**53 + 1, -(2**53) - 1, 2.0**53):
        with pytest.raises(PolynbError, match="B cannot be made a int64 array") as error:
            kernel(B=[value, 0.0])
        assert f"{float(value)} is not exactly an integer of int64" in error.value.reason
    assert kernel(B=[2**53 + 1, 0])["B"].tolist() == [2**53 + 1] * 2
    assert kernel(B=[2.0**53 - 1, 0.0])["B"].tolist() == [2**53 - 1] * 2


def test_what_is_no_number_is_one_of_floating_arrays_only():
    inf, nan = float("inf"), float("nan")
    copy = "inout {} B[2]; B[1] = B[0];"
    for value in (nan, inf):
        whole = pn.compile(pn.parse(copy.format("int64")), threads=1)
        with pytest.raises(PolynbError, match="B cannot be made a int64 array"):
            whole(B=[value, 0.0])
        for real in ("float", "double"):
            found = pn.compile(pn.parse(copy.format(real)), threads=1)(B=[value, 0.0])["B"]
            assert np.array_equal(found, [value] * 2, equal_nan=True)
    with pytest.raises(PolynbError, match="B cannot be made a float32 array"):
        pn.compile(pn.parse(copy.format("float")), threads=1)(B=[1e300, 0.0])
