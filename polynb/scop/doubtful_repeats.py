"""What stands twice where a person would write it once: a term of a sum, a weighted cell, what two
statements add, a number in a subscript. One of them was meant to be another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, permutations, product

from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.families import Term, accesses, factors, is_cell, iterators, sums, terms
from polynb.scop.odd import NAME_OR_CELL, RIGHT_ONES, odd, shown
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression
from polynb.source.typos import are_twins


def doubtful_repeats(program: syntax.Program) -> Iterator[Doubt]:
    """The questions, statement by statement."""
    every = [*syntax.statements(program.body)]
    given = [s for s in every if is_cell(s.value) and is_cell(s.target) and not iterators(s.target)]
    yield from (d for first in given for s in every for d in _again(first, s))
    for s in every:
        for added in sums(s.value):
            yield from _repeated(s, added)
            yield from _blended(s, added)
        yield from _chosen(s)
        for cell in filter(is_cell, (x for e in (s.target, s.value) for x in syntax.walk(e))):
            yield from _offset(s, cell)
    for body in _blocks(program.body):
        yield from _summed_alike([s for s in body if isinstance(s, syntax.Assign)])


def _repeated(s: syntax.Assign, added: list[Term]) -> Iterator[Doubt]:
    """Of `A[i-1] + A[i] + A[i-1]`, of `A[i] + B[i] - A[i]`, and of `0.3 * A[i] + 0.7 * A[i]`. (The
    weights 1, 2, 1 may be written as `A[i-1] + A[i] + A[i] + A[i+1]`; `A[i] - A[i]` is asked about
    as a whole.)"""
    first: dict[str, int] = {}
    for k, (sign, e) in enumerate(added):
        cell = _unweighted(e)
        cell = cell if cell is e or _is_alone(cell, added) else e
        again = first.setdefault(print_expression(cell), k) if is_cell(cell) else k
        before, other = added[again]
        twice, place = before == sign, (again, k, len(added))
        usual = place == (1, 2, 4) if twice else place[:2] == (0, 1)
        if other is not e and not usual:  # else an argument of a function that uses it twice
            doubt = odd(
                cell, s, "a term of this sum twice" if twice else "added and subtracted here"
            )
            plain = twice and cell is e
            mend = f"If not, `2 * {print_expression(e)}` says so" if plain else doubt.otherwise
            yield replace(doubt, otherwise=mend)


def _is_alone(cell: syntax.Expr, added: list[Term]) -> bool:
    """Whether no other cell of an array is in a sum."""
    each = [x for _, e in added for x in accesses(e)]
    own = [x for x in each if is_cell(cell) and x.array == cell.array]
    return all(syntax.same(x, cell) for x in own)


def _unweighted(e: syntax.Expr) -> syntax.Expr:
    """`A[i]` of `0.3 * A[i]`."""
    found = [x for x in factors(e) if not isinstance(x, syntax.Number)]
    return found[0] if len(found) == 1 and len(accesses(e)) == 1 else e


def _listed(e: syntax.Expr, function: str) -> list[syntax.Expr]:
    """The arguments of `max(max(a, b), c)`."""
    if isinstance(e, syntax.Call) and e.function == function:
        return [x for argument in e.arguments for x in _listed(argument, function)]
    return [e]


def _chosen(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `max(max(A[i-1], A[i]), A[i-1])`. (What both are of `max(A[i], A[i])` is asked about.)"""
    for e in syntax.walk(s.value):
        if isinstance(e, syntax.Call) and e.function in ("min", "max", "fmin", "fmax"):
            listed = _listed(e, e.function)
            again = [x for k, x in enumerate(listed) if any(syntax.same(x, y) for y in listed[:k])]
            if again and len(listed) > 2 and accesses(again[0]):
                yield odd(again[0], s, f"an argument of {e.function} twice")
                return


def _again(first: syntax.Assign, s: syntax.Assign) -> Iterator[Doubt]:
    """Of `m[i] = max(m[i-1], a[i-1]);` behind `m[0] = a[0];`, which has the first cell twice."""
    match s.value:
        case syntax.Binary(op="+" | "*", left=x, right=y):
            both = (x, y)
        case syntax.Call(function="min" | "max" | "fmin" | "fmax", arguments=(x, y)):
            both = (x, y)
        case _:
            return
    here, given = s.target, first.value
    for before, e in permutations(both):
        if not (is_cell(before) and is_cell(e) and is_cell(given)):
            continue
        names = here.array == before.array == first.target.array and e.array == given.array
        fixed = here.array != e.array and iterators(e)
        pairs = [(first.target, given), (before, e)]
        alike = all(syntax.same(x.subscripts, y.subscripts) for x, y in pairs)
        if names and fixed and alike and not syntax.same(before.subscripts, here.subscripts):
            yield odd(e, s, f"`{shown(given)}` at first, which is in it already")


def _blended(s: syntax.Assign, added: list[Term]) -> Iterator[Doubt]:
    """Of `(1 - w) * x[i] + w * x[i]`, which is x[i]."""
    products = [x for _, x in added if isinstance(x, syntax.Binary) and x.op == "*"]
    for e, f in permutations(products) if len(products) == len(added) == 2 else ():
        for (w, x), (rest, y) in product(*(permutations((z.left, z.right)) for z in (e, f))):
            match rest:
                case syntax.Binary(op="-", left=syntax.Number(value=1), right=v) if (
                    syntax.same(v, w) and syntax.same(x, y) and isinstance(x, syntax.Access)
                ):
                    yield odd(y, s, "a factor of both products here")


def _offset(s: syntax.Assign, cell: syntax.Access) -> Iterator[Doubt]:
    """Of `A[2+i+1]`, with a number on both sides. (`A[i+1-2]` is a neighbour of `A[i-2]`.)"""
    for e in cell.subscripts:
        first, *others = (isinstance(x, syntax.Number) for _, x in terms(e))
        if first and any(others):
            yield odd(cell, s, "at the sum of two numbers", "is another operator or name meant?")


def _blocks(body: tuple[syntax.Stmt, ...]) -> Iterator[tuple[syntax.Stmt, ...]]:
    yield body
    for s in syntax.every(body):
        match s:
            case syntax.For(body=inner):
                yield inner
            case syntax.If(then=a, otherwise=b):
                yield from (a, b)


def _summed_alike(block: list[syntax.Assign]) -> Iterator[Doubt]:
    """Of `col[i] = col[i] + b[i][j];` behind `row[i] = row[i] + b[i][j];`, which adds the same, and
    of `my = my + x[i];` behind `mx = mx + x[i];`. (A total may be added up as well.)"""
    adding = [(s.target, e) for s in block if (e := _added(s)) is not None]
    for (there, a), (here, b) in pairwise(adding):
        alike = bool(here.subscripts) or are_twins(here.array, there.array)
        alike = alike and syntax.same(here.subscripts, there.subscripts)
        if alike and here.array != there.array and syntax.same(a, b):
            why = f"computed here from the same as {there.array}"
            yield Doubt(here.array, "", why, f"If they are, {MEANT}", here.span,
                        RIGHT_ONES if here.subscripts else NAME_OR_CELL)  # fmt: skip


def _added(s: syntax.Assign) -> tuple[str, syntax.Expr] | None:
    """What a statement adds to its cell, or takes from it, and so on: something that it reads; or
    what it computes from cells."""
    match s.value:
        case syntax.Binary(op=op, left=left, right=e) if syntax.same(s.target, left):
            return (op, e) if accesses(e) else None
        case syntax.Binary() | syntax.Call() as e if any(map(is_cell, accesses(e))):
            return "", e
    return None
