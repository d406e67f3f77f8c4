"""What of the papers is recomputed, and where: every numbered definition, equation, figure, table,
algorithm and listing (`notebooks/coverage.ipynb`). GRAPHITE numbers its figures alone: there, what
its sections 4.1 to 4.4 define or compute has the name of the section."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from polynb.arguments import one_of
from polynb.tuning import Table


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


@functools.cache
def papers() -> dict[str, tuple[Recomputed, ...]]:
    """The items of each paper, in the order in which they are numbered."""
    text = files("polynb.evaluation").joinpath("coverage.toml").read_text("utf-8")
    return {
        paper: tuple(Recomputed(item, **row) for item, row in rows.items())
        for paper, rows in tomllib.loads(text).items()
    }


def coverage(paper: str) -> Table:
    """The items of a paper ("CC'18", "IMPACT'16", "DeLICM", "GRAPHITE" or "TACO'19"), and where
    each is recomputed: the cells of notebooks, and the files of tests (`papers()` has their
    names)."""
    one_of("paper", paper, papers(), "paper")
    rows = []
    for r in papers()[paper]:
        paths = (name.partition(".py::")[0] for name in r.tests)
        tested = dict.fromkeys(path.rpartition("/")[2] for path in paths)
        seen = ", ".join(cell.removeprefix("coverage#") for cell in r.cells)
        what = f"{r.what}; {r.note}" if r.note else r.what
        rows.append((r.item, what, seen, ", ".join(tested)))
    head = ["item", "what it is", "to see: cell, or notebook#cell", "tests"]
    return Table(head, rows, left=head[1:])
