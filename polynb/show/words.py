"""Programs, and isl objects as a program would say them, in plain English."""

from __future__ import annotations

import re
from typing import Final

from polynb import isl
from polynb.derivation import Derivation
from polynb.scop.model import Array, MemoryAccess, Scop
from polynb.scop.needs import needs
from polynb.source.tree import Access, accesses
from polynb.words import counted, listed

DATA: Final = "depends on data"
NOT_AFFINE: Final = "is not affine"


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
    from polynb.source.tree import Parameter

    unknown = Parameter("?")
    extents = (unknown if e is None else expression(e, ()) for e in array.extents)
    return re.sub(r"(\d)L\b", r"\1", print_expression(Access(array.name, tuple(extents))))


def unmarked(text: str) -> str:
    """A sentence as plain text: what stands between backquotes, which is code, is quoted."""
    return text.replace("`", '"')


def headline(scop: Scop) -> str:
    """What a program is, in a sentence."""
    said = counted(len(scop.statements), "statement")
    if scop.parameters:
        noun = "parameter" if len(scop.parameters) == 1 else "parameters"
        said += f", {noun} {listed(scop.parameters)}"
    assumed = conditions(scop.context)
    return said + (f", assumed {assumed}" if assumed else "")


def questions(program: Scop | Derivation) -> list[str]:
    """What is asked about a program, or about the one that a derivation starts from."""
    of_text = first(program)
    return [] if of_text is None else [str(d) for d in of_text.doubts]


def reminders(program: Scop | Derivation) -> list[str]:
    """The same, in short."""
    of_text = first(program)
    return [] if of_text is None else [d.reminder for d in of_text.doubts]


def lacks(program: Scop | Derivation) -> list[str]:
    """What a kernel needs and the program leaves open, in sentences, unless it is asked about."""
    of_text = first(program)
    if of_text is None:
        return []
    asked = {d.name for d in of_text.doubts}
    return [str(n) for n in needs(of_text) if n.name not in asked]


def first(program: Scop | Derivation) -> Scop | None:
    """The program, or the one that a derivation starts from: None where that is not known."""
    if isinstance(program, Derivation):
        return program.stages[0] if program.stages else None
    return program


def vague(access: MemoryAccess) -> str:
    """Why it is not known which cells an access touches."""
    reads = accesses(*access.node.subscripts)
    return DATA if any(reads) else NOT_AFFINE


def taken_as_given(scop: Scop) -> str:
    """The arrays that are inputs because nothing declares or writes them: a name that nobody meant
    is among them."""
    if scop.program is None:
        return ""
    declared = {d.name for d in scop.program.declarations if d.role or d.type or d.extents}
    taken = [a.name for a in scop.arrays.values() if a.role == "input" and a.name not in declared]
    return f"taken as given: {listed(taken)}" if taken else ""


def cautions(scop: Scop) -> list[str]:
    """What is asked, what must hold, and what is known only approximately, in sentences."""
    found = [*questions(scop), *lacks(scop)]
    required = conditions(scop.requires, scop.context)
    if required:
        counted_in = ", and integers do not overflow," if scop.parameter_types else ""
        found.append(
            f"The accesses are in bounds{counted_in} only if {required}; "
            "a kernel refuses other calls."
        )
    for s in scop.statements:
        for why in (DATA, NOT_AFFINE):
            unsure = [r.array for r in s.reads if not r.must and vague(r) == why]
            if unsure:
                arrays = listed(dict.fromkeys(unsure))
                found.append(f"{s.name} may read any cell of {arrays}: the subscript {why}.")
        if s.guard is not None:
            found.append(f"Whether {s.name} writes {s.write.array} depends on data.")
        elif not s.write.must:
            found.append(
                f"{s.name} may write any cell of {s.write.array}: the subscript {vague(s.write)}."
            )
    return found
