"""Expressions -> expressions: what passes that move computations share."""

from polynb.rewriting.substitution import rewrite

__all__ = [
    "rewrite",
]
