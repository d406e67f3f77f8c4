"""How a Table is shown: as a table, and below it what it notes."""

from __future__ import annotations

from typing import Final

from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, page, paragraph, table
from polynb.tuning.results import Sweep
from polynb.tuning.searching import Search
from polynb.tuning.tables import Table

LONG: Final = 60  # characters of a cell that may be broken into lines


def display(x: Table | Sweep) -> Display:
    """A table as it is, of a sweep that of its rows: neither leads anywhere in particular."""
    table = x if isinstance(x, Table) else x.table()
    return Display(str(table), _parts(table))


def table_html(shown: Table) -> Html:
    """A table and below it its notes, as a part of another display."""
    return page(*_parts(shown))


def _parts(shown: Table) -> list[Html]:
    cells = shown.cells
    left = shown.flush_left
    right = [k for k in range(len(shown.head)) if k not in left]
    wrap = [k for k in left if any(len(row[k]) > LONG for row in cells)]
    parts = [table(shown.caption, shown.head, cells, right, wrap)] if cells else []
    return [*parts, *(paragraph(note, muted=True) for note in shown.notes if note)]


def search(x: Search) -> Display:
    """What was timed; next: the moves of the fastest program, if it has any."""
    timed = any("ratio" in row.values for row in x.sweep.rows)
    moves = (f"{variable_of(x) or '_'}.transformation()",) if timed and x.script else ()
    return Display(str(x), (table_html(x.table()),), moves)
