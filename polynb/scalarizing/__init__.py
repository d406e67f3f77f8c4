"""The scalars of a compiler, LICM's and PRE's: what DeLICM undoes."""

from polynb.scalarizing.algorithm import scalarize

__all__ = ["scalarize"]
