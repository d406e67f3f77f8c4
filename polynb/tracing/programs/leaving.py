"""Where the text of a loop leaves it: `break`, `return`, and what else ends more than an
iteration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from polynb.source.operators import COMPARISONS
from polynb.tracing.library import library_call
from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.tokens import (
    OWNERS,
    Tokens,
    closed,
    head_of,
    points,
    statement,
    words_of,
)
from polynb.tracing.programs.typed import is_fraction, is_real

COUNTING: Final = re.compile(
    r"(?:(?:\w+ (?:\+\+|--)|(?:\+\+|--) \w+|\w+ [-+]= \d+)(?: , (?!$)|$))+"
)
"""Several variables that are counted beside each other."""
COUNTDOWN: Final = re.compile(r"(?:\w+ --|-- \w+)(?: (?:>|!=) 0)?")
STEPPING: Final = ("++", "--", "+=", "-=", "&", ".")
FAR: Final = ("longjmp", "_longjmp", "siglongjmp", "throw")
"""What leaves a function other than to where it was called."""
ENDS: Final = ("return", "goto", "exit", "abort", "assert", *FAR)


def left_by(lines: Sequence[str], line: int, which: int = 0) -> tuple[str, int] | None:
    """The word that leaves the `which`-th loop of a line (from 1), and its line; None if none of
    the text does. Macros are not looked into."""
    tokens = words_of(lines, line)
    if (head := head_of(tokens, line, which)) is None:
        return None
    end = statement(tokens, head)
    k = head + 1
    while k < end:
        word, at = tokens[k]
        if word == "break" or _ends(tokens, head, end, k):
            return word, at
        if word in OWNERS:
            inner = statement(tokens, k)
            for j in range(k, inner):
                if _ends(tokens, head, end, j):
                    return tokens[j]
            k = inner
        else:
            k += 1
    return None


def _ends(tokens: Tokens, head: int, end: int, k: int) -> bool:
    """Whether a word leaves a loop: a `goto` may stay inside."""
    if tokens[k][0] != "goto":
        return tokens[k][0] in ENDS or _ends_all(tokens, k)
    label = [tokens[k + 1][0], ":"]
    return not any([t for t, _ in tokens[j : j + 2]] == label for j in range(head, end))


def _ends_all(tokens: Tokens, k: int) -> bool:
    """Whether a function of the library is called in which the program may end: `_exit(1)`."""
    called = k + 1 < len(tokens) and tokens[k + 1][0] == "(" and tokens[k - 1][0] not in (".", "->")
    known = library_call(tokens[k][0]) if called else None
    return known is not None and known.ends


def decided_by(lines: Sequence[str], line: int, which: int = 0) -> str:
    """What decides whether the `which`-th loop of a line goes on, if that is more than how two
    numbers compare (of which a `for` counts one): memory, a call, a second condition; "" if it is
    not more. An element is a number where nothing in the loop changes which one it is.

    (That a loop changes a number that is compared is not seen here, but as a flow of values.)
    """
    tokens = words_of(lines, line)
    if (head := head_of(tokens, line, which)) is None:
        return ""
    if tokens[head][0] != "for":
        return _asked(tokens, head)
    inside = [t for t, _ in tokens[head + 2 : closed(tokens, head + 1) - 1]]
    if inside.count(";") != 2:
        return ""  # over a range
    first = inside.index(";")
    second = inside.index(";", first + 1)
    test, step = inside[first + 1 : second], inside[second + 1 :]
    settled = _settled(tokens, head + 3 + first, head + 2 + second, statement(tokens, head))
    if _finds(settled) and not _compares(settled, tokens, head):
        return " ".join(test) or "nothing"
    several = "," in step and not COUNTING.fullmatch(" ".join(step))
    rounds = _rounds(lines, line, step)
    return " ".join(step) if several or rounds or "->" in step or _reads(step) else ""


def counted_by(lines: Sequence[str], line: int, which: int = 0) -> str:
    """What the `which`-th loop of a line goes on by, if it is a `for` that takes no steps of one
    length: `w *= 2`; "" if it does."""
    tokens = words_of(lines, line)
    head = head_of(tokens, line, which)
    if head is None or tokens[head][0] != "for":
        return ""
    end = closed(tokens, head + 1) - 1
    parts = [k for k in range(head + 2, end) if tokens[k][0] == ";"]
    if len(parts) != 2:
        return ""  # over a range
    for a in assignments(tokens, parts[1] + 1, end):
        right = [t for t, _ in tokens[a.at + 1 : end]]
        again = right[:1] == [a.name] and right[1:2] in (["+"], ["-"])
        steps = a.name not in (right[2:] if again else right) and (again or a.how in STEPPING)
        if not steps:
            return " ".join(t for t, _ in tokens[parts[1] + 1 : end])
    return ""


def _rounds(lines: Sequence[str], line: int, step: Sequence[str]) -> bool:
    """Whether what goes by steps is no whole number, and each depends on the roundings before."""
    words = [(t, 0) for t in step]
    numbers = any(is_fraction(words, k) for k in range(len(words)))
    return numbers or any(is_real(tuple(lines), line, word) for word in step)


def _asked(tokens: Tokens, head: int) -> str:
    """The same of a `while`, or a `do`."""
    k = head if tokens[head][0] == "while" else statement(tokens, head + 1)
    test = [t for t, _ in tokens[k + 2 : closed(tokens, k + 1) - 1]]
    text = " ".join(test)
    return (text or "nothing") if _finds(test) and not COUNTDOWN.fullmatch(text) else ""


def _settled(tokens: Tokens, first: int, last: int, end: int) -> list[str]:
    """The words of a test without the brackets of elements that are the same ones in all iterations
    of the loop that ends at a token: `i < row[r + 1]`."""
    changed = {a.name for a in assignments(tokens, first, min(end, len(tokens)))}
    found, k = list[str](), first
    while k < last:
        after = closed(tokens, k) if tokens[k][0] == "[" else k + 1
        inside = [t for t, _ in tokens[k:after]]
        named = {tokens[k - 1][0], *inside}
        fixed = tokens[k - 1][0].isidentifier() and not named & {*changed, "(", "=", "->"}
        if inside[0] != "[" or not fixed:
            found += inside
        k = after
    return found


def is_and(lines: Sequence[str], line: int, which: int = 0) -> bool:
    """Whether the test of the `which`-th loop of a line is of several comparisons: each of them may
    end it."""
    tokens = words_of(lines, line)
    head = head_of(tokens, line, which)
    return head is not None and any(t == "&&" for t, _ in tokens[head : closed(tokens, head + 1)])


def _compares(test: Sequence[str], tokens: Tokens, head: int) -> bool:
    """Whether a test is of several comparisons of numbers, `i < n && i < m`, none of which the body
    of its loop changes."""
    parts: list[list[str]] = [[]]
    for word in test:
        if word == "&&":
            parts.append([])
        else:
            parts[-1].append(word)
    body, end = closed(tokens, head + 1), min(statement(tokens, head), len(tokens))
    changed = {a.name for a in assignments(tokens, body, end)}
    return not any(map(_finds, parts)) and not changed & {*test}


def _finds(test: Sequence[str]) -> bool:
    """Whether a test is more than how two numbers compare."""
    changing = {"&&", "||", "!", "++", "--", "="} & {*test}
    return bool(not {*COMPARISONS} & {*test} or changing or _reads(test))


def _reads(tokens: Sequence[str]) -> bool:
    """Whether an element, what is pointed to, or a call is asked for."""
    words = [(t, 0) for t in tokens]
    return any(
        token == "[" or points(words, k)
        or (token == "(" and k and tokens[k - 1].isidentifier())
        for k, token in enumerate(tokens)
    )  # fmt: skip
