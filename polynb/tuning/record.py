"""What a sweep has done so far, one JSON line for each variant, to go on after an interruption.

The file is only ever appended to. A line that is not whole (its writer was killed) is passed
over; the next one starts on a line of its own.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

import numpy as np

from polynb.derivation import Pass
from polynb.errors import PolynbError
from polynb.isl.pickles import dumps
from polynb.scop import Scop
from polynb.tuning.results import Row

FORMAT: Final = 1  # of the keys; a new number leaves all older lines behind


class Record:
    """The rows in a file, by key; without a file, nothing is kept."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = None if path is None else Path(path)
        self.rows: dict[str, Row] = {}
        text = self._text()
        for line in text.splitlines():
            self._read(line)
        if text.strip() and not self.rows:
            raise PolynbError(
                f"{self.path} is not the record of a sweep",
                reason="none of its lines is one that a sweep wrote",
                hint="resume=FILE of a sweep, or a new file",
            )
        self._torn = bool(text) and not text.endswith("\n")

    def _text(self) -> str:
        if self.path is None or not self.path.exists():
            return ""
        return self.path.read_text(encoding="utf-8", errors="replace")

    def _read(self, line: str) -> None:
        try:
            match json.loads(line):
                case {"key": str(key), "name": str(name), "values": dict(values), "error": error}:
                    self.rows[key] = Row(name, values, error)
        except ValueError:  # not whole
            pass

    def add(self, key: str, row: Row) -> None:
        """Write a row, at once and to the disk."""
        self.rows[key] = row
        if self.path is None:
            return
        entry = {"key": key, "name": row.name, "values": dict(row.values), "error": row.error}
        line = json.dumps(entry, ensure_ascii=False) + "\n"
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + line if self._torn else line)
            file.flush()
            os.fsync(file.fileno())
        self._torn = False


def key(run: str, variant: Any) -> str:
    """The hash of a variant and of what runs it (its `fingerprint`)."""
    return hashlib.sha256(f"{FORMAT}\n{run}\n{fingerprint(variant)}".encode()).hexdigest()[:32]


def fingerprint(x: Any) -> str:
    """A text that is the same for equal values, in every process.

    Mappings and sets have no order, a dataclass counts as its fields, a program as its text, a
    function as its name (one that has changed needs another record), all else as its pickle.
    """
    return json.dumps(_plain(x), sort_keys=True)


def _plain(x: Any) -> Any:
    match x:
        case None | bool() | int() | float() | str():
            return x
        case list() | tuple():
            return [_plain(e) for e in x]
        case Mapping():
            return {"mapping": sorted([fingerprint(k), _plain(v)] for k, v in x.items())}
        case set() | frozenset():
            return {"set": sorted(fingerprint(e) for e in x)}
        case Scop():
            return {"program": str(x)}
        case Pass():
            return {"function": f"{x.steps.__module__}.{x.steps.__qualname__}"}
        case FunctionType() | BuiltinFunctionType() | type():
            return {"function": f"{x.__module__}.{x.__qualname__}"}
        case np.ndarray():
            content = hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
            return {"array": [str(x.dtype), list(x.shape), content]}
    if dataclasses.is_dataclass(x):
        values = {f.name: _plain(getattr(x, f.name)) for f in dataclasses.fields(x)}
        return {type(x).__qualname__: values}
    return {"pickle": hashlib.sha256(dumps(x)).hexdigest()}
