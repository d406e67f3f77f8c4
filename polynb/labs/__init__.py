"""Exercises with checkers that answer with a counterexample.

>>> from polynb import labs
>>> triangle = labs.exercise("lab1.triangle", student="")
>>> print(labs.check(triangle, "[N] -> { S[i, j] : 0 <= i <= N and 0 <= j <= N }"))
lab1.triangle: 0.3 of 2 points
  counted: half of the share of its instances that are right
  missing S(0, 1), N = 0
  wrong S(1, 0), N = 1
"""

from polynb.labs.catalogue import exercise, exercises
from polynb.labs.checking import Assessment, check
from polynb.labs.exercise import Exercise, Misconception
from polynb.labs.findings import Finding
from polynb.labs.folders import use
from polynb.labs.hints import hint, misconceptions

__all__ = [
    "Assessment",
    "Exercise",
    "Finding",
    "Misconception",
    "check",
    "exercise",
    "exercises",
    "hint",
    "misconceptions",
    "use",
]
