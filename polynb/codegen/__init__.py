"""Scop + schedule -> syntax tree, printed as text, as C, and as the C of a kernel."""

from polynb.codegen.kernel import KernelSource
from polynb.codegen.lower import Lowered, Target, kernel_source
from polynb.codegen.text import to_c, to_text

__all__ = [
    "KernelSource",
    "Lowered",
    "Target",
    "kernel_source",
    "to_c",
    "to_text",
]
