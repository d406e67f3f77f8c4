"""What the arrays of a program are: role, element type, extents, and what must hold of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.errors import Edit, PolynbError
from polynb.scop.affine import AffineFrame, NotAffine, affine
from polynb.scop.affine_from_isl import expression
from polynb.scop.extents import inferred_extents
from polynb.scop.model import Array, MemoryAccess, Statement, constant_order, roots
from polynb.scop.witness import cell_text, values_text
from polynb.source import tree as syntax
from polynb.source.operators import COMPARISONS, evaluated
from polynb.source.scoplang.printer import print_expression
from polynb.source.types import DOUBLE, INT64

_LEFT: Final = "written and not temp, so live-out"
_BEFORE: Final = "; read before it is written"


def infer_arrays(
    program: syntax.Program, statements: Sequence[Statement], context: isl.Set, frame: AffineFrame
) -> dict[str, Array]:
    """Every declared or used array, declared ones first, then in the order of first use."""
    declared = {d.name: d for d in program.declarations}
    order = list(declared)
    order += [a.array for s in statements for a in s.accesses]
    return {
        name: array_of(name, declared.get(name), statements, context, frame)
        for name in dict.fromkeys(order)
    }


def array_of(
    name: str,
    declared: syntax.Declaration | None,
    statements: Sequence[Statement],
    context: isl.Set,
    frame: AffineFrame | None = None,
) -> Array:
    """One array; its declared extents, if any, are evaluated in the frame.

    Raises PolynbError for an input that is written and for extents that are not affine.
    """
    reads = [a for s in statements for a in s.reads if a.array == name]
    writes = [(s, s.write) for s in statements if s.write.array == name]
    private = declared is not None and declared.role == "temp"
    entry = bool(reads)
    if writes:
        entry = any_live_in(name, statements, context, private=private)
    role, why_role = _role(declared, bool(writes), entry)
    if declared is not None and role == "input" and writes:
        raise PolynbError(
            f"{name} is an input and is written",
            span=writes[0][1].span,
            hint=f"declare it `{'inout' if entry else 'output'} {name}`, or write to another array",
        )
    sized = declared is not None and declared.extents is not None
    if declared is not None and declared.extents is not None and frame is not None:
        extents: tuple[isl.PwAff | None, ...] = tuple(
            _extent(e, declared, frame) for e in declared.extents
        )
        why_extents = "declared"
    else:
        accesses = [*reads, *(w for _, w in writes)]
        extents = inferred_extents(accesses, context, own=private)
        why_extents = "extents from its accesses" if extents else ""
    typed = declared is not None and declared.type is not None
    element = declared.type if declared is not None and declared.type is not None else DOUBLE
    why_type = "" if typed else f"{element} by default"
    if not typed and not writes and _is_subscript(name, statements):
        element, why_type = INT64, "int64, as a subscript"
    hint = _perhaps_parameter(name, statements) if declared is None and not writes else ""
    why = "; ".join(w for w in (why_role, why_type, why_extents, hint) if w)
    span = declared.span if declared is not None else None
    return Array(name, element, extents, role, entry, sized, why, span)


def _role(declared: syntax.Declaration | None, written: bool, entry: bool) -> tuple[str, str]:
    if declared is not None and declared.role is not None:
        return declared.role, declared.why or f"declared {declared.role}"
    if not written:
        return "input", "only read"
    if entry:
        return "inout", _LEFT + _BEFORE
    return "output", _LEFT


def _perhaps_parameter(name: str, statements: Sequence[Statement]) -> str:
    """What to do about an undeclared scalar that is compared with iterators or parameters, or is
    part of a subscript: as data, it makes analysis give up what it could know."""
    for s in statements:
        places = [x for a in (s.write, *s.reads) for x in a.node.subscripts]
        places += [] if s.guard is None else [x for x in syntax.walk(s.guard) if _compares(x)]
        for place in places:
            nodes = list(syntax.walk(place))
            if any(isinstance(x, syntax.Access) and x.subscripts for x in nodes):
                continue
            if any(isinstance(x, syntax.Access) and x.array == name for x in nodes):
                return f"taken for data; if it is a size, declare it: `param {name};`"
    return ""


def _is_subscript(name: str, statements: Sequence[Statement]) -> bool:
    """Whether it stands in a subscript of an array."""
    return any(
        isinstance(x, syntax.Access) and x.array == name
        for s in statements
        for a in (s.write, *s.reads)
        for subscript in a.node.subscripts
        for x in syntax.walk(subscript)
    )


def _compares(e: syntax.Expr) -> bool:
    """Whether it compares something with an iterator or a parameter."""
    known = syntax.Iterator | syntax.Parameter
    return (
        isinstance(e, syntax.Binary)
        and e.op in COMPARISONS
        and any(isinstance(x, known) for x in syntax.walk(e))
    )


def any_live_in(
    name: str,
    statements: Sequence[Statement],
    context: isl.Set,
    *,
    private: bool = False,
    inside: isl.Set | None = None,
) -> bool:
    """Whether, for parameters in the context, some cell (`inside`, `{ A[x] }`, if that is given)
    may be read before it is written.

    Of a `private` array (a temporary) only reads count that surely touch a cell which nothing
    can have written: where data decides, its writes are taken to have happened, and a read that
    chooses among cells to have chosen one that is written, as long as there is one.
    """
    if not private and not all(r.must for s in statements for r in s.reads if r.array == name):
        return True
    unset = unset_reads(name, statements, context, private=private, inside=inside)
    return next(unset, None) is not None


def unset_reads(
    name: str,
    statements: Sequence[Statement],
    context: isl.Set,
    *,
    private: bool = False,
    inside: isl.Set | None = None,
) -> Iterator[tuple[MemoryAccess, isl.Set, isl.Set]]:
    """The reads of which some are of cells that nothing has written, with the instances `{ S[i] }`
    that read, and those whose cell is written before; see `any_live_in`."""
    touching = [s for s in statements if any(a.array == name for a in s.accesses)]
    sources = [s for s in touching if s.write.array == name and (s.write.must or private)]
    for s in touching:
        for r in (r for r in s.reads if r.array == name):
            relation = r.relation if inside is None else r.relation.intersect_range(inside)
            read = left = relation.domain().intersect_params(context)
            written: list[isl.Set] = []
            for w in reversed(sources):  # the last writes have most of the cells
                if left.is_empty():
                    break
                written.insert(0, _written_before(s, r, w))
                left = left.subtract(written[0])
            if not left.is_empty():
                yield r, read, isl.united(written, s.domain.get_space())


def within_bounds(
    arrays: Mapping[str, Array],
    program: syntax.Program,
    statements: Sequence[Statement],
    context: isl.Set,
    requires: isl.Set,
) -> dict[str, Array]:
    """The arrays, where one is `live_in` only if it is for parameters that a kernel may be called
    with, and a temporary by a cell that it has: one that nothing has written may be one that is
    not there.
    """
    assumed = context.intersect(requires)
    any_size = context.is_subset(requires)
    given = {d.name for d in program.declarations if d.role is not None}

    def seen(a: Array) -> Array:
        inferred = a.role == "inout" and a.name not in given
        if inferred and not any_size and not any_live_in(a.name, statements, assumed):
            return replace(a, role="output", live_in=False, why=a.why.replace(_BEFORE, ""))
        if a.role != "temp" or not a.live_in:
            return a
        entry = any_live_in(a.name, statements, assumed, private=True, inside=cells(a))
        return replace(a, live_in=entry)

    return {name: seen(a) for name, a in arrays.items()}


def _written_before(s: Statement, read: MemoryAccess, w: Statement) -> isl.Set:
    """`{ S[i] }` whose read follows a write of the same cell (of one of them, if data chooses)."""
    order = constant_order(w, s)
    if order is not None and order > 0:
        return isl.Set.empty(s.domain.get_space())
    pairs = read.relation.apply_range(w.write.relation.reverse())
    if order is None and not pairs.plain_is_empty():
        pairs = pairs.intersect(s.schedule.lex_gt_map(w.schedule))
    return pairs.domain()


# -- extents and bounds ------------------------------------------------------------------


def _extent(e: syntax.Expr, declared: syntax.Declaration, frame: AffineFrame) -> isl.PwAff:
    try:
        return affine(e, frame).project_domain_on_params()
    except NotAffine as error:
        raise PolynbError(
            "an extent must be an affine function of the parameters",
            span=error.span or e.span,
            reason=error.why,
            hint=_as_many_dimensions(e, declared)
            or "sums of parameters and constants, such as `A[2*N + 1]`",
        ) from None


def _as_many_dimensions(e: syntax.Expr, declared: syntax.Declaration) -> str | None:
    """`A[n][n]` for `A[n*n]`: subscripts are affine then, and show which cells are meant."""
    factors = _factors(e)
    if len(factors) < 2 or declared.extents is None or len(declared.extents) > 1:
        return None
    texts = [print_expression(f) for f in factors]
    hint = f"`{declared.name}{''.join(f'[{t}]' for t in texts)}`"
    if len(factors) == 2:
        plain = isinstance(factors[1], syntax.Parameter | syntax.Number)
        width = texts[1] if plain else f"({texts[1]})"
        hint += f", and `{declared.name}[i][j]` for `{declared.name}[i*{width} + j]`"
    return hint


def _factors(e: syntax.Expr) -> list[syntax.Expr]:
    match e:
        case syntax.Binary(op="*", left=a, right=b):
            return [*_factors(a), *_factors(b)]
    return [e]


def cells(array: Array) -> isl.Set:
    """`{ A[x] : 0 <= x_k < extent_k }`; where the extents are inferred, only the lower bound is
    one (the upper one holds by construction)."""
    box = isl.Set.universe(isl.set_space((), None, ()))
    for extent in array.extents:
        column = isl.read_set("{ [x] : x >= 0 }")
        if array.sized and extent is not None:
            size = isl.Set.from_pw_aff(extent)
            column = column.intersect(size.apply(isl.read_map("{ [e] -> [x] : x < e }")))
        box = box.flat_product(column)
    return box.set_tuple_name(array.name)


def out_of_bounds(access: MemoryAccess, inside: isl.Set) -> isl.Set:
    """`{ S[i] : the access lies outside the array }`, judged by the affine subscripts (what a
    data-dependent subscript does, only the run can tell)."""
    relation = access.relation
    if not access.must:
        for k in range(relation.dim(isl.OUT)):
            if not relation.involves_dims(isl.OUT, k, 1):
                inside = inside.drop_constraints_involving_dims(isl.SET, k, 1)
    return relation.subtract_range(inside).domain()


def surely_inside(access: MemoryAccess, array: Array, assumed: isl.Set) -> bool:
    """Whether the affine subscripts of an access are proven to be within the extents, declared or
    inferred, for all parameter values in `{ : assumed }`."""
    if any(e is None for e in array.extents):
        return False
    outside = out_of_bounds(access, cells(replace(array, sized=True)))
    return bool(outside.intersect_params(assumed).is_empty())


def requirements(
    statements: Sequence[Statement],
    arrays: Mapping[str, Array],
    context: isl.Set,
    needed: isl.Set | None = None,
) -> isl.Set:
    """`{ : all accesses are in bounds }` within the context, and within what is `needed` besides.

    Raises PolynbError, with a witness, for an access that is out of bounds for every parameter
    value for which it is executed.
    """
    allowed = context if needed is None else context.intersect(needed)
    bounds = {name: cells(a) for name, a in arrays.items()}
    for s in statements:
        executed = s.domain.params().intersect(context)
        surely = {x for root in roots(s) for x in evaluated(root)}
        for access in s.accesses:
            if access is not s.write and id(access.node) not in surely:
                continue  # a branch of `?:`, or what follows && or ||, may be there to avoid it
            outside = out_of_bounds(access, bounds[access.array]).intersect_params(context)
            if outside.is_empty():
                continue
            if executed.is_subset(outside.params()):
                raise _always_outside(access, s, outside, arrays[access.array], statements)
            allowed = allowed.subtract(outside.params())
    return isl.coalesced(allowed.gist(context))


# The error for an access that is out of bounds whatever the sizes are, and what would be in.


def _always_outside(
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
    accesses = [a for s in statements for a in s.accesses if a.array == array.name]
    exact = [a for a in accesses if a.must]
    extents = inferred_extents(exact, cells(array).params())  # of an array that has a cell
    known = [e for e in extents if e is not None]
    if not array.sized or not known or len(known) < array.dimensions:
        return "subscripts from 0 to the extent - 1; other loop bounds, or a larger extent", []
    needed = _said(syntax.Access(array.name, tuple(expression(_covering(e), ()) for e in known)))
    declared = array.span.text if array.span is not None else ""
    fits = len(exact) == len(accesses) and re.match(rf"{re.escape(array.name)}\s*\[", declared)
    fix = [Edit(array.span, needed)] if fits and array.span is not None else []
    return f"`{needed}`, which has a cell for each; or a loop that ends earlier", fix


def _covering(extent: isl.PwAff) -> isl.PwAff:
    """One affine extent that is never less, if one of its pieces is: `N + 3` of two for N >= 1 and
    for less."""
    whole = (aff.to_pw_aff() for _, aff in isl.pieces(extent))
    large = (f for f in whole if extent.domain().is_subset(extent.le_set(f)))
    return next(large, extent)


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
