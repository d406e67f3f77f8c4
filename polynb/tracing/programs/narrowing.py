"""Whether a variable holds all of what it is given, as far as the types in a text are read.

The largest of some numbers is only gathered in a variable that keeps each of them: an `unsigned
char` that is given 300 has 44, and goes on with that. A sum of halves in a whole number, or of
anything in a truth, that is gathered in parts comes to something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from polynb.tracing.programs.assigned import Assigned, assignments
from polynb.tracing.programs.texts import Text
from polynb.tracing.programs.tokens import BREAKS, Tokens, closed, opened, points, words_at
from polynb.tracing.programs.typed import BASIC, REAL, SIZES, Words, declared, is_fraction

UNSIGNED: Final = re.compile(r"unsigned|_Bool|bool|uint\w+_t|uintptr_t|uintmax_t|size_t")
INT: Final = frozenset(("int",))
DOUBLE: Final = frozenset(("double",))
TRUTH: Final = frozenset(("bool", "_Bool"))
ASKING: Final = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))
ADDING: Final = frozenset(("+", "-", "^"))


def narrows(lines: Sequence[str], line: int, place: str, value: str) -> bool:
    """Whether the place that a line assigns to may not hold all of a value. (Floats that are
    rounded keep their order.)"""
    text = tuple(lines)
    target, given = (_types(text, line, words_at((x,))[0]) for x in (place, value))
    return len(target) != 1 or not all(_holds(target[0], x) for x in given)


def cuts(lines: Sequence[str], line: int) -> bool:
    """Whether a value that is assigned in a line is cut, as far as its text says."""
    text = tuple(lines)
    tokens, _ = words_at(text)
    here = [k for k, (_, at) in enumerate(tokens) if at == line]
    if not here:
        return False
    every = assignments(tokens, here[0], here[-1] + 1)
    return any(_cut(text, line, a) for a in every if a.how in ("=", "+=", "-=", "*=", "^="))


def _cut(text: Text, line: int, a: Assigned) -> bool:
    tokens, _ = words_at(text)
    target = declared(text, line, _target(tokens, a.at - 1))
    end = a.at + 1
    while end < len(tokens) and tokens[end][0] not in (*BREAKS, ",", ")", "]"):
        end = closed(tokens, end) if tokens[end][0] in ("(", "[") else end + 1
    value = tokens[a.at + 1 : end]
    adds = a.how == "=" and any(t in ADDING for t, _ in value) and not _asks(value)
    if target & TRUTH and (adds or a.how in ("+=", "-=", "^=")):
        return True
    return not target & REAL and any(x & REAL for x in _types(text, line, value))


def _target(tokens: Tokens, k: int) -> str:
    """What an lvalue names where it ends: `a` of `a[i]`, `n` of `p->n`, `p` of `(*p)`."""
    while k > 0 and tokens[k][0] == "]":
        k = opened(tokens, k) - 1
    return tokens[k - 1][0] if tokens[k][0] == ")" else tokens[k][0]


def _holds(target: Words, value: Words) -> bool:
    if target & REAL:
        return True
    if not (target & SIZES.keys() and value & SIZES.keys()):
        return bool(target) and target == value
    if value & REAL:
        return False
    less = _unsigned(value) and not _unsigned(target)
    signed = _unsigned(target) and not _unsigned(value)
    return not signed and _size(value) <= _size(target) - less


def _size(words: Words) -> int:
    found = [SIZES[w] for w in words if w in SIZES]
    return max(found) if max(found) > SIZES["int"] else min(found)


def _unsigned(words: Words) -> bool:
    return any(UNSIGNED.fullmatch(w) for w in words)


def _types(text: Text, line: int, inner: Tokens) -> list[Words]:
    """Those of what an expression names, but in its brackets (only a call that gives no basic type
    is as what it is given); what is computed is an `int`, too, and what is asked nothing else."""
    while inner and inner[0][0] == "(" and closed(inner, 0) == len(inner):
        inner = inner[1:-1]
    if _asks(inner):
        return [INT]
    inner, found, k, computes = [*inner, ("", 0)], list[Words](), 0, False
    while k < len(inner) - 1:
        word = inner[k][0]
        if word.isidentifier():
            known, after = declared(text, line, word), _behind(inner, k)
            found += [] if inner[after][0] in (".", "->") else [known]
            within = inner[k + 1][0] == "(" and word != "sizeof" and not known & BASIC
            k = k + 1 if within else after
        elif is_fraction(inner, k):
            found, k = [*found, DOUBLE], k + 1
        else:
            computes = computes or not (word in ("(", ")", ".", "->") or points(inner, k))
            k += 1
    return found + [INT] * computes


def _asks(inner: Tokens) -> bool:
    """Whether a value is that of a comparison."""
    found, k = False, 0
    while k < len(inner) and inner[k][0] != "?":
        found |= inner[k][0] in ASKING
        k = closed(inner, k) if inner[k][0] in ("(", "[") else k + 1
    return found and k >= len(inner)


def _behind(tokens: Tokens, k: int) -> int:
    """What comes after a name, its subscripts and arguments."""
    k += 1
    while tokens[k][0] in ("[", "("):
        k = min(closed(tokens, k), len(tokens) - 1)
    return k
