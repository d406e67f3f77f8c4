"""What is odd in a program whatever its names: loops that leave one value of many, or none, sizes
that nothing uses, calls of what is no function, and C's traps. It may be meant: so it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeGuard

from polynb.scop.doubt import Doubt
from polynb.scop.mentions import Mentions
from polynb.source import tree as syntax
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.operators import COMPARISONS
from polynb.source.scoplang.printer import print_expression
from polynb.source.typos import meant, nearest

Named = syntax.Access | syntax.Parameter | syntax.Iterator
ORDER = ("<", ">", "<=", ">=")
_UNLIKE = ("-", "/", "%", "<", ">", "<=", ">=")
"""What has two different operands."""


def oddities(names: Mentions) -> Iterator[Doubt]:
    """What is no error and hardly meant, in the order in which it is told."""
    program = names.program
    yield from _functions(program)
    yield from _to_itself(program)
    yield from _both_sides(program)
    yield from _branches(names)
    yield from _chained(program)
    yield from _assumptions(program)
    yield from _loops(names, program.body, ())
    yield from _signs(program)
    yield from _quotients(program)
    yield from _sizes(names)


def _functions(program: syntax.Program) -> Iterator[Doubt]:
    """Calls of what is no function, and looks like one, or like an array."""
    defined = {f.name for f in program.functions}
    known = {*defined, *MATH_FUNCTIONS, *EXTREMA}
    asked: set[str] = set()
    for s in syntax.statements(program.body):
        for e in syntax.walk(s.value):
            if isinstance(e, syntax.Call) and e.function not in {*known, *asked}:
                asked.add(e.function)
                other = meant(e.function, known)
                if other is None and e.function[0].isupper() and _are_iterators(e.arguments):
                    other = e.function + "".join(f"[{a.name}]" for a in e.arguments)
                if other:
                    yield Doubt(e.function, other, "a function that nothing defines", span=e.span)


def _are_iterators(e: tuple[syntax.Expr, ...]) -> TypeGuard[tuple[syntax.Iterator, ...]]:
    return bool(e) and all(isinstance(x, syntax.Iterator) for x in e)


def _to_itself(program: syntax.Program) -> Iterator[Doubt]:
    """`x[i] = x[i]`, which changes nothing."""
    for s in syntax.statements(program.body):
        if syntax.same(s.target, s.value):
            yield Doubt(s.target.array, "", "assigned to itself", "", s.span or s.target.span,
                        "is another name or cell meant?")  # fmt: skip


def _both_sides(program: syntax.Program) -> Iterator[Doubt]:
    """`a[i] - a[i]`, which no value of a changes, and `i == i`. (`x == x` asks whether x is a
    number.)"""
    for s in syntax.every(program.body):
        found = (x for own in syntax.expressions(s) for x in syntax.walk(own))
        for e, left, right in filter(None, map(_two, found)):
            named = any(isinstance(x, Named) for x in syntax.walk(left))
            if named and syntax.same(left, right):
                text, span = f"`{print_expression(e)}`", e.span or s.span
                yield Doubt(text, "", "the same on both sides", "", span,
                            "is another name or cell meant?")  # fmt: skip
        yield from (d for e in syntax.expressions(s) for d in _between(e, s))
        if isinstance(s, syntax.If) and syntax.same(s.then, s.otherwise):
            yield Doubt("`else`", "", "the same as what it is behind", "", s.otherwise[0].span,
                        "is another name or cell meant?")  # fmt: skip


def _between(e: syntax.Expr, s: syntax.Stmt) -> Iterator[Doubt]:
    """Of `x[i] >= e[b] && x[i] < e[b]`, which compares the same twice."""
    for x in syntax.walk(e):
        if isinstance(x, syntax.Binary) and x.op == "&&" and orders(x.right):
            c, d = x.right.left, x.right.right
            pairs = [(y.left, y.right) for y in conjuncts(x.left) if orders(y)]
            if any(syntax.same(pair, (c, d)) or syntax.same(pair, (d, c)) for pair in pairs):
                yield Doubt(f"`{print_expression(x)}`", "", "a comparison of the same twice", "",
                            x.span or s.span, "is another name or cell meant?")  # fmt: skip


def conjuncts(e: syntax.Expr) -> list[syntax.Expr]:
    """The parts of `a && b && c`."""
    found = []
    while isinstance(e, syntax.Binary) and e.op == "&&":
        found.append(e.right)
        e = e.left
    return [e, *found]


def orders(e: syntax.Expr) -> TypeGuard[syntax.Binary]:
    return isinstance(e, syntax.Binary) and e.op in ORDER


def _two(e: syntax.Expr) -> tuple[syntax.Expr, syntax.Expr, syntax.Expr] | None:
    """An expression whose operands are two different ones, if it is meant, and both."""
    match e:
        case syntax.Binary(op=op, left=a, right=b) if op in _UNLIKE or _is_decided(e):
            return e, a, b
        case syntax.Call(function="min" | "max" | "fmin" | "fmax", arguments=(a, b)):
            return e, a, b
        case syntax.Select(then=a, otherwise=b):
            return e, a, b
    return None


def _is_decided(e: syntax.Expr) -> bool:
    """Whether it compares numbers that no data is in: counters and sizes."""
    if not isinstance(e, syntax.Binary) or e.op not in COMPARISONS or syntax.arrays(e):
        return False
    return any(isinstance(x, syntax.Iterator | syntax.Parameter) for x in syntax.walk(e))


def _branches(names: Mentions) -> Iterator[Doubt]:
    """`if c then m[i] = 1; else n[i] = 0; fi`, where only m is read, and a temporary."""
    for s in syntax.every(names.program.body):
        match s:
            case syntax.If(then=(syntax.Assign(target=a),), otherwise=(syntax.Assign(target=b),)):
                plain = all(isinstance(x, syntax.Iterator) for x in (*a.subscripts, *b.subscripts))
                if a.array == b.array and plain and not syntax.same(a, b):
                    why = f"not written where it is otherwise, at {print_expression(a)}"
                    yield Doubt(b.array, "", why, "", b.span or s.span, "are its subscripts right?")
                for here, there in ((a, b), (b, a)):
                    name, other = here.array, there.array
                    lost = names.names[name].dead and name not in names.declared
                    kept = other in names.temporaries and names.names[other].reads
                    near = nearest(name, [other]) and syntax.same(a.subscripts, b.subscripts)
                    if lost and kept and near and name not in names.temporaries:
                        why = f"never read, and written where {other} is not"
                        yield Doubt(name, other, why, "", here.span or s.span)


def _chained(program: syntax.Program) -> Iterator[Doubt]:
    """C's `0 < x < 1`, which compares a truth value. (The other language has no such thing.)"""
    for s in syntax.every(program.body):
        for e in (x for own in syntax.expressions(s) for x in syntax.walk(own)):
            if not orders(e):
                continue
            first, text = e.left, print_expression(e)
            if orders(first):
                then = f"{print_expression(first.right)} {e.op} {print_expression(e.right)}"
                yield Doubt(f"`{text}`", f"{print_expression(first)} && {then}",
                            "a comparison with a truth value", span=e.span or s.span)  # fmt: skip


