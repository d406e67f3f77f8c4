"""Whether two programs are the same: proved for every size, or else run at some."""

from polynb.proofs.answers import Proof
from polynb.proofs.equivalence import equivalent
from polynb.proofs.proving import prove

__all__ = ["Proof", "equivalent", "prove"]
