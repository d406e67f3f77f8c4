"""Default flags keep IEEE results: kernels against gcc -O0 on the text as written, bit for
bit, on signed zeros, infinities, NaNs, subnormals and huge values, naive and propagated."""

import ctypes
import itertools
import math
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import truncates
from polynb.run import compilers
from polynb.run.exactness import library_calls
from polynb.source.functions import MATH_FUNCTIONS

# The first that is there; all of them with POLYNB_LARGE=1.
THERE = [c for c in ("gcc", "clang") if shutil.which(c)]
COMPILERS = THERE if os.environ.get("POLYNB_LARGE") else THERE[:1]
HEADERS = "#include <stdint.h>\n#include <stdlib.h>\n#include <math.h>\n"
INTEGERS = [f"{u}int{bits}_t" for bits in (8, 16, 32, 64) for u in ("", "u")]
NUMPY = {"float": "f4", "double": "f8", **{t: t[:-2] for t in INTEGERS}}
TINY, LEAST = 2.2250738585072014e-308, 5e-324
EDGES = [0.0, 0.25, 0.49999999999999994, 0.5, 0.999999, 1.0, 1.5, 2.5, 1 / 3, 100.7, LEAST, TINY]
EDGES += [TINY - LEAST, 1e-42, 1.17549435e-38, 8388609.0, 2.0**31, 2.0**52 + 1, 4503599627370495.5]
EDGES += [2.0**62, 1e300, 3.4e38, math.inf, math.nan]
FLOATS = [sign * x for x in EDGES for sign in (1, -1)]
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc -O0 is the reference")


def special(dtype: str) -> np.ndarray:
    """Floating values, among them NaNs with a payload of either sign."""
    with np.errstate(all="ignore"):
        values = np.array([*FLOATS, 0, 0], dtype)
    bits = values.view(f"u{values.itemsize}")
    quiet = 0x7FC0DEAD if dtype == "f4" else 0x7FF8DEAD0000BEEF
    bits[-2], bits[-1] = quiet, quiet | 1 << (8 * values.itemsize - 1)
    return values


def fitting(values: np.ndarray, target: str) -> np.ndarray:
    """The same number of values, all of which C defines the conversion of."""
    if target in ("float", "double"):
        return values
    limits = np.iinfo(NUMPY[target])
    near = [limits.max - 1, limits.max / 2, -1.5, -0.75, limits.min + 0.5]
    mixed = [*values[np.isfinite(values)].tolist(), *near]
    kept = [x for x in mixed if limits.min <= math.trunc(x) <= limits.max * (1 - 2**-20)]
    return np.array(list(itertools.islice(itertools.cycle(kept), len(values))), values.dtype)


