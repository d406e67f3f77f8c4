"""What a person writes a second time with other names, y for x or j for i, and left as it was at
one place: the copy runs as well (after Li, Lu, Myagmar, Zhou: CP-Miner, OSDI 2004)."""

from __future__ import annotations

from functools import lru_cache

from polynb.scop.plain import Plain
from polynb.source.typos import difference

Pairs = list[tuple[str, str]]


@lru_cache(maxsize=1024)
def _shape(e: Plain) -> tuple[tuple[object, ...], tuple[Plain, ...]]:
    """What copies have in common, and the cells, counters and sizes in which they may differ.
    (Numbers are weights, which differ as well.)"""
    if e.op in ("cell", "size", "i"):
        return ("name", len(e.subs)), (e,)
    below = [_shape(x) for x in e.parts]
    return (e.op, *(s for s, _ in below)), tuple(x for _, found in below for x in found)


def alike(a: Plain, b: Plain) -> bool:
    """Whether two expressions are equal but for the cells that they read of arrays."""
    (x, first), (y, then) = _shape(a), _shape(b)
    return x == y and [p.name for p in first] == [p.name for p in then]


def left_over(a: Plain, b: Plain, known: frozenset[str]) -> tuple[bool, bool]:
    """Whether a name is kept in one of two copies where another one becomes a name that is known:
    `dy = y - cx` beside `dx = x - cx`; and whether something is kept that the copy changes at
    another place, or changes others to: `x[i] * y[i+1] - x[i+1] * y[i+1]`."""
    (x, first), (y, then) = _shape(a), _shape(b)
    if x != y or len(first) < 2 or a == b:
        return False, False
    pairs = [*zip(first, then, strict=True)]
    names = [(p.name, q.name) for p, q in pairs]
    subs = [x for p, q in pairs for x in zip(map(str, p.subs), map(str, q.subs), strict=True)]
    kept = all(s == t for s, t in subs) and (a.op != "=" or names[0][0] != names[0][1])
    kept = kept and any(_kept(x, known, a.op == "=") for x in (names, [(q, p) for p, q in names]))
    return kept, _mixed(names) or _mixed(subs)


def _kept(names: Pairs, known: frozenset[str], whole: bool) -> bool:
    """Of `whole` statements also where the name itself becomes that other one elsewhere."""
    each = [d for a, b in names if a != b and all(d := difference(a, b))]
    if not each:
        return False
    old, new = min(each, key=lambda d: len(d[0]))
    if any(b not in (a, a.replace(old, new)) for a, b in names):
        return False
    others = [(a, a.replace(old, new)) for a, b in names if a == b]
    named = known - {a for a, _ in names}
    return any(
        b in named and a != b and (len(a) > len(old) or (whole and (a, b) in names))
        for a, b in others
    )


def _mixed(pairs: Pairs) -> bool:
    first: dict[str, str] = {}
    for a, b in pairs:
        first.setdefault(a, b)
    changed = {b for a, b in pairs if a != b}
    return any(a == b and (first[a] != b or a in changed) for a, b in pairs)
