"""Scripts of the transformation language: a move a line, `#` comments, and a caret for every
complaint. They may begin with passes, which compute otherwise what the moves bring into order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Final

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.moves import MOVES, SAME, Move, Schedule
from polynb.moves.calls import refused_call
from polynb.moves.words import Cursor, ScriptWord
from polynb.source.typos import meant

PASSES: Final[Mapping[str, tuple[str, ...]]] = {
    "propagate": (
        *("arrays", "keep", "partial", "live_out", "by_data", "order", "cache_lines"),
        *("recurrences", "windows", "together"),
    ),
    "optimise": (),
    "reorder": ("preset", "scheduler", "privatize", "contract", "interchange", "tile", "separate"),
    "remove_scalars": ("only",),
}
"""The passes that a script may begin with, and what each may be told, as in `pn.propagate(...)`."""
SIZED: Final = frozenset({"optimise"})
"""Those that are told values of parameters, by their names."""
EXAMPLES: Final = {
    "propagate": "propagate windows=32",
    "optimise": "optimise N=1000",
    "reorder": "reorder tile=32",
    "remove_scalars": "remove_scalars only=forward,map",
}
OPTION: Final = re.compile(r"(\w+)=(\S+)")
LIST: Final = re.compile(r"(?<==)\[[\w, ]*\]")
WORD: Final = re.compile(r"[^\s,]+|,")
PLAIN: Final = {0x2212: "-", 0x2013: "-", 0xFEFF: " "}
"""What editors and papers write for a minus sign, and at the start of a file."""


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
        if span is None or not isinstance(self.move, Schedule):
            return None
        times = str(self.move.times)
        if span.source.text != times:
            return None
        start = self.span.start + self.span.text.index(times)
        return Span(self.span.source, start + span.start, start + span.end)


@dataclass(frozen=True, eq=False)
class PassLine:
    """`propagate windows=32`: a pass, what it is told, and where it stands."""

    name: str
    options: Mapping[str, str | int | bool]
    span: Span
    places: Mapping[str, Span]

    def __str__(self) -> str:
        return " ".join((self.name, *(f"{k}={v}" for k, v in self.options.items())))

    @contextmanager
    def pointing(self) -> Iterator[None]:
        """Show what is wrong with the pass at the option that is named or quoted, or else at the
        line."""
        try:
            yield
        except PolynbError as error:
            first = re.findall(r"\w+", error.message)[:1]
            quoted = re.findall(r"'([^']+)'", error.message)
            at = [
                place
                for name, place in self.places.items()
                if [name] == first
                or name == error.argument
                or {name, str(self.options[name])} & {*quoted}
            ]
            error.span = at[0] if at else self.span
            error.hint = LIST.sub(lambda m: m[0][1:-1].replace(" ", ""), error.hint or "") or None
            raise


def _names(text: str) -> set[str]:
    """What a word may be quoted as."""
    return {text, *re.findall(r"\w+", text)} if not text.isdigit() else {text}


def read(given: str | Source) -> tuple[Line, ...]:
    """The moves of a script. Raises PolynbError, at the word, for what is none."""
    spans = list(_lines(_source(given)))
    _refuse_semicolons(spans)
    return tuple(map(_line, spans))


def read_all(given: str | Source) -> tuple[tuple[PassLine, ...], tuple[Line, ...]]:
    """The passes that a script begins with, and its moves. Raises PolynbError as `read` does."""
    spans = list(_lines(_source(given)))
    _refuse_semicolons(spans)
    first = next((k for k, span in enumerate(spans) if _word(span) not in PASSES), len(spans))
    late = next((span for span in spans[first:] if _word(span) in PASSES), None)
    if late is not None:
        raise PolynbError(
            f"{_word(late)} comes too late",
            span=late,
            reason="the moves above it are about the program that passes give",
            hint="as the first line",
        )
    return tuple(map(_pass, spans[:first])), tuple(map(_line, spans[first:]))


def moves_in(text: str) -> Iterator[Move]:
    """The moves of a script that is being written: of its lines those that are some."""
    for span in _lines(Source(text, "script")):
        with suppress(PolynbError):
            yield _line(span).move


def _refuse_semicolons(spans: Sequence[Span]) -> None:
    """Tables have the moves of a script on one line, between semicolons: a script has lines."""
    for span in spans:
        typed = "" if re.search(r"[{(]", span.text) else span.text
        found = [
            (Span(span.source, span.start + m.start(), span.start + m.end()), m.end() < len(typed))
            for m in re.finditer(r"\s*;\s*", typed)
        ]
        if found:
            more = any(another for _, another in found)
            raise PolynbError(
                "a move ends with its line, and not with `;`",
                span=found[0][0],
                hint="a line for each" if more else "without it",
                fix=[Edit(at, "\n" if another else "") for at, another in found],
            )


def _source(given: str | Source) -> Source:
    return given if isinstance(given, Source) else Source(given, "script")


def _word(span: Span) -> str:
    """The first one, and how passes are called: `remove-scalars` is `remove_scalars`."""
    return span.text.split()[0].lower().replace("-", "_")


def _pass(span: Span) -> PassLine:
    name, options, places = _word(span), dict[str, str | int | bool](), dict[str, Span]()
    known = PASSES[name]
    example = EXAMPLES[name]
    for m in list(re.finditer(r"[^\s,]+" if name in SIZED else r"\S+", span.text))[1:]:
        at = Span(span.source, span.start + m.start(), span.start + m.end())
        option = OPTION.fullmatch(m[0])
        if option is None or (option[1] not in known and name not in SIZED):
            near = meant(re.split("=", m[0])[0].lstrip("-"), known)
            raise PolynbError(
                f"{name} takes no {m[0]!r}" if option is None else f"{name} has no {option[1]!r}",
                span=at,
                reason=f"what it may be told: {', '.join(known) or 'values of parameters'}",
                hint=f"`{example}`" if near is None else f"`{near}=...`",
            )
        if option[1] in options:
            raise PolynbError(f"{option[1]} is given twice", span=at, hint="once")
        options[option[1]], places[option[1]] = _value(option[2]), at
    return PassLine(name, options, span, places)


def _value(text: str) -> str | int | bool:
    """A number, a truth value, or words."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if text.isascii() and text.isdigit() else text


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
    refused = refused_call(span, frozenset({*MOVES, *PASSES}))
    if refused is not None:
        raise refused
    words = tuple(
        ScriptWord(m.group(), Span(span.source, span.start + m.start(), span.start + m.end()))
        for m in WORD.finditer(span.text)
    )
    name = SAME.get(words[0].text.lower(), words[0].text.lower())
    if name not in MOVES:
        raise _unknown(words[0])
    kind = MOVES[name]
    cursor = Cursor(kind.usage, kind.example, words, span)
    move = kind.read(cursor)
    cursor.end()
    return Line(move, span, words)


def _unknown(word: ScriptWord) -> PolynbError:
    if word.text[0] in "{[":
        return PolynbError(
            "a schedule of one's own begins with a word",
            span=word.span,
            hint=f"`{Schedule.example}`",
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
    if word.text.lower().replace("-", "_") in PASSES:
        return PolynbError(
            f"{word.text} is a pass, and no move",
            span=word.span,
            hint=f"a script of `%%transform` that begins with `{word.text.lower()}`",
        )
    near = meant(word.text, [*MOVES, *SAME, *PASSES])
    near = SAME.get(near, near) if near is not None else None
    return PolynbError(
        f"there is no move {word.text!r}",
        span=word.span,
        reason=f"the moves are {', '.join(MOVES)}; before them, the passes {', '.join(PASSES)}",
        hint=near or "a line such as `interchange i j` or `tile i j by 32`",
        fix=[Edit(word.span, near)] if near is not None else (),
    )
