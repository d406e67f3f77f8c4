"""A formula of two clauses as a program: UNSAT can be eliminated where x holds or y does not, and
y holds or z."""

from __future__ import annotations

from polynb.propagation.sat import encode


def program() -> str:
    """As `polynb.propagation.sat` encodes it: with few clauses, few steps to look at."""
    return encode("(x or not y) and (y or z)")
