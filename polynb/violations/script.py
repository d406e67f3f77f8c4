"""Scripts of the transformation language: a move a line, `#` comments, and a caret for every
complaint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.source.typos import meant
from polynb.violations.moves import FORMS, Move

WORD: Final = re.compile(r"[^\s,]+|,")
LOOP: Final = re.compile(r"(?:\w+\.)?[A-Za-z_]\w*(?::\d+)?")
NUMBER: Final = re.compile(r"-?\d+")
SUM: Final = re.compile(r"-?[\w*]+(?:[-+][\w*]+)*|-")
MORE: Final = re.compile(r"[-+]|[-+]?[\w*]+(?:[-+][\w*]+)*[-+]?")
SAME: Final = {
    "strip_mine": "strip-mine", "stripmine": "strip-mine", "unroll_and_jam": "unroll-and-jam",
    "parallelize": "parallel", "parallelise": "parallel", "vectorise": "vectorize",
    "vector": "vectorize", "privatise": "privatize", "swap": "interchange", "fission": "distribute",
    "reversal": "reverse", "merge": "fuse", "permute": "interchange",
}  # fmt: skip
"""Other words for moves."""
PLAIN: Final = {0x2212: "-", 0x2013: "-", 0xFEFF: " "}
"""What editors and papers write for a minus sign, and at the start of a file."""
SIZES: Final = 2, 2**31 - 1
COUNTS: Final = 1, 64
AMOUNTS: Final = -(2**63), 2**63 - 1
"""The least and the largest number: of tiles and strips, of iterations, of distances."""


@dataclass(frozen=True, eq=False)
class ScriptWord:
    text: str
    span: Span


@dataclass(frozen=True, eq=False)
class Line:
    """A move, and where it stands."""

    move: Move
    span: Span
    words: tuple[ScriptWord, ...]

    @contextmanager
    def pointing(self) -> Iterator[None]:
        """Show what is wrong with the move at the word that is quoted, or else at the line."""
        try:
            yield
        except PolynbError as error:
            inside = error.span
            if inside is None or inside.source is not self.span.source:
                quoted = set(re.findall(r"'([^']+)'", error.message))
                at = next((w.span for w in self.words[1:] if _names(w.text) & quoted), None)
                error.span = at or self._inside(inside) or self.span
            raise

    def _inside(self, span: Span | None) -> Span | None:
        """The place in the script of a place in the schedule that a line gives."""
        times = self.move.arguments.get("times")
        if span is None or times is None or span.source.text != times:
            return None
        start = self.span.start + self.span.text.index(times)
        return Span(self.span.source, start + span.start, start + span.end)


def _names(text: str) -> set[str]:
    """What a word may be quoted as."""
    return {text, *re.findall(r"\w+", text)} if not text.isdigit() else {text}


def read(given: str | Source) -> tuple[Line, ...]:
    """The moves of a script. Raises PolynbError, at the word, for what is none."""
    source = given if isinstance(given, Source) else Source(given, "script")
    return tuple(map(_line, _lines(source)))


def moves_in(text: str) -> Iterator[Move]:
    """The moves of a script that is being written: of its lines those that are some."""
    for span in _lines(Source(text, "script")):
        with suppress(PolynbError):
            yield _line(span).move


def _lines(source: Source) -> Iterator[Span]:
    """What is to be read as one move each: a line without its comment, or several with a brace
    that is open."""
    text, at = re.sub(r"\r(?!\n)", "\n", source.text).translate(PLAIN), 0
    source = replace(source, text=text)
    while at < len(text):
        end = _line_end(text, at)
        code = text[at:end].partition("#")[0]
        if code.strip().startswith("schedule"):
            depth = 0
            end = len(text)
            for k in range(at, len(text)):
                depth += {"{": 1, "}": -1}.get(text[k], 0)
                if text[k] == "}" and not depth:
                    end = _line_end(text, k)
                    break
            code = text[at:end]
            if "}" in code:
                code = code[: code.rindex("}") + 1]
            else:
                code = code.partition("\n")[0].partition("#")[0]
        if code.strip():
            start = at + len(code) - len(code.lstrip())
            yield Span(source, start, at + len(code.rstrip()))
        at = end + 1


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _line(span: Span) -> Line:
    words = tuple(
        ScriptWord(m.group(), Span(span.source, span.start + m.start(), span.start + m.end()))
        for m in WORD.finditer(span.text)
    )
    name = SAME.get(words[0].text.lower(), words[0].text.lower())
    if name not in FORMS:
        raise _unknown(words[0])
    if name == "schedule":
        times = span.text[len(words[0].text) :].strip()
        if not times:
            raise _missing(words[0].span, name, "a schedule")
        return Line(Move(name, {"times": times}), span, words)
    cursor = _Cursor(name, words, span)
    arguments = GRAMMAR[name](cursor)
    cursor.end()
    return Line(Move(name, {k: v for k, v in arguments.items() if v is not None}), span, words)


def _unknown(word: ScriptWord) -> PolynbError:
    if word.text[0] in "{[":
        return PolynbError(
            "a schedule of one's own begins with a word",
            span=word.span,
            hint=f"`{FORMS['schedule'].example}`",
            fix=[Edit(Span(word.span.source, word.span.start, word.span.start), "schedule ")],
        )
    if word.text.lower() == "undo":
        earlier = re.sub("#.*", "", word.span.source.text[: word.span.start]).strip()
        return PolynbError(
            "there is no move 'undo'",
            span=word.span,
            reason="the moves of a script are all made anew, from the program on",
            hint=f"without this line{', and the one before it' if earlier else ''}",
        )
    called = re.fullmatch(r"([\w-]+)\(([\w.,]*)\);?", word.text)
    if called is not None and (called[1] in FORMS or called[1] in SAME):
        line = f"{called[1]} {called[2].replace(',', ' ')}".strip()
        return PolynbError(
            "a move is a line, and no call",
            span=word.span,
            hint=f"`{line}`",
            fix=[Edit(word.span, line)],
        )
    near = meant(word.text, [*FORMS, *SAME])
    near = SAME.get(near, near) if near is not None else None
    return PolynbError(
        f"there is no move {word.text!r}",
        span=word.span,
        reason=f"the moves are {', '.join(FORMS)}",
        hint=near or "a line such as `interchange i j` or `tile i j by 32`",
        fix=[Edit(word.span, near)] if near is not None else (),
    )


def _missing(span: Span, name: str, what: str) -> PolynbError:
    form = FORMS[name]
    return PolynbError(
        f"{name} takes {what} here",
        span=span,
        reason=f"it is written `{form.usage}`",
        hint=f"`{form.example}`",
    )


# -- the words of a line --------------------------------------------------------------------


class _Cursor:
    """The words of a line, read from left to right."""

    def __init__(self, name: str, words: tuple[ScriptWord, ...], line: Span) -> None:
        self.name, self.words, self.at = name, words, 1
        self.behind = Span(line.source, line.end, line.end)

    @property
    def next(self) -> ScriptWord | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self, what: str, pattern: re.Pattern[str]) -> str:
        word = self.next
        if word is None or pattern.fullmatch(word.text) is None:
            raise _missing(self.behind if word is None else word.span, self.name, what)
        self.at += 1
        return word.text

    def loop(self) -> str:
        return self.take("the name of a loop", LOOP)

    def keyword(self, word: str) -> bool:
        """Whether it is next; it is read then."""
        found = self.next is not None and self.next.text == word
        self.at += found
        return found

    def need(self, word: str) -> None:
        if not self.keyword(word):
            raise _missing(self.next.span if self.next else self.behind, self.name, f"`{word}`")

    def number(self, within: tuple[int, int]) -> int:
        start = self.at
        return self.checked(int(self.take("a number", NUMBER)), within, start)

    def checked(self, number: int, within: tuple[int, int], start: int) -> int:
        """A number, written from this word on, that has to be within bounds."""
        least, most = within
        if least <= number <= most:
            return number
        bound = f"least {least:,}" if number < least else f"most {most:,}"
        span = self.words[start].span.to(self.words[self.at - 1].span)
        raise _missing(span, self.name, f"a number of at {bound}")

    def amount(self) -> int | str:
        """A number, or a sum with parameters."""
        start = self.at
        text = self.take("a number", SUM)
        while text[-1] in "+-" or (self.next is not None and self.next.text[0] in "+-"):
            text += self.take("a number", MORE)
        return self.checked(int(text), AMOUNTS, start) if NUMBER.fullmatch(text) else text

    def sizes(self) -> tuple[int, ...]:
        found = [self.number(SIZES)]
        while self.next is not None:
            self.keyword(",")
            found.append(self.number(SIZES))
        return tuple(found)

    def end(self) -> None:
        if self.next is not None:
            raise PolynbError(
                f"{self.name} takes nothing more here",
                span=self.next.span.to(self.words[-1].span),
                reason=f"it is written `{FORMS[self.name].usage}`",
                hint=f"`{FORMS[self.name].example}`",
            )


Arguments = Mapping[str, Any]


def _interchange(c: _Cursor) -> Arguments:
    first = c.loop()
    c.keyword(",")
    return {"first": first, "second": c.loop()}


def _fuse(c: _Cursor) -> Arguments:
    first = second = depth = None
    if c.next is not None and c.next.text != "depth":
        first = c.loop()
        c.keyword(",")
        second = c.loop()
    if c.keyword("depth"):
        depth = c.number(COUNTS)
    return {"first": first, "second": second, "depth": depth}


def _distribute(c: _Cursor) -> Arguments:
    loop = c.loop() if c.next is not None and c.next.text != "at" else None
    return {"loop": loop, "at": c.take("a statement", LOOP) if c.keyword("at") else None}


def _skew(c: _Cursor) -> Arguments:
    loop = c.loop()
    c.need("by")
    start = c.at
    rest = " ".join(w.text for w in c.words[start:])
    said = re.fullmatch(rf"(-?) ?(?:(\d+) ?\*? ?)?({LOOP.pattern})", rest)
    if said is None:
        raise _missing(c.words[start].span if c.next else c.behind, c.name, "a loop, or 2*i,")
    c.at = len(c.words)
    factor = c.checked(int(said[2] or 1) * (-1 if said[1] else 1), AMOUNTS, start)
    return {"loop": loop, "by": said[3], "factor": factor}


def _shift(c: _Cursor) -> Arguments:
    statement, _, along = c.take("a statement", LOOP).partition(".")
    c.need("by")
    numbers = [c.amount()]
    while c.keyword(","):
        numbers.append(c.amount())
    amounts: Any = numbers[0] if len(numbers) == 1 else tuple(numbers)
    return {"statement": statement, "amounts": amounts, "along": along or None}


def _tile(c: _Cursor) -> Arguments:
    loops = [c.loop()]
    while c.next is not None and c.next.text != "by":
        c.keyword(",")
        loops.append(c.loop())
    c.need("by")
    sizes = c.sizes()
    return {"loops": tuple(loops), "by": sizes[0] if len(sizes) == 1 else sizes}


def _loop(c: _Cursor) -> Arguments:
    return {"loop": c.loop()}


def _array(c: _Cursor) -> Arguments:
    return {"array": c.take("the name of a temporary", LOOP)}


def _by(c: _Cursor) -> Arguments:
    loop = c.loop()
    c.need("by")
    return {"loop": loop, "by": c.number(SIZES)}


def _unroll(c: _Cursor) -> Arguments:
    return {"loop": c.loop(), "by": c.number(SIZES) if c.keyword("by") else None}


def _peel(c: _Cursor) -> Arguments:
    sides: dict[str, int] = {}
    while c.next is not None and c.next.text in ("first", "last") and c.at + 1 < len(c.words):
        side = c.next.text
        c.keyword(side)
        sides[side] = c.number(COUNTS) if NUMBER.fullmatch(c.words[c.at].text) else 1
        c.keyword(",")
        c.keyword("and")
    if sides:
        c.keyword("of")
    return {"loop": c.loop(), **sides}


GRAMMAR: Final[Mapping[str, Callable[[_Cursor], Arguments]]] = {
    "interchange": _interchange,
    "fuse": _fuse,
    "distribute": _distribute,
    "reverse": _loop,
    "skew": _skew,
    "shift": _shift,
    "tile": _tile,
    "strip-mine": _by,
    "parallel": _loop,
    "vectorize": _loop,
    "unroll": _unroll,
    "peel": _peel,
    "unroll-and-jam": _by,
    "privatize": _array,
    "expand": _array,
}
