"""Where only integers may stand: subscripts, and the operands of some operators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from polynb.errors import Edit, PolynbError, Span
from polynb.source.mistakes import mistake
from polynb.source.names import ROLES
from polynb.source.tree import Access, Binary, Expr, Unary, walk
from polynb.source.type_inference import Types
from polynb.source.types import ElementType

INTEGER_ONLY = ("%", "&", "|", "^", "<<", ">>", "~", "floord", "mod")
_FUNCTIONS = {"%": "fmod", "^": "pow"}  # what is meant where a value is no integer


def misplaced(root: Expr, types: Types, language: str = "scop") -> Iterator[PolynbError]:
    """The errors for what is no integer in an expression and has to be one."""
    for e in walk(root):
        match e:
            case Access():
                for subscript in e.subscripts:
                    kind = types.of(subscript)
                    if kind.is_float:
                        yield not_an_integer(e, subscript, kind, language)
            case Binary(op=op, left=a, right=b) if op in INTEGER_ONLY:
                if types.of(a).is_float or types.of(b).is_float:
                    yield needs_integers(e)
            case Unary(op="~", operand=x) if types.of(x).is_float:
                yield needs_integers(e)


def not_an_integer(
    access: Access, subscript: Expr, kind: ElementType, language: str = "scop"
) -> PolynbError:
    """The error for a subscript."""
    span = subscript.span or access.span
    fix: Sequence[Edit] = ()
    if isinstance(subscript, Access):
        extents = "[...]" * len(subscript.subscripts)
        declared = f"{'int64' if language == 'scop' else 'int'} {subscript.array}{extents};"
        role = _role(subscript.array, span) if language == "scop" else ""
        declared = f"{role} int64 {subscript.array};" if role else declared
        hint = f"an integer type, as in `{declared}`"
    else:
        text = subscript.span.text if subscript.span is not None else "..."
        hint = f"int64({text})" if language == "scop" else f"(int64_t)({text})"
        fix = _instead(subscript.span, hint)
        hint = f"a conversion: `{hint}`"
    return mistake("scop.subscript-real", span, fix=fix, access=access, kind=kind, hint=hint)


def _role(name: str, span: Span | None) -> str:
    """What a text declares an array as, "" if nothing: one declaration says it all."""
    text = span.source.text if span is not None else ""
    found = re.search(rf"\b({'|'.join(ROLES)})\s+[^;]*\b{name}\b", text)
    return found[1] if found else ""


def needs_integers(e: Binary | Unary) -> PolynbError:
    """The error for an operator."""
    function = _FUNCTIONS.get(e.op)
    hint, fix = "operands of an integer type, such as `int64(x)`", _instead(None, "")
    if function is not None and isinstance(e, Binary):
        parts = [x.span.text if x.span is not None else "..." for x in (e.left, e.right)]
        call = f"{function}({', '.join(parts)})"
        hint = f"`{call}`"
        if e.left.span is not None and e.right.span is not None:
            fix = _instead(e.span, call)
    return mistake(
        "scop.needs-integers",
        e.span,
        fix=fix,
        op=e.op,
        reason="it is exclusive or, bit by bit" if e.op == "^" else None,
        hint=hint,
    )


def _instead(span: Span | None, text: str) -> list[Edit]:
    return [] if span is None else [Edit(span, text)]
