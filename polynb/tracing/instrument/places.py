"""Places in memory, as the text writes them: the variables they are in, and which are one cell."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.names import TypedName, TypedNames
from polynb.tracing.instrument.reading import names_of


def base_of(place: Any, names: TypedNames) -> str:
    """The variable that a place is in; "" where a pointer leads there."""
    match place:
        case c_ast.ID(name=name):
            return str(name)
        case c_ast.ArrayRef(name=inner) if _in_place(inner, names):
            return base_of(inner, names)
        case c_ast.StructRef(type=".", name=inner):
            return base_of(inner, names)
    return ""


def cell_of(place: Any, names: TypedNames, written: Container[str]) -> tuple[TypedName, ...] | None:
    """The variables that find a place, all through an iteration the same cell; None where what
    finds it is not in registers alone, of which none is `written`."""
    match place:
        case c_ast.ID(name=name):
            known = names.find(name)
            return None if known is None else (known,)
        case c_ast.ArrayRef(name=inner, subscript=index):
            within = cell_of if _in_place(inner, names) else _computed
            return _both(within(inner, names, written), _computed(index, names, written))
        case c_ast.StructRef(type=".", name=inner):
            return cell_of(inner, names, written)
        case c_ast.StructRef(name=inner) | c_ast.UnaryOp(op="*", expr=inner):
            return _computed(inner, names, written)
    return None


def _computed(e: Any, names: TypedNames, written: Container[str]) -> tuple[TypedName, ...] | None:
    """The registers that arithmetic is made of; None where there is anything else."""
    found = [names.find(n) if n not in written else None for n in sorted(names_of(e))]
    known = tuple(x for x in found if x is not None and x.ref is not None)
    return known if len(known) == len(found) else None


def _both(
    a: tuple[TypedName, ...] | None, b: tuple[TypedName, ...] | None
) -> tuple[TypedName, ...] | None:
    return None if a is None or b is None else (*a, *b)


def _in_place(inner: Any, names: TypedNames) -> bool:
    return types.is_array(names.type_of(inner))
