"""Random programs, compiled: bit for bit what the interpreter computes from their syntax trees.
POLYNB_LAWS is the number of programs (6 unless it is set, 100 at most)."""

import ctypes
import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from random_scops import random_program
from shares import COUNTS

from polynb import isl
from polynb.codegen import Target, kernel_source, to_c, to_text
from polynb.dependences import analyze
from polynb.propagation import propagate
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse
from polynb.scop.sizes import extents_at
from tests.run.interpreter import run

SEEDS = range(min(int(os.environ.get("POLYNB_LAWS", "6")), 100))
FLAGS = ["-std=c99", "-O1", "-fwrapv", "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared"]
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-type-limits"]
DEFINITIONS = {"f": "define f(x) = x * 1.25 - 1;", "g": "define g(x, y) = 3*x + y;"}

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def program(seed):
    """A random program whose functions have definitions."""
    head, rest = random_program(seed).split(";", 1)
    used = sorted(set(re.findall(r"\b([fg])\(", rest)))
    return f"{head}; {' '.join(DEFINITIONS[f] for f in used)}{rest}"


def forms(scop):
    """The program as parsed, propagated, printed and parsed again, and printed as C."""
    result = propagate(scop).result
    yield "parsed", scop
    yield "propagated", result
    yield "printed", parse(to_text(result), "scop")
    yield "printed as C", parse(to_c(scop), "c")


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """(seed, form, scop as parsed, kernel source, C function), all compiled by one call."""
    folder = tmp_path_factory.mktemp("random")
    found = []
    for seed in SEEDS:
        scop = parse(program(seed), "scop")
        for form, variant in forms(scop):
            entry = f"entry_{seed}_{len(found)}"
            source = kernel_source(
                choose_loops(variant, analyze(variant), choice="outermost")[0],
                Target(threads=2, entry=entry),
            )
            (folder / f"{entry}.c").write_text(source.text, encoding="ascii")
            found.append((seed, form, scop, source))
    library = folder / "all.so"
    command = ["gcc", *FLAGS, *STRICT, "-o", library, *sorted(folder.glob("*.c")), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    functions = ctypes.CDLL(str(library))
    return [(*case, getattr(functions, case[3].entry)) for case in found]


def memory(scop, values, seed):
    """Random contents of all arrays at these parameter values."""
    generator = np.random.default_rng(seed)
    found = {}
    for name, array in scop.arrays.items():
        shape = tuple(extents_at(array, values))
        drawn = (
            generator.random(shape) * 8 if array.type.is_float else generator.integers(-9, 9, shape)
        )
        found[name] = np.asarray(drawn).astype(array.type.dtype)
    return found


def call(source, function, values, contents):
    arrays = [np.ascontiguousarray(contents[a.name]).copy() for a in source.arguments]
    numbers = (ctypes.c_int64 * len(values))(*(values[p] for p in source.parameters))
    pointers = (ctypes.c_void_p * max(len(arrays), 1))(*(a.ctypes.data for a in arrays))
    assert function(numbers, pointers, 2) == 0
    return {a.name: x for a, x in zip(source.arguments, arrays, strict=True)}


@pytest.mark.long
def test_kernels_compute_what_the_interpreter_computes(cases):
    """(One test, so that one process compiles.)"""
    for values in ({"N": 0, "M": 0}, {"N": 1, "M": 3}, {"N": 6, "M": 5}):
        compare(cases, values)


def compare(cases, values):
    checked = 0
    expected = {}
    for seed, form, scop, source, function in cases:
        own = {p: values[p] for p in scop.parameters}
        if isl.fix_parameters(scop.assumed, own).is_empty():
            continue
        contents = memory(scop, own, seed)
        if seed not in expected:
            expected[seed] = run(scop, {n: x.copy() for n, x in contents.items()}, **own)
        results = call(source, function, own, contents)
        for name, wanted in expected[seed].items():
            if name not in results:  # declared, but nothing touches it: C has no use for it
                assert np.array_equal(wanted, contents[name])
                continue
            assert results[name].tobytes() == np.asarray(wanted).tobytes(), (seed, form, name)
            checked += 1
    assert checked
    COUNTS["codegen"][f"arrays of {len(expected)} programs at {values}"] += checked
