"""Which operations are harmless where their value is not used."""

from __future__ import annotations

from polynb.source.tree import Binary, Call, Cast, Expr, Number, walk
from polynb.source.type_inference import Types


def may_trap(node: Expr, types: Types) -> bool:
    """Whether an operation, given its operands, is undefined for some values of them. Functions
    without a definition, with which no kernel can be compiled, are taken to be like sqrt."""
    match node:
        case Binary(op="/" | "%" | "floord" | "mod", right=Number(value=v)) if v > 0:
            return False
        case Binary(op="/" | "%" | "floord" | "mod" | "<<" | ">>"):
            return not types.of(node).is_float
        case Cast(type=t, operand=x):
            return types.of(x).is_float and not t.is_float
        case Call(function=f, arguments=arguments) if f in types.functions:
            function = types.functions[f]
            inside = types.inside(function, [types.of(a) for a in arguments])
            return any(may_trap(x, inside) for x in walk(function.body))
    return False
