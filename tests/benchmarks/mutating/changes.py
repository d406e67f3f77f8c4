"""What becomes of an expression in a mutant: one operator, condition or relation is another.

A replacement names all that the original names, so that a function keeps its free variables and
its code can be exchanged where it stands.
"""

import ast
from collections.abc import Iterator
from typing import Final

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
BOTH_WAYS: Final = (
    ("lex_lt_map", "lex_le_map"),
    ("lex_gt_map", "lex_ge_map"),
    ("lex_lt_set", "lex_le_set"),
    ("lt_set", "le_set"),
    ("gt_set", "ge_set"),
    ("eq_set", "ne_set"),
    ("domain", "range"),
    ("domain_map", "range_map"),
    ("apply_domain", "apply_range"),
    ("lexmin", "lexmax"),
    ("dim_min", "dim_max"),
    ("any", "all"),
    ("min", "max"),
)
CALLED: Final[dict[str, tuple[str, ...]]] = {
    **{a: (b,) for a, b in BOTH_WAYS},
    **{b: (a,) for a, b in BOTH_WAYS},
    "union": ("intersect",),
    "intersect": ("union",),
    "subtract": ("intersect",),
    "is_equal": ("is_subset",),
    "is_subset": ("is_equal",),
}
LEFT_OUT: Final = {
    "union",
    "intersect",
    "subtract",
    "intersect_domain",
    "intersect_range",
    "intersect_params",
    "subtract_domain",
    "subtract_range",
    "reverse",
    "complement",
}
"""Methods whose result is as the receiver is, or might be: the receiver stands for the call."""


def variants(node: ast.expr, decides: bool) -> Iterator[ast.expr]:
    """What an expression becomes in mutants; `decides`: it is the condition of something."""
    if decides:
        yield ast.BoolOp(ast.Or(), [node, ast.Constant(True)])
        yield ast.BoolOp(ast.And(), [node, ast.Constant(False)])
    match node:
        case ast.Compare(left, [op], [right]):
            yield ast.Compare(left, [COMPARED[type(op)]()], [right])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield from (_without(op, values, k) for k in range(len(values)))
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in COMPUTED:
            yield ast.BinOp(left, COMPUTED[type(op)](), right)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
        case ast.Call():
            yield from _other_calls(node)


def _without(op: ast.boolop, values: list[ast.expr], k: int) -> ast.expr:
    """A conjunction or disjunction in which one part decides nothing."""
    neutral = isinstance(op, ast.And)
    part = ast.BoolOp(ast.Or() if neutral else ast.And(), [values[k], ast.Constant(neutral)])
    return ast.BoolOp(op, [*values[:k], part, *values[k + 1 :]])


def _other_calls(node: ast.Call) -> Iterator[ast.expr]:
    match node:
        case ast.Call(ast.Attribute(receiver, name), args):
            for other in CALLED.get(name, ()):
                yield ast.Call(ast.Attribute(receiver, other, ast.Load()), args, node.keywords)
            if name in LEFT_OUT:
                yield ast.Subscript(_tuple(receiver, *args), ast.Constant(0), ast.Load())
            if name == "is_subset":
                other_way = ast.Attribute(args[0], name, ast.Load())
                yield ast.Call(other_way, [receiver], node.keywords)
        case ast.Call(ast.Name(name), args) if name in CALLED:
            for other in CALLED[name]:
                yield ast.Call(ast.Name(other, ast.Load()), args, node.keywords)


def _tuple(*parts: ast.expr) -> ast.Tuple:
    return ast.Tuple(list(parts), ast.Load())
