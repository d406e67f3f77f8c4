"""Where the papers and a program that follows them disagree: the entries of
`notebooks/errata.ipynb`, and of which kind each of them is."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from polynb.tuning.tables import Table

KINDS: Final = MappingProxyType(
    {
        "error": "as it is printed, or programmed, it is wrong",
        "gap": "something that has to be decided is not said",
        "trap": "the paper is right, and whoever builds it still falls in",
        "inconsistency": "two places, or paper and program, do not agree",
    }
)


@dataclass(frozen=True)
class Erratum:
    """An entry: its number, what it is about, the paper and the place in it, and its kind."""

    number: int
    title: str
    paper: str
    place: str
    kind: str


def _entries() -> tuple[Erratum, ...]:
    text = files("polynb.evaluation").joinpath("errata.toml").read_text("utf-8")
    found = (
        Erratum(int(number), paper=paper, **entry)
        for paper, entries in tomllib.loads(text).items()
        for number, entry in entries.items()
    )
    return tuple(sorted(found, key=lambda e: e.number))


ENTRIES: Final = _entries()


def table() -> Table:
    """All entries, with their kinds."""
    rows = [(e.number, e.title, e.paper, e.place, e.kind) for e in ENTRIES]
    notes = [f"{kind}: {meaning}" for kind, meaning in KINDS.items()]
    head = ["", "entry", "paper", "where", "kind"]
    return Table(head, rows, left=head[1:], notes=notes)
