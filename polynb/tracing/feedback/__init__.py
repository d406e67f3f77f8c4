"""What a folded program tells: induction variables, dependences, and which transformations may pay
(TACO'19, section 4.3)."""

from polynb.tracing.feedback.analysis import feedback
from polynb.tracing.feedback.induction import induction_variables, pruned
from polynb.tracing.feedback.known import InductionVariable
from polynb.tracing.feedback.overapproximation import FlowDependence, flow_dependence
from polynb.tracing.feedback.reports import (
    Feedback,
    LineReport,
    LoopReport,
    NestReport,
    Suggestion,
)

__all__ = [
    "Feedback",
    "FlowDependence",
    "InductionVariable",
    "LineReport",
    "LoopReport",
    "NestReport",
    "Suggestion",
    "feedback",
    "flow_dependence",
    "induction_variables",
    "pruned",
]
