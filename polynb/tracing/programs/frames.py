"""What a function writes in its own frame: its variables, and elements of its arrays, which each
call makes anew."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from polynb.tracing.programs.assigned import Assigned, Declared, assignments, declarations
from polynb.tracing.programs.mentions import place_of
from polynb.tracing.programs.tokens import Tokens, closed, ends_value, words_at


def made_in(tokens: Tokens, a: Assigned, made: Iterable[Declared]) -> str:
    """The variable that an assignment writes, or the array of those that are `made` of which it
    writes an element; "" where it may be anywhere."""
    if a.name:
        return a.name
    place = place_of(tokens, a.at) if ends_value(tokens, a.at - 1) else ()
    deep = {subscripts_of(tokens, d.first) for d in made if place and d.name == place[0]}
    if not place or len(deep) != 1 or 0 in deep:
        return ""
    k = a.at - len(place)
    behind = _behind(tokens, k, *deep)
    rest = [t for t, _ in tokens[behind : a.at]] if behind else ["["]
    return "" if {*rest} & {"[", "->"} else place[0]


def subscripts_of(tokens: Tokens, k: int) -> int:
    """How many brackets follow a name."""
    k, depth = k + 1, 0
    while k < len(tokens) and tokens[k][0] == "[":
        k, depth = closed(tokens, k), depth + 1
    return depth


def _behind(tokens: Tokens, k: int, deep: int) -> int:
    """What comes behind so many brackets after a name; 0 where there are fewer."""
    k += 1
    for _ in range(deep):
        if tokens[k][0] != "[":
            return 0
        k = closed(tokens, k)
    return k


@lru_cache(maxsize=4096)
def in_frame(
    lines: tuple[str, ...], at: tuple[int, int], first: int, end: int, given: frozenset[str]
) -> bool:
    """Whether what is written in a frame at a line and a column is one of the function's variables
    for certain: what it is `given`, returns, or makes between two tokens. (Of no column is what it
    is given as it begins.)"""
    tokens, places = words_at(lines)
    ks = places.get(at, range(0))
    if not at[1] or len(ks) != 1:
        return not at[1]
    made = [*declarations(tokens, first, end)]
    if tokens[ks[0]][0] == "return" or any(d.first == ks[0] for d in made):
        return True
    found = [*assignments(tokens, ks[0], ks[0] + 1)]
    if len(found) != 1 or found[0].how in ("&", "."):
        return False
    name = made_in(tokens, found[0], made)
    return name in given or any(d.name == name for d in made)
