"""What a kernel takes and gives, and the checks of a call before anything runs."""

from __future__ import annotations

import difflib
import itertools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.extents import extents_at
from polynb.scop.model import Array

INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, eq=False)
class Call:
    """A checked call: parameter values, the shape of every array argument, what is in the given
    ones at the start, and the buffers that results go to."""

    parameters: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    given: Mapping[str, NDArray[Any]]
    out: Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Signature:
    """The parameters and arrays of a kernel, in the order of its C function; `temporaries` are
    the arrays it makes itself. `context` and `requires` are those of the Scop."""

    name: str
    parameters: tuple[str, ...]
    arrays: tuple[Array, ...]
    temporaries: tuple[Array, ...]
    context: isl.Set
    requires: isl.Set

    def needs(self, array: Array) -> bool:
        """Whether a call must give the array's content (a temporary is only an argument because
        it is read before it is written)."""
        return array.live_in or array.role != "output"

    def call(
        self,
        arrays: Mapping[str, Any] | None,
        values: Mapping[str, Any],
        out: Mapping[str, Any] | None = None,
    ) -> Call:
        """Check a call. Raises PolynbError for everything that is missing, unknown or wrong."""
        named = self.merged(arrays, values)
        parameters = self.checked_parameters(named)
        buffers = _buffers(out, self)
        shapes: dict[str, tuple[int, ...]] = {}
        given: dict[str, NDArray[Any]] = {}
        self._refuse_missing(named, parameters)
        for array in self.arrays:
            expected = extents_at(array, parameters)
            if array.name in named:
                given[array.name] = _content(array, named[array.name], expected, parameters)
                expected = given[array.name].shape
            if array.name in buffers:
                _check_buffer(array, buffers[array.name], expected, parameters)
                expected = buffers[array.name].shape
            shapes[array.name] = self._known_shape(array, expected)
        _refuse_overlap(buffers)
        return Call(parameters, shapes, given, buffers)

    def memory(self, call: Call) -> int:
        """The bytes of all arrays of a call: arguments and temporaries."""
        shapes = list(call.shapes.values())
        shapes += [tuple(e or 0 for e in extents_at(t, call.parameters)) for t in self.temporaries]
        sizes = [a.type.size for a in (*self.arrays, *self.temporaries)]
        return sum(int(np.prod(s, dtype=object)) * z for s, z in zip(shapes, sizes, strict=True))

    def merged(self, arrays: Mapping[str, Any] | None, values: Mapping[str, Any]) -> dict[str, Any]:
        """The names and values of a call, all known and none given twice."""
        if arrays is not None and not isinstance(arrays, Mapping):
            raise PolynbError(
                f"arrays are given by name, not as {type(arrays).__name__}", hint=self.usage
            )
        twice = sorted(set(arrays or {}) & set(values))
        if twice:
            raise PolynbError(f"{twice[0]} is given twice", hint=self.usage)
        named = {**(arrays or {}), **values}
        for name in named:
            if name not in self.parameters and name not in {a.name for a in self.arrays}:
                raise self._unknown(name)
        return named

    def checked_parameters(self, named: Mapping[str, Any]) -> dict[str, int]:
        """The parameter values among them. Raises PolynbError unless they are allowed integers."""
        missing = [p for p in self.parameters if p not in named]
        if missing:
            raise PolynbError(
                f"{self.name} needs a value for {' and '.join(missing)}", hint=self.usage
            )
        parameters = {p: _integer(p, named[p]) for p in self.parameters}
        _check_condition(self.context, parameters, f"{self.name} assumes")
        _check_condition(self.requires, parameters, f"{self.name} stays inside its arrays only if")
        return parameters

    @property
    def usage(self) -> str:
        """How the kernel is called: `N=..., in=... (gives B)`."""
        wanted = [*self.parameters, *(a.name for a in self.arrays if self.needs(a))]
        gives = ", ".join(a.name for a in self.arrays if a.live_out)
        call = ", ".join(f"{w}=..." for w in wanted)
        return f"kernel({call}), which gives {gives or 'nothing'}"

    def _unknown(self, name: str) -> PolynbError:
        if name in {t.name for t in self.temporaries}:
            return PolynbError(
                f"{name} is a temporary of {self.name}, which makes it itself", hint=self.usage
            )
        known = {n.lower(): n for n in (*self.parameters, *(a.name for a in self.arrays))}
        close = difflib.get_close_matches(name.lower(), known, 1)
        meant = f"{known[close[0]]}? The call is " if close else ""
        return PolynbError(f"{self.name} has no argument {name!r}", hint=meant + self.usage)

    def _refuse_missing(self, named: Mapping[str, Any], parameters: Mapping[str, int]) -> None:
        missing = [a for a in self.arrays if self.needs(a) and a.name not in named]
        if missing:
            raise PolynbError(
                f"{self.name} needs {', '.join(a.name for a in missing)}",
                reason="; ".join(
                    f"{a.name}: {a.type.dtype}, {_shape(extents_at(a, parameters))}"
                    for a in missing
                ),
                hint=self.usage,
            )

    def _known_shape(self, array: Array, shape: tuple[int | None, ...]) -> tuple[int, ...]:
        if None in shape:
            raise PolynbError(
                f"the size of {array.name} is not known",
                reason="nothing in the program bounds its subscripts",
                hint=f"declare it, as in `{array.role} {array.name}[N]`, or give an array: "
                f"{array.name}=numpy.zeros(...)",
            )
        return tuple(e for e in shape if e is not None)


# -- parameters ----------------------------------------------------------------------------


