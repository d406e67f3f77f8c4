"""The declarations of a Scop's arrays: those a text needs, and those C needs."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from polynb import isl
from polynb.codegen.literals import plain_literals
from polynb.scop.affine_from_isl import expression
from polynb.scop.extents import inferred_extents
from polynb.scop.model import Array, MemoryAccess, Scop
from polynb.source.tree import Call, Declaration, Expr, Number
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32


def text_declarations(scop: Scop) -> tuple[Declaration, ...]:
    """What has to be said of the arrays so that the printed program means the same: temporaries,
    types other than double, roles and extents that its accesses do not imply."""
    accesses = _accesses(scop)
    read = {r.array for s in scop.statements for r in s.reads}
    written = {s.write.array for s in scop.statements}
    found = []
    for a in scop.arrays.values():
        touched = accesses.get(a.name, [])
        extents = None if _implied(a, touched, scop.assumed) else _extents(a, scop.assumed)
        element = None if a.type is DOUBLE else a.type
        if (
            extents is not None
            or element is not None
            or a.role != _implied_role(a.name, read, written)
        ):
            found.append(Declaration(a.name, a.role, element, extents))
    return tuple(found)


def _accesses(scop: Scop) -> dict[str, list[MemoryAccess]]:
    found: dict[str, list[MemoryAccess]] = {}
    for s in scop.statements:
        for access in s.accesses:
            found.setdefault(access.array, []).append(access)
    return found


def _implied_role(name: str, read: Set[str], written: Set[str]) -> str | None:
    """The role an undeclared array would get; None where only the flow of values tells."""
    if (name in read) == (name in written):
        return None
    return "output" if name in written else "input"


def _implied(a: Array, accesses: list[MemoryAccess], assumed: isl.Set) -> bool:
    """Whether the extents are those that the accesses imply, and nobody declared them."""
    if a.sized or not accesses:
        return False
    inferred = inferred_extents(accesses, assumed, own=a.role == "temp")
    return all(
        (x is None) == (y is None)
        and (x is None or y is None or assumed.intersect(_used(x, y)).is_subset(x.eq_set(y)))
        for x, y in zip(a.extents, inferred, strict=True)
    )


def _used(x: isl.PwAff, y: isl.PwAff) -> isl.Set:
    return x.domain().intersect(y.domain())


def _extents(a: Array, assumed: isl.Set) -> tuple[Expr, ...] | None:
    known = [_size(e, assumed) for e in a.extents if e is not None]
    return tuple(known) if len(known) == len(a.extents) else None


def _size(extent: isl.PwAff, assumed: isl.Set) -> Expr:
    return plain_literals(expression(extent, (), assumed), Types({}))


# -- for C ----------------------------------------------------------------------------------


def c_declaration(a: Array, assumed: isl.Set, role: str | None = None) -> Declaration:
    """The declaration with its type and extents. An extent that nothing bounds may only be the
    first of an argument (C then needs none): it is written as 0."""
    extents = tuple(Number(0, INT32) if e is None else _size(e, assumed) for e in a.extents)
    return Declaration(a.name, role or a.role, a.type, extents, span=a.span)


def with_positive_extents(d: Declaration, a: Array, assumed: isl.Set, first: int) -> Declaration:
    """The declaration with extents of at least 1 from dimension `first` on: C knows no arrays
    without cells, but some parameter values may leave an array without any."""
    extents = list(d.extents or ())
    for k, e in enumerate(a.extents):
        if k >= first and e is not None and not assumed.is_subset(e.pos_set()):
            extents[k] = Call("max", (extents[k], Number(1, INT32)))
    return replace(d, extents=tuple(extents))
