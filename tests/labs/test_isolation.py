"""Submissions that mean harm: to the process that grades, its machine, and other submissions."""

import csv
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import pytest

from polynb.labs.__main__ import main
from polynb.labs.grading import GradingLimits, grade, isolation

from .classroom import LAB, NAMES, notebook, rightly

LIMITS = GradingLimits(cell=20, notebook=60)
KILLS = """
import os, signal, time
for generation in range(2):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(0.5)
"""
DAEMON = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(97.25)"])
    os._exit(0)
"""
READS = """
import glob
for path in glob.glob({folder!r} + "/*/*.ipynb"):
    open({seen!r}, "a").write(path)
found = bool(glob.glob({folder!r} + "/*/*.ipynb"))
triangle_answer = str(found)
"""
needs_bubblewrap = pytest.mark.skipif(isolation.works() is None, reason="bubblewrap cannot be used")


def hands_in(folder, student, **more):
    (folder / student).mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook(student, rightly(student), **more))
    (folder / student / LAB.name).write_text(text)


def sleepers():
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"sleep(97.25)" in line.read_bytes():
                found.append(line)
        except OSError:
            pass
    return found


@pytest.fixture(params=["bubblewrap", "alone"])
def way(request, monkeypatch):
    """With bubblewrap, where it is, and without it."""
    if request.param == "alone":
        monkeypatch.setattr(isolation, "works", lambda: None)
    elif isolation.works() is None:
        pytest.skip("bubblewrap cannot be used")
    return request.param


def points(grades):
    found = {}
    for g in grades:
        found[g.student] = found.get(g.student, 0) + g.points
    return found


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed as Linux does")
def test_who_kills_and_who_leaves_something_behind(tmp_path, way):
    hands_in(tmp_path, "ada")
    hands_in(tmp_path, "daemon", before=DAEMON)
    hands_in(tmp_path, "kills", last=KILLS)
    hands_in(tmp_path, "zoe")
    found = points(grade([tmp_path], limits=LIMITS))
    assert {s: found[s] for s in ("ada", "daemon", "zoe")} == dict.fromkeys(
        ("ada", "daemon", "zoe"), 10
    )
    if way == "alone":  # in bubblewrap there is nobody to kill
        assert found["kills"] == 0, "the ones who would have taken its answers are gone"
    assert not sleepers()


@needs_bubblewrap
def test_nobody_sees_what_others_handed_in(tmp_path):
    hands_in(tmp_path, "ada")
    seen = tmp_path / "seen"
    reads = READS.format(folder=str(tmp_path), seen=str(seen))
    hands_in(tmp_path, "eve", last=reads)
    found = grade([tmp_path], limits=LIMITS)
    said = {(g.student, g.exercise): g for g in found}
    assert not said["eve", "lab1.triangle"].points  # it says False
    assert not seen.exists()
    assert not any("FileNotFoundError" in t for g in found for t in g.troubles)
    assert points(found)["ada"] == 10


@needs_bubblewrap
def test_homes_are_empty_and_there_is_no_network(tmp_path):
    with tempfile.NamedTemporaryFile() as secret:
        looks = f"""
import os, socket
seen = os.path.exists({secret.name!r})
triangle_answer = f"{{seen}} and {{[name for _, name in socket.if_nameindex()]}}"
"""
        hands_in(tmp_path, "eve", last=looks)
        found = {g.exercise: g for g in grade([tmp_path], limits=LIMITS)}
    assert "False and ['lo']" in found["lab1.triangle"].said


@pytest.mark.long
def test_results_are_written_as_they_come(tmp_path, monkeypatch):
    """So that whatever ends the command leaves those of the ones before."""
    for student in ("ada", "bob"):
        hands_in(tmp_path / "in", student)
    out = tmp_path / "points.csv"
    from polynb.labs.grading import grading

    run = grading.run

    def ends(submission, *arguments):
        if submission.student == "bob":
            raise KeyboardInterrupt
        return run(submission, *arguments)

    monkeypatch.setattr(grading, "run", ends)
    with pytest.raises(KeyboardInterrupt):
        main(["grade", str(tmp_path / "in"), "--csv", str(out)])
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [(r["student"], r["exercise"]) for r in rows] == [("ada", n) for n in NAMES]
    assert sum(float(r["points"]) for r in rows) == 10


def test_how_it_is_run_is_said(monkeypatch):
    monkeypatch.setattr(isolation, "works", lambda: None)
    assert "with the rights of your account" in isolation.said()
    monkeypatch.setattr(isolation, "works", lambda: "/usr/bin/bwrap")
    assert "in bubblewrap" in isolation.said()


def test_a_copy_ends_what_its_children_left():
    """A process whose parent has ended is the copy's, and ends with it."""
    if not Path("/proc/self/stat").exists() or shutil.which("sh") is None:
        pytest.skip("processes are listed as Linux does")
    from polynb.labs.apart import apart

    def leaves():
        with isolation.swept():
            os.system(f"{sys.executable} -c 'import time; time.sleep(97.25)' >/dev/null 2>&1 &")
            until = time.monotonic() + 5
            while not sleepers() and time.monotonic() < until:
                time.sleep(0.05)
            return str(len(sleepers())).encode()

    assert apart(leaves, 30) == b"1"
    assert not sleepers()


def test_what_was_handed_in_is_hidden_in_what_is_shown(tmp_path):
    """In the folder of the library, say, which has to be there."""
    library = Path(isolation.__file__).parents[3]
    inside = library / "polynb" / "labs"
    view = isolation._view(tmp_path, [inside])
    hides = view.index(str(inside))
    assert view[hides - 1] == "--tmpfs"
    assert hides > view.index(str(library)) + 1
