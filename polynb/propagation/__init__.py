"""Expression propagation (Doerfert, Sharma, Hack, CC'18): evaluate where it is needed."""

from polynb.propagation.algorithm import propagate
from polynb.propagation.order import Heuristic, Order, first_write
from polynb.propagation.reload import (
    Operand,
    ReloadTest,
    Witness,
    overwritten_reloads,
    potential_intermediate_writes,
    reload_test,
)
from polynb.propagation.rewriting import rewrite

__all__ = [
    "Heuristic",
    "Operand",
    "Order",
    "ReloadTest",
    "Witness",
    "first_write",
    "overwritten_reloads",
    "potential_intermediate_writes",
    "propagate",
    "reload_test",
    "rewrite",
]
