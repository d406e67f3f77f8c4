"""What is written in a similar way in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polynb.errors import Edit, PolynbError, Span
from polynb.source.scoplang.unexpected import CLOSED_BY, Unexpected, line_of, span_of
from polynb.source.types import TYPES

if TYPE_CHECKING:
    from lark import Token

_DECLARES = ("array", "arr", "matrix", "vector", "var", "scalar", "tensor", "buffer", "decl", "dim")
_UNKNOWN = "how often a loop runs may not depend on data"
_NOWHERE = {
    "return": ("a program computes arrays, and gives nothing back", "`out[i] = ...;`"),
    "break": (_UNKNOWN, "an `if` around the statements that are not always to run"),
    "continue": (_UNKNOWN, "an `if` around the statements that are not always to run"),
    "while": (_UNKNOWN, "a loop with affine bounds: `for i = 0 to N-1 do ... done`"),
    "repeat": (_UNKNOWN, "a loop with affine bounds: `for i = 0 to N-1 do ... done`"),
}
C_TYPES = {
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "unsigned": "uint32",
    "size_t": "uint64",
    "real": "double",
}
_STEPS = ("step", "stride", "increment")
_ENDS = ("end", "endfor", "enddo", "endif", "od", "next")


def typed_parameter(place: Unexpected) -> PolynbError | None:
    """The error for `param int N;`"""
    is_type = place.found.type == "TYPE"
    typed, name = (place.found, place.after) if is_type else (place.previous, place.found)
    if place.word_of_statement() != "param" or str(typed) not in (*C_TYPES, *TYPES):
        return None
    if typed is None or name is None or name.type != "NAME":
        return None
    span = Span(place.source, typed.start_pos, name.start_pos)
    return PolynbError(
        "a parameter has no type: it is an integer",
        span=span,
        hint="leave it out",
        fix=[Edit(span, "")],
    )


def other_habit(place: Unexpected) -> PolynbError | None:
    """The error for a parameter with a value, for a call that is assigned to, for loops that count
    down, and for other signs and words that mean `=`; None for all else."""
    found, previous = str(place.found), place.previous
    if found == "=" and place.word_of_statement() == "param":
        rest = place.rest_of_statement()
        return PolynbError(
            f"the parameter {previous} has no value here",
            span=place.here(),
            reason="a program is for all values of its parameters",
            hint=f"`param {previous};`, and the value where it runs: `%bench blur "
            f"{previous}={rest[0] if rest else 100}`",
            fix=place.instead("", rest[-1] if rest else None),
        )
    head = _loop_head(place) if place.word_of_statement() == "for" else None
    if head is not None:
        return head
    declared = place.only_word()
    if declared is not None and place.found.type == "NAME" and str(declared).lower() in _DECLARES:
        return _declaration(place, declared)
    if declared is not None and str(declared) in _NOWHERE and "EQUAL" in place.accepts:
        reason, way = _NOWHERE[str(declared)]
        return PolynbError(
            f"there is no `{declared}` in this language",
            span=span_of(place.source, declared),
            reason=reason,
            hint=way,
        )
    ending = _ending(place)
    if ending is not None:
        return ending
    if found == "if" and "SEMICOLON" in place.accepts and _in_line(place):
        return _condition_behind(place)
    if "EQUAL" not in place.accepts or previous is None:
        return None
    if found == "==":
        return PolynbError(
            "`==` compares, and a statement assigns",
            span=place.here(),
            hint="`A[i] = ...;`",
            fix=place.instead("="),
        )
    if found == "(" and previous.type == "NAME":
        return _call(place, previous)
    after = "" if place.after is None else str(place.after)
    arrow = f"{found}{after}" if f"{found}{after}" in (":=", "<-") else ""
    if arrow or (found in ("in", "from") and place.word_of_statement() == "for"):
        return PolynbError(
            f"`=` is meant by `{arrow or found}`",
            span=place.here(),
            hint="`A[i] = ...;`" if arrow else "`for i = 0 to N do ... done`",
            fix=place.instead("=", place.after if arrow else None),
        )
    return None


def other_operand(place: Unexpected) -> PolynbError | None:
    """The error for `to < N`, and for `A[i]++` where a value stands."""
    before, found = place.previous, str(place.found)
    if before is None or "NUMBER" not in place.accepts:
        return None
    if before.type == "TO" and found in ("<", "<=") and place.after is not None:
        bound = f"{place.after}-1" if found == "<" else str(place.after)
        return PolynbError(
            "the bound after `to` is a value, and is included",
            span=place.here(),
            hint=f"`to {bound}`",
            fix=place.instead(bound, place.after),
        )
    twice = place.before[-2] if len(place.before) > 1 else None
    if before.type == "SIGN" and str(twice) == str(before) and place.found.type != "NAME":
        assert twice is not None
        return PolynbError(
            f"there is no `{before}{before}` in this language",
            span=span_of(place.source, twice, before),
            hint=f"`{before} 1`, in a statement of its own where it is to be kept",
            fix=[Edit(span_of(place.source, twice, before), f" {before} 1")],
        )
    return None


def _call(place: Unexpected, previous: Token) -> PolynbError:
    """`B(i) = 1;` and `swap(a, b);`"""
    if not any(t.type == "EQUAL" for t in place.rest_of_statement()):
        return PolynbError(
            "a call computes a value, and is no statement",
            span=span_of(place.source, previous),
            reason="what it changed could not be known",
            hint=f"`x = {previous}(...);`, where x is what it computes",
        )
    closing = next((t for t in place.following if t.type == "RPAR"), None)
    inside = place.source.text[place.found.end_pos : closing.start_pos] if closing else "i"
    cell = f"{previous}[{inside.replace(',', '][').replace(' ', '')}]"
    return PolynbError(
        "nothing can be assigned to a call",
        span=place.here(),
        hint=f"a cell has brackets: `{cell}`",
        fix=place.instead(cell.removeprefix(str(previous)), closing) if closing else (),
    )


def _loop_head(place: Unexpected) -> PolynbError | None:
    """The error for other words and signs between the bounds of a loop, or behind them."""
    found = str(place.found)
    if "TO" in place.accepts and found in (":", ",", "until", "upto"):
        return PolynbError(
            f"`to` is meant by `{found}`",
            span=place.here(),
            hint="`for i = 0 to N do ... done`, which includes both bounds",
            fix=place.instead(" to " if found in ":," else "to"),
        )
    if "EQUAL" not in place.accepts and found in ("downto", "down"):
        return _downwards(place)
    if "EQUAL" not in place.accepts and found in _STEPS:
        return PolynbError(
            f"`by` is meant by `{found}`",
            span=place.here(),
            hint="`for i = 0 to N by 2 do ... done`",
            fix=place.instead("by"),
        )
    return None


def _downwards(place: Unexpected) -> PolynbError:
    """`for i = N downto 0 do`"""
    following, last = place.following, place.found
    if str(place.found) == "down" and place.after is not None and place.after.type == "TO":
        following, last = following[1:], place.after
    do = next((k for k, t in enumerate(following) if t.type == "DO"), None)
    head = following[:do] if do is not None else []
    by = next((k for k, t in enumerate(head) if t.type == "BY"), len(head))
    step = "".join(str(t) for t in head[by + 1 :]) or "1"
    fix = place.instead("to", last)
    if head and step.isdigit():
        end = head[-1].end_pos
        fix.append(Edit(Span(place.source, head[by - 1].end_pos, end), f" by -{step}"))
    return PolynbError(
        "a loop counts down by a negative step",
        span=span_of(place.source, place.found, last),
        hint=f"`for i = N to 0 by -{step.lstrip('-')} do ... done`",
        fix=fix,
    )


def _declaration(place: Unexpected, word: Token) -> PolynbError:
    """`array A[N];`, of which the language has several."""
    rest = place.rest_of_statement()
    end = (rest or [place.found])[-1].end_pos
    text = place.source.text
    name = text[place.found.start_pos : end]
    end += text[end:].lstrip().startswith(";") and text.index(";", end) + 1 - end
    return PolynbError(
        f"`{word}` begins no statement: a declaration says what an array is for",
        span=span_of(place.source, word),
        reason="an array that nothing declares is an input if it is only read, else a result",
        hint=f"leave it out; or `input {name};`, with output, inout (read and changed) or temp "
        "(not needed afterwards) instead of input",
        fix=[Edit(Span(place.source, word.start_pos, end), "")],
    )


def _ending(place: Unexpected) -> PolynbError | None:
    """`end` and the like, where a block ends."""
    block, previous = place.open_block(), place.previous
    word, begins = place.found, False
    if previous is not None and str(previous) in _ENDS and len(place.statement()) == 1:
        word, begins = previous, True
    if block is None or str(word) not in _ENDS:
        return None
    closing = CLOSED_BY[block.type]
    ended = begins or "SEMICOLON" not in place.accepts
    return PolynbError(
        f"the `{block}` in line {line_of(place.source, block)} ends with `{closing}`",
        span=span_of(place.source, word),
        hint=f"`{closing}` for `{word}`" + ("" if ended else ", and `;` before it"),
        fix=[Edit(span_of(place.source, word), closing if ended else f"; {closing}")],
    )


def _in_line(place: Unexpected) -> bool:
    previous = place.previous
    return previous is not None and line_of(place.source, previous) == line_of(
        place.source, place.found
    )


def _condition_behind(place: Unexpected) -> PolynbError:
    """`B[i] = A[i] if i > 3;`"""
    rest, statement = place.rest_of_statement(), place.statement()
    start, end = statement[0].start_pos, (rest or [place.found])[-1].end_pos
    text = place.source.text
    assignment = text[start : place.before[-1].end_pos]
    condition = text[rest[0].start_pos : end] if rest else "..."
    closed = text[end:].lstrip().startswith(";")
    end = text.index(";", end) + 1 if closed else end
    whole = f"if {condition} then {assignment}; fi"
    return PolynbError(
        "a condition stands before what it is about",
        span=place.here(),
        hint=f"`{whole}`",
        fix=[Edit(Span(place.source, start, end), whole)] if rest else (),
    )
