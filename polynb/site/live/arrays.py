"""Arrays where there is no numpy: what polynb's analysis uses of it.

On live pages this file is the module `numpy`. Elements are Python's integers, truth values, or
floats of a kind (`scalars.py`), kept in one list; of integers, `int64` and `object` are only names.
Whatever else is asked of numpy is an error that says so: kernels are compiled and run where there
is a C compiler.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any

from polynb.errors import Missing
from polynb.site.live.scalars import (
    ElementKind as dtype,
    bits,
    float32 as float32,
    float64 as float64,
    int64 as int64,
    named,
    quotient,
)

nan = math.nan
inf = math.inf

if __name__ == "numpy":
    sys.modules["numpy.typing"] = SimpleNamespace(NDArray=list, ArrayLike=Any)  # type: ignore[assignment]


class _Absent:
    """A name of numpy's that only says, when it is used, that it is not there."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise Missing(
            f"numpy.{self._name} is not on this page",
            reason="kernels are compiled and run where there is a C compiler",
            hint="the same cell in JupyterLab, or on Binder",
        )

    def __getattr__(self, name: str) -> _Absent:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Absent(f"{self._name}.{name}")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Absent(name)


class generic:
    """No number here is one of numpy's."""


class number(generic):
    """Nor one of these."""


class integer(number):
    """Nor one of these."""


class floating(number):
    """Nor one of these."""


class ndarray:
    """A list and a shape."""

    def __init__(self, items: list[Any], shape: tuple[int, ...], dtype: Any = int64) -> None:
        self.items, self.shape, self.kind = items, shape, named(dtype)

    @property
    def dtype(self) -> Any:
        """`object` and `int64` are themselves; of floats, what has a `type`."""
        return dtype(self.kind) if self.kind in (float32, float64) else self.kind

    # -- its own numbers ---------------------------------------------------------------

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if len(self.shape) == 1:
            return iter(self.items)
        return (self[k] for k in range(len(self)))

    def tolist(self) -> list[Any]:
        return list(self.items) if len(self.shape) == 1 else [x.tolist() for x in self]

    def astype(self, dtype: Any) -> ndarray:
        return ndarray(_of(dtype, self.items), self.shape, dtype)

    def copy(self) -> ndarray:
        return ndarray(list(self.items), self.shape, self.kind)

    def view(self, unsigned: str) -> ndarray:
        return ndarray([bits(x) for x in self.items], self.shape, object)

    def max(self) -> Any:
        return max(self.items)

    def min(self) -> Any:
        return min(self.items)

    def argmin(self) -> int:
        return min(range(len(self.items)), key=self.items.__getitem__)

    def any(self, axis: int | None = None) -> Any:
        if axis is None:
            return builtins.any(self.items)
        assert axis == 1
        return ndarray([builtins.any(row) for row in self._rows()], self.shape[:1], bool)

    def nonzero(self) -> tuple[ndarray]:
        assert len(self.shape) == 1
        found = [k for k, x in enumerate(self.items) if x]
        return (ndarray(found, (len(found),)),)

    def _rows(self) -> Iterator[list[Any]]:
        wide = self.shape[1]
        return (self.items[k * wide : (k + 1) * wide] for k in range(self.shape[0]))

    # -- parts -------------------------------------------------------------------------

    def _places(self, key: Any) -> tuple[list[int], int, tuple[int, ...]]:
        """Which elements a subscript means, as places of so many, one beside the other; and the
        shape that they have. Lists are subscripts of one dimension; None makes one of length 1."""
        places, shape, dims = [0], [], iter(self.shape)
        for k in key if isinstance(key, tuple) else (key,):
            if k is None:
                shape.append(1)
                continue
            size = next(dims)
            chosen = _chosen(k, size)
            if isinstance(chosen, int):
                places = [p * size + chosen for p in places]
            else:
                places = [p * size + c for p in places for c in chosen]
                shape.append(len(chosen))
        rest = tuple(dims)
        return places, math.prod(rest), (*shape, *rest)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and len(self.shape) == 1:  # the most usual one
            return self.items[key]
        places, wide, shape = self._places(key)
        if not shape:
            return self.items[places[0]]
        if wide == 1:
            found = list(map(self.items.__getitem__, places))
        else:
            found = [x for p in places for x in self.items[p * wide : (p + 1) * wide]]
        return ndarray(found, shape, self.kind)

    def __setitem__(self, key: Any, value: Any) -> None:
        places, wide, shape = self._places(key)
        given = _spread(array(value) if isinstance(value, list) else value, shape)
        assert len(given) == len(places) * wide
        for k, p in enumerate(places):
            self.items[p * wide : (p + 1) * wide] = given[k * wide : (k + 1) * wide]

    # -- one operation for all elements ----------------------------------------------

    def __abs__(self) -> ndarray:
        return ndarray(list(map(abs, self.items)), self.shape, self.kind)

    def __neg__(self) -> ndarray:
        return ndarray(_of(self.kind, [-x for x in self.items]), self.shape, self.kind)

    def __invert__(self) -> ndarray:
        return ndarray([not x for x in self.items], self.shape, bool)


