"""Integer rows and isl's polyhedra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polynb import isl


def polyhedron(
    equal: Sequence[Sequence[int]], least: Sequence[Sequence[int]], dims: int
) -> isl.Set:
    """`{ [x] : a x + b = 0, ... and a x + b >= 0, ... }`; each row is (a, b), the constant last."""
    space = isl.set_space((), None, ("",) * dims)
    rows = (_matrix(equal, dims + 1), _matrix(least, dims + 1))
    return isl.BasicSet.from_constraint_matrices(
        space, *rows, isl.SET, isl.dim_type.div, isl.PARAM, isl.dim_type.cst
    ).to_set()


def orthogonal(rows: Sequence[Sequence[int]], dims: int) -> tuple[tuple[int, ...], ...]:
    """Integer rows that span what is orthogonal to the given ones: a vector depends on those just
    if its product with each of these is zero."""
    kernel = _matrix(rows, dims).right_kernel() if rows else isl.Mat.identity(isl.CONTEXT, dims)
    return tuple(
        tuple(kernel.get_element_val(j, i).to_python() for j in range(dims))
        for i in range(kernel.cols())
    )


def _matrix(rows: Sequence[Sequence[int]], columns: int) -> isl.Mat:
    m = isl.Mat.alloc(isl.CONTEXT, 0, columns).add_zero_rows(len(rows))
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if value:
                m = m.set_element_val(i, j, isl.Val(value))
    return m


def fixed(s: isl.Set) -> tuple[tuple[int, ...], ...]:
    """Rows a of equations `a x + b n + c = 0` that hold in the whole set `{ [x] }`."""
    found = []
    for c in s.affine_hull().remove_divs().get_constraints():
        if c.is_equality():
            row = tuple(
                c.get_coefficient_val(isl.SET, k).to_python() for k in range(s.dim(isl.SET))
            )
            found += [row] if any(row) else []
    return tuple(found)


def reaches_above(s: isl.Set, row: Sequence[int]) -> bool:
    """Whether `a x` is positive somewhere in a cone, `{ [x] : A x >= 0 }`; the row is a."""
    return not s.max_val(_form(s, dict(enumerate(row)))).is_zero()


def least(s: isl.Set, weights: Mapping[int, int]) -> int:
    """The smallest value of a sum of weighted dimensions in a set that bounds it."""
    return int(s.min_val(_form(s, weights)).to_python())


def _form(s: isl.Set, weights: Mapping[int, int]) -> isl.Aff:
    value = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(s.get_space()))
    for k, c in weights.items():
        if c:
            value = value.set_coefficient_val(isl.IN, k, isl.Val(c))
    return value
