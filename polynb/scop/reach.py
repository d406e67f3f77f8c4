"""Where the loops around a cell begin and end, and whether it has the ends of its array there."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from polynb.scop.plain import Sub, TypedLine, cells, subscript
from polynb.source import tree as syntax

Linear = Counter[str]
"""How often each size is added, and a number ("")."""
LATE: Final = 2
"""Of 1 many begin to count."""
PAIR: Final = 2


def unreached(line: TypedLine, single: frozenset[str]) -> tuple[bool, bool]:
    """Whether a loop begins at 4, say, and nothing in it is at the beginning of an array then, not
    even `x[n+k]`; and whether it leaves out its first iteration, or the last one too, and has no
    last cell of an array of n, in `a[n-1-i]`, or has but one of both ends, in `a[i+1] - a[i]`.
    (Not of arrays of which `single` cells are accessed: what is left out may be done there.)"""
    read = [c for c in cells(line.value) if c.subs]
    late = odd = False
    if line.conditions or {line.target.name, *(c.name for c in read)} & single:
        return False, False
    for loop in line.loops:
        first, last = _number(loop), subscript(loop.upper)
        own = [s for c in read for s in c.subs if loop.iterator in s.counters]
        mirrored = last.number == -1 and len(own) == 1 and own[0].base != loop.iterator
        both = last.number == -PAIR and len(own) == len(read) == PAIR
        few = len({c.name for c in read} | {line.target.name}) == PAIR and not last.counters
        ask = first == 1 and few and bool(last.base) and (mirrored or both)
        each = [*own, *(s for s in line.target.subs if loop.iterator in s.counters)]
        ahead = first >= LATE and any(len(s.counters) > 1 for s in own)
        found = [_ends(s, line) for s in each if ask or ahead]
        known = [x for x in found if x is not None]
        if len(known) < len(found) or not known:
            continue
        late |= ahead and all(low[""] > 0 for low, _ in known)
        low = any(not any(x.values()) for x, _ in known[: len(own)])
        high = Counter({last.base: 1, "": -1}) in [x for _, x in known[: len(own)]]
        odd |= ask and not high if mirrored else ask and low != high
    return late, odd


def _number(loop: syntax.For) -> int:
    """With which a loop begins that counts up."""
    lower = loop.lower.value if isinstance(loop.lower, syntax.Number) else 0
    return lower if isinstance(lower, int) and loop.step == 1 else 0


def _ends(s: Sub, line: TypedLine) -> tuple[Linear, Linear] | None:
    """The least and the largest value of a subscript, where the loops have sizes for ends."""
    loops = {x.iterator: x for x in line.loops}
    low, high = Counter({"": s.number}), Counter({"": s.number})
    for sign, name in re.findall(r"([+-]?)([^+-]+)", s.base):
        n, loop = -1 if sign == "-" else 1, loops.get(name)
        each = [Sub(name, () if name.isidentifier() else (name,), 0)] * 2  # `2*i` counts, too
        if loop is not None:
            each = [subscript(x) for x in (loop.lower, loop.upper)[:: n * loop.step]]
        if len(each) < PAIR or any(x.counters for x in each):
            return None
        for found, x in zip((low, high), each, strict=True):
            found[""] += n * x.number
            found[x.base] += n * bool(x.base)
    return low, high
