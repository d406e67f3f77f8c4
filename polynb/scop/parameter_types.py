"""The values that parameters may have: those of the types that C declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polynb import isl
from polynb.source.types import INT64, ElementType


def in_types(parameters: Sequence[str], types: Mapping[str, ElementType]) -> isl.Set:
    """`[parameters] -> { : they are in the ranges of their types }`; none is above int64's."""
    allowed = isl.Set.universe(isl.param_space(parameters))
    for name, t in types.items():
        k = parameters.index(name)
        most = min(t.most, INT64.most)  # a kernel takes no more
        allowed = allowed.lower_bound_val(isl.PARAM, k, isl.Val(str(t.least)))
        allowed = allowed.upper_bound_val(isl.PARAM, k, isl.Val(str(most)))
    return allowed
