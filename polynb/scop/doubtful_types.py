"""What C does with types and a newcomer hardly means: numbers are cut off. It may be meant: so it
is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from polynb.scop.doubt import Doubt
from polynb.scop.model import Scop
from polynb.source import tree as syntax
from polynb.source.type_inference import Types

_OF_INTEGERS: Final = {"abs": "fabs", "llabs": "fabs"}


def doubtful_types(scop: Scop) -> Iterator[Doubt]:
    """The questions about a program that has a text."""
    if scop.program is None:
        return
    arrays = {a.name: a.type for a in scop.arrays.values()}
    types = Types(arrays, scop.program.functions)
    for s in syntax.statements(scop.program.body):
        if s.target.array in arrays:
            yield from _magnitudes(s, types)
            yield from _sums(s, types)


def _magnitudes(s: syntax.Assign, types: Types) -> Iterator[Doubt]:
    """`abs(x)` of a floating number x, which C makes an integer before."""
    for e in syntax.walk(s.value):
        if not isinstance(e, syntax.Call) or e.function not in _OF_INTEGERS:
            continue
        if any(types.of(a).is_float for a in e.arguments):
            why = "a function of integers in C, which cuts off the rest"
            yield Doubt(e.function, _OF_INTEGERS[e.function], why, span=e.span or s.span)


def _sums(s: syntax.Assign, types: Types) -> Iterator[Doubt]:
    """`k = k + x` of an integer k and a floating number x. (Pixels are scaled in place.)"""
    name, whole = s.target.array, not types.arrays[s.target.array].is_float
    itself = any(syntax.same(e, s.target) for e in syntax.walk(s.value))
    if itself and whole and not s.target.subscripts and types.of(s.value).is_float:
        why = "an integer, and what is added to it is none: C cuts off each sum"
        yield Doubt(name, "", why, "", s.target.span, "is a floating type meant?")
