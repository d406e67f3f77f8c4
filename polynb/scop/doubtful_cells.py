"""What is odd about the cells that a program touches: some are read that nothing has written, or
are there only if two sizes happen to fit. It may be meant: so it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from polynb import isl
from polynb.scop.affine_from_isl import conditions
from polynb.scop.arrays import cells, out_of_bounds, unset_reads
from polynb.scop.doubt import ARGUMENT, Doubt
from polynb.scop.model import Array, MemoryAccess, Scop
from polynb.scop.witness import cell_text, values_text
from polynb.source.scoplang.printer import print_affine, print_expression

BUDGET: Final = 200_000
"""isl operations for one array: what is not found in them is not asked about."""
USUAL: Final = 4
"""What the parameters are in an example, at least, where they may be."""


def doubtful_cells(scop: Scop) -> Iterator[Doubt]:
    """The questions, one for an array."""
    for array in scop.arrays.values():
        doubt = None
        with suppress(isl.BudgetExhausted), isl.budget(BUDGET), isl.wrapped():
            doubt = _unset(scop, array) or _misfit(scop, array)
        if doubt is not None:
            yield doubt


def _unset(scop: Scop, array: Array) -> Doubt | None:
    """Of a temporary, or an output, of which a cell is read that nothing has written."""
    if not array.live_in or array.role not in ("temp", "output") or ARGUMENT in array.why:
        return None
    temporary, context = array.role == "temp", scop.context.intersect(scop.requires)
    inside = cells(array) if temporary else None
    reads = unset_reads(array.name, scop.statements, context, private=temporary, inside=inside)
    for read, instances, written in reads:
        called = "called temporary" if temporary else "declared an output"
        cell = _cell(read, instances.subtract(written))
        why = f"{called}, and {cell} is read where nothing has written it"
        mend = f"If what it holds before is meant, {_says_so(scop, array)}"
        return Doubt(array.name, "", why, mend, read.span,
                     "is a loop too short, or a first value missing?")  # fmt: skip
    return None


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
    for k in range(touched.dim(isl.PARAM)):  # an example is better not the smallest one
        usual = touched.lower_bound_val(isl.PARAM, k, isl.Val(USUAL))
        touched = touched if usual.is_empty() else usual
    found = isl.witness(touched)
    if found is None or not found[1]:
        return text
    values, index = found
    example, at = cell_text(read.array, index), f" for {values_text(values)}" * bool(values)
    return text if example == text else f"{text}, as {example}{at},"


def _misfit(scop: Scop, array: Array) -> Doubt | None:
    """Of an array with sizes, in which an access is only if one parameter fits another."""
    if not array.sized:
        return None
    box = cells(array)
    for s in scop.statements:
        for a in (s.write, *s.reads):
            if a.array != array.name or a.span is None:
                continue
            outside = out_of_bounds(a, box).intersect_params(scop.context).params()
            within = isl.coalesced(scop.context.subtract(outside).gist(scop.context))
            if outside.is_disjoint(scop.requires) and _compares_parameters(within):
                only = " and ".join(map(print_expression, conditions(within, scop.context)))
                why = f"sized, and {print_affine(a.node)} is one of its cells only if {only}"
                word = "assert" if _in_c(scop) else "assume"
                return Doubt(array.name, "", why, f"If they are, `{word}` says so", a.span,
                             "are the subscripts the right ones?")  # fmt: skip
    return None


def _compares_parameters(where: isl.Set) -> bool:
    """Whether a condition `{ : K >= M }` is on two parameters at a time."""
    return any(
        sum(c.involves_dims(isl.PARAM, k, 1) for k in range(where.dim(isl.PARAM))) > 1
        for part in isl.basic_sets(where)
        for c in isl.constraints(part)
    )
