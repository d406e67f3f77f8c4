"""Files of exercises: what is wrong with one is said, with the exercise's name."""

import pytest

from polynb.errors import PolynbError
from polynb.labs.catalogue import Filling, built, computed, exercises, template

FILE = {
    "title": "a loop",
    "text": "Write the\n  instances of S up to $last.",
    "program": "for i = 0 to $last do\n  A[i] = 0; // S\ndone\n",
    "hints": ["Which is the last one?"],
    "read": {"lesson": 1, "what": "sets"},
    "right": ["{ S[i] : 0 <= i <= $last }"],
    "draws": {"last": {"least": 3, "most": 3}},
    "task": {"answer": "set", "reference": "$solution"},
    "misconceptions": [
        {"name": "one too many", "answer": "{ S[i] : 0 <= i <= ${last + 1} }", "ask": "Why?"},
        {"name": "the program", "change": {"to 3": "to $last + 4"}, "ask": "And now?"},
    ],
}


def exercise(**other):
    return built("mine.loop", FILE | other, {}, "ada")


def test_an_exercise_is_a_file():
    made = exercise()
    assert made.text == "Write the instances of S up to 3."
    assert made.program == "for i = 0 to 3 do\n  A[i] = 0; // S\ndone"
    assert made.hints[-1] == "read lesson 1, “Instances: which executions are there?”: sets."
    assert made._right == (made._task.reference,) == ("{ S[i] : 0 <= i <= 3 }",)
    assert made.misconceptions[0].answer == "{ S[i] : 0 <= i <= 4 }"
    assert "to 3 + 4" in made.misconceptions[1].answer


def test_a_choice_has_several_names():
    ways = [{"way": "up", "last": 1}, {"way": "down", "last": 2}]
    made = exercise(text="$way $last", draws={"way": ways})
    assert made.text in ("up 1", "down 2")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"text": "$lost"}, "mine.loop: nothing is called lost"),
        ({"text": "$a", "let": {"a": "x $b", "b": "y $a"}}, "has itself in it"),
        ({"text": "${last.real}"}, "`last.real` is no expression of an exercise"),
        ({"text": "${open('x')}"}, "is no expression of an exercise"),
        ({"text": "${last + }"}, "`last + ` has no value"),
        ({"text": "${last // 0}"}, "has no value"),
        ({"task": {"answer": "sett"}}, "there is no task 'sett'"),
        ({"task": {"answer": "set", "refer": "{ }"}}, "a task is not as it should be"),
        (
            {"task": {"answer": "program", "asked": [{"kind": "gon", "arrays": ["t"]}]}},
            "there is no property 'gon'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said(part, said):
    with pytest.raises(PolynbError, match=r"^mine\.loop: ") as error:
        exercise(**part)
    assert said in str(error.value)


def test_a_text_that_is_one_place_is_its_value():
    fill = Filling({"n": 4}, {"twice": "${2 * n}"})
    assert fill({"a": "$twice", "b": ["$twice!", 1.5]}) == {"a": 8, "b": ("8!", 1.5)}


def test_an_expression_calculates_and_does_nothing():
    names = {"n": 3, "t": "x"}.__getitem__
    assert computed("f'{t}+{n}' if n else ''", names) == "x+3"
    assert computed("max(-n, 2) * (n // 2) - float(-n)", names) == 5.0
    for text in ("[n]", "n ** n", "t.upper()", "lambda: n", "__import__('os')"):
        with pytest.raises(PolynbError):
            computed(text, names)


def test_a_missing_and_an_unknown_part_are_said(monkeypatch):
    from polynb.labs import catalogue

    for table, said in (
        ({k: v for k, v in FILE.items() if k != "right"}, "lab1.x: right is missing"),
        (FILE | {"hint": "one"}, "lab1.x: hint is unknown"),
    ):
        monkeypatch.setattr(catalogue, "_table", lambda place, table=table: table)
        with pytest.raises(PolynbError, match=said):
            template("lab1.x")


def test_every_file_is_listed():
    """And only those: each lab's own file names its exercises in order."""
    from importlib.resources import files

    sheets = files("polynb.labs").joinpath("sheets")
    there = {
        f"{lab.name}.{f.name.removesuffix('.toml')}"
        for lab in sheets.iterdir()
        if lab.is_dir()
        for f in lab.iterdir()
        if f.name != "lab.toml"
    }
    assert there == set(exercises())
