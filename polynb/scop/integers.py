"""Subscripts and operands that have to be integers, and are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polynb.scop.model import Array, Statement
from polynb.source.integer_places import misplaced
from polynb.source.tree import Define
from polynb.source.type_inference import Types


def check_integers(
    statements: Sequence[Statement],
    arrays: Mapping[str, Array],
    functions: Sequence[Define],
    language: str,
) -> None:
    """Raises PolynbError for the first of them: no compiler would take the program."""
    types = Types({name: a.type for name, a in arrays.items()}, functions)
    for s in statements:
        guard = () if s.guard is None else (s.guard,)
        for root in (*guard, s.write.node, s.expression):
            for error in misplaced(root, types, language):
                raise error
