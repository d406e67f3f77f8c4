"""What a program computes, read back: formulas of its inputs, and a few small numbers."""

from polynb.reading.reading import ReadBack, read_back

__all__ = ["ReadBack", "read_back"]
