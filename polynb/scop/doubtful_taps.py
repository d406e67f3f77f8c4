"""A cell that is unlike its brothers: those of the same array that a statement reads and writes, or
that the statements of a loop write. Where a person writes the neighbours of a cell, a slip in one
of them makes another program that runs as well; and neighbours are symmetric, as a rule: where they
are not, and would be with one of them moved, that is what may be meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Final

from polynb.scop.doubt import Doubt
from polynb.scop.families import Tap, Term, cells, is_cell, iterators, sums, tap
from polynb.scop.odd import RIGHT_ONES, odd, shown
from polynb.scop.symmetry import congruent, mended, symmetries
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_affine

ALIKE: Final = 3
"""So many cells of an array are needed to see that any other one is unlike them."""
MANY: Final = 12
"""Of more cells, or in more dimensions than three, no symmetry is looked for."""
Kind = tuple[frozenset[str], ...]
"""What each subscript of a cell is computed from."""
Signed = tuple[int, Tap]
"""A cell, and whether it is added (1), taken away (-1) or both (0)."""


def doubtful_taps(body: tuple[syntax.Stmt, ...]) -> Iterator[Doubt]:
    """The questions: statement by statement, and loop by loop."""
    for first, then in pairwise(syntax.statements(body)):
        yield from (*_not_turned(then.value, first.value), *_not_turned(first.value, then.value))
    made_from = {(s.target.array, e.array) for s in syntax.statements(body) for e in cells(s.value)}
    for s in syntax.every(body):
        if isinstance(s, syntax.Assign):
            others = (d for added in sums(s.value) for d in _of_another(s, added, made_from))
            diagonal = (d for added in sums(s.value) for d in _half_diagonal(s, added))
            unlike = (d for family in _families(s.value) for d in _asymmetric(s, family))
            pairs = [(a, b) for added in sums(s.value) for (_, a), (_, b) in pairwise(added)]
            turned = (d for a, b in pairs for d in (*_not_turned(b, a), *_not_turned(a, b)))
            asked = [*_read(s), *_fixed(s), *others, *diagonal, *unlike, *turned, *_transposed(s)]
            yield from asked[:1]
        elif isinstance(s, syntax.For):
            yield from _written(s)


# -- cells of other subscripts ---------------------------------------------------------------


def _read(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `A[j][i-1]`, where all other cells of A that are read are `A[i][j+1]` and so on, and of
    `u[t]` in `u[i] = (u[i-1] + u[t]) / 2`."""
    for array, read in _by_array(cells(s.value)).items():
        kinds: dict[Kind, dict[str, syntax.Access]] = defaultdict(dict)
        target = s.target if s.target.array == array else None
        for e in (*read, *([] if target is None else [target])):
            kinds[tuple(map(_names, e.subscripts))][print_affine(e)] = e
        match sorted(kinds.items(), key=lambda group: len(group[1])):
            case [(kind, few), (like, many)] if len(few) == 1 and target not in few.values():
                (e,) = few.values()
                others = len(many) - (target in many.values())
                alike = len(kind) > 1 or target is not None
                if others >= ALIKE or (alike and len(many) > 1 and _mixed_up(kind, like)):
                    why = f"unlike the other cells of {array} here, such as `{next(iter(many))}`"
                    yield odd(e, s, why, RIGHT_ONES)


