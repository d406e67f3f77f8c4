"""The error for a bound or an assumption that is not affine."""

from __future__ import annotations

from collections.abc import Sequence

from polynb.errors import Edit, PolynbError, Span
from polynb.scop.affine import NotAffine
from polynb.source import tree as syntax
from polynb.source.typos import meant_by_unknown

AFFINE = (
    "sums of iterators and parameters, times constants; floord, mod, min and max by constants; "
    "a new `param` for a product of parameters"
)


def not_affine(
    error: NotAffine, what: str, whole: syntax.Expr, parameters: Sequence[str] = ()
) -> PolynbError:
    """`what` the expression `whole` is. A scalar in it is perhaps a size that nothing declares, or
    one of the parameters, mistyped."""
    span: Span | None = error.span or whole.span
    text = span.text if span is not None else "this"
    reason, hint, fix = error.why, AFFINE, list[Edit]()
    if isinstance(error.node, syntax.Access) and not error.node.subscripts:
        name = error.node.array
        reason = f"{name} is not a parameter, so it is taken for data"
        hint = f"if {name} is a size, declare it first: `param {name};`"
        other = meant_by_unknown(name, parameters)
        if other is not None:
            hint = f"did you mean {other}? If not, and {hint.removeprefix('if ')}"
        fix = _fixed(name, error.node.span, other)
    return PolynbError(
        f"{what} is not affine: {text}", span=span, reason=reason, hint=hint, fix=fix
    )


def _fixed(name: str, span: Span | None, other: str | None) -> list[Edit]:
    """The text with the parameter that is meant, or with one more."""
    if span is None:
        return []
    if other is not None:
        return [Edit(span, other)]
    text = span.source.text
    start = len(text) - len(text.lstrip())
    return [Edit(Span(span.source, start, start), f"param {name}; ")]
