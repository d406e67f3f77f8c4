"""What a loop's text, and that of the functions that it calls, would write or read on ways that a
run did not take."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from polynb.tracing.library import library_call
from polynb.tracing.programs.assigned import (
    Assigned,
    assignments,
    declarations,
)
from polynb.tracing.programs.frames import made_in
from polynb.tracing.programs.keeping import is_private, missed, stores_more, unread
from polynb.tracing.programs.macros import TYPED
from polynb.tracing.programs.mentions import TextRead, mentions, place_end
from polynb.tracing.programs.pointers import led
from polynb.tracing.programs.seen import SeenAt, left_out_of, reads_seen
from polynb.tracing.programs.texts import CONTROLS, FunctionText, ProgramTexts, Text
from polynb.tracing.programs.tokens import (
    Tokens,
    closed,
    ends_value,
    loop_at,
    opened,
    span as span_of,
    statement,
    words_at,
)


@dataclass(frozen=True, eq=False)
class LoopText:
    """A loop in its file's text, the `which`-th of a line, in a `function`; the program's `texts`,
    and the functions that were `entered` in it. In `plain` C what is called by a name is a
    function, or a pointer."""

    text: Text
    line: int
    which: int
    function: str
    texts: ProgramTexts
    entered: Set[str]
    plain: bool

    @property
    def tokens(self) -> Tokens:
        return words_at(self.text)[0]

    @property
    def span(self) -> tuple[int, int] | None:
        """Its tokens, where it was found."""
        head = loop_at(self.text, self.line, self.which)
        return None if head is None else (head, statement(self.tokens, head))

    @property
    def called(self) -> dict[str, FunctionText]:
        """The functions that it calls, and those call, and that pointers lead to, or may."""
        found, left = (
            dict[str, FunctionText](),
            [] if self.span is None else [(self.text, *self.span)],
        )
        for name in sorted(self.entered):
            if (body := self.texts.body(name, self.text)) is not None:
                found[name] = body
                left.append((body.text, body.first, body.end))
        while left:
            part = left.pop()
            bodies = [body for _, body in self.texts.called(*part)]
            pointed = sorted(led(self.texts, *part, plain=self.plain))
            bodies += (b for name in pointed if (b := self.texts.body(name, part[0])) is not None)
            for body in bodies:
                if body.name not in found:
                    found[body.name] = body
                    left.append((body.text, body.first, body.end))
        return found

    @property
    def pointed(self) -> set[str]:
        """What the pointers may lead to by which it, or what it calls, calls."""
        return {
            name
            for _, text, first, end in self.parts
            for name in led(self.texts, text, first, end, plain=self.plain)
        }

    @property
    def parts(self) -> Iterator[tuple[str, Text, int, int]]:
        """Its text and that of what it calls: each the name of the function, and where it is."""
        if self.span is not None:
            yield (self.function, self.text, *self.span)
        yield from ((b.name, b.text, b.first, b.end) for b in self.called.values())


def left_out(
    loop: LoopText,
    own: SeenAt,
    seen: Mapping[str, Sequence[SeenAt]],
    variables: Container[str],
) -> str:
    """What a loop may hand on by a way that was not taken, in words; `seen` are the functions that
    it called, in each context."""
    if (span := loop.span) is None:
        return ""
    tokens, (head, end), bodies = loop.tokens, span, loop.called
    kept = [a for a in assignments(tokens, head, end) if not is_private(tokens, head, end, a)]
    bases, anywhere = {*bases_of(tokens, kept)}, anywhere_of(tokens, kept, variables)
    for body in bodies.values():
        theirs, more = words_at(body.text)[0], outside(body)
        bases |= {*bases_of(theirs, more)}
        anywhere = anywhere or anywhere_of(theirs, more, variables)
    names = Written(frozenset(bases), anywhere, variables)
    private = {d.name for d in declarations(tokens, head, end)}
    if at := _untaken(loop.text, head, end, own, private, names):
        return f"line {at} reads on a way that this run did not take"
    for name, body in bodies.items():
        where = "" if body.text == loop.text else f" of {name}"
        for way in seen.get(name, (SeenAt(),)):
            counts = {n: len(found) for n, found in way.stores.items()}
            if (low := missed(words_at(body.text)[0], outside(body), counts)) is not None:
                return f"line {low}{where} writes on a way that this run did not take"
        for got in seen.get(name, (None,)):
            mine = locals_of(body)
            if at := _untaken(body.text, body.first, body.end, got, mine, names):
                return f"line {at}{where} reads on a way that this run did not take"
    return ""


def not_called(loop: LoopText, called: Set[tuple[str, int]], variables: Container[str]) -> str:
    """Which function, that changes more than its own variables, a loop calls, and did not in the
    run, in words. `called` are those that were, by name and line."""
    if (span := loop.span) is None:
        return ""
    tokens, names = loop.tokens, {name for name, _ in called}
    for k, body in loop.texts.called(loop.text, *span):
        theirs, _ = words_at(body.text)
        low, high = span_of(tokens, k)
        inside = theirs[body.first][1] <= loop.line <= theirs[body.end - 1][1]
        own = body.text == loop.text and inside  # a call of itself is the same context
        seen = own or any((body.name, n) in called for n in range(low, high + 1))
        if not seen and changes(loop.texts, body, variables, frozenset()):
            at = tokens[k][1]
            return f"{body.name} (line {at}) is called on a way that this run did not take"
    if given := next(iter(_given(loop, names, variables)), ""):
        return f"{given} is called, perhaps, on a way that this run did not take"
    if strange := next(iter(_unread(loop)), ""):
        return f"what {strange} does on ways that this run did not take was not read"
    for name in sorted(loop.entered - names):
        other = loop.texts.body(name, loop.text)
        if other is not None and changes(loop.texts, other, variables, frozenset()):
            return f"{name} writes on a way that this run did not take"
    return ""


def _given(loop: LoopText, called: Set[str], variables: Container[str]) -> Iterator[str]:
    """The functions that a loop names, or its pointers may lead to, and that it did not call,
    though they change more than their own variables."""
    for name in sorted(loop.pointed - called - loop.entered):
        other, known = loop.texts.body(name, loop.text), library_call(name)
        if other is not None:
            more = changes(loop.texts, other, variables, frozenset())
        else:
            more = known is not None and not (known.pure or known.block)
        if more:
            yield name
    tokens = loop.tokens
    for k in range(*(loop.span or (0, 0))):
        after = tokens[k + 1][0] if k + 1 < len(tokens) else ""
        named = after != "(" and tokens[k - 1][0] not in (".", "->")
        body = loop.texts.body(tokens[k][0], loop.text) if named else None
        if body is None or body.name in called or body.name in loop.entered:
            continue
        mine = locals_of(loop.texts.around(loop.text, k))
        if body.name not in mine and changes(loop.texts, body, variables, frozenset()):
            yield body.name


def library_not_called(loop: LoopText, seen: Set[tuple[str, int, str]]) -> str:
    """Which function of the library, that writes or keeps a state, a loop calls, and did not in the
    run, in words. `seen` is what was accessed by function and line, and whether it is a "state" of
    the library, or in a "call" of it. (It may be another than the text calls: `puts` for `printf`;
    what `qsort` writes is not told as a call.)"""
    for name, text, first, end in loop.parts:
        tokens, _ = words_at(text)
        for k in range(first, end - 1):
            call = library_call(tokens[k][0]) if tokens[k + 1][0] == "(" else None
            if call is None or tokens[k - 1][0] in (".", "->") or call.asks:
                continue
            writes = call.scanned is not None or any(t.writes for t in call.touched)
            known = loop.texts.body(tokens[k][0], text) is not None
            if known or not (call.state or writes or call.calls_back):
                continue
            low, high = span_of(tokens, k)
            here = {how for f, n, how in seen if f == name and low <= n <= high}
            asked = {"state"} if call.state else {"state", "call"}
            if not here & (asked | ({""} if call.calls_back else set())):
                at = tokens[k][1]
                return f"{tokens[k][0]} (line {at}) is called on a way that this run did not take"
    return ""


def _unread(loop: LoopText) -> Iterator[str]:
    """The functions of a loop whose texts were not found, objects that are called, say; and macros
    that are not known, or of which it is not known which one it is."""
    yield from (n for n in sorted(loop.entered) if loop.texts.body(n, loop.text) is None)
    for _, text, first, end in loop.parts:
        yield from () if loop.plain else _objects(loop.texts, text, first, end)
        yield from _macros(loop.texts, text, first, end)


def _macros(texts: ProgramTexts, text: Text, first: int, end: int) -> Iterator[str]:
    """The macros that were not read between two tokens."""
    name = unread(text, words_at(text)[0][first:end])
    call = library_call(name)
    if name and texts.body(name, text) is None and not (call is not None and call.pure):
        yield name


def _objects(texts: ProgramTexts, text: Text, first: int, end: int) -> Iterator[str]:
    """What C++ calls by a name that is no function's which is known."""
    tokens, _ = words_at(text)
    for k in range(first, end - 1):
        (word, _), before = tokens[k], tokens[k - 1][0]
        called = word.isidentifier() and tokens[k + 1][0] == "(" and word not in CONTROLS
        if not called or before in (".", "->", "::") or TYPED.fullmatch(word):
            continue
        known = library_call(word) is not None or texts.body(word, text) is not None
        if not known and not ends_value(tokens, k - 1):
            yield word  # but for `Grid g(3)`


