"""C text -> tokens, preprocessed; every token knows the characters it was written as.

pcpp expands macros and evaluates `#if`. A token that a macro produced has the span of the
macro's use; a macro's argument keeps its own. Standard headers are known, not read; other
headers, and anything pcpp refuses, are errors at the place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator as Iter, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from pcpp.preprocessor import Action, OutputDirective, Preprocessor

from polynb import isl
from polynb.errors import PolynbError, Source, Span
from polynb.source.c.read.literals import number
from polynb.source.mistakes import mistake, table
from polynb.source.typography import check_characters

if TYPE_CHECKING:
    from pcpp.parser import LexToken as Lexeme

HEADERS = re.compile(
    r"""[<"](assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|omp|setjmp
    |signal|stdalign|stdarg|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|time
    |wchar|wctype|unistd|sys/(?:time|types|resource|stat)|malloc|alloca|fcntl|getopt|poll|sched
    |strings|pencil)\.h[>"]""",
    re.VERBOSE,
)
# What headers define and a loop nest may use. Texts without the header have them, too, but not for
# `#ifndef M_PI`; a text's own #define of a name counts.
CONSTANTS = {
    "math": {
        "M_E": "2.7182818284590452354",
        "M_LOG2E": "1.4426950408889634074",
        "M_LN2": "0.69314718055994530942",
        "M_LN10": "2.30258509299404568402",
        "M_PI": "3.14159265358979323846",
        "M_PI_2": "1.57079632679489661923",
        "M_PI_4": "0.78539816339744830962",
        "M_1_PI": "0.31830988618379067154",
        "M_2_PI": "0.63661977236758134308",
        "M_SQRT2": "1.41421356237309504880",
        "M_SQRT1_2": "0.70710678118654752440",
    },
    "limits": {"INT_MAX": "2147483647", "INT_MIN": "(-2147483647 - 1)"},
    "float": {
        "FLT_EPSILON": "1.1920928955078125e-07f",
        "DBL_EPSILON": "2.2204460492503131e-16",
        "FLT_MAX": "3.4028234663852886e+38f",
        "DBL_MAX": "1.7976931348623157e+308",
    },
}
# The usual macros of these names divide floating-point numbers or spell out a case
# distinction; the names say what is meant, so their definitions are left out.
KNOWN_MACROS = ("floord", "ceild")

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_.])*)
    |(?P<string>(?:L|u8|u|U)?"(?:[^"\\\n]|\\.)*")
    |(?P<character>[LuU]?'(?:[^'\\\n]|\\.)+')
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<operator>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
        |[-+*/%&|^~!<>=?:;,.(){}\[\]])""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z.])*")
_SUFFIX = re.compile(r"[fFlL]|[uU]?[lL]{0,2}|[lL]{1,2}[uU]")
EXPANDED = 200_000
"""Tokens that all uses of macros in a text may become, with what is thrown away on the way:
25 macros, each twice the one before it, are 33 million."""

_BREAKS = re.compile("[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u00a0\ufeff]")


@dataclass(frozen=True, eq=False)
class Token:
    """`kind` is number, string, character, name, operator or pragma (scop and endscop only,
    `text` being that word)."""

    kind: str
    text: str
    span: Span


def preprocess(source: Source) -> list[Token]:
    """The tokens of a C text after preprocessing. Raises PolynbError, with the place."""
    preprocessor = _Preprocessor(source)
    tokens: list[Token] = []
    run: list[Lexeme] = []
    in_pragma = False
    for written in preprocessor.expand():
        if hasattr(written, "pragma"):
            tokens += _tokens(source, run)
            run, in_pragma = [], True
        run.append(written)
        if in_pragma and written.value.startswith("\n"):
            tokens += _pragma(source, run)
            run, in_pragma = [], False
    return tokens + _tokens(source, run)


class _Chunk(list["Lexeme"]):
    """A list of pcpp's tokens in which macros are being expanded: what replaces a macro's use
    gets the use's place, except for its arguments, which are written there themselves."""

    def __setitem__(self, key: Any, new: Any) -> None:
        if isinstance(key, slice):
            used = [t.origin for t in self[key] if hasattr(t, "origin")]
            place = min(s for s, _ in used), max(e for _, e in used)
            for token in new:
                start, end = getattr(token, "origin", (-1, -1))
                if not (place[0] <= start and end <= place[1]):
                    token.origin = place
        super().__setitem__(key, new)


