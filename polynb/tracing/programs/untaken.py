"""Stores on ways that a run did not take, and whether another iteration may read what they write.

`if (a[i] > 90) flag[i] = 1;` matters to no other iteration where nothing in the loop reads `flag`,
or where it only reads `flag[i]`, whose `i` counts the loop.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from polynb.tracing.programs.assigned import Assigned, assigned_at, assignments, declarations
from polynb.tracing.programs.certain import unsure_reads
from polynb.tracing.programs.keeping import is_made, missed, of_iterations, stores_more
from polynb.tracing.programs.mentions import TextRead, mentions, place_of
from polynb.tracing.programs.tokens import Tokens, closed, points, span, words_at
from polynb.tracing.programs.ways import LoopText, Written, anywhere_of, bases_of, locals_of


def not_taken(
    loop: LoopText, stores: Mapping[int, int], variables: Container[str], arrays: Container[str]
) -> str:
    """What a loop may write on a way that the run did not take, and other iterations read, in
    words; `stores` has the number of those that were seen in it by line, also of those to
    variables, of which `variables` are global, and `arrays` no pointers."""
    if (found := loop.span) is None:
        return ""
    tokens, (head, end) = loop.tokens, found
    every = list(assignments(tokens, of_iterations(tokens, head), end))
    lent = {a.name for a in every if a.how == "&"}

    def stays(a: Assigned) -> bool:
        """Whether no other iteration takes what it writes."""
        if is_made(tokens, head, end, a):
            return True
        local = a.name and a.name not in variables and a.name not in lent
        return bool(local) and not unsure_reads(tokens, head, a.name)

    kept = [a for a in every if stores_more(tokens, a) and not stays(a)]
    if missed(tokens, kept, stores) is None:
        return ""
    low = missed(tokens, read_elsewhere(loop, kept, arrays), stores)
    return "" if low is None else f"line {low} writes on a way that this run did not take"


def read_elsewhere(
    loop: LoopText, kept: Sequence[Assigned], arrays: Container[str]
) -> list[Assigned]:
    """Those without the statements of which no other iteration reads anything. (All that lines have
    in common goes together, for stores are counted by them.)"""
    look = _Readers(loop, arrays)
    parts: list[tuple[int, int, list[Assigned]]] = []
    for a in sorted(kept, key=lambda a: a.at):
        low, high = span(loop.tokens, a.at)
        if parts and low <= parts[-1][1]:
            first, last, inside = parts.pop()
            parts.append((first, max(last, high), [*inside, a]))
        else:
            parts.append((low, high, [a]))
    return [a for *_, inside in parts if any(map(look.may_read, inside)) for a in inside]


@dataclass(frozen=True, eq=False)
class _Readers:
    """What a loop, and what it calls, reads."""

    loop: LoopText
    arrays: Container[str]

    def may_read(self, a: Assigned) -> bool:
        """Whether another iteration may read what an assignment writes."""
        tokens, (head, _) = self.loop.tokens, self.loop.span or (0, 0)
        if tokens[head][0] == "for" and a.at < closed(tokens, head + 1):
            return False  # the loop's counter, which was counted
        if a.how != "=" or not (names := {*bases_of(tokens, [a])}):
            return a.how not in ("&", ".")
        written = Written(frozenset(names), anywhere_of(tokens, [a], self.arrays), self.arrays)
        place = place_of(tokens, a.at) if self._counted(tokens, a) else ()
        for theirs, first, end, mine in self._texts():
            if any(theirs[k][0] == "&" and theirs[k + 1][0] in names for k in range(first, end)):
                return True
            for m in (*mentions(theirs, first, end, mine), *_gone_on(theirs, first, end)):
                same = theirs is tokens and place == tuple(t for t, _ in theirs[m.first : m.end])
                if m in written and not same:
                    return True
        return False

    def _texts(self) -> Iterator[tuple[Tokens, int, int, Container[str]]]:
        head, end = self.loop.span or (0, 0)
        yield (
            self.loop.tokens,
            head,
            end,
            {d.name for d in declarations(self.loop.tokens, head, end)},
        )
        for body in self.loop.called.values():
            yield words_at(body.text)[0], body.first, body.end, locals_of(body)

    def _counted(self, tokens: Tokens, a: Assigned) -> bool:
        """Whether each iteration writes a cell of its own: one subscript is the loop's counter, and
        nothing else that says where it is changes."""
        head, end = self.loop.span or (0, 0)
        place = place_of(tokens, a.at)
        if tokens[head][0] != "for" or not place:
            return False
        body = closed(tokens, head + 1)
        within = {x.name for x in assignments(tokens, body, end)}
        steps = {x.name for x in assignments(tokens, of_iterations(tokens, head), body)}
        counter = any(f"[ {name} ]" in " ".join(place) for name in steps)
        return len(steps) == 1 and counter and not within & {*place}


def written_at(lines: tuple[str, ...], line: int, column: int) -> str:
    """The variable or element that is assigned to at a place of a text, or what a variable points
    to, as it is written; "" where that is not known."""
    tokens, _ = words_at(lines)
    found = assigned_at(lines, (line, column))
    if found is None or found.how in ("&", "."):
        return ""
    at = found.at
    pointed = tokens[at - 1][0] if at > 1 and points(tokens, at - 2) else ""
    led = f"*{pointed}" if pointed.isidentifier() else ""
    return "".join(place_of(tokens, at)) or found.name or led


def _gone_on(tokens: Tokens, first: int, end: int) -> Iterator[TextRead]:
    """What is read to be written again: `s[k] += 1`."""
    for a in assignments(tokens, first, end):
        if a.how not in ("=", "&", "."):
            for name in bases_of(tokens, [a]):
                yield TextRead(name, a.at, a.at, not a.name)
