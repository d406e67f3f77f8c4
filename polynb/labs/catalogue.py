"""All exercises of the labs, by name: `sheets/lab1/triangle.toml` is "lab1.triangle".

`text`, `program`, `hints` and `read` (where the last hint sends to) are what a student sees;
`right` are right answers, the first of them the `$solution`, and each of `misconceptions` is what
many believe (`name`), the `answer` that comes of it, or what it would `change` in the program,
and what to `ask` then. `[task]` is what judges: `answer = "set"` and the fields of `SetTask`.
`[draws]` are the numbers of a student, and texts that depend on them one by one; `[let]` are
texts that occur in others. In all of them, `$name` and `${expression}` are places
(`Filling`); `${item(k, a, b, c)}` is the k-th of some, from 0: one of several shapes of a program,
`${affine(2, 'N', -1)}` is "2*N - 1", and `${each('S T', '@[i] -> [i, #]')}` says something
of several statements, "S[i] -> [i, 0]; T[i] -> [i, 1]".
"""

from __future__ import annotations

import ast
import operator
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from polynb.arguments import optional, text, unknown, wrong
from polynb.errors import PolynbError
from polynb.labs.exercise import Exercise, Misconception
from polynb.labs.folders import LAB, Table, Toml, own_folders, own_labs, table as _table
from polynb.labs.moved import WHY, now_called, refuse_moved_files
from polynb.labs.parts import checked
from polynb.labs.tasks.kinds import task
from polynb.labs.variants import Draws

LABS: Final = tuple(range(1, 13))
"""A lab has the number of its lesson."""


def lab_names() -> tuple[str, ...]:
    """`lab1`, ..., and those of a teacher's own folders (`labs.use`)."""
    return tuple(dict.fromkeys((*(f"lab{n}" for n in LABS), *own_labs())))


def lab_name(lab: int | str) -> str:
    """`lab1`, which may be given as 1. Raises PolynbError for a lab that there is not."""
    names = lab_names()
    name = f"lab{lab}" if str(lab).isdecimal() else lab
    if isinstance(lab, bool) or name not in names:
        known = (n.removeprefix("lab") if n[3:].isdecimal() else n for n in names)
        raise wrong("lab", lab, f"one of {', '.join(known)}")
    return str(name)


def _names(lab: str | None = None) -> tuple[str, ...]:
    """In the order of the labs."""
    return tuple(
        f"{each}.{own}" for each in lab_names() if lab in (None, each) for own in _listed(each)
    )


def _listed(lab: str) -> tuple[str, ...]:
    """The exercises of a lab. Raises PolynbError for a lab that has none."""
    found = sheet(lab).get("exercises")
    if not (isinstance(found, list) and all(isinstance(n, str) for n in found)):
        raise PolynbError(f"{lab}/{LAB} lists no exercises", hint='exercises = ["even"]')
    return tuple(found)


def exercise(name: str, *, student: str | None = None) -> Exercise:
    """An exercise, `labs.exercise("lab1.triangle")`, with numbers for this student: the same ones
    each time and everywhere.

    Without a name, the one in the environment variable POLYNB_STUDENT; without that, the numbers of
    the notebooks' solutions. Raises PolynbError for an unknown exercise.
    """
    names = _names()
    refuse_moved_files(lab_names())
    if not isinstance(name, str) or name not in names:
        raise _unknown(name, names)
    optional(text, "student", student)
    who = os.environ.get("POLYNB_STUDENT", "") if student is None else student
    following = (*names, "")[names.index(name) + 1]
    lab, _, own = name.partition(".")
    shared = sheet(lab)
    drawn = f"{shared.get('was', lab)}.{own}"
    return built(name, template(name), shared.get("let", {}), who.strip(), following, drawn)


def _unknown(name: Any, names: tuple[str, ...]) -> PolynbError:
    error = unknown("exercise", name, names)
    if isinstance(name, str) and (now := now_called(lab_names()).get(name)) is not None:
        return PolynbError(f"{name} is {now} now", reason=WHY, hint=f'labs.exercise("{now}")')
    if not own_folders() and isinstance(name, str) and "." in name:
        error.hint = f'{error.hint}; for those of a folder, labs.use("folder"), or --exercises'
    return error


def exercises(lab: int | str | None = None) -> tuple[str, ...]:
    """The names of all exercises, or of those of one lab: 1, or the name of one of a teacher's
    own."""
    return _names(None if lab is None else lab_name(lab))


def found(given: Exercise | str, student: str | None = None) -> Exercise:
    """An exercise that was given as such, or by its name."""
    if isinstance(given, Exercise):
        return given
    return exercise(given, student=student)


def sheet(lab: str) -> Table:
    """What stands in a lab's own file: its `title`, the names of its `exercises` in order, texts
    that several of them have in common (`let`), and what it `was` called, if it was."""
    return _table(f"{lab}/{LAB}")


def template(name: str) -> Table:
    """What stands in the file of an exercise. Raises PolynbError for what should be otherwise."""
    lab, _, own = name.partition(".")
    return checked(name, _table(f"{lab}/{own}.toml"))


def built(
    name: str, found: Table, shared: Table, student: str, following: str = "", drawn: str = ""
) -> Exercise:
    """The exercise that a file describes, with a student's numbers in its texts, drawn by the name
    `drawn` if it is another one. Raises PolynbError, which names the exercise, for a text that
    cannot be filled."""
    values = _drawn(found.get("draws", {}), Draws(student, drawn or name))
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
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
        raise PolynbError(f"{name}: a part of it is not as it should be", reason=said) from None