class _Preprocessor(Preprocessor):  # type: ignore[misc]
    """pcpp, with places: every token of the text gets `origin`, its (start, end) there."""

    macros: dict[str, Any]

    def __init__(self, program: Source) -> None:
        super().__init__()
        self._program = program
        # The same length as the text, with line ends pcpp and Python agree about.
        text = program.text.replace("\r\n", " \n").replace("\r", "\n")
        self._prepared = _BREAKS.sub(" ", text)
        self._directive: Span | None = None
        self._expanded = 0
        self._undefined: dict[str, Any] = {}  # the macros of headers that are not included
        before = set(self.macros)
        for header in CONSTANTS:
            self._define_constants(header)
        for name in self.macros.keys() - before:
            self._undefined[name] = self.macros.pop(name)

    def _define_constants(self, header: str) -> None:
        for name, value in CONSTANTS.get(header, {}).items():
            self.define(f"{name} {value}")

    def expand(self) -> Iter[Lexeme]:
        """The tokens of the whole text, macros expanded."""
        try:
            yield from self.parsegen(self._prepared)
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            # pcpp's own accidents over a malformed directive.
            raise mistake("c.preprocessor", self._directive, reason=error) from None

    def group_lines(self, input: str, abssource: str) -> Iter[list[Lexeme]]:
        """pcpp's lines. Its text has lost the space at the end of lines: places are found
        from the starts of lines, which are the same lines."""
        lines = self._prepared.split("\n")
        ours, theirs = [0], [0]
        for line in lines:
            ours.append(ours[-1] + len(line) + 1)
            theirs.append(theirs[-1] + len(line.rstrip()) + 1)
        for group in super().group_lines(self._prepared, abssource):
            for token in group:
                k = bisect_right(theirs, token.lexpos) - 1
                start = ours[k] + token.lexpos - theirs[k]
                token.origin = start, start + len(token.value)
                token.ends = token.lexpos + len(token.value)
            yield group

    def tokenize(self, text: str) -> list[Lexeme]:
        tokens: list[Lexeme] = super().tokenize(text)
        for token in tokens:
            token.ends = token.lexpos + len(token.value)
        return tokens

    def expand_macros(
        self, tokens: list[Lexeme], expanding_from: Sequence[str] = ()
    ) -> list[Lexeme]:
        own = self.macros
        self.macros = {**self._undefined, **own}
        try:
            result = list(super().expand_macros(_Chunk(tokens), list(expanding_from)))
        finally:
            self.macros = own
        self._expanded += len(result) if len(result) > len(tokens) else 0
        if self._expanded > EXPANDED:
            used = (t for t in result if t.value != self._span(t).text)
            raise mistake(
                "c.macros-too-large", self._span(next(used, result[0])), expanded=EXPANDED
            )
        isl.check_time()
        return result

    def evalexpr(self, tokens: list[Lexeme]) -> Any:
        """The value of a condition, in which a name is 0 that only its header would define."""
        known, self._undefined = self._undefined, {}
        try:
            return super().evalexpr(tokens)
        finally:
            self._undefined = known

    # -- directives --------------------------------------------------------------------

    def on_directive_handle(
        self, directive: Lexeme, toks: list[Lexeme], ifpassthru: bool, precedingtoks: list[Lexeme]
    ) -> bool | None:
        self._directive = self._span(directive)  # the last one, which errors are about
        name = directive.value
        if name == "pragma":
            precedingtoks[0].pragma = True
            raise OutputDirective(Action.IgnoreAndPassThrough)
        if name in ("define", "undef", "ifdef", "ifndef") and not (
            toks and toks[0].type == self.t_ID
        ):
            place = self._span(toks[0] if toks else directive)
            raise mistake("c.directive-name", place, name=name)
        if name in ("if", "elif") and not toks:
            raise mistake("c.directive-condition", self._directive, name=name)
        if name == "undef":
            self._undefined.pop(toks[0].value, None)
        if name == "define" and toks[0].value in KNOWN_MACROS:
            raise OutputDirective(Action.IgnoreAndRemove)
        return bool(super().on_directive_handle(directive, toks, ifpassthru, precedingtoks))

    def on_directive_unknown(
        self, directive: Lexeme, toks: list[Lexeme], ifpassthru: bool, precedingtoks: list[Lexeme]
    ) -> bool:
        name = directive.value
        if name == "error":
            text = "".join(t.value for t in toks)
            raise mistake("c.error-directive", self._directive, text=f" {text}".rstrip())
        if name not in ("warning", "line", "ident"):
            raise mistake("c.directive-unknown", self._directive, name=name)
        return True

    def include(self, tokens: list[Lexeme], original_line: list[Lexeme]) -> Iter[Lexeme]:
        """Standard headers bring nothing that the parser does not know; others are refused."""
        text = "".join(t.value for t in tokens)
        if HEADERS.fullmatch(text) is None:
            if not text:
                raise mistake("c.include-what", self._directive)
            raise mistake("c.include", self._span(tokens[0]).to(self._span(tokens[-1])), text=text)
        if text[1:-1] == "tgmath.h":
            raise mistake("c.include-generic", self._span(tokens[0]).to(self._span(tokens[-1])))
        self._define_constants(text[1:-1].removesuffix(".h"))
        yield from ()

    def on_error(self, file: str, line: int, msg: str) -> NoReturn:
        place = self._line(line, re.search(r"Macro (\w+)", msg))
        message = msg.split(" due to ")[0].strip()
        ways = table("c")["preprocessor-said"]["ways"].items()
        said, way = message[:1].lower() + message[1:], (w for word, w in ways if word in message)
        raise mistake("c.preprocessor-said", place, said=said, way=next(way, None))

    def _line(self, number: int, word: re.Match[str] | None) -> Span:
        """A line without its margins; only the word in it, where there is one."""
        start = sum(len(x) + 1 for x in self._prepared.split("\n")[: number - 1])
        line = self._prepared[start:].split("\n")[0]
        found = re.search(rf"\b{word[1]}\b", line) if word else None
        found = found or re.search(r"\S.*\S|\S", line)
        first, last = found.span() if found else (0, len(line))
        return Span(self._program, start + first, start + last)

    def _span(self, token: Lexeme) -> Span:
        return Span(self._program, *getattr(token, "origin", (0, 0)))


