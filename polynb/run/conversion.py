"""Arrays of other types than a program declares: converted if no value changes, and said so."""

from __future__ import annotations

import numpy as np

from polynb.errors import PolynbError
from polynb.scop.model import Array


def as_array(array: Array, value: object) -> np.ndarray:
    """What is given for an array. Raises PolynbError if it is none, whatever it says to that."""
    try:
        return np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:  # of objects that know how to become arrays: any
        raise no_array(array, str(error)) from None


def no_array(array: Array, why: str) -> PolynbError:
    """The error for a value that no array is made of."""
    return PolynbError(
        f"{array.name} cannot be made a {array.type.dtype} array",
        span=array.span,
        reason=why or None,
        hint="an array of NumPy's, or a list of numbers",
    )


def of_type(array: Array, content: np.ndarray) -> tuple[np.ndarray, str]:
    """The content in the type of the array, and what is to be said of that (nothing if it has the
    type).

    Integers become other integers or floating numbers, floating numbers others, where every value
    is the same number afterwards. Raises PolynbError for all else, a floating number for an
    integer among it: whoever wants it rounded says so.
    """
    dtype = np.dtype(array.type.dtype)
    if content.dtype == dtype:
        return content, ""
    if content.dtype.newbyteorder("=") == dtype:
        raise PolynbError(
            f"{array.name} is not in this machine's byte order",
            span=array.span,
            hint=f'{array.name}.astype("{dtype}")',
        )
    unlike = _first_unlike(content, dtype)
    if unlike is not None:
        raise wrong_type(array, content, unlike)
    note = f"{array.name} holds {content.dtype}, of which every value fits {dtype}: a copy was "
    note += f'converted ({array.name}.astype("{dtype}") does it once)'
    return content.astype(dtype), note


def wrong_type(array: Array, content: np.ndarray, unlike: str = "") -> PolynbError:
    """The error for content of another type; `unlike` is a value that it cannot hold."""
    dtype = array.type.dtype
    reasons = (f"{array.name}{unlike}" if unlike else "", array.why)
    return PolynbError(
        f"{array.name} must be {dtype}, not {content.dtype}",
        span=array.span,
        reason="; ".join(r for r in reasons if r) or None,
        hint=f'{array.name}.astype("{dtype}"), or declare it with another type',
    )


def _first_unlike(content: np.ndarray, dtype: np.dtype) -> str | None:
    """The first value that the type cannot hold, `[3] is 300`; "" if no value of this kind is
    taken for one of the type; None if all are."""
    if content.dtype.kind not in ("biuf" if dtype.kind == "f" else "biu"):
        return ""
    found = np.argwhere(~same_numbers(content, dtype))
    if not len(found):
        return None
    index = tuple(found[0].tolist())
    where = f"[{', '.join(map(str, index))}]" if index else ""
    return f"{where} is {content[index]}, which is no {dtype}"


def same_numbers(content: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Which values of boolean, integer or floating content are the same number in a type; of
    integers in a floating type those with no more digits than it has."""
    if content.dtype.kind == "f":
        with np.errstate(all="ignore"):
            there = content.astype(dtype)
            return np.asarray((there.astype(content.dtype) == content) | np.isnan(content))
    if content.dtype.kind == "b":
        return np.ones(content.shape, bool)
    if dtype.kind == "f":
        most = 2 ** (np.finfo(dtype).nmant + 1)
        least = -most
    else:
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    held = np.iinfo(content.dtype)  # NumPy compares with no number that the type cannot hold
    return np.asarray((content >= max(least, held.min)) & (content <= min(most, held.max)))
