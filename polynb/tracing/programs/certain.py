"""Which variables an iteration has written for certain, as its text says, where it reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from polynb.tracing.programs.tokens import (
    OWNERS,
    Tokens,
    closed,
    ends_value,
    is_cast,
    points,
    statement,
)

CHOOSING = ("?", "&&", "||")


def unsure_reads(tokens: Tokens, head: int, name: str) -> list[int]:
    """Where the iterations of a loop read a variable that they may not have written before,
    whatever the data are."""
    look = Along(tokens, name)
    look.iteration(head)
    return look.unsure


def _body(tokens: Tokens, head: int) -> tuple[int, int]:
    """The first token of a loop's body, and the one behind it."""
    if tokens[head][0] == "do":
        return head + 1, statement(tokens, head + 1)
    return closed(tokens, head + 1), statement(tokens, head)


def _parts(tokens: Tokens, head: int, body: int) -> list[int]:
    """What parts the head of a `for`."""
    inside = range(head + 2, body) if tokens[head][0] == "for" else ()
    return [x for x in inside if tokens[x][0] == ";"]


def always_writes(tokens: Tokens, head: int, name: str) -> bool:
    """Whether each iteration of a loop writes a variable, whatever the data are."""
    body, end = _body(tokens, head)
    look = Along(tokens, name)
    return look.statement(body, end, sure=False) and not _goes_on(tokens, body, end)


def loops_that_write(tokens: Tokens, head: int, name: str) -> tuple[int, ...]:
    """The loops within a loop of which each has to have an iteration for each of its own to write a
    variable; none where that would not suffice."""
    body, end = _body(tokens, head)
    look = IfLoopsRun(tokens, name)
    jumps = any(tokens[k][0] in ("continue", "goto") for k in range(body, end))
    return () if jumps or not look.statement(body, end, sure=False) else tuple(look.loops)


def _goes_on(tokens: Tokens, k: int, end: int) -> bool:
    """Whether a `continue` or a jump may leave out what is behind it in a loop's body."""
    while k < end:
        if tokens[k][0] in ("continue", "goto"):
            return True
        k = statement(tokens, k) if tokens[k][0] in OWNERS[:3] else k + 1
    return False


