"""Programs, and isl objects as a program would say them, in plain English."""

from __future__ import annotations

import re

from polynb import isl
from polynb.scop import Array, Scop
from polynb.words import counted, listed


def conditions(where: isl.Set, context: isl.Set | None = None) -> str:
    """A condition on the parameters, `N >= 3`, given what is known; "" if it always holds."""
    from polynb.scop.affine_from_isl import conditions as expressions
    from polynb.source.scoplang.printer import print_expression

    if where.is_empty():
        return "never"
    return " and ".join(print_expression(e) for e in expressions(where, context))


def declared(array: Array) -> str:
    """An array with its extents, `tmp[N+1]`."""
    from polynb.scop.affine_from_isl import expression
    from polynb.source.scoplang.printer import print_expression
    from polynb.source.tree import Access, Parameter

    unknown = Parameter("?")
    extents = (unknown if e is None else expression(e, ()) for e in array.extents)
    return re.sub(r"(\d)L\b", r"\1", print_expression(Access(array.name, tuple(extents))))


def headline(scop: Scop) -> str:
    """What a program is, in a sentence."""
    said = f"{counted(len(scop.statements), 'statement')}"
    if scop.parameters:
        noun = "parameter" if len(scop.parameters) == 1 else "parameters"
        said += f", {noun} {listed(scop.parameters)}"
    assumed = conditions(scop.context)
    return said + (f", assumed {assumed}" if assumed else "")


def cautions(scop: Scop) -> list[str]:
    """What must hold, and what is known only approximately, in sentences."""
    found = []
    required = conditions(scop.requires, scop.context)
    if required:
        found.append(
            f"The accesses are in bounds only if {required}; a kernel refuses other calls."
        )
    for s in scop.statements:
        unsure = [r.array for r in s.reads if not r.must]
        if unsure:
            found.append(
                f"{s.name} may read any cell of {listed(dict.fromkeys(unsure))}: "
                "the subscript depends on data."
            )
        if s.guard is not None:
            found.append(f"Whether {s.name} writes {s.write.array} depends on data.")
        elif not s.write.must:
            found.append(
                f"{s.name} may write any cell of {s.write.array}: the subscript depends on data."
            )
    return found
