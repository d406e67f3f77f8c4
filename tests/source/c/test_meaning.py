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


@pytest.mark.long
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


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("const double c = 0.1f; x = c;", "x[0] = 0.10000000149011612;"),
        ("const double c = -16777217.0f; x = c;", "x[0] = -16777216.0;"),
        ("#define V 0.1f\nconst double c = V; x = c;", "x[0] = 0.10000000149011612;"),
        ("const float c = 0.1; x = c;", "x[0] = 0.1f;"),
        ("const float c = 9007199791611905; x = c;", "x[0] = 9007200000000000.0f;"),
        ("x = 0x1.000001p0f;", "x[0] = 1.0f;"),
        ("x = 0.333333333333f;", "x[0] = 0.33333334f;"),
        ("const bool on = 256; x = on;", "x[0] = (uint8_t)1;"),
    ],
)
def test_constants_have_the_value_of_their_types(text, printed):
    lines = text.splitlines()
    program = "\n".join([*lines[:-1], f"void f(double x[1]) {{ {lines[-1]} }}"])
    assert printed in pn.parse(program.replace("x =", "x[0] ="), "c").to_c()


def test_arguments_and_results_that_are_bool():
    """Where a conversion to an integer of 8 bits would drop what they hold."""
    text = """
    static bool flag(int x, bool y) { return (x & 256) + y; }
    void f(int n, double B[n], int C[n], double D[n]) {
        for (int i = 0; i < n; i++) B[i] = flag(C[i], D[i]);
    }"""
    given = {"C": np.array([256, 3, 0, 0], np.int32), "D": np.array([0, 256.0, 0.5, 0])}
    assert pn.compile(pn.parse(text, "c"))(given, n=4)["B"].tolist() == [1, 1, 1, 0]


FLOOR = "static int floord(int n, int d) { return n < 0 ? -((-n + d - 1) / d) : n / d; }\n"
SMALL = {
    "a step before its subscript changes": (
        "",
        "int k = 2; for (int i = 0; i < n; i++) { k = C[k]++; A[i] = k; }",
    ),
    "the same in an array": ("", "for (int i = 0; i < n; i++) if (C[i] != i) C[i] = C[C[i]]++;"),
    "a step in what is written": ("", "C[0] = 2; C[2] = 0; C[C[C[0]]++] = 1;"),
    "a cell that says where it is": ("", "C[0] = 0; A[1] = C[C[0]] = 3;"),
    "the same, added to": ("", "C[0] = 0; A[1] = C[C[0]] += 1;"),
    "the same, stepped": ("", "C[0] = 0; A[1] = ++C[C[0]]; C[0] = 0; A[2] = C[C[0]]++;"),
    "the same, of bytes": ("", "D[0] = 0; A[1] = D[D[0]] = 258;"),
    "a narrow subscript": (
        "",
        "for (int i = 0; i < 200; i++) if (C[i] > 1) A[i] = F[(unsigned char)(i - 1)];",
    ),
    "a function called ceild": (
        "static int ceild(int n, int d) { return n / d + 2; }\n",
        "for (int i = 0; i < ceild(n, 3); i++) A[i] = ceild(i, 2);",
    ),
    "a function that is floord": (
        FLOOR,
        "for (int i = floord(-n, 2); i < floord(n, 3); i++) A[i + 150] = floord(i, 2);",
    ),
    "functions that call each other": (
        FLOOR + "static int ceild(int n, int d) { return -floord(-n, d); }\n",
        "for (int i = 0; i < n; i++) if (i >= ceild(n, 3)) A[i] = ceild(i, 2) + floord(i, 3);",
    ),
    "a function called labs": (
        "static long labs(long x) { return x + 1; }\n",
        "for (int i = 0; i < n; i++) A[i] = labs(i - 3);",
    ),
}
ARGUMENTS = "int n, double A[300], int C[300], uint8_t D[300], float F[300]"
CELLS = {"A": np.float64, "C": np.int32, "D": np.uint8, "F": np.float32}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """gcc's versions of the small programs, in one library."""
    source = tmp_path_factory.mktemp("small") / "f.c"
    for k, (before, body) in enumerate(SMALL.values()):
        before = "".join(f"#define {f} {f}_{k}\n" for f in ("floord", "ceild", "labs")) + before
        text = source.read_text() if k else "#include <stdint.h>\n"
        undone = "\n#undef floord\n#undef ceild\n#undef labs\n"
        source.write_text(f"{text}{before}void f_{k}({ARGUMENTS}) {{ {body} }}{undone}")
    flags = ["-std=c11", "-O1", "-w", "-fno-builtin", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(source.with_suffix(".so"))], check=True)
    return ctypes.CDLL(str(source.with_suffix(".so")))


@pytest.mark.parametrize("name", SMALL)
def test_small_programs(name, small):
    before, body = SMALL[name]
    rng = np.random.default_rng(5)
    given = {a: rng.integers(0, 100, 300).astype(t) for a, t in CELLS.items()}
    scop = pn.parse(f"{before}void f({ARGUMENTS}) {{ {body} }}", "c")
    sizes = {"n": 300} if scop.parameters else {}
    live_in = {a: given[a] for a, array in scop.arrays.items() if array.live_in}
    results = pn.compile(scop)(live_in, **sizes)
    expected = {a: x.copy() for a, x in given.items()}
    small[f"f_{[*SMALL].index(name)}"](
        300, *(x.ctypes.data_as(ctypes.c_void_p) for x in expected.values())
    )
    changed = [a for a in CELLS if not np.array_equal(expected[a], given[a])]
    assert changed
    for a in changed:
        where = (expected[a] != given[a]) | (a in live_in)
        np.testing.assert_array_equal(np.asarray(results[a])[where], expected[a][where], err_msg=a)
