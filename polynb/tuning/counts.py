"""How large a program is: the static counts of CC'18, Table 1."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import isl
from polynb.codegen.scan import scan
from polynb.derivation import Derivation, as_scop
from polynb.scop.model import Array, Scop
from polynb.source import tree as syntax


@dataclass(frozen=True)
class Counts:
    """What Table 1 of CC'18 counts.

    `arrays` are those of parametric size, inputs and outputs among them; `loops` those of the
    generated code, before any vectorisation or unrolling by a compiler; `statements` the
    assignments of the model (generated code may have one in several places); `accesses` their
    reads and writes, scalars among them (propagation makes one of equal reads in a statement).
    """

    arrays: int
    loops: int
    statements: int
    accesses: int


@isl.guarded
def counts(program: Scop | Derivation) -> Counts:
    """The counts of a program (a Derivation counts as its result), in the order of its schedule.

    Raises PolynbError for a program that no loops can be generated for: an unbounded domain.
    """
    scop = as_scop(program)
    used = {a.array for s in scop.statements for a in s.accesses}
    return Counts(
        arrays=sum(n in used and _is_parametric(a) for n, a in scop.arrays.items()),
        loops=_loops(scan(scop).body),
        statements=len(scop.statements),
        accesses=sum(1 + len(s.reads) for s in scop.statements),
    )


def _is_parametric(array: Array) -> bool:
    """Whether the size of an array depends on parameters (or nothing bounds it)."""
    return any(e is None or e.n_piece() > 1 or not e.is_cst() for e in array.extents)


def _loops(body: tuple[syntax.Stmt, ...]) -> int:
    found = 0
    for s in body:
        match s:
            case syntax.For(body=inner):
                found += 1 + _loops(inner)
            case syntax.If(then=then, otherwise=otherwise):
                found += _loops(then) + _loops(otherwise)
            case syntax.Assign():
                pass
    return found
