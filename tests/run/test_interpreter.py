"""The interpreter computes what a C compiler's code computes, bit for bit."""

import ctypes
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from polynb.errors import PolynbError
from polynb.scop.parsing import parse
from tests.run.interpreter import run

INPUTS = {"b": "int8", "c": "uint8", "i": "int32", "j": "int32", "u": "uint32", "l": "int64",
          "f": "float", "g": "float", "d": "double", "e": "double"}  # fmt: skip
C_NAMES = {f"{u}int{bits}": f"{u}int{bits}_t" for u in ("", "u") for bits in (8, 16, 32, 64)}
DTYPES = {"float": "float32", "double": "float64"}
ROWS = [
    dict(zip("bcijulfgde", row, strict=True))
    for row in (
        (-7, 250, -7, 2, 4000000000, -(2**40) - 3, 0.1, 0.7, 0.1, -2.5),
        (127, 9, 2**31 - 1, -3, 7, 2**40, 3e38, -1.5, 1e300, 1e300),
        (0, 255, 5, 7, 1, 12, 1.0, 0.0, 0.0, 7.5),
    )
]
EXPRESSIONS = [
    "i / j", "i % j", "l / j", "l % 7", "u / 3", "u % 10", "b / 2", "c / 2 * 2", "-b", "~c", "!i",
    "b * c", "c + c", "u + i", "u - 5 * u", "i < u", "b < c", "l < u", "i + 0.5", "i / 2.0",
    "f + g", "f * g", "f / g", "f * d", "f * 2", "f + 0.1", "f + 0.1f", "d / e", "d * e", "-d / g",
    "int8(l)", "uint8(i)", "int16(u)", "float(d)", "double(f) + d", "float(l)", "uint64(b)",
    "i > 0 ? i : d", "d < e ? f : g", "g == 0 ? 1 : f / g", "j != 0 && i / j > 1", "i & c",
    "i | b", "i ^ 5", "c << 3", "i >> 1", "l >> 3", "u >> 4", "1 << (j & 7)", "sqrt(d)", "sqrtf(f)",
    "fabs(e)", "abs(i + 1)", "exp(g)", "log(d)", "pow(e, 2)", "pow(e, 0.5)", "floor(e)", "ceil(e)",
    "round(e)", "rint(e)", "trunc(e)", "fmin(d, e)", "fmax(f, e)", "fmod(e, 2)", "atan2(d, e)",
    "fma(d, e, f)", "hypot(f, g)", "floorf(g)", "cos(e)", "log(0 * d)", "exp(1000 + d)",
    "min(i, j)", "min(i, d)", "max(f, g)", "max(c, b)", "llround(g)", "copysign(d, e)",
]  # fmt: skip


def compiled(tmp_path):
    """What gcc's code gives for every expression and row, as bits."""
    macros = [f"#define {t}(x) (({c})(x))" for t, c in C_NAMES.items()]
    macros += ["#define float(x) ((float)(x))", "#define double(x) ((double)(x))"]
    macros += ["#define min(a, b) ((a) < (b) ? (a) : (b))"]
    macros += ["#define max(a, b) ((a) > (b) ? (a) : (b))"]
    arguments = ", ".join(f"{C_NAMES.get(t, t)} {n}" for n, t in INPUTS.items())
    body = "\n".join(f"  out[{k}] = {e};" for k, e in enumerate(EXPRESSIONS))
    text = "\n".join(
        ["#include <stdint.h>", "#include <stdlib.h>", "#include <math.h>", *macros,
         f"void kernel({arguments}, double *out) {{\n{body}\n}}"]
    )  # fmt: skip
    source, library = tmp_path / "kernel.c", tmp_path / "kernel.so"
    source.write_text(text)
    flags = ["-O0", "-w", "-fwrapv", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(library), "-lm"], check=True)
    kernel = ctypes.CDLL(str(library)).kernel
    kinds = {"int8": "int8", "uint8": "uint8", "int32": "int32", "uint32": "uint32",
             "int64": "int64", "float": "float", "double": "double"}  # fmt: skip
    kernel.argtypes = [getattr(ctypes, f"c_{kinds[t]}") for t in INPUTS.values()]
    kernel.argtypes += [ctypes.c_void_p]
    results = []
    for row in ROWS:
        out = np.zeros(len(EXPRESSIONS))
        kernel(*(row[n] for n in INPUTS), out.ctypes.data)
        results.append(out)
    return results


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_expressions_are_evaluated_as_by_gcc(tmp_path):
    expected = compiled(tmp_path)
    declared = "".join(f"input {t} {n};\n" for n, t in INPUTS.items())
    for k, text in enumerate(EXPRESSIONS):
        scop = parse(f"param N;\n{declared}output double out;\nout = {text};", "scop")
        for row, results in zip(ROWS, expected, strict=True):
            given = {
                n: np.asarray(row[n], dtype=DTYPES.get(t, t))
                for n, t in INPUTS.items()
                if n in scop.arrays
            }
            for program in (scop, replace(scop, program=None)):
                got = run(program, given, N=1)["out"]
                assert np.isnan(got) == np.isnan(results[k])
                if not np.isnan(got):
                    assert got.tobytes() == results[k].tobytes(), (text, row, got, results[k])


