"""How many cells arrays have, as a formula in the parameters, and what moves take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

from polynb import isl
from polynb.moves import Expand, Move, Privatize
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import Array, Scop
from polynb.source.scoplang.printer import print_expression


@dataclass(frozen=True, eq=False)
class Cells:
    """The number of cells of an array, a product of its extents; in words, for the sizes that a
    program has: those that are `assumed`, from 1 on where they may be."""

    array: Array
    assumed: isl.Set

    @staticmethod
    def of(scop: Scop, array: str) -> Cells:
        return Cells(scop.arrays[array], scop.assumed)

    @cached_property
    def formula(self) -> str:
        """`N * (max(1, N + 1))`, what it is for all parameters; `1` of a scalar."""
        return _product(self.array.extents)

    def __str__(self) -> str:
        """`2 * N * M`, or a number where sizes are known."""
        sizes = _from_1_on(self.assumed)
        return _product([None if e is None else e.gist(sizes) for e in self.array.extents])

    def at(self, parameters: Mapping[str, int]) -> int | None:
        """The number at parameter values; None where nothing bounds it."""
        cells = 1
        for extent in self.array.extents:
            value = None if extent is None else _at(extent, parameters)
            if value is None:
                return None
            cells *= max(value, 0)
        return cells


def cost_of(move: Move, program: Scop) -> str:
    """The memory that a move takes: `N * N cells, not 1`; "" of one that takes none. Raises
    PolynbError where it cannot be made."""
    match move:
        case Expand(array=array):
            return f"{Cells.of(move.applied(program), array)} cells, not {Cells.of(program, array)}"
        case Privatize():
            return "one per thread or lane"
    return ""


def _from_1_on(assumed: isl.Set) -> isl.Set:
    """The parameters that are allowed; if some of them are, those that are all positive."""
    positive = assumed
    for k in range(assumed.dim(isl.PARAM)):
        positive = positive.lower_bound_val(isl.PARAM, k, isl.Val(1))
    return assumed if positive.is_empty() else positive


def _product(extents: Iterable[isl.PwAff | None]) -> str:
    """A number in front of what depends on parameters."""
    factors = [_factor(e) for e in extents]
    number = prod(int(f) for f in factors if f.isdecimal())
    others = [f for f in factors if not f.isdecimal()]
    if number == 1 and len(others) == 1:
        return others[0].removeprefix("(").removesuffix(")")
    return " * ".join([*([str(number)] if number != 1 or not others else []), *others])


def _factor(extent: isl.PwAff | None) -> str:
    if extent is None:
        return "?"
    plain = isl.one_piece(isl.coalesced(extent))
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
