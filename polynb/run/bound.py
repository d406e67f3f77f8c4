"""A worker with the arrays of one call: run it as often as you like, then take the results."""

from __future__ import annotations

import numpy as np

from polynb.errors import PolynbError
from polynb.run.resources import peak_memory
from polynb.run.shared import Segment, segment_of
from polynb.run.signature import KernelCall, Signature
from polynb.run.worker import Worker
from polynb.scop.model import Array


class NoSuchResult(PolynbError, KeyError, AttributeError):
    """A name that is not among the results of a kernel."""


class Results(dict[str, np.ndarray]):
    """The live-out arrays of a call by name: `r["B"]` or `r.B`."""

    def __missing__(self, name: str) -> np.ndarray:
        raise NoSuchResult(
            f"the kernel gives no {name!r}", hint=f"it gives {', '.join(self) or 'nothing'}"
        )

    def __getattr__(self, name: str) -> np.ndarray:
        return self[name]


class BoundKernel:
    """A worker with the arrays of one call in shared memory."""

    def __init__(
        self,
        worker: Worker,
        signature: Signature,
        call: KernelCall,
        threads: int,
        timeout: float | None,
    ) -> None:
        self.worker, self.signature, self.call = worker, signature, call
        self.threads, self.timeout = threads, timeout
        self.segments: dict[str, Segment] = {}

    def place(self) -> None:
        """Put every array into shared memory (what is only read and already there, as it is)."""
        mapped: list[tuple[Segment, bool]] = []
        for array in self.signature.arrays:
            written = array.role != "input"
            given = self.call.given.get(array.name)
            segment = None if given is None or written else segment_of(given)
            if segment is None:
                size = int(np.prod(self.call.shapes[array.name], dtype=object)) * array.type.size
                segment = Segment(size)
            self.segments[array.name] = segment
            mapped.append((segment, written))
            if given is not None and segment_of(given) is not segment:
                self.view(array)[...] = given
        self.worker.map(mapped, self.timeout)

    def view(self, array: Array) -> np.ndarray:
        shape = self.call.shapes[array.name]
        return np.ndarray(shape, array.type.dtype, buffer=self.segments[array.name])

    def run(self) -> float:
        """Run once on what the arrays hold now; the seconds it took."""
        values = [self.call.parameters[p] for p in self.signature.parameters]
        return self.worker.run(values, self.threads, self.timeout)

    @property
    def peak(self) -> int | None:
        """The most bytes that the worker has had in use, its own interpreter's (10 MB) included."""
        return peak_memory(self.worker.pid)

    def reset(self) -> None:
        """Give arrays that the kernel changes their first content again."""
        for array in self.signature.arrays:
            if array.role != "input" and array.name in self.call.given:
                self.view(array)[...] = self.call.given[array.name]

    def results(self) -> Results:
        """The live-out arrays, copied to memory of their own or into the call's buffers."""
        results = Results()
        for array in self.signature.arrays:
            if array.live_out:
                buffer = self.call.out.get(array.name)
                results[array.name] = self.view(array).copy() if buffer is None else buffer
                if buffer is not None:
                    buffer[...] = self.view(array)
        return results
