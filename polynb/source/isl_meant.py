"""What is often written in isl's notation and is none of it, and what is meant by it."""

from __future__ import annotations

from typing import Final

SIGNS: Final = {
    "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "∧": "and", "∨": "or", "¬": "not", "∃": "exists",
    "−": "-", "·": "*", "×": "*", "^": "a product with a number, since only that is affine",
    "&": "and",
    "|": "`:` before conditions, `or` between them; an absolute value is two: -3 <= i <= 3",
}  # fmt: skip

# What is written where a condition ends, and how isl's notation says it.
INSTEAD: Final = {
    "to": "both bounds in one condition: 0 <= i <= N",
    "by": "a stride is a condition, i mod 3 = 1, with `and` before it",
    "step": "a stride is a condition, i mod 3 = 1, with `and` before it",
    "-": "what is left out is a condition: S[i] : ... and i != 2",
}
PAIRS: Final = {"==": "=", "=>": ">=", "=<": "<=", "<>": "!=", "/=": "!="}
APART: Final = ("<=", ">=", "!=", "->")
