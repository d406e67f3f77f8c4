"""Printed C computes what the expression says; compilers find nothing to warn of."""

import ctypes
import random
import re
import shutil
import subprocess

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.literals import plain_literals, substitute
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.source import tree as t
from polynb.source.c.print.expressions import CExpressions, print_expression
from polynb.source.c.print.helpers import Helpers
from polynb.source.c.print.names import CNames, is_reserved
from polynb.source.c.print.printer import print_function
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, FLOAT, INT8, INT32, INT64, TYPES, UINT8, UINT64

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-label", "-std=c99"]
ARRAYS = {f"v_{name}": kind for name, kind in TYPES.items()}
TYPED = Types(ARRAYS)


def number(v, kind=INT32):
    return t.Number(v, kind)


def b(op, left, right):
    return t.Binary(op, left, right)


def v(name):
    return t.Access(f"v_{name}")


def show(e):
    return print_expression(e, TYPED)


# -- parentheses ------------------------------------------------------------------------------

x, y, z = v("double"), v("float"), v("int64")


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (b("-", x, b("-", y, z)), "v_double - (v_float - v_int64)"),
        (b("-", b("-", x, y), z), "v_double - v_float - v_int64"),
        (b("+", x, b("+", y, z)), "v_double + (v_float + v_int64)"),
        (b("*", b("+", x, y), z), "(v_double + v_float) * v_int64"),
        (b("+", b("*", x, y), z), "v_double * v_float + v_int64"),
        (b("/", x, b("*", y, z)), "v_double / (v_float * v_int64)"),
        (t.Unary("-", t.Unary("-", x)), "-(-v_double)"),
        (b("-", x, number(-1)), "v_double - -1"),
        (t.Unary("-", number(-1)), "-(-1)"),
        (b("<", b("<", x, y), z), "(v_double < v_float) < v_int64"),
        (b("==", t.Unary("!", z), z), "(!v_int64) == v_int64"),
        (b("||", b("&&", x, y), z), "(v_double && v_float) || v_int64"),
        (b("&&", b("&&", x, y), z), "v_double && v_float && v_int64"),
        (b("|", b("&", z, z), z), "(v_int64 & v_int64) | v_int64"),
        (b("<<", b("+", z, z), z), "(v_int64 + v_int64) << v_int64"),
        (b("+", t.Select(x, y, z), z), "(v_double ? v_float : v_int64) + v_int64"),
        (t.Select(x, y, t.Select(x, y, z)), "v_double ? v_float : v_double ? v_float : v_int64"),
        (t.Cast(INT8, b("+", x, y)), "(int8_t)(v_double + v_float)"),
        (b("*", t.Cast(FLOAT, x), y), "(float)v_double * v_float"),
        (b("floord", z, number(2)), "floord(v_int64, 2)"),
        (
            t.Call("min", (x, t.Call("min", (y, z)))),
            "min_double(v_double, min(v_float, v_int64))",
        ),
    ],
)
def test_parentheses_where_c_or_its_compilers_want_them(e, text):
    assert show(e) == text


@pytest.mark.parametrize(
    ("e", "text"),
    [
        (number(1.5, DOUBLE), "1.5"),
        (number(1e-5, DOUBLE), "1e-05"),
        (number(2, DOUBLE), "2.0"),
        (number(0.1, FLOAT), "0.1f"),
        (number(-(2**31)), "(-2147483647 - 1)"),
        (number(2**31, INT64), "2147483648"),
        (number(3, INT64), "INT64_C(3)"),
        (number(3, UINT8), "(uint8_t)3"),
    ],
)
def test_literals_keep_their_type(e, text):
    assert show(e) == text


def test_infinite_literals_are_refused():
    with pytest.raises(PolynbError, match="literal"):
        show(number(float("inf"), DOUBLE))


@pytest.mark.parametrize("op", ["%", "&", "<<"])
def test_operators_on_whole_numbers_refuse_floats(op):
    with pytest.raises(PolynbError, match="needs integers"):
        show(b(op, x, z))


