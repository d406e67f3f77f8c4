"""Sets and maps of one's own: islpy's objects, or isl's notation with errors that point into it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from polynb import isl
from polynb.arguments import wrong
from polynb.errors import PolynbError, Source, Span, refuse_halves
from polynb.source import isl_notation
from polynb.words import counted


def union_set(name: str, given: object, example: str = "{ S[i] : 0 <= i < 10 }") -> isl.UnionSet:
    """A set of one's own as a union. Raises PolynbError for what is none, or no isl text."""
    found: isl.UnionSet = _union(name, given, isl.UnionSet, "a set", example)
    return found


def union_map(name: str, given: object, example: str = "{ S[i] -> A[i] }") -> isl.UnionMap:
    """A map of one's own as a union. Raises PolynbError for what is none, or no isl text."""
    found: isl.UnionMap = _union(name, given, isl.UnionMap, "a map", example)
    return found


def context_set(name: str, given: object) -> isl.Set:
    """Parameter values of one's own, `[N] -> { : N >= 3 }`."""
    example = "[N] -> { : N >= 3 }"
    found = read(name, given, isl.Set) if isinstance(given, str) else given
    found = found.to_set() if isinstance(found, isl.BasicSet) else found
    if not isinstance(found, isl.Set):
        raise wrong(f"the {name}", given, "a set of parameter values", _hint(example))
    if not found.is_params():
        span = span_of(name, given, isl.tuple_name(found, isl.SET))
        what = "must be a set of parameter values, and this has a tuple"
        raise PolynbError(f"the {name} {what}", span=span, hint=_hint(example))
    return found


def _union(name: str, given: object, kind: Any, what: str, example: str) -> Any:
    if isinstance(given, str):
        return read(name, given, kind, example)
    found = isl.as_union(given)
    if not isinstance(found, kind):
        raise wrong(f"the {name}", given, f"{what} {example}", _hint(example))
    return found


def _hint(example: str) -> str:
    return f'isl text such as "{example}", or an object of islpy'


_WITHOUT_PLACE: Final = "isl calls it a syntax error, and does not say where"


def read(name: str, text: str, kind: Any, example: str | None = None) -> Any:
    """A set or map from isl's notation.

    Raises PolynbError, at the place, for what isl does not read as one, or overlooks.
    """
    source = Source(text, name)
    refuse_halves(source)
    whole = Span(source, 0, len(text.rstrip()))
    try:
        with isl.wrapped():
            found = kind(text)
    except isl.IslError as error:
        if isinstance(error, isl.BudgetExhausted):
            raise
        begins = () if example is None or example.startswith("[") else (example,)
        parts = isl_notation.read(source, *begins)
        wanted, others = "set", parts.maps
        if kind in (isl.UnionMap, isl.Map):
            wanted, others = "map", parts.sets
        raise PolynbError(
            f"this is no {wanted}" if others else f"isl cannot read the {name}",
            span=others[0] if others else whole,
            reason=None if others else _WITHOUT_PLACE,
            hint=None if example is None else _hint(example),
        ) from None
    if isl.overlooks(text):
        isl_notation.read(source)
    return found


def lists_of(name: str, given: object) -> tuple[Span, ...]:
    """Where a text compares a list on both of its sides (`i < N, 0 <= j`): `and` was meant."""
    try:
        return isl_notation.read(Source(given, name)).lists if isinstance(given, str) else ()
    except PolynbError:  # isl knows more of its notation
        return ()


def span_of(name: str, given: object, tuple_name: str, dims: int | None = None) -> Span | None:
    """Where a text first has a tuple of that name (and of so many dimensions); None if what was
    given is no text."""
    if not isinstance(given, str):
        return None
    try:
        there = isl_notation.read(Source(given, name)).tuples
    except PolynbError:  # isl knows more of its notation
        return None
    fitting = (t.span for t in there if t.name == tuple_name and dims in (None, t.dims))
    return next(fitting, None)


def check_tuples(
    name: str,
    given: object,
    union: isl.UnionMap,
    known: Mapping[str, int],
    *,
    side: isl.dim_type = isl.IN,
    what: str = "statement",
) -> None:
    """Raises PolynbError, at the place in a text, unless the tuples on one side of a map are those
    of statements (or arrays), `known` by their numbers of dimensions."""
    several = name.endswith("s")
    have, about = ("have", "name") if several else ("has", "names")
    for m in isl.maps(union):
        found, dims = isl.tuple_name(m, side), m.dim(side)
        if found in known and known[found] == dims:
            continue
        span = span_of(name, given, found, dims)
        if found in known:
            raise PolynbError(
                f"the {name} {have} {counted(dims, 'dimension')} for {found}, "
                f"which has {known[found]}",
                span=span,
                hint=f"{found}[{', '.join(f'i{k}' for k in range(known[found]))}]",
            )
        said = f"an unknown {what} {found}" if found else f"a tuple without a name of its {what}"
        raise PolynbError(
            f"the {name} {about} {said}", span=span, hint=f"the {what}s are {', '.join(known)}"
        )
