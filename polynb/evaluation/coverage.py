"""What of the papers is recomputed, and where: every numbered definition, equation, figure, table,
algorithm and listing. Each paper has a notebook with a section for each of them, in the paper's
order (`notebooks/reproductions`). GRAPHITE numbers its figures alone: there, what its sections 4.1
to 4.4 define or compute has the name of the section."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from polynb.arguments import one_of
from polynb.tuning.tables import Table

REPRODUCTIONS: Final = MappingProxyType(
    {
        "CC'18": "reproductions/propagation",
        "IMPACT'16": "reproductions/live_range_reordering",
        "DeLICM": "reproductions/delicm",
        "GRAPHITE": "reproductions/graphite",
        "TACO'19": "reproductions/folding",
    }
)
"""The notebook of each paper."""


@dataclass(frozen=True)
class Recomputed:
    """A numbered item of a paper. `tests` are functions of `tests/` (`folder/test_x.py::test_y`),
    `cells` are cells of notebooks (`notebook#cell`); `note` says what is different, or why it is
    not recomputed."""

    item: str
    what: str
    tests: Sequence[str] = ()
    cells: Sequence[str] = ()
    note: str = ""

    @property
    def heading(self) -> str:
        """Of its section in the paper's notebook."""
        name = f"Equation {self.item}" if self.item.startswith("(") else self.item
        return f"{name}: {self.what}"


@functools.cache
def papers() -> dict[str, tuple[Recomputed, ...]]:
    """The items of each paper, in the order in which they are numbered."""
    text = files("polynb.evaluation").joinpath("coverage.toml").read_text("utf-8")
    return {
        paper: tuple(Recomputed(item, **row) for item, row in rows.items())
        for paper, rows in tomllib.loads(text).items()
    }


def coverage(paper: str) -> Table:
    """The items of a paper ("CC'18", "IMPACT'16", "DeLICM", "GRAPHITE" or "TACO'19"): each has a
    section in the paper's notebook. Where it is to be seen besides, and the files of tests
    (`papers()` has the names of cells and tests)."""
    one_of("paper", paper, papers(), "paper")
    rows = []
    for r in papers()[paper]:
        paths = (name.partition(".py::")[0] for name in r.tests)
        tested = dict.fromkeys(path.rpartition("/")[2] for path in paths)
        seen = dict.fromkeys(cell.partition("#")[0] for cell in r.cells)
        seen.pop(REPRODUCTIONS[paper], None)
        between = " " if r.note.startswith("(") else "; "
        what = f"{r.what}{between}{r.note}" if r.note else r.what
        rows.append((r.item, what, ", ".join(seen), ", ".join(tested)))
    head = ["item", "what it is", "also in", "tests"]
    return Table(head, rows, left=head[1:])
