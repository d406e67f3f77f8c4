"""C's integer conversions: what gcc makes of the original text and what polynb's kernel computes
agree, for every pair of integer types, in values, conditions and subscripts.

The oracle runs the tree that the reader builds, so only a C compiler can tell.
"""

import ctypes
import os
import shutil
import subprocess

import numpy as np
import pytest

import polynb as pn

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]

TYPES = {
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}
N = 12
# x and y are operands of two types. Everything is defined in C: no signed overflow, no
# division by zero.
VALUES = ("x + y", "x - y", "x * y", "x / 3 - y", "y % 7 * x", "x & y", "x ^ y", "-x - ~y")
MIXED = ("x - y > 0 ? x : y", "(x - 3) / 2u", "(y - 9) * 3u", "(x - 9l) * 3", "x < -1 ? 1 : y >> 1")
CONDITIONS = ("x - 3 < y", "x > y || y - x > 2", "(x - y) / 2 < 3u", "!(x <= y - 1)", "x - y")
SUBSCRIPTS = ("(unsigned) (x - y) % 8u", "(unsigned char) (x - y) % 16", "x - y < 4ul")


def samples(kind):
    """Small values, and the largest of the unsigned types (of which products are still small)."""
    small = np.arange(N) * 5 % 9 - (4 if np.issubdtype(kind, np.signedinteger) else 0)
    found = small.astype(kind)
    if not np.issubdtype(kind, np.signedinteger):
        top = 40000 if kind is np.uint16 else np.iinfo(kind).max
        found[::3] = top - found[::3]
    return found


def with_operands(e, x, y):
    return "".join({"x": x, "y": y}.get(c, c) for c in e)


def value(x, y):
    """All expressions over a pair as one number, in which a difference of any of them shows."""
    result = "7ul"
    for e in (*VALUES, *MIXED, *CONDITIONS[:4]):
        result = f"({result}) * 31ul + ({with_operands(e, x, y)})"
    return result


def places(row, x, y):
    """Statements whose conditions and subscripts are expressions over a pair."""
    for k, e in enumerate(CONDITIONS):
        yield f"if ({with_operands(e, x, y)}) o[{row}][i] += {2**k};"
    for k, e in enumerate(SUBSCRIPTS):
        yield f"o[{row}][i] += {32 * 16**k} * w[{with_operands(e, x, y)}];"


def compare(declared, types, lines, directory, *, reparsed=False):
    """`declared` are the arguments besides the arrays q and o of results; `types` theirs."""
    rows = len(lines)
    names = [d.split("[")[0].split()[-1] for d in declared]
    results = [f"unsigned long q[{rows}][{N}]", f"unsigned long o[{rows}][{N}]"]
    body = "\n    ".join(lines)
    text = f"void f({', '.join(declared + results)}) {{\n  {types['i']} i;\n"
    text += f"  for (i = 0; i < n; i++) {{\n    {body}\n  }}\n}}\n"
    given = {"n": N, "m": 5, "w": np.arange(16, dtype=np.uint64)}
    given |= {k: samples(TYPES[t]) for k, t in types.items() if k not in "nmiw"}
    if "a" in given:
        given["a"] = given["a"][::-1].copy()
    given |= {k: np.zeros((rows, N), np.uint64) for k in "qo"}
    inputs = {k: np.copy(v) for k, v in given.items()}
    source, library = directory / "f.c", directory / "f.so"
    source.write_text(text)
    flags = ["-w", "-std=c99", "-O0", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(library)], check=True)
    arguments = [
        np.ctypeslib.as_ctypes_type(TYPES[types[k]])(given[k])
        if k in ("n", "m")
        else given[k].ctypes.data_as(ctypes.c_void_p)
        for k in (*names, "q", "o")
    ]
    ctypes.CDLL(str(library)).f(*arguments)
    scop = pn.parse(text, "c")
    variants = [scop, pn.parse(str(scop), "scop")] if reparsed else [scop]
    for x in variants:
        live = {k: v for k, v in inputs.items() if k in x.arrays and x.arrays[k].live_in}
        found = pn.compile(x)(live, **{p: given[p] for p in x.parameters})
        for name in found:
            np.testing.assert_array_equal(found[name], given[name], err_msg=f"{name}\n{x}")


@pytest.mark.parametrize("left", [*TYPES][:: 1 if "POLYNB_LARGE" in os.environ else 3])
def test_every_pair_of_types(left, tmp_path):
    types = {"n": "int", "i": "int", "a": left} | {f"b{k}": t for k, t in enumerate(TYPES)}
    declared = ["int n"] + [f"{t} {name}[{N}]" for name, t in types.items() if name not in "ni"]
    lines = [f"q[{k}][i] = {value('a[i]', f'b{k}[i]')};" for k in range(len(TYPES))]
    compare(declared, types, lines, tmp_path)


@pytest.mark.parametrize("counter", ["int", "unsigned", "long", "unsigned long", "short"])
def test_iterators_and_parameters(counter, tmp_path):
    size, other = ("unsigned", "int") if counter == "int" else ("int", "unsigned")
    types = {"n": size, "m": other, "i": counter, "a": "unsigned", "b": "unsigned long"}
    declared = [f"{size} n", f"{other} m", f"unsigned a[{N}]", f"unsigned long b[{N}]"]
    pairs = [("i", "a[i]"), ("b[i]", "i"), ("n", "a[i]"), ("i", "n"), ("n", "i"), ("i", "m")]
    lines = [f"q[{k}][i] = {value(x, y)};" for k, (x, y) in enumerate(pairs)]
    compare(declared, types, lines, tmp_path, reparsed=True)


@pytest.mark.parametrize(
    ("x", "y"), [("i", "a[i]"), ("i", "n"), ("i", "2u"), ("i", "m"), ("5u", "i"), ("i", "3ul")]
)
def test_conditions_and_subscripts(x, y, tmp_path):
    types = {"n": "int", "m": "unsigned", "i": "int", "a": "unsigned", "w": "unsigned long"}
    declared = ["int n", "unsigned m", f"unsigned a[{N}]", "unsigned long w[16]"]
    compare(declared, types, list(places(0, x, y)), tmp_path, reparsed=True)
