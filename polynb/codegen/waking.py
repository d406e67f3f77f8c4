"""Whether a parallel loop has enough work to wake threads for, decided when it runs.

Threads that sleep take tens of microseconds to come, on a virtual machine that others use hundreds.
A loop inside a sequential one pays that for each iteration of the outer one, and even an OpenMP
clause `if` that says no costs a microsecond each time, and moves the loop into a function of its
own, where compilers know less of it. So kernels have both versions, and decide as far outside as
they can; C to read has the clause. Only of a large program, most of whose loops run once, there is
no second version: its conditions cost little beside what compiling it twice would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator as Iter
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from polynb.codegen.affine_bounds import Affine, Range, ranges
from polynb.codegen.work import Product, Work, most, outgrows, work_of
from polynb.source.collapsing import collapsed
from polynb.source.tree import Binary, Call, Define, Expr, For, If, Number, Program, Stmt
from polynb.source.types import DOUBLE, INT32

WORTH: Final = 8_000_000
"""Operations that are worth waking threads for: 0.1 ms at least, where they are additions of
vectors of eight floats in the nearest cache."""
LITTLE: Final = 8
"""What sizes may be short of, at the border of a picture, say."""
MANY: Final = 48
"""Loops from which on a program is not compiled twice, for one thread and for several: that took
local Laplacian's 124 loops 17 s instead of 6 s. Their conditions take half a microsecond each."""


def with_clauses(program: Program) -> Program:
    """The program with its parallel loops conditional on their work."""
    return replace(program, body=tuple(_clauses(program.body, (), program.functions)))


@dataclass(frozen=True, eq=False)
class Versions:
    """What a kernel does: `body`, but where it finds `enough` work, `shared`, if that is not the
    same."""

    body: Program
    shared: Program | None = None
    enough: Expr | None = None


def versions(program: Program) -> Versions:
    """A program on one thread, and shared out to several, if both are needed and it is not too
    large. In what is shared out, loops inside sequential ones have two versions again if not all
    are worth it at once; others a condition. Only one body where nothing is ever worth it, or
    something always."""
    made = _Versions(program.functions)
    works = [w for loop in _loops(program.body) for w in made.works(loop)]
    open_, always = _asked(works)
    if not always and not open_:
        return Versions(replace(program, body=tuple(map(_one_thread, program.body))))
    if always or len(works) >= MANY:
        return Versions(replace(program, body=made.block(program.body, (), frozenset())))
    alone = replace(program, body=tuple(map(_one_thread, program.body)))
    shared = replace(program, body=made.block(program.body, (), open_))
    return Versions(alone, shared, _enough(open_, ()))


def _clauses(
    body: Iterable[Stmt], around: tuple[For, ...], functions: tuple[Define, ...]
) -> Iter[Stmt]:
    for s in body:
        match s:
            case For() if _is_shared_out(s):
                work = work_of((s,), functions)
                yield s if work is None else replace(s, worth=_enough((work,), around))
            case For():
                yield replace(s, body=tuple(_clauses(s.body, (*around, s), functions)))
            case If():
                yield _branches(s, lambda body: tuple(_clauses(body, around, functions)))
            case _:
                yield s


def _branches(s: If, change: Callable[[tuple[Stmt, ...]], tuple[Stmt, ...]]) -> If:
    """The condition with both of its branches changed."""
    return replace(s, then=change(s.then), otherwise=change(s.otherwise))


@dataclass(frozen=True)
class _Versions:
    functions: tuple[Define, ...]

    def block(
        self, body: tuple[Stmt, ...], around: tuple[For, ...], tested: frozenset[Work]
    ) -> tuple[Stmt, ...]:
        """`tested`: the works of which one is known to be enough here."""
        return tuple(self.statement(s, around, tested) for s in body)

    def statement(self, s: Stmt, around: tuple[For, ...], tested: frozenset[Work]) -> Stmt:
        match s:
            case For():
                return self.loop(s, around, tested)
            case If():
                return _branches(s, lambda body: self.block(body, around, tested))
        return s

    def loop(self, loop: For, around: tuple[For, ...], tested: frozenset[Work]) -> Stmt:
        """A loop that is shared out, or has such loops inside: with a condition where it runs once,
        in two versions where it runs again and again, as it is where nothing is left to ask."""
        open_, always = _asked(self.works(loop))
        if not always and not open_:
            return _sequential(loop)
        if _is_shared_out(loop):
            inside = replace(loop, apart=True)
            if not around and not always and open_ != tested:
                return replace(inside, worth=_enough(open_, ()))
        else:
            known = tested if always else open_
            inside = replace(loop, body=self.block(loop.body, (*around, loop), known))
        if always or open_ == tested:
            return inside
        return If(_enough(open_, around), (inside,), (_sequential(loop),))

    def works(self, loop: For) -> list[Work | None]:
        """What each of the loops inside is worth that are shared out, in its best iteration."""
        found: list[Work | None] = []
        for root, path in _shared_out(loop):
            work = work_of((root,), self.functions)
            found.append(None if work is None else most(work, reversed(path)))
        return found