def _assumptions(program: syntax.Program) -> Iterator[Doubt]:
    """`assume M >= M`, which says nothing."""
    for e in program.assumptions:
        if isinstance(e, syntax.Binary) and syntax.same(e.left, e.right):
            yield Doubt(f"`assume {print_expression(e)}`", "", "the same on both sides", "", e.span,
                        "is another size meant?")  # fmt: skip


# -- loops ----------------------------------------------------------------------------------


def _loops(
    names: Mentions, body: tuple[syntax.Stmt, ...], around: tuple[str, ...]
) -> Iterator[Doubt]:
    for s in body:
        match s:
            case syntax.For(iterator=i, body=inner):
                yield from _shadowing(s, around)
                yield from _overwritten(names, s)
                yield from _loops(names, inner, (*around, i))
            case syntax.If(then=a, otherwise=b):
                yield from _loops(names, (*a, *b), around)


def _shadowing(s: syntax.For, around: tuple[str, ...]) -> Iterator[Doubt]:
    """Of C's loop whose iterator hides an outer one (which is called i_1 here, for that)."""
    name = re.sub(r"_\d+$", "", s.iterator)
    if name in around and s.span is not None and s.iterator not in s.span.text:
        yield Doubt(name, "", "counted by a loop around this one already",
                    "Each has its own", s.span, "is another name meant?")  # fmt: skip


