"""What is odd about the cells that statements write: a row that no other one writes, or a best
value that is taken from another cell than was compared."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.oddities import ORDER, conjuncts
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression


def doubtful_targets(body: tuple[syntax.Stmt, ...]) -> Iterator[Doubt]:
    """The questions, loop by loop."""
    for s in syntax.every(body):
        if isinstance(s, syntax.For):
            yield from _behind(s)
        yield from _compared(s)


def _behind(loop: syntax.For) -> Iterator[Doubt]:
    """Of `c[t][x] = ...` in a loop over t whose other statements write c[t+1], and read c[t]."""
    written: dict[str, list[syntax.Access]] = defaultdict(list)
    read: dict[str, list[syntax.Access]] = defaultdict(list)
    for s in syntax.statements(loop.body):
        written[s.target.array].append(s.target)
        for e in syntax.walk(s.value):
            if isinstance(e, syntax.Access):
                read[e.array].append(e)
    for array, targets in written.items():
        rank = len(targets[0].subscripts)
        for k in range(rank) if rank > 1 else ():
            rows = [_offset(a.subscripts[k], loop.iterator) for a in targets]
            now = {_offset(a.subscripts[k], loop.iterator) for a in read[array]}
            (usual, often), *others = Counter(rows).most_common()
            if None not in rows and [(row, 1) for row in now] == others != [] and often > 1:
                odd, like = (targets[rows.index(row)] for row in (*now, usual))
                text, why = print_expression(odd), f"unlike the other cells of {array}"
                yield Doubt(f"`{text}`", "", f"{why} that are written here, such as "
                            f"`{print_expression(like)}`", f"If they are, {MEANT}", odd.span,
                            "are its subscripts the right ones?")  # fmt: skip


def _offset(e: syntax.Expr, iterator: str) -> int | float | None:
    """The c of `i + c`."""
    match e:
        case syntax.Iterator(name=name) if name == iterator:
            return 0
        case syntax.Binary(op="+" | "-" as op, left=syntax.Iterator(name=name),
                           right=syntax.Number(value=c)) if name == iterator:  # fmt: skip
            return c if op == "+" else -c
    return None


def _compared(s: syntax.Stmt) -> Iterator[Doubt]:
    """Of `if x[i] > hi then hi = x[1]; fi` and of `hi = x[i] > hi ? x[1] : hi`, which take another
    cell than they compare."""
    match s:
        case syntax.If(condition=condition, then=(syntax.Assign(target=best, value=taken),)):
            pass
        case syntax.Assign(target=best, value=syntax.Select(condition, taken, other)):
            if syntax.same(taken, best):
                taken = other
            elif not syntax.same(other, best):
                return
        case _:
            return
    for e in conjuncts(condition):
        if not isinstance(e, syntax.Binary) or e.op not in ORDER:
            continue
        for x, y in ((e.left, e.right), (e.right, e.left)):
            if syntax.same(y, best) and not syntax.same(x, taken) and _same_but_cells(x, taken):
                text, cell = print_expression(taken), print_expression(x)
                why = f"taken where {cell} is compared"
                yield Doubt(f"`{text}`", cell, why, f"If not, {MEANT}", taken.span)


def _same_but_cells(*both: syntax.Expr) -> bool:
    """Whether two expressions are equal but for the cells that they read of arrays."""
    return syntax.same(*(syntax.rebuild(e, _without_subscripts) for e in both))


def _without_subscripts(e: syntax.Expr, inside: tuple[syntax.Expr, ...]) -> syntax.Expr:
    return (
        syntax.Access(e.array) if isinstance(e, syntax.Access) else syntax.with_children(e, inside)
    )
