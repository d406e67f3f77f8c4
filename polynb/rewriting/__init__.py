"""Expressions -> expressions: what passes that move computations share."""

from polynb.rewriting.expansion import expand
from polynb.rewriting.substitution import rewrite

__all__ = [
    "expand",
    "rewrite",
]
