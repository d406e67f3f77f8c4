"""Grading: a teacher runs each submission, takes its answers as data, and judges them anew.

Nothing that a submission says of itself counts: neither its outputs nor what its kernel made of
`labs.check`. Where there is no answer, there are no points.
"""

from polynb.labs.grading.grading import grade
from polynb.labs.grading.running import GradingLimits
from polynb.labs.grading.tables import Grade

__all__ = ["Grade", "GradingLimits", "grade"]
