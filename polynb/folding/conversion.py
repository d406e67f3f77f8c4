"""Pieces and label functions as isl's sets and maps, and label functions from isl's maps."""

from __future__ import annotations

from collections.abc import Sequence

from polynb import isl
from polynb.errors import PolynbError
from polynb.folding.labels import TOP, LabelFunction
from polynb.folding.polyhedra import Bounds


@isl.guarded
def domain(bounds: Sequence[Bounds], names: Sequence[str], identifier: str) -> isl.Set:
    """The points between a piece's bounds, `{ I2[cj, ck] : 0 <= cj <= 15 and ... }`."""
    space = isl.set_space((), identifier or None, names or _names("c", len(bounds)))
    local = isl.LocalSpace.from_space(space)
    found = isl.Set.universe(space)
    for q, b in enumerate(bounds):
        coordinate = isl.Aff.var_on_domain(local, isl.SET, q)
        low, high = (_aff(local, *side) for side in (b.low, b.high))
        found = found.intersect(low.le_set(coordinate)).intersect(coordinate.le_set(high))
    return found


@isl.guarded
def relation(
    points: isl.Set, labels: Sequence[LabelFunction], outputs: Sequence[str], *, exact: bool
) -> isl.Map:
    """A piece's label functions on its points; outputs with a ⊤ are not constrained, and none is
    unless the points are `exact`."""
    local = isl.LocalSpace.from_space(points.get_space())
    targets = isl.set_space((), None, outputs or _names("f", len(labels)))
    found = isl.Map.from_domain_and_range(points, isl.Set.universe(targets))
    for j, f in enumerate(labels):
        if exact and f.is_affine:
            numbers = [k for k in f.coefficients if isinstance(k, int)]
            value = isl.Map.from_aff(_aff(local, numbers, f.constant))
            found = found.intersect(_lifted(value, targets, j))
    return found


def _lifted(value: isl.Map, targets: isl.Space, j: int) -> isl.Map:
    """`{ p -> [v] }` as `{ p -> [..., v, ...] }` with the other outputs free."""
    projection = isl.Map.from_aff(
        isl.Aff.var_on_domain(isl.LocalSpace.from_space(targets), isl.SET, j)
    )
    return value.apply_range(projection.reverse())


def label_functions(m: isl.Map) -> tuple[LabelFunction, ...]:
    """The label functions of a map with one affine piece, an output each, `{ [i, j] -> [i + 12,
    j] }`; an output that the map leaves free everywhere is ⊤ in every dimension.

    Raises PolynbError for a map with several pieces or with rational or quasi-affine outputs.
    """
    return tuple(_output(m, j) for j in range(m.dim(isl.OUT)))


@isl.guarded
def _output(m: isl.Map, j: int) -> LabelFunction:
    dims = m.dim(isl.IN)
    column = m.project_out(isl.OUT, j + 1, m.dim(isl.OUT) - j - 1).project_out(isl.OUT, 0, j)
    free = isl.Map.from_domain_and_range(
        column.domain(), isl.Set.universe(column.get_space().range())
    )
    if free.is_subset(column):
        return LabelFunction((TOP,) * dims)
    if not column.is_single_valued():
        raise _not_one(m, f"output {j + 1} has several values at one point")
    pieces = isl.pieces(isl.PwMultiAff.from_map(column).get_pw_aff(0))
    found = {_function(m, aff, dims) for _, aff in pieces}
    if len(found) != 1:
        raise _not_one(m, f"output {j + 1} has {len(found)} pieces")
    return found.pop()


def _function(m: isl.Map, aff: isl.Aff, dims: int) -> LabelFunction:
    integral = aff.get_denominator_val().to_python() == 1
    if not integral or aff.dim(isl.dim_type.div) or aff.dim(isl.PARAM):
        raise _not_one(m, f"{aff} is not affine with integer coefficients")
    coefficients = tuple(aff.get_coefficient_val(isl.IN, q).to_python() for q in range(dims))
    return LabelFunction(coefficients, aff.get_constant_val().to_python())


def _not_one(m: isl.Map, reason: str) -> PolynbError:
    return PolynbError(
        f"{m} is not one label function for each output",
        reason=reason,
        hint="one disjunct, with outputs that are affine: `isl.basic_maps(m)`",
    )


def _aff(local: isl.LocalSpace, coefficients: Sequence[int], constant: int) -> isl.Aff:
    """An affine function of the first coordinates of a space."""
    found = isl.Aff.zero_on_domain(local).set_constant_val(_val(constant))
    for q, k in enumerate(coefficients):
        if k:
            found = found.set_coefficient_val(isl.IN, q, _val(k))
    return found


def _val(number: int) -> isl.Val:
    return isl.Val.read_from_str(isl.CONTEXT, str(number))  # of any size


def _names(letter: str, count: int) -> list[str]:
    return [f"{letter}{k + 1}" for k in range(count)]
