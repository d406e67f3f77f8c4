"""The gallery's C kernels: compiled as they stand by gcc they compute what their references say,
and what polynb makes of them computes the same bits."""

import ctypes
import functools
import re
import shutil
import subprocess
from importlib.resources import files

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from references import names, reference

import polynb as pn
from polynb import gallery

loaded = functools.cache(gallery.load)
FLAGS = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
KERNELS = [n for n in gallery.names() if gallery.entry(n).language == "c"]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


class Original:
    """A kernel's C file, compiled by gcc, and its reference."""

    def __init__(self, name, directory):
        text = gallery.text(name)
        self.reference = reference(name)
        self.sizes = self.reference["SIZES"]
        function, parameters = re.search(r"void (\w+)\((.*?)\)\n\{", text, re.S).groups()
        self.order = [re.search(r"(\w+)(\[.*)?$", p)[1] for p in parameters.split(",")]
        library = directory / f"{name}.so"
        source = files("polynb.gallery").joinpath(f"{name}.c")
        subprocess.run(["gcc", *FLAGS, str(source), "-o", str(library), "-lm"], check=True)
        self.function = getattr(ctypes.CDLL(str(library)), function)
        self.function.restype = None

    def inputs(self, sizes):
        return self.reference["inputs"](np.random.default_rng(1), **sizes)

    def __call__(self, sizes, arguments):
        """All arrays after the call, which gets copies."""
        values = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in arguments.items()}
        given = {**sizes, **values}
        self.function(*(as_c(given[name]) for name in self.order))
        return {k: v for k, v in values.items() if isinstance(v, np.ndarray)}


def as_c(value):
    match value:
        case np.ndarray():
            return value.ctypes.data_as(ctypes.c_void_p)
        case int():
            return ctypes.c_int(value)
        case float():
            return ctypes.c_double(value)


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    directory = tmp_path_factory.mktemp("kernels")
    return {name: Original(name, directory) for name in KERNELS}


def test_every_kernel_has_a_reference():
    assert {n.removesuffix("_o1") for n in KERNELS} <= names()
    assert len(KERNELS) == 37


@pytest.mark.parametrize("name", KERNELS)
def test_the_original_agrees_with_its_reference(originals, name):
    original = originals[name]
    arguments = original.inputs(original.sizes)
    after = original(original.sizes, arguments)
    expected = original.reference["expected"](**original.sizes, **arguments)
    for array, value in after.items():
        if array in expected:
            assert not np.array_equal(value, arguments[array]), f"{array} did not change"
            assert_allclose(value, expected[array], rtol=1e-10, atol=1e-12, err_msg=array)
        else:
            assert_array_equal(value, arguments[array], err_msg=f"{array} is an input")


def without_remark(printed):
    """What is printed has 64 bits, so that only the first text has fewer, of which is told."""
    return re.sub(r"\A// With 64 bits, where the text has fewer: .*\n", "", printed)


def alike(printed):
    """isl names the cases of what is assumed in an order of its own."""
    return re.sub(r"assert\((.*)\);", lambda m: str(sorted(re.split(r" \|\| ", m[1]))), printed)


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_parsed_printed_and_parsed_again(name):
    once = loaded(name)
    assert str(pn.parse(str(once), "scop")) == str(once)
    printed = once.to_c()
    assert alike(pn.parse(printed, "c").to_c()) == alike(without_remark(printed))


@pytest.mark.parametrize(
    "form", ["parsed", pytest.param("printed", marks=pytest.mark.long), "printed as C"]
)
@pytest.mark.parametrize("name", KERNELS)
def test_compiled_by_polynb_it_gives_the_same_bits(originals, name, form):
    original = originals[name]
    scop = loaded(name)
    if form == "printed":
        scop = pn.parse(str(scop), "scop")
    elif form == "printed as C":
        scop = pn.parse(scop.to_c(), "c")
    kernel = pn.compile(scop)
    for sizes in (original.sizes, dict.fromkeys(original.sizes, 2)):
        arguments = original.inputs(sizes)
        after = original(sizes, arguments)
        needed = {k: v for k, v in arguments.items() if scop.arrays[k].live_in}
        results = kernel(needed, **sizes)
        assert set(results) == {k for k, a in scop.arrays.items() if a.live_out}
        for array, value in results.items():
            assert_array_equal(bits(value), bits(after[array]), err_msg=f"{array} at {sizes}")


@pytest.mark.parametrize("name", [n for n in KERNELS if n.endswith("_o1")])
def test_what_clang_leaves_gives_the_bits_of_the_array_form(originals, name):
    original, lowered = originals[name.removesuffix("_o1")], originals[name]
    for sizes in (original.sizes, dict.fromkeys(original.sizes, 2)):
        arguments = original.inputs(sizes)
        expected, found = original(sizes, arguments), lowered(sizes, arguments)
        for array, value in expected.items():
            assert_array_equal(bits(found[array]), bits(value), err_msg=f"{array} at {sizes}")


def bits(array):
    return np.ascontiguousarray(array).view(np.uint8)
