"""What C's grammar has no place for, as the tokens that it has a place for; or a refusal that says
what takes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from polynb.errors import PolynbError, Span
from polynb.source.c.read.tokens import Token

WHOLE: Final = "whole programs are taken as they are: `python -m polynb.tracing program.c`"
"""The way out: front end (b), which leaves the reading to the compiler."""

_HARMLESS: Final = """
    access aligned alloc_align alloc_size always_inline artificial assume_aligned cold const
    deprecated error fallthrough flatten format format_arg gnu_inline hot leaf malloc may_alias
    no_instrument_function no_sanitize noclone noinline nonnull nonstring noreturn nothrow
    optimize pure returns_nonnull sentinel target unused used visibility warn_unused_result warning
"""
"""Attributes without which a program computes the same."""

REFUSED: Final = {
    **dict.fromkeys(("asm", "__asm", "__asm__"), "assembler is not read"),
    **dict.fromkeys(("typeof", "__typeof", "__typeof__", "__auto_type"), "this type is gcc's"),
    "_Generic": "choices by type are not read",
    **dict.fromkeys(("jmp_buf", "sigjmp_buf"), "jumps out of functions are not followed"),
}


def adapted(tokens: list[Token]) -> list[Token]:
    """The tokens without attributes that change nothing, and with `va_arg(v, int)` as
    `va_arg(v, (int) 0)`. Raises PolynbError for gcc's own syntax."""
    return list(_adapted(tokens))


def _adapted(tokens: list[Token]) -> Iterator[Token]:
    k = 0
    while k < len(tokens):
        t, text = tokens[k], tokens[k].text
        following = tokens[k + 1].text if k + 1 < len(tokens) else ""
        if text in ("__attribute__", "__attribute") and following == "(":
            end = _closing(tokens, k + 1)
            _check_attributes(tokens[k : end + 1])
            k = end + 1
            continue
        if text == "va_arg" and following == "(":
            end = _closing(tokens, k + 1)
            yield from _next_argument(tokens[k : end + 1])
            k = end + 1
            continue
        if t.kind == "name" and text in REFUSED:
            raise _refused(t.span, REFUSED[text])
        if text == "..." and following not in (")", ""):
            raise _refused(t.span, "ranges (`1 ... 3`) are gcc's")
        if text == "(" and following == "{" and _is_closed(tokens, k):
            raise _refused(t.span, "statements within expressions are gcc's")
        if text == "&&" and tokens[k - 1].text in ("(", "{", ",", "=", "return", "goto"):
            raise _refused(t.span, "labels as values are gcc's")
        if text == "?" and following == ":":
            raise _refused(t.span, "`x ?: y` is gcc's", "`x ? x : y`")
        if text != "__extension__":
            yield Token(t.kind, "_Complex", t.span) if _is_complex(tokens, k) else t
        k += 1


def _is_complex(tokens: list[Token], k: int) -> bool:
    """`complex` is a macro of complex.h's: beside `double` it is that."""
    reals = ("double", "float", "long")
    beside = [tokens[q].text for q in (k - 1, k + 1) if 0 <= q < len(tokens)]
    return tokens[k].text == "complex" and any(t in reals for t in beside)


def _closing(tokens: list[Token], k: int) -> int:
    """The bracket that closes the one at k; the last token where none does."""
    depth = 0
    for q in range(k, len(tokens)):
        depth += (tokens[q].text in "([{") - (tokens[q].text in ")]}")
        if depth == 0:
            return q
    return len(tokens) - 1


def _is_closed(tokens: list[Token], k: int) -> bool:
    """Whether the `(` at k, which a `{` follows, ends with `})`, as a statement does that is an
    expression; otherwise a `)` was forgotten, which is told by who pairs brackets."""
    end = _closing(tokens, k)
    return tokens[end].text == ")" and tokens[end - 1].text == "}"


def _check_attributes(tokens: list[Token]) -> None:
    depth = 0
    for t in tokens[1:]:
        depth += (t.text == "(") - (t.text == ")")
        if depth == 2 and t.kind == "name" and t.text.strip("_") not in _HARMLESS.split():
            raise _refused(t.span, f"the attribute {t.text} changes what a program does")


def _next_argument(tokens: list[Token]) -> Iterator[Token]:
    """`va_arg(v, double)` as a call: the type is that of a cast."""
    depth, comma = 0, 0
    for q, t in enumerate(tokens):
        depth += (t.text in "([{") - (t.text in ")]}")
        if t.text == "," and depth == 1:
            comma = q
    if not comma:
        yield from tokens
        return
    place = tokens[comma + 1].span
    yield from tokens[: comma + 1]
    yield Token("operator", "(", place)
    yield from tokens[comma + 1 : -1]
    yield Token("operator", ")", place)
    yield Token("number", "0", place)
    yield tokens[-1]


def _refused(span: Span, message: str, instead: str | None = None) -> PolynbError:
    return PolynbError(
        message,
        span=span,
        reason="the text is read by a grammar of C, to see what every access is of",
        hint=f"{instead}; or {WHOLE}" if instead else f"C without it; or {WHOLE}",
    )
