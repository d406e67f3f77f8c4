"""Syntax trees of statements -> nodes: definitions expanded, what is shared stays shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polynb import isl
from polynb.errors import PolynbError
from polynb.proofs.nodes import Nodes, Read, ValueNode
from polynb.scop.affine import AffineFrame
from polynb.source import tree as syntax
from polynb.source.types import INT64


@dataclass(frozen=True)
class Expansion:
    """The definition whose body is being read: its arguments, and who called it."""

    arguments: Mapping[str, ValueNode] = field(default_factory=dict)
    callers: tuple[str, ...] = ()


class Reader:
    """Reads the expressions of one statement. `reads` are by the identities of their accesses."""

    def __init__(
        self,
        nodes: Nodes,
        functions: Mapping[str, syntax.Define],
        reads: Mapping[int, Read],
    ) -> None:
        self.nodes = nodes
        self.functions = functions
        self.reads = reads
        self.frame = AffineFrame(nodes.space)
        self._done: dict[int, ValueNode] = {}

    def node(self, root: syntax.Expr) -> ValueNode:
        return self._node(root, self._done, Expansion())

    def _node(self, root: syntax.Expr, done: dict[int, ValueNode], call: Expansion) -> ValueNode:
        stack = [root]
        while stack:
            e = stack[-1]
            if id(e) not in done:
                inside = self._operands(e)
                todo = [x for x in inside if id(x) not in done]
                if todo:
                    stack.extend(reversed(todo))
                    continue
                done[id(e)] = self._made(e, tuple(done[id(x)] for x in inside), call)
            stack.pop()
        return done[id(root)]

    def _operands(self, e: syntax.Expr) -> tuple[syntax.Expr, ...]:
        """The subexpressions whose values matter: not subscripts that a read's cells say."""
        if isinstance(e, syntax.Access):
            read = self.reads.get(id(e))
            return () if read is None else tuple(e.subscripts[k] for k in read.index)
        return syntax.children(e)

    def _made(self, e: syntax.Expr, operands: tuple[ValueNode, ...], call: Expansion) -> ValueNode:
        nodes = self.nodes
        match e:
            case syntax.Let():
                return operands[0]
            case syntax.Number(value=value, type=type):
                return nodes.number(value, type)
            case syntax.Parameter(name=name):
                return self._variable(isl.PARAM, name)
            case syntax.Iterator(name=name):
                return self._variable(isl.SET, name)
            case syntax.Access(array=name) if name in call.arguments and not e.subscripts:
                return call.arguments[name]
            case syntax.Access():
                return self._read(e, operands)
            case syntax.Call(function=name) if name in self.functions:
                return self._expanded(self.functions[name], operands, call)
            case syntax.Call(function=name):
                return nodes.call(name, operands)
            case syntax.Unary(op=op):
                return nodes.unary(op, *operands)
            case syntax.Binary(op=op):
                return nodes.binary(op, *operands)
            case syntax.Select():
                return nodes.select(*operands)
            case syntax.Cast(type=type):
                return nodes.convert(type, *operands)

    def _variable(self, kind: isl.dim_type, name: str) -> ValueNode:
        return self.nodes.whole(self.frame.variable(kind, name).to_pw_aff(), INT64)

    def _read(self, e: syntax.Access, index: tuple[ValueNode, ...]) -> ValueNode:
        if id(e) not in self.reads:
            raise PolynbError(f"{self.nodes.statement} has no such read of {e.array} in its model")
        return self.nodes.load(self.reads[id(e)], index)

    def _expanded(
        self, f: syntax.Define, operands: tuple[ValueNode, ...], call: Expansion
    ) -> ValueNode:
        if f.name in call.callers:
            raise PolynbError(f"{f.name} calls itself", hint="a definition that does not")
        if len(f.arguments) != len(operands):
            raise PolynbError(
                f"{f.name} takes {len(f.arguments)} arguments, not {len(operands)}", span=f.span
            )
        bound = dict(zip(f.arguments, operands, strict=True))
        return self._node(f.body, {}, Expansion(bound, (*call.callers, f.name)))
