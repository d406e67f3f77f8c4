"""A traced program as a Scop (TACO'19, section 4.3: what a polyhedral optimizer is given)."""

from polynb.tracing.to_scop.building import TracedScop, to_scop

__all__ = ["TracedScop", "to_scop"]
