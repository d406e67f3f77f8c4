"""The order that a cost model likes best, and whether it is worth leaving the program's own."""

from polynb.optimising.algorithm import optimise
from polynb.optimising.estimate import Estimate

__all__ = ["Estimate", "optimise"]
