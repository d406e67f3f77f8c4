"""What a sweep found: one row for each variant, and the best of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from polynb.arguments import flag, several_names, text as checked
from polynb.conveniences import Conveniences, Json
from polynb.errors import PolynbError
from polynb.run.intervals import Interval, interval_text
from polynb.tuning.tables import Table, readable

INTERVAL: Final = "interval"  # the value that holds both ends of a ratio's interval


@dataclass(frozen=True)
class Row:
    """One variant: the JSON values that its run gave, or why it failed."""

    name: str
    values: Mapping[str, Json] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True)
class Sweep(Conveniences):
    """The variants in the order they were given; `resumed` of them came from the record."""

    rows: tuple[Row, ...]
    resumed: int = 0

    @property
    def failed(self) -> tuple[Row, ...]:
        return tuple(r for r in self.rows if r.error is not None)

    @property
    def best(self) -> Row:
        """The row with the highest `ratio`: the most times faster than its baseline.

        Raises PolynbError if no row has one.
        """
        return self.extreme("ratio")

    def extreme(self, value: str, *, lowest: bool = False) -> Row:
        """The row with the highest (or lowest) value of that name; the first of several.

        Raises PolynbError if no row has such a number.
        """
        value, lowest = checked("value", value), flag("lowest", lowest)
        there = [r for r in self.rows if _is_number(r.values.get(value))]
        if not there:
            raise PolynbError(
                f"no variant has a number called {value!r}",
                reason=self.failed[0].error if self.failed else None,
                hint=f"one of: {', '.join(self.columns) or 'none'}",
            )
        choose = min if lowest else max
        return choose(there, key=lambda r: r.values[value])

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all values, in the order they come up."""
        return tuple(dict.fromkeys(name for r in self.rows for name in r.values))

    def __getitem__(self, name: str) -> Row:
        for row in self.rows:
            if row.name == name:
                return row
        raise PolynbError(
            f"the sweep has no variant {name!r}",
            hint=f"one of: {', '.join(r.name for r in self.rows[:20]) or 'none'}",
        )

    def table(self, *columns: str) -> Table:
        """The rows as a table: these values, or all of them.

        A ratio has its interval in brackets. Without columns of one's own, what is the same for
        all variants stands once, below.
        """
        several_names("columns", columns, self.columns, what="value")
        done = [r for r in self.rows if r.error is None]
        known = tuple(c for c in self.columns if c != INTERVAL)
        shared = {} if columns else _shared(done, known)
        shown = columns or tuple(c for c in known if c not in shared)
        return Table(
            ("", *shown),
            [(r.name, *(_cell(r, c) for c in shown)) for r in done],
            notes=[
                *(f"{r.name} failed: {r.error}" for r in self.failed),
                *(f"{name}: {readable(value)}" for name, value in shared.items()),
            ],
        )

    def to_json(self) -> str:
        rows = [{"name": r.name, "values": dict(r.values), "error": r.error} for r in self.rows]
        return json.dumps({"rows": rows}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Sweep:
        """What `to_json` wrote."""
        try:
            return cls(tuple(Row(**row) for row in json.loads(checked("text", text))["rows"]))
        except (ValueError, TypeError, KeyError):
            raise PolynbError("this is no sweep", hint="a text that sweep.to_json() gave") from None

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<Sweep of {len(self.rows)} variants{failed}>"


def interval_of(row: Row) -> Interval | None:
    """Where the row's ratio is, 19 times of 20; None where that was not measured."""
    ends = row.values.get(INTERVAL)
    return None if ends is None else (float(ends[0]), float(ends[1]))


def lower_end(row: Row) -> float:
    """How many times faster than its baseline a row is for sure: the lower end of the interval of
    its ratio (the ratio itself where there is no interval, 0 where nothing was measured)."""
    ends = interval_of(row)
    return float(row.values.get("ratio", 0.0)) if ends is None else ends[0]


def bracketed(row: Row) -> str:
    """` (1.20 – 1.30)`, to stand behind a row's ratio; nothing where it is not known."""
    text = interval_text(interval_of(row))
    return f" ({text})" if text else ""


def _cell(row: Row, column: str) -> Json:
    value = row.values.get(column)
    sure = bracketed(row) if column == "ratio" else ""
    return readable(value) + sure if sure else value


def _shared(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, Json]:
    """The values that several rows have in common."""
    if len(rows) < 2:
        return {}
    first = rows[0].values
    return {
        c: first[c]
        for c in columns
        if c in first and all(c in r.values and r.values[c] == first[c] for r in rows)
    }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not math.isnan(value)
