"""What C spells out and the tree has nodes for: minima, floor division, copies of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from polynb.errors import Span
from polynb.source.operators import TRUTH_VALUED
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Expr,
    Number,
    Select,
    Unary,
    rebuild,
    same,
    walk,
    with_children,
)
from polynb.source.types import INT32

# How programs call the smaller and the larger of two values; floord and ceild divide.
EXTREMA = {"min": "min", "max": "max", "MIN": "min", "MAX": "max"}
DIVISIONS = ("floord", "ceild")
# On LP64 machines long is long long.
SYNONYMS = {"labs": "llabs", "lrint": "llrint", "lround": "llround", "lrintf": "llrintf"}
PRINTING = frozenset({"printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc", "perror"})
IMPURE = PRINTING | frozenset(
    """sprintf snprintf scanf fscanf sscanf getchar
    fgetc fgets gets fread fwrite fopen fclose fflush rand srand random srandom drand48
    rand_r malloc calloc realloc free alloca exit abort assert time clock gettimeofday
    clock_gettime memcpy memmove memset strcpy strlen qsort frexp modf remquo omp_get_wtime
    lgamma lgammaf""".split()  # noqa: SIM905
)


def fresh(e: Expr) -> Expr:
    """A copy that shares no node with the original (two reads are two nodes)."""
    return rebuild(e, lambda node, new: with_children(replace(node), new))


def select(
    condition: Expr, then: Expr, otherwise: Expr, integer: Callable[[Expr], bool], span: Span
) -> Expr:
    """`condition ? then : otherwise`, as min or max where it is one.

    `min(a, b)` is `a < b ? a : b` and `max(a, b)` is `a > b ? a : b`, also for NaNs and zeros
    of two signs; `<=` and `>=` mean the same only for integers.
    """
    match condition:
        case Binary(op="<" | "<=" | ">" | ">=" as op, left=a, right=b):
            strict = op in ("<", ">") or (integer(a) and integer(b))
            name, other = ("min", "max") if op[0] == "<" else ("max", "min")
            if strict and same(a, then) and same(b, otherwise):
                return Call(name, (then, otherwise), span=span)
            if strict and same(b, then) and same(a, otherwise):
                return Call(other, (then, otherwise), span=span)
    return Select(condition, then, otherwise, span=span)


def division(name: str, numerator: Expr, divisor: Expr, span: Span) -> Expr:
    """floord(n, d) and ceild(n, d) = -floord(-n, d)."""
    if name == "floord":
        return Binary("floord", numerator, divisor, span=span)
    negated = Unary("-", numerator, span=numerator.span)
    return Unary("-", Binary("floord", negated, divisor, span=span), span=span)


def truth(e: Expr) -> bool:
    """Whether an expression is 0 or 1 by its form."""
    match e:
        case Binary(op=op):
            return op in TRUTH_VALUED
        case Unary(op="!"):
            return True
    return False


def boolean(e: Expr) -> Expr:
    """C's conversion to _Bool."""
    if truth(e):
        return e
    return Binary("!=", e, Number(0, INT32, span=e.span), span=e.span)


def without_casts(e: Expr, integer: Callable[[Expr], bool]) -> Expr:
    """A subscript, bound or condition without conversions of integers to int or wider, which
    change no index of an array that fits into memory."""

    def leaf(node: Expr, new: tuple[Expr, ...]) -> Expr:
        match node:
            case Cast(type=t) if not t.is_float and t.size >= 4 and integer(new[0]):
                return new[0]
        return with_children(node, new)

    return rebuild(e, leaf)


def integral(e: Expr, scalar: Callable[[str], bool]) -> bool:
    """Whether the value is an integer for sure; `scalar(name)` says it of a variable."""
    for node in walk(e):
        match node:
            case Number(type=t) if t.is_float:
                return False
            case Access(array=name) if not scalar(name):
                return False
            case Cast() | Call() | Select() if not _keeps_integers(node):
                return False
    return True


def _keeps_integers(e: Expr) -> bool:
    match e:
        case Cast(type=t):
            return not t.is_float
        case Call(function=f):
            return f in ("min", "max", "abs", "llabs")  # of integers: the operands are looked at
    return True
