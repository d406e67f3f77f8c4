"""Times: a ratio to a reference in the same run; what is right comes first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from polynb.labs.findings import Outcome, nothing
from polynb.labs.tasks.programs import as_program, same
from polynb.run import measure
from polynb.scop.model import Scop
from polynb.scop.parsing import parse

TIMES: Final = 2  # so many measurements have to see that an answer is faster


@dataclass(frozen=True)
class TimeTask:
    """A program that computes the same as a reference and is seen to be faster: both are compiled
    and timed in turn, and the 95 % interval of the ratio lies above `least`, TIMES times, each in
    processes and memory of its own: that leaves room for what is faster by chance, or by where
    memory happens to lie (on a busy machine, the very same walk in the wrong order was once seen
    twice as fast). An answer of which that was not seen is worth nothing. Of several `kernels`,
    each with the fields that are its own, the student chooses."""

    program: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 2.0
    threads: int = 1
    least: float = 2.0
    kernels: tuple[Mapping[str, Any], ...] = ()

    @property
    def form(self) -> str:
        return "a program: its text, or what %%scop, %propagate or another pass made"

    def chosen(self, answer: Scop) -> TimeTask | None:
        """The task about the kernel that an answer has most arrays of; None if it has none."""
        if not self.kernels:
            return self
        tasks = [replace(self, **kernel, kernels=()) for kernel in self.kernels]
        shared = [len(answer.arrays.keys() & parse(t.program).arrays.keys()) for t in tasks]
        return tasks[shared.index(max(shared))] if any(shared) else None

    def judge(self, answer: object) -> Outcome:
        after = as_program(answer)
        asked = self.chosen(after)
        if asked is None:
            return nothing("it has an array of none of the kernels")
        return asked._judged(after)

    def _judged(self, after: Scop) -> Outcome:
        before = parse(self.program)
        _, different = same(before, after)
        if different is not None:
            return nothing(different)
        said = ""
        for _ in range(TIMES):
            first = said
            timing = measure(
                {"reference": before, "answer": after},
                self.sizes,
                threads=self.threads,
                seconds=self.seconds,
            )
            said, interval = timing.comparison("answer"), timing.interval("answer")
            if interval is None or interval[0] <= self.least:
                both = f"{first}; measured once more, {said}" if first else said
                return nothing(both)
        return Outcome(Fraction(1), (), said)
