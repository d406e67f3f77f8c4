"""Expression propagation (Doerfert, Sharma, Hack, CC'18): evaluate where it is needed."""

from polynb.dependences.intermediate import IntermediateWrite
from polynb.propagation.algorithm import default_heuristics, paper_heuristics, propagate
from polynb.propagation.heuristics import (
    Attempt,
    CacheLines,
    CodeComplexity,
    Heuristic,
    Judgement,
    NonLiveOut,
)
from polynb.propagation.order import Choice, Order, by_potential, first_write, in_order
from polynb.propagation.recomputation import Recomputation
from polynb.propagation.reload import (
    Operand,
    ReloadTest,
    overwritten_reloads,
    potential_intermediate_writes,
    reload_test,
)

__all__ = [
    "Attempt",
    "CacheLines",
    "Choice",
    "CodeComplexity",
    "Heuristic",
    "IntermediateWrite",
    "Judgement",
    "NonLiveOut",
    "Operand",
    "Order",
    "Recomputation",
    "ReloadTest",
    "by_potential",
    "default_heuristics",
    "first_write",
    "in_order",
    "overwritten_reloads",
    "paper_heuristics",
    "potential_intermediate_writes",
    "propagate",
    "reload_test",
]
