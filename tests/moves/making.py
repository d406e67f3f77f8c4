"""Moves as functions of a program, so that tests of orders read from the inside out."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from polynb.moves import MOVES, Move, named_loops
from polynb.scop.model import Scop


def _function(move: type[Move]) -> Callable[..., Scop]:
    def made(scop: Scop, *arguments: Any, **options: Any) -> Scop:
        return move(*arguments, **options).applied(scop)

    return made


moves = SimpleNamespace(
    named_loops=named_loops,
    **{name.replace("-", "_"): _function(move) for name, move in MOVES.items()},
)