def _integer(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        whole = isinstance(value, float) and value.is_integer()
        raise PolynbError(
            f"{name} must be an integer, not {value!r}"
            if np.ndim(value) == 0
            else f"{name} is a parameter, one integer, not an array",
            hint=f"{name}={int(value)}" if whole else f"{name}=100, say",
        ) from None
    if number not in INT64:
        raise PolynbError(f"{name} = {number} does not fit 64 bits", hint="a smaller value")
    return number


def _check_condition(condition: isl.Set, parameters: Mapping[str, int], says: str) -> None:
    """Raises PolynbError, naming what does not hold, if the values are not in the set."""
    if not isl.fix_parameters(condition, parameters).is_empty():
        return
    pieces = isl.basic_sets(condition)
    texts = [_text(condition)]
    if len(pieces) == 1:  # a conjunction: name the parts that fail
        one = type(pieces[0])
        parts = [one.from_constraint(c) for c in pieces[0].get_constraints()]
        broken = [_text(p) for p in parts if isl.fix_parameters(p, parameters).is_empty()]
        texts = broken or texts
    values = ", ".join(f"{k} = {v}" for k, v in parameters.items())
    raise PolynbError(
        f"{says} {' and '.join(texts)}", reason=f"the call has {values}", hint="other values"
    )


def _text(condition: Any) -> str:
    """`N >= 3` for `[N] -> {  : N >= 3 }`."""
    return str(condition).partition("{")[2].rpartition("}")[0].strip().removeprefix(":").strip()


# -- arrays --------------------------------------------------------------------------------


def _content(
    array: Array,
    value: Any,
    expected: tuple[int | None, ...],
    parameters: Mapping[str, int],
) -> NDArray[Any]:
    """A given array, checked. What is not a NumPy array is converted, if no value is lost."""
    dtype = np.dtype(array.type.dtype)
    if isinstance(value, np.ma.MaskedArray):
        raise PolynbError(f"{array.name} is a masked array", hint=f"{array.name}.filled(0)")
    content = value if isinstance(value, np.ndarray) else _converted(array, value, dtype)
    _check_dtype(array, content, dtype)
    _check_shape(array, content, expected, parameters)
    return content


def _converted(array: Array, value: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        found = np.asarray(value)
        if found.dtype.kind in "biuf":
            with np.errstate(all="ignore"):
                content = found.astype(dtype)
            if dtype.kind == "f" or bool(np.all(content == found)):
                return content
        what = f"it holds {found.dtype}"
    except (TypeError, ValueError, OverflowError) as error:
        what = str(error)
    raise PolynbError(
        f"{array.name} cannot be made a {dtype} array without loss",
        reason=what,
        hint=f"numpy.array(..., {str(dtype)!r})",
    )


def _check_dtype(array: Array, content: NDArray[Any], dtype: np.dtype[Any]) -> None:
    if content.dtype == dtype:
        return
    name = array.name
    if content.dtype.newbyteorder("=") == dtype:
        raise PolynbError(
            f"{name} is not in this machine's byte order", hint=f'{name}.astype("{dtype}")'
        )
    raise PolynbError(
        f"{name} must be {dtype}, not {content.dtype}",
        reason=array.why or None,
        hint=f'{name}.astype("{dtype}"), or declare it with another type',
    )


def _check_shape(
    array: Array,
    content: NDArray[Any],
    expected: tuple[int | None, ...],
    parameters: Mapping[str, int],
) -> None:
    shape, name = content.shape, array.name
    fits = all(e is None or e == s for e, s in zip(expected, shape, strict=False))
    if len(shape) == len(expected) and fits:
        return
    values = ", ".join(f"{k} = {v}" for k, v in parameters.items())
    hint = "another array, or other parameter values"
    if len(shape) == len(expected) and all(
        e is None or e <= s for e, s in zip(expected, shape, strict=True)
    ):
        hint = f"{name}[{', '.join(':' if e is None else f':{e}' for e in expected)}]"
    raise PolynbError(
        f"{name} must have {_shape(expected)}, not {_shape(shape)}",
        reason="; ".join(t for t in (f"for {values}" if values else "", array.why) if t) or None,
        hint=hint,
    )


def _shape(shape: Sequence[int | None]) -> str:
    inner = ", ".join("any" if e is None else str(e) for e in shape)
    return f"shape ({inner}{',' if len(shape) == 1 else ''})"


def _buffers(out: Mapping[str, Any] | None, signature: Signature) -> dict[str, NDArray[Any]]:
    if out is None:
        return {}
    if not isinstance(out, Mapping):
        raise PolynbError(
            "out= takes buffers by name", hint="out={'A': buffer}; an array named out: {'out': a}"
        )
    results = [a.name for a in signature.arrays if a.live_out]
    for name, buffer in out.items():
        if name not in results:
            raise PolynbError(
                f"{signature.name} gives no {name!r}, so out= cannot take it",
                hint=f"it gives {', '.join(results) or 'nothing'}",
            )
        if not isinstance(buffer, np.ndarray) or not buffer.flags.writeable:
            raise PolynbError(f"out={{{name!r}: ...}} must be a NumPy array that can be written")
    return dict(out)


def _check_buffer(
    array: Array,
    buffer: NDArray[Any],
    expected: tuple[int | None, ...],
    parameters: Mapping[str, int],
) -> None:
    _check_dtype(array, buffer, np.dtype(array.type.dtype))
    _check_shape(array, buffer, expected, parameters)


def _refuse_overlap(buffers: Mapping[str, NDArray[Any]]) -> None:
    for (a, x), (b, y) in itertools.combinations(buffers.items(), 2):
        if np.may_share_memory(x, y):
            raise PolynbError(
                f"the buffers for {a} and {b} overlap", hint="an array of its own for each"
            )
