"""How irregular a program is: what somebody would have to say about it who knows how programs are
written. Each kind of irregularity has a price in bits, and is small: it may be meant. What is asked
about (`slips.py`) is what a single slip of the fingers explains better."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from polynb.scop.copies import alike, left_over
from polynb.scop.plain import Plain, TypedLine, cells, factors, nodes, outermost, terms
from polynb.scop.symmetry import Place, asymmetry
from polynb.scop.weights import uneven

MANY: Final = 4
"""So many cells are needed that one is unlike them all."""
ORDER: Final = ("<", ">", "<=", ">=")
_UNLIKE: Final = ("-", "/", *ORDER, "max", "min")
BITS: Final = {
    "added or compared twice": 12.0,
    "unlike its neighbours, which are symmetric without it": 8.5,
    "of another array than its neighbours": 12.0,
    "not what is compared": 15.0,
    "the same for each iteration of a sum, beside a factor that is not": 10.5,
    "the same for each iteration of a sum": 5.0,
    "a factor that may stand outside of a sum": 6.0,
    "without a counter of the cell that is computed": 12.0,
    "without the counter of the loop around it": 6.5,
    "the only one here that no loop chooses": 6.0,
    "on the diagonal": 5.5,
    "on the diagonal of an array, of which nothing else is read": 6.0,
    "unlike the other cells of its array here": 4.0,
    "unlike the other cells here": 2.0,
    "unlike all other cells here": 8.0,
    "the same in two similar parts that differ elsewhere": 10.0,
    "the same in two similar statements that differ elsewhere": 9.0,
    "the same in two similar statements, and not so elsewhere in them": 2.0,
    "computed here a second time": 12.0,
    "in a sum of weights that do not come to 1": 6.0,
    "written again in the next iteration": 14.0,
    "in another row than what is written before or behind it": 7.0,
    "not where it is in the first one": 10.0,
}
"""What is odd about the part of a program that is asked about, and its price."""
(TWICE, ASYMMETRIC, OTHER_ARRAY, NOT_COMPARED, CONSTANT, SAME_TERM, OUTSIDE, MISSING, IDLE, FIXED,
 DIAGONAL, ONLY_DIAGONAL, UNLIKE_ITS, UNLIKE, UNLIKE_ALL, KEPT, KEPT_LINE, MIXED_LINE,
 AGAIN, WEIGHTS, OVERWRITTEN, OTHER_ROW, UNLIKE_FIRST) = BITS  # fmt: skip
Costs = Counter[str]


class KnownNames(NamedTuple):
    """The names in a program, those that are written, the arrays of which several statements in
    loops read single cells, those of which a cell is accessed that is on no diagonal, and the
    inputs that are read in one place alone."""

    known: frozenset[str]
    written: frozenset[str]
    tables: frozenset[str]
    square: frozenset[str]
    sources: frozenset[str]


def irregularities(line: TypedLine, names: KnownNames) -> Costs:
    """Those of a statement by itself: how many there are of each kind."""
    read = [*cells(line.value)]
    own = {c for c in read if (c.name, c.base) == (line.target.name, line.target.base)}
    found: Costs = Counter()
    found.update(_counters(line, read, own, names))
    found.update(_products(line, own))
    found.update(_kinds(line, read, own, names.square))
    found.update(_neighbours(line))
    found.update(_repeats(line.value, names.sources))
    found.update(_choices(line))
    found.update(_copies(line.value, names.known))
    found[WEIGHTS] += uneven(line.value)
    return found


def between(first: TypedLine, then: TypedLine, names: KnownNames) -> Costs:
    """Those of two statements of which one follows the other."""
    found: Costs = Counter()
    if _same_value(first, then):
        a, b = first.target, then.target
        beside = a.subs == b.subs and bool(a.subs or len(a.name) == len(b.name))
        other = first.loops == then.loops and a.name != b.name
        computed = len(first.value.parts) > 1 and any(c.subs for c in cells(first.value))
        fixed = any(c.subs and not c.counters for c in cells(first.value))
        found[AGAIN] += (beside and other and computed) or (a == b and fixed and first != then)
    else:
        a, b = (Plain("=", (x.target, x.value)) for x in (first, then))
        kept, mixed = left_over(a, b, names.known)
        found[KEPT_LINE] += kept
        found[MIXED_LINE] += mixed
    found.update(_written(first, then))
    found[UNLIKE_FIRST] += _unlike_first(first, then)
    return found


def _same_value(a: TypedLine, b: TypedLine) -> bool:
    """Whether two statements compute the same, or add the same to their cells."""
    match a.value, b.value:
        case Plain(op=o, parts=(x, y)), Plain(op=p, parts=(z, w)) if o == p and y == w:
            return x == z or (x == a.target and z == b.target and y.op != "number")
    return a.value == b.value


def _written(first: TypedLine, then: TypedLine) -> Iterator[str]:
    """Of the cells that two statements write."""
    a, b = first.target, then.target
    if a.name != b.name or a.place == b.place:
        return
    by = [int(x) for s in a.subs for x in re.findall(r"^(\d+)\*\w+$", s.base)]
    off = [(x - y) % n for x, y, n in zip(a.place, b.place, by, strict=False)]
    if a.base == b.base and by and first.loops == then.loops:
        yield from [OVERWRITTEN] * (not any(off))
    x, y = a.subs[0], b.subs[0]
    if len(a.subs) > 1 and x.counters and x.base == y.base and a.base != b.base:
        yield from [OTHER_ROW] * (x.number != y.number)


def _unlike_first(first: TypedLine, then: TypedLine) -> bool:
    """Whether `m[0] = a[0]` is followed by `m[i] = m[i-1] + a[i-1]`."""
    a, b, x = first.target, then.target, first.value
    if a.name != b.name or x.op != "cell" or x.name == a.name or a.subs != x.subs:
        return False
    read = {c for c in cells(then.value) if c.name == x.name and c.base == b.base}
    ahead = not a.counters and len(b.counters) == len(b.subs) == 1
    return ahead and len(read) == 1 and b.place not in {c.place for c in read}


# -- counters --------------------------------------------------------------------------------


def _counters(
    line: TypedLine, read: list[Plain], own: set[Plain], names: KnownNames
) -> Iterator[str]:
    """What loops count, and nothing in a statement uses, or not where it should."""
    others = [c for c in read if c not in own]
    inside = {i for e in (*others, *nodes(line.value)) if e not in own for i in e.counters}
    asked = {i for c in line.conditions for e in nodes(c) for i in e.counters}
    target = line.target.counters
    if line.loops and line.value.op != "*":
        i = line.loops[-1].iterator
        yield from [IDLE] * (i not in inside | target | asked)
    summed = {*line.summed} - asked
    computed = any(not c.subs and c.name in names.written for c in others)
    if sum(bool(c.subs) for c in others) > 1 and summed & inside and not computed:
        yield from [MISSING] * len(target - inside - asked)
    fixed = {c for c in others if c.subs and not c.counters and c != line.target}
    alone = len(fixed) == 1 and not {c.name for c in fixed} & names.tables
    yield from [FIXED] * (alone and bool(line.loops))


def _products(line: TypedLine, own: set[Plain]) -> Iterator[str]:
    """Of what a sum adds (after Einstein's convention): each of its loops chooses all factors."""
    match line.value:
        case Plain(op="+" | "-" | "*" as op, parts=(x, y)) if x in own or y in own:
            added = y if x in own else x
        case _:
            return
    asked = {i for c in line.conditions for e in nodes(c) for i in e.counters}
    summed = [i for i in line.summed if i not in asked]
    each = [factors(p) for p in outermost(added, ("*",))] or [[added]]
    for product in each:
        both = [f for f in product if f.op == "cell" and f.subs]
        for j in summed if len(both) == 2 else ():
            for x, y in (both, both[::-1]):
                shared = x.counters & y.counters or len(y.counters) < len(y.subs)
                mine = y in own and not {j} | y.counters <= x.counters
                if j in x.counters and j not in y.counters:
                    yield CONSTANT if shared and not mine else OUTSIDE
        chosen = {i for c in cells(added) if c.subs for i in c.counters}
        if op != "*" and both and summed and not own & {*both} and not chosen & {*summed}:
            yield SAME_TERM


def _kinds(
    line: TypedLine, read: list[Plain], own: set[Plain], square: frozenset[str]
) -> Iterator[str]:
    """Of cells that are indexed in different ways. (What is divided by may be a pivot.)"""
    by = {c for e in nodes(line.value) if e.op == "/" for c in cells(e.parts[1])}
    every = {line.target, *read}
    for c in every - by:
        if on_diagonal(c):
            yield DIAGONAL
            yield from [ONLY_DIAGONAL] * (c.name not in square and len(line.loops) > 1)
    kinds = Counter(c.base for c in every if len(c.subs) > 1 and c.counters)
    yield from [UNLIKE] * (len(kinds) - 1)
    alone = [k for k, count in kinds.items() if count == 1 and k != line.target.base]
    yield from [UNLIKE_ALL] * (len(kinds) == 2 and len(alone) == 1 and kinds.total() > MANY)
    bases = defaultdict(set)
    for c in every - by:
        if len(c.subs) > 1 or (c.subs and c in read and c not in own):
            bases[c.name].add(tuple(sorted(c.base)))
    yield from [UNLIKE_ITS] * sum(len(x) - 1 for x in bases.values())


def on_diagonal(c: Plain) -> bool:
    """Whether two subscripts of a cell have the same counters."""
    counted = [s.counters for s in c.subs if s.counters]
    return len({*counted}) < len(counted)


# -- neighbours ------------------------------------------------------------------------------


def _neighbours(line: TypedLine) -> Iterator[str]:
    stencils: dict[object, dict[Place, int]] = defaultdict(dict)
    read = [*_signed(line.value, 1)]
    inside = any(c == line.target for _, c in read)
    for sign, c in read:
        own = (c.name, c.base) == (line.target.name, line.target.base)
        if c.subs and (inside or not own) and "(" not in "".join(c.base):
            at = stencils[c.name, c.base]
            at[c.place] = sign if at.get(c.place, sign) == sign else 0
    for stencil in stencils.values():
        yield from [ASYMMETRIC] * asymmetry(stencil)


def _signed(e: Plain, sign: int) -> Iterator[tuple[int, Plain]]:
    """The cells of an expression, and whether they are added or taken away."""
    if e.op == "cell":
        yield sign, e
    sign *= not (e.op == "*" and all(any(c.subs for c in cells(x)) for x in e.parts))
    minus = e.op == "-" or (e.op == "*" and e.parts[0].op == "-" and len(e.parts[0].parts) == 1)
    for k, x in enumerate(e.parts, 1):
        yield from _signed(x, -sign if minus and k == len(e.parts) else sign)


def _repeats(e: Plain, sources: frozenset[str]) -> Iterator[str]:
    """Terms and arguments that stand twice, and one of another array than the others."""
    for total in outermost(e, ("+", "-")):
        each = terms(total)
        yield from [TWICE] * _terms_twice(each)
        ones = [[*cells(x)] for _, x in each]
        if len(each) > 2 and all(
            s > 0 and len(c) == 1 for (s, _), c in zip(each, ones, strict=True)
        ):
            taps = [c for (c,) in ones]
            alike = len({c.base for c in taps}) == 1 and len({c.place for c in taps}) == len(taps)
            if alike and not (total == e and _around(taps, sources)):
                yield from [OTHER_ARRAY] * (len({c.name for c in taps}) - 1) * bool(taps[0].subs)
    for x in nodes(e):
        operands = _listed(x, x.op) if x.op in ("max", "min") else [*x.parts[x.op == "?" :]]
        if len(x.parts) > 1 and x.op in (*_UNLIKE, "?"):
            yield from [TWICE] * (len(operands) - len({*operands}))


def _around(taps: list[Plain], sources: frozenset[str]) -> bool:
    """Whether one of another array is in the middle of those of one, and nothing else is made of
    it: `t[i-1] + f[i] + t[i+1]`, where f is a source. (Of what is divided, as a mean is, it is
    none.)"""
    own = [c.place for c in taps if c.name in sources]
    places = zip(*own[:1], *(c.place for c in taps if c.place not in own), strict=True)
    one = len(own) == 1 and len({c.name for c in taps}) == 2
    return one and all(2 * p == min(x) + max(x) for p, *x in places)


def _listed(e: Plain, op: str) -> list[Plain]:
    """The arguments of `max(max(a, b), c)`."""
    return [y for x in e.parts for y in (_listed(x, op) if x.op == op else [x])]


def _terms_twice(added: list[tuple[int, Plain]]) -> int:
    """How many terms, or cells in them, stand twice, but so that their places are symmetric: the
    weights 1, 2, 1 may be written as `A[i-1] + A[i] + A[i] + A[i+1]`."""
    alone: dict[object, list[tuple[Place, bool]]] = defaultdict(list)
    inside: dict[object, list[list[Place]]] = defaultdict(list)
    rest: list[object] = []
    plus = all(sign > 0 for sign, _ in added)
    for _, x in added:
        e, weighted = _unweighted(x)
        if e.op == "cell" and e.subs:
            alone[e.name, e.base].append((e.place, weighted))
        elif e.op not in ("cell", "number", "size", "i", "let"):
            rest.append(tuple(sorted(map(_whole, factors(e)))) if e.op == "*" else e)
        few = sorted({c for c in cells(x) if c.subs})
        for of, own in groupby(few, lambda c: (c.name, c.base)):
            inside[of].append([c.place for c in own])
    twice = 0
    for key, taps in alone.items():
        places = [p for p, _ in taps]
        only = {p for x in inside[key] for p in x} == {places[0]}
        repeated = len(places) - len({*places} if plus or only else {*taps})
        twice += repeated * (not _mirrored(places))
    for key, each_term in inside.items():
        one = [places[0] for places in each_term]
        if key not in alone and all(len(x) == 1 for x in each_term) and len({*one}) > 1:
            twice += (len(one) - len({*one})) * (not _mirrored(one))
    return twice + len(rest) - len({*rest})


def _whole(e: Plain) -> Plain:
    """`w` of `1 - w`, the other part of what is shared out: `(1 - w) * x + w * x` is x."""
    one = e.op == "-" and len(e.parts) == 2 and e.parts[0].name in ("1", "1.0")
    return e.parts[1] if one else e


def _mirrored(places: list[Place]) -> bool:
    """Whether several places are symmetric, with how often each of them is there."""
    at = Counter(places)
    ends = [min(x) + max(x) for x in zip(*at, strict=True)]
    image = Counter(tuple(m - k for k, m in zip(p, ends, strict=True)) for p in places)
    return len(at) > 1 and image == at


def _unweighted(e: Plain) -> tuple[Plain, bool]:
    """`A[i]` of `0.3 * A[i]`, and that it is weighted."""
    found = [x for x in factors(e) if x.op != "number"]
    divided = e.op == "/" and e.parts[1].op != "number"
    return (found[0], e != found[0]) if len(found) == 1 and not divided else (e, False)


# -- choices and copies ----------------------------------------------------------------------


def _choices(line: TypedLine) -> Iterator[str]:
    """Of `if x[i] > hi then hi = x[1]; fi` and of `hi = x[i] > hi ? x[1] : hi`."""
    taken = [(c, line.value) for c in line.conditions]
    for e in nodes(line.value):
        if e.op == "?" and line.target in e.parts[1:]:
            taken.append((e.parts[0], e.parts[1 + (e.parts[1] == line.target)]))
    for condition, value in taken:
        for e in nodes(condition):
            for x, y in (e.parts, e.parts[::-1]) if e.op in ORDER else ():
                yield from [NOT_COMPARED] * (y == line.target and x != value and alike(x, value))


def _copies(e: Plain, known: frozenset[str]) -> Iterator[str]:
    """Of the two terms of a sum, and of the factors of a product."""
    added: Iterable[list[Plain]] = ([x for _, x in terms(s)] for s in outermost(e, ("+", "-")))
    pairs = [tuple(x) for x in added if len(x) == 2]
    pairs += [p for x in outermost(e, ("*",)) for p in pairwise(factors(x))]
    for a, b in pairs:
        yield from [KEPT] * any(left_over(a, b, known))
