"""What is wrong with a text that is no program of the SCoP language, in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.source.names import RESERVED, ROLES
from polynb.source.scoplang.habits import C_TYPES, other_habit, other_operand, typed_parameter
from polynb.source.scoplang.unexpected import CLOSED_BY, Unexpected, line_of, span_of
from polynb.source.types import TYPES
from polynb.source.typos import no_statement

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput

_OPERATORS = {"OPERATOR", "SIGN", "BANG", "AND", "OR", "NOT"}
_BLOCKS = {"FOR", "IF", "DONE", "FI", "ELSE", "DO", "TO", "BY", "THEN", "LET"}
_DECLARES = {"PARAM", "ASSUME", "DEFINE", "ROLE", "TYPE"}

# What may go on at a place, the first of these that does is what is missing there.
_WANTED = {
    "TO": "`to`",
    "DO": "`do`",
    "SEMICOLON": "`;`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "LPAR": "`(`",
    "THEN": "`then` or a statement",
    "FI": "`fi`",
    "$END": "the end of the text",
}
_STRANGE = {
    "{": 'blocks are `for ... do ... done` and `if ... then ... fi`; C needs language="c"',
    "}": 'blocks are `for ... do ... done` and `if ... then ... fi`; C needs language="c"',
    "#": 'comments begin with `//`; C with a `#pragma scop` needs language="c"',
    '"': "there are no texts in this language; leave out the quotes",
    "'": "names consist of letters, digits and _; leave out the quote",
    ".": "write numbers as `0.5` or `1.5f`",
}


def explained(
    source: Source, code: str, error: UnexpectedInput, lark: Lark, start: str
) -> PolynbError:
    """The PolynbError for lark's. `code` is the text with its comments blanked out, `start` the
    rule it should follow."""
    from lark import UnexpectedCharacters

    if isinstance(error, UnexpectedCharacters):
        return _strange_character(source, error.pos_in_stream)
    tokens = _tokens(code, lark)
    at = len(code) if error.token.type == "$END" else error.token.start_pos
    before = [t for t in tokens if t.start_pos < at]
    # Replayed, because lark has reduced rules before it met the error and forgot alternatives.
    parser = lark.parse_interactive(start=start)
    for t in before:
        parser.feed_token(t)
    return _Explained(
        source=source,
        before=before,
        found=error.token,
        following=[t for t in tokens if t.start_pos > at],
        accepts=frozenset(parser.accepts()),
    ).error()


def _strange_character(source: Source, offset: int) -> PolynbError:
    character = source.text[offset]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    span = Span(source, offset, offset + 1)
    hint, fix = _STRANGE.get(character, "leave it out"), [Edit(span, "")]
    if source.text.startswith("..", offset - 1):  # `0..N`, of which `0.` is a number
        span = Span(source, offset - 1, offset + 1)
        return PolynbError(
            "`..` is not part of the language",
            span=span,
            hint="loops are `for i = 0 to N do ... done`",
            fix=[Edit(span, " to ")],
        )
    return PolynbError(
        f"the character {shown} is not part of the language",
        span=span,
        hint=hint,
        fix=fix if hint == "leave it out" else (),
    )


def _tokens(code: str, lark: Lark) -> list[Token]:
    """All tokens, up to the first character that begins none."""
    from lark import UnexpectedCharacters

    found = []
    try:
        for token in lark.lex(code):
            found.append(token)
    except UnexpectedCharacters:
        pass  # the tokens before it are enough: the error to explain is among them
    return found


@dataclass(frozen=True, eq=False)
class _Explained(Unexpected):
    """The error for a token that is not allowed."""

    def error(self) -> PolynbError:
        return (
            self._unfinished()
            or typed_parameter(self)
            or self._type()
            or self._reserved()
            or self._assignment()
            or self._block()
            or self._statement()
            or self._operand()
            or self._missing()
        )

    # -- the errors ----------------------------------------------------------------------

    def _unfinished(self) -> PolynbError | None:
        """A label or a `let` without its assignment."""
        previous = self.previous
        if previous is not None and previous.type == "COLON" and self.accepts == {"NAME"}:
            return PolynbError(
                f"an assignment is missing after the label, before {self.shown}",
                span=self.here(),
                hint="only assignments have labels: `S: A[i] = ...;`",
            )
        if self.accepts == {"NAME", "LET"}:
            return PolynbError(
                f"an assignment is missing after the `let`, before {self.shown}",
                span=self.here(),
                hint="a `let` holds for the assignment after it: `let e = ...; A[i] = e * e;`; a "
                "scalar for several needs no `let`",
            )
        return None

    def _type(self) -> PolynbError | None:
        """A type that is none, or that is said twice."""
        words, found = self.before, self.found
        declares = self.word_of_statement() in (*ROLES, *TYPES)
        if found.type == "TYPE" and declares and words[-1].type == "COMMA":
            return PolynbError(
                "the type of a declaration is said once, before its first name",
                span=self.here(),
                hint=f"leave it out, or another declaration: `...; {found} x;`",
                fix=self.instead(""),
            )
        if not words or found.type != "NAME" or words[-1].type != "NAME":
            return None
        name, before = words[-1], "SEMICOLON" if len(words) == 1 else words[-2].type
        if before != "ROLE" and (before != "SEMICOLON" or name not in C_TYPES):
            return None
        meant = C_TYPES.get(name)
        return PolynbError(
            f"there is no type {name}",
            span=span_of(self.source, name),
            hint=f"write {meant}" if meant else f"one of: {', '.join(TYPES)}",
            fix=[Edit(span_of(self.source, name), meant)] if meant else (),
        )

    def _reserved(self) -> PolynbError | None:
        """A reserved word where a name is meant."""
        word, follows = self.found, self.after
        if follows is not None and follows.type == "LPAR" and word.type in _DECLARES:
            pass
        elif word.type in ("EQUAL", "LSQB", "COLON") and self.previous is not None:
            word = self.previous
            if word.type in ("FOR", "LET", "DEFINE", "PARAM") or word.type in _OPERATORS:
                return None
        elif self.previous is not None and self.previous.type == "BUILTIN":
            word = self.previous
        elif "NAME" not in self.accepts:
            return None
        elif len(self.accepts) > 1 and word.type in _BLOCKS | _OPERATORS | _DECLARES:
            named = follows is not None and follows.type in ("EQUAL", "LSQB")
            if not named and ("FOR" in self.accepts or word.type in _BLOCKS | _OPERATORS):
                return None
        if str(word) not in RESERVED:
            return None
        use = f"; as a function, `{word}(a, b)`" if word.type == "BUILTIN" else ""
        return PolynbError(
            f"`{word}` is a reserved word and cannot be a name",
            span=span_of(self.source, word),
            hint=f"another name, such as `{word}_`{use}",
        )

    def _assignment(self) -> PolynbError | None:
        """`=` for `==`, and C's `+=` and `++`."""
        follows = self.after
        if self.found.type == "EQUAL" and "OPERATOR" in self.accepts and not self.is_open("["):
            if "SEMICOLON" not in self.accepts or self.word_of_statement() == "assume":
                return PolynbError(
                    "`=` assigns and cannot be used in a condition or a bound",
                    span=self.here(),
                    hint="a comparison is written `==`",
                    fix=self.instead("=="),
                )
            return PolynbError(
                "a statement assigns only once",
                span=self.here(),
                hint="a statement for each assignment; a comparison is written `==`",
            )
        is_operator = self.found.type in ("SIGN", "OPERATOR")
        if is_operator and "EQUAL" in self.accepts and follows is not None:
            double = follows.type == "EQUAL" or str(follows) == str(self.found)
            if double and follows.start_pos == self.found.end_pos:
                return self._shorthand(follows)
        return None

    def _shorthand(self, follows: Token) -> PolynbError:
        """`x += 1` and `x++`."""
        operator, statement = str(self.found), self.statement()
        target = self.source.text[statement[0].start_pos : self.before[-1].end_pos]
        value, fix = "1", self.instead(f"= {target} {operator} 1", follows)
        if follows.type == "EQUAL":
            rest = self.rest_of_statement()[1:]
            value = self.source.text[rest[0].start_pos : rest[-1].end_pos] if rest else "..."
            value = f"({value})" if len(rest) > 1 and operator != "+" else value
            fix = self.instead(f"= {target} {operator} {value}", rest[-1]) if rest else []
        return PolynbError(
            f"there is no `{operator}{follows}` in this language",
            span=span_of(self.source, self.found, follows),
            hint=f"write it out: `{target} = {target} {operator} {value};`",
            fix=fix,
        )

    def _block(self) -> PolynbError | None:
        """`done`, `fi` and `else` that do not fit, and the end of the text in a loop."""
        kind, block = self.found.type, self.open_block()
        if "FOR" not in self.accepts or kind not in ("DONE", "FI", "ELSE", "$END"):
            return None
        if block is None:
            wanted = "if" if kind in ("FI", "ELSE") else "for"
            return PolynbError(
                f"this `{self.found}` has no `{wanted}`",
                span=self.here(),
                hint=f"leave it out, or check that every `{wanted}` has only one "
                f"`{'fi' if wanted == 'if' else 'done'}`",
                fix=self.instead(""),
            )
        if kind == "ELSE" and block.type == "IF":
            return PolynbError(
                f"the `if` in line {line_of(self.source, block)} has an `else` already",
                span=self.here(),
                hint="`else if ... then ... fi` for a further case",
            )
        word = CLOSED_BY[block.type]
        before = "" if self.at_end else f" before {self.shown}"
        hint = f"`{word}` where its last statement ends"
        if word == "fi":
            hint += "; every `if` has its own, so an `else if` ends with `fi fi`"
        return PolynbError(
            f"`{word}` is missing{before}: the `{block}` in line "
            f"{line_of(self.source, block)} is not closed",
            span=self.here(),
            hint=hint,
            fix=self.inserted(f" {word}"),
        )

    def _statement(self) -> PolynbError | None:
        """Something that begins no statement."""
        if "FOR" not in self.accepts or "OPERATOR" in self.accepts:
            return None
        block = self.open_block()
        if self.found.type in _DECLARES and block is not None:
            return PolynbError(
                "declarations are not allowed inside of loops and conditionals",
                span=self.here(),
                hint=f"move it before line {line_of(self.source, block)}",
            )
        if self.found.type == "SEMICOLON":
            return PolynbError(
                "there is nothing before this `;`",
                span=self.here(),
                hint="leave it out",
                fix=self.instead(""),
            )
        return PolynbError(
            f"a statement is missing before {self.shown}",
            span=self.here(),
            hint="statements are `A[i] = ...;`, `for i = 0 to N do ... done` and "
            "`if ... then ... fi`",
        )

    def _operand(self) -> PolynbError | None:
        """Something where an expression or a name should be."""
        after = "" if self.previous is None else f" after `{self.previous}`"
        found = other_operand(self)
        if found is not None:
            return found
        if "NUMBER" in self.accepts:
            return PolynbError(
                f"an expression is missing{after}, before {self.shown}",
                span=self.here(),
                hint="a number, a name, a cell `A[i]`, a call `f(x)`, or one in parentheses",
            )
        if "NAME" not in self.accepts or "FOR" in self.accepts:
            return None
        hint = "names begin with a letter or _ and go on with letters, digits and _"
        if self.previous is not None and self.previous.type == "FOR" and self.found.type == "LPAR":
            hint = (
                "loops are `for i = 0 to N do ... done`; "
                'C (language="c"; of a cell, --language c) has no `param` and `temp`'
            )
        return PolynbError(
            f"a name is missing{after}, before {self.shown}", span=self.here(), hint=hint
        )

    def _missing(self) -> PolynbError:
        """A word or a sign that should follow the token before."""
        habit = other_habit(self)
        if habit is not None:
            return habit
        wanted = next((w for t, w in _WANTED.items() if t in self.accepts), "something else")
        if self.found.type == "COMMA" and wanted == "`]`":
            return PolynbError(
                "every subscript has its own brackets",
                span=self.here(),
                hint="write `A[i][j]` for `A[i, j]`",
                fix=self.instead("]["),
            )
        if self.found.type in ("RPAR", "RSQB") and self.found.type not in self.accepts:
            opening = "(" if self.found.type == "RPAR" else "["
            if not self.is_open(opening):
                return PolynbError(
                    f"this `{self.found}` has no `{opening}`",
                    span=self.here(),
                    hint="leave it out",
                    fix=self.instead(""),
                )
        word = self.only_word() if wanted == "`=`" else None
        mistyped = word and no_statement(span_of(self.source, word))
        if mistyped:
            return mistyped
        if self.continues():
            return self._two_operands(wanted)
        return PolynbError(
            f"{wanted} is missing after `{self.previous}`",
            span=self.behind(),
            hint=self._way_out(wanted),
            fix=self._completed(wanted),
        )

    def _completed(self, wanted: str) -> list[Edit]:
        """The text with what is missing; for some things more has to be said."""
        text = {"`;`": ";", "`to`": " to ", "`do`": " do", "`)`": ")", "`]`": "]"}.get(wanted)
        if text is None or self.source.text.startswith("//", self.behind().start):
            return []
        if self.found.type == ("COMMA" if wanted == "`;`" else "SEMICOLON"):
            return self.instead(text) if wanted in ("`;`", "`do`") else self.inserted(text)
        return self.inserted(text)

    def _two_operands(self, wanted: str) -> PolynbError:
        """Two things next to each other in one line."""
        previous = self.previous
        if wanted == "`;`" and self.word_of_statement() in ("param", *ROLES, *TYPES):
            return PolynbError(
                f"a comma is missing before {self.shown}",
                span=self.here(),
                hint=f"names are separated: `{previous}, {self.found}`",
                fix=self.inserted(","),
            )
        glued = previous is not None and previous.end_pos == self.found.start_pos
        begins = self.found.type in ("NAME", "NUMBER", "LPAR")
        if "OPERATOR" not in self.accepts or not begins:
            message, hint = f"{wanted} is missing before {self.shown}", self._way_out(wanted)
            fix = self._completed(wanted)
        else:
            message = f"{wanted} or an operator is missing before {self.shown}"
            hint = f"write {wanted}, or an operator such as `*`"
            ends = self.after is not None and self.after.type in ("EQUAL", "LSQB", "COLON")
            fix = self._completed(wanted) if ends or wanted != "`;`" else []
            if glued:
                hint = f"products need a `*`: `{previous}*{self.found}`"
                fix = self.inserted("*")
        return PolynbError(message, span=self.here(), hint=hint, fix=fix)

    def _way_out(self, wanted: str) -> str:
        if self.source.text.startswith("//", self.behind().start):
            return "`//` begins a comment; in bounds and subscripts, `/` is floor division"
        match wanted:
            case "`;`":
                return "every assignment and declaration ends with `;`"
            case "`to`" | "`do`":
                return "loops are `for i = 0 to N do ... done`"
            case "`=`":
                return "an assignment is `A[i] = ...;`, a loop `for i = 0 to N do ... done`"
        return f"write {wanted} here"