def _overwritten(names: Mentions, s: syntax.For) -> Iterator[Doubt]:
    """Of what every iteration computes anew, and none reads: the last value is left. (Of a
    temporary that nothing at all reads its role says enough.)"""
    read = syntax.arrays(*(e for inner in syntax.every(s.body) for e in _read(inner)))
    unread = {n for n in names.temporaries if names.names[n].dead}
    for a in s.body:
        if isinstance(a, syntax.Assign) and a.target.array not in read | unread:
            anew = not any(_uses(e, s.iterator) for e in a.target.subscripts)
            if anew and _uses(a.value, s.iterator):
                name, span = a.target.array, a.target.span
                cell = name if span is None else span.text
                yield Doubt(name, "", f"computed anew by each {s.iterator}, and none reads it",
                            f"A sum is `{cell} = {cell} + ...`", span,
                            "is only the last value meant?")  # fmt: skip


def _uses(e: syntax.Expr, iterator: str) -> bool:
    return any(isinstance(x, syntax.Iterator) and x.name == iterator for x in syntax.walk(e))


def _read(s: syntax.Stmt) -> tuple[syntax.Expr, ...]:
    """What a statement itself reads."""
    own = syntax.expressions(s)
    return (s.value, *s.target.subscripts) if isinstance(s, syntax.Assign) else own


# -- C's traps, and sizes --------------------------------------------------------------------


def _signs(program: syntax.Program) -> Iterator[Doubt]:
    """`y =+ x` and `y =- x` set apart: C's first operators, and no operators any more."""
    for s in syntax.statements(program.body):
        target, span = s.target.span, s.span
        if span is None or target is None or target.source is not span.source:
            continue
        found = re.match(r"\s*=([+-])\s", target.source.text[target.end : span.end])
        found = found or re.match(r"\s*=(\+)", target.source.text[target.end : span.end])
        if found is not None:
            c, sign = program.language == "c", found[1]
            other = f"`{sign}=`" if c else f"`= {target.text} {sign}`"
            yield Doubt(f"`={sign}`", other, "an assignment and a sign", span=span)


def _quotients(program: syntax.Program) -> Iterator[Doubt]:
    """`1/2 * x`, `1/N * x`: a quotient of two integers that is no integer."""
    asked: set[str] = set()
    for s in syntax.statements(program.body):
        for e in _values(s.value):
            match e:
                case syntax.Binary(op="/", left=syntax.Number(value=int(a)), right=by) if a:
                    quotient, value = print_expression(e), _quotient(a, by)
                    if value and quotient not in asked:
                        asked.add(quotient)
                        why = f"{value} in C, where integers have integer quotients"
                        other = f"{a}.0{quotient.removeprefix(str(a))}"
                        yield Doubt(quotient, other, why, span=e.span or s.span)


def _quotient(a: int, by: syntax.Expr) -> str:
    """What a number is by an integer, if that is hardly meant: "" where it is."""
    if isinstance(by, syntax.Number):
        b = by.value
        return str(int(a / b)) if isinstance(b, int) and b and a % b else ""
    return f"0 for {print_expression(by)} > {a}" if a > 0 and _counts(by) else ""


def _counts(e: syntax.Expr) -> bool:
    """Whether an expression is made of sizes, iterators and whole numbers."""
    match e:
        case syntax.Binary(op="+" | "-" | "*", left=left, right=right):
            numbers = isinstance(left, syntax.Number) and isinstance(right, syntax.Number)
            return not numbers and _counts(left) and _counts(right)
        case syntax.Number(value=value):
            return isinstance(value, int)
        case _:
            return isinstance(e, syntax.Parameter | syntax.Iterator)


def _values(e: syntax.Expr) -> Iterator[syntax.Expr]:
    """The parts of an expression, but for those in subscripts, where quotients are meant."""
    inside = {id(x) for a in syntax.accesses(e) for x in syntax.walk(*a.subscripts)}
    return (x for x in syntax.walk(e) if id(x) not in inside)


def _sizes(names: Mentions) -> Iterator[Doubt]:
    """Sizes that are declared for nothing."""
    program = names.program
    said = (*program.assumptions, *(e for d in program.declarations for e in d.extents or ()))
    used = {x.name for e in said for x in syntax.walk(e) if isinstance(x, syntax.Parameter)}
    for p in program.parameters if program.language == "scop" else ():
        if p not in used and not names.names[p].reads:
            yield Doubt(p, "", "a size that nothing uses")
