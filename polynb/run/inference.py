"""Parameter values that follow from the shapes of the arrays a kernel is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.arguments import condition_text, shape_text
from polynb.run.conversion import as_array, no_array
from polynb.scop.model import Array
from polynb.scop.witness import values_text
from polynb.words import counted, listed

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Sizes:
    """The `values` that shapes give parameters, and why they leave others open."""

    values: Mapping[str, int] = field(default_factory=dict)
    left_open: Mapping[str, str] = field(default_factory=dict)


def sizes_from(
    arrays: Iterable[Array],
    parameters: Sequence[str],
    given: Mapping[str, object],
    context: isl.Set,
    typed: isl.Set | None = None,
) -> Sizes:
    """Of the parameters that are not given the values that the arrays given have, by name: the one
    solution of `extent(parameters) = size` over all their dimensions, within the context and the
    ranges of types, `typed`, if those decide. Raises PolynbError where there is none."""
    missing = [p for p in parameters if p not in given]
    if not missing:
        return Sizes()
    shapes = {a.name: (a, _shape(a, given[a.name])) for a in arrays if a.name in given}
    shaped = {n: (a, s) for n, (a, s) in shapes.items() if a.extents}
    if not shaped:
        return Sizes()
    known = {p: int(v) for p in parameters if isinstance(v := given.get(p), int | np.integer)}
    said = {n: _solutions(a, s) for n, (a, s) in shaped.items()}
    _refuse_conflicts(shaped, said, known)
    everywhere = isl.read_set("{ : }")
    for solutions in said.values():
        everywhere = everywhere.intersect(solutions)
    everywhere = isl.fix_parameters(everywhere, known)
    allowed = everywhere.intersect(isl.fix_parameters(context, known))
    solved = everywhere if allowed.is_empty() else allowed
    values, left_open = {}, {}
    in_range = solved if typed is None else solved.intersect(typed)
    for name in missing:
        value = _only_value(solved if in_range.is_empty() else in_range, name)
        if value is not None:
            values[name] = value
        else:
            left_open[name] = _why_open(name, shaped, solved)
    return Sizes(values, left_open)


def _shape(array: Array, value: object) -> Shape:
    """The shape of an argument. Raises PolynbError for what is no array."""
    found = as_array(array, value)
    if not found.ndim and found.dtype.kind not in "biufc":
        raise no_array(array, f"it is of type {type(value).__name__}")
    return found.shape


def _solutions(array: Array, shape: Shape) -> isl.Set:
    """The parameter values at which an array has this shape. Raises PolynbError if it has another
    number of dimensions."""
    if len(shape) != len(array.extents):
        dimensions = counted(len(array.extents), "dimension")
        raise PolynbError(
            f"{array.name} must have {dimensions}, not {shape_text(shape)}",
            span=array.span,
            reason=_extents_text(array),
            hint=f"an array of {dimensions}, as {array.name}[0] or {array.name}.reshape(...) gives",
        )
    found = isl.read_set("{ : }")
    for extent, size in zip(array.extents, shape, strict=True):
        if extent is not None:
            found = found.intersect(_where(extent, size))
    return found


def _where(extent: isl.PwAff, size: int) -> isl.Set:
    """The parameter values at which an extent is `size`; one that is negative counts as 0, as does
    one of an array that is not accessed."""
    if extent.get_domain_space().is_params():  # as isl gives the bound of a set
        extent = extent.from_range()
    cells = isl.Map.from_pw_aff(extent).range()
    found = cells.fix_val(isl.SET, 0, isl.Val(size)).params()
    if size == 0:
        below = cells.upper_bound_val(isl.SET, 0, isl.Val(0)).params()
        found = found.union(below).union(cells.params().complement())
    return found


def _refuse_conflicts(
    shaped: Mapping[str, tuple[Array, Shape]],
    said: Mapping[str, isl.Set],
    known: Mapping[str, int],
) -> None:
    for name, (array, shape) in shaped.items():
        if said[name].is_empty():
            raise PolynbError(
                f"no parameter values give {name} {shape_text(shape)}",
                span=array.span,
                reason=_extents_text(array),
                hint="an array of another shape",
            )
        if isl.fix_parameters(said[name], known).is_empty():
            raise PolynbError(
                f"{name} of {shape_text(shape)} does not fit {values_text(known)}",
                span=array.span,
                reason=f"its shape says {condition_text(said[name])}",
                hint="another array, or other parameter values",
            )
    names = list(shaped)
    for k, name in enumerate(names):
        together = isl.fix_parameters(said[name], known)
        for earlier in names[:k]:
            if together.intersect(isl.fix_parameters(said[earlier], known)).is_empty():
                raise _disagreement(shaped, said, (earlier, name))
    whole = isl.read_set("{ : }")
    for name in names:
        whole = whole.intersect(isl.fix_parameters(said[name], known))
    if whole.is_empty():
        raise _disagreement(shaped, said, names)


def _disagreement(
    shaped: Mapping[str, tuple[Array, Shape]], said: Mapping[str, isl.Set], names: Sequence[str]
) -> PolynbError:
    return PolynbError(
        f"the shapes of {listed(names)} do not fit together",
        span=shaped[names[-1]][0].span,
        reason="; ".join(
            f"{n} of {shape_text(shaped[n][1])} says {condition_text(said[n])}" for n in names
        ),
        hint="arrays of other shapes",
    )


def _only_value(solved: isl.Set, name: str) -> int | None:
    """The value that a parameter has in all members of a set `[N] -> { : ... }`."""
    names = isl.dim_names(solved, isl.PARAM)
    if name not in names:
        return None
    for k in reversed([k for k, other in enumerate(names) if other != name]):
        solved = solved.project_out(isl.PARAM, k, 1)
    values = solved.move_dims(isl.SET, 0, isl.PARAM, 0, 1)
    if not values.is_singleton():
        return None
    return isl.points(values)[0][0]


def _why_open(name: str, shaped: Mapping[str, tuple[Array, Shape]], solved: isl.Set) -> str:
    involved = [
        n
        for n, (a, _) in shaped.items()
        if any(e is not None and _involves(e, name) for e in a.extents)
    ]
    if not involved:
        return f"no size of {listed(shaped)} depends on {name}"
    return f"the shape of {listed(involved)} says only {condition_text(isl.coalesced(solved))}"


def _involves(extent: isl.PwAff, name: str) -> bool:
    names = isl.dim_names(extent, isl.PARAM)
    return name in names and bool(extent.involves_dims(isl.PARAM, names.index(name), 1))


def _extents_text(array: Array) -> str:
    """`img is 3 x (4 + R) x (4 + C)`."""
    sizes = ("any" if e is None else condition_text(e).strip("[]") for e in array.extents)
    return f"{array.name} is {' x '.join(sizes) or 'one value'}"
