"""syntax tree -> Scop: the polyhedral model of a program."""

from polynb.scop.model import Array, IslView, MemoryAccess, Scop, Statement
from polynb.scop.parsing import parse
from polynb.scop.witness import Instance, Witness

__all__ = [
    "Array",
    "Instance",
    "IslView",
    "MemoryAccess",
    "Scop",
    "Statement",
    "Witness",
    "parse",
]
