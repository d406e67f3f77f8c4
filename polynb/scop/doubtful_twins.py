"""What a person writes a second time, for y after x, with a name left as it was: the copy runs as
well (after Li, Lu, Myagmar, Zhou: CP-Miner, OSDI 2004)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.doubtful_sums import iterators
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression
from polynb.source.typos import are_twins, difference

Named = syntax.Access | syntax.Parameter
Difference = tuple[syntax.Access, syntax.Access]


def doubtful_twins(program: syntax.Program) -> Iterator[Doubt]:
    """The questions: about statements, then about differences in them."""
    for body in _blocks(program.body):
        yield from _summed_alike([s for s in body if isinstance(s, syntax.Assign)])
    yield from _left_behind(program)
    yield from _crossed(program)
    for s in syntax.statements(program.body):
        yield from _mixed(s)
        yield from _centred(s)


def _blocks(body: tuple[syntax.Stmt, ...]) -> Iterator[tuple[syntax.Stmt, ...]]:
    yield body
    for s in syntax.every(body):
        match s:
            case syntax.For(body=inner):
                yield inner
            case syntax.If(then=a, otherwise=b):
                yield from (a, b)


def _summed_alike(block: list[syntax.Assign]) -> Iterator[Doubt]:
    """Of `col[i] = col[i] + b[i][j];` behind `row[i] = row[i] + b[i][j];`, which adds the same."""
    adding = [(s, e) for s in block if (e := _added(s)) is not None]
    for (first, a), (then, b) in pairwise(adding):
        here, there = then.target, first.target
        alike = here.subscripts and syntax.same(here.subscripts, there.subscripts)
        if alike and here.array != there.array and syntax.same(a, b):
            why = f"computed here from the same as {there.array}"
            yield Doubt(here.array, "", why, f"If they are, {MEANT}", here.span or then.span,
                        "are its subscripts the right ones?")  # fmt: skip


def _added(s: syntax.Assign) -> tuple[str, syntax.Expr] | None:
    """What a statement adds to its cell, or takes from it, and so on: something that it reads."""
    match s.value:
        case syntax.Binary(op=op, left=left, right=e) if syntax.same(s.target, left):
            return (op, e) if any(isinstance(x, syntax.Access) for x in syntax.walk(e)) else None
    return None


def _left_behind(program: syntax.Program) -> Iterator[Doubt]:
    """Of `dy = y - cx;` beside `dx = x - cx;`, where there is a cy: the one is the other with y for
    x in its names, but for some. (A copy is the next one.)"""
    shapes: dict[object, list[tuple[syntax.Assign, list[Named]]]] = defaultdict(list)
    known: set[str] = {*program.parameters}
    for s in syntax.statements(program.body):
        names = [x for e in (s.target, s.value) for x in syntax.walk(e) if isinstance(x, Named)]
        known |= {_name(x) for x in names}
        shapes[_shape(s)].append((s, names))
    for alike in shapes.values():
        for (a, first), (b, then) in [*pairwise(alike), *pairwise(alike[::-1])]:
            yield from _not_renamed(a.target.array, b.target.array, first, then, known)


def _name(x: Named) -> str:
    return x.array if isinstance(x, syntax.Access) else x.name


def _shape(s: syntax.Assign) -> tuple[object, ...]:
    """What statements have in common that differ in names of arrays and sizes alone."""
    nodes = [x for e in (s.target, s.value) for x in syntax.walk(e)]
    return tuple(
        (type(x), len(syntax.children(x)), () if isinstance(x, Named) else syntax.own(x))
        for x in nodes
    )


def _not_renamed(
    a: str, b: str, first: list[Named], then: list[Named], known: set[str]
) -> Iterator[Doubt]:
    """Of names that one statement has from the other, where all others are renamed as its own."""
    old, new = difference(a, b)
    if not (old and new) or old in b or new in a:
        return
    pairs = [(_name(x), _name(y), y) for x, y in zip(first, then, strict=True)]
    own = {x for x, _, _ in pairs}
    if any(y not in (x, x.replace(old, new)) for x, y, _ in pairs):
        return
    if all(x in (y, a) for x, y, _ in pairs):
        return
    for x, y, place in pairs:
        other = x.replace(old, new)
        if x == y != other and len(x) > len(old) and other in known - own:
            why = f"read for {b} as for {a}, and other names are not"
            yield Doubt(x, other, why, f"If not, {MEANT}", place.span)
            return


def _mixed(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `px[i] - py[j]` beside `px[i] - px[j]` and `py[i] - py[j]`."""
    pairs = [
        (e.left, e.right)
        for e in syntax.walk(s.value)
        if isinstance(e, syntax.Binary) and e.op == "-"
        if isinstance(e.left, syntax.Access) and isinstance(e.right, syntax.Access)
    ]
    known = {(print_expression(a), print_expression(b)) for a, b in pairs}
    for a, b in pairs:
        alone = [(x, y) for x, y in pairs if syntax.same((x, y), (a, b))] == [(a, b)]
        both = (
            (print_expression(a), print_expression(replace(b, array=a.array))),
            (print_expression(replace(a, array=b.array)), print_expression(b)),
        )
        if alone and are_twins(a.array, b.array) and known.issuperset(both):
            why = f"subtracted from {print_expression(a)} here, and elsewhere from its own"
            yield Doubt(b.array, a.array, why, f"If not, {MEANT}", b.span)


def _centred(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `(X[k][i] - m[i]) * (X[k][j] - m[i])`, where m[j] is of X[k][j]."""
    for e in syntax.walk(s.value):
        match e:
            case syntax.Binary(
                op="*",
                left=syntax.Binary(op="-", left=syntax.Access() as x, right=syntax.Access() as m),
                right=syntax.Binary(op="-", left=syntax.Access() as y, right=syntax.Access() as n),
            ) if x.array == y.array and syntax.same(m, n):
                used, here, there = ({*iterators(a)} for a in (m, x, y))
                if len(used & (here ^ there)) == 1 == len(here - there) == len(there - here):
                    odd, own = (y, n) if used & here else (x, m)
                    why = f"subtracted from {print_expression(odd)} as from its like"
                    yield Doubt(f"`{print_expression(own)}`", "", why, f"If not, {MEANT}", own.span,
                                "are its subscripts the right ones?")  # fmt: skip


def _crossed(program: syntax.Program) -> Iterator[Doubt]:
    """Of `(x[i] - mx) * (y[i] - mx)`, where there are several `x[i] - mx`, and `y[i] - my`."""
    found: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for s in syntax.statements(program.body):
        for e in syntax.walk(s.value):
            match e:
                case syntax.Binary(op="-", left=syntax.Access() as a, right=syntax.Access() as b):
                    found[print_expression(a), print_expression(b)].append((a, b))
    often = {pair: each[0] for pair, each in found.items() if len(each) > 1}
    for (left, right), ((y, mx), *more) in found.items():
        mine = [b for (a, _), (_, b) in often.items() if a == left]
        its = [a for (_, b), (a, _) in often.items() if b == right]
        if not more and len(mine) == len(its) == 1:
            (my,), (x,) = mine, its
            if are_twins(mx.array, my.array) and x.array != y.array:
                why = f"subtracted from {left} here, and from {print_expression(x)} elsewhere"
                yield Doubt(mx.array, my.array, why, f"If not, {MEANT}", mx.span)
