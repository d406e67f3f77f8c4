"""What a kernel takes and gives, and the checks of a call before anything runs."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.arguments import (
    check_shape,
    check_type,
    content,
    holds,
    integer,
    shape_text,
    violated,
)
from polynb.run.conversion import wrong_type
from polynb.run.inference import sizes_from
from polynb.run.places import ScopPlaces
from polynb.scop.model import Array
from polynb.scop.narrow import in_types
from polynb.scop.sizes import extents_at
from polynb.source.types import ElementType


@dataclass(frozen=True, eq=False)
class KernelCall:
    """A checked call: parameter values, the shape of every array argument, what is in the given
    ones at the start, the buffers that results go to, and `notes` on what was converted."""

    parameters: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    given: dict[str, np.ndarray]
    out: Mapping[str, np.ndarray]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Signature:
    """The parameters and arrays of a kernel, in the order of its C function; `temporaries` are
    the arrays it makes itself, of some of which each of its `threads` has its `own`. `context` and
    `requires` are those of the Scop, `places` says where errors point, and `types` what C declares
    parameters to be."""

    name: str
    parameters: tuple[str, ...]
    arrays: tuple[Array, ...]
    temporaries: tuple[Array, ...]
    context: isl.Set
    requires: isl.Set
    places: ScopPlaces = field(default_factory=ScopPlaces)
    types: Mapping[str, ElementType] = field(default_factory=dict)
    own: Collection[str] = ()
    threads: int = 1

    def needs(self, array: Array) -> bool:
        """Whether a call must give the array's content (a temporary is only an argument because
        it is read before it is written)."""
        return array.live_in or array.role != "output"

    @isl.bounded("the check of the arguments")
    def call(
        self,
        arrays: Mapping[str, object] | None,
        values: Mapping[str, object],
        out: Mapping[str, object] | None = None,
    ) -> KernelCall:
        """Check a call. Raises PolynbError for everything that is missing, unknown or wrong."""
        named = self.merged(arrays, values)
        buffers = _buffers(out, self)
        parameters = self.checked_parameters(named, buffers)
        shapes: dict[str, tuple[int, ...]] = {}
        given: dict[str, np.ndarray] = {}
        notes: list[str] = []
        self._refuse_missing(named, parameters)
        for array in self.arrays:
            expected = extents_at(array, parameters)
            if array.name in named:
                held, note = content(array, named[array.name], expected, parameters)
                given[array.name], expected = held, held.shape
                notes += [note] if note else []
            if array.name in buffers:
                _check_buffer(array, buffers[array.name], expected, parameters)
                expected = buffers[array.name].shape
            shapes[array.name] = self._known_shape(array, expected)
        _refuse_overlap(buffers)
        return KernelCall(parameters, shapes, given, buffers, tuple(notes))

    def memory(self, call: KernelCall) -> int:
        """The bytes of all arrays of a call: arguments and temporaries."""
        return self.memory_at(call.parameters, call.shapes)

    def copies(self, call: KernelCall) -> int:
        """The bytes of the results that a call copies to memory of their own."""
        return sum(
            int(np.prod(call.shapes[a.name], dtype=object)) * a.type.size
            for a in self.arrays
            if a.live_out and a.name not in call.out
        )

    def memory_at(
        self, parameters: Mapping[str, int], shapes: Mapping[str, tuple[int, ...]] | None = None
    ) -> int:
        """The bytes of all arrays at parameter values; `shapes` are those that are known better.
        An array of unknown size counts nothing."""
        known, total = shapes or {}, 0
        for array in (*self.arrays, *self.temporaries):
            shape = known.get(array.name) or tuple(e or 0 for e in extents_at(array, parameters))
            copies = self.threads if array.name in self.own else 1
            total += int(np.prod(shape, dtype=object)) * array.type.size * copies
        return total

    def merged(
        self, arrays: Mapping[str, object] | None, values: Mapping[str, object]
    ) -> dict[str, object]:
        """The names and values of a call, all known and none given twice."""
        if arrays is not None and not isinstance(arrays, Mapping):
            raise PolynbError(
                f"arrays are given by name, not as {type(arrays).__name__}", hint=self.usage
            )
        for name in arrays or {}:
            if not isinstance(name, str):
                raise PolynbError(f"arrays are given by name, not {name!r}", hint=self.usage)
        twice = sorted(set(arrays or {}) & set(values))
        if twice:
            raise PolynbError(f"{twice[0]} is given twice", hint=self.usage)
        named = {**(arrays or {}), **values}
        for name in named:
            if name not in self.parameters and name not in {a.name for a in self.arrays}:
                raise self._unknown(name)
        return named

    @isl.bounded("the check of parameters")
    def checked_parameters(
        self, named: Mapping[str, object], buffers: Mapping[str, np.ndarray] | None = None
    ) -> dict[str, int]:
        """The parameter values among them, or those that follow from the shapes of the arrays.

        Raises PolynbError unless all are there and are allowed integers.
        """
        given = {p: integer(p, named[p]) for p in self.parameters if p in named}
        seen = {**(buffers or {}), **named, **given}
        typed = in_types(self.parameters, self.types)
        sizes = sizes_from(self.arrays, self.parameters, seen, self.context, typed)
        known = {**sizes.values, **given}
        parameters = {p: known[p] for p in self.parameters if p in known}
        missing = [p for p in self.parameters if p not in parameters]
        if missing:
            raise PolynbError(
                f"{self.name} needs a value for {' and '.join(missing)}",
                reason="; ".join(dict.fromkeys(sizes.left_open.values())) or None,
                hint=self.usage,
            )
        for p, kind in self.types.items():
            check_type(p, parameters[p], kind)
        if not holds(self.context, parameters):
            span = self.places.assumption(parameters)
            raise violated(self.context, parameters, f"{self.name} assumes", span)
        if not holds(self.requires, parameters):
            span, cell = self.places.outside(parameters)
            says = f"{self.name} stays inside its arrays only if"
            raise violated(self.requires, parameters, says, span, cell)
        return parameters

    @property
    def usage(self) -> str:
        """How the kernel is called: `N=..., in=... (gives B)`."""
        wanted = [*self.parameters, *(a.name for a in self.arrays if self.needs(a))]
        gives = ", ".join(a.name for a in self.arrays if a.live_out)
        call = ", ".join(f"{w}=..." for w in wanted)
        return f"kernel({call}), which gives {gives or 'nothing'}"

    def _unknown(self, name: str) -> PolynbError:
        for temporary in self.temporaries:
            if temporary.name == name:
                return PolynbError(
                    f"{name} is a temporary of {self.name}, which makes it itself",
                    span=temporary.span,
                    hint=self.usage,
                )
        known = {n.lower(): n for n in (*self.parameters, *(a.name for a in self.arrays))}
        close = difflib.get_close_matches(name.lower(), known, 1)
        meant = f"{known[close[0]]}? The call is " if close else ""
        return PolynbError(f"{self.name} has no argument {name!r}", hint=meant + self.usage)

    def _refuse_missing(self, named: Mapping[str, object], parameters: Mapping[str, int]) -> None:
        missing = [a for a in self.arrays if self.needs(a) and a.name not in named]
        if missing:
            raise PolynbError(
                f"{self.name} needs {', '.join(a.name for a in missing)}",
                span=missing[0].span,
                reason="; ".join(
                    f"{a.name}: {a.type.dtype}, {shape_text(extents_at(a, parameters))}"
                    for a in missing
                ),
                hint=self.usage,
            )

    def _known_shape(self, array: Array, shape: tuple[int | None, ...]) -> tuple[int, ...]:
        if None in shape:
            raise PolynbError(
                f"the size of {array.name} is not known",
                span=array.span,
                reason="nothing in the program bounds its subscripts",
                hint=f"declare it, as in `{array.role} {array.name}[N]`, or give an array: "
                f"{array.name}=numpy.zeros(...)",
            )
        return tuple(e for e in shape if e is not None)


def _buffers(out: Mapping[str, object] | None, signature: Signature) -> dict[str, np.ndarray]:
    if out is None:
        return {}
    if not isinstance(out, Mapping):
        raise PolynbError(
            "out= takes buffers by name", hint="out={'A': buffer}; an array named out: {'out': a}"
        )
    results = [a.name for a in signature.arrays if a.live_out]
    buffers: dict[str, np.ndarray] = {}
    for name, buffer in out.items():
        if name not in results:
            raise PolynbError(
                f"{signature.name} gives no {name!r}, so out= cannot take it",
                hint=f"it gives {', '.join(results) or 'nothing'}",
            )
        if not isinstance(buffer, np.ndarray) or not buffer.flags.writeable:
            raise PolynbError(f"out={{{name!r}: ...}} must be a NumPy array that can be written")
        buffers[name] = buffer
    return buffers


def _check_buffer(
    array: Array,
    buffer: np.ndarray,
    expected: tuple[int | None, ...],
    parameters: Mapping[str, int],
) -> None:
    if buffer.dtype != np.dtype(array.type.dtype):
        raise wrong_type(array, buffer)
    check_shape(array, buffer, expected, parameters)


def _refuse_overlap(buffers: Mapping[str, np.ndarray]) -> None:
    for name, buffer in buffers.items():
        if _folded(buffer):
            raise PolynbError(
                f"the cells of the buffer for {name} overlap", hint="an array that is no such view"
            )
    for (a, x), (b, y) in itertools.combinations(buffers.items(), 2):
        if _share_cells(x, y):
            raise PolynbError(
                f"the buffers for {a} and {b} overlap", hint="an array of its own for each"
            )


def _folded(buffer: np.ndarray) -> bool:
    """Whether two of its indices may be one place: a dimension steps by less than those inside it
    cover."""
    covered = buffer.itemsize
    for step, size in sorted(
        (abs(s), n) for s, n in zip(buffer.strides, buffer.shape, strict=True)
    ):
        if size > 1 and step < covered:
            return True
        covered += step * (size - 1)
    return False


def _share_cells(x: np.ndarray, y: np.ndarray) -> bool:
    """Columns of one array do not; what is too hard to say counts as if."""
    try:
        most: Any = 10_000  # NumPy's stubs know two values only
        return bool(np.shares_memory(x, y, max_work=most))
    except RuntimeError:  # TooHardError
        return True
