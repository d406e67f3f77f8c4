"""polynb over isl.wasm in the Python of live pages, in Node: the project's own tests, the same text
as natively, budgets, and how large it all is."""

import contextlib
import importlib.metadata
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.website.live.building import ROOT, built, unpacked
from tests.website.sizes import LIVE, size

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here"),
]
HERE = Path(__file__).parent
PROGRAMS = int(os.environ.get("POLYNB_LIVE_LAWS", "20"))
BATCH = 10
"""So many programs are one test, which takes up to a minute: two hundred show how far they are."""
PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
SAMPLE = (
    *("isl/test_reading.py", "scop/test_access.py", "scop/test_schedule_isl.py"),
    *("scop/test_tree_walk.py", "dependences", "legality", "propagation/test_figures.py"),
    *("reordering/test_lexmin.py", "reordering/test_farkas.py", "delicm/test_values.py"),
    *("delicm/test_forward.py", "violations/test_section_4_4.py", "proofs/test_wholes.py"),
)
BLUR = """%%propagate blur
param N;  temp t;
for i = 0 to N+1 do t[i] = (in[i] + in[i+1]) / 2; done
for i = 0 to N   do out[i] = (t[i] + t[i+1]) / 2; done
"""
LAW = """
import polynb as pn
program = pn.parse({text!r})
for run in (pn.propagate, pn.reorder, pn.remove_scalars):
    try:
        print(run(program, max_operations=2_000_000).result)
    except pn.PolynbError as error:
        print(error)
"""
READS = """
import zipfile
reads, read = [], zipfile.ZipFile._RealGetContents
zipfile.ZipFile._RealGetContents = lambda archive: (reads.append(1), read(archive))
for name in pn.gallery.names()[:4]: pn.gallery.load(name)
print(len(reads), "reads")
"""
ENDLESS = (
    f"param {', '.join(f'p{k}' for k in range(14))}; for i = 0 to p0 do if "
    + " and ".join(f"((i+p{k}) % {2 * k + 3} == 0 or (i-p{k}) % {k + 5} == 0)" for k in range(14))
    + " then A[i] = 1; fi done"
)


@pytest.fixture(scope="session")
def live(tmp_path_factory):
    return unpacked(built(tmp_path_factory), tmp_path_factory.mktemp("unpacked"))


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """pytest, from what is installed here."""
    folder = tmp_path_factory.mktemp("packages")
    for name in PACKAGES:
        for file in importlib.metadata.files(name) or ():
            if ".." not in file.parts and file.suffix not in (".pyc", ".so"):
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), folder / file)
    return folder


def ran(live, cells):
    """What cells show there, with their seconds; and the times and the memory of all."""
    command = ["node", str(HERE / "cells.mjs"), str(live)]
    done = subprocess.run(command, input=json.dumps(cells), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def said(cell):
    return "\n".join(output["text/plain"] for output in cell["outputs"])


def test_the_projects_own_tests_pass(live, packages):
    tests = [f"tests/{name}" for name in SAMPLE]
    command = ["node", str(HERE / "pytest.mjs"), str(live), str(ROOT), str(packages), "-q", *tests]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_cells_show_what_a_notebook_shows(live):
    typo = BLUR.replace("/ 2; done", "/ 2 done")
    found = ran(live, [BLUR, "pn.prove(blur)", "%bench blur N=3", typo, READS])
    blur, proof, bench, typo, reads = found["cells"]
    assert "t is removed: 2 statements became 1." in said(blur)
    assert blur["outputs"][0]["trace"]["trace"]["steps"]
    assert "proved for every N" in said(proof)
    assert bench["outputs"][0]["missing"] == "there is no C compiler here"
    assert typo["outputs"][0].get("missing") is None
    assert "`;` is missing" in said(typo)
    assert said(reads).strip() in ("0 reads", "1 reads")  # of the archive's list of files
    assert found["memory"] < 500e6


def test_a_budget_in_seconds_holds_inside_of_isl(live):
    cell = f"with pn.budget(seconds=2): pn.parse({ENDLESS!r})"
    (endless, after) = ran(live, [cell, "print(pn.parse('A[0] = 1;'))"])["cells"]
    assert "used up its 2 seconds" in said(endless)
    assert endless["seconds"] < 5
    assert "A[0] = 1;" in said(after)


@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_programs_become_the_same_text_as_natively(live, first):
    sys.path.insert(0, str(ROOT / "tests" / "laws"))
    from random_scops import random_program

    seeds = range(first, min(first + BATCH, PROGRAMS))
    cells = [LAW.format(text=random_program(seed)) for seed in seeds]
    theirs = [said(cell) for cell in ran(live, cells)["cells"]]
    for seed, cell, text in zip(seeds, cells, theirs, strict=True):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(cell, {})
        assert text == printed.getvalue(), seed


def test_it_is_small(live, tmp_path_factory):
    packed = built(tmp_path_factory)
    assert (packed / "isl.wasm.gzip").stat().st_size < 450_000
    assert size(packed) < LIVE
    assert (live / "isl-LICENSE.txt").read_text().startswith("MIT License")
    assert "IPython Development Team" in (live / "LICENSES.txt").read_text()
