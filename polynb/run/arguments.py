"""The checks of single arguments: parameters, and arrays against what the program says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from polynb import arguments, isl
from polynb.errors import PolynbError, Span
from polynb.run.conversion import as_array, of_type, same_numbers
from polynb.scop.model import Array
from polynb.scop.witness import values_text
from polynb.source.types import ElementType

# -- parameters ----------------------------------------------------------------------------


def integer(name: str, value: object) -> int:
    """The value of a parameter. Raises PolynbError unless it is an integer of 64 bits."""
    if isinstance(value, list | tuple | np.ndarray) and np.ndim(value) > 0:
        raise PolynbError(
            f"{name} is a parameter, one integer, not an array", hint=f"{name}=100, say"
        )
    return arguments.integer(name, value)


def check_type(name: str, value: int, kind: ElementType) -> None:
    """Raises PolynbError for a value of a parameter that the type which C declares cannot hold."""
    if not kind.least <= value <= kind.most:
        raise PolynbError(
            f"{name} = {value} is no {kind}",
            reason=f"the program declares {name} with that type, from {kind.least} to {kind.most}",
            hint=f"{name} in this range, or declare it with another type: `long {name}`",
        )


def holds(condition: isl.Set | isl.BasicSet, parameters: Mapping[str, int]) -> bool:
    """Whether parameter values are in a set `[N] -> { : ... }`."""
    return not isl.fix_parameters(condition, parameters).is_empty()


def violated(
    condition: isl.Set,
    parameters: Mapping[str, int],
    says: str,
    span: Span | None,
    cell: str = "",
) -> PolynbError:
    """The error for values that are not in a set; it names the parts that do not hold."""
    texts = [condition_text(condition)]
    pieces = isl.basic_sets(condition)
    if len(pieces) == 1:  # a conjunction
        one = type(pieces[0])
        parts = [one.from_constraint(c) for c in isl.constraints(pieces[0])]
        broken = [condition_text(p) for p in parts if not holds(p, parameters)]
        texts = broken or texts
    values = values_text(parameters)
    return PolynbError(
        f"{says} {' and '.join(texts)}",
        span=span,
        reason=f"the call has {values}" + (f", where {cell} is accessed" if cell else ""),
        hint="other values",
    )


def condition_text(condition: isl.Set | isl.BasicSet | isl.PwAff) -> str:
    """`N >= 3` for `[N] -> {  : N >= 3 }`."""
    return str(condition).partition("{")[2].rpartition("}")[0].strip().removeprefix(":").strip()


# -- arrays --------------------------------------------------------------------------------


def content(
    array: Array,
    value: object,
    expected: tuple[int | None, ...],
    parameters: Mapping[str, int],
) -> tuple[np.ndarray, str]:
    """A given array, checked, and what is to be said of its conversion, if it has another type.
    What has no type, numbers and lists of Python, is converted if no value is lost."""
    if isinstance(value, np.ma.MaskedArray):
        raise PolynbError(
            f"{array.name} is a masked array", span=array.span, hint=f"{array.name}.filled(0)"
        )
    typed = hasattr(value, "dtype") and not isinstance(value, np.generic)
    held, note = of_type(array, as_array(array, value)) if typed else (_converted(array, value), "")
    check_shape(array, held, expected, parameters)
    return held, note


def _converted(array: Array, value: object) -> np.ndarray:
    dtype = np.dtype(array.type.dtype)
    found = as_array(array, value)
    try:
        if found.dtype.kind in "biuf":
            with np.errstate(all="ignore"):
                content = found.astype(dtype)
            kept = _kept(found, content)
            if np.all(kept):
                return content
            what = f"{found[~kept].flat[0]} is not exactly an integer of {dtype}"
            what = f"it holds {found.dtype}: {what}"
        else:
            what = f"it holds {found.dtype}"
    except (TypeError, ValueError, OverflowError) as error:
        what = str(error)
    raise PolynbError(
        f"{array.name} cannot be made a {dtype} array without loss",
        span=array.span,
        reason=what,
        hint=f"numpy.array(..., {str(dtype)!r})",
    )


def _kept(found: np.ndarray, content: np.ndarray) -> np.ndarray:
    """Which numbers of Python a type holds: floating ones to the digits it has."""
    if found.dtype.kind != "f":
        return same_numbers(found, content.dtype)
    if content.dtype.kind == "f":
        return np.asarray(np.isfinite(content) | ~np.isfinite(found))
    exact = 2 ** (np.finfo(found.dtype).nmant + 1)  # from here on, integers became it by rounding
    return np.asarray((content == found) & (np.abs(found) < exact))


def check_shape(
    array: Array,
    content: np.ndarray,
    expected: tuple[int | None, ...],
    parameters: Mapping[str, int],
) -> None:
    """Raises PolynbError unless the content has the expected extents (None: any)."""
    shape, name = content.shape, array.name
    fits = all(e is None or e == s for e, s in zip(expected, shape, strict=False))
    if len(shape) == len(expected) and fits:
        return
    values = values_text(parameters)
    hint = "another array, or other parameter values"
    if len(shape) == len(expected) and all(
        e is None or e <= s for e, s in zip(expected, shape, strict=True)
    ):
        hint = f"{name}[{', '.join(':' if e is None else f':{e}' for e in expected)}]"
    raise PolynbError(
        f"{name} must have {shape_text(expected)}, not {shape_text(shape)}",
        span=array.span,
        reason="; ".join(t for t in (f"for {values}" if values else "", array.why) if t) or None,
        hint=hint,
    )


def shape_text(shape: Sequence[int | None]) -> str:
    """`shape (3,)`, as NumPy writes it."""
    inner = ", ".join("any" if e is None else str(e) for e in shape)
    return f"shape ({inner}{',' if len(shape) == 1 else ''})"
