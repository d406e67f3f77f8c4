"""What the first cells of a page would load otherwise: before Python's memory is kept."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import zipfile
from importlib import readers
from typing import Any, Final

from polynb import show
from polynb.errors import PolynbError
from polynb.source.parse import parse_program

PROGRAMS: Final = (
    "param N; for i = 0 to N do A[i] = 1; done",
    "for (int i = 0; i < 3; i++) A[i] = 1;",
)
_opened: Final = functools.cache(zipfile.Path)


def _files(reader: Any) -> zipfile.Path:
    """A package's files. (Python reads the list of all files of an archive each time.)"""
    return zipfile.Path(_opened(reader.archive).root, reader.prefix)


def warm() -> None:
    """Imports all displays, but those that need what a page has not; and makes the parsers."""
    readers.ZipReader.files = _files  # type: ignore[assignment]
    for module in pkgutil.walk_packages(show.__path__, f"{show.__name__}."):
        try:
            importlib.import_module(module.name)
        except (ImportError, PolynbError):
            continue
    for program in PROGRAMS:
        parse_program(program)
    _opened.cache_clear()  # an open file is not kept with the memory
