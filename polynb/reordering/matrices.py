"""Integer rows: what is orthogonal to them, and those that are fixed on a set."""

from __future__ import annotations

from collections.abc import Sequence

from polynb import isl


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
    rows = []
    for c in isl.constraints(s.affine_hull().remove_divs()):
        if c.is_equality():
            row = tuple(
                c.get_coefficient_val(isl.SET, k).to_python() for k in range(s.dim(isl.SET))
            )
            rows += [row] if any(row) else []
    return tuple(rows)
