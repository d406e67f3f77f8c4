"""Scop -> its text in the SCoP language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polynb import isl
from polynb.codegen.scan import scan
from polynb.scop.model import Scop
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
    if program is None or program.language != "scop":
        return scan(scop)
    names = {id(s.span): s.name for s in scop.statements if s.span is not None}
    return replace(program, body=_labelled(program.body, names))


def _labelled(body: tuple[Stmt, ...], names: Mapping[int, str]) -> tuple[Stmt, ...]:
    """The statements with the names of the model, which are found by their spans."""

    def labelled(s: Stmt) -> Stmt:
        match s:
            case Assign():
                return replace(s, label=s.label or names.get(id(s.span)))
            case For(body=inner):
                return replace(s, body=_labelled(inner, names))
            case If(then=a, otherwise=b):
                return replace(s, then=_labelled(a, names), otherwise=_labelled(b, names))

    return tuple(labelled(s) for s in body)
