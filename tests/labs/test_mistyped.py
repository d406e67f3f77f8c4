"""Right answers, mistyped in one place: never an error, never a word of isl's own about its parser,
and full points only for what Python's arithmetic says is the same set. POLYNB_LAWS is the number
of mistakes in each (12 unless it is set)."""

import contextlib
import os
import random
import re
from itertools import product

import pytest

from polynb import labs
from polynb.labs.tasks.sets import SetTask

from .plain_sets import contains, parts

NAMES = [n for n in labs.exercises() if isinstance(labs.exercise(n, student="")._task, SetTask)]
SIGNS = [
    *("<", "<=", ">", "=", "==", "!=", "+", "-", "*", "(", ")", "[", "]", "{", "}", ":", ";", ","),
    *("and", "or", "mod", "i", "j", "k", "N", "S", "T", "0", "1", "2", "->", "≤", "abs(i)", "2(i)"),
    *("&&", "exists"),
]
EACH = int(os.environ.get("POLYNB_LAWS", "12"))
RANGE = re.compile(r"\[[^\]]*[;:]")  # isl reads `S[i ; 1]` as `S[i + 1]`, and `S[i : 1]` as a range


def mistyped(text, chance):
    """The text with a sign put in, left out, exchanged or doubled."""
    at = chance.randrange(len(text))
    match chance.randrange(4):
        case 0:
            return text[:at] + chance.choice(SIGNS) + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[:at] + chance.choice(SIGNS) + text[at + 1 :]
        case _:
            return text[:at] + text[at] + text[at:]


def tuples_of(text):
    return {tuple((n, len(d)) for n, d in tuples) for tuples, _ in parts(text)}


def differ(task, answer, parameters):
    """A point of one of both, among small ones; None if there is none."""
    most = 3 if sum(n for t in tuples_of(task.reference) for _, n in t) > 3 else 5
    for values in product(range(5), repeat=len(parameters)):
        at = dict(zip(parameters, values, strict=True))
        if not contains(task.context.replace("{ :", "{ P[] :"), [("P", ())], at):
            continue
        for tuples in tuples_of(task.reference):
            for point in product(range(-1, most), repeat=sum(n for _, n in tuples)):
                left, points = list(point), []
                for name, n in tuples:
                    points.append((name, tuple(left[:n])))
                    left = left[n:]
                if contains(task.reference, points, at) != contains(answer, points, at):
                    return points, at
    return None


@pytest.mark.parametrize("name", NAMES)
def test_a_mistyped_answer_is_judged(name):
    exercise = labs.exercise(name, student="")
    chance = random.Random(name)
    task = exercise._task
    for _ in range(EACH):
        answer = mistyped(chance.choice(exercise._right), chance)
        found = labs.check(exercise, answer)
        said = str(found)
        assert "syntax error (" not in said, f"{answer}\n{said}"
        assert "cannot be judged" not in said, f"{answer}\n{said}"
        if found and RANGE.search(answer) is None:
            with contextlib.suppress(SyntaxError):  # isl reads more than Python does
                assert differ(task, answer, task.parameters) is None, answer
        elif found.witness is None:
            assert "^" in said or "parameter of this exercise" in said, f"{answer}\n{said}"
