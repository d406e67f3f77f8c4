"""Tables of cases stand in a TOML file beside their test: those of `test_x.py` in `test_x.toml`."""

import tomllib
from pathlib import Path
from typing import Any


def beside(test: str) -> dict[str, Any]:
    """The tables of a test's file by name; their rows, and what is listed in them, are tuples."""
    tables = tomllib.loads(Path(test).with_suffix(".toml").read_text("utf-8"))
    return {name: _rows(table) for name, table in tables.items()}


def _rows(table: Any) -> Any:
    if isinstance(table, dict):
        return {key: _tuple(value) for key, value in table.items()}
    return [_tuple(row) for row in table]


def _tuple(value: Any) -> Any:
    return tuple(_tuple(v) for v in value) if isinstance(value, list) else value
