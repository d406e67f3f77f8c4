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
from polynb.tracing.programs.keeping import is_made, of_iterations
from polynb.tracing.programs.texts import function_at, start_of
from polynb.tracing.programs.tokens import OWNERS, Tokens, begun, loop_at, statement, words_at
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
    given = (t for t, _ in tokens[start_of(tokens, first) : first])
    return Declared(name, first, last) if name in given else None


def _read_after(tokens: Tokens, scope: Declared, head: int, name: str) -> int | None:
    """A token that reads what iterations of a loop left in a variable: behind it, where it is
    jumped to from there, or in the next iteration of a loop around it; None if there is none."""
    look, rounds = Along(tokens, name), set[int]()
    ways, followed = [(head, statement(tokens, head))], 0
    while followed < len(ways):
        inside, k = ways[followed]
        before, followed = len(look.jumps), followed + 1
        _go_on(look, k, scope.end)
        for loop in _around(tokens, scope, inside):
            if loop not in rounds:
                rounds.add(loop)
                look.next_iteration(loop)
        for jump in look.jumps[before:]:
            way = _jumped(tokens, scope, jump)
            if way is None:
                look.unsure.append(jump)  # it may be anywhere
            elif way not in ways:
                ways.append(way)
    return next((k for k in look.unsure if not _other(tokens, scope, k)), None)


def _go_on(look: Along, k: int, end: int) -> None:
    """Along the statements from a token on, out of what is around them, until it is written."""
    tokens, sure = look.tokens, False
    while k < end and not sure:
        word = tokens[k][0]
        if word in ("}", ")"):
            k += 1
        elif word == "else":
            k = statement(tokens, k + 1)
        elif word in ("case", "default") or tokens[k + 1][0] == ":":
            while tokens[k][0] != ":":
                k += 1
            k += 1
        else:
            after = max(statement(tokens, k), k + 1)
            sure = look.statement(k, min(after, end), sure=False)
            k = after


def _jumped(tokens: Tokens, scope: Declared, jump: int) -> tuple[int, int] | None:
    """Where a jump goes on, as a token in the same loops, and the one to go on from; the end where
    the variable is no more; None where it is not known."""
    word, label = tokens[jump][0], tokens[jump + 1][0]
    if word == "goto":
        named = range(scope.first, scope.end - 1)
        at = (k for k in named if tokens[k][0] == label and tokens[k + 1][0] == ":")
        gone = (scope.end, scope.end)
        return None if label == "*" else next(((k, k) for k in at), gone)
    owners = OWNERS if word == "break" else OWNERS[:3]
    before = (k for k in range(jump - 1, -1, -1) if tokens[k][0] in owners)
    if (owner := next((k for k in before if statement(tokens, k) > jump), None)) is None:
        return None
    tested = word == "continue" and tokens[owner][0] == "do"
    inside = owner if word == "break" else jump
    return inside, statement(tokens, owner + 1 if tested else owner)


def _around(tokens: Tokens, scope: Declared, head: int) -> Iterator[int]:
    """The loops around a loop in which a variable stays the same: a head may declare it."""
    for k in range(begun(tokens, scope.first), head):
        if tokens[k][0] in OWNERS[:3] and statement(tokens, k) > head:
            yield k


def _other(tokens: Tokens, scope: Declared, k: int) -> bool:
    """Whether what stands at a token is another variable of that name, which is made within."""
    inner = declarations(tokens, scope.first + 1, scope.end)
    return any(d.name == scope.name and scope.first < d.first <= k < d.end for d in inner)