def _of(kind: Any, items: Iterable[Any]) -> list[Any]:
    """Elements as they are of a kind."""
    made = named(kind)
    return list(map(made, items)) if made in (bool, float32, float64) else list(items)


def _chosen(key: Any, size: int) -> Any:
    """The numbers along one dimension, or the one number."""
    if isinstance(key, slice):
        return range(*key.indices(size))
    if isinstance(key, ndarray):
        key = key.items
    if isinstance(key, list):
        if key and isinstance(key[0], bool):
            return [k for k, chosen in enumerate(key) if chosen]
        return key
    key = operator.index(key)
    return key + size if key < 0 else key


def _spread(x: Any, shape: tuple[int, ...]) -> list[Any]:
    """The elements of an array, as many times as a shape wants that it is spread to."""
    if not isinstance(x, ndarray):
        return [x] * math.prod(shape)
    items = x.items
    if x.shape == shape:
        return items
    own = (1,) * (len(shape) - len(x.shape)) + x.shape
    for k in reversed(range(len(shape))):
        if own[k] != shape[k]:
            inner = math.prod(shape[k + 1 :])
            groups = (items[p : p + inner] for p in range(0, len(items), inner)) if inner else ()
            items = [y for g in groups for y in g * shape[k]]
    return items


def _each(function: Callable[..., Any], *given: Any, dtype: Any = None) -> Any:
    """A function of the elements of arrays and numbers, which are spread to one shape."""
    arrays = [x for x in given if isinstance(x, ndarray)]
    if not arrays:
        return function(*given)
    longest = max(len(a.shape) for a in arrays)
    padded = [(1,) * (longest - len(a.shape)) + a.shape for a in arrays]
    shape = tuple(next((d for d in dims if d != 1), 1) for dims in zip(*padded, strict=True))
    kinds = [a.kind for a in arrays]
    kind = dtype or (object if object in kinds else kinds[0])
    items = (_spread(x, shape) if isinstance(x, ndarray) else itertools.repeat(x) for x in given)
    return ndarray(_of(kind, map(function, *items)), shape, kind)


def _operators() -> None:
    for name in ("add", "sub", "mul", "floordiv", "mod", "truediv"):
        function = getattr(operator, name)
        setattr(ndarray, f"__{name}__", lambda a, b, f=function: _each(f, a, b))
        setattr(ndarray, f"__r{name}__", lambda a, b, f=function: _each(f, b, a))
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "and_", "or_"):
        function = getattr(operator, name)
        name = f"__{name.rstrip('_')}__"
        setattr(ndarray, name, lambda a, b, f=function: _each(f, a, b, dtype=bool))


_operators()


# -- functions -------------------------------------------------------------------------