STENCIL = """
param N; assume N >= 1;
input float A[N+2]; temp float t[N+2]; inout int32 count; output float B[N+1];
for i = 0 to N+1 do t[i] = A[i] * 0.1; done
for i = N to 1 by -1 do
  B[i] = t[i-1] + t[i] + t[i+1]; // S
  if B[i] > 1 then count = count + 1; fi
done
B[0] = 7;
"""


def test_a_program_on_arrays():
    scop = parse(STENCIL, "scop")
    a = np.arange(10, dtype="float32")
    kept = a.copy()
    for program in (scop, replace(scop, program=None)):
        left = run(program, {"A": a, "count": 3}, N=8)
        t = (kept * np.float64(0.1)).astype("float32")
        expected = np.zeros(9, dtype="float32")
        expected[1:] = t[:-2] + t[1:-1] + t[2:]
        expected[0] = 7
        assert set(left) == {"B", "count"}
        assert left["B"].dtype == np.float32
        assert (left["B"] == expected).all()
        assert left["count"].shape == ()
        assert left["count"] == 3 + (expected[1:] > 1).sum()
        assert (a == kept).all()


@pytest.mark.parametrize(
    ("arrays", "parameters", "message"),
    [
        ({}, {"N": 3}, "A is read and was not given"),
        ({"A": np.zeros(5), "count": 0}, {"N": 3}, "array of float, not of float64"),
        ({"A": np.zeros((5, 1), "float32"), "count": 0}, {"N": 3}, "1 dimensions, not 2"),
        ({"A": np.zeros(4, "float32"), "count": 0}, {"N": 3}, r"A\[4\] is out of bounds"),
        ({"A": [0.0], "count": 0}, {"N": 3}, "array of float, not of list"),
        ({"X": np.zeros(5)}, {"N": 3}, "no array 'X'"),
        ({}, {}, "parameter N"),
        ({}, {"N": 3, "K": 1}, "no parameter K"),
        ({}, {"N": 0}, "which N = 0 does not satisfy"),
    ],
)
def test_wrong_arguments(arrays, parameters, message):
    scop = parse(STENCIL, "scop")
    with pytest.raises(PolynbError, match=message):
        run(scop, arrays, **parameters)


@pytest.mark.parametrize(
    ("value", "message"),
    [("k / (k - 7)", "7 / 0"), ("k % (k - 7)", "7 % 0"), ("A[k]", r"A\[7\] is out of bounds"),
     ("f(k)", "f is not defined")],
)  # fmt: skip
def test_what_has_no_value_is_an_error(value, message):
    scop = parse(f"param N; input int32 k; input double A[3]; output double B; B = {value};")
    given = {n: v for n, v in {"k": 7, "A": np.zeros(3)}.items() if n in scop.arrays}
    with pytest.raises(PolynbError, match=message):
        run(scop, given, N=1)


def test_what_has_no_value_is_harmless_where_it_is_not_selected():
    text = "input int32 k; input double A[3]; output double B; B = k < 3 ? A[k] : k / (k - 7);"
    scop = parse(f"param N; {text}", "scop")
    with pytest.raises(PolynbError, match="7 / 0"):
        run(scop, {"k": 7, "A": np.ones(3)}, N=1)
    assert run(scop, {"k": 2, "A": np.ones(3)}, N=1)["B"] == 1
    assert run(scop, {"k": 9, "A": np.ones(3)}, N=1)["B"] == 4
