"""Expressions as straight-line code over an algebra of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from polynb.errors import PolynbError
from polynb.source import tree as syntax
from polynb.source.types import INT64, ElementType

V = TypeVar("V")


class Algebra(Protocol[V]):
    """The operations on values. `integer` and `truth` are None for what depends on data."""

    def number(self, value: int | float, type: ElementType) -> V: ...
    def integer(self, value: V, /) -> int | None: ...
    def truth(self, value: V, /) -> bool | None: ...
    def convert(self, type: ElementType, value: V, /) -> V: ...
    def unary(self, op: str, x: V) -> V: ...
    def binary(self, op: str, a: V, b: V) -> V: ...
    def call(self, name: str, arguments: Sequence[V]) -> V: ...
    def select(self, condition: V, a: V, b: V) -> V: ...


class Storage(Protocol[V]):
    """Where values are kept. `guard` is a condition that depends on data, or None."""

    def load(self, array: str, index: tuple[V, ...]) -> V: ...
    def store(self, array: str, index: tuple[V, ...], value: V, guard: V | None) -> None: ...


@dataclass
class StatementPlan(Generic[V]):
    """Some expressions, one step for each node of their DAG, operands first: long chains need no
    deep recursion, and shared nodes cost nothing extra. A step gets the values of the steps
    before it, and those of iterators and parameters.

    `roots` says which steps hold the expressions, `index` (by the identity of an access) which
    hold its subscripts.
    """

    steps: list[Callable[[list[V], Mapping[str, int]], V]] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)
    index: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def run(self, environment: Mapping[str, int]) -> list[V]:
        values: list[V] = []
        for step in self.steps:
            values.append(step(values, environment))
        return values


class Planner(Generic[V]):
    """Makes plans; `define`d functions are expanded."""

    def __init__(
        self, functions: Sequence[syntax.Define], algebra: Algebra[V], memory: Storage[V]
    ) -> None:
        self.functions = {f.name: f for f in functions}
        self.algebra = algebra
        self.memory = memory

    def plan(self, *roots: syntax.Expr) -> StatementPlan[V]:
        plan: StatementPlan[V] = StatementPlan()
        done: dict[int, int] = {}
        plan.roots = [self._add(plan, root, done, _Frame()) for root in roots]
        return plan

    def _add(
        self, plan: StatementPlan[V], root: syntax.Expr, done: dict[int, int], frame: _Frame
    ) -> int:
        """Append the steps of an expression and say which one holds it; `done` are the nodes
        that have one already."""
        stack = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in done:
                continue
            if ready:
                operands = tuple(done[id(c)] for c in syntax.children(node))
                done[id(node)] = self._place(plan, node, operands, frame)
            else:
                stack.append((node, True))
                stack += [(c, False) for c in reversed(syntax.children(node))]
        return done[id(root)]

    def _place(
        self, plan: StatementPlan[V], node: syntax.Expr, operands: tuple[int, ...], frame: _Frame
    ) -> int:
        match node:
            case syntax.Let():
                return operands[0]
            case syntax.Access(array=name) if name in frame.arguments and not operands:
                return frame.arguments[name]
            case syntax.Call(function=name) if name in self.functions:
                function = self.functions[name]
                return self._add(plan, function.body, {}, frame.enter(function, operands, node))
            case syntax.Access():
                plan.index[id(node)] = operands
        plan.steps.append(self._step(node, operands))
        return len(plan.steps) - 1

    def _step(
        self, node: syntax.Expr, operands: tuple[int, ...]
    ) -> Callable[[list[V], Mapping[str, int]], V]:
        algebra, memory = self.algebra, self.memory
        match node:
            case syntax.Number(value=value, type=type):
                constant = algebra.number(value, type)
                return lambda v, e: constant
            case syntax.Parameter(name=name) | syntax.Iterator(name=name):
                return lambda v, e: algebra.number(e[name], INT64)
            case syntax.Access(array=array):
                return lambda v, e: memory.load(array, tuple([v[k] for k in operands]))
            case syntax.Unary(op=op):
                (x,) = operands
                return lambda v, e: algebra.unary(op, v[x])
            case syntax.Binary(op=op):
                a, b = operands
                return lambda v, e: algebra.binary(op, v[a], v[b])
            case syntax.Call(function=name):
                return lambda v, e: algebra.call(name, [v[k] for k in operands])
            case syntax.Select():
                c, a, b = operands
                return lambda v, e: algebra.select(v[c], v[a], v[b])
            case syntax.Cast(type=type):
                (x,) = operands
                return lambda v, e: algebra.convert(type, v[x])
        raise AssertionError(node)


@dataclass(frozen=True)
class _Frame:
    """The function whose body is being planned: the steps of its arguments, and its callers."""

    arguments: Mapping[str, int] = field(default_factory=dict)
    callers: tuple[str, ...] = ()

    def enter(
        self, function: syntax.Define, operands: tuple[int, ...], call: syntax.Expr
    ) -> _Frame:
        if function.name in self.callers:
            raise PolynbError(
                f"{function.name} calls itself", span=call.span, hint="a definition that does not"
            )
        if len(function.arguments) != len(operands):
            raise PolynbError(
                f"{function.name} takes {len(function.arguments)} arguments, not {len(operands)}",
                span=call.span,
            )
        bound = dict(zip(function.arguments, operands, strict=True))
        return _Frame(bound, (*self.callers, function.name))
