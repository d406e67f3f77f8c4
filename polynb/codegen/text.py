"""Scop -> its text: in the SCoP language, or a C99 function to read, and to take away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polynb import isl
from polynb.codegen.declarations import c_declaration, with_positive_extents
from polynb.codegen.kernel import check_extents, kernel_arguments, large_private
from polynb.codegen.lower import READERS, loops_of
from polynb.codegen.scan import scan
from polynb.codegen.waking import with_clauses
from polynb.schedules.contracting import without_runs
from polynb.scop.model import Scop
from polynb.scop.narrow import widened
from polynb.scop.storage import in_memory
from polynb.source.c.print.printer import print_function
from polynb.source.tree import Assign, For, If, Program, Stmt


@isl.bounded("the printing of the program")
def to_text(scop: Scop) -> str:
    """The program in the SCoP language; parsed again, it gives the same model.

    A program that came from such a text is printed as its syntax tree, with the names that its
    unlabelled statements were given; any other one in the order of its schedule, with what
    `scop.requires` demands of the parameters assumed.
    """
    from polynb.source.scoplang.printer import print_program

    return print_program(printed_tree(scop))


@isl.bounded("the printing of the program")
def printed_tree(scop: Scop) -> Program:
    """The syntax tree whose text that is."""
    program = scop.program
    if program is None or is_scanned(scop):
        return scan(scop)
    names = {id(s.span): s.name for s in scop.statements}
    return replace(program, body=_labelled(program.body, names))


def is_scanned(scop: Scop) -> bool:
    """Whether its text is found in its schedule: it came from none in the SCoP language."""
    return scop.program is None or scop.program.language != "scop"


def _labelled(body: tuple[Stmt, ...], names: Mapping[int, str]) -> tuple[Stmt, ...]:
    """The statements with the names of the model, which are found by their spans."""

    def labelled(s: Stmt) -> Stmt:
        match s:
            case Assign():
                return replace(s, label=names.get(id(s.span), s.label))
            case For(body=inner):
                return replace(s, body=_labelled(inner, names))
            case If(then=a, otherwise=b):
                return replace(s, then=_labelled(a, names), otherwise=_labelled(b, names))

    return tuple(labelled(s) for s in body)


@isl.bounded("the printing of the program")
def to_c(scop: Scop, *, name: str | None = None) -> str:
    """A C99 file with the function `void NAME(int64_t N, ..., double A[N + 1], ...)`.

    Parameters come first, then the arrays in the order of `scop.arrays`. Temporaries that are
    written before they are read are local arrays (on the stack: for large ones, use a kernel);
    those that iterations of a loop have for themselves are on the heap if they are large.
    Parallel loops carry OpenMP pragmas, with an estimate of the operations that are worth waking
    threads for. What it computes in 64 bits, and the text in fewer that may not hold it, it says at
    the top. Raises PolynbError for uninterpreted functions, and, as `compile` does, for arrays
    whose size nothing bounds.
    """
    scop = without_runs(plain := in_memory(scop), plain)
    arguments = {a.name for a in kernel_arguments(scop)}
    large = large_private(scop)
    declarations = []
    for n, a in scop.arrays.items():
        role = "inout" if a.role == "temp" and n in arguments else a.role
        d = c_declaration(a, scop.assumed, role)
        declarations.append(with_positive_extents(d, a, scop.assumed, 0) if n in large else d)
    check_extents(declarations, arguments)
    program = with_clauses(loops_of(scop, declarations, READERS))
    text = print_function(replace(program, name=name or scop.name), large)
    wide = widened(scop)
    return f"// {wide}\n{text}" if wide else text
