"""How a Table is shown: as a table, and below it what it notes."""

from __future__ import annotations

from typing import Final

from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, next_line, page, paragraph, table
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


def search_html(found: Search) -> Html:
    return page(table_html(found.table()), *map(next_line, _next(found)))


def search_text(found: Search) -> str:
    return "\n".join([str(found), *(f"next: {line}" for line in _next(found))])


def _next(found: Search) -> tuple[str, ...]:
    """To see the moves of the fastest program, if it has any."""
    timed = any("ratio" in row.values for row in found.sweep.rows)
    return (f"{variable_of(found) or '_'}.transformation()",) if timed and found.script else ()
