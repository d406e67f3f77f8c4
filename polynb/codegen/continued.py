"""Loops that go on where the one before has ended, and do the same, as one loop.

lu updates what is left of the diagonal and what is right of it in two statements, and so in two
loops: `A[i][j]` from `k + 1` to `i - 1`, and on from `i`. Half as long each, they took 1.5 times as
long as the whole row does in one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from polynb.codegen.literals import substitute
from polynb.source.normal_form import Linear, linear_form
from polynb.source.tree import (
    Assign,
    Call,
    Expr,
    For,
    If,
    Iterator,
    Program,
    Stmt,
    expressions,
    same,
)


def with_loops_continued(program: Program) -> Program:
    """The program with those loops as one, under the labels of the first of them. Claims that
    it runs the same instances in the same order."""
    return replace(program, body=_Loops().block(program.body))


@dataclass(frozen=True)
class _Loops:
    """Inside of some loops, from the innermost out."""

    around: tuple[For, ...] = ()

    def block(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        for s in map(self.statement, body):
            before = found[-1] if found else None
            if isinstance(before, For) and isinstance(s, For) and self.goes_on(before, s):
                found[-1] = replace(before, upper=s.upper)
            else:
                found.append(s)
        return tuple(found)

    def statement(self, s: Stmt) -> Stmt:
        match s:
            case For():
                return replace(s, body=_Loops((s, *self.around)).block(s.body))
            case If(then=a, otherwise=b):
                return replace(s, then=self.block(a), otherwise=self.block(b))
        return s

    def goes_on(self, first: For, second: For) -> bool:
        """Whether the second of two neighbours begins right behind the end of the first, ends there
        or later, and does the same. (One of them may be empty, but not begin before that.)"""
        if first.step != 1 or first.kind != "sequential" or not _alike(first, second):
            return False
        lower, end, start = map(linear_form, (first.lower, first.upper, second.lower))
        if lower is None or end is None or start is None:
            return False
        between = start.plus(end, -1)
        if between.terms or between.constant != 1:
            return False
        ends = [linear_form(e) for e in _parts(second.upper, "min")]
        later = all(e is not None and self.never_negative(e.plus(end, -1)) for e in ends)
        return later and self.never_negative(start.plus(lower, -1))

    def never_negative(self, value: Linear) -> bool:
        """Whether a number is at least 0 wherever the loops around are: as far as it shows, if they
        are taken for as far as they go, from the innermost out."""
        for k, loop in enumerate(self.around):
            c, _ = value.terms.get(key := ("i", loop.iterator), (0, None))
            if not c:
                continue
            limits = _parts(loop.upper, "min") if c < 0 else _parts(loop.lower, "max")
            each = [linear_form(e) for e in limits] if loop.step > 0 else []
            rest = replace(value, terms={x: t for x, t in value.terms.items() if x != key})
            outer = _Loops(self.around[k + 1 :])
            return any(outer.never_negative(rest.plus(e, c)) for e in each if e is not None)
        return not value.terms and value.constant >= 0


def _parts(bound: Expr, function: str) -> tuple[Expr, ...]:
    """All that a bound is no further than."""
    match bound:
        case Call(function=f, arguments=parts) if f == function:
            return parts
    return (bound,)


def _alike(first: For, second: For) -> bool:
    """Whether two loops differ in nothing but how far they go, and what their statements are
    called."""
    head = replace(second, iterator=first.iterator, lower=first.lower, upper=first.upper, body=())
    if not same(replace(first, body=()), head) or len(first.body) != len(second.body):
        return False
    renamed = {second.iterator: Iterator(first.iterator)}
    for a, b in zip(first.body, second.body, strict=True):
        if not isinstance(a, Assign) or not isinstance(b, Assign):
            return False
        pairs = zip(expressions(a), expressions(b), strict=True)
        if not all(same(x, substitute(y, renamed)) for x, y in pairs):
            return False
    return True
