"""isl's notation, `[N] -> { S[i] -> A[i + 1] : 0 <= i < N }`, read to find where it is wrong.

isl reads texts itself, and only says that there is a syntax error. This reader says where, what was
expected, and what is often meant; and of texts that are right, where each tuple stands. It is
asked after isl, so what it does not know of the notation costs a caret and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NoReturn

from polynb.errors import PolynbError, Source, Span
from polynb.source.mistakes import Words, mistake, table

_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|\#[^\n]*)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_$][\w$.]*'*|"[^"]*")"""
    r"|(?P<sign>->|<<=|>>=|<<|>>|<=|>=|!=|//|&&|\|\||[-+*/%(){}\[\],:;=<>!?])|(?P<strange>.)",
    re.VERBOSE | re.DOTALL,
)
_APART: Final = ("<=", ">=", "!=", "->")
_COMPARISONS: Final = ("=", "!=", "<", "<=", ">", ">=", "<<", "<<=", ">>", ">>=")
_CALLS: Final = ("floor", "ceil", "floord", "ceild", "min", "max")
_WORDS: Final = ("and", "or", "not", "implies", "exists", "mod", "true", "false", *_CALLS)


@dataclass(frozen=True)
class Tuple:
    """`S[i, j]`: its name ("" without one), number of dimensions, and place."""

    name: str
    dims: int
    span: Span


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    span: Span


@dataclass(frozen=True)
class Notation:
    """What a text has: its tuples, in order, those inside of others too, its parts between
    semicolons that are sets and maps, and lists between two comparisons: `i < N, 0 <= j` is
    `i < N and i < 0 and N <= j and 0 <= j`, and hardly ever meant."""

    tuples: tuple[Tuple, ...]
    sets: tuple[Span, ...]
    maps: tuple[Span, ...]
    lists: tuple[Span, ...]


def read(source: Source, example: str = "{ S[i] : 0 <= i < 10 }") -> Notation:
    """What is in a text. Raises PolynbError, with the place, for what is no notation of isl's; of
    a text that does not begin like one the hint is the `example`."""
    reader = _Reader(source, _tokens(source), example)
    reader.whole()
    return Notation(
        tuple(reader.found), tuple(reader.sets), tuple(reader.maps), tuple(reader.lists)
    )


def _no_sign(sign: str, span: Span) -> PolynbError:
    meant = table("isl")["sign"]["meant"].get(sign)
    return mistake("isl.sign", span, sign=sign, meant=meant)


def _tokens(source: Source) -> list[_Token]:
    found = []
    for m in _TOKEN.finditer(source.text):
        span = Span(source, *m.span())
        if m.lastgroup == "strange":
            raise _no_sign(m.group(), span)
        if m.lastgroup == "number" and "." in m.group():
            raise mistake("isl.fraction", span)
        if m.lastgroup != "blank":
            found.append(_Token(m.lastgroup or "", m.group(), span))
    end = len(source.text.rstrip())
    return [*found, _Token("end", "", Span(source, end, end))]


