"""What is wrong with a text that is no program of the SCoP language, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.source.mistakes import Words, mistake, table
from polynb.source.names import RESERVED
from polynb.source.scoplang.unexpected import CLOSED_BY, Unexpected
from polynb.source.types import TYPES
from polynb.source.typos import statement_meant

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput

_OPERATORS = {"OPERATOR", "SIGN", "BANG", "AND", "OR", "NOT"}
_BLOCKS = {"FOR", "IF", "DONE", "FI", "ELSE", "DO", "TO", "BY", "THEN", "LET"}
_DECLARES = {"PARAM", "ASSUME", "DEFINE", "ROLE", "TYPE"}
_ARRAYS = ("array", "arr", "matrix", "vector", "var", "scalar", "tensor", "buffer", "decl", "dim")
_C_TYPES = {
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "unsigned": "uint32",
    "size_t": "uint64",
    "real": "double",
}
_ENDS = ("end", "endfor", "enddo", "endif", "od", "next")
_COMPLETED = {
    **{"`;`": ";", "`to`": " to ", "`do`": " do", "`)`": ")", "`]`": "]"},
    "`then` or a statement": " then",
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
    after = [t for t in tokens if t.start_pos > at]
    return _told(Unexpected(source, before, error.token, after, frozenset(parser.accepts())))


def _told(place: Unexpected) -> PolynbError:
    """The error of the first row of the table that fits."""
    name, row, words = next(
        (name, row, words)
        for name, row in table("unexpected").items()
        if place.fits(row.get("when", {}))
        and (words := _FINDERS.get(name, _nothing_more)(place)) is not None
    )
    at = words.pop("at", None) or place.place(row.get("at", "found"))
    if "insert" in row:
        words["fix"] = place.inserted(row["insert"])
    return mistake(f"unexpected.{name}", at, **{**place.said(), **words})


def _strange_character(source: Source, offset: int) -> PolynbError:
    character = source.text[offset]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    span = Span(source, offset, offset + 1)
    if source.text.startswith("..", offset - 1):  # `0..N`, of which `0.` is a number
        return mistake("scop.dots", Span(source, offset - 1, offset + 1))
    rows = table("scop").items()
    row = next((k for k, x in rows if character in x.get("characters", "")), "strange")
    return mistake(f"scop.{row}", span, shown=shown)


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


# -- rows that are looked at more closely: their words, or None where they do not fit --------------


def _nothing_more(place: Unexpected) -> Words:
    return {}


def _parameter_typed(place: Unexpected) -> Words | None:
    """`param int N;`"""
    is_type = place.found.type == "TYPE"
    typed, name = (place.found, place.after) if is_type else (place.previous, place.found)
    if typed is None or name is None or name.type != "NAME" or typed not in (*_C_TYPES, *TYPES):
        return None
    return {"at": Span(place.source, typed.start_pos, name.start_pos)}


def _no_type(place: Unexpected) -> Words | None:
    *words, name = place.before
    before, meant = words[-1].type if words else "SEMICOLON", _C_TYPES.get(name)
    if before != "ROLE" and (before != "SEMICOLON" or meant is None):
        return None
    if meant is None:
        return {"way": f"one of: {', '.join(TYPES)}"}
    return {"way": f"write {meant}", "fix": [Edit(place.span(name), meant)]}


def _reserved(place: Unexpected) -> Words | None:
    """A reserved word where a name is meant."""
    word, previous, follows = place.found, place.previous, place.after
    if follows is not None and follows.type == "LPAR" and word.type in _DECLARES:
        pass
    elif word.type in ("EQUAL", "LSQB", "COLON") and previous is not None:
        word = previous
        if word.type in ("FOR", "LET", "DEFINE", "PARAM") or word.type in _OPERATORS:
            return None
    elif previous is not None and previous.type == "BUILTIN":
        word = previous
    elif "NAME" not in place.accepts:
        return None
    elif len(place.accepts) > 1 and word.type in _BLOCKS | _OPERATORS | _DECLARES:
        named = follows is not None and follows.type in ("EQUAL", "LSQB")
        listed = previous is not None and previous.type in _DECLARES | {"COMMA"}
        named |= listed and follows is not None and follows.type in ("COMMA", "SEMICOLON")
        named |= place.in_line and _is_operand(word, follows)
        if not named and ("FOR" in place.accepts or word.type in _BLOCKS | _OPERATORS):
            return None
    if str(word) not in RESERVED:
        return None
    use = f"; as a function, `{word}(a, b)`" if word.type == "BUILTIN" else ""
    return {"at": place.span(word), "word": word, "use": use}


def _is_operand(word: Token, follows: Token | None) -> bool:
    """Whether what follows a word goes on with a value: `by*v`. (A step may have a sign.)"""
    ends = ("RPAR", "RSQB", "SEMICOLON", "OPERATOR") + ("SIGN",) * (word.type != "BY")
    return follows is not None and follows.type in ends


def _in_condition(place: Unexpected) -> Words | None:
    ends = "SEMICOLON" in place.accepts and place.statement != "assume"
    return None if ends else {}


def _shorthand(place: Unexpected) -> Words | None:
    """`x += 1` and `x++`."""
    operator, follows = place.found, place.after
    if follows is None or follows.start_pos != operator.end_pos:
        return None
    if follows.type != "EQUAL" and str(follows) != str(operator):
        return None
    target = place.text(place.words()[0], place.before[-1])
    value, last, rest = "1", follows, place.rest()[1:]
    if follows.type == "EQUAL":
        value = place.text(rest[0], rest[-1]) if rest else "..."
        value = f"({value})" if len(rest) > 1 and operator != "+" else value
        last = rest[-1] if rest else None
    fix = place.instead(f"= {target} {operator} {value}", last) if last is not None else []
    return {"at": place.span(operator, follows), "target": target, "value": value, "fix": fix}


def _no_opening(place: Unexpected) -> Words | None:
    if place.block is not None:
        return None
    if place.found.type in ("FI", "ELSE"):
        return {"opening": "if", "closing": "fi"}
    return {"opening": "for", "closing": "done"}


def _bound_of_to(place: Unexpected) -> Words | None:
    """`to < N`"""
    if place.after is None:
        return None
    bound = f"{place.after}-1" if place.found == "<" else str(place.after)
    return {"bound": bound, "fix": place.instead(bound, place.after)}


def _increment(place: Unexpected) -> Words | None:
    """`A[i]++` where a value stands."""
    first, second = ([None, *place.before])[-2:]
    if first is None or str(first) != str(second) or place.found.type == "NAME":
        return None
    return {"at": place.span(first, second)}


def _parameter_value(place: Unexpected) -> Words:
    """`param N = 100;`"""
    rest = place.rest()
    fix = place.instead("", rest[-1] if rest else None)
    return {"value": rest[0] if rest else 100, "fix": fix}


def _downwards(place: Unexpected) -> Words:
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
    return {"at": place.span(place.found, last), "step": step.lstrip("-"), "fix": fix}


def _declaration(place: Unexpected) -> Words | None:
    """`array A[N];`, of which the language has several."""
    word = place.alone
    if word is None or word.lower() not in _ARRAYS:
        return None
    last = (place.rest() or [place.found])[-1]
    fix = [Edit(Span(place.source, word.start_pos, _ended(place, last)), "")]
    return {"word": word, "name": place.text(place.found, last), "fix": fix}


def _ended(place: Unexpected, last: Token) -> int:
    """Where a statement ends: behind its last word, and behind the `;` that follows."""
    end, text = last.end_pos, place.source.text
    return text.index(";", end) + 1 if text[end:].lstrip().startswith(";") else end


def _ending(place: Unexpected) -> Words | None:
    """`end` and the like, where a block ends."""
    block, word, begins = place.block, place.found, False
    if place.alone is not None and str(place.alone) in _ENDS:
        word, begins = place.alone, True
    if block is None or str(word) not in _ENDS:
        return None
    closing = CLOSED_BY[block.type]
    ended = begins or "SEMICOLON" not in place.accepts
    also = "" if ended else ", and `;` before it"
    fix = [Edit(place.span(word), closing if ended else f"; {closing}")]
    return {"at": place.span(word), "word": word, "closing": closing, "also": also, "fix": fix}


def _condition_behind(place: Unexpected) -> Words | None:
    """`B[i] = A[i] if i > 3;`"""
    rest, first = place.rest(), place.words()[0]
    condition = place.text(rest[0], rest[-1]) if rest else "..."
    whole = f"if {condition} then {place.text(first, place.before[-1])}; fi"
    if not rest:
        return {"whole": whole}
    place_of_all = Span(place.source, first.start_pos, _ended(place, rest[-1]))
    return {"whole": whole, "fix": [Edit(place_of_all, whole)]}


def _call_alone(place: Unexpected) -> Words | None:
    """`swap(a, b);`"""
    return None if any(t.type == "EQUAL" for t in place.rest()) else {}


def _call_assigned(place: Unexpected) -> Words:
    """`B(i) = 1;`"""
    closing = next((t for t in place.following if t.type == "RPAR"), None)
    inside = "i"
    if closing is not None:
        inside = place.source.text[place.found.end_pos : closing.start_pos]
    subscripts = f"[{inside.replace(',', '][').replace(' ', '')}]"
    fix = place.instead(subscripts, closing) if closing is not None else []
    return {"cell": f"{place.previous}{subscripts}", "fix": fix}


def _arrow(place: Unexpected) -> Words | None:
    """`A[i] := 1;` and `A[i] <- 1;`"""
    if f"{place.found}{place.after}" not in (":=", "<-"):
        return None
    return {"fix": place.instead("=", place.after)}


def _statement_mistyped(place: Unexpected) -> Words | None:
    meant = statement_meant(str(place.alone)) if place.alone is not None else None
    return None if meant is None else {"meant": meant}


def _operator_missing(place: Unexpected) -> Words:
    ends = place.after is not None and place.after.type in ("EQUAL", "LSQB", "COLON")
    return {"fix": _completed(place) if ends or place.wanted != "`;`" else []}


def _missing(place: Unexpected) -> Words:
    return {"way": _way_out(place), "fix": _completed(place)}


def _completed(place: Unexpected) -> list[Edit]:
    """The text with what is missing; for some things more has to be said."""
    wanted, text = place.wanted, _COMPLETED.get(place.wanted)
    if text is None or _comment_follows(place):
        return []
    if place.found.type == ("COMMA" if wanted == "`;`" else "SEMICOLON"):
        instead = wanted in ("`;`", "`do`", "`then` or a statement")
        return place.instead(text) if instead else place.inserted(text)
    if place.found.type == "COLON":  # as in Python
        return place.instead(text)
    return place.inserted(text)


def _way_out(place: Unexpected) -> str:
    if _comment_follows(place):
        return "`//` begins a comment; in bounds and subscripts, `/` is floor division"
    match place.wanted:
        case "`;`":
            return "every assignment and declaration ends with `;`"
        case "`to`" | "`do`":
            return "loops are `for i = 0 to N do ... done`"
        case "`then` or a statement":
            return "a condition is `if i == 0 then ... fi`"
        case "`=`":
            return "an assignment is `A[i] = ...;`, a loop `for i = 0 to N do ... done`"
    return f"write {place.wanted} here"


def _comment_follows(place: Unexpected) -> bool:
    return place.source.text.startswith("//", place.place("behind").start)


_FINDERS: Final[Mapping[str, Callable[[Unexpected], Words | None]]] = {
    "parameter-typed": _parameter_typed,
    "no-type": _no_type,
    "reserved": _reserved,
    "equal-in-condition": _in_condition,
    "shorthand": _shorthand,
    "no-opening": _no_opening,
    "bound-of-to": _bound_of_to,
    "increment": _increment,
    "parameter-value": _parameter_value,
    "downwards": _downwards,
    "declaration": _declaration,
    "ending": _ending,
    "condition-behind": _condition_behind,
    "call-alone": _call_alone,
    "call-assigned": _call_assigned,
    "arrow": _arrow,
    "statement-mistyped": _statement_mistyped,
    "operator-missing": _operator_missing,
    "missing-before": _missing,
    "missing": _missing,
}
