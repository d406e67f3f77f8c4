"""A program as Python with loops, which numba compiles: arithmetic in C's types, parallel loops as
`prange`."""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from textwrap import indent
from typing import Final

from polynb.codegen.lower import Target, parallel_loops
from polynb.codegen.scan import scan
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.source import tree as syntax
from polynb.source.tree import Expr, Stmt, rebuild
from polynb.source.type_inference import Types
from polynb.source.types import FLOAT, ElementType, common_type

HEAD: Final = """\
import math
from numba import njit, prange
from numpy import float32

@njit
def quotient(a, b):
    return a // b if (a < 0) == (b < 0) else -(-a // b)

@njit(parallel={parallel}, fastmath=True)
def kernel({arguments}):
"""
CALLS: Final = {"abs": "abs", "llabs": "abs", "fabs": "abs", "pow": "math.pow"}
WORDS: Final = {"&&": "and", "||": "or", "floord": "//", "mod": "%"}

Typed = tuple[str, ElementType]


def python_text(scop: Scop, threads: int) -> str:
    """A function `kernel` of all parameters and arrays for numba. (Scalars that are only read
    are numbers, others arrays of one cell.)

    Raises PolynbError for functions that Python's math does not have.
    """
    target = Target(threads, vectors=False, parallel="trip-count")
    marked, _ = parallel_loops(scop, target)
    body = "\n".join(_Writer(scop).block(scan(marked).body, threads > 1))
    arguments = ", ".join(_name(n) for n in (*scop.parameters, *scop.arrays))
    return HEAD.format(parallel=threads > 1, arguments=arguments) + indent(body, "    ") + "\n"


def _name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


class _Writer:
    """Writes statements; expressions with their types."""

    def __init__(self, scop: Scop) -> None:
        self.scop = scop
        self.types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
        self.lets: list[str] = []

    def block(self, body: tuple[Stmt, ...], parallel: bool) -> Iterator[str]:
        """The outermost loops that may run in parallel do."""
        for s in body:
            match s:
                case syntax.Assign():
                    value = self.value(s.value, self.scop.arrays[s.target.array].type)
                    target = self.text(s.target)
                    yield from self._taken()
                    yield f"{target} = {value}"
                case syntax.For():
                    shared = parallel and s.kind == "parallel" and s.step == 1
                    low, high = self.text(s.lower), self.text(s.upper)
                    past = f"{high} {'+' if s.step > 0 else '-'} 1"
                    yield from self._taken()
                    step = "" if s.step == 1 else f", {s.step}"
                    over = "prange" if shared else "range"
                    yield f"for {_name(s.iterator)} in {over}({low}, {past}{step}):"
                    yield from self._inside(s.body, parallel and not shared)
                case syntax.If():
                    condition = self.text(s.condition)
                    yield from self._taken()
                    yield f"if {condition}:"
                    yield from self._inside(s.then, parallel)
                    if s.otherwise:
                        yield "else:"
                        yield from self._inside(s.otherwise, parallel)

    def _inside(self, body: tuple[Stmt, ...], parallel: bool) -> Iterator[str]:
        yield from (indent(line, "    ") for line in self.block(body, parallel))

    def _taken(self) -> list[str]:
        """What stands before a statement: the values that its expressions have names for."""
        taken, self.lets = self.lets, []
        return taken

    # -- expressions -----------------------------------------------------------------------

    def text(self, e: Expr) -> str:
        return rebuild(e, self._visit)[0]

    def value(self, e: Expr, kind: ElementType) -> str:
        return _converted(rebuild(e, self._visit), kind)

    def _visit(self, e: Expr, parts: tuple[Typed, ...]) -> Typed:
        kind = self.types.of(e)
        texts = [t for t, _ in parts]
        match e:
            case syntax.Number(value=v):
                return (f"float32({v!r})" if kind is FLOAT else repr(v)), kind
            case syntax.Parameter(name=n) | syntax.Iterator(name=n):
                return _name(n), kind
            case syntax.Access(array=a):
                return self._access(a, texts), kind
            case syntax.Unary(op=op):
                return f"({'not ' if op == '!' else op}{texts[0]})", kind
            case syntax.Binary(op=op):
                return self._binary(op, parts, kind), kind
            case syntax.Select():
                then, otherwise = (_converted(p, kind) for p in parts[1:])
                return f"({then} if {texts[0]} else {otherwise})", kind
            case syntax.Cast():
                return _converted(parts[0], kind), kind
            case syntax.Let(name=n):
                self.lets.append(f"{_name(n)} = {texts[0]}")
                return _name(n), kind
            case syntax.Call(function=f):
                return self._call(f, parts, kind), kind

    def _access(self, array: str, subscripts: list[str]) -> str:
        if not subscripts and self.scop.arrays[array].role == "input":
            return _name(array)
        return f"{_name(array)}[{', '.join(subscripts) or '0'}]"

    def _binary(self, op: str, parts: tuple[Typed, ...], kind: ElementType) -> str:
        both = common_type(*(t for _, t in parts))
        left, right = (_converted(p, both) for p in parts)
        if op == "/" and not kind.is_float:
            return f"quotient({left}, {right})"
        if op == "%":
            return f"({left} - quotient({left}, {right}) * {right})"
        return f"({left} {WORDS.get(op, op)} {right})"

    def _call(self, function: str, parts: tuple[Typed, ...], kind: ElementType) -> str:
        arguments = ", ".join(_converted(p, kind) for p in parts)
        plain = function if function in CALLS else function.removesuffix("f")
        if function in ("min", "max"):
            return f"{function}({arguments})"
        if plain not in (*CALLS, "exp", "log", "sqrt", "sin", "cos", "tan"):
            raise PolynbError(f"{function} is not written in Python here")
        return f"{CALLS.get(plain, f'math.{plain}')}({arguments})"


def _converted(value: Typed, kind: ElementType) -> str:
    """A value in a type, where Python's rules would give another one. Whole numbers have 64 bits
    here; what is stored has the array's."""
    text, own = value
    if kind is own:
        return text
    if kind.is_float:
        return f"float32({text})" if kind is FLOAT else f"float({text})"
    if own.is_float:
        return f"int({text})"
    return text
