"""What `pn.fold` is called with: arrays of integers, and names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from polynb.arguments import one_of, several_names, shown, text
from polynb.errors import PolynbError
from polynb.folding.model import Kind, Stream

Ints = NDArray[np.int64]

MOST_DIMS: Final = 24
MOST_OUTPUTS: Final = 64


def integers(name: str, value: Any) -> Ints:
    """An array of 64-bit integers. Raises PolynbError for any other."""
    if isinstance(value, Iterator):  # it may have no end, and NumPy would take it for one object
        raise PolynbError(f"{name} is {shown(value)}, not an array", hint=f"{name}=list({name})")
    try:
        found = np.asarray(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise PolynbError(f"{name} is no array: {error}", hint=f"{name}=np.array(...)") from None
    if found.size == 0 and found.dtype.kind == "f":
        found = found.astype(np.int64)  # NumPy's type of an empty list
    if found.dtype.kind not in "iu":
        raise PolynbError(
            f"{name} must hold integers, not {_type_text(value, found)}",
            hint=f"{name}.astype(np.int64), if they are integers",
        )
    if found.dtype.kind == "u" and found.size and int(found.max()) >= 2**63:
        raise PolynbError(f"{name} holds {found.max()}, which does not fit 64 bits with a sign")
    return np.ascontiguousarray(found, np.int64)


def _type_text(value: Any, found: NDArray[Any]) -> str:
    return shown(value) if found.ndim == 0 else str(found.dtype)


def points_of(points: Any) -> Ints:
    """The points as (n, D)."""
    if isinstance(points, list | tuple):
        _same_lengths(points)
    found = integers("points", points)
    if found.ndim != 2:
        raise PolynbError(
            f"points must have the shape (n, D), not {found.shape}",
            hint="points.reshape(-1, 1) for a single loop",
        )
    return found


def _same_lengths(points: Sequence[Any]) -> None:
    """Raises PolynbError for a point that has not as many coordinates as the first one."""
    first = len(points[0]) if points and isinstance(points[0], Collection) else None
    for entry, point in enumerate(points):
        if first is not None and isinstance(point, Collection) and len(point) != first:
            raise PolynbError(
                f"entry {entry}, {shown(tuple(point))}, has {len(point)} coordinates",
                reason=f"entry 0 has {first}",
                hint="one stream for each instruction, in each of its places",
            )


def labels_of(labels: Any, count: int) -> Ints:
    """The labels as (n, L); of none, (n, 0)."""
    if labels is None:
        return np.zeros((count, 0), np.int64)
    found = integers("labels", labels)
    if found.ndim == 1:
        found = found.reshape(-1, 1)
    if found.ndim != 2 or len(found) != count:
        raise PolynbError(
            f"labels must have the shape ({count}, L) or ({count},), not {np.shape(labels)}",
            hint="a row for each point",
        )
    return found


def stream_of(
    dims: int,
    count: int,
    names: str | Sequence[str] | None,
    outputs: str | Sequence[str] | None,
    kind: Kind,
    identifier: str,
) -> Stream:
    if dims > MOST_DIMS:
        raise PolynbError(f"points have {dims} coordinates", hint=f"at most {MOST_DIMS}")
    if count > MOST_OUTPUTS:
        raise PolynbError(f"labels have {count} outputs", hint=f"at most {MOST_OUTPUTS}")
    one_of("kind", kind, ("instruction", "dependence"))
    axes = _names("names", names, dims, "dimension", [f"c{q + 1}" for q in range(dims)])
    usual = [f"{n}'" for n in axes] if kind == "dependence" and count == dims else []
    usual = usual or (["label"] if count == 1 else [f"f{j + 1}" for j in range(count)])
    results = _names("outputs", outputs, count, "output", usual)
    return Stream(text("identifier", identifier), kind, axes, results)


def _names(
    argument: str, value: Any, count: int, what: str, usual: Sequence[str]
) -> tuple[str, ...]:
    if value is None:
        return tuple(usual)
    found = several_names(argument, value, what=what, once=True)
    if len(found) != count:
        raise PolynbError(
            f"{argument} has {len(found)} names, and there are {count} {what}s",
            hint=f'{argument}="{", ".join(usual)}"',
        )
    return found
