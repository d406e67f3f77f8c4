"""One of many terms that is not like the others, or too much like one of them: where a person
writes the neighbours of a cell, a slip in one of them makes another program that runs as well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Final, TypeGuard

from polynb.scop.doubt import MEANT, Doubt
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression
from polynb.source.typos import are_twins, difference

ALIKE: Final = 3
"""So many cells of an array are needed to see that any other one is unlike them."""
Term = tuple[str, syntax.Expr]
Kind = tuple[frozenset[str], ...]
"""What each subscript of a cell is computed from."""


def doubtful_terms(program: syntax.Program) -> Iterator[Doubt]:
    """The questions, statement by statement."""
    known = syntax.accessed(program.body)
    for s in syntax.statements(program.body):
        yield from _repeated(s)
        yield from _unlike(s)
        yield from _products(s, known)
        yield from _weighted(s)
        yield from _roots(s)


def _repeated(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `A[i-1] + A[i] + A[i-1]`, and of `A[i] + B[i] - A[i]`. (The weights 1, 2, 1 may be written
    as `A[i-1] + A[i] + A[i] + A[i+1]`.)"""
    for added in _sums(s.value):
        seen: dict[str, int] = {}
        for k, (sign, term) in enumerate(added):
            if not isinstance(term, syntax.Access) or not term.subscripts:
                continue
            text = print_expression(term)
            again = seen.setdefault(text, k)
            before, cell = added[again]
            if cell is term:  # it is itself, or an argument of a function that uses it twice
                continue
            twice = before == sign
            weighted = twice and again == 1 and k == 2 and len(added) == 4
            both_sides = not twice and again == 0 and k == 1  # which is asked about as a whole
            if not weighted and not both_sides:
                why = "a term of this sum twice" if twice else "added and subtracted here"
                mend = f"If not, `2 * {text}` says so" if twice else f"If not, {MEANT}"
                yield Doubt(f"`{text}`", "", why, mend, term.span or s.span,
                            "is another name or cell meant?")  # fmt: skip


def _sums(e: syntax.Expr) -> Iterator[list[Term]]:
    sums = [x for x in syntax.walk(e) if _is_sum(x)]
    inside = {id(x.left) for x in sums}
    return (terms(x) for x in sums if id(x) not in inside)


def _is_sum(e: syntax.Expr) -> TypeGuard[syntax.Binary]:
    return isinstance(e, syntax.Binary) and e.op in ("+", "-")


def terms(e: syntax.Expr) -> list[Term]:
    """The terms of `a + b - c`, each with its sign; what is in parentheses is one of them."""
    found = []
    while _is_sum(e):
        found.append((e.op, e.right))
        e = e.left
    return [("+", e), *reversed(found)]


def factors(e: syntax.Expr) -> list[syntax.Expr]:
    """The factors of `a * b * c / 2`, but for what it is divided by."""
    found = []
    while isinstance(e, syntax.Binary) and e.op in ("*", "/"):
        found += [e.right] if e.op == "*" else []
        e = e.left
    return [e, *reversed(found)]