def _pragma(source: Source, line: list[Lexeme]) -> list[Token]:
    """`#pragma scop` and `#pragma endscop`; other pragmas (OpenMP's, a compiler's) are left out."""
    words = [t for t in line if t.value.strip()]
    if len(words) < 3 or words[2].value not in ("scop", "endscop"):
        return []
    span = Span(source, words[0].origin[0], words[2].origin[1])
    return [Token("pragma", words[2].value, span)]


def _tokens(source: Source, written: list[Lexeme]) -> list[Token]:
    """C's tokens from pcpp's, which cuts numbers such as `1.` and `2LL` in two."""
    text, places = _characters(source, written)
    tokens = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _unreadable(text[at], Span(source, *places[at]))
        start, end = at, found.end()
        at = end
        kind = str(found.lastgroup)
        if kind == "space":
            continue
        span = Span(source, places[start][0], max(e for _, e in places[start:end]))
        if kind == "number" and number(found[0]) is None:
            raise mistake("c.number", span, text=found[0])
        tokens.append(Token(kind, found[0], span))
    return tokens


def _characters(source: Source, written: list[Lexeme]) -> tuple[str, list[tuple[int, int]]]:
    """The text after expansion, and where each of its characters comes from. A space parts
    tokens that do not stand side by side in the text (`-N` where N is `-1` is not `--1`), but no
    number from its suffix, which `x##f` puts after it."""
    text: list[str] = []
    places: list[tuple[int, int]] = []
    last, before = None, ""
    for token in written:
        start, end = getattr(token, "origin", (0, 0))
        exact = source.text[start:end] == token.value
        pasted = not exact and _SUFFIX.fullmatch(token.value) and _NUMBER.fullmatch(before)
        if token.lexpos != last and not pasted:
            text.append(" ")
            places.append((start, start))
        for k, c in enumerate(token.value):
            text.append(c)
            places.append((start + k, start + k + 1) if exact else (start, end))
        last, before = getattr(token, "ends", None), token.value
    return "".join(text), places


def _unreadable(character: str, span: Span) -> PolynbError:
    """The error for a character that starts no token."""
    source = span.source
    if not character.isascii():
        # In a macro's definition, if it is not here.
        at = source.text.find(character, span.start, span.end)
        at = at if at >= 0 else source.text.index(character)
        try:
            check_characters(source, " " * at + source.text[at:])
        except PolynbError as error:
            return error
    row = "c.quote-open" if character in "\"'" else "c.character"
    return mistake(row, span, character=character)
