"""What is written in a similar way in other languages."""

from __future__ import annotations

from polynb.errors import Edit, PolynbError, Span
from polynb.source.scoplang.unexpected import CLOSED_BY, Unexpected, line_of, span_of

_ENDS = ("end", "endfor", "enddo", "endif", "od", "next")


def other_habit(place: Unexpected) -> PolynbError | None:
    """The error for a parameter with a value, for a call that is assigned to, and for other signs
    and words that mean `=`; None for all else."""
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
    ending = _ending(place)
    if ending is not None:
        return ending
    if found == "if" and "SEMICOLON" in place.accepts and _in_line(place):
        return _condition_behind(place)
    if "EQUAL" not in place.accepts or previous is None:
        return None
    if found == "(" and previous.type == "NAME":
        closing = next((t for t in place.following if t.type == "RPAR"), None)
        inside = place.source.text[place.found.end_pos : closing.start_pos] if closing else "i"
        cell = f"{previous}[{inside.replace(',', '][').replace(' ', '')}]"
        return PolynbError(
            "nothing can be assigned to a call",
            span=place.here(),
            hint=f"a cell has brackets: `{cell}`",
            fix=place.instead(cell.removeprefix(str(previous)), closing) if closing else (),
        )
    colon = found == ":" and place.after is not None and place.after.type == "EQUAL"
    if colon or (found == "in" and place.word_of_statement() == "for"):
        return PolynbError(
            f"`=` is meant by `{':=' if colon else found}`",
            span=place.here(),
            hint="`for i = 0 to N do ... done`" if found == "in" else "`A[i] = ...;`",
            fix=place.instead("=", place.after if colon else None),
        )
    return None


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
