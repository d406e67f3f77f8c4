"""How many cells arrays have, as a formula in the parameters, and what moves take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from polynb import isl
from polynb.scop import Array
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import Scop
from polynb.source.scoplang.printer import print_expression
from polynb.violations.moves import Move


@dataclass(frozen=True, eq=False)
class Cells:
    """The number of cells of an array: a product of its extents."""

    array: Array

    @cached_property
    def formula(self) -> str:
        """`N * (N + 1)`; `1` of a scalar."""
        factors = map(_factor, self.array.extents)
        return " * ".join(f for f in factors if f != "1") or "1"

    def at(self, parameters: Mapping[str, int]) -> int | None:
        """The number at parameter values; None where nothing bounds it."""
        cells = 1
        for extent in self.array.extents:
            value = None if extent is None else _at(extent, parameters)
            if value is None:
                return None
            cells *= max(value, 0)
        return cells

    def __str__(self) -> str:
        return self.formula


def cost_of(move: Move, program: Scop) -> str:
    """The memory that a move takes: `N * N cells, not 1`; "" of one that takes none. Raises
    PolynbError where it cannot be made."""
    match move.name:
        case "expand":
            array = move.arguments["array"]
            after = move.applied(program).arrays[array]
            return f"{Cells(after)} cells, not {Cells(program.arrays[array])}"
        case "privatize":
            return "one per thread or lane"
    return ""


def _factor(extent: isl.PwAff | None) -> str:
    if extent is None:
        return "?"
    plain = isl.one_piece(extent.coalesce())
    values = isl.Set.from_pw_aff(plain)
    if values.dim(isl.PARAM) == 0 or not values.involves_dims(isl.PARAM, 0, values.dim(isl.PARAM)):
        fixed = values.plain_get_val_if_fixed(isl.SET, 0)
        if fixed.is_int():
            return str(fixed)
    text = re.sub(r"\b(\d+)L\b", r"\1", print_expression(expression(plain, ())))
    return text if text.isidentifier() else f"({text})"


def _at(extent: isl.PwAff, parameters: Mapping[str, int]) -> int | None:
    values = isl.fix_parameters(isl.Set.from_pw_aff(extent), parameters)
    least = isl.first_point(values.project_out(isl.PARAM, 0, values.dim(isl.PARAM)), {})
    return None if least is None else least[0]
