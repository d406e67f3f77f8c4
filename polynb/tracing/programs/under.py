"""Under which conditions on data accesses of a program run, as the texts of its functions say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.deciding import TextCondition, asked, changed_in, deciding
from polynb.tracing.programs.keeping import from_numbers
from polynb.tracing.programs.texts import function_at
from polynb.tracing.programs.tokens import OWNERS, closed, loop_at, statement, words_at
from polynb.tracing.records import LoopOf

Facts = tuple[bool, frozenset[str]]
"""Whether an expression finds out what it asks, and the variables that it compares."""


@dataclass(frozen=True)
class CallLevel:
    """A function that runs: its text, the line that runs in it (an access, or a call; `column` is 0
    where that is not known), what is `called` there, and which of an access's loops are its own."""

    lines: tuple[str, ...]
    line: int
    column: int
    called: str
    loops: range

    @property
    def token(self) -> int | None:
        """What runs: a call, an assignment, or the first word of a line."""
        tokens, places = words_at(self.lines)
        found = places.get((self.line, self.column), range(0))
        if len(found) == 1:
            return found[0]
        here = found or _in_line(self.lines, self.line)
        if not here:
            return None
        if self.called:
            return next((k for k in here if tokens[k][0] == self.called), here[-1])
        writes = [a.at for a in assignments(tokens, here[0], here[-1] + 1) if a.how != "&"]
        return writes[-1] if writes else here[-1]

    @property
    def function(self) -> tuple[int, int]:
        return function_at(self.lines, self.line)


@lru_cache(maxsize=4096)
def _in_line(lines: tuple[str, ...], line: int) -> tuple[int, ...]:
    return tuple(k for k, (_, at) in enumerate(words_at(lines)[0]) if at == line)


@dataclass(frozen=True)
class Under:
    """Of an access, by the `levels` of calls that led to it, outermost first, and its `loops`, each
    the how manyth of its line."""

    levels: tuple[CallLevel, ...]
    loops: tuple[LoopOf, ...]
    which: Mapping[str, int]

    def conditions(self) -> Iterator[tuple[str, int]]:
        """The conditions that are of other values in other iterations of a loop around, each with
        the number of outermost loops in whose every iteration it may be."""
        for k, level in enumerate(self.levels):
            at = level.token
            if at is not None and level.loops and self._by_pointer(level, at):
                yield f"what is called (line {level.line})", level.loops.stop
            for c in deciding(level.lines, at) if at is not None else ():
                if depth := self._depth(k, c):
                    yield f"{c.text} (line {c.line})", depth

    def some(self) -> tuple[str, ...]:
        """The loops in some of whose iterations alone it may run: whatever a condition in them
        asks, but that of a loop within."""
        found = set[int]()
        for level in self.levels:
            at = level.token
            tokens, _ = words_at(level.lines)
            for c in deciding(level.lines, at) if at is not None else ():
                if tokens[c.at][0] not in OWNERS[:3]:
                    found |= {m for m in range(level.loops.stop) if self._is_in(level, c, m)}
        return tuple(self.loops[m].name for m in sorted(found))

    def _is_in(self, level: CallLevel, c: TextCondition, m: int) -> bool:
        """Whether a condition is asked in iterations of loop m."""
        loop = self.loops[m]
        head = loop_at(level.lines, loop.line, self.which.get(loop.name, 0))
        return m not in level.loops or head is None or head < c.at

    def _by_pointer(self, level: CallLevel, at: int) -> bool:
        """Whether data may choose which function it calls: it has another name there, or is a
        member."""
        tokens, _ = words_at(level.lines)
        named = tokens[at][0] == level.called and tokens[at - 1][0] not in (".", "->")
        named = named and [t for t, _ in tokens[at + 1 : at + 2]] == ["("]
        return bool(level.called) and not named

    def _depth(self, k: int, c: TextCondition) -> int:
        own = self.levels[k].loops
        for m in reversed(range(own.stop)):
            inside = m not in own or self.loops[m].line <= c.line
            if inside and not self._counts(k, c, m) and self._varies(k, (c.finds, c.names), m):
                return m + 1
        return 0

    def _counts(self, k: int, c: TextCondition, m: int) -> bool:
        """Whether a condition is the test of loop m, of which its body changes nothing: how many
        iterations there are, which all are alike."""
        level = self.levels[k]
        if m not in level.loops or c.finds:
            return False
        loop = self.loops[m]
        head = loop_at(level.lines, loop.line, self.which.get(loop.name, 0))
        tokens, _ = words_at(level.lines)
        if head != c.at or tokens[head][0] != "for":
            return False
        return not c.names & changed_in(tokens, closed(tokens, head + 1), statement(tokens, head))

    def _varies(self, k: int, facts: Facts, m: int) -> bool:
        """Whether what a condition of a level asks is another thing in iterations of loop m."""
        finds, names = facts
        if finds or not names:
            return finds
        level = self.levels[k]
        if m not in level.loops:
            return not k or self._varies(k - 1, self._given(k, names), m)
        loop = self.loops[m]
        head = loop_at(level.lines, loop.line, self.which.get(loop.name, 0))
        if head is None:
            return True
        tokens, _ = words_at(level.lines)
        return bool(names & changed_in(tokens, head, statement(tokens, head)))

    def _given(self, k: int, names: frozenset[str]) -> Facts:
        """What variables of a function are made of where it is called."""
        level, caller = self.levels[k], self.levels[k - 1]
        arguments = _arguments(caller)
        parameters = _parameters(level)
        outer, finds = set[str](), False
        for name in names:
            if name in parameters:
                place = parameters.index(name)
                if place >= len(arguments):
                    return True, frozenset()
                more, inner = arguments[place]
                finds, outer = finds or more, outer | inner
            elif name in _own(level):
                return True, frozenset()
            else:
                outer.add(name)
        return finds, frozenset(outer)


def _own(level: CallLevel) -> frozenset[str]:
    """What a function assigns, itself."""
    tokens, _ = words_at(level.lines)
    return changed_in(tokens, *level.function)


def _arguments(caller: CallLevel) -> list[Facts]:
    """Of what is given where a level calls: none where the call was not found."""
    tokens, _ = words_at(caller.lines)
    k = caller.token
    if k is None or k + 1 >= len(tokens) or tokens[k][0] != caller.called:
        return []
    known = from_numbers(caller.lines, *caller.function)
    found, first, depth = [], k + 2, 0
    for j in range(k + 1, closed(tokens, k + 1)):
        depth += (tokens[j][0] in ("(", "[")) - (tokens[j][0] in (")", "]"))
        if (tokens[j][0] == "," and depth == 1) or depth == 0:
            finds, names = asked(tokens, first, j)
            found.append((finds, names - known))
            first = j + 1
    return found


def _parameters(level: CallLevel) -> list[str]:
    """The names of a function's parameters, in their order."""
    tokens, _ = words_at(level.lines)
    first, _ = level.function
    k = first - 1
    while k > 0 and tokens[k][0] != ")":
        k -= 1
    found, j, depth = list[str](), k, 0
    while j >= 0:
        depth += (tokens[j][0] == ")") - (tokens[j][0] == "(")
        ends = tokens[j + 1][0] in (",", ")", "[")
        if tokens[j][0].isidentifier() and depth == 1 and ends:
            found.append(tokens[j][0])
        if not depth:
            break
        j -= 1
    return found[::-1]
