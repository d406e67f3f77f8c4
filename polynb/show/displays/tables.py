"""How a Table is shown: as a table, and below it what it notes."""

from __future__ import annotations

from typing import Final

from polynb.show.html import Html, page, paragraph, table
from polynb.tuning.results import Sweep
from polynb.tuning.searching import Search
from polynb.tuning.tables import Table

LONG: Final = 60  # characters of a cell that may be broken into lines


def as_table(x: Table | Sweep | Search) -> Table:
    return x if isinstance(x, Table) else x.table()


def table_html(shown: Table) -> Html:
    cells = shown.cells
    left = shown.flush_left
    right = [k for k in range(len(shown.head)) if k not in left]
    wrap = [k for k in left if any(len(row[k]) > LONG for row in cells)]
    parts = [table(shown.caption, shown.head, cells, right, wrap)] if cells else []
    return page(*parts, *(paragraph(note, muted=True) for note in shown.notes if note))


def table_text(shown: Table) -> str:
    return str(shown)
