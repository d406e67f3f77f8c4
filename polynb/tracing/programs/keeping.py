"""What a loop may hand on from iteration to iteration in registers, where they are not seen.

gcc keeps local variables in registers, of which its hooks do not tell. So a loop is only called
parallel where its text shows that it hands nothing on: what it assigns is made anew in each
iteration, counts a loop, or is memory, and then as many stores were seen there. For anything else
there is a reason, in words.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from polynb.tracing.programs.assigned import (
    ASSIGNING,
    KEPT,
    Assigned,
    assigned_at,
    assignments,
    declarations,
    lent_out,
)
from polynb.tracing.programs.certain import always_writes
from polynb.tracing.programs.frames import made_in
from polynb.tracing.programs.texts import function_at, own_names
from polynb.tracing.programs.tokens import (
    Tokens,
    begun,
    closed,
    ends_value,
    head_of,
    loop_at,
    points,
    span,
    statement,
    words_at,
    words_of,
)

DEFINED: Final = re.compile(r"^\s*#\s*define\s+(\w+)((?:.*\\\n)*.*)", re.MULTILINE)
CAPITALS: Final = re.compile(r"[A-Z_][A-Z0-9_]+")
ASM: Final = frozenset(("asm", "__asm__", "__asm"))
HIDING: Final = frozenset((*ASSIGNING, "?", "&&", "||", ";", "{", "&", *ASM))
HOW: Final = "--scalars shows local variables, with clang (sudo apt install clang)"


def handed_on(
    lines: Sequence[str],
    line: int,
    which: int,
    stores: Mapping[int, int],
    variables: Container[str],
) -> str:
    """Why the `which`-th loop of a line may hand something on that was not seen; "" if it does not.
    `stores` has the number of those that were seen in it by line, `variables` are global."""
    tokens = words_of(lines, line)
    if (head := head_of(tokens, line, which)) is None:
        return f"its text was not found, and registers were not seen; {HOW}"
    end = statement(tokens, head)
    if hidden := unread(lines, tokens[head:end]):
        return f"what {hidden} does was not read, and registers were not seen; {HOW}"
    found = list(assignments(tokens, of_iterations(tokens, head), end))
    kept = [a for a in found if not is_private(tokens, head, end, a)]
    for a in kept:
        if a.name and a.name not in variables:
            at = tokens[a.at][1]
            return f"`{a.name}` (line {at}) is written in it, in a register perhaps; {HOW}"
    if (low := missed(tokens, kept, stores)) is not None:
        return f"not all that line {low} writes was seen: registers, or a way not taken; {HOW}"
    return ""


def stores_more(tokens: Tokens, a: Assigned) -> bool:
    """Whether an assignment is more than a part of a list, or of what is made once."""
    before = [t for t, _ in tokens[begun(tokens, a.at) : a.at]]
    in_list = before[:1] == ["."] or (len(before) > 2 and before[-2] == "." and before[-3] == ",")
    return not (in_list or KEPT & {*before} or before[-1:] in (["["], ["operator"]))


def missed(tokens: Tokens, asked: Iterable[Assigned], stores: Mapping[int, int]) -> int | None:
    """The first line of a statement, or of several that share lines, in which fewer stores were
    seen than are written there."""
    needed: dict[tuple[int, int], int] = {}
    for a in asked:
        if a.how not in ("&", "."):
            lines_of = span(tokens, a.at)
            needed[lines_of] = needed.get(lines_of, 0) + 1
    for (low, high), count in [*needed.items(), *_together(needed).items()]:
        if sum(stores.get(n, 0) for n in range(low, high + 1)) < count:
            return low
    return None


def _together(needed: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """The same of those that share lines, which is each line of a store once."""
    found: list[tuple[int, int, int]] = []
    for (low, high), count in sorted(needed.items()):
        if found and low <= found[-1][1]:
            first, last, before = found.pop()
            found.append((first, max(last, high), before + count))
        else:
            found.append((low, high, count))
    return {(low, high): count for low, high, count in found}


def unread(lines: Sequence[str], inside: Tokens) -> str:
    """A macro or other text in a loop that may do what is not read here."""
    macros: dict[str, str] = {}
    for m in DEFINED.finditer("\n".join(lines)):
        macros[m[1]] = f"{macros.get(m[1], '')} {m[2]}"  # in each of its meanings
    for k, (word, _) in enumerate(inside):
        if word in ASM:
            return "`asm`"
        if word in macros and _hides(macros, word):
            return f"the macro {word}"
        called = k + 1 < len(inside) and inside[k + 1][0] == "("
        if called and word not in macros and CAPITALS.fullmatch(word):
            return f"{word}"
    return ""


def _hides(macros: Mapping[str, str], name: str, seen: frozenset[str] = frozenset()) -> bool:
    words = [t for t, _ in words_of(macros[name].split("\n"), 1)]
    inner = [w for w in words if w in macros and w not in seen and w != name]
    calls = any(a.isidentifier() and b == "(" for a, b in pairwise(words))
    return calls or bool(HIDING & {*words}) or any(_hides(macros, w, seen | {name}) for w in inner)


def of_iterations(tokens: Tokens, head: int) -> int:
    """Where what runs in each iteration begins: behind what a `for` begins with."""
    if tokens[head][0] != "for":
        return head + 1
    k, end = head + 2, closed(tokens, head + 1)
    while k < end and tokens[k][0] != ";":
        k = closed(tokens, k) if tokens[k][0] in ("(", "{") else k + 1
    return k


def is_private(tokens: Tokens, head: int, end: int, a: Assigned) -> bool:
    """Whether an assignment is to what each iteration has for itself: made in it, or the counter
    of the loop or of one within."""
    if not a.name:
        return False
    if is_made(tokens, head, end, a):
        return True
    if tokens[head][0] != "for":
        return False
    if a.at < closed(tokens, head + 1):
        return True  # its own counter: how it goes on is looked at elsewhere
    inner = [k for k in range(closed(tokens, head + 1), end) if tokens[k][0] == "for"]
    spans = [(k, statement(tokens, k)) for k in inner if _begins_with(tokens, k, a.name)]
    places = [k for k in range(head, end) if tokens[k][0] == a.name]
    return bool(spans) and all(any(x <= k < y for x, y in spans) for k in places)


def is_made(tokens: Tokens, head: int, end: int, a: Assigned) -> bool:
    """Whether an assignment is to a variable that each iteration of a loop makes anew."""
    body = closed(tokens, head + 1) if tokens[head][0] in ("for", "while") else head + 1
    made = declarations(tokens, body, end)
    return any(d.name == a.name and d.first <= a.at < d.end for d in made)


def _begins_with(tokens: Tokens, head: int, name: str) -> bool:
    """Whether a `for` gives a variable its first value, of which it was no part before."""
    inside = [t for t, _ in tokens[head + 1 : of_iterations(tokens, head)]]
    return inside[:3] == ["(", name, "="] and inside.count(name) == 1


@lru_cache(maxsize=4096)
def made_anew(lines: tuple[str, ...], at: tuple[int, int], line: int, which: int) -> bool:
    """Whether what stands at a line and a column of a text assigns to a variable that each
    iteration of a loop makes anew."""
    tokens, _ = words_at(lines)
    found, head = assigned_at(lines, at), loop_at(lines, line, which)
    if found is None or head is None:
        return False
    end = statement(tokens, head)
    name = made_in(tokens, found, declarations(tokens, head, end))
    return is_made(tokens, head, end, replace(found, name=name))


@lru_cache(maxsize=4096)
def written_always(lines: tuple[str, ...], at: tuple[int, int], line: int, which: int) -> bool:
    """Whether each iteration of a loop writes the variable that is assigned to at a line and a
    column of a text."""
    tokens, _ = words_at(lines)
    found, head = assigned_at(lines, at), loop_at(lines, line, which)
    if found is None or head is None:
        return False
    return bool(found.name) and always_writes(tokens, head, found.name)


def placed_by_data(lines: Sequence[str], line: int) -> frozenset[str]:
    """What in the subscripts of the elements that a line writes may come out of the data: variables
    that are not made from numbers and counters alone, "[" for an element, or what is called."""
    tokens, _ = words_at(tuple(lines))
    known = from_numbers(tuple(lines), *function_at(tuple(lines), line))
    here = [k for k, (_, at) in enumerate(tokens) if at == line]
    if not here:
        return frozenset("[")
    return frozenset(
        t
        for a in assignments(tokens, here[0], here[-1] + 1)
        if not (a.name or a.how in ("&", "."))
        for t in _subscript(tokens, a.at)
        if t not in known
    )


@lru_cache(maxsize=1024)
def changed_by_data(
    lines: tuple[str, ...], line: int, which: int, names: frozenset[str]
) -> frozenset[str]:
    """Those of some names that iterations of a loop may give other values out of the data: what is
    a function's own, and not written in it, they do not."""
    tokens, _ = words_at(lines)
    if (head := loop_at(lines, line, which)) is None:
        return names
    end = statement(tokens, head)
    made = _made_from(tokens, of_iterations(tokens, head), end)
    first, last = function_at(lines, line)
    fixed = own_names(tokens, first, last) - lent_out(tokens, first, last) - made.keys()
    known = fixed | made.keys()
    while wrong := {n for n in made if n in known and not made[n] <= known}:
        known -= wrong
    return names - known


