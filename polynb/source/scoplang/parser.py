"""The SCoP language: text -> syntax tree (paper CC'18, section 2.1, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from polynb.errors import Source, Span
from polynb.source.mistakes import mistake
from polynb.source.scoplang.comments import without_comments
from polynb.source.scoplang.expressions import Expressions
from polynb.source.scoplang.scope import Restriction, Scope
from polynb.source.scoplang.statements import Programs
from polynb.source.tree import Expr, Program
from polynb.source.typography import check_characters

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


def parse_scop(text: str | Source, name: str = "kernel") -> Program:
    """The syntax tree of a program in the SCoP language; every node has its span.

    Raises PolynbError, with a caret, for what is not a program. Whether bounds are affine and
    subscripts within bounds is for the model to say (polynb.scop.build).
    """
    source = text if isinstance(text, Source) else Source(text)
    without = without_comments(source)
    if not without.code.strip():
        raise mistake("scop.empty", Span(source, 0, 0))
    tree = _parsed(source, without.code, "program")
    return Programs(source, without.labels, tree).program(name)


def parse_assumption(text: str | Source, parameters: Sequence[str]) -> tuple[Expr, ...]:
    """Conditions on the parameters, such as `N >= 2 and M < N`; several with commas between.

    Raises PolynbError, with a caret, also for names that are not parameters.
    """
    source = text if isinstance(text, Source) else Source(text, "assume")
    code = without_comments(source).code
    if not code.strip():
        raise mistake("scop.no-condition", Span(source, 0, 0))
    scope = Scope(parameters=list(parameters), restriction=Restriction("an assumption"))
    expressions = Expressions(source, scope)
    tree = _parsed(source, code, "conditions")
    return tuple(expressions.affine_value(x) for x in tree.children)


@cache
def _lark() -> Lark:
    from importlib.resources import files

    from lark import Lark

    return Lark(
        files("polynb.source.scoplang").joinpath("scop.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",  # keywords are keywords wherever they stand
        start=["program", "conditions"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _parsed(source: Source, code: str, start: str) -> Tree[Token]:
    from lark import UnexpectedInput

    check_characters(source, code)
    try:
        return _lark().parse(code, start=start)
    except UnexpectedInput as error:
        from polynb.source.scoplang.errors import explained

        raise explained(source, code, error, _lark(), start) from None
