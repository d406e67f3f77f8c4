"""What a person writes a second time with other names, y for x or j for i, and left as it was at
one place: the copy runs as well (after Li, Lu, Myagmar, Zhou: CP-Miner, OSDI 2004). Copies are
statements of one shape, two terms or factors of one shape, and what is compared and then taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, pairwise, permutations

from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.families import factors, sums, terms
from polynb.scop.odd import RIGHT_ONES, odd, shown
from polynb.scop.oddities import conjuncts, orders
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression
from polynb.source.typos import difference

Named = syntax.Access | syntax.Parameter
Pairs = list[tuple[Named, Named]]


def doubtful_copies(program: syntax.Program) -> Iterator[Doubt]:
    """The questions: about statements, then about what is in them."""
    known = {*program.parameters, *syntax.accessed(program.body)}
    shapes: dict[object, list[list[Named]]] = defaultdict(list)
    for s in syntax.statements(program.body):
        shape, cells = _shape(s.target, s.value)
        shapes[shape].append(cells)
    for alike in shapes.values():
        yield from _odd_one(alike)
        for first, then in [*pairwise(alike), *pairwise(alike[::-1])]:
            pairs = list(zip(first, then, strict=True))
            own = pairs[0][0]
            others = [(_name(x), _name(y)) for x, y in pairs[1:]]
            if _name(own) != _name(then[0]) and any(x != y or x == _name(own) for x, y in others):
                yield from _not_renamed(pairs, known, pairs[0], own)
    for s in syntax.statements(program.body):
        yield from list(_inside(s, known))[:1]
    for node in syntax.every(program.body):
        yield from _compared(node)


def _shape(*parts: syntax.Expr) -> tuple[tuple[object, ...], list[Named]]:
    """What copies have in common, and the cells and sizes in which they may differ. (Numbers are
    weights, which differ as well.)"""
    found: list[object] = []
    cells: list[Named] = []
    stack, seen = [*reversed(parts)], set[int]()
    while stack:
        e = stack.pop()
        if id(e) in seen:
            continue
        seen.add(id(e))
        if isinstance(e, Named):
            cells.append(e)
            found.append(len(_subscripts(e)))
        else:
            found.append((type(e), () if isinstance(e, syntax.Number) else syntax.own(e)))
            stack.extend(reversed(syntax.children(e)))
    return tuple(found), cells


def _name(x: Named) -> str:
    return x.array if isinstance(x, syntax.Access) else x.name


def _subscripts(x: Named) -> list[str]:
    """Those of a cell, as they are printed."""
    return list(map(print_expression, syntax.children(x)))


def _odd_one(alike: list[list[Named]]) -> Iterator[Doubt]:
    """Of `b2 = g;` behind `r2 = r; g2 = g;`: in all copies but one of three or more, a name changes
    as the first one does."""
    for column in list(zip(*alike, strict=True))[1:] if len(alike) > 2 else ():
        names = [(_name(cells[0]), _name(x)) for cells, x in zip(alike, column, strict=True)]
        for k, (first, typed) in enumerate(names):
            others = names[:k] + names[k + 1 :]
            known = all(_as(x, z, y) == w for (x, y), (z, w) in permutations(others, 2))
            meant = {_as(x, first, y) for x, y in others} if known else set[str]()
            if len(meant) == 1 and not meant & {typed, ""} and typed in chain(*others, [first]):
                why = f"unlike its copies, where {others[0][0]} has {others[0][1]}"
                yield Doubt(typed, min(meant), why, f"If not, {MEANT}", column[k].span)


def _as(a: str, b: str, c: str) -> str:
    """What is to c as b is to a: `b` for r2, b2 and r; "" if nothing is."""
    old, new = difference(a, b)
    return c.replace(old, new) if old and new and old in c else ""


def _inside(s: syntax.Assign, known: set[str]) -> Iterator[Doubt]:
    """Of the two factors of a product, and of the two terms of a sum: they are copies; and of all
    terms of which a root is, if others are squares."""
    products = [x for x in syntax.walk(s.value) if isinstance(x, syntax.Binary) and x.op == "*"]
    copies = [
        (e, f, sign == "-" and e in products and f in products)
        for (_, e), *more in sums(s.value)
        for sign, f in more[: len(more) == 1]
    ]
    copies += [(x.left, x.right, True) for x in products]
    for e, f, moved in copies:
        (shape, first), (other, then) = _shape(e), _shape(f)
        both = [zip(first, then, strict=True), zip(then, first, strict=True)]
        for pairs in map(list, both if shape == other else ()):
            changed = next((x for x in pairs if _name(x[0]) != _name(x[1])), None)
            if changed is not None:
                yield from _not_renamed(pairs, known, changed)
            elif moved:
                yield from _not_moved(pairs, s)
    for x in syntax.walk(s.value):
        if isinstance(x, syntax.Call) and x.function in ("sqrt", "sqrtf"):
            yield from _no_square(x.arguments[0], s)


def _no_square(e: syntax.Expr, s: syntax.Assign) -> Iterator[Doubt]:
    """Of `sqrt(re * re + im * re)`."""
    squares = [(x, factors(x)) for sign, x in terms(e) if sign == "+"]
    pairs = [(x, both) for x, both in squares if len(both) == 2]
    others = [x for x, (a, b) in pairs if isinstance(a, syntax.Access)
              and isinstance(b, syntax.Access) and not syntax.same(a, b)]  # fmt: skip
    if len(others) == 1 and len(pairs) == len(terms(e)) > 1:
        yield odd(others[0], s, "no square, beside squares under a root")


def _not_renamed(
    pairs: Pairs, known: set[str], changed: tuple[Named, Named], target: Named | None = None
) -> Iterator[Doubt]:
    """Of `dy = y - cx;` beside `dx = x - cx;`, where there is a cy, of `ar * bi + ai * bi` where
    there is a br, and of `(x[i] - mx) * (y[i] - mx)`: all names are the same but for what differs
    in one of them, or kept. Of copies of a statement also `dy = y[i] - x[j];`."""
    names = [(_name(x), _name(y), y) for x, y in pairs]
    a, b = map(_name, changed)
    each = (difference(x, y) for x, y, _ in names if x != y)
    old, new = min(each, key=lambda x: len(x[0])) if target is not None else difference(a, b)
    if not (old and new) or old in b or new in a:
        return
    if any(y not in (x, x.replace(old, new)) for x, y, _ in names):
        return
    if any(_subscripts(x) != _subscripts(y) for x, y in pairs):
        return
    for x, y, place in names:
        other, own = x.replace(old, new), {n for n, _, _ in names}
        both = target is not None and any((x, other) == (v, w) for v, w, _ in names)
        if x == y != other and (both or (len(x) > len(old) and other in known - own)):
            at = "one place of a copy, and" if x == a else f"a copy where {a}"
            why = f"kept in {at} becomes {b}{' in another' * (x == a)}"
            yield Doubt(x, other, why, f"If not, {MEANT}", place.span)
            return


def _not_moved(pairs: Pairs, s: syntax.Assign) -> Iterator[Doubt]:
    """Of `(X[k][i] - m[i]) * (X[k][j] - m[i])`, and of `x[i] * y[j] - x[j] * y[j]`: a cell is kept
    that has a subscript which another array's cells change."""
    moved = [(x, y) for x, y in pairs if _subscripts(x) != _subscripts(y)]
    each = (zip(*map(_subscripts, pair), strict=True) for pair in moved)
    old = {u for changes in each for u, v in changes if u != v}
    for x, y in pairs:
        if old & {*_subscripts(x)} and _name(x) not in {_name(z) for z, _ in moved}:
            a, b = map(shown, moved[0])
            yield odd(y, s, f"kept in a copy where {a} becomes {b}", RIGHT_ONES)


def _compared(s: syntax.Stmt) -> Iterator[Doubt]:
    """Of `if x[i] > hi then hi = x[1]; fi` and of `hi = x[i] > hi ? x[1] : hi`, which take another
    cell than they compare."""
    match s:
        case syntax.If(condition=condition, then=(syntax.Assign(target=best, value=taken),)):
            pass
        case syntax.Assign(target=best, value=syntax.Select(condition, x, y)) if syntax.same(
            x, best
        ) or syntax.same(y, best):
            taken = y if syntax.same(x, best) else x
        case _:
            return
    for e in conjuncts(condition):
        for x, y in ((e.left, e.right), (e.right, e.left)) if orders(e) else ():
            if syntax.same(y, best) and not syntax.same(x, taken) and _alike(x, taken):
                text, cell = print_expression(taken), print_expression(x)
                why = f"taken where {cell} is compared"
                yield Doubt(f"`{text}`", cell, why, f"If not, {MEANT}", taken.span)


def _alike(*both: syntax.Expr) -> bool:
    """Whether two expressions are equal but for the cells that they read of arrays."""
    (x, first), (y, then) = map(_shape, both)
    return x == y and [*map(_name, first)] == [*map(_name, then)]