def _subscript(tokens: Tokens, k: int) -> Iterator[str]:
    """What stands in the brackets of an element that is assigned to: words that tell where it is;
    an element in them, or a call, is told as its bracket."""
    step = 1 if k + 1 < len(tokens) and not ends_value(tokens, k - 1) else -1
    k, depth = k + step, 0
    while 0 <= k < len(tokens) and tokens[k][0] not in (";", "{", "}"):
        word = tokens[k][0]
        opened = word == ("[" if step > 0 else "]")
        if depth and (opened or (word == "(" and tokens[k - 1][0].isidentifier())):
            yield "["
        depth += opened - (word == ("]" if step > 0 else "["))
        if depth and word.isidentifier():
            yield word
        k += step


@lru_cache(maxsize=1024)
def from_numbers(lines: tuple[str, ...], first: int, end: int) -> frozenset[str]:
    """The variables of a part of a text that are only made from numbers, counters and each other;
    and its macros, but those with arguments."""
    tokens, _ = words_at(lines)
    made = _made_from(tokens, first, end)
    macros = {m[1] for m in DEFINED.finditer("\n".join(lines))}
    known = set(made) | {m for m in macros if CAPITALS.fullmatch(m)}
    while wrong := {n for n in made if n in known and not made[n] <= known}:
        known -= wrong
    return frozenset(known)


def _made_from(tokens: Tokens, first: int, end: int) -> dict[str, set[str]]:
    """What each variable is made from that is assigned between two tokens."""
    made: dict[str, set[str]] = {}
    for a in assignments(tokens, first, end):
        if a.name:
            made.setdefault(a.name, set()).update(_right(tokens, a.at) if a.how != "&" else "[")
    return made


def _right(tokens: Tokens, k: int) -> Iterator[str]:
    """The variables that an assignment takes; an element or a call is told as its bracket."""
    if tokens[k][0] in ("++", "--", "."):
        return
    depth = 0
    for j in range(k + 1, len(tokens)):
        word, before = tokens[j][0], tokens[j - 1][0]
        depth += (word in ("(", "[")) - (word in (")", "]"))
        if depth < 0 or (word in (";", ",") and not depth):
            return
        if word in ("[", "->") or (word == "(" and before.isidentifier()):
            yield "["
        if points(tokens, j) or word == "?":
            yield "["
        if word.isidentifier() and word not in ("int", "long", "unsigned", "size_t", "sizeof"):
            yield word