def extremes(target: str) -> np.ndarray:
    limits, halves = np.iinfo(NUMPY[target]), np.array([1, 2, 3, 5, 7, 100], NUMPY[target])
    ends = np.array([limits.min, limits.min + 1, limits.max, limits.max - 1, 0], NUMPY[target])
    return np.concatenate([ends, halves, limits.max // halves, limits.min // halves])


class Text:
    """A C function of outputs `o_k[i] = expression`, each by way of a temporary of its type; in
    loops of their own, which become vectors, or `fused` in one, which is compiled quickly."""

    def __init__(self, inputs: dict[str, tuple[str, np.ndarray]], fused: bool = False) -> None:
        self.inputs, self.outputs, self.fused = inputs, [], fused
        self.n = len(next(iter(inputs.values()))[1])

    def add(self, of: str, expression: str, then: str = "{}", to: str | None = None) -> None:
        """`of t; t = expression; o = then(t)`, where o is of type `to`."""
        self.outputs.append((of, expression, then, to or of))

    def c(self) -> str:
        arguments = [f"{t} {name}[n]" for name, (t, _) in self.inputs.items()]
        arguments += [f"{to} o{k}[n]" for k, (_, _, _, to) in enumerate(self.outputs)]
        lines = [f"{of} t{k}[n];" for k, (of, *_) in enumerate(self.outputs)]
        body = []
        for k, (_, expression, then, _) in enumerate(self.outputs):
            body.append(f"t{k}[i] = {expression};")
            body.append(f"o{k}[i] = {then.format(f't{k}[i]')};")
        loop = "for (int i = 0; i < n; i++)"
        loops = [f"{loop} {{", *body, "}"] if self.fused else [f"{loop} {b}" for b in body]
        return "\n".join([f"void f(int n, {', '.join(arguments)}) {{", *lines, *loops, "}\n"])

    def reference(self, tmp_path: Path) -> list[np.ndarray]:
        """By gcc -O0; even that computes calls of constants itself, and swaps arguments of fmax,
        of which C leaves open what zeros give, so it is told to call the library as written."""
        stem = tmp_path / f"original{len(list(tmp_path.iterdir()))}"
        source, library = stem.with_suffix(".c"), stem.with_suffix(".so")
        source.write_text(HEADERS + self.c())
        command = ["gcc", "-std=gnu99", "-O0", "-ffp-contract=off", "-fno-builtin"]
        command += ["-shared", "-fPIC"]
        subprocess.run([*command, str(source), "-o", str(library), "-lm"], check=True)
        found = [np.zeros(self.n, NUMPY[to]) for *_, to in self.outputs]
        given = [a for _, a in self.inputs.values()]
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (*given, *found)]
        ctypes.CDLL(str(library)).f(self.n, *pointers)
        return found

    def different(self, program: object, compiler: str, expected: list[np.ndarray]) -> list[str]:
        given = {name: a for name, (_, a) in self.inputs.items()}
        got = pn.compile(program, compiler=compiler, threads=1)(given, n=self.n)
        return [
            f"{self.outputs[k][1:]}: {e[d][:3]} became {got[f'o{k}'][d][:3]}"
            for k, e in enumerate(expected)
            if (d := unequal(e, got[f"o{k}"], "fabs" in self.outputs[k][1])).any()
        ]


def unequal(a: np.ndarray, b: np.ndarray, to_the_sign: bool) -> np.ndarray:
    """Where bits differ; C says nothing of the sign and payload of a NaN that was computed."""
    bits = f"u{a.itemsize}"
    differ = a.view(bits) != b.view(bits)
    return differ if a.dtype.kind != "f" or to_the_sign else differ & ~(np.isnan(a) & np.isnan(b))


def casts() -> Sequence[Text]:
    """Every pair of types, the temporary and the rest of the expression converting back."""
    for source, real in (("float", "float"), ("double", "double"), ("float", "double")):
        values = special(NUMPY[source])
        inputs = {f"a{k}": (source, fitting(values, t)) for k, t in enumerate(NUMPY)}
        text = Text(inputs, fused=source != real)
        for k, target in enumerate(NUMPY):
            text.add(target, f"({target}) a{k}[i]", to=real)
        yield text
    text = Text({f"a{k}": (t, extremes(t)) for k, t in enumerate(INTEGERS)}, fused=True)
    for k, target in itertools.product(range(len(INTEGERS)), NUMPY):
        text.add(target, f"({target}) a{k}[i]")
    yield text


def pairs(dtype: str) -> dict[str, tuple[str, np.ndarray]]:
    values = special(dtype)
    x, y = (np.ascontiguousarray(a.ravel()) for a in np.meshgrid(values, values))
    name = {"f4": "float", "f8": "double"}[dtype]
    return {"x": (name, x), "y": (name, y)}


ARITHMETIC = ("x+y", "x-y", "x*y", "x/y", "0-x", "x+0", "x*0", "x*1", "x/3", "-(x-y)")
CONTRACTED = ("x*y+x", "x*y-y", "-(x*y)+x", "x+y-x", "x*x-y*y")


def comparisons() -> Sequence[Text]:
    """Comparisons as values and as choices, of which copies and signs are exact for NaNs too."""
    for dtype in ("f4", "f8"):
        text = Text(pairs(dtype), fused=dtype == "f4")
        real = text.inputs["x"][0]
        for op in ("<", "<=", ">", ">=", "==", "!="):
            text.add("int", f"x[i] {op} y[i]", "!{}", to="int32_t")
            text.add(real, f"x[i] {op} y[i] ? x[i] : y[i]", f"{{0}} {op} 0 ? -{{0}} : {{0}}")
            text.add(real, f"x[i] {op} 0 ? 1 / x[i] : x[i] / y[i]")
        for e in (*ARITHMETIC, *CONTRACTED):
            text.add(real, e.replace("x", "x[i]").replace("y", "y[i]"), "{} + 0")
        suffix = "f" * (dtype == "f4")
        text.add(real, f"fabs{suffix}(x[i])", "-{}")
        text.add(real, f"copysign{suffix}(x[i], y[i])", f"fabs{suffix}({{}})")
        yield text


CONSTANTS = ("0.5", "2.0", "-0.0")


def calls() -> Sequence[Text]:
    """Every math function, also of constants that come to it by way of a temporary."""
    for suffix, dtype in (("", "f8"), ("f", "f4")):
        text = Text(pairs(dtype), fused=True)
        real = text.inputs["x"][0]
        for name, f in MATH_FUNCTIONS.items():
            if name.endswith("f") != bool(suffix) or len(f.arguments) > 2 or not f.result.is_float:
                continue
            if len(f.arguments) == 1:
                text.add(real, f"{name}(x[i])", f"-{name}({{}})")
                text.add(real, "2.0", f"{name}({{}})")
            else:
                text.add(real, "-x[i]", f"-{name}({{}}, y[i])")
                for c in CONSTANTS:
                    text.add(real, c, f"{name}(x[i], {{}})")
                    text.add(real, c, f"{name}({{}}, x[i])")
        text.add(real, "x[i]", f"fma{suffix}({{}}, y[i], x[i])")
        yield text


CASES: dict[str, Callable[[], Sequence[Text]]] = {
    "casts": casts,
    "comparisons": comparisons,
    "calls": calls,
}


@pytest.mark.long
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("what", list(CASES))
def test_bits_are_those_of_the_text(what, compiler, tmp_path) -> None:
    for text in CASES[what]():
        expected = text.reference(tmp_path)
        scop = pn.parse(text.c())
        propagated = pn.propagate(scop)
        assert len(propagated.result.temporaries) < len(scop.temporaries)
        assert text.different(scop, compiler, expected) == []
        assert text.different(propagated, compiler, expected) == []


def test_which_flags_a_program_gets() -> None:
    """Only what may truncate pays for it; the library does only calls whose results differ."""
    assert not truncates(pn.gallery.load("unsharp_mask"))
    assert truncates(pn.parse("param n; int32 t; for i = 0 to n do t[i] = a[i]; done"))
    assert truncates(pn.parse("param n; for i = 0 to n do o[i] = int32(a[i]); done"))
    assert truncates(pn.parse("param n; for i = 0 to n do o[i] = llrint(a[i]); done"))
    assert library_calls("y = sqrt(x) + pow (x, 2) - expf(fabs(z)) + mine(3);") == (
        "-fno-builtin-expf",
        "-fno-builtin-pow",
    )
    assert "-fno-trapping-math" in pn.compile(pn.gallery.load("unsharp_mask"), threads=1).flags


def test_fused_operations_are_not_contracted() -> None:
    if "__FMA__" not in compilers.target(compilers.find().command, ("-march=native",)):
        pytest.skip("this processor has no fused operations")
    text = "void f(int n, double x[n], double o[n]) { for (int i=0;i<n;i++) o[i] = x[i]*x[i] - 1; }"
    x = np.full(9, 1 + 2.0**-30)
    expected = [(1 + 2.0**-30) ** 2 - 1] * 9
    for compiler in COMPILERS:
        assert pn.compile(pn.parse(text), compiler=compiler)(n=9, x=x).o.tolist() == expected


def test_calls_that_stay_are_not_repeated_in_loops(tmp_path) -> None:
    scop = pn.parse("param N; input c; output B[N]; for i = 0 to N-1 do B[i] = i * pow(2, c); done")
    kernel = pn.compile(scop, compiler="gcc", threads=1)
    counted = "int calls; double pow(double x, double y) { calls++; return x + y; }"
    (tmp_path / "k.c").write_text(kernel.source)
    (tmp_path / "pow.c").write_text(counted)
    command = ["gcc", *kernel.flags, "-Wl,-Bsymbolic", "k.c", "pow.c", "-o", "k.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "k.so"))
    c, b = np.array([3.0]), np.zeros(9)
    cells = (ctypes.c_void_p * 2)(c.ctypes.data, b.ctypes.data)
    assert library.kernel((ctypes.c_int64 * 1)(9), cells, 1) == 0
    assert b.tolist() == [5 * i for i in range(9)]
    assert ctypes.c_int.in_dll(library, "calls").value == 1
