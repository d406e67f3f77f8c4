"""What was probably meant by a program that is regular but for one slip of the fingers: a counter,
a name, a sign or a number for another one. A slip is asked about if it explains more bits of what
is irregular (`irregular.py`) than it costs to tell."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, permutations
from typing import Final, NamedTuple

from polynb.scop.doubt import MEANT, Doubt
from polynb.scop.irregular import (
    AGAIN,
    ASYMMETRIC,
    BITS,
    OTHER_ROW,
    OVERWRITTEN,
    TWICE,
    WEIGHTS,
    Costs,
    KnownNames,
    between,
    irregularities,
    on_diagonal,
)
from polynb.scop.plain import LARGE, Plain, Sub, TypedLine, cells, paths, plain, replaced
from polynb.scop.weights import digits, even, uneven
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression
from polynb.source.typos import difference

ANOTHER: Final = "is another name or cell meant?"
"""Where many a slip explains it."""
OTHER_WEIGHT: Final = "is another number or sign meant?"
FEW: Final = 30
"""Statements: a program of more was not typed by a person who looks for a letter."""
EDITS: Final = 6000
"""So many slips of a program are looked at."""
NAME, SHIFT, TURNED, SIGN, WITHIN, NUMBER = 8.0, 8.0, 9.0, 8.4, 8.4, 8.0
COUNTER, OF_ANOTHER_LOOP, TIMES = 8.0, 11.0, 5.5
ONE, SIZE, SIZE_WITHIN, OTHER, TARGET = 5.5, 8.0, 9.5, 13.0, 14.0
"""Bits to tell a slip: 1 looks like i; counters of loops that count alike are mixed up easily."""
Bits = float


class Slip(NamedTuple):
    """What is typed at a path in a value, what may be meant, and what it explains; `sure`: as no
    other does."""

    path: tuple[int, ...]
    typed: Plain
    meant: Plain
    gain: Bits
    why: str
    sure: bool = True


@dataclass(frozen=True)
class TypedLines:
    """The lines of a program, the names in it, and the arrays that are read by rank."""

    lines: tuple[TypedLine, ...]
    names: KnownNames
    arrays: dict[int, list[str]]


def slips(program: syntax.Program) -> Iterator[Doubt]:
    """The questions, the best explained one first; one for lines that follow each other."""
    typed = _typed(program)
    found = [(k, s) for k in range(len(typed.lines)) if (s := _best(typed, k)) is not None]
    asked: set[int] = set()
    for k, slip in sorted(found, key=lambda x: -x[1].gain):
        if not asked & {k - 1, k, k + 1}:
            asked.add(k)
            yield _question(typed.lines[k], slip)


def _typed(program: syntax.Program) -> TypedLines:
    lines = [*_lines(program.body, (), ())]
    lines = lines if len(lines) <= FEW else []
    read = [c for x in lines for c in cells(x.value)]
    every = [*read, *(x.target for x in lines)]
    arrays: dict[int, dict[str, None]] = defaultdict(dict)
    for c in read:
        arrays[len(c.subs)][c.name] = None
    names, reads = {c.name for c in every}, Counter(c.name for c in read)
    written = frozenset(x.target.name for x in lines)
    single = Counter(
        name
        for x in lines
        for name in {c.name for c in cells(x.value) if x.loops and c.subs and not c.counters}
    )
    return TypedLines(
        tuple(replace(x, summed=_summed(x, lines)) for x in lines),
        KnownNames(
            frozenset(names | {*program.parameters}),
            written,
            frozenset(name for name, count in single.items() if count > 1),
            frozenset(c.name for c in every if len(c.counters) > 1 and not on_diagonal(c)),
            frozenset(name for name, count in reads.items() if count == 1) - written,
        ),
        {rank: [*few] for rank, few in arrays.items()},
    )


def _lines(
    body: tuple[syntax.Stmt, ...], loops: tuple[syntax.For, ...], conditions: tuple[Plain, ...]
) -> Iterator[TypedLine]:
    for s in body:
        match s:
            case syntax.For(body=inner):
                yield from _lines(inner, (*loops, s), conditions)
            case syntax.If(condition=c, then=a, otherwise=b):
                yield from _lines((*a, *b), loops, (*conditions, plain(c)))
            case syntax.Assign(target=target, value=value) if _size(value) <= LARGE:
                yield TypedLine(s, plain(target), plain(value), loops, conditions)


def _size(e: syntax.Expr) -> int:
    """How many nodes an expression has as a tree."""
    return syntax.rebuild(e, lambda _, below: 1 + sum(below))


def _summed(line: TypedLine, lines: list[TypedLine]) -> tuple[str, ...]:
    """The counters of the loops over which a statement adds to its cell, which none sets anew."""
    anew = [
        x.loops
        for x in lines
        if x is not line
        and x.target.name == line.target.name
        and all(c.name != x.target.name for c in cells(x.value))
    ]
    outer = [line.loops[: d + 1] for d in range(len(line.loops))]
    return tuple(
        x[-1].iterator
        for x in outer
        if x[-1].iterator not in line.target.counters and all(o[: len(x)] != x for o in anew)
    )


# -- the best one ----------------------------------------------------------------------------


def _best(typed: TypedLines, k: int) -> Slip | None:
    """The slip in a line that explains most, if it explains enough."""
    line = typed.lines[k]
    if (before := _costs(typed, k, line)) in (Counter(), Counter({WEIGHTS: 1})):
        return None
    best: Slip | None = None
    rank: tuple[object, ...] = ()
    evened = 0
    most = EDITS // len(typed.lines)
    for path, x, meant, price in islice(_edits(typed, line), most):
        saved = before.copy()
        saved.subtract(_costs(typed, k, _edited(line, path, meant)))
        shifted = not path and x.base == meant.base
        if x.op != "cell" or shifted:  # what it makes no copy any more is not explained by it
            few = (OVERWRITTEN, OTHER_ROW) if shifted else (ASYMMETRIC, WEIGHTS)
            saved = Counter({kind: saved[kind] for kind in few})
            saved[WEIGHTS] *= even(_edited(line, path, meant).value)
            evened += saved[WEIGHTS] > 0
        else:
            saved[WEIGHTS] = 0
        gain = sum(BITS[kind] * count for kind, count in saved.items()) - price
        own = gain, _looks(x, meant, line), path, _counted(meant, line), -_reach(x, meant, line)
        if gain > 0 and (best is None or own > rank):
            why = max(saved, key=lambda kind: BITS[kind] * saved[kind])
            best, rank = Slip(path, x, meant, gain, why), own
    if best is not None and best.why == WEIGHTS and evened > 1:
        return best._replace(sure=False)
    return best


def _looks(x: Plain, meant: Plain, line: TypedLine) -> int:
    """How near to hand a slip is: 3 for a name that differs in a part only, 2 for one that is in
    the line and for a counter, 1 for a number or a sign."""
    if x.name != meant.name:
        beside = any(c.name == meant.name for c in cells(line.value))
        old, new = difference(x.name, meant.name)
        return 3 * ("" != old != x.name and "" != new != meant.name) or 2 * beside
    return 1 + (x.base != meant.base)


def _counted(meant: Plain, line: TypedLine) -> int:
    """How many subscripts count as those of what is computed do, in their places."""
    return sum(a == b for a, b in zip(meant.base, line.target.base, strict=False))


def _reach(x: Plain, meant: Plain, line: TypedLine) -> int:
    """How far a cell is: from the loops, or of what is computed from itself from what is typed."""
    own = x.name == line.target.name
    typed = x.place if own else (0,) * len(x.subs)
    return sum(abs(a - b) for a, b in zip(meant.place, typed, strict=False))


def _costs(typed: TypedLines, k: int, line: TypedLine) -> Costs:
    """What is irregular about a line, by itself and beside those before and behind it."""
    found = irregularities(line, typed.names)
    for n in (k - 1, k):
        if 0 <= n < len(typed.lines) - 1:
            pair = (typed.lines[n], line) if n < k else (line, typed.lines[n + 1])
            found.update(between(*pair, typed.names))
    return found


def _edited(line: TypedLine, path: tuple[int, ...], meant: Plain) -> TypedLine:
    if not path:
        return replace(line, target=meant)
    return replace(line, value=replaced(line.value, path[1:], meant))


# -- slips -----------------------------------------------------------------------------------


def _edits(
    typed: TypedLines, line: TypedLine
) -> Iterator[tuple[tuple[int, ...], Plain, Plain, Bits]]:
    """The slips of a line: where (nowhere in its value: in what it writes), what, and the price."""
    alike = _alike(line)
    for meant, price in _counters(line.target, line, alike):
        yield (), line.target, meant, max(price, TARGET)
    yield from (((), line.target, c, OF_ANOTHER_LOOP) for c, _ in _shifts(line.target, line))
    for path, x in paths(line.value, (0,)):
        if x.op in ("+", "-") and len(x.parts) == 2:
            yield path, x, x._replace(op="-" if x.op == "+" else "+"), SIGN
        elif x.op == "number" and uneven(line.value):
            yield from ((path, x, n, NUMBER) for n in digits(x))
        elif x.op == "cell" and (x != line.target or path != (0, 0)):
            names = (x._replace(name=n) for n in typed.arrays[len(x.subs)] if n != x.name)
            every = [*((c, NAME) for c in names), *_counters(x, line, alike), *_shifts(x, line)]
            every += _times(x, line)
            every.append((x._replace(subs=x.subs[::-1]), TURNED))
            yield from ((path, x, c, price) for c, price in every if c != line.target)


def _times(x: Plain, line: TypedLine) -> Iterator[tuple[Plain, Bits]]:
    """`A[2*i]` for `A[2+i]`, where another one is read so."""
    others = {c.base for c in cells(line.value) if c.name == x.name}
    for k, s in enumerate(x.subs):
        for n in range(2, s.number + 1) if s.counters == (s.base,) else ():
            if any(base[k] == f"{n}*{s.base}" for base in others):
                yield _with(x, k, s._replace(base=f"{n}*{s.base}", number=s.number - n)), TIMES


def _shifts(x: Plain, line: TypedLine) -> Iterator[tuple[Plain, Bits]]:
    there = {*cells(line.value)}
    for k, s in enumerate(x.subs):
        n = s.number
        few = (
            {-n, n - 2, n - 1, 0, n + 1, n + 2} - {n}
            if s.counters or (not s.base and line.loops)
            else ()
        )
        for m in few if s.counters else {m for m in few if m >= 0}:
            meant = _with(x, k, s._replace(number=m))
            if meant not in there:
                yield meant, SHIFT


def _counters(
    x: Plain, line: TypedLine, alike: set[tuple[str, str]]
) -> Iterator[tuple[Plain, Bits]]:
    """A cell with the counter of another loop, or with one instead of a number or a size."""
    for k, s in enumerate(x.subs):
        for loop in line.loops:
            j = loop.iterator
            if s.counters == (s.base,) and j in {*line.summed} - {s.base} and abs(s.number) == 1:
                base = f"{s.base}{'+' if s.number > 0 else '-'}{j}"
                yield _with(x, k, Sub(base, (s.base, j), 0)), ONE
            if s.counters == (s.base,) != (j,):
                price = COUNTER if (s.base, j) in alike else OF_ANOTHER_LOOP
                yield _with(x, k, Sub(j, (j,), s.number)), price
            elif not s.counters and s.base.isidentifier() and not s.number:
                yield _with(x, k, Sub(j, (j,), 0)), SIZE
            elif s == ("", (), 1):
                price = OTHER if _is_first(x, loop, line) else ONE
                yield from ((_with(x, k, Sub(j, (j,), n)), price) for n in (0, 1))
            elif s.counters != (s.base,) and s.counters:
                for old in sorted({*re.findall(r"[A-Za-z_]\w*", s.base)} - {j}):
                    base = re.sub(rf"\b{old}\b", j, s.base)
                    if old in s.counters:
                        now = tuple(j if i == old else i for i in s.counters)
                        yield _with(x, k, Sub(base, now, s.number)), WITHIN
                    else:
                        yield _with(x, k, Sub(base, (*s.counters, j), s.number)), SIZE_WITHIN


def _with(x: Plain, k: int, s: Sub) -> Plain:
    return x._replace(subs=(*x.subs[:k], s, *x.subs[k + 1 :]))


def _is_first(x: Plain, loop: syntax.For, line: TypedLine) -> bool:
    """Whether a cell is the first one of those that a loop has, with which others are compared."""
    first = isinstance(loop.lower, syntax.Number) and loop.lower.value == 1
    return first and any(c.name == x.name and c.counters for c in cells(line.value))


def _alike(line: TypedLine) -> set[tuple[str, str]]:
    """The counters of loops that run over the same numbers, or one over a part of the other's; and
    those of which there is a sum in a subscript."""
    found = {p for c in cells(line.value) for s in c.subs for p in permutations(s.counters, 2)}
    for a, b in permutations(line.loops, 2):
        bounds = (a.lower, a.upper)
        used = {x.name for e in bounds for x in syntax.walk(e) if isinstance(x, syntax.Iterator)}
        if b.iterator in used or syntax.same(bounds, (b.lower, b.upper)):
            found |= {(a.iterator, b.iterator), (b.iterator, a.iterator)}
    return found


# -- the question ----------------------------------------------------------------------------


def _question(line: TypedLine, slip: Slip) -> Doubt:
    """About a part of a line, as a person wrote it."""
    where = line.node.value if slip.path else line.node.target
    typed = [x for x in syntax.walk(where) if plain(x) == slip.typed]
    before = [x for p, x in paths(line.value, (0,)) if p < slip.path and x == slip.typed]
    e = typed[min(len(before), len(typed) - 1)]
    meant, text = _shown(slip.meant), print_expression(e) if e.span is None else e.span.text
    if isinstance(e, syntax.Binary):
        right = print_expression(e.right)
        text, meant, e = f"{e.op} {right}", f"{slip.meant.op} {right}", e.right
    asks = f"is `{meant}` meant?" if slip.why not in (TWICE, AGAIN) else ANOTHER
    asks = asks if slip.sure else OTHER_WEIGHT
    return Doubt(f"`{text}`", "", slip.why, f"If not, {MEANT}", e.span or line.node.span, asks)


def _shown(c: Plain) -> str:
    return c.name + "".join(f"[{s}]" for s in c.subs)
