"""Scop -> a C99 function to read, and to take away."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.codegen.declarations import c_declaration
from polynb.codegen.kernel import check_extents, kernel_arguments
from polynb.codegen.lower import READERS, loops_of
from polynb.codegen.waking import with_clauses
from polynb.scop.model import Scop
from polynb.scop.narrow import widened
from polynb.scop.storage import in_memory
from polynb.source.c.print.printer import print_function


@isl.bounded("the printing of the program")
def to_c(scop: Scop, *, name: str | None = None) -> str:
    """A C99 file with the function `void NAME(int64_t N, ..., double A[N + 1], ...)`.

    Parameters come first, then the arrays in the order of `scop.arrays`. Temporaries that are
    written before they are read are local arrays (on the stack: for large ones, use a kernel).
    Parallel loops carry OpenMP pragmas, with an estimate of the operations that are worth waking
    threads for. What it computes in 64 bits, and the text in fewer that may not hold it, it says at
    the top. Raises PolynbError for uninterpreted functions, and, as `compile` does, for arrays
    whose size nothing bounds.
    """
    scop = in_memory(scop)
    arguments = {a.name for a in kernel_arguments(scop)}
    declarations = [
        c_declaration(a, scop.assumed, "inout" if a.role == "temp" and n in arguments else a.role)
        for n, a in scop.arrays.items()
    ]
    check_extents(declarations, arguments)
    program = with_clauses(loops_of(scop, declarations, READERS))
    text = print_function(replace(program, name=name or scop.name))
    wide = widened(scop)
    return f"// {wide}\n{text}" if wide else text
