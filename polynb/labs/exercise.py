"""An exercise of a lab: what is asked, how an answer is judged, and what is known of answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from polynb.conveniences import Conveniences
from polynb.errors import PolynbError
from polynb.labs.findings import Outcome
from polynb.scop import Scop, parse
from polynb.words import counted


class Task(Protocol):
    """What an answer has to be, and what judges it. The fields of a task are plain data."""

    @property
    def form(self) -> str:
        """What to answer with: "isl text: [N] -> { S[i, j] : ... }"."""

    def judge(self, answer: object) -> Outcome:
        """How much of an answer is right. Raises PolynbError for what cannot be read as one."""


@dataclass(frozen=True)
class Misconception:
    """What many believe, the answer that comes of it, and what a teacher may ask then."""

    name: str
    answer: object
    ask: str


@dataclass(frozen=True, eq=False)
class Exercise(Conveniences):
    """What a student is asked, with the numbers of this student.

    `name` is "lab1.triangle"; `text` says what is wanted, of the `program` if there is one.
    `seconds` is what judging one answer may take. `hints` go from a nudge to where to read.
    `_right` are answers that are right, differently written, the first the one of the solution,
    and `_task` knows them, too: where a name is completed, neither is shown. `misconceptions` are
    wrong ones. `transfer`: what was learned, somewhere else.
    """

    name: str
    title: str
    text: str
    _task: Task = field(repr=False)
    hints: tuple[str, ...] = field(repr=False)
    _right: tuple[object, ...] = field(repr=False)
    misconceptions: tuple[Misconception, ...] = field(default=(), repr=False)
    program: str = field(default="", repr=False)
    student: str = ""
    points: int = 2
    seconds: float = 20.0
    transfer: bool = False
    following: str = field(default="", repr=False)

    @cached_property
    def scop(self) -> Scop:
        """The program that the exercise is about. Raises PolynbError if there is none."""
        return parse(self.program)

    @property
    def form(self) -> str:
        """What to answer with."""
        return self._task.form

    @property
    def schedule(self) -> str:
        """The order that the exercise asks about. Raises PolynbError if there is none."""
        found = getattr(self._task, "schedule", "")
        if not found:
            raise PolynbError(f"{self.name} asks about no order", hint="its program: .scop")
        return str(found)

    @property
    def lab(self) -> str:
        """`lab1`, or the folder of a lab of a teacher's own."""
        return self.name.partition(".")[0]

    @property
    def called(self) -> str:
        """What makes this exercise again: `"lab1.triangle", student="ada"`."""
        return self._arguments(self.name)

    @property
    def asks_for_a_hint(self) -> str:
        return f"labs.hint({self.called})"

    @property
    def then(self) -> str:
        """The line that makes the next exercise."""
        if not self.following:
            return "labs.exercises()"
        return f"labs.exercise({self._arguments(self.following)})"

    @property
    def headline(self) -> str:
        """`lab1.triangle: a triangle (2 points)`"""
        return f"{self.name}: {self.title} ({counted(self.points, 'point')})"

    def _arguments(self, name: str) -> str:
        return f'"{name}"' + (f", student={self.student!r}" if self.student else "")

    def __str__(self) -> str:
        program = "".join(f"\n  {line}" for line in self.program.strip().splitlines())
        parts = [self.headline, self.text]
        return "\n".join([*parts, *filter(None, [program.strip("\n")]), f"answer: {self.form}"])
