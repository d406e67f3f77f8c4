"""DeLICM (Kruse, Grosser): scalars back into the arrays they came from."""

from polynb.delicm.conflicts import KnowledgeConflict, is_conflicting
from polynb.delicm.forward import forward_operands
from polynb.delicm.knowledge import Knowledge, learn
from polynb.delicm.mapping import map_scalars
from polynb.delicm.pipeline import remove_scalars
from polynb.delicm.simplification import simplify

__all__ = [
    "Knowledge",
    "KnowledgeConflict",
    "forward_operands",
    "is_conflicting",
    "learn",
    "map_scalars",
    "remove_scalars",
    "simplify",
]
