"""syntax tree -> Scop: the polyhedral model of a program."""

from polynb.scop.model import Array, IslView, MemoryAccess, Scop, Statement
from polynb.scop.parsing import parse

__all__ = [
    "Array",
    "IslView",
    "MemoryAccess",
    "Scop",
    "Statement",
    "parse",
]
