"""What is odd about the loops of a sum: each of them chooses, as a rule, all factors of its terms
(a sum over j of `A[i][j] * x[j]`), and each counter of its cell is one of a factor's (Einstein's
convention). A slip in a subscript leaves a factor, or the sum, the same for each iteration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, permutations, product

from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.families import accesses, cells, factors, is_cell, iterators, terms
from polynb.scop.odd import RIGHT_ONES, odd
from polynb.source import tree as syntax
from polynb.source.typos import looks_like

Loops = tuple[syntax.For, ...]


def doubtful_sums(body: tuple[syntax.Stmt, ...]) -> Iterator[Doubt]:
    """The questions, statement by statement."""
    written = {s.target.array for s in syntax.statements(body)}
    every = [e for s in syntax.statements(body) for x in (s.target, s.value) for e in cells(x)]
    for s in syntax.statements(body):
        if len(cells(s.value)) == 1:
            yield from _diagonal_alone(s, every)
    for s, loops in _sums(body, ()):
        yield from _same_for_all(s, loops, written)
        yield from _diagonal_alone(s, every)
        added = [e for _, e in terms(s.value)[1:]]
        added = added if syntax.same(terms(s.value)[0][1], s.target) else []
        if s in loops[-1].body:
            yield from _one_cell(s, loops[-1], written)
            yield from _constant_term(s, loops[-1], added)
        for e in added:
            yield from _constant_factor(s, loops, e)


def _sums(body: tuple[syntax.Stmt, ...], around: Loops) -> Iterator[tuple[syntax.Assign, Loops]]:
    """Statements that compute an array from itself, and the loops around each, as far as no
    condition chooses among their iterations."""
    for s in body:
        match s:
            case syntax.For(body=inner):
                yield from _sums(inner, (*around, s))
            case syntax.If(then=a, otherwise=b):
                used = iterators(s.condition)
                yield from _sums((*a, *b), tuple(x for x in around if x.iterator not in used))
            case syntax.Assign(target=target, value=value) if around:
                if any(e.array == target.array for e in accesses(value)):
                    yield s, around


def _same_for_all(s: syntax.Assign, loops: Loops, written: set[str]) -> Iterator[Doubt]:
    """Of `d[i][j] = min(d[i][j], d[i][k] + d[k][i])`, where no j is on the right: of several cells
    that a sum over k, say, has, or of one that is the largest, none is chosen by a counter of its
    own cell; nor a scalar that is computed."""
    computed = any(not x.subscripts and x.array in written for x in accesses(s.value))
    others = [e for e in cells(s.value) if not syntax.same(e, s.target)]
    own = len(cells(s.value)) - len(others)
    summed = [x for x in loops if _is_summed(s, x) and x.iterator in chain(*map(iterators, others))]
    bounds = [i for x in summed for e in (x.lower, x.upper) for i in iterators(e)]
    everywhere = Counter(iterators(s.value))
    several = summed and (len(others) > 1 or isinstance(s.value, syntax.Call)) and not computed
    for j, count in Counter(iterators(s.target)).items() if several else ():
        if everywhere[j] == own * count > 0 and j not in bounds:
            why, span = f"computed here from the same cells for each {j}", others[-1].span or s.span
            yield Doubt(s.target.array, "", why, f"If not, {MEANT}", span, f"is {j} missing?")
            return


def _diagonal_alone(s: syntax.Assign, every: list[syntax.Access]) -> Iterator[Doubt]:
    """Of `w[v][v]`, an array of which nothing else is accessed, where u is counted as well."""
    for e in cells(s.value):
        i, *more = iterators(e) or [""]
        alone = all(len(x.subscripts) > 1 and {*iterators(x)} == {i}
                    for x in every if x.array == e.array)  # fmt: skip
        if more and alone and {*iterators(s.target), *iterators(s.value)} > {i}:
            yield odd(
                e, s, f"on the diagonal of {e.array}, of which nothing else is read", RIGHT_ONES
            )
            return


def _one_cell(s: syntax.Assign, loop: syntax.For, written: set[str]) -> Iterator[Doubt]:
    """Of `s[i] = s[i-1] + a[1]`, of `p = p * x + c[N]` and of `s = s + a[i] * a[1]` in a loop over
    i, where an input has one cell for all of them. (In `y[i] = y[i] / c[N]` it may be the total; a
    first cell is what others are compared with.)"""
    i = loop.iterator
    inputs = [e for e in accesses(s.value) if e.array not in written and e.subscripts]
    fixed = [e for e in inputs if not iterators(e)]
    again = any(syntax.same(e, s.target) for e in accesses(s.value))
    if len(fixed) != 1 or (again and i in iterators(s.target)):
        return
    (cell,), why = fixed, f"one cell, and the same for each {i}"
    match cell.subscripts, loop.lower:
        case _ if len(inputs) == 1:
            index = cell.subscripts[-1]
            size = any(isinstance(x, syntax.Parameter) for x in syntax.walk(index))
            asked = size or _is_read_as(index, i)
            why = f"read here by each {i}, and no other cell of {cell.array}"
        case (syntax.Number(value=k),), syntax.Number(value=first) if k > first:
            every = syntax.Access(cell.array, (syntax.Iterator(i),))
            asked = any(syntax.same(e, every) for e in inputs)
        case _:
            return
    if asked:
        yield odd(cell, s, why, f"is `{cell.array}[{i}]` meant?")


def _is_read_as(e: syntax.Expr, i: str) -> bool:
    """Whether a number looks like the counter of a loop."""
    number = str(e.value) if isinstance(e, syntax.Number) else ""
    return looks_like(number, i) or (number, i) == ("1", "i")


def _constant_term(s: syntax.Assign, loop: syntax.For, added: list[syntax.Expr]) -> Iterator[Doubt]:
    """Of `s = s + x[i+w]` in a loop over j, which adds the same for each j."""
    j, cells = loop.iterator, [x for e in added for x in accesses(e)]
    stay = all(_stays(x, s, loop) and x.array != s.target.array for x in cells)
    chosen = next((x for x in cells if x.subscripts), None)
    if stay and chosen is not None and j not in [*iterators(s.target), *iterators(s.value)]:
        why = f"added here for each {j}, and the same for all of them"
        yield odd(chosen, s, why, f"is {j} missing in it?")


def _constant_factor(s: syntax.Assign, loops: Loops, e: syntax.Expr) -> Iterator[Doubt]:
    """Of `y[i] = y[i] + A[i][j] * x[i]` in a loop over j: x[i] is the same for each j, and one
    would take it out of the sum. (All else in the product is a scalar or a number.)"""
    both = list(filter(is_cell, factors(e)))
    if not len(both) == 2 == sum(map(is_cell, accesses(e))):
        return
    summed = [x for x in loops if _is_summed(s, x)]
    for loop, (x, y) in product(summed, permutations(both)):
        j = loop.iterator
        if j not in iterators(x) or j in iterators(y) or not _stays(y, s, loop):
            continue
        other = _instead_of(loop, x, y, loops, {x.iterator for x in summed})
        if other:
            why = f"a factor that is the same for each {j} of a sum"
            yield odd(y, s, why, f"is {j} meant by the {other} in it?")
            return


def _instead_of(
    loop: syntax.For, x: syntax.Access, y: syntax.Access, loops: Loops, summed: set[str]
) -> str | None:
    """What stands in y, which is the same for each iteration of a loop of a sum, where its counter
    may be meant: one of x too, or on a diagonal, that counts alike; any one of x if x is a kernel,
    which has no other counters than those of the sum; a size alone; a number that looks the
    same. (Hours of each day times a wage are a sum like that.)"""
    kernel = summed.issuperset(iterators(x)) and not summed.issuperset(iterators(y))
    for k in loops:
        i, count = k.iterator, iterators(y).count(k.iterator)
        alike = i not in summed and _count_alike(k, loop, x)
        squared = x.array == y.array and count > 1
        if (count and i in iterators(x) and (kernel or alike)) or (count > 1 and alike) or squared:
            return i
    if not iterators(y):
        return next((e.name for e in syntax.walk(y) if isinstance(e, syntax.Parameter)), None)
    numbers = (e for e in syntax.walk(y) if isinstance(e, syntax.Number))
    return next((str(e.value) for e in numbers if looks_like(str(e.value), loop.iterator)), None)


def _is_summed(s: syntax.Assign, loop: syntax.For) -> bool:
    """Whether iterations of a loop add to the same cell, and none of them sets it."""
    others = [x for x in syntax.statements(loop.body) if x.target.array == s.target.array]
    anew = any(all(e.array != s.target.array for e in accesses(x.value)) for x in others)
    return loop.iterator not in iterators(s.target) and not anew


def _stays(cell: syntax.Access, s: syntax.Assign, loop: syntax.For) -> bool:
    """Whether no other statement of a loop writes what a cell is of."""
    others = (x for x in syntax.statements(loop.body) if x is not s)
    return cell.array not in {x.target.array for x in others}


def _count_alike(a: syntax.For, b: syntax.For, cell: syntax.Access) -> bool:
    """Whether two loops run over the same numbers, or one over a part of them, or a cell is at
    the sum of their counters."""
    i, j = a.iterator, b.iterator
    part = any(x.iterator in iterators(e) for x, y in ((a, b), (b, a)) for e in (y.lower, y.upper))
    together = any({i, j} <= {*iterators(e)} for e in cell.subscripts)
    return part or together or syntax.same((a.lower, a.upper), (b.lower, b.upper))
