"""The operators of the SCoP language (C's, and words for the logical ones), loosest first."""

from __future__ import annotations

from polynb.source.tree import Access, Binary, Call, Cast, Expr, Number, Select, children, walk

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
TRUTH_VALUED = (*COMPARISONS, "&&", "||")
TRUTHS = (*TRUTH_VALUED, "!")
SELECT = 0
_LEVELS = (
    ("||",),
    ("&&",),
    ("not",),  # looser than comparisons: `not i == j` is `!(i == j)`
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
PRECEDENCE = {op: level for level, ops in enumerate(_LEVELS, SELECT + 1) for op in ops}
UNARY = len(_LEVELS) + 1
PRIMARY = UNARY + 1

# The words for the logical operators are synonyms.
WORDS = {"and": "&&", "or": "||", "not": "!"}


def is_data(e: Expr) -> bool:
    """Whether an expression depends on data or is not of integers: it reads a cell, calls a
    function other than min and max, or has floating-point literals or casts.

    In affine places, `/` and `%` stay C's on such operands; on all others they are floor
    division and its remainder.
    """
    return any(says_data(x) for x in walk(e))


def says_data(e: Expr) -> bool:
    """The same of a node alone."""
    match e:
        case Access():
            return True
        case Call(function=f):
            return f not in ("min", "max")
        case Number(type=t) | Cast(type=t):
            return t.is_float
    return False


def divides(e: Expr) -> bool:
    """Whether an expression is one of C's divisions."""
    return isinstance(e, Binary) and e.op in ("/", "%")


def evaluated(e: Expr) -> set[int]:
    """The ids of the nodes that run whenever it does: no branches of `?:`, `&&` and `||`."""
    seen: set[int] = set()
    stack = [e]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            match node:
                case Select(condition=c):
                    stack.append(c)
                case Binary(op="&&" | "||", left=a):
                    stack.append(a)
                case _:
                    stack.extend(children(node))
    return seen
