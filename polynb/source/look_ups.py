"""Elements that data picks out of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from polynb.source.tree import Expr, accesses, arrays
from polynb.source.types import ElementType

WORD: Final = 4
"""Bytes of the least elements that processors gather into vectors."""


def looks_up(e: Expr, types: Mapping[str, ElementType]) -> bool:
    """Whether an expression reads an element that data picks, and that is less than a word: no
    processor gathers a vector of such."""
    return any(types[x.array].size < WORD and arrays(*x.subscripts) for x in accesses(e))
