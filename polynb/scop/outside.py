"""The error for an access that is out of bounds whatever the sizes are, and what would be in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polynb import isl
from polynb.errors import Edit, PolynbError
from polynb.scop.affine_from_isl import expression
from polynb.scop.extents import inferred_extents
from polynb.scop.model import Array, MemoryAccess, Statement
from polynb.scop.witness import cell_text, values_text
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression


def always_outside(
    access: MemoryAccess,
    s: Statement,
    outside: isl.Set,
    array: Array,
    statements: Sequence[Statement],
) -> PolynbError:
    """`outside` are the instances of a statement that reach beyond the array."""
    found = isl.witness(access.relation.intersect_domain(outside).wrap().flatten())
    where, below = "", False
    if found is not None:
        values, point = found
        n = len(s.iterators)
        at = values_text(values | dict(zip(s.iterators, point, strict=False)))
        where = f"for {at} " * bool(at) + f"it is {cell_text(access.array, point[n:])}"
        below = min(point[n:], default=0) < 0
    hint, fix = _begun_later(s, outside) if below else _larger(array, statements)
    return PolynbError(
        f"{access.array} is accessed out of bounds whenever {s.name} runs",
        span=access.span,
        reason=where or None,
        hint=hint,
        fix=fix,
    )


def _larger(array: Array, statements: Sequence[Statement]) -> tuple[str, list[Edit]]:
    """The array with as many cells as the program reaches."""
    accesses = [a for s in statements for a in (*s.reads, s.write) if a.array == array.name]
    exact = [a for a in accesses if a.must]
    assumed = isl.Set.universe(isl.set_space((), None, ()))
    extents = inferred_extents(exact, assumed.params())
    known = [e for e in extents if e is not None]
    if not array.sized or not known or len(known) < array.dimensions:
        return "subscripts from 0 to the extent - 1; other loop bounds, or a larger extent", []
    needed = _said(syntax.Access(array.name, tuple(expression(e, ()) for e in known)))
    declared = array.span.text if array.span is not None else ""
    fits = len(exact) == len(accesses) and re.match(rf"{re.escape(array.name)}\s*\[", declared)
    fix = [Edit(array.span, needed)] if fits and array.span is not None else []
    return f"`{needed}`, which has a cell for each; or a loop that ends earlier", fix


def _begun_later(s: Statement, outside: isl.Set) -> tuple[str, list[Edit]]:
    """Subscripts below 0: the loop that begins later, if one is enough."""
    inside = s.domain.subtract(outside)
    for k, iterator in enumerate(s.iterators):
        if inside.is_empty() or not inside.dim_has_lower_bound(isl.SET, k):
            continue
        first, now = (_said(expression(d.dim_min(k), ())) for d in (inside, s.domain))
        if first.isdigit() and now.isdigit() and int(first) > int(now):
            return f"subscripts begin at 0: `for {iterator} = {first} to ...`", []
    return "subscripts begin at 0: a loop that begins later, or a subscript that adds to it", []


def _said(e: syntax.Expr) -> str:
    return re.sub(r"(\d)L\b", r"\1", print_expression(e))
