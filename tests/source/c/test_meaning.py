"""What the front end makes of C means the same: gcc's result of the original and of what polynb
prints agree to the bit."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import polynb as pn

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

HEADERS = "math.h stdlib.h stdint.h stdbool.h stddef.h".split()  # noqa: SIM905
N = 9
# Everything at once: shadowing, counting down, unsigned and narrow types, several writes in a
# statement, conversions, C's division, bits, functions, macros, indices with names.
PROGRAM = """
#define min(a, b) ((a) < (b) ? (a) : (b))
#define SQUARE(x) ((x) * (x))
static float square(float x) { return x * x; }

void f(int n, unsigned m, double A[n], double B[n], int C[n], uint8_t D[n], float F[n], double x,
       double out[5]) {
    double s = 0, t = 1, u;
    int k = 2;
    bool flag;
    unsigned char narrow = 250;
    for (int i = n - 1; i >= 0; i -= 2) {
        double t = A[i] * x;
        s += t;
        { double t = s; A[i] = t + i % 3 - SQUARE(i + 1); }
    }
    for (size_t i = 1; i < n; i++) {
        B[i] = C[i - 1]++ + (i - m) * 1e-3;
        D[i] = D[i] * 3 + i;
    }
    for (int i = 0; i < n; i++) {
        int mirror = n - 1 - i;
        u = t = A[mirror] / 2 + square(A[i]);
        F[i] = u + 0.1;
        F[mirror] *= 0.3f;
        flag = i & 4;
        if (flag) C[i] += k++ / 2 - 7 % -3; else C[i] -= (int) t;
        narrow += i;
    }
    for (int i = 0; i <= min(n - 1, 5) && i < 20; ++i) {
        A[i] += C[i] < 3 ? 'a' : (float) x / 3;
        if (!(A[i] > 2) || i == 3) A[i] = -A[i];
        B[i] = (D[i] << 2) | 1;
    }
    for (int i = -3; i <= 3; i++) A[i / 2 + 4] += i % 2;
    out[0] = s;
    out[1] = narrow;
    out[2] = k;
    out[3] = fmin(s, t) + abs(k - 9) + (uint8_t) 300 + 7 / 2 * 1.5 + 3000000000 % 7;
    out[4] = (k++, k);
}
"""


def arguments():
    rng = np.random.default_rng(3)
    return {
        "A": rng.normal(size=N) * 5,
        "B": np.zeros(N),
        "C": rng.integers(-9, 9, N).astype(np.int32),
        "D": rng.integers(0, 255, N).astype(np.uint8),
        "F": rng.normal(size=N).astype(np.float32),
        "out": np.zeros(5),
    }


def original(program, given, directory):
    """The arrays after gcc's version of the program ran."""
    source, library = directory / "f.c", directory / "f.so"
    source.write_text("".join(f"#include <{h}>\n" for h in HEADERS) + program)
    flags = ["-std=c99", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(library), "-lm"], check=True)
    pointers = {k: v.ctypes.data_as(ctypes.c_void_p) for k, v in given.items()}
    arrays = [pointers[k] for k in "ABCDF"]
    x = ctypes.c_double(1.7)
    ctypes.CDLL(str(library)).f(ctypes.c_int(N), ctypes.c_uint(4), *arrays, x, pointers["out"])
    return given


def test_the_same_bits(tmp_path):
    scop = pn.parse(PROGRAM, "c")
    assert scop.parameters == ("n",)
    given = {**arguments(), "x": 1.7, "m": 4}
    live_in = {name: given[name] for name, array in scop.arrays.items() if array.live_in}
    results = pn.compile(scop)(live_in, n=N)
    expected = original(PROGRAM, arguments(), tmp_path)
    for name, array in expected.items():
        np.testing.assert_array_equal(np.asarray(results[name]), array, err_msg=name)


def test_a_label_stays_the_name_of_a_statement_that_shares_values():
    """In C a label of a block names no statement."""
    scop = pn.parse(
        """param N; assume N >= 0; input double A[N+1]; output double B[N+1], C[N+1];
        for i = 0 to N do
          let e = A[i] * A[i]; first: B[i] = e + e;
          let e = A[i] + 1; second: C[i] = e * e;
        done"""
    )
    again = pn.parse(scop.to_c(), "c")
    assert {"first", "second"} <= {s.name for s in again.statements}
    a = np.linspace(-1, 2, 6)
    before, after = (pn.compile(s)(N=5, A=a) for s in (scop, again))
    assert np.array_equal(before["B"], after["B"])
    assert np.array_equal(before["C"], after["C"])
