"""Tables: aligned text for commands, and what a notebook shows as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polynb.arguments import objects, several_names, text
from polynb.conveniences import Conveniences
from polynb.errors import PolynbError


@dataclass(frozen=True)
class Table(Conveniences):
    """Rows under a head: a table in a notebook, aligned columns where it is printed.

    Cells are texts or numbers (`pandas.DataFrame(t.rows, columns=t.head)` takes them as they are).
    Columns are flush right but for the first one and those that `left` names. `notes` are lines
    below, `caption` is the line above it in a notebook. Raises PolynbError for a row that has more
    or fewer cells than the head.
    """

    head: Sequence[str]
    rows: Iterable[Sequence[object]]
    left: Sequence[str] = ()
    notes: Sequence[str] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        head = several_names("head", self.head, what="column")
        rows = objects("rows", self.rows, _is_row, "rows of cells", '[("harris", 11)]')
        for row in rows:
            if len(row) != len(head):
                raise PolynbError(
                    f"a row has {len(row)} cells and the head {len(head)}",
                    reason=f"the row is {list(row)}",
                    hint="a cell for each column",
                )
        object.__setattr__(self, "head", head)
        object.__setattr__(self, "rows", tuple(tuple(r) for r in rows))
        object.__setattr__(self, "left", several_names("left", self.left, head, what="column"))
        object.__setattr__(self, "notes", objects("notes", self.notes, str, "texts", '["a"]'))
        text("caption", self.caption)

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The rows as texts."""
        return tuple(tuple(readable(c) for c in row) for row in self.rows)

    @property
    def flush_left(self) -> tuple[int, ...]:
        """The numbers of the columns that are texts."""
        return tuple(k for k, name in enumerate(self.head) if k == 0 or name in self.left)

    def __str__(self) -> str:
        lines = [aligned(self.head, self.cells, self.flush_left)] if self.rows else []
        return "\n".join([*lines, *self.notes])


def _is_row(x: object) -> bool:
    return isinstance(x, Sequence) and not isinstance(x, str | bytes)


def table_of(
    shown: object,
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    left: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Table:
    """The table of an object of a room further up, which says what is in it."""
    return Table(head, rows, left, notes)


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """The columns of these numbers flush left, the others flush right; as wide as what they
    hold."""
    widths = [max(len(r[k]) for r in (head, *rows)) for k in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(padded).rstrip()

    return "\n".join(line(r) for r in (head, *rows))


def readable(value: object) -> str:
    """A value as a table shows it: floats with three digits, of a list its length, nothing for
    None."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return str(len(value))
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.0f}" if abs(value) >= 999.5 else f"{value:.3g}"
    return str(value)