def array(given: Iterable[Any], dtype: Any = int64) -> ndarray:
    rows = [x.items if isinstance(x, ndarray) else x for x in given]
    if rows and isinstance(rows[0], Sequence):
        return ndarray([y for x in rows for y in x], (len(rows), len(rows[0])), dtype)
    return ndarray(_of(dtype, rows), (len(rows),), dtype)


def asarray(given: Iterable[Any], dtype: Any = None) -> ndarray:
    values = list(given)
    if dtype is None:
        dtype = bool if values and isinstance(values[0], bool) else int64
    return array(values, dtype)


def full(shape: Any, value: Any, dtype: Any = int64) -> ndarray:
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray(_of(dtype, [value]) * math.prod(shape), shape, dtype)


def ones(shape: Any, dtype: Any = int64) -> ndarray:
    return full(shape, 1, dtype)


def zeros(shape: Any, dtype: Any = int64) -> ndarray:
    return full(shape, 0, dtype)


def empty(shape: Any, dtype: Any = int64) -> ndarray:
    return zeros(shape, dtype)


def arange(low: int, high: int, dtype: Any = int64) -> ndarray:
    return ndarray(list(range(low, high)), (max(high - low, 0),), dtype)


def meshgrid(*given: ndarray, indexing: str, sparse: bool) -> list[ndarray]:
    assert sparse
    assert indexing == "ij"
    ones = [1] * len(given)
    return [
        ndarray(x.items, (*ones[:k], len(x), *ones[k + 1 :]), x.kind) for k, x in enumerate(given)
    ]


def concatenate(given: Sequence[ndarray], axis: int = 0) -> ndarray:
    kind = object if object in [x.kind for x in given] else given[0].kind
    if axis:
        rows = [[*itertools.chain(*r)] for r in zip(*(x._rows() for x in given), strict=True)]
        return array(rows, kind)
    items = [y for x in given for y in x.items]
    return ndarray(
        items, (functools.reduce(operator.add, map(len, given)), *given[0].shape[1:]), kind
    )


def maximum(a: Any, b: Any) -> Any:
    return _each(max, a, b)


def minimum(a: Any, b: Any) -> Any:
    return _each(min, a, b)


def where(test: Any, yes: Any, no: Any) -> Any:
    kinds = [x.kind for x in (yes, no) if isinstance(x, ndarray)]
    kind = object if object in kinds else (*kinds, int64)[0]
    return _each(lambda t, a, b: a if t else b, test, yes, no, dtype=kind)


def isnan(x: ndarray) -> ndarray:
    return ndarray(list(map(math.isnan, x.items)), x.shape, bool)


def isfinite(x: ndarray) -> ndarray:
    return ndarray(list(map(math.isfinite, x.items)), x.shape, bool)


def any(given: Sequence[ndarray], axis: int) -> ndarray:
    assert axis == 0
    return functools.reduce(operator.or_, given)


def argmax(x: ndarray) -> int:
    return max(range(len(x)), key=x.items.__getitem__)


def add(a: ndarray, b: ndarray) -> Any:
    return _each(operator.add, a, b)


def subtract(a: ndarray, b: ndarray) -> Any:
    return _each(operator.sub, a, b)


def multiply(a: ndarray, b: ndarray) -> Any:
    return _each(operator.mul, a, b)


def divide(a: ndarray, b: ndarray) -> Any:
    return _each(quotient, a, b)


def errstate(**_: str) -> AbstractContextManager[None]:
    return nullcontext()


def prod(given: Iterable[int], dtype: Any = None) -> int:
    return math.prod(given)


def sum(given: ndarray, dtype: Any = None) -> int:
    return functools.reduce(operator.add, given.items, 0)


def flatnonzero(x: ndarray) -> ndarray:
    return x.nonzero()[0]


class _Gcd:
    def __call__(self, a: Any, b: Any) -> Any:
        return _each(math.gcd, a, b)

    @staticmethod
    def reduce(x: ndarray, axis: int) -> ndarray:
        assert axis == 1
        return ndarray([math.gcd(*row) for row in x._rows()], x.shape[:1], x.kind)


gcd = _Gcd()