def _exercise(name: str, found: Table, fill: Filling, student: str, following: str) -> Exercise:
    parameters = tuple(found["task"].get("parameters", ()))  # of an answer that is a function

    def answer(given: Toml) -> Toml:
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
        (*(_prose(fill(hint)) for hint in found["hints"]), _read(fill(found["read"]))),
        right,
        tuple(map(wrong, found.get("misconceptions", ()))),
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


def _drawn(draws: Table, by: Draws) -> dict[str, Toml]:
    """The values of names: a number from `least` to `most`, or one of a list; one that is a table
    has several names."""
    values: dict[str, Toml] = {}
    for name, among in draws.items():
        if isinstance(among, Mapping):
            values[name] = by.integer(name, **among)
        else:
            chosen = by.choice(name, among)
            values |= chosen if isinstance(chosen, Mapping) else {name: chosen}
    return values


def _read(given: Toml) -> str:
    """The last hint: where to read. A text, or a lesson and what of it."""
    if isinstance(given, str):
        return _prose(given)
    lessons = _table("lessons.toml")
    number = str(given.get("lesson"))
    if number not in lessons or "what" not in given:
        raise PolynbError(
            "`read` names no lesson", hint='read = "..." or { lesson = 1, what = "..." }'
        )
    known = {"lesson": number, "title": lessons[number], "what": given["what"]}
    return _prose(str(Filling(known, {})(lessons["read"])))


def _prose(text: str) -> str:
    """A text whose lines are filled."""
    return " ".join(text.split())


# Texts with a student's numbers in them: `$shift`, `${2*shift + 1}`. What stands in the places is
# computed here, so that a file of exercises says what it says, and does nothing.


_PLACE: Final = re.compile(r"\$(?:(\w+)|\{((?:[^{}]|\{[^{}]*\})*)\})")
_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Toml]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.Eq: operator.eq,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def affine(*terms: Toml) -> str:
    """A sum of numbers times names, each number before its name, and a number behind them."""
    pairs = zip(terms[::2], (*terms[1::2], ""), strict=False)
    said = ""
    for number, name in ((n, str(name)) for n, name in pairs if n):
        size = name if name and abs(number) == 1 else f"{abs(number)}{'*' if name else ''}{name}"
        sign = ("-" if number < 0 else "") if not said else " - " if number < 0 else " + "
        said += sign + size
    return said or "0"


def each(names: str, text: str, first: int = 0) -> str:
    """A text for each of some statements, with its name for `@` and its number for `#`."""
    numbered = enumerate(names.split(), first)
    return "; ".join(text.replace("@", name).replace("#", str(k)) for k, name in numbered)


_FUNCTIONS: Final[Mapping[str, Callable[..., Toml]]] = {
    "affine": affine,
    "at": lambda text, subscript: text.replace("@", subscript),
    "each": each,
    "float": float,
    "item": lambda k, *among: among[k],
    "max": max,
    "upto": lambda first, end: ", ".join(map(str, range(first, end))),
}


@dataclass(frozen=True, eq=False)
class Filling:
    """What names stand for: `values` that are known, and `texts`, which may have places, too, and
    become values when they are asked for."""

    values: dict[str, Toml]
    texts: Table

    def __call__(self, given: Toml) -> Toml:
        """What a file says, with all its places filled: a text that is nothing but a place is the
        value itself. Raises PolynbError for a place that cannot be computed."""
        match given:
            case str():
                whole = _PLACE.fullmatch(given)
                if whole is not None:
                    return self._at(whole)
                return _PLACE.sub(lambda place: str(self._at(place)), given)
            case dict():
                return {self(name): self(value) for name, value in given.items()}
            case list():
                return tuple(map(self, given))
        return given

    def named(self, name: str) -> Toml:
        """What a name stands for. Raises PolynbError for an unknown one."""
        if name not in self.values:
            if name not in self.texts:
                raise PolynbError(f"nothing is called {name}", hint="[draws] or [let]")
            self.values[name] = self(self.texts[name])
        return self.values[name]

    def _at(self, place: re.Match[str]) -> Toml:
        return self.named(place[1]) if place[1] else computed(place[2], self.named)


def computed(text: str, named: Callable[[str], Toml]) -> Toml:
    """The value of an expression: numbers and texts, of names and of a few functions. Raises
    PolynbError for anything else."""

    def value(node: ast.AST) -> Toml:
        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Name(id=name):
                return named(name)
            case ast.JoinedStr(values=parts):
                return "".join(str(value(p)) for p in parts)
            case ast.FormattedValue(value=inner):
                return value(inner)
            case ast.UnaryOp(op=op, operand=inner) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(inner))
            case (
                ast.BinOp(left=one, op=op, right=other)
                | ast.Compare(left=one, ops=[op], comparators=[other])
            ) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(one), value(other))
            case ast.IfExp(test=test, body=yes, orelse=no):
                return value(yes if value(test) else no)
            case ast.Call(func=ast.Name(id=name), args=given) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*map(value, given))
        raise PolynbError(f"`{text}` is no expression of an exercise", hint="numbers and names")

    try:
        return value(ast.parse(f"({text})", mode="eval").body)
    except (SyntaxError, TypeError, ZeroDivisionError) as error:
        raise PolynbError(f"`{text}` has no value", reason=str(error)) from None


@dataclass(frozen=True)
class WrittenFunction:
    """A function, `N * N` of N."""

    text: str
    parameters: tuple[str, ...]

    def __call__(self, *at: int) -> Toml:
        values = dict(zip(self.parameters, at, strict=True))
        return Filling(values, {})(f"${{{self.text}}}")