def test_unsigned_comparisons_say_their_conversion():
    assert show(b("<", v("int32"), v("uint32"))) == "(uint32_t)v_int32 < v_uint32"
    assert show(b("<", v("int32"), v("uint16"))) == "v_int32 < v_uint16"
    assert show(t.Select(z, v("int64"), v("uint64"))).endswith("(uint64_t)v_int64 : v_uint64")


def test_an_unknown_function_is_named():
    with pytest.raises(PolynbError, match="blur has no definition"):
        show(t.Call("blur", (x,)))
    with pytest.raises(PolynbError, match="sqrt takes 1"):
        show(t.Call("sqrt", (x, y)))


# -- names ------------------------------------------------------------------------------------


def test_names_that_stay_go_first():
    names = CNames()
    names.add(["int", "int_", "sqrt", "a", "__LINE__", "INT8_MAX"])
    found = {n: names.of(n) for n in ("int", "int_", "sqrt", "a", "__LINE__", "INT8_MAX")}
    assert found["int_"] == "int_"
    assert found["a"] == "a"
    assert len(set(found.values())) == len(found)
    assert not any(is_reserved(n) for n in found.values())


def test_no_macro_of_the_headers_is_a_name(tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    headers = ["math.h", "stdint.h", "stdlib.h"]
    command = [
        "gcc",
        "-dM",
        "-E",
        "-std=gnu11",
        *(x for h in headers for x in ("-include", h)),
        "-",
    ]
    said = subprocess.run(command, input="", capture_output=True, text=True, check=True).stdout
    macros = {line.split()[1].split("(")[0] for line in said.splitlines()}
    assert [m for m in macros if not is_reserved(m)] == []


# -- what it computes -------------------------------------------------------------------------

WHOLE = [n for n, k in TYPES.items() if not k.is_float]
VALUES = {n: np.dtype(k.dtype).type(3 if k.is_float else 7) for n, k in TYPES.items()}


class Random:
    """Random expressions over one variable of each type and the iterator i."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def whole(self, depth):
        r = self.random
        if depth == 0:
            return r.choice(
                [t.Iterator("i"), t.Iterator("i"), number(r.randrange(9)), v(r.choice(WHOLE))]
            )
        pick = r.randrange(9)
        if pick < 3:
            return b(r.choice("+-*"), self.whole(depth - 1), self.whole(depth - 1))
        if pick == 3:
            return b(r.choice("&|^"), self.whole(depth - 1), self.whole(depth - 1))
        if pick == 4:
            return b(
                r.choice(["<", "<=", ">", ">=", "==", "!="]),
                self.any(depth - 1),
                self.any(depth - 1),
            )
        if pick == 5:
            return t.Select(self.whole(depth - 1), self.whole(depth - 1), self.whole(depth - 1))
        if pick == 6:
            return t.Cast(TYPES[r.choice(WHOLE)], self.whole(depth - 1))
        if pick == 7:
            return t.Call(r.choice(["min", "max"]), (self.whole(depth - 1), self.whole(depth - 1)))
        return t.Unary(r.choice("-+~"), self.whole(depth - 1))

    def any(self, depth):
        r = self.random
        if depth == 0 or r.random() < 0.5:
            return self.whole(depth)
        if r.random() < 0.2:
            return t.Call("sqrt", (t.Cast(UINT8, self.whole(depth - 1)),))
        pair = (v(r.choice(["float", "double"])), self.any(depth - 1))
        return b(r.choice("+-*"), *r.sample(pair, 2))


def compile_text(folder, text, *flags):
    source, target = folder / "t.c", folder / "t.so"
    source.write_text(text, encoding="ascii")
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    command = ["gcc", "-std=c11", "-O1", "-fwrapv", "-ffp-contract=off", "-fPIC", "-shared", *flags]
    done = subprocess.run(
        [*command, "-o", target, source, "-lm"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(target))


def test_folding_an_iterator_changes_no_bit(tmp_path):
    """Each expression with i a variable, and with i replaced by its value, normalised, and its
    literals written plainly: the same type, the same value."""
    names = CNames()
    names.add([*ARRAYS, "i", "p", "q", "c", "check"])
    printer = CExpressions(names, TYPED, Helpers(names))
    checks = []
    for k in range(400):
        draw = Random(k)
        value = draw.random.choice([-3, -1, 0, 1, 2, 5])
        e = draw.any(3)
        new = plain_literals(substitute(e, {"i": t.Number(value, INT64)}), TYPED)
        before, after = printer.text(e), printer.text(new)
        checks.append(
            f"  {{ volatile int64_t c = {value}; int64_t i = c; (void)i;"
            f" __typeof__({before}) p = {before}; {TYPED.of(e).c_name} q = {after};"
            f" if (!__builtin_types_compatible_p(__typeof__(p), __typeof__(q))"
            f" || memcmp(&p, &q, sizeof p)) return {k}; }}"
        )
    variables = "".join(
        f"static volatile {kind.c_name} v_{n} = {VALUES[n]};\n" for n, kind in TYPES.items()
    )
    text = (
        "#include <stdint.h>\n#include <math.h>\n#include <string.h>\n"
        + variables
        + "\n".join(printer.helpers.texts)
        + "\nint check(void) {\n"
        + "\n".join(checks)
        + "\n  return -1;\n}\n"
    )
    library = compile_text(tmp_path, text, "-Wall", "-Wextra", "-Werror=parentheses")
    failed = library.check()
    assert failed == -1, checks[failed]


# -- functions --------------------------------------------------------------------------------


def program(body, *declarations, **options):
    return t.Program(("N",), declarations, body, **options)


def test_a_function_with_conditions_strides_and_shared_parts(tmp_path):
    i, n = t.Iterator("i"), t.Parameter("N")
    cell = t.Access("A", (i,))
    square = t.Let("e", b("*", cell, cell))
    twice = b("+", square, square)
    extent = (b("+", n, number(1)),)
    body = (
        t.For(
            "i",
            n,
            number(0),
            (
                t.If(
                    b("==", b("mod", i, number(4)), number(0)),
                    (t.Assign(cell, twice, "S"),),
                    (t.If(b("<", i, number(3)), (), (t.Assign(cell, number(0.5, DOUBLE)),)),),
                ),
            ),
            step=-2,
        ),
    )
    text = print_function(program(body, t.Declaration("A", "inout", DOUBLE, extent), name="step"))
    assert "for (int64_t i = N; i >= 0; i -= 2) {" in text
    assert "const double e = A[i] * A[i];" in text
    assert "S: A[i] = " in text
    library = compile_text(tmp_path, text, *WARNINGS)
    a = np.arange(9.0)
    library.step(ctypes.c_int64(8), ctypes.c_void_p(a.ctypes.data))
    assert list(a) == [0.0, 1.0, 2.0, 3.0, 32.0, 5.0, 0.5, 7.0, 128.0]


@pytest.mark.parametrize("low", [-7, 0])
def test_floor_divisions_are_c_s_own_where_nothing_is_negative(tmp_path, low):
    i, n = t.Iterator("i"), t.Parameter("N")
    shifted = b("+", i, number(7))
    value = b("+", b("floord", i, number(3)), b("*", b("mod", i, number(4)), number(100)))
    loop = t.For("i", number(low), n, (t.Assign(t.Access("A", (shifted,)), value),))
    array = t.Declaration("A", "output", DOUBLE, (b("+", n, number(8)),))
    text = print_function(program((loop,), array))
    assert ("i / 3 + i % 4 * 100" in text) == (low == 0)
    assert ("floord(i, 3) + (i - 4 * floord(i, 4)) * 100" in text) == (low < 0)
    a = np.zeros(17)
    library = compile_text(tmp_path, text, *WARNINGS)
    library.kernel(ctypes.c_int64(9), ctypes.c_void_p(a.ctypes.data))
    assert list(a[low + 7 :]) == [k // 3 + k % 4 * 100 for k in range(low, 10)]


def test_pragmas_are_guarded_and_start_lines():
    i, n = t.Iterator("i"), t.Parameter("N")
    body = t.For("i", number(0), n, (t.Assign(t.Access("A", (i,)), i),), kind="parallel")
    inner = t.For("i", number(0), n, (t.Assign(t.Access("A", (i,)), i),), kind="vector")
    outer = t.For("j", number(0), n, (inner,))
    array = t.Declaration("A", "output", UINT64, (b("+", n, number(1)),))
    lines = print_function(program((body, outer), array)).splitlines()
    pragmas = [k for k, line in enumerate(lines) if "#pragma" in line]
    assert [lines[k] for k in pragmas] == [
        "#pragma omp parallel for schedule(guided)",
        "#pragma omp simd",
    ]
    assert [lines[k - 1] for k in pragmas] == [
        "#ifdef _OPENMP",
        "#if defined(_OPENMP) || defined(OPENMP_SIMD)",
    ]
    assert all(lines[k + 1] == "#endif" for k in pragmas)
    assert all(lines[k + 2].lstrip().startswith("for (int64_t i = 0;") for k in pragmas)


def test_floor_divisions_of_values_are_done_in_their_types(tmp_path):
    cells = (t.Access("n"), t.Access("u"))
    low, one = number(-7), number(4, INT32)
    body = tuple(
        t.Assign(t.Access("A", (number(k),)), b(op, left, one))
        for k, (op, left) in enumerate(
            (op, left) for op in ("floord", "mod") for left in (*cells, b("*", cells[0], low))
        )
    )
    declared = (
        t.Declaration("A", "output", DOUBLE, (number(6),)),
        t.Declaration("n", "input", INT32),
        t.Declaration("u", "input", UINT64),
    )
    text = print_function(program(body, *declared))
    assert "static inline int32_t floord(int32_t a, int32_t b)" in text
    assert "u / 4" in text
    a = np.zeros(6)
    library = compile_text(tmp_path, text, *WARNINGS, "-Wno-unused-parameter")
    pointer, n, u = ctypes.c_void_p(a.ctypes.data), ctypes.c_int32(-5), ctypes.c_uint64(2**63 + 1)
    library.kernel(ctypes.c_int64(0), pointer, n, u)
    assert list(a) == [-2, float((2**63 + 1) // 4), 8, 3, 1, 3]
    with pytest.raises(PolynbError, match="needs integers"):
        show(b("floord", x, number(2)))


FOREIGN = (
    "y1",
    "y1f",
    "select",
    "div_t",
    "qsort_r",
    "strtold",
    "random",
    "printf",
    "index",
    "cexp",
)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_functions_and_programs_named_like_the_librarys(compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    for name in FOREIGN:
        text = f"param N; define {name}(x) = x*x; for i = 0 to N do A[i] = {name}(B[i]); done"
        program = pn.parse(text, "scop", name=name)
        command = [compiler, "-D_GNU_SOURCE", "-Wall", "-Werror", "-fsyntax-only", "-x", "c", "-"]
        headers = "#include <math.h>\n#include <stdlib.h>\n"
        run = subprocess.run(
            command, input=headers + program.to_c(), capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr


def test_no_function_of_the_headers_is_a_name():
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    headers = "".join(f"#include <{h}.h>\n" for h in ("math", "stdint", "stdlib"))
    command = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-E", "-P", "-"]
    run = subprocess.run(command, input=headers, capture_output=True, text=True, check=True)
    said = run.stdout
    declared = set(re.findall(r"\b([A-Za-z]\w*)\s*\([^()]*\)[^;{}()]*(?:\([^;]*\))?\s*;", said))
    declared |= set(re.findall(r"^typedef[^;{}]*?\b(\w+);", said, re.MULTILINE))
    assert len(declared) > 300
    assert [name for name in sorted(declared) if not is_reserved(name)] == []


def test_the_largest_uint64_can_be_read_again():
    text = "void f(int n, double o[n]) { for (int i = 0; i < n; i++) o[i] = 0xFFFFFFFFFFFFFFFFu; }"
    printed = pn.parse(text, "c").to_c()
    assert "18446744073709551615u" in printed
    assert equivalent(pn.parse(text, "c"), pn.parse(printed, "c"), n=[0, 3])
