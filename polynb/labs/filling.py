"""Texts with a student's numbers in them: `$shift`, `${2*shift + 1}`. What stands in the places is
computed here, so that a file of exercises says what it says, and does nothing."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from polynb.errors import PolynbError

_PLACE: Final = re.compile(r"\$(?:(\w+)|\{((?:[^{}]|\{[^{}]*\})*)\})")
_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.USub: operator.neg,
    ast.Eq: operator.eq,
    ast.Gt: operator.gt,
}
_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "float": float,
    "max": max,
}


@dataclass(frozen=True, eq=False)
class Filling:
    """What names stand for: `values` that are known, and `texts`, which may have places, too, and
    become values when they are asked for."""

    values: dict[str, Any]
    texts: Mapping[str, Any]

    def __call__(self, given: Any) -> Any:
        """What a file says, with all its places filled: a text that is nothing but a place is the
        value itself. Raises PolynbError for a place that cannot be computed."""
        match given:
            case str():
                whole = _PLACE.fullmatch(given)
                if whole is not None:
                    return self._at(whole)
                return _PLACE.sub(lambda place: str(self._at(place)), given)
            case dict():
                return {name: self(value) for name, value in given.items()}
            case list():
                return tuple(map(self, given))
        return given

    def named(self, name: str) -> Any:
        """What a name stands for. Raises PolynbError for an unknown one."""
        if name not in self.values:
            if name not in self.texts:
                raise PolynbError(f"nothing is called {name}", hint="[draws] or [let]")
            self.values[name] = self(self.texts[name])
        return self.values[name]

    def _at(self, place: re.Match[str]) -> Any:
        return self.named(place[1]) if place[1] else computed(place[2], self.named)


def computed(text: str, named: Callable[[str], Any]) -> Any:
    """The value of an expression: numbers and texts, of names and of a few functions. Raises
    PolynbError for anything else."""

    def value(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=constant):
                return constant
            case ast.Name(id=name):
                return named(name)
            case ast.JoinedStr(values=parts):
                return "".join(str(value(p)) for p in parts)
            case ast.FormattedValue(value=inner):
                return value(inner)
            case ast.UnaryOp(op=op, operand=inner) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(inner))
            case (
                ast.BinOp(left=one, op=op, right=other)
                | ast.Compare(left=one, ops=[op], comparators=[other])
            ) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](value(one), value(other))
            case ast.IfExp(test=test, body=yes, orelse=no):
                return value(yes if value(test) else no)
            case ast.Call(func=ast.Name(id=name), args=given) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*map(value, given))
        raise PolynbError(f"`{text}` is no expression of an exercise", hint="numbers and names")

    try:
        return value(ast.parse(f"({text})", mode="eval").body)
    except (SyntaxError, TypeError, ZeroDivisionError) as error:
        raise PolynbError(f"`{text}` has no value", reason=str(error)) from None


@dataclass(frozen=True)
class WrittenFunction:
    """A function, `N * N` of N."""

    text: str
    parameters: tuple[str, ...]

    def __call__(self, *at: int) -> Any:
        values = dict(zip(self.parameters, at, strict=True))
        return Filling(values, {})(f"${{{self.text}}}")