def changes(
    texts: ProgramTexts, body: FunctionText, variables: Container[str], seen: frozenset[str]
) -> bool:
    """Whether a function assigns to memory or to global variables, itself or by what it calls, or
    calls what the library keeps a state for."""
    tokens, _ = words_at(body.text)
    for a in assignments(tokens, body.first, body.end):
        writes = a.how not in ("&", ".") and stores_more(tokens, a)
        if writes and (not a.name or a.name in variables):
            return True
    ks = range(body.first, body.end - 1)
    inner = {tokens[k][0] for k in ks if tokens[k + 1][0] == "("}
    if any((call := library_call(n)) is not None and not call.pure for n in inner):
        return True
    seen |= {body.name}
    called = texts.called(body.text, body.first, body.end)
    return any(b.name not in seen and changes(texts, b, variables, seen) for _, b in called)


@dataclass(frozen=True)
class Written:
    """The names that a loop's text writes, or what they lead to; that may be `anywhere` where it is
    not in one of the global `variables`."""

    names: frozenset[str]
    anywhere: bool
    variables: Container[str]

    def __contains__(self, m: object) -> bool:
        if not isinstance(m, TextRead):
            return False
        leads = m.leads and (self.anywhere or m.name not in self.variables)
        return m.name in self.names or (bool(self.names) and leads)