def _weighted(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `w * A[i-1] + v * A[i] + w * A[i-1]`, a sum of products of cells of one array. (A cell
    without a weight may be in a product as well: `A[i] + r * A[i-1] - 2 * r * A[i]`.)"""
    for added in _sums(s.value):
        cells = [[x for x in factors(e) if _is_cell(x)] for _, e in added]
        arrays = set[str]().union(*({x.array for x in each} for each in cells))
        for array in sorted(arrays) if len(added) >= ALIKE else ():
            own = [[x for x in each if x.array == array] for each in cells]
            if any(len(each) != 1 or _is_cell(e) for each, (_, e) in zip(own, added, strict=True)):
                continue
            found = [
                (sign, print_expression(x)) for (sign, _), (x,) in zip(added, own, strict=True)
            ]
            twice = next((k for k, x in enumerate(found) if x in found[:k]), None)
            if twice is not None and len({*found}) > 1:
                (cell,) = own[twice]
                yield Doubt(f"`{found[twice][1]}`", "", "in two terms of this sum",
                            f"If not, {MEANT}", cell.span or s.span,
                            "is another cell meant?")  # fmt: skip


def _is_cell(e: syntax.Expr) -> TypeGuard[syntax.Access]:
    return isinstance(e, syntax.Access) and bool(e.subscripts)


def _roots(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `sqrt(re * re + im * re)`, where all products but one are squares."""
    for e in syntax.walk(s.value):
        if not isinstance(e, syntax.Call) or e.function not in ("sqrt", "sqrtf"):
            continue
        pairs = [x for sign, x in terms(e.arguments[0]) if sign == "+" and _is_product(x)]
        squares = [x.left for x in pairs if syntax.same(x.left, x.right)]
        others = [x for x in pairs if not syntax.same(x.left, x.right)]
        if len(pairs) == len(terms(e.arguments[0])) and len(others) == 1 and squares:
            for x in (others[0].right, others[0].left):
                if any(syntax.same(x, y) for y in squares):
                    text, span = print_expression(x), x.span or e.span or s.span
                    yield Doubt(f"`{text}`", "", "squared here, and in a product that is no square",
                                f"If not, {MEANT}", span, "is another name meant?")  # fmt: skip
                    break


def _is_product(e: syntax.Expr) -> TypeGuard[syntax.Binary]:
    return isinstance(e, syntax.Binary) and e.op == "*"


def _products(s: syntax.Assign, known: set[str]) -> Iterator[Doubt]:
    """Of `ar * bi + ai * bi`, of `w * x[i] + (1 - w) * x[i]`, and of `x[i] * y[j] - x[j] * y[j]`:
    two products share a factor that nobody would write twice."""
    for added in _sums(s.value):
        match added:
            case [("+", syntax.Binary(op="*") as e), (sign, syntax.Binary(op="*") as f)]:
                shared = _half_renamed(e, f, known)
                shared = shared or (_shared(e, f) if sign == "-" else _blended(e, f))
                if shared is not None:
                    span = shared.span or s.span
                    text = print_expression(shared) if shared.span is None else shared.span.text
                    why, mend = "a factor of both products here", f"If not, {MEANT}"
                    asks = "is another name or cell meant?"
                    yield Doubt(f"`{text}`", "", why, mend, span, asks)


def _common(e: syntax.Binary, f: syntax.Binary) -> Iterator[tuple[syntax.Expr, ...]]:
    """A factor of one product, one of the other, and that which is a factor of both, in the
    other."""
    for (a, b), (c, d) in product(permutations((e.left, e.right)), permutations((f.left, f.right))):
        if syntax.same(b, d):
            yield a, c, d


def _half_renamed(e: syntax.Binary, f: syntax.Binary, known: set[str]) -> syntax.Access | None:
    """The `bi` of `ar * bi` that is in `ai * bi` as well, where there is a br: names that differ by
    a letter are multiplied by names that differ by the same one."""
    for a, c, shared in _common(e, f):
        match a, c, shared:
            case syntax.Access() as x, syntax.Access() as y, syntax.Access(array=name) as b:
                if are_twins(x.array, y.array) and syntax.same(x.subscripts, y.subscripts):
                    old, new = difference(x.array, y.array)
                    others = {name.replace(old, new), name.replace(new, old)} - {name}
                    if others & known:
                        return b
    return None


def _blended(e: syntax.Binary, f: syntax.Binary) -> syntax.Access | None:
    """The `x[i]` of `w * x[i]` that is in `(1 - w) * x[i]` as well."""
    for a, c, shared in _common(e, f):
        for w, rest in ((a, c), (c, a)):
            match rest, shared:
                case syntax.Binary(op="-", left=syntax.Number(value=1), right=x), syntax.Access():
                    if syntax.same(x, w):
                        return shared
    return None


def _shared(e: syntax.Binary, f: syntax.Binary) -> syntax.Access | None:
    """The `y[j]` of `x[i] * y[j]` that is in `x[j] * y[j]`, too."""
    match e.left, e.right, f.left, f.right:
        case syntax.Access() as a, syntax.Access() as b, syntax.Access() as c, syntax.Access() as d:
            if a.array != c.array:
                c, d = d, c
            if a.array == c.array != b.array == d.array:
                for (x, y), (z, w) in (((a, c), (b, d)), ((b, d), (a, c))):
                    crossed = any(syntax.same(w.subscripts, v.subscripts) for v in (x, y))
                    if syntax.same(z, w) and crossed and not syntax.same(x, y):
                        return w
    return None


def _unlike(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `A[j][i-1]`, where all other cells of A that are read are `A[i][j+1]` and so on."""
    groups: dict[str, dict[Kind, dict[str, syntax.Access]]] = {}
    for e in syntax.walk(s.value):
        if isinstance(e, syntax.Access) and e.subscripts:
            kind = tuple(map(_names, e.subscripts))
            groups.setdefault(e.array, {}).setdefault(kind, {})[print_expression(e)] = e
    for array, kinds in groups.items():
        (kind, few), *others = sorted(kinds.items(), key=lambda group: len(group[1]))
        if len(others) == 1 and len(few) == 1:
            ((like, many),), ((text, e),) = others, few.items()
            if len(many) >= ALIKE or (len(many) == 2 and _mixed_up(kind, like)):
                yield Doubt(f"`{text}`", "", f"unlike the other cells of {array} here, such as "
                            f"`{next(iter(many))}`", f"If they are, {MEANT}", e.span or s.span,
                            "are its subscripts the right ones?")  # fmt: skip


def _mixed_up(kind: Kind, like: Kind) -> bool:
    """Whether several subscripts are made of what others are made of, in another way."""
    return len(kind) > 1 and all(kind) and frozenset().union(*kind) <= frozenset().union(*like)


def _names(e: syntax.Expr) -> frozenset[str]:
    """What a subscript is computed from."""
    found = set[str]()
    for x in syntax.walk(e):
        match x:
            case (
                syntax.Iterator(name=name) | syntax.Parameter(name=name) | syntax.Access(array=name)
            ):
                found.add(name)
    return frozenset(found)
