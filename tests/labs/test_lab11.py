"""Lab 11 again, without folding: labels compared step by step, C's loops walked through in Python,
and what one iteration hands to another one counted."""

import itertools
import re

import pytest

from polynb import labs
from polynb.folding import fold
from polynb.labs.tasks.labels import BOTTOM, TOP, function_of
from polynb.source.parse import parse_program

from .walker import walk

STUDENTS = ("", "ada", "grace", "edsger", "niklaus")


def exercises(name):
    return [labs.exercise(f"lab11.{name}", student=s) for s in STUDENTS]


def steps(entries, d):
    """By how much labels grow along a dimension, at every point."""
    labels = dict(entries)
    ahead = {p: tuple(x + (k == d) for k, x in enumerate(p)) for p in labels}
    return [labels[q] - labels[p] for p, q in ahead.items() if q in labels]


def coefficient(grown):
    return BOTTOM if not grown else grown[0] if len(set(grown)) == 1 else TOP


def label_faults(task, answer):
    """(moment, dimension or None for the constant) of all that is wrong."""
    for name, until in task.moments.items():
        entries = task.entries[:until]
        said = function_of(answer[name] if name else answer, task.dimensions)
        for d, known in enumerate(said[0]):
            if known != coefficient(steps(entries, d)):
                yield name, d
        if said[1] != entries[0][1]:
            yield name, None


@pytest.mark.parametrize("exercise", exercises("fold"), ids=str)
def test_labels_step_by_step(exercise):
    for answer in exercise._right:
        assert not [*label_faults(exercise._task, answer)]
    for m in exercise.misconceptions:
        found = labs.check(exercise, m.answer).findings
        assert len(found) == len([*label_faults(exercise._task, m.answer)]) > 0


@pytest.mark.parametrize("exercise", exercises("known"), ids=str)
def test_labels_are_looked_at_step_by_step(exercise):
    """As often as a label function does not come out, that is said."""
    task = exercise._task

    def faults(answer):
        points = itertools.product(range(3), repeat=2)
        entries = [*zip(points, map(int, re.findall(r"\d+", answer)), strict=True)]
        for until, wanted in task.functions.items():
            seen = entries[: int(until)]
            found = tuple(coefficient(steps(seen, d)) for d in (0, 1))
            if (found, seen[0][1]) != function_of(wanted, task.dimensions):
                yield until

    for answer in exercise._right:
        assert not [*faults(answer)]
    for m in exercise.misconceptions[:5]:  # the last one has too few labels
        said = [f.text.split()[1] for f in labs.check(exercise, m.answer).findings]
        assert said == [*faults(m.answer)] != []


@pytest.mark.parametrize("exercise", exercises("refuses"), ids=str)
def test_slices_by_the_other_engine(exercise):
    square = exercise._task.square

    def pieces(points):
        return len(fold(sorted(points), variant="F", engine="python").pieces)

    for answer in exercise._right:
        points = [p for p in itertools.product(range(-9, 10), repeat=2) if holds(answer, p)]
        assert set(points) < set(square)
        assert pieces(points) == 1
        assert pieces([*((0, *p) for p in square), *((1, *p) for p in points)]) == 2
    for m in exercise.misconceptions[:3]:
        points = [p for p in itertools.product(range(-9, 10), repeat=2) if holds(m.answer, p)]
        assert pieces([*((0, *p) for p in square), *((1, *p) for p in points)]) == 1


def holds(text, point):
    from .plain_sets import contains

    return contains(text, [("S", point)], {})


@pytest.mark.parametrize("exercise", exercises("slow"), ids=str)
def test_the_slow_access_is_the_one_with_the_largest_step(exercise):
    lines = exercise.program.splitlines()
    n, w = map(int, re.search(r"n = (\d+), w = (\d+)", exercise.program).groups())
    loops, found = [], []
    for number, line in enumerate(lines, 1):
        if m := re.search(r"for \(int (\w)", line):
            loops.append(m[1])
        elif loops:
            for index in re.findall(r"\w\[([^\]]*)\]", line):
                found += [(moves(index, loops, n, w), number, list(loops))]
            loops = []
    by, number, around = max(found, key=lambda f: f[0][-1])
    answer = exercise._right[0]
    assert (answer["line"], answer["stride"]) == (number, by[-1])
    assert by[around.index(answer["loop"])] == 1


def moves(index, loops, n, w):
    """How far a subscript moves along each loop."""
    at = {**dict.fromkeys(loops, 0), "n": n, "w": w}
    first = eval(index, {}, at)
    return [eval(index, {}, {**at, i: 1}) - first for i in loops]


@pytest.mark.parametrize("exercise", exercises("mend"), ids=str)
def test_mended_programs_step_by_one(exercise):
    for answer in exercise._right:
        assert largest_step(answer) <= 1
    assert largest_step(exercise.program) == 6


def largest_step(text, n=6):
    """Between two runs of a statement, one after the other in its innermost loop."""
    assert parse_program(text)
    last, largest = {}, 0
    for e in walk(text, {"N": n}).events:
        name, point = e.instance
        flat = [sum(x * n**k for k, x in enumerate(reversed(at))) for _, at in (*e.reads, e.write)]
        before = last.get(name)
        if before and before[0][:-1] == point[:-1] and before[0][-1] + 1 == point[-1]:
            largest = max(largest, *(abs(a - b) for a, b in zip(flat, before[1], strict=True)))
        last[name] = point, flat
    return largest


@pytest.mark.parametrize("exercise", exercises("breaks"), ids=str)
def test_inputs_hand_on_a_value_or_none(exercise):
    body = exercise.program.splitlines()[2].strip()
    for answer in exercise._right:
        said = labs.check(exercise, answer).shown
        target, source = map(int, re.findall(r"\d+", said))
        assert (source, target) in handed_on(body, answer)
    for m in exercise.misconceptions[:3]:
        assert not handed_on(body, m.answer)


def handed_on(body, numbers):
    """(from, to) of each value that one iteration has written and another one uses."""
    p = [int(x) for x in re.findall(r"\d+", numbers)]
    wrote, found = {}, set()
    for i in range(len(p)):
        reads = [p[i]] if "= a[p" in body or "+=" in body else [i]
        writes = p[i] if body.startswith("a[p") else i
        found |= {(wrote[c], i) for c in reads if c in wrote}
        wrote[writes] = i
    return found
