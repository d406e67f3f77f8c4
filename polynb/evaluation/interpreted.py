"""Functions of Python beside compiled kernels: called in this process, on the same arrays, and
compared like any other. Their heap is Python's own, whatever is asked of compiled kernels."""

from __future__ import annotations

import inspect
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import EllipsisType
from typing import Any

import numpy as np

from polynb.errors import PolynbError
from polynb.evaluation.references import WRITTEN, reference
from polynb.evaluation.references.kernels import KERNELS
from polynb.run import Kernel
from polynb.run.bound import BoundKernel
from polynb.run.shared import Segment
from polynb.run.signature import KernelCall, Signature

Function = Callable[..., Mapping[str, np.ndarray]]
"""Takes those parameters and arrays that it has parameters for; gives outputs by name, or writes
into those that it takes."""
Inside = EllipsisType | tuple[slice | EllipsisType, ...]


def in_numpy(name: str, signature: Signature) -> PythonKernel:
    """A program of the gallery as it is written in NumPy. Raises PolynbError for one that is not:
    what works in place, from one cell to the next, has no such form."""
    language = f"NumPy {np.__version__}"
    if name in WRITTEN:
        known = reference(name)
        return PythonKernel(known.expected, signature, language, known.frame)
    if name in KERNELS:
        return PythonKernel(KERNELS[name], signature, language)
    raise PolynbError(f"{name} is not written in NumPy here")


class PythonKernel(Kernel):
    """A function of Python with the signature of a kernel; it gives what is `inside` of its
    outputs."""

    def __init__(
        self, function: Function, signature: Signature, language: str, inside: Inside = ...
    ) -> None:
        self.function, self.inside, self._language = function, inside, language
        self.signature = replace(signature, temporaries=())
        self.threads, self.warnings, self.loops, self.program = 1, (), (), None

    @property
    def compiler(self) -> str:
        return self._language

    @property
    def flags(self) -> tuple[str, ...]:
        return ()

    @property
    def heap(self) -> str:
        return "Python's"

    @property
    def fast_math(self) -> bool:
        return True

    @contextmanager
    def bound(self, call: KernelCall) -> Iterator[BoundKernel]:
        yield BoundFunction(self, call)


class BoundFunction(BoundKernel):
    """A function with the arrays of one call."""

    def __init__(self, kernel: PythonKernel, call: KernelCall) -> None:
        self.kernel, self.signature, self.call = kernel, kernel.signature, call
        self.segments = {}
        for array in self.signature.arrays:
            size = int(np.prod(call.shapes[array.name], dtype=object)) * array.type.size
            self.segments[array.name] = Segment(size)
            if array.name in call.given:
                self.view(array)[...] = call.given[array.name]

    def run(self) -> float:
        """Run once on what the arrays hold now; the seconds that the function took."""
        views = {a.name: self.view(a) for a in self.signature.arrays}
        arguments = self._arguments(views)
        start = time.perf_counter()
        found = self.kernel.function(**arguments)
        seconds = time.perf_counter() - start
        for name, value in found.items():
            views[name][self.kernel.inside] = value
        return seconds

    def _arguments(self, views: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """By name; scalars as numbers."""
        known = inspect.signature(self.kernel.function).parameters
        everything = any(p.kind is p.VAR_KEYWORD for p in known.values())
        inputs = {a.name for a in self.signature.arrays if a.role == "input"}
        values = {n: v[()] if n in inputs and not v.ndim else v for n, v in views.items()}
        given = {**self.call.parameters, **values}
        return {n: v for n, v in given.items() if everything or n in known}

    @property
    def peak(self) -> int:
        """The arrays, and the most that one more run has in use beside them."""
        self.reset()
        tracemalloc.start()
        try:
            self.run()
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        return most + self.signature.memory(self.call)
