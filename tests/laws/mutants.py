"""Programs with one mistake: a subscript, an operator, a bound, an order, a constant or a type."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from polynb.source import tree as syntax
from polynb.source.types import DOUBLE, FLOAT, INT16, INT32

ONE = syntax.Number(1, INT32)
OPERATORS = {
    **{"+": "-", "-": "+", "*": "+", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    **{"==": "!=", "!=": "==", "&&": "||", "||": "&&"},
}

Body = tuple[syntax.Stmt, ...]
Place = tuple[str, syntax.Node, Callable[[], syntax.Node | Body]]
"""What kind of mistake, in which node, and what becomes of it."""


def mutant(program: syntax.Program, random: Random) -> tuple[str, syntax.Program] | None:
    """The kind of a mistake, chosen first, and the program with it; None if it has no place."""
    places = list(_places(program.body, random))
    kinds = sorted({kind for kind, _, _ in places})
    if not kinds:
        return None
    chosen = random.choice(kinds)
    _, node, made = random.choice([p for p in places if p[0] == chosen])
    return chosen, replace(program, body=_replaced(program.body, node, made()))


def _places(body: Body, random: Random) -> Iterator[Place]:
    for k, s in enumerate(body):
        match s:
            case syntax.Assign():
                yield from _in_assignment(s, random)
            case syntax.If(condition=c, then=a, otherwise=b):
                yield from _in_expression(c, random)
                yield from _places(a, random)
                yield from _places(b, random)
            case syntax.For(lower=low, upper=high):
                step = syntax.Binary("+", low, ONE), syntax.Binary("-", high, ONE)
                yield "bound", s, lambda s=s, x=step[0]: replace(s, lower=x)
                yield "bound", s, lambda s=s, x=step[1]: replace(s, upper=x)
                if abs(s.step) == 1:
                    turned = replace(s, lower=high, upper=low, step=-s.step)
                    yield "order", s, lambda x=turned: x
                yield from _places(s.body, random)
        if k + 1 < len(body):
            yield "order", s, lambda s=s, t=body[k + 1]: (t, s)


def _in_assignment(s: syntax.Assign, random: Random) -> Iterator[Place]:
    yield "statement", s, lambda: ()
    for t in (FLOAT, INT16):
        yield "type", s, lambda t=t: replace(s, value=syntax.Cast(t, s.value))
    yield from _in_expression(s.target, random)
    yield from _in_expression(s.value, random)


def _in_expression(root: syntax.Expr, random: Random) -> Iterator[Place]:
    for e in syntax.walk(root):
        match e:
            case syntax.Access(subscripts=(*_, last)):
                other = random.choice(
                    [syntax.Binary("+", last, ONE), syntax.Binary("-", last, ONE)]
                )
                new = (*e.subscripts[:-1], other)
                yield "subscript", e, lambda e=e, x=new: replace(e, subscripts=x)
            case syntax.Number(value=int(v), type=t):
                yield "constant", e, lambda e=e, v=v: replace(e, value=v + 1)
                if not t.is_float:
                    yield "type", e, lambda v=v: syntax.Number(float(v), DOUBLE)
            case syntax.Number(value=v):
                yield "constant", e, lambda e=e, v=v: replace(e, value=v + 0.5)
            case syntax.Binary(op=op, left=a, right=b):
                if op in OPERATORS:
                    yield "operator", e, lambda e=e, op=op: replace(e, op=OPERATORS[op])
                yield "operands", e, lambda e=e, a=a, b=b: replace(e, left=b, right=a)


def _replaced(body: Body, node: syntax.Node, new: syntax.Node | Body) -> Body:
    """The body with a statement (and, if it becomes two, the next one) or an expression changed."""
    made: list[syntax.Stmt] = []
    skip = False
    for s in body:
        if skip:
            skip = False
            continue
        if s is node:
            made += new if isinstance(new, tuple) else [new]
            skip = isinstance(new, tuple) and len(new) == 2
            continue
        match s:
            case syntax.Assign(target=t, value=v):
                made.append(replace(s, target=_changed(t, node, new), value=_changed(v, node, new)))
            case syntax.If(condition=c, then=a, otherwise=b):
                inside = (_replaced(x, node, new) for x in (a, b))
                then, otherwise = inside
                made.append(
                    replace(s, condition=_changed(c, node, new), then=then, otherwise=otherwise)
                )
            case syntax.For():
                made.append(replace(s, body=_replaced(s.body, node, new)))
    return tuple(made)


def _changed(root: syntax.Expr, node: syntax.Node, new: object) -> syntax.Expr:
    def visit(e: syntax.Expr, parts: tuple[syntax.Expr, ...]) -> syntax.Expr:
        return new if e is node else syntax.with_children(e, parts)

    return syntax.rebuild(root, visit)