def _transposed(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `v[i][j] = (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - f[j][i]) / 4`."""
    kinds: dict[Kind, list[syntax.Access]] = defaultdict(list)
    for e in (s.target, *cells(s.value)):
        kinds[tuple(map(_names, e.subscripts))].append(e)
    match sorted(kinds.items(), key=lambda group: len(group[1])):
        case [(kind, [e]), (like, many)] if kind == like[::-1] and len(many) > ALIKE:
            why = f"unlike all other cells here, such as `{print_affine(many[0])}`"
            yield odd(e, s, why, RIGHT_ONES)


def _fixed(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `v[i] * v[n]`, and of `(x[i] - m) * (x[n] - m)`, where n is a size."""
    products = (x for x in syntax.walk(s.value) if isinstance(x, syntax.Binary) and x.op == "*")
    for x in products:
        for ours, theirs in permutations(map(_by_array, map(cells, (x.left, x.right)))):
            for array in ours.keys() & theirs.keys():
                (e, *more), moving = ours[array], all(map(iterators, theirs[array]))
                size = any(isinstance(p, syntax.Parameter) for p in syntax.walk(e))
                if not more and moving and size and not iterators(e):
                    why = f"always the same cell of {array}, in a product with others"
                    yield odd(e, s, why, RIGHT_ONES)


def _by_array(found: list[syntax.Access]) -> dict[str, list[syntax.Access]]:
    each: dict[str, list[syntax.Access]] = defaultdict(list)
    for e in found:
        each[e.array].append(e)
    return each


def _mixed_up(kind: Kind, like: Kind) -> bool:
    """Whether several subscripts are made of what others are made of, in another way; or the only
    one of another name."""
    if len(kind) == 1:
        return len(kind[0]) == len(like[0]) == 1
    return all(kind) and frozenset().union(*kind) <= frozenset().union(*like)


def _names(e: syntax.Expr) -> frozenset[str]:
    """What a subscript is computed from."""
    return frozenset(
        x.array if isinstance(x, syntax.Access) else x.name
        for x in syntax.walk(e)
        if isinstance(x, syntax.Access | syntax.Iterator | syntax.Parameter)
    )


def _written(loop: syntax.For) -> Iterator[Doubt]:
    """Of `c[t][x] = ...` in a loop over t whose other statements write c[t+1], and read c[t]."""
    inside = [*syntax.statements(loop.body)]
    read = _by_array([e for s in inside for e in cells(s.value)])
    for array, targets in _by_array([s.target for s in inside if is_cell(s.target)]).items():
        for k in range(len(targets[0].subscripts)) if len(targets[0].subscripts) > 1 else ():
            rows = [_row(a, k, loop.iterator) for a in targets]
            now = {_row(a, k, loop.iterator) for a in read.get(array, [])}
            (usual, often), *others = Counter(rows).most_common()
            if None not in rows and [(row, 1) for row in now] == others != [] and often > 1:
                like, cell = targets[rows.index(usual)], targets[rows.index(others[0][0])]
                why = f"unlike the other cells of {array} that are written here, such as "
                yield odd(cell, loop, why + f"`{print_affine(like)}`", RIGHT_ONES)


def _row(cell: syntax.Access, k: int, iterator: str) -> str | None:
    """A subscript of a cell, if a loop counts it and nothing else does."""
    e = cell.subscripts[k]
    return print_affine(e) if {*_names(e)} == {iterator} else None


# -- neighbours ------------------------------------------------------------------------------


def _families(e: syntax.Expr) -> Iterator[list[Signed]]:
    """The cells of each sum, of those arrays that no term has more than one cell of; then all that
    are in sums of sums, if nothing is taken away; then all cells, each of them once."""
    for added in sums(e):
        each = [(sign, few) for sign, x in added for few in _by_array(cells(x)).values()]
        several = {few[0].array for _, few in each if len(few) > 1}
        ones = ((sign, cell) for sign, (cell, *_) in each if cell.array not in several)
        yield [(1 if sign == "+" else -1, tap(cell)) for sign, cell in ones]
    yield [(1, tap(x)) for x in _summed(e) or ()]
    found: dict[str, Signed] = {}
    for sign, x in _signed(e, 1):
        before = found.setdefault(print_affine(x), (sign, tap(x)))
        found[print_affine(x)] = (sign if sign == before[0] else 0), before[1]
    yield [*found.values()]


def _summed(e: syntax.Expr) -> list[syntax.Access] | None:
    """The cells of an expression that adds them, and multiplies them by none."""
    match e:
        case syntax.Binary(op="+", left=x, right=y):
            a, b = _summed(x), _summed(y)
            return None if a is None or b is None else a + b
        case syntax.Binary(op="*" | "/", left=x, right=y) if not cells(x) or not cells(y):
            return _summed(y if cells(y) else x)
    return [e] if is_cell(e) else None if cells(e) else []


def _signed(e: syntax.Expr, sign: int) -> Iterator[tuple[int, syntax.Access]]:
    """The cells of an expression, and whether they are added or taken away."""
    if is_cell(e):
        yield sign, e
        return
    inside = syntax.children(e)
    minus = isinstance(e, syntax.Unary | syntax.Binary) and e.op == "-"
    for k, x in enumerate(inside, 1):
        yield from _signed(x, -sign if minus and k == len(inside) else sign)


def _asymmetric(s: syntax.Assign, family: list[Signed]) -> Iterator[Doubt]:
    """Of `A[i-1] + A[i] + A[i-1]`."""
    groups: dict[object, list[Signed]] = defaultdict(list)
    for sign, t in family:
        groups[t.cell.array, t.base].append((sign, t))
    for taps in groups.values():
        if ALIKE <= len(taps) <= MANY and len(taps[0][1].at) <= ALIKE:
            array, base = taps[0][1].cell.array, taps[0][1].base
            own = tap(s.target) if is_cell(s.target) and s.target.array == array else None
            taken = own.at if own is not None and own.base == base else None
            found = mended([(sign, t.at) for sign, t in taps], taken)
            if found is not None:
                t, at = taps[found[0]][1], found[1]
                why = f"unlike its neighbours here, which are symmetric with `{t.moved(at)}`"
                yield odd(t.cell, s, why, f"is `{t.moved(at)}` meant?")


def _half_diagonal(s: syntax.Assign, added: list[Term]) -> Iterator[Doubt]:
    """Of `A[i][j] + A[i][i]`, where `A[j][i]` may be meant."""
    both = [e for sign, e in added if is_cell(e) and sign == "+" and len(e.subscripts) == 2]
    if len(added) == len(both) == 2 and both[0].array == both[1].array:
        for e, other in permutations(both):
            if len({*iterators(e)}) == 1 < len(iterators(e)) and len({*iterators(other)}) == 2:
                yield odd(e, s, f"on the diagonal, and added to `{shown(other)}`", RIGHT_ONES)


def _not_turned(e: syntax.Expr, like: syntax.Expr) -> Iterator[Doubt]:
    """Of `gy[i][j] = A[i+1][j] - A[i][j];` beside `gx[i][j] = A[i][j+1] - A[i][j-1];`, and of two
    terms like these: neighbours in another direction, and not those on both sides."""
    here, there = ([tap(x) for x in cells(part)] for part in (e, like))
    arrays = [{t.cell.array for t in taps} for taps in (here, there)]
    bases = {t.base for t in (*here, *there)}
    if any(len(x) != 1 for x in arrays) or len(bases) != 1 or len(here) != len(there):
        return
    a, b = [t.at for t in here], [t.at for t in there]
    ways, others = (
        {k for k, x in enumerate(zip(*p, strict=True)) if len({*x}) > 1} for p in (a, b)
    )
    if (
        not ways
        or not others
        or ways & others
        or any(map(sum, zip(*b, strict=True)))
        or congruent(a, b)
    ):
        return
    sides = [tuple(-x for x in at) for at in a]
    for k, t in reversed([*enumerate(here)]):
        for at in sides:
            if congruent([*a[:k], at, *a[k + 1 :]], b):
                why = f"unlike the neighbours in `{shown(like)}`"
                yield odd(t.cell, t.cell, why, f"is `{t.moved(at)}` meant?")
                return


def _of_another(
    s: syntax.Assign, added: list[Term], made_from: set[tuple[str, str]]
) -> Iterator[Doubt]:
    """Of `h[i-1] + im[i] + h[i+1]`: of one cell each in the terms of a sum, one is of another
    array, in the middle of all, or that the others are made from, or where they are less symmetric
    without it."""
    each = [cells(x) for _, x in added]
    if len(added) < ALIKE or len(added) > MANY or any(len(few) != 1 for few in each):
        return
    taps = [tap(few[0]) for few in each]
    (array, often), *others = Counter(t.cell.array for t in taps).most_common()
    if len(taps) - often != 1 or len({t.base for t in taps}) > 1 or not others:
        return
    k = next(k for k, t in enumerate(taps) if t.cell.array != array)
    places = [t.at for t in taps]
    stencil = [(1, at) for at in places]
    inside = 0 < k < len(taps) - 1 or (array, taps[k].cell.array) in made_from
    sorted_so = places in (sorted(places), sorted(places, reverse=True)) and inside
    more = symmetries(stencil) > symmetries(stencil[:k] + stencil[k + 1 :])
    itself = syntax.same(s.target, replace(taps[k].cell, array=array))
    if len({*places}) == len(places) and not itself and symmetries(stencil) and (sorted_so or more):
        meant = taps[k].moved(places[k], array)
        yield odd(taps[k].cell, s, "of another array than its neighbours", f"is `{meant}` meant?")