@dataclass(eq=False)
class Along:
    """Goes along statements. What is `sure` stays so; after a jump all is: `jumps` are those to
    which it was not."""

    tokens: Tokens
    name: str
    unsure: list[int] = field(default_factory=list)
    left: list[list[bool]] = field(default_factory=list)
    jumps: list[int] = field(default_factory=list)

    def iteration(self, head: int, *, sure: bool = False) -> None:
        """One of a loop, from its test on."""
        tokens, (body, end) = self.tokens, _body(self.tokens, head)
        parts = _parts(tokens, head, body)
        if tokens[head][0] == "do":
            self.expression(end, statement(tokens, head), sure=self.statement(body, end, sure=sure))
        elif len(parts) == 2:
            sure = self.expression(parts[0], parts[1], sure=sure)
            self.expression(parts[1], body, sure=self.statement(body, end, sure=sure))
        else:
            self.statement(body, end, sure=self.expression(head + 1, body, sure=sure))

    def next_iteration(self, head: int) -> None:
        """The same from the end of another one on: a `for` takes its step first."""
        body, _ = _body(self.tokens, head)
        parts = _parts(self.tokens, head, body)
        steps = len(parts) == 2 and self.expression(parts[1], body, sure=False)
        self.iteration(head, sure=steps)

    def sequence(self, k: int, end: int, *, sure: bool) -> bool:
        while k < end:
            after = max(statement(self.tokens, k), k + 1)
            sure = self.statement(k, min(after, end), sure=sure)
            k = after
        return sure

    def statement(self, k: int, end: int, *, sure: bool) -> bool:
        """Whether the variable is written for certain after a statement."""
        word = self.tokens[k][0]
        if k + 1 < end and self.tokens[k + 1][0] == ":" and word not in ("case", "default"):
            return self.statement(k + 2, end, sure=False)  # from wherever it is jumped to
        if word == "{":
            return self.sequence(k + 1, end - 1, sure=sure)
        if word == "if":
            return self._if(k, end, sure=sure)
        if word == "switch":
            return self._switch(k, end, sure=sure)
        if word in OWNERS:
            return self._loop(k, end, sure=sure)
        sure = self.expression(k, end, sure=sure)
        if word in ("break", "continue", "return", "goto"):
            if word == "break" and self.left:
                self.left[-1].append(sure)
            self.jumps += [] if sure or word == "return" else [k]
            return True
        return sure

    def _if(self, k: int, end: int, *, sure: bool) -> bool:
        inside = closed(self.tokens, k + 1)
        sure = self.expression(k + 1, inside, sure=sure)
        other = statement(self.tokens, inside)
        yes = self.statement(inside, other, sure=sure)
        if other < end and self.tokens[other][0] == "else":
            return yes and self.statement(other + 1, end, sure=sure)
        return yes and sure

    def _switch(self, k: int, end: int, *, sure: bool) -> bool:
        inside = closed(self.tokens, k + 1)
        sure = self.expression(k + 1, inside, sure=sure)
        self.left.append([])
        whole, now, j = False, True, inside + 1
        while j < end - 1:
            if self.tokens[j][0] in ("case", "default"):
                whole = whole or self.tokens[j][0] == "default"
                now = sure
                while self.tokens[j][0] != ":":
                    j += 1
                j += 1
                continue
            after = max(statement(self.tokens, j), j + 1)
            now = self.statement(j, after, sure=now)
            j = after
        return all([now, whole or sure, *self.left.pop()])

    def _loop(self, k: int, end: int, *, sure: bool) -> bool:
        """After a loop is sure what its head writes, and what `_within` says of the rest."""
        word = self.tokens[k][0]
        inside = closed(self.tokens, k + 1) if word != "do" else k + 1
        parts = [x for x in range(k + 2, inside) if self.tokens[x][0] == ";"]
        self.left.append([])
        if word == "do":
            body = statement(self.tokens, inside)
            goes_on = not sure and _goes_on(self.tokens, inside, body)
            sure = self.statement(inside, body, sure=sure) and not goes_on
            sure = self.expression(body, end, sure=sure)
            return all([sure, *self.left.pop()])
        last = parts[1] if word == "for" and len(parts) == 2 else inside
        sure = self.expression(k + 1, last, sure=sure)
        endless = "".join(t for t, _ in self.tokens[k + 1 : inside]) in ("(1)", "(true)", "(;;)")
        within = self.statement(inside, end, sure=sure)
        self.expression(last, inside, sure=within)
        breaks = self.left.pop()
        return all(breaks) if endless else sure or self._within(k, sure=all([within, *breaks]))

    def _within(self, k: int, *, sure: bool) -> bool:
        """Whether what an iteration of a loop writes is sure after it: it may have none."""
        return False

    def expression(self, k: int, end: int, *, sure: bool) -> bool:
        written: list[int] = []
        for j in range(k, end):
            word, before = self.tokens[j][0], self.tokens[j - 1][0] if j else ""
            if word != self.name or before in (".", "->"):
                continue
            if self._assigned(j):
                chosen = any(self.tokens[x][0] in CHOOSING for x in range(k, j))
                written += [] if chosen else [self._value_end(j + 2)]
            elif not (sure or any(at <= j for at in written)) and not self._handed_out(j):
                self.unsure.append(j)
        return sure or bool(written)

    def _assigned(self, j: int) -> bool:
        cast = is_cast(self.tokens, j - 1)
        return self.tokens[j + 1][0] == "=" and not (cast or points(self.tokens, j - 1))

    def _handed_out(self, j: int) -> bool:
        """Whether its address is taken."""
        return self.tokens[j - 1][0] == "&" and not ends_value(self.tokens, j - 2)

    def _value_end(self, k: int) -> int:
        """Where the value ends that begins at a token."""
        depth = 0
        while k < len(self.tokens):
            word = self.tokens[k][0]
            depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
            if depth < 0 or (not depth and word in (",", ";")):
                return k
            k += 1
        return k


@dataclass(eq=False)
class IfLoopsRun(Along):
    """The same, if `loops` had an iteration each."""

    loops: list[int] = field(default_factory=list)

    def _within(self, k: int, *, sure: bool) -> bool:
        if sure:
            self.loops.append(k)
        return sure
