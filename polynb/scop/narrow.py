"""What a C text computes in types that hold less than the model's integers.

C says nothing of what such a computation gives where it does not fit; the model, and the kernels
made of it, compute in 64 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.affine import AffineFrame, NotAffine, affine
from polynb.scop.model import Narrow, Scop
from polynb.scop.wrapping import beyond, without_conversions
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression
from polynb.source.types import INT64, ElementType
from polynb.words import shortened


@dataclass(frozen=True, eq=False)
class Fits:
    """What a program computes in types that may not hold it, as text: for parameter values
    `{ : too_large }`, and, `besides`, where data decides or it is not affine."""

    too_large: isl.Set
    parts: tuple[str, ...]
    besides: tuple[str, ...]


def fits(scop: Scop, allowed: isl.Set) -> Fits:
    """Looked at are parameter values `{ : allowed }`. Conditions and bounds are computed whether or
    not a statement runs then: what does not fit may be what makes it run in C."""
    parts, besides = list[str](), list[str]()
    too_large = isl.Set.empty(isl.param_space(scop.parameters))
    for n in scop.narrow:
        said = f"{print_expression(n.node)} in {n.type}"
        where = _too_large(n)
        if where is None:
            besides.append(said)
            continue
        where = where.intersect(allowed)
        if not where.is_empty() and not where.is_subset(too_large):
            too_large = too_large.union(where)
            parts.append(said)
    return Fits(isl.coalesced(too_large), tuple(parts), tuple(besides))


def endless(scop: Scop, allowed: isl.Set) -> isl.Set:
    """Parameter values `{ : allowed }` for which a loop steps beyond a type before it ends: C's
    wraps around, or has no meaning. (A kernel's counts in 64 bits.)"""
    found = isl.Set.empty(isl.param_space(scop.parameters))
    for n in scop.ends:
        value = affine(without_conversions(n.node), AffineFrame(n.domain.get_space()))
        turns = n.domain.intersect_params(allowed)
        found = found.union(beyond(turns, value, n.type).params())
    return isl.coalesced(found)


def widened(scop: Scop) -> str:
    """What a kernel computes in 64 bits, and the text in fewer; "" where all of it fits."""
    allowed = scop.assumed.intersect(in_types(scop.parameters, scop.parameter_types))
    found = fits(scop, allowed)
    parts = dict.fromkeys((*found.parts, *found.besides))
    return f"With 64 bits, where the text has fewer: {shortened([*parts], 4)}." if parts else ""


def in_types(parameters: Sequence[str], types: Mapping[str, ElementType]) -> isl.Set:
    """`[parameters] -> { : they are in the ranges of their types }`; none is above int64's."""
    allowed = isl.Set.universe(isl.param_space(parameters))
    for name, t in types.items():
        k = parameters.index(name)
        most = min(t.most, INT64.most)  # a kernel takes no more
        allowed = allowed.lower_bound_val(isl.PARAM, k, isl.Val(str(t.least)))
        allowed = allowed.upper_bound_val(isl.PARAM, k, isl.Val(str(most)))
    return allowed


def never_ends(loop: syntax.For, kind: ElementType) -> PolynbError:
    """A loop whose iterator steps beyond its type, for all parameter values."""
    i = loop.iterator
    return PolynbError(
        f"this loop never ends: its bound is more than {i} can be",
        span=loop.span,
        reason=f"{i} has the type {kind.c_name}, {kind.least} to {kind.most}",
        hint=f"`long {i}`",
    )


def _too_large(n: Narrow) -> isl.Set | None:
    """The parameter values for which some value does not fit; None if data decides, or if it is
    not affine. Of bounds it goes without saying that parameters are not so far below 0 that sums
    of them, such as `n - 1`, do not fit."""
    try:
        value = affine(n.node, AffineFrame(n.domain.get_space()))
    except NotAffine:
        return None
    found: isl.Set = beyond(n.domain, value, n.type).params()
    if not (n.bound and _is_sum(value)):
        return found
    above = beyond(n.domain, value, n.type, below=False).params()
    for k in range(found.dim(isl.PARAM)):
        found = found.lower_bound_val(isl.PARAM, k, isl.Val(0))
    return found.union(above)


def _is_sum(f: isl.PwAff) -> bool:
    """Whether iterators and parameters are only added and subtracted in it."""
    affs = [aff for _, aff in isl.pieces(f)]
    times = [
        aff.get_coefficient_val(kind, k).abs()
        for aff in affs
        for kind in (isl.PARAM, isl.IN)
        for k in range(aff.dim(kind))
    ]
    return all(t.is_zero() or t.is_one() for t in times) and not any(
        aff.dim(isl.dim_type.div) for aff in affs
    )
