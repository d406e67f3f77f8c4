"""Scop -> its text in the SCoP language."""

from __future__ import annotations

from polynb.codegen.scan import scan
from polynb.scop.model import Scop


def to_text(scop: Scop) -> str:
    """The program in the SCoP language; parsed again, it gives the same model.

    A program that came from such a text is printed as its syntax tree, any other one in the
    order of its schedule, with what `scop.requires` demands of the parameters assumed.
    """
    from polynb.source.scop_printer import print_program

    program = scop.program
    if program is None or program.language != "scop":
        program = scan(scop)
    return print_program(program)
