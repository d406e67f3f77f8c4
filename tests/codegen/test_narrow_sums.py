"""Halves of sums, and distances, of values of 16 bits, which vectors compute in 16 bits."""

import re

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.text import to_c

PROGRAM = """
param N; input {} A[N]; input {} B[N]; output {} H[N], M[N]; output int32 D[N], Z[N];
for i = 0 to N - 1 do
  halve: H[i] = (A[i] + B[i]) / 2;
  compare: D[i] = abs(A[i] - B[i]);
  choose: Z[i] = abs(A[i] - B[i]) < abs((A[i] + B[i]) / 2 - B[i])
    ? min(A[i], B[i]) : max(A[i], B[i]);
  more: M[i] = ((A[i] + B[i]) / 2 + A[i]) / 2;
done
"""
ENDS = [-32768, -32767, -129, -128, -3, -2, -1, 0, 1, 2, 3, 127, 128, 255, 256, 32766, 32767, 65534]


def pairs(first: str, second: str) -> tuple[np.ndarray, np.ndarray]:
    """Every value of the first type, beside the values that are near an end of the second."""
    limits, others = (np.iinfo(t) for t in (first, second))
    ends = [e for e in [*ENDS, 65535] if others.min <= e <= others.max]
    values = np.arange(limits.min, limits.max + 1)
    a, b = np.meshgrid(values, ends)
    return a.ravel().astype(first), b.ravel().astype(second)


def half(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, -(-x // 2), x // 2)


def in_vectors(first: str, second: str, result: str) -> pn.Scop:
    return pn.transform(pn.parse(PROGRAM.format(first, second, result)), "vectorize i").result


@pytest.mark.parametrize(
    ("types", "functions"),
    [
        (("int16", "int16", "int16"), {"half_sum_int16", "distance_int16"}),
        (("uint16", "uint16", "uint16"), {"half_sum_uint16", "distance_uint16"}),
        (("int16", "uint8", "int16"), {"half_sum_int16", "distance_int16"}),
        (("uint16", "uint8", "uint16"), {"half_sum_uint16", "distance_uint16"}),
        (("int16", "uint16", "int32"), set()),
        (("int16", "int32", "int32"), set()),
    ],
)
def test_results_are_those_of_wider_types(types, functions):
    kernel = pn.compile(in_vectors(*types), threads=1)
    assert {*re.findall(r"\b(?:half_sum|distance)_\w+", kernel.source)} == functions
    a, b = pairs(types[0], types[1].replace("int32", "int16"))
    b = b.astype(types[1])
    after = kernel(N=len(a), A=a, B=b)
    x, y = a.astype(np.int64), b.astype(np.int64)
    middle = half(x + y)
    assert np.array_equal(after["H"], middle)
    assert np.array_equal(after["D"], abs(x - y))
    nearer = abs(x - y) < abs(middle - y)
    assert np.array_equal(after["Z"], np.where(nearer, np.minimum(x, y), np.maximum(x, y)))
    assert np.array_equal(after["M"], half(middle + x))


def test_what_is_no_vector_stays_as_it_is():
    scop = pn.parse(PROGRAM.format("int16", "int16", "int16"))
    assert "half_sum" not in pn.compile(scop, threads=1).source
    assert "half_sum" not in to_c(in_vectors("int16", "int16", "int16"))


def test_least_and_greatest_of_one_type_have_it():
    kernel = pn.compile(in_vectors("int16", "int16", "int16"), threads=1)
    assert "int32_t a" not in kernel.source
    text = "param N; for i = 0 to N do O[i] = max(min(A[i], B[i]), min(A[i], C[i])); done"
    declared = "param N; input {} A[N+1], B[N+1]; input {} C[N+1]; output int32 O[N+1];"
    for kinds, wanted in (
        (("int8", "int8"), {"int8_t"}),
        (("int8", "uint8"), {"int8_t", "int32_t"}),
    ):
        scop = pn.parse(text.replace("param N;", declared.format(*kinds)))
        source = pn.compile(scop, threads=1).source
        assert {*re.findall(r"static inline (\w+) (?:min|max)", source)} == wanted


HALVES = """param N; input int16 A[N]; input int16 B[N]; output {} H[N];
for i = 0 to N - 1 do H[i] = (A[i] + B[i]) / {}; done"""


@pytest.mark.parametrize(
    ("two", "result", "expected"),
    [("2.0f", "float", 1.5), ("2.0", "double", 1.5), ("2L*100000", "int64", 100000)],
)
def test_what_is_divided_by_another_two_is_of_its_type(two, result, expected):
    scop = pn.transform(pn.parse(HALVES.format(result, two)), "vectorize i").result
    kernel = pn.compile(scop, threads=1)
    assert "half_sum" not in kernel.source
    a, b = np.full(9, 1, np.int16), np.full(9, 2, np.int16)
    assert (kernel(N=9, A=a, B=b)["H"] == expected).all()


def test_a_function_called_abs_is_what_the_text_says():
    text = """define abs(v) = v + 1; param N; input int16 A[N], B[N]; output int32 C[N];
    for i = 0 to N-1 do C[i] = abs(A[i] - B[i]); done"""
    kernel = pn.compile(pn.transform(pn.parse(text), "vectorize i").result, threads=1)
    a, b = np.full(9, 1, np.int16), np.full(9, 4, np.int16)
    assert (kernel(N=9, A=a, B=b)["C"] == -2).all()
