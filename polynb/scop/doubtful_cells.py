"""What is odd about the cells that a program touches: some are read that nothing has written, or
are there only if two sizes happen to fit. It may be meant: so it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations
from typing import Final

from polynb import isl
from polynb.scop.affine_from_isl import conditions, expression
from polynb.scop.arrays import cells, out_of_bounds, unset_reads
from polynb.scop.doubt import ARGUMENT, MEANT, Doubt
from polynb.scop.extents import inferred_extents
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.scop.plain import place
from polynb.scop.witness import cell_text, values_text
from polynb.source import tree as syntax
from polynb.source.operators import evaluated
from polynb.source.scoplang.printer import print_affine, print_expression

BUDGET: Final = 200_000
"""isl operations for one array: what is not found in them is not asked about."""
SET_IN_PART: Final = "set in part"
Unset = tuple[MemoryAccess, isl.Set, isl.Set]
"""A read of which some are of cells that nothing has written, the instances that read, and those
whose cell is written before."""
USUAL: Final = 4
"""What the parameters are in an example, at least, where they may be."""


def doubtful_cells(scop: Scop) -> Iterator[Doubt]:
    """The questions, one for an array."""
    for array in scop.arrays.values():
        doubt = None
        with suppress(isl.BudgetExhausted), isl.budget(BUDGET), isl.wrapped():
            each = (
                rule(scop, array) for rule in (_unset, _negative, _misfit, _two_sizes, _left_out)
            )
            doubt = next(filter(None, each), None)
        if doubt is not None:
            yield doubt


def _unset(scop: Scop, array: Array) -> Doubt | None:
    """Of a temporary, or an output, of which a cell is read that nothing has written; or of what
    nothing declares and begins as an output."""
    called = {"temp": "called temporary", "output": "declared an output"}.get(array.role, "")
    if array.role == "input" or not array.live_in or ARGUMENT in array.why:
        return None
    temporary, context = array.role == "temp", scop.context.intersect(scop.requires)
    inside = cells(array) if temporary else None
    reads = [*unset_reads(array.name, scop.statements, context, private=temporary, inside=inside)]
    if array.role == "inout":
        called, reads = _begun(scop, array, reads)
    for read, instances, written in reads:
        cell = _cell(read, instances.subtract(written))
        why = f"{called}, and {cell} is read where nothing has written it"
        so = MEANT if called == SET_IN_PART and _in_c(scop) else _says_so(scop, array)
        mend = f"If what it holds before is meant, {so}"
        return Doubt(array.name, "", why, mend, read.span,
                     "is a loop too short, or a first value missing?")  # fmt: skip
    return None


def _begun(scop: Scop, array: Array, reads: list[Unset]) -> tuple[str, list[Unset]]:
    """The reads that are odd of an array, of which the text says nothing, and which the first
    statement that has it gives a value without it. If that is so of all its cells, and not only
    of one that no loop chooses: `for i ... y[i] = x[i];`, it begins as an output. (In C the caller
    may have set others; not these.) Else it is set in part."""
    first = next(
        s for s in scop.statements if any(a.array == array.name for a in (s.write, *s.reads))
    )
    itself = not first.write.must or array.name in [r.array for r in first.reads]
    if array.why.startswith("declared") or itself or not array.dimensions:
        return "", []
    called = SET_IN_PART if _in_c(scop) else "not declared"
    if all(map(_iterates, first.write.node.subscripts)):
        own = first.write.relation.range() if _in_c(scop) else None
        always = {k for s in scop.statements for k in evaluated(s.expression)}
        known = [x for x in reads if x[0].must and id(x[0].node) in always]
        known = [x for x in known if not _large(_missing(x)).is_empty()]
        known = [x for x in known if own is None or _missing(x).is_subset(own)]
        return called, [] if known and _holes(scop, array, known)[1] else known
    ahead = [x for s in scop.statements for x in reads if _is_ahead(s, x, first)]
    if ahead:
        return called, ahead
    flat, row = _holes(scop, array, reads)
    return SET_IN_PART, reads if flat and not row else []


def _missing(x: Unset) -> isl.Set:
    """The cells that are read where nothing has written them."""
    read, instances, written = x
    return isl.Set.from_union_set(
        read.relation.intersect_domain(instances.subtract(written)).range().to_union_set()
    )


def _is_ahead(s: Statement, x: Unset, first: Statement) -> bool:
    """Whether what a statement reads of its own array is never written before, and written by
    later iterations, as it is in `s[0] = a[0]; for i = 1 to N do s[i] = s[i+1] + a[i]; done`. (In
    place, a cell is computed from itself, or from those on both sides of it; or is shifted.)"""
    read, instances, written = x
    if read not in s.reads or s.write.array != read.array or not read.must:
        return False
    here, of_array = place(s.write.node), [r for r in s.reads if r.array == read.array]
    own = [r for r in of_array if r.relation.is_equal(s.write.relation)]
    places = {place(r.node) for r in of_array if r not in own}
    if read in own:  # as the first one is
        both = any(
            tuple(2 * a - b for a, b in zip(here, at, strict=True)) in places for at in places
        )
        recurs = isinstance(first.expression, syntax.Number) and places and not both
        in_place = not recurs and not {r.array for r in first.reads} & {r.array for r in s.reads}
    else:
        mirrored = tuple(2 * a - b for a, b in zip(here, place(read.node), strict=True))
        in_place = bool(own) or mirrored in places or isinstance(s.expression, syntax.Access)
    later = not _missing(x).is_disjoint(s.write.relation.range())
    return not in_place and later and usual(instances.intersect(written)).is_empty()


def _holes(scop: Scop, array: Array, reads: list[Unset]) -> tuple[bool, bool]:
    """Whether what is read without being set is no more than another cell, row or column, as it is
    in `f[0] = 1; for i = 2 to N do f[i] = f[i-1] + f[i-2]; done`; and whether it is a whole row, of
    which nothing is set, and which may be given."""
    unset = isl.union_set([usual(_missing(x)) for x in reads])
    if unset.is_empty():
        return False, False
    holes = isl.Set.from_union_set(unset)
    hull = holes.remove_divs().affine_hull()
    flat = [c for c in isl.constraints(hull) if c.is_equality()]
    written = (s.write.relation.range() for s in scop.statements if s.write.array == array.name)
    row = any(map(_is_of_one, flat)) and all(cells.is_disjoint(hull.to_set()) for cells in written)
    return bool(flat), row and not holes.lexmin().is_equal(holes.lexmax())


def _is_of_one(c: isl.Constraint) -> bool:
    """Whether a constraint is on one subscript alone."""
    return sum(c.involves_dims(isl.SET, k, 1) for k in range(c.dim(isl.SET))) == 1


def _iterates(e: syntax.Expr) -> bool:
    return any(isinstance(x, syntax.Iterator) for x in syntax.walk(e))


def usual(where: isl.Set, least: int = USUAL) -> isl.Set:
    """The part of a set at sizes of four, say, that are no special case."""
    for k in range(where.dim(isl.PARAM)):
        above = where.lower_bound_val(isl.PARAM, k, isl.Val(least))
        where = where if above.is_empty() else above
    return where


def _says_so(scop: Scop, array: Array) -> str:
    if _in_c(scop):
        return "make it an argument of the function"
    return f"`inout {array.name};` says so"


def _in_c(scop: Scop) -> bool:
    return scop.program is not None and scop.program.language == "c"


def _cell(read: MemoryAccess, instances: isl.Set) -> str:
    """`t[i+1]`, or `t[i+1], as t[5] for N = 4`: a cell that one of the instances reads."""
    text = print_affine(read.node)
    touched = read.relation.intersect_domain(instances).range()
    found = isl.witness(usual(touched))  # an example is better not the smallest one
    if found is None or not found[1]:
        return text
    values, index = found
    example, at = cell_text(read.array, index), f" for {values_text(values)}" * bool(values)
    return text if example == text else f"{text}, as {example}{at},"


def _negative(scop: Scop, array: Array) -> Doubt | None:
    """Of an array without sizes, of which `a[i-1]` is a cell before the first one for i = 0."""
    sizes = _large(scop.context)
    for a in _accesses(scop, array) if not array.sized else ():
        touched = a.relation.range().intersect_params(sizes)
        for k in range(array.dimensions if a.must and a.span else 0):
            if not touched.upper_bound_val(isl.SET, k, isl.Val(-1)).is_empty():
                why = f"accessed at {print_affine(a.node)}, which is before its first cell"
                return Doubt(array.name, "", why, "", a.span, "is a loop too long?")
    return None


def _large(where: isl.Set) -> isl.Set:
    """The part of a set at sizes of four or more."""
    for k in range(where.dim(isl.PARAM)):
        where = where.lower_bound_val(isl.PARAM, k, isl.Val(USUAL))
    return where


def _left_out(scop: Scop, array: Array) -> Doubt | None:
    """Of `x`, of which a sum over `x[i]` has all cells but the first one, which no statement has by
    itself, or all of `w[3]` but the last one; or of `double x[n]`, of which a loop reads the last
    one, and nothing any other."""
    found = _accesses(scop, array)
    adding = (
        s for s in scop.statements if any(r.relation.is_equal(s.write.relation) for r in s.reads)
    )
    added = [r for s in adding for r in s.reads if r.array == array.name and r.span is not None]
    if array.role != "input" or not found or found[0].span is None:
        return None
    left = _first_or_last(scop, array, found, added) if added else None
    if left is not None:
        end, asks = left
        why = f"an input, and {print_affine(added[0].node)} leaves out {end}"
        return Doubt(array.name, "", why, f"If not, {MEANT}", added[0].span, asks)
    last = any(isinstance(x, syntax.Parameter) for x in syntax.walk(found[0].node))
    inside = any(found[0] in s.reads and s.iterators for s in scop.statements)
    if array.sized and len(found) == 1 and last and inside and not _iterates(found[0].node):
        why = f"sized, and of all its cells {print_affine(found[0].node)} alone is read"
        asks = "are its subscripts the right ones?"
        return Doubt(array.name, "", why, f"If they are, {MEANT}", found[0].span, asks)
    return None


def _first_or_last(
    scop: Scop, array: Array, found: list[MemoryAccess], added: list[MemoryAccess]
) -> tuple[str, str] | None:
    """What sums leave out of an array, and a question."""
    each = cells(array) if array.sized else isl.united(a.relation.range() for a in found)
    alone = any(not all(map(_iterates, a.node.subscripts)) for a in found)
    own = isl.united(a.relation.range() for a in (found if alone else added))
    missing = each.intersect_params(_large(scop.context)).subtract(own)
    if missing.is_empty():
        return None
    counted = all(isinstance(e, syntax.Iterator) for a in added for e in a.node.subscripts)
    for k in range(array.dimensions if counted else 0):
        if missing.lower_bound_val(isl.SET, k, isl.Val(1)).is_empty():
            return "the first of its cells", "does a loop begin too late?"
        extent = array.extents[k]
        size = extent and expression(extent, ())
        if array.sized and isinstance(size, syntax.Number):
            last = isl.Val(int(size.value) - 1)
            if missing.upper_bound_val(isl.SET, k, last.sub(1)).is_empty():
                return "the last of its cells", "does a loop end too early?"
    return None


def _misfit(scop: Scop, array: Array) -> Doubt | None:
    """Of an array with sizes, in which an access is only if one parameter fits another."""
    if not array.sized:
        return None
    box = cells(array)
    for a in _accesses(scop, array):
        outside = out_of_bounds(a, box).intersect_params(scop.context).params()
        within = isl.coalesced(scop.context.subtract(outside).gist(scop.context))
        if a.span and outside.is_disjoint(scop.requires) and _compares_parameters(within):
            only = " and ".join(map(print_expression, conditions(within, scop.context)))
            why = f"sized, and {print_affine(a.node)} is one of its cells only if {only}"
            word = "assert" if _in_c(scop) else "assume"
            asks = f"are the subscripts the right ones{_resized(scop, array)}?"
            return Doubt(array.name, "", why, f"If they are, `{word}` says so", a.span, asks)
    return None


def _accesses(scop: Scop, array: Array) -> list[MemoryAccess]:
    found = (a for s in scop.statements for a in (s.write, *s.reads))
    return [a for a in found if a.array == array.name]


def _two_sizes(scop: Scop, array: Array) -> Doubt | None:
    """Of `img[x][x]` beside `img[y][0]`, of an input without sizes: of one subscript two sizes are
    the end, and one of them is that of another subscript."""
    if array.role != "input" or array.sized or len(array.extents) < 2:
        return None
    found: list[dict[str, MemoryAccess]] = [{} for _ in array.extents]
    for a in _accesses(scop, array):
        for sizes, extent in zip(found, inferred_extents([a], scop.context), strict=True):
            size = _size(extent) if a.must and a.span is not None else None
            if size is not None:
                sizes.setdefault(size, a)
    for sizes, others in permutations(found, 2):
        for own, other in permutations(sizes, 2) if len(sizes) == 2 else ():
            known = scop.context.is_subset(isl.Set(f"[{own}, {other}] -> {{ : {other} <= {own} }}"))
            if other in others and not known:
                odd = sizes[other]
                why = f"accessed up to {own}, and by {print_affine(odd.node)} up to {other}"
                so = f"If they are, `assume {own} >= {other}` says so"
                asks = "are the subscripts the right ones?"
                return Doubt(array.name, "", why, so, odd.span, asks)
    return None


def _size(extent: isl.PwAff | None) -> str | None:
    """The only parameter of an extent, `N` of `N - 1`."""
    e = extent and expression(extent, ())
    match e:
        case syntax.Binary(op="+" | "-", left=left, right=syntax.Number()):
            e = left
    return e.name if isinstance(e, syntax.Parameter) else None


def _resized(scop: Scop, array: Array) -> str:
    """`, or is `A[M][N]` meant`: the sizes that all accesses fit, of an array that is declared with
    another order of them, or with one of them twice."""
    context = cells(array).params().intersect(scop.context)
    needed, declared = (
        [e and print_expression(expression(e, ())) for e in extents]
        for extents in (inferred_extents(_accesses(scop, array), context), array.extents)
    )
    each = {*scop.parameters} >= {*needed} and len({*needed}) == len(needed)
    changed = sorted(map(str, needed)) == sorted(map(str, declared))
    if not each or not (changed or len({*declared}) < len(declared)):
        return ""
    return f", or is `{array.name}{''.join(f'[{e}]' for e in needed)}` meant"


def _compares_parameters(where: isl.Set) -> bool:
    """Whether a condition `{ : K >= M }` is on two parameters at a time."""
    return any(
        sum(c.involves_dims(isl.PARAM, k, 1) for k in range(where.dim(isl.PARAM))) > 1
        for part in isl.basic_sets(where)
        for c in isl.constraints(part)
    )
