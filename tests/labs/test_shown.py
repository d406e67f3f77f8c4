"""A verdict as a notebook shows it: a colour and a sign, what points are for, and what is missing
of a set or does not belong to it, drawn."""

import re
from base64 import b64decode
from dataclasses import replace

import pytest

from polynb import labs
from polynb.labs.parts_of_points import FOR
from polynb.labs.tasks.kinds import TASKS
from polynb.labs.tasks.sets import SetTask
from polynb.show import mimebundle

SETS = [n for n in labs.exercises() if isinstance(labs.exercise(n)._task, SetTask)]
READ = "^", "no parameter", "are to go", "has no", "unknown"
"""What errors of reading say: there is nothing to draw then."""


@pytest.fixture
def triangle():
    return labs.exercise("lab1.triangle", student="")


def html(found):
    return mimebundle(found)["text/html"]


def picture(found):
    """The drawing, and what it says to those who do not see it."""
    (alt, data), *others = re.findall(
        r'<img [^>]*alt="([^"]*)" src="data:[^,]*,([^"]*)"', html(found)
    )
    assert not others
    return alt, b64decode(data).decode()


def test_the_four_signs_have_four_colours(triangle):
    answers = (triangle._right[0], triangle.misconceptions[0].answer, "{ S[i, j : }", ..., "", None)
    found = [html(labs.check(triangle, a)) for a in answers]
    pairs = [re.search(r"border-left:4px solid (#\w+)\">(.) <b>", h).groups() for h in found]
    assert [s for _, s in pairs] == ["✓", "◐", "✗", "…", "…", "…"]
    assert len(set(pairs)) == len({c for c, _ in pairs}) == 4


def comparing(name, reference):
    """An exercise with another reference, so that what is right does not depend on its numbers."""
    return replace(labs.exercise(name, student=""), _task=SetTask(reference))


def test_what_is_missing_and_wrong_is_drawn_as_often_as_it_is():
    """Against the two sets, counted here."""
    triangle = comparing("lab1.triangle", "[N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i }")
    right = {(i, j) for i in range(8) for j in range(8) if j <= i}
    given = {(i, j) for i in range(8) for j in range(7)}
    found = labs.check(triangle, "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N - 1 }")
    alt, svg = picture(found)
    assert alt == (
        f"The answer and what is right, points: {len(right & given)} right, "
        f"{len(right - given)} missing, {len(given - right)} wrong. Drawn for N = 8."
    )
    # one sign more of each is in the key
    assert svg.count('fill="none" stroke="#0072B2"') == len(right - given) + 1
    assert svg.count('stroke="#B3261E"') == 2 * (len(given - right) + 1)


def test_of_a_relation_arrows_are_drawn():
    exercise = labs.exercise("lab3.reads", student="")
    alt, svg = picture(labs.check(exercise, exercise.misconceptions[0].answer))
    assert re.search(r"pairs: \d+ right, [1-9]\d* missing, 0 wrong", alt)
    assert 'stroke-dasharray="5 3"' in svg
    assert "A[" in svg


@pytest.mark.parametrize("name", SETS)
def test_every_wrong_set_is_drawn_unless_it_cannot_be_read(name):
    exercise = labs.exercise(name, student="ada")
    for m in exercise.misconceptions:
        found = labs.check(exercise, m.answer)
        if found.witness is None:
            assert any(said in str(found) for said in READ), str(found)
            assert "<img" not in html(found)
        else:
            alt, _ = picture(found)
            missing, wrong = map(int, re.search(r"(\d+) missing, (\d+) wrong", alt).groups())
            assert missing + wrong > 0


def test_what_is_right_or_no_set_has_no_picture(triangle):
    assert "<img" not in html(labs.check(triangle, triangle._right[0]))
    assert "<img" not in html(labs.check(triangle, ...))
    assert "<img" not in html(labs.check("lab1.count", {"S": 1, "T": 1}))


def test_far_points_are_looked_for():
    stride = comparing("lab1.stride", "[N] -> { S[i] : 0 <= i <= N and i mod 4 = 0 }")
    alt, _ = picture(labs.check(stride, "[N] -> { S[i] : i <= N and i mod 4 = 0 }"))
    assert re.search(r"0 missing, [1-9]\d* wrong", alt)


def test_where_nothing_is_right_what_is_wrong_is_drawn():
    stride = comparing("lab1.stride", "[N] -> { S[i] : 3i <= N < 4i }")
    alt, _ = picture(labs.check(stride, "[N] -> { S[i] : 3i <= N <= 4i }"))
    assert alt.endswith("points: 0 right, 0 missing, 1 wrong. Drawn for N = 8.")
    stride = comparing("lab1.stride", "[N] -> { S[i] : N < 0 and 0 <= i < 9 }")
    alt, _ = picture(labs.check(stride, "{ S[i] : i > 2 }"))  # without an end: those near one
    assert "0 right, 0 missing, 3 wrong" in alt


def test_an_answer_for_which_there_is_too_much_has_no_picture(triangle):
    """Nor does it take long."""
    many = " or ".join(f"(i + {k}j) mod {k + 2} = 0" for k in range(40))
    found = labs.check(triangle, f"[N] -> {{ S[i, j] : {many} }}")
    assert html(found)


# -- some of the points --------------------------------------------------------------------------


@pytest.mark.parametrize("name", labs.exercises())
def test_some_of_the_points_say_what_they_are_for(name):
    exercise = labs.exercise(name, student="")
    if exercise.name in ("lab5.beat", "lab12.fast", "lab12.kernel"):
        return  # they are measured, and worth all or nothing
    for m in exercise.misconceptions:
        found = labs.check(exercise, m.answer)
        some = 0 < found.points < found.of
        assert bool(found.counted) == some
        assert ("  counted: " in str(found)) == some
        assert ("Counted: " in html(found)) == some


def test_only_kinds_that_there_are_say_so():
    assert set(FOR) <= set(TASKS.values())
