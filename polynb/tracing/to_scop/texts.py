"""The value of a traced statement as an expression: from its C text where that is known, otherwise
a function of what it reads that nothing is known of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from polynb.scop.model import MemoryAccess
from polynb.source import tree as syntax
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.singles import single
from polynb.source.types import DOUBLE, FLOAT, INT32, INT64
from polynb.tracing.records import Instruction
from polynb.tracing.to_scop.parts import TracedStatement
from polynb.tracing.to_scop.subscripts import Affine, expression_tree

CASTS: Final = {"double": DOUBLE, "float": FLOAT, "int": INT32, "long": INT64}
OPERATORS: Final = ("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^")


class _Unknown(Exception):
    """The text does not say what the value is."""


@dataclass(eq=False)
class Reading:
    """What a statement may read: `access` makes the read of a load, `scalar` of a register or of a
    number that the program was given, each with a node of its own."""

    statement: TracedStatement
    iterators: Mapping[str, Affine]
    access: Callable[[Instruction], MemoryAccess]
    scalar: Callable[[str], MemoryAccess]
    constant: Callable[[str], str | None]
    names: Mapping[str, str]
    text: Callable[[Instruction], str]
    assignment: Callable[[Instruction], str]


def value_of(reading: Reading) -> tuple[syntax.Expr, tuple[MemoryAccess, ...]]:
    """The expression and its reads, one for each access in it, left to right."""
    try:
        return _FromText(reading).value()
    except _Unknown:
        return _uninterpreted(reading)


def _uninterpreted(reading: Reading) -> tuple[syntax.Expr, tuple[MemoryAccess, ...]]:
    s = reading.statement
    reads = [reading.access(i) for i in s.loads]
    reads += [reading.scalar(n) for n in dict.fromkeys(reading.names[r.name] for r in s.registers)]
    arguments: list[syntax.Expr] = [r.node for r in reads]
    arguments += [syntax.Iterator(x) for x in s.sink.loops] if s.inductive or not reads else []
    function = f"f_{s.sink.name.partition('.')[0]}"
    return syntax.Call(function, tuple(arguments)), tuple(reads)


@dataclass(eq=False)
class _FromText:
    reading: Reading
    reads: list[MemoryAccess] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def value(self) -> tuple[syntax.Expr, tuple[MemoryAccess, ...]]:
        s = self.reading.statement
        whole = expression_tree(self.reading.assignment(s.sink)) if not s.operations else None
        if s.operations:
            found = self.root(expression_tree(self.reading.text(s.operations[0])))
        elif s.sink.kind == "store" and isinstance(whole, c_ast.Assignment) and whole.op == "=":
            found = self.root(whole)
        elif len(s.loads) == 1 and not s.registers and not s.inductive:
            found = self.load(s.loads[0])
        elif not s.loads and len(s.registers) == 1 and not s.inductive:
            found = self.register(self.reading.names[s.registers[0].name])
        else:
            raise _Unknown
        wanted = {i.name for i in s.loads} | {self.reading.names[r.name] for r in s.registers}
        if wanted - self.used:
            raise _Unknown
        return found, tuple(self.reads)

    def root(self, node: Any) -> syntax.Expr:
        match node:
            case c_ast.Assignment(op="=", rvalue=value):
                return self.of(value)
            case c_ast.Assignment(op=op, lvalue=place, rvalue=value):
                old = self.of(place)
                return syntax.Binary(op.removesuffix("="), old, self.of(value))
            case c_ast.Decl(init=value) if value is not None:
                return self.of(value)
            case c_ast.UnaryOp(op="p++" | "++" | "p--" | "--" as op, expr=place):
                return syntax.Binary(op[-1], self.of(place), syntax.Number(1, INT32))
            case None:
                raise _Unknown
        return self.of(node)

    def of(self, e: Any) -> syntax.Expr:
        match e:
            case c_ast.Constant(type=kind, value=value):
                return _number(kind, value)
            case c_ast.BinaryOp(op=op, left=a, right=b) if op in OPERATORS:
                left = self.of(a)
                return syntax.Binary(op, left, self.of(b))
            case c_ast.UnaryOp(op="-" | "!" | "~" as op, expr=inner):
                return syntax.Unary(op, self.of(inner))
            case c_ast.UnaryOp(op="+", expr=inner):
                return self.of(inner)
            case c_ast.Cast(to_type=to, expr=inner):
                names = getattr(getattr(to.type, "type", None), "names", [])
                if len(names) == 1 and names[0] in CASTS:
                    return syntax.Cast(CASTS[names[0]], self.of(inner))
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=args):
                return self.call(name, args)
            case c_ast.ID(name=name):
                return self.name(name)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                return self.load(self.matching(e))
        raise _Unknown

    def call(self, name: str, args: Any) -> syntax.Expr:
        if name in MATH_FUNCTIONS:
            return syntax.Call(name, tuple(self.of(a) for a in args.exprs))
        result = [r for r in self.reading.statement.registers if r.function == name]
        if len(result) == 1:  # what the function returned
            return self.register(self.reading.names[result[0].name])
        raise _Unknown

    def name(self, name: str) -> syntax.Expr:
        s = self.reading.statement
        if name in self.reading.iterators:
            return _affine(self.reading.iterators[name], s.sink.loops)
        if name in {self.reading.names[r.name] for r in s.registers}:
            return self.register(name)
        scalar = next((i for i in s.loads if i.text == name), None)
        if scalar is not None:
            return self.load(scalar)
        given = None if s.inductive else self.reading.constant(name)
        if given is None:
            raise _Unknown
        self.reads.append(self.reading.scalar(given))
        return self.reads[-1].node

    def register(self, name: str) -> syntax.Expr:
        self.used.add(name)
        self.reads.append(self.reading.scalar(name))
        return self.reads[-1].node

    def matching(self, e: Any) -> Instruction:
        """The load of that text which has no node yet."""
        text = CGenerator().visit(e)
        for i in self.reading.statement.loads:
            if i.name not in self.used and _generated(self.reading.text(i)) == text:
                return i
        raise _Unknown

    def load(self, i: Instruction) -> syntax.Expr:
        self.used.add(i.name)
        self.reads.append(self.reading.access(i))
        return self.reads[-1].node


def _generated(text: str) -> str:
    """The text as the generator writes it, for comparing."""
    tree = expression_tree(text)
    return text if tree is None else str(CGenerator().visit(tree))


def _number(kind: str, value: str) -> syntax.Number:
    digits = value.rstrip("uUlL") if "0x" in value else value.rstrip("uUlLfF")
    if "int" in kind.split():
        number = int(digits, 0) if not re.fullmatch(r"0\d+", digits) else int(digits, 8)
        return syntax.Number(number, INT32 if abs(number) < 2**31 else INT64)
    if kind in ("double", "float"):
        if value[-1] in "fF" and "0x" not in value:
            return syntax.Number(single(digits), FLOAT)
        return syntax.Number(float(digits), DOUBLE)
    raise _Unknown


def _affine(f: Affine, names: tuple[str, ...]) -> syntax.Expr:
    """An iterator of the text, an int, by the canonical ones."""
    found: syntax.Expr | None = None
    for k, name in zip(f[0], names, strict=True):
        if k:
            term: syntax.Expr = syntax.Iterator(name)
            term = term if k == 1 else syntax.Binary("*", syntax.Number(k, INT64), term)
            found = term if found is None else syntax.Binary("+", found, term)
    constant = syntax.Number(f[1], INT64)
    if found is None:
        found = constant
    elif f[1]:
        found = syntax.Binary("+", found, constant)
    return syntax.Cast(INT32, found)
