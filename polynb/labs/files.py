"""Exercises as plain files: `sheets/lab1/triangle.toml` is "lab1.triangle".

`text`, `program`, `hints` and `read` (where the last hint sends to) are what a student sees;
`right` are right answers, the first of them the `$solution`, and each of `misconceptions` is what
many believe (`name`), the `answer` that comes of it, or what it would `change` in the program, and
what to `ask` then. `[task]` is what judges: `answer = "set"` and the fields of `SetTask`. `[draws]`
are the numbers of a student, and texts that depend on them one by one; `[let]` are texts that occur
in others. In all of them, `$name` and `${expression}` are places (`polynb.labs.filling`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.labs.exercise import Exercise, Misconception
from polynb.labs.filling import Filling, WrittenFunction
from polynb.labs.tasks.kinds import task
from polynb.labs.variants import Draws

Table = Mapping[str, Any]
NEEDED: Final = frozenset({"title", "text", "hints", "read", "right", "task", "misconceptions"})
KNOWN: Final = NEEDED | {"program", "points", "seconds", "transfer", "draws", "let"}


@cache
def sheet(lab: int) -> Table:
    """What stands in a lab's own file: its `title`, the names of its `exercises` in order, and
    texts that several of them have in common (`let`)."""
    return _table(f"lab{lab}/lab.toml")


@cache
def template(name: str) -> Table:
    """What stands in the file of an exercise. Raises PolynbError for a part that is missing, or
    that no exercise has."""
    lab, _, own = name.partition(".")
    found = _table(f"{lab}/{own}.toml")
    for names, what in (
        (NEEDED - found.keys(), "is missing"),
        (found.keys() - KNOWN, "is unknown"),
    ):
        if names:
            raise PolynbError(f"{name}: {min(names)} {what}", hint=f"{', '.join(sorted(KNOWN))}")
    return found


def built(name: str, found: Table, shared: Table, student: str, following: str = "") -> Exercise:
    """The exercise that a file describes, with a student's numbers in its texts. Raises
    PolynbError, which names the exercise, for a text that cannot be filled."""
    values = _drawn(found.get("draws", {}), Draws(student, name))
    texts = {**shared, **found.get("let", {}), "program": found.get("program", "")}
    fill = Filling(values, {n: t.rstrip("\n") for n, t in texts.items()})
    try:
        return _exercise(name, found, fill, student, following)
    except PolynbError as error:
        raise PolynbError(
            f"{name}: {error.message}", reason=error.reason, hint=error.hint
        ) from None
    except RecursionError:
        raise PolynbError(f"{name}: a text in [let] has itself in it") from None


def _exercise(name: str, found: Table, fill: Filling, student: str, following: str) -> Exercise:
    parameters = tuple(found["task"].get("parameters", ()))  # of an answer that is a function

    def answer(given: Any) -> Any:
        said = given.rstrip("\n") if isinstance(given, str) else given
        return WrittenFunction(said, parameters) if parameters else said

    def wrong(misconception: Table) -> Misconception:
        m = fill(misconception)
        given = _changed(program, m["change"]) if "change" in m else answer(m["answer"])
        return Misconception(m["name"], given, _prose(m["ask"]))

    program = fill.named("program")
    right = tuple(map(answer, fill(found["right"])))
    fill.values["solution"] = right[0]
    return Exercise(
        name,
        found["title"],
        _prose(fill(found["text"])),
        task(fill(found["task"]), program),
        (*(_prose(fill(hint)) for hint in found["hints"]), _read(**found["read"])),
        right,
        tuple(map(wrong, found["misconceptions"])),
        program,
        student,
        **{key: found[key] for key in ("points", "seconds", "transfer") if key in found},
        following=following,
    )


def _changed(program: str, change: Mapping[str, str]) -> str:
    """The exercise's program with other texts in it."""
    for old, new in change.items():
        program = program.replace(old, new)
    return program


def _drawn(draws: Table, by: Draws) -> dict[str, Any]:
    """The values of names: a number from `least` to `most`, or one of a list; one that is a table
    has several names."""
    values: dict[str, Any] = {}
    for name, among in draws.items():
        if isinstance(among, Mapping):
            values[name] = by.integer(name, **among)
        else:
            chosen = by.choice(name, among)
            values |= chosen if isinstance(chosen, Mapping) else {name: chosen}
    return values


def _read(lesson: int, what: str) -> str:
    """The last hint: where to read."""
    return f"read lesson {lesson}, “{_table('lessons.toml')[str(lesson)]}”: {what}."


def _prose(text: str) -> str:
    """A text whose lines are filled."""
    return " ".join(text.split())


@cache
def _table(place: str) -> Table:
    text = files("polynb.labs").joinpath("sheets", *place.split("/")).read_text("utf-8")
    return tomllib.loads(text)
