"""What is read back is true: formulas, read by another reader than the one that wrote them, give
the cells that the text leaves, compiled by gcc; and so do the numbers that it is tried on.

POLYNB_LAWS is the number of programs (10 unless it is set)."""

import ctypes
import math
import os
import re
import shutil

import numpy as np
import pytest
from c_nests import nest_program
from c_runner import called_original
from c_stencils import stencil_program
from c_variants import C_TYPES, compiled_originals
from c_writer import random_c_program
from formula_reader import cells
from random_scops import random_program
from shares import COUNTS

from polynb.errors import PolynbError
from polynb.reading import read_back
from polynb.scop.parsing import parse
from tests.run.interpreter import run

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "10"))
BATCH = 10
SIZES = ((8, 9), (11, 8))
SINGLE = re.compile(r"\bfloat|\d[fF]\b")
"""What is rounded earlier than real numbers are."""

counted = COUNTS["read back"]


def held(found):
    """An array as lists, whose numbers are Python's."""
    return found.tolist()


def by_cell(rows):
    """The same, and there may be more."""
    return {k: by_cell(x) for k, x in enumerate(rows)} if isinstance(rows, list) else rows


def filled(formula, names):
    """Whether a formula says something else of the cells of a temporary than is known."""
    changed = False
    for index, said in cells(formula, names):
        row = names[formula.array]
        for k in index[:-1]:
            row = row.setdefault(k, {})
        changed |= row.get(index[-1]) != said and not math.isnan(said)
        row[index[-1]] = said
    return changed


def wrong(back, sizes, before, after, float32=False):
    """The first cell that is not what a formula says, and how many were as it says."""
    names = {**sizes, **{f"old {n}": held(x) for n, x in before.items()}}
    kept = {f.array for f in back.formulas} - after.keys()
    names |= {n: held(x) for n, x in (before | after).items()}
    names |= {n: by_cell(names.get(n, [])) for n in kept}
    about = [f for f in back.formulas if f.array in kept and not f.each]
    while any(filled(f, names) for f in about):  # temporaries, some from other cells of them
        counted["temporary cells"] += 1
    seen = 0
    for f in back.formulas:
        if (
            f.each or f.array in kept or "uint" in str(back)
        ):  # the reader's integers are never too large
            continue
        for index, said in cells(f, names):
            left = after[f.array][index] if index or after[f.array].ndim == 0 else after[f.array][0]
            near = 1e-3 if float32 else 1e-9
            if not (math.isnan(left) or math.isclose(float(said), float(left), rel_tol=near,
                                                     abs_tol=near)):  # fmt: skip
                return f"{f}\nat {index} of {sizes}: {said}, not {left}", seen
            seen += 1
    return None, seen


def given(tried, arrays, n, m):
    """What gcc's program is called with: what is shown; of what is not, 1, 2, 3, ..."""
    shown = {g.name: [float(c) for r in g.rows for c in r] for g in tried.given}
    for a in arrays:
        shape = [e.at(n, m) for e in a.extents]
        cells = np.arange(1.0, math.prod(shape) + 1)
        known = shown.get(a.name, ())
        if len(known) == len(cells):
            cells = np.asarray(known)
        yield a.name, cells.reshape(shape).astype(a.type.dtype)


def unlike(tried, before, after):
    """The first cell of what was tried that gcc's program leaves otherwise."""
    for grid in tried.left:
        cells = after[grid.name].reshape(-1)
        texts = [c for r in grid.rows for c in r]
        for k, (said, left) in enumerate(zip(texts, cells, strict=True)):
            if said == "·":
                same = left == before[grid.name].reshape(-1)[k]
            elif said == "?" or not math.isfinite(left):
                continue
            else:
                same = math.isclose(float(said), left, rel_tol=1e-3, abs_tol=1e-8)
            if not same:
                return f"{grid.name}, cell {k}: {said}, not {left}"
            counted["numbers"] += 1
    return None


def content(arrays, n, m, seed):
    draw = np.random.default_rng(seed)
    shapes = {a.name: [e.at(n, m) for e in a.extents] for a in arrays}
    return {a.name: np.ascontiguousarray(draw.integers(1, 5, shapes[a.name]).astype(a.type.dtype))
            for a in arrays}  # fmt: skip


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
@pytest.mark.parametrize("make", [nest_program, stencil_program, random_c_program])
@pytest.mark.long
def test_what_is_read_back_of_c_is_what_gcc_s_program_leaves(make, first, tmp_path):
    programs = {seed: make(seed) for seed in range(first, first + BATCH)}
    library = ctypes.CDLL(str(compiled_originals(programs, tmp_path, ["-shared", "-fPIC", "-O0"])))
    for seed, p in programs.items():
        if any(a.type.name.startswith("unsigned") for a in p.arrays):
            continue
        try:
            back = read_back(parse(p.text(), language="c"))
        except PolynbError:
            continue
        if back.tried and back.tried.sizes.keys() == {name for name, _ in p.parameters}:
            sizes = back.tried.sizes
            n, m = sizes.get("n", sizes.get("steps", 0)), sizes.get("m", 0)
            before = dict(given(back.tried, p.arrays, n, m))
            arguments = [(C_TYPES[t.name], sizes[name]) for name, t in p.parameters]
            arguments += [a.name for a in p.arrays]
            after = called_original(getattr(library, f"f{seed}"), arguments, before)
            found = unlike(back.tried, before, after)
            assert found is None, f"{make.__name__} {seed}\n{p.text()}\n{back}\n{found}"
        for n, m in SIZES:
            before = content(p.arrays, n, m, seed)
            sizes = {name: n if name in ("n", "steps") else m for name, _ in p.parameters}
            arguments = [(C_TYPES[t.name], sizes[name]) for name, t in p.parameters]
            arguments += [a.name for a in p.arrays]
            after = called_original(getattr(library, f"f{seed}"), arguments, before)
            single = bool(SINGLE.search(p.text()))
            found, seen = wrong(back, sizes, before, after, single)
            counted["cells"] += seen
            assert found is None, f"{make.__name__} {seed}\n{p.text()}\n{found}"


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_what_is_read_back_is_what_the_text_leaves(seed):
    text = random_program(seed)
    if re.search(r"\b[fg]\(", text):
        pytest.skip("functions that nobody defines")
    scop = parse(text)
    back = read_back(scop)
    sizes = {p: SIZES[0][k % 2] for k, p in enumerate(scop.parameters)}
    draw = np.random.default_rng(seed)
    before = {}
    for a in scop.arrays.values():
        shape = [2 * sum(sizes.values()) + 12] * len(a.extents)
        before[a.name] = draw.integers(1, 5, shape).astype(a.type.dtype)
    after = run(scop, before, **sizes)
    single = bool(SINGLE.search(text))
    found, seen = wrong(back, sizes, before, after, single)
    counted["cells"] += seen
    assert found is None, f"{scop}\n{found}"
