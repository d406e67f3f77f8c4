"""What a program asks of a machine at given sizes: operations, and bytes that have to move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from polynb import isl
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.propagation.counting import Uncountable, count
from polynb.propagation.recomputation import instances
from polynb.scop.model import Array, Scop, Statement, roots
from polynb.scop.sizes import extents_at
from polynb.source.functions import EXTREMA
from polynb.source.normal_form import affine_parts
from polynb.source.tree import Binary, Call, Expr, Let, Unary, own, rebuild
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, FLOAT, common

FLOATING: Final = (FLOAT.name, DOUBLE.name)
LINES: Final = 64_000_000
"""Lines of instances that are counted, at most: a few seconds. LU of 8000 rows has as many."""


@dataclass(frozen=True)
class Demand:
    """What is computed and moved, at least, when a program runs once.

    `operations`: executed, by the name of the type they compute in ("float"): each operator is one,
    and each function of C's; parts of a statement that are equal count once, affine parts (which
    are places and counters) nothing. `read`: bytes of the cells whose first content is read,
    `written`: those of the results, each cell once. `kept`: bytes of the temporaries, which are
    written and read once more if they are larger than the caches (`moved`). Not `exact`: data
    decides which cells are accessed or what is computed, and all that may be is counted.
    """

    operations: Mapping[str, int]
    read: int
    written: int
    kept: int
    exact: bool = True

    def of(self, floating: bool) -> int:
        """The operations on floating-point numbers, or those on integers."""
        return sum(n for t, n in self.operations.items() if (t in FLOATING) == floating)

    def moved(self, cache: int) -> int:
        """The bytes that cross a last-level cache of that size, at least."""
        return self.read + self.written + (2 * self.kept if self.kept > cache else 0)


@isl.bounded("the counting of operations and bytes")
def demand(scop: Scop, values: Mapping[str, int]) -> Demand:
    """The demand of a program over its memory, at parameter values.

    Raises PolynbError where instances or cells are too many to be counted.
    """
    try:
        return Demand(
            operations=_operations(scop, values),
            read=_bytes(scop, _first_reads(scop), values),
            written=_bytes(scop, _results(scop), values),
            kept=sum(_size(scop.arrays[t], values) for t in scop.temporaries),
            exact=all(s.affine for s in scop.statements),
        )
    except Uncountable:
        raise PolynbError(
            f"the instances of {scop.name} are too many to be counted", hint="smaller sizes"
        ) from None


# -- operations ----------------------------------------------------------------------------


def _operations(scop: Scop, values: Mapping[str, int]) -> dict[str, int]:
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    total: dict[str, int] = {}
    for s in scop.statements:
        times = instances(s, values, LINES)
        for name, each in operations(s, types).items():
            total[name] = total.get(name, 0) + times * each
    return {name: n for name, n in total.items() if n}


def operations(s: Statement, types: Types) -> dict[str, int]:
    """The operations of one instance, by the names of their types."""
    found: dict[str, int] = {}
    numbers: dict[object, int] = {}
    for root in roots(s):
        _count_in(root, types, numbers, found)
    return found


def _count_in(e: Expr, types: Types, numbers: dict[object, int], found: dict[str, int]) -> None:
    """Add the operations of an expression that have no number yet: equal parts have the same."""
    affine = affine_parts(e)

    def visit(node: Expr, parts: tuple[int, ...]) -> int:
        if isinstance(node, Let):
            return parts[0]
        key = (type(node), own(node), parts)
        if key not in numbers:
            numbers[key] = len(numbers)
            if id(node) not in affine:
                _add(node, types, found)
        return numbers[key]

    rebuild(e, visit)


def _add(node: Expr, types: Types, found: dict[str, int]) -> None:
    match node:
        case Unary(op="-" | "!" | "~", operand=x):
            inside: list[Expr] = [x]
        case Binary(left=a, right=b):
            inside = [a, b]
        case Call(function=f, arguments=given) if f in types.functions:
            function = types.functions[f]
            within = types.inside(function, [types.of(a) for a in given])
            _count_in(function.body, within, {}, found)
            return
        case Call(arguments=given):
            inside = list(given)
        case _:
            return
    computed = common(types.of(x) for x in inside) if inside else types.of(node)
    many = max(len(inside) - 1, 1) if isinstance(node, Call) and node.function in EXTREMA else 1
    found[computed.name] = found.get(computed.name, 0) + many


# -- bytes ---------------------------------------------------------------------------------


def _first_reads(scop: Scop) -> Iterable[tuple[str, isl.Set]]:
    """The cells of each array whose first content is read."""
    written = {s.write.array for s in scop.statements}
    dependences = analyze(scop)
    for name, array in scop.arrays.items():
        if not array.live_in:
            continue
        if name in written:
            touched = list(dependences.flow(name).live_in.values())
        else:
            touched = [r.relation for s in scop.statements for r in s.reads if r.array == name]
        if touched:
            yield name, isl.united(m.range() for m in touched)


def _results(scop: Scop) -> Iterable[tuple[str, isl.Set]]:
    """The cells of each result that are written."""
    for name, array in scop.arrays.items():
        touched = [s.write.relation for s in scop.statements if s.write.array == name]
        if array.live_out and touched:
            yield name, isl.united(m.range() for m in touched)


def _bytes(scop: Scop, cells: Iterable[tuple[str, isl.Set]], values: Mapping[str, int]) -> int:
    return sum(
        scop.arrays[name].type.size * _cells(scop.arrays[name], c, values) for name, c in cells
    )


def _cells(array: Array, cells: isl.Set, values: Mapping[str, int]) -> int:
    """How many they are. Where data decides, some may lie outside of the array."""
    at = isl.fix_parameters(cells, values)
    at = at.project_out(isl.PARAM, 0, at.dim(isl.PARAM))
    for k, extent in enumerate(extents_at(array, values)):
        if extent is not None:
            at = at.lower_bound_val(isl.SET, k, isl.Val(0)).upper_bound_val(
                isl.SET, k, isl.Val(extent - 1)
            )
    return count(isl.coalesced(at), LINES)


def _size(array: Array, values: Mapping[str, int]) -> int:
    return array.type.size * prod(e or 0 for e in extents_at(array, values))