@dataclass
class _Reader:
    """One method for each kind of phrase; the methods of values tell whether they are constant."""

    source: Source
    tokens: list[_Token]
    example: str
    at: int = 0
    known: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    found: list[Tuple] = field(default_factory=list)
    sets: list[Span] = field(default_factory=list)
    maps: list[Span] = field(default_factory=list)
    lists: list[Span] = field(default_factory=list)
    in_tuple: bool = False

    # -- tokens ---------------------------------------------------------------------------

    @property
    def here(self) -> _Token:
        return self.tokens[self.at]

    @property
    def previous(self) -> _Token:
        return self.tokens[self.at - 1]

    def ahead(self, text: str) -> bool:
        return self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].text == text

    def took(self, *texts: str) -> bool:
        """Whether one of these stood here; it is passed over then."""
        found = self.here.kind != "end" and self.here.text in texts
        self.at += found
        return found

    def expect(self, text: str, after: str = "") -> None:
        if not self.took(text):
            self.fail(f"`{text}`", f"`{text}` {after}".strip())

    def listed(self, item: Callable[[], None], what: str) -> int:
        """Phrases with commas between them, up to the bracket that closes; how many there are."""
        count = 0
        while not self.took("]"):
            item()
            count += 1
            if self.here.text != "]":
                if not self.took(","):
                    self.fail("`,` or `]`")
                if self.here.text == "]":
                    self.fail(what)
        return count

    def fail(self, wanted: str, hint: str | None = None) -> NoReturn:
        what = f"`{self.here.text}`" if self.here.kind != "end" else "the text ends"
        if self.at:
            before = self.tokens[self.at - 1]
            pair = before.text + self.here.text
            if pair in table("isl")["sign"]["meant"]:
                raise _no_sign(pair, self.previous.span.to(self.here.span))
            hint = f"{pair}, without a space" if pair in _APART else hint
        raise mistake("isl.expected", self.here.span, what=what, wanted=wanted, hint=hint)

    def instead(self, otherwise: str = "") -> str:
        """How isl's notation says what stands here."""
        return str(table("isl")["expected"]["instead"].get(self.here.text, otherwise))

    # -- sets, maps, tuples ---------------------------------------------------------------

    def whole(self) -> None:
        if self.here.text != "{":
            if not self.took("["):
                self.fail("`{`", f"{self.example}; with parameters, [N] -> {{ ... }}")
            name = "the name of a parameter"
            self.listed(lambda: self.declaration(name), name)
            self.expect("->", "after the parameters")
        self.expect("{")
        self.parameters = parameters = list(self.known)
        while not self.took("}"):
            self.known, start = list(parameters), self.at
            self.part()
            if self.here.text == "}" or self.took(";"):
                continue
            if any(t.text == ":" for t in self.tokens[start : self.at]):
                between = self.instead("`and` between conditions, `}` at the end")
                self.fail("`and`, `or`, `;` or `}`", between)
            self.fail(
                "`:`, `;` or `}`", "`;` between parts, `:` before a condition, `}` at the end"
            )
        if self.here.kind != "end":
            around = "one pair of braces around all parts, with `;` between them"
            self.fail("the end", self.instead(around))

    def declaration(self, wanted: str) -> None:
        if self.here.kind != "name" or self.here.text in _WORDS:
            self.fail(wanted)
        self.known.append(self.here.text)
        self.at += 1
        if self.took("="):
            self.value()

    def part(self) -> None:
        start, parts = self.here.span, self.sets
        if self.here.text != ":":
            self.tuple()
            if self.took("->"):
                self.tuple()
                parts = self.maps
        parts.append(start.to(self.tokens[max(self.at - 1, 0)].span))
        if self.took(":") and self.here.text not in (";", "}"):
            self.condition()

    def tuple(self) -> int:
        start, name = self.here.span, ""
        if self.here.kind == "name":
            name = self.here.text.strip('"')
            self.at += 1
            if self.here.text == "(":
                self.fail(f"`[` after {name}", f"{name}[...], with brackets")
        if not self.took("["):
            condition = self.here.kind == "number" or self.here.text in _COMPARISONS
            again = "S[i] : before the conditions of each part; or `or` between conditions"
            self.fail("a tuple", again if condition else "S[i], or [i] without a name")
        if self.here.text == "[" or (self.here.kind == "name" and self.ahead("[")):
            dims = self.tuple()
            self.expect("->", "between the two sides")
            dims += self.tuple()
            self.expect("]")
        else:
            dims = self.listed(self.element, "a dimension")
        self.found.append(Tuple(name, dims, start.to(self.previous.span)))
        return dims

    def element(self) -> None:
        if self.took("*"):
            return
        new = self.here.kind == "name" and self.here.text not in (*_WORDS, *self.known)
        if new and self.tokens[self.at + 1].text in (",", "]", "=", "}", "->", ":", ""):
            self.declaration("a dimension")
            return
        self.in_tuple = True
        self.value()
        self.in_tuple = False
        if self.here.text in _COMPARISONS:
            self.compared()
            self.expect("?", "after a condition")
            self.value()
            self.expect(":", "and what it is otherwise")
            self.value()

    # -- conditions -----------------------------------------------------------------------

    def condition(self) -> None:
        self.single()
        while self.took("and", "&&", "or", "||", "implies"):
            self.single()

    def single(self) -> None:
        if self.took("true", "false"):
            return
        if self.took("not", "!"):
            return self.single()
        if self.took("exists"):
            return self.exists()
        if self.here.text != "(":
            return self.comparison()
        start = self.at
        try:
            return self.comparison()
        except PolynbError as error:
            first, self.at = error, start + 1
        try:  # not a value in parentheses, but a condition
            self.condition()
            self.expect(")")
        except PolynbError as error:
            raise max(first, error, key=lambda e: e.span.start if e.span else 0) from None

    def exists(self) -> None:
        outside, closed = list(self.known), self.took("(")
        self.declaration("a name")
        while self.took(","):
            self.declaration("a name")
        self.expect(":", "after the names")
        self.condition()
        if closed:
            self.expect(")")
        self.known = outside

    def comparison(self) -> None:
        self.values()
        if self.here.text not in _COMPARISONS:
            self.fail("a comparison", "one of " + " ".join(_COMPARISONS[:6]))
        self.compared()

    def compared(self) -> None:
        while self.took(*_COMPARISONS):
            start = self.here.span
            if self.values() > 1 and self.here.text in _COMPARISONS:
                self.lists.append(start.to(self.previous.span))

    def values(self) -> int:
        """How many there are, with commas between them."""
        self.value()
        found = 1
        while self.took(","):
            self.value()
            found += 1
        return found

    # -- values: True if they are constant ------------------------------------------------

    def value(self) -> bool:
        constant = self.product()
        while self.took("+", "-"):
            constant &= self.product()
        return constant

    def product(self) -> bool:
        constant = self.factor()
        while True:
            sign = self.here
            if self.took("*"):
                other = self.factor()
                if not constant and not other:
                    raise mistake("isl.product", sign.span)
                constant &= other
            elif self.took("/", "//", "%", "mod"):
                if not self.factor():
                    raise mistake("isl.division", sign.span)
            elif self.previous.kind == "number" and (self.here.text in ("(", *_CALLS)):
                raise mistake("isl.star", self.here.span, before=self.previous, here=self.here)
            elif self.previous.kind == "number" and (self.here.kind == "name" and not self.word()):
                constant &= self.factor()  # 2i
            else:
                return constant

    def unknown(self, token: _Token) -> PolynbError:
        """What a name that is not known yet may be: a dimension that is named further on, or a
        parameter."""
        name, tokens = token.text, self.tokens[self.at :]
        row, same = "unknown", [k for k in self.known if k.casefold() == name.casefold()]
        around = zip(tokens, tokens[1:], tokens[2:], strict=False)
        if any(t.text == name and a.text in "[," and b.text in (",", "]") for a, t, b in around):
            row = "unknown-yet"
        elif self.instead():
            row = "unknown-word"
        elif same:
            row = "unknown-case"
        elif self.in_tuple:
            row = "unknown-in-tuple"
        words: Words = {"known": same[0] if same else None, "instead": self.instead()}
        words["parameters"] = ", ".join([*self.parameters, name])
        return mistake(f"isl.{row}", token.span, name=name, **words)

    def word(self) -> bool:
        return self.here.text in _WORDS and self.here.text not in _CALLS

    def factor(self) -> bool:
        token = self.here
        if self.took("-", "+"):
            return self.factor()
        if self.took("(", "["):
            constant = self.value()
            self.expect(")" if token.text == "(" else "]")
            return constant
        if token.kind == "number":
            self.at += 1
            return True
        if self.took(*_CALLS):
            self.expect("(", f"after {token.text}")
            self.values()
            self.expect(")")
            return False
        if token.kind != "name" or token.text in _WORDS:
            self.fail("a value", "(i - 1) mod 3" if token.text == "mod" else None)
        if token.text == "abs" and self.ahead("("):
            raise mistake("isl.abs", token.span)
        if token.text not in self.known:
            raise self.unknown(token)
        self.at += 1
        return False
