"""Small C programs whose loops are marked by hand, in `corpus/*.c`, and verdicts beside the marks.

`//// name` begins a program. Each loop's head has a line of its own with its mark:

- `parallel`: no iteration takes what another made; copies for each iteration may be needed;
- `reduction`: iterations only hand on what an associative operation gathers;
- `sequential`: they hand on more, or their order can be seen from outside;
- `parallel by data`: parallel in this run only since subscripts out of the data happen to differ;
  "parallel" and "not known" are both right.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
MARK = re.compile(r"// (parallel by data|parallel|reduction|sequential)$")


@dataclass(frozen=True)
class Marked:
    """A program, and the mark of each loop by the line of its head."""

    name: str
    text: str
    marks: Mapping[int, str]


@dataclass(frozen=True)
class Verdict:
    """What is said of a loop, beside its mark. A function's loops are told of in each context."""

    program: str
    line: int
    mark: str
    said: tuple[str, ...]

    def __str__(self) -> str:
        said = "; ".join(self.said) or "nothing"
        return f"{self.program}, line {self.line}, is {self.mark}: {said}"

    @property
    def unsound(self) -> bool:
        return self.mark in ("sequential", "reduction") and "parallel" in self.said

    @property
    def reduces(self) -> bool:
        """Whether it is called a reduction."""
        return any("; a reduction into " in said for said in self.said)

    @property
    def missed(self) -> bool:
        """Parallel, and not called so everywhere."""
        return self.mark == "parallel" and {*self.said} != {"parallel"}


def programs() -> dict[str, Marked]:
    """All of them, by name."""
    found = {}
    for path in sorted(CORPUS.glob("*.c")):
        for part in path.read_text().split("//// ")[1:]:
            title, text = part.split("\n", 1)
            name = f"{path.stem}: {title}"
            lines = enumerate(text.splitlines(), 1)
            marks = {k: m[1] for k, line in lines if (m := MARK.search(line)) is not None}
            found[name] = Marked(name, text, marks)
    return found


def sample() -> list[Marked]:
    """A sixth of them; all with POLYNB_LARGE."""
    every = list(programs().values())
    return every if os.environ.get("POLYNB_LARGE") else every[3::6]


def verdicts(program: Marked, loops: Iterable[object]) -> list[Verdict]:
    """Of reports on loops (`Feedback.loops`), those that are marked; loops of one iteration say
    what would tell where no other loop of their line says more."""
    said: dict[int, dict[str, None]] = {}
    reports = [r for root in loops for r in root.walk()]  # type: ignore[attr-defined]
    for report in sorted(reports, key=lambda r: not r.iterates):
        known = report.loop.line in said and not report.iterates
        if not known and not report.loop.recursion:
            said.setdefault(report.loop.line, {})[report.verdict] = None
    return [
        Verdict(program.name, line, mark, tuple(said.get(line, ())))
        for line, mark in program.marks.items()
    ]
