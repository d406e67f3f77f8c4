"""The subscripts of an access as its text writes them, as functions of the canonical iterators."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pycparser import CParser, c_ast
from pycparser.c_parser import ParseError

from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.feedback.loops import LoopKey, loop_keys
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction

Affine = tuple[tuple[int, ...], int]
"""Coefficients of an instruction's iterators, outermost first, and the constant."""


def expression_tree(text: str) -> Any | None:
    """The tree of a C expression, None for what is none (or is cut)."""
    try:
        file = CParser().parse(f"void f(void) {{ {text}; }}")
    except (ParseError, AssertionError):
        return None
    items = file.ext[0].body.block_items
    return items[0] if items and len(items) == 1 else None


class Subscripts:
    """What the text's iterators are, and the subscripts of accesses with them."""

    def __init__(self, folding: Folding) -> None:
        self.folding = folding
        self._known: dict[str, tuple[Affine, ...] | None] = {}

    def of(self, i: Instruction) -> tuple[Affine, ...] | None:
        """The subscripts of an access, outermost first; None where the text does not say, or they
        are no affine functions of iterators."""
        if i.name not in self._known:
            self._known[i.name] = self._of(i)
        return self._known[i.name]

    def _of(self, i: Instruction) -> tuple[Affine, ...] | None:
        node, found = expression_tree(i.text), list[Affine]()
        values = self.iterators(i)
        while isinstance(node, c_ast.ArrayRef):
            subscript = affine(node.subscript, values, len(i.loops))
            if subscript is None:
                return None
            found.insert(0, subscript)
            node = node.name
        return tuple(found) if found and isinstance(node, c_ast.ID) else None

    def iterators(self, i: Instruction) -> dict[str, Affine]:
        """The values of the iterators of the text around an instruction, by what its function
        calls them."""
        functions = {x.name: x for x in self.folding.loops}
        found = {}
        for name, value in zip(i.loops, self.values(i), strict=True):
            loop = functions.get(name)
            if value is not None and loop is not None and loop.function == i.function:
                found[loop.iterator] = value
        return found

    def values(self, i: Instruction) -> tuple[Affine | None, ...]:
        """The value of the text's iterator of each loop around an instruction, outermost first;
        None where there is none, or it is not known."""
        found: list[Affine | None] = []
        for key in loop_keys(self.folding, i):
            known = self._values.get(key)
            if known is None:
                found.append(None)
            else:
                padding = (0,) * (len(i.loops) - len(known[0]))
                found.append(((*known[0], *padding), known[1]))
        return tuple(found)

    @cached_property
    def _values(self) -> Mapping[LoopKey, Affine]:
        """By loop: its iterator's value in an iteration; from what counts it, which runs at the
        iteration's end."""
        loops = {x.name: x for x in self.folding.loops}
        found = {}
        for i in self.folding.instructions.values():
            if i.kind != "integer" or not i.loops:
                continue
            loop = loops.get(i.loops[-1])
            if loop is None or not loop.iterator or variable_of(i) != loop.iterator:
                continue
            step = _step(i.text)
            pieces = self.folding.executed[i.name].pieces
            functions = {p.labels[0] for p in pieces if p.is_affine}
            if step is None or len(functions) != 1 or not all(p.is_affine for p in pieces):
                continue
            label = functions.pop()
            coefficients = tuple(int(str(k)) for k in label.coefficients)
            key = loop_keys(self.folding, i)[-1]
            found[key] = (coefficients, label.constant - step)
        return found


def _step(text: str) -> int | None:
    node = expression_tree(text)
    match node:
        case c_ast.UnaryOp(op="p++" | "++"):
            return 1
        case c_ast.UnaryOp(op="p--" | "--"):
            return -1
        case c_ast.Assignment(op="+=" | "-=" as op, rvalue=c_ast.Constant(value=value)):
            return int(value) if op == "+=" else -int(value)
    return None


def affine(e: Any, values: Mapping[str, Affine], width: int) -> Affine | None:
    """An affine expression of iterators whose values are known; None for any other."""
    match e:
        case c_ast.Constant(type="int", value=value):
            return (0,) * width, int(value, 0)
        case c_ast.ID(name=name):
            return values.get(name)
        case c_ast.UnaryOp(op="-", expr=inner):
            return _scaled(affine(inner, values, width), -1)
        case c_ast.BinaryOp(op="+" | "-" as op, left=a, right=b):
            left, right = affine(a, values, width), affine(b, values, width)
            return _sum(left, _scaled(right, 1 if op == "+" else -1))
        case c_ast.BinaryOp(op="*", left=a, right=b):
            left, right = affine(a, values, width), affine(b, values, width)
            if left is not None and right is not None:
                for x, y in ((left, right), (right, left)):
                    if not any(x[0]):
                        return _scaled(y, x[1])
    return None


def _scaled(f: Affine | None, k: int) -> Affine | None:
    return None if f is None else (tuple(k * x for x in f[0]), k * f[1])


def _sum(f: Affine | None, g: Affine | None) -> Affine | None:
    if f is None or g is None:
        return None
    return tuple(x + y for x, y in zip(f[0], g[0], strict=True)), f[1] + g[1]