def anywhere_of(tokens: Tokens, asked: Sequence[Assigned], variables: Container[str]) -> bool:
    led = bases_of(tokens, [a for a in asked if not a.name])
    return any(name not in variables for name in led)


@lru_cache(maxsize=1024)
def locals_of(body: FunctionText) -> frozenset[str]:
    """The variables of a function and its parameters, but those that are kept."""
    tokens, _ = words_at(body.text)
    k = body.first - 1
    while k and tokens[k][0] != body.name:
        k -= 1
    given = {tokens[j][0] for j in range(k, body.first) if tokens[j][0].isidentifier()}
    return frozenset(given | {d.name for d in declarations(tokens, body.first, body.end)})


@lru_cache(maxsize=1024)
def outside(body: FunctionText) -> tuple[Assigned, ...]:
    """What a function assigns that is not its own."""
    tokens, mine = words_at(body.text)[0], locals_of(body)
    made = [*declarations(tokens, body.first, body.end)]
    found = assignments(tokens, body.first, body.end)
    ours = (a for a in found if made_in(tokens, a, made) not in mine)
    return tuple(a for a in ours if stores_more(tokens, a))


def bases_of(tokens: Tokens, asked: Sequence[Assigned]) -> Iterator[str]:
    """The names that lead to what is assigned to, without its subscripts."""
    for a in asked:
        if a.name:
            yield a.name
            continue
        k = a.at - 1
        if not ends_value(tokens, k):
            k = place_end(tokens, a.at + 1) - 1  # `++*p`
        while tokens[k][0] in ("]", ")") or tokens[k][0].isidentifier():
            first = opened(tokens, k)
            if tokens[k][0] != "]":
                inner = (t for t, _ in tokens[first : k + 1] if t.isidentifier())
                yield from (t for t in inner if not TYPED.fullmatch(t))
            k = first - (2 if tokens[first - 1][0] in (".", "->") else 1)
            if tokens[first][0].isidentifier() and k == first - 1:
                break


def _changed(tokens: Tokens, first: int, end: int) -> set[str]:
    """The variables that are assigned between two tokens, but where they are made, or a loop's head
    counts them."""
    start = closed(tokens, first + 1) if tokens[first][0] == "for" else first
    found = (a for a in assignments(tokens, start, end) if a.name)
    return {a.name for a in found if not (a.how == "=" and tokens[a.at - 2][0].isidentifier())}


def _untaken(
    text: tuple[str, ...],
    first: int,
    end: int,
    seen: SeenAt | None,
    mine: Container[str],
    written: Written,
) -> int:
    """The line where something is read that the loop writes, but was not; 0 if there is none.
    Without what was `seen`, nothing was."""
    tokens, _ = words_at(text)
    read = list(mentions(tokens, first, end, mine))
    conditional = left_out_of(text, first, end)
    taken = reads_seen(text, first, end, seen, read)

    def words(m: TextRead) -> tuple[str, ...]:
        return tuple(t for t, _ in tokens[m.first : m.end])

    changed = _changed(tokens, first, end)
    sure = (words(m) for m in read if m.first not in conditional and taken(m))
    known = {found for found in sure if not changed & {*found[1:]}}
    for m in read:
        if m in written and not taken(m) and words(m) not in known:
            return tokens[m.first][1]
    return 0
