"""Lab 7 again, without its checkers: lines are counted, rows are kept one by one, and maximal
propagation says where UNSAT goes."""

import re

import pytest

import polynb as pn
from polynb import isl, labs
from polynb.propagation.sat import Eliminated, propagate_maximally
from polynb.windows import row_windows

from .plainly import assignments, lines_needed

STUDENTS = ("", "ada", "grace", "edsger", "niklaus")


def exercises(name, students=STUDENTS):
    return [pytest.param(labs.exercise(f"lab7.{name}", student=s), id=s or "notebook")
            for s in students]  # fmt: skip


@pytest.mark.parametrize("exercise", exercises("rivals"))
def test_which_scalar_stays_depends_on_the_order(exercise):
    """And without the statement that is added, none does."""
    for text, kept in ((exercise.program, 0), *((answer, 1) for answer in exercise._right)):
        left = [pn.propagate(pn.parse(text), order=o).result.temporaries for o in ("s, t", "t, s")]
        assert left == [("t",) * kept, ("s",) * kept]


SYSTEMS = {labs.exercise("lab7.order", student=f"student {k}").program: k for k in range(200)}


def test_no_order_is_that_of_the_pass():
    """All 24 variants, each with the lines of every step counted."""
    assert len(SYSTEMS) == 24
    for program, k in SYSTEMS.items():
        exercise = labs.exercise("lab7.order", student=f"student {k}")
        assert max(lines_needed(program, exercise._right[0])) == exercise._task.cache_lines
        assert pn.propagate(pn.parse(program), cache_lines=7).result.temporaries


def kept(exercise, k, blocks=40):
    """The most rows of u and of t that are there at a time, far from the edges: each is there from
    when it is computed, with all before it, to when it is read for the last time."""
    text = exercise.program
    up, down = (int(re.search(rf"t\[x{sign}(\d+)\]", text)[1]) for sign in ("-", r"\+"))
    stride = 2 if "u[2*x" in text else 1
    reads = [int(x) for x in re.findall(r"u\[(?:2\*)?x\+(\d+)\]", text)]
    last_u, last_t, most = reads[0] - 1, -1, {"u": 0, "t": 0}
    end = k * blocks
    for block in range(blocks):
        first, behind = k * block, k * (block + 1)
        to = stride * (behind - 1) + max(reads)
        needed_t = {y + d for y in range(last_u + 1, stride * end) for d in (-up, down)}
        needed_u = {stride * x + r for x in range(first, end) for r in reads}
        last_u, last_t = to, to + down
        if block == blocks // 2:
            most["u"] = sum(y <= last_u for y in needed_u)
            most["t"] = sum(y <= last_t for y in needed_t)
    return most


@pytest.mark.parametrize("exercise", exercises("window", [f"student {k}" for k in range(24)]))
def test_rows_are_counted_one_by_one(exercise):
    asked = re.search(r"how many rows of (\w) ", exercise.text)[1]
    for k in (1, 2, 3, 4, 5):
        assert exercise._task.right(k) == kept(exercise, k)[asked]


@pytest.mark.parametrize("exercise", exercises("window", [f"student {k}" for k in range(9)]))
def test_the_windows_are_those_that_the_pass_makes(exercise):
    if "u[2*x" in exercise.program:
        return  # it keeps no window of what is read by every second row
    asked = re.search(r"how many rows of (\w) ", exercise.text)[1]
    for k in (1, 2, 4):
        said = row_windows(exercise.scop, rows=32, together=k).why(asked)
        assert f"a window of {exercise._task.right(k)} rows" in said


@pytest.mark.parametrize("exercise", exercises("formula", [f"student {k}" for k in range(16)]))
def test_unsat_goes_where_the_formula_holds(exercise):
    (goes,) = [s.where for s in propagate_maximally(exercise.scop).steps
               if isinstance(s, Eliminated) and s.array == "UNSAT"]  # fmt: skip
    for values in assignments():
        at = " and ".join(f"A_{v} = {int(x)}" for v, x in values.items())
        here = isl.Set(f"[A_x, A_y, A_z, w, v] -> {{ : {at} }}").params()
        assert eval(exercise._task.reference, {}, values) != goes.intersect(here).is_empty()