def _asked(works: Iterable[Work | None]) -> tuple[frozenset[Work], bool]:
    """The works that parameters or iterators decide, and whether some is enough in any case."""
    works = tuple(works)
    known = [None if w is None else _constant(w) for w in works]
    always = any(w is None or (c or 0) >= WORTH for w, c in zip(works, known, strict=True))
    open_ = (w for w, c in zip(works, known, strict=True) if w is not None and c is None)
    return frozenset(open_), always


def _shared_out(loop: For) -> Iter[tuple[For, tuple[For, ...]]]:
    """The loops, from this one in, whose iterations are shared out to threads, and the sequential
    ones around each, from this one in."""
    if _is_shared_out(loop):
        yield loop, ()
        return
    for inner in _loops(loop.body):
        yield from ((root, (loop, *path)) for root, path in _shared_out(inner))


def _is_shared_out(loop: For) -> bool:
    return loop.kind == "parallel" or collapsed(loop) > 0


def _loops(body: Iterable[Stmt]) -> Iter[For]:
    """The outermost loops of statements."""
    for s in body:
        match s:
            case For():
                yield s
            case If():
                yield from _loops((*s.then, *s.otherwise))


def _sequential(loop: For) -> For:
    """The loop with all that is inside on one thread."""
    shared = loop.kind in ("parallel", "collapsed")
    body = tuple(_one_thread(s) for s in loop.body)
    if not shared:
        return replace(loop, body=body)
    return replace(loop, body=body, kind="sequential", private=())


def _one_thread(s: Stmt) -> Stmt:
    match s:
        case For():
            return _sequential(s)
        case If():
            return _branches(s, lambda body: tuple(map(_one_thread, body)))
    return s


# -- conditions ---------------------------------------------------------------------------------


def _constant(work: Work) -> float | None:
    """The operations, None if they are not the same each time."""
    return None if any(t.factors for t in work) else float(sum(t.coefficient for t in work))


def _enough(works: Iterable[Work], around: tuple[For, ...]) -> Expr:
    """Whether one of some works is worth it."""
    each = sorted(works, key=repr, reverse=True)  # sets have no order
    left = [w for w in each if not any(outgrows(v, w) for v in each if v is not w)]
    tests: list[Expr] = [Binary(">=", _sum(w, around), Number(WORTH, INT32)) for w in left]
    return reduce(lambda a, b: Binary("||", a, b), tests)


def _sum(work: Work, around: tuple[For, ...]) -> Expr:
    several = len(work) + max((len(t.factors) for t in work), default=0) > 2
    terms = [_product(t, around, several) for t in work]
    return reduce(lambda a, b: Binary("+", a, b), terms) if terms else Number(0.0, DOUBLE)


def _product(t: Product, around: tuple[For, ...], several: bool) -> Expr:
    """In doubles, which do not overflow. A factor is negative where its loop does not run: if there
    are `several`, those count as 0 that may well be."""
    e: Expr = Number(float(f"{float(t.coefficient):.3g}"), DOUBLE)
    for f in t.factors:
        parts = tuple(o.expression() for o in f)
        factor = parts[0] if len(parts) == 1 else Call("min", parts)
        if several and any(_may_be_negative(o, around) for o in f):
            factor = Call("max", (factor, Number(0, INT32)))
        e = Binary("*", e, factor)
    return e


def _may_be_negative(form: Affine, around: tuple[For, ...]) -> bool:
    """Parameters are sizes: alone, they are not taken to be."""
    if not any(form.mentions(loop.iterator) for loop in around):
        return form.constant < -LITTLE
    least: tuple[Affine, ...] = (form,)
    for loop in reversed(around):
        values: list[Range] = ranges(loop) or []
        if len(values) != 1:
            return True
        least = tuple(x for o in least for x in values[0].least(o, loop.iterator))
    return not any(not o.terms and o.constant >= 0 for o in least)
