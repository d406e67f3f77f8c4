"""Which variables in registers are read after a loop that writes them, as its text says.

A trace shows no read of a register that nothing is computed with (`printf("%d", last)`), and no
write of one that is given what was loaded (`last = a[i]`). So the text is asked. What iterations
read themselves is flow, which was traced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from polynb.tracing.programs.assigned import Assigned, Declared, assignments, declarations, lent_out
from polynb.tracing.programs.certain import (
    Along,
    always_writes,
    loops_that_write,
    unsure_reads,
)
from polynb.tracing.programs.keeping import function_at, is_made, of_iterations
from polynb.tracing.programs.tokens import OWNERS, Tokens, loop_at, statement, words_at
from polynb.tracing.records import Remaining

LoopPlace = tuple[int, int]
"""The line of a loop, and the how manyth of it it is."""


def remaining(
    lines: Sequence[str], at: LoopPlace, names: Mapping[LoopPlace, str]
) -> tuple[Remaining, ...]:
    """Those of a loop; `names` are those of all loops of the text."""
    line, which = at
    text = tuple(lines)
    tokens, _ = words_at(text)
    if (head := loop_at(text, line, which)) is None:
        return ()
    first, last = function_at(text, line)
    end, found = statement(tokens, head), dict[str, Remaining]()
    lent = lent_out(tokens, first, last)
    inside = [*assignments(tokens, of_iterations(tokens, head), end)]
    stepped = {a.name for a in inside if a.how not in ("=", "&", ".")}
    for a in inside:
        name = a.name
        if name in found or name in lent or not _whole(tokens, a):
            continue
        if is_made(tokens, head, end, a):
            continue
        if name in stepped and unsure_reads(tokens, head, name):
            continue  # it goes on from what it was
        scope = _scope(tokens, first, last, head, name)
        read = None if scope is None else _read_after(tokens, scope, head, name)
        if read is not None:
            always = always_writes(tokens, head, name)
            within = () if always else loops_that_write(tokens, head, name)
            loops = tuple(names.get(_place(tokens, k), "") for k in within)
            found[name] = Remaining(name, tokens[a.at][1], tokens[read][1], always, loops)
    return tuple(found.values())


def _place(tokens: Tokens, head: int) -> LoopPlace:
    line = tokens[head][1]
    before = range(bisect_left(tokens, line, key=itemgetter(1)), head)
    return line, sum(tokens[k][0] in OWNERS[:3] for k in before)


def _whole(tokens: Tokens, a: Assigned) -> bool:
    """Whether it assigns to all of a variable, and to no member or element."""
    k = a.at - 1
    named = tokens[k][0] == a.name and tokens[k - 1][0] not in (".", "->")
    return bool(a.name) and a.how == "=" and named


def _scope(tokens: Tokens, first: int, last: int, head: int, name: str) -> Declared | None:
    """Where a variable that a loop knows is declared, and how far it is known; None of one that is
    no function's own."""
    mine = [d for d in declarations(tokens, first, last) if d.name == name]
    if around := [d for d in mine if d.first <= head < d.end]:
        return max(around, key=lambda d: d.first)
    start = first
    while start and tokens[start - 1][0] not in (";", "}"):
        start -= 1
    given = (t for t, _ in tokens[start:first])
    return Declared(name, first, last) if name in given else None


def _read_after(tokens: Tokens, scope: Declared, head: int, name: str) -> int | None:
    """A token that reads what iterations of a loop left in a variable: behind it, or in the next
    iteration of a loop around it; None if there is none."""
    look = Along(tokens, name)
    k, sure = statement(tokens, head), False
    while k < scope.end and not sure:
        if tokens[k][0] in ("}", ")"):
            k += 1
        elif tokens[k][0] == "else":
            k = statement(tokens, k + 1)
        else:
            after = max(statement(tokens, k), k + 1)
            sure = look.statement(k, min(after, scope.end), sure=False)
            k = after
    again = (x for h in _around(tokens, scope, head) for x in unsure_reads(tokens, h, name))
    return next((k for k in (*look.unsure, *again) if not _other(tokens, scope, k)), None)


def _around(tokens: Tokens, scope: Declared, head: int) -> Iterator[int]:
    """The loops around a loop in which a variable stays the same."""
    for k in range(scope.first, head):
        if tokens[k][0] in OWNERS[:3] and statement(tokens, k) > head:
            yield k


def _other(tokens: Tokens, scope: Declared, k: int) -> bool:
    """Whether what stands at a token is another variable of that name, which is made within."""
    inner = declarations(tokens, scope.first + 1, scope.end)
    return any(d.name == scope.name and scope.first < d.first <= k < d.end for d in inner)
