"""Arrays that a worker process can map: NumPy arrays on anonymous shared memory.

The memory is a `memfd`, or an unlinked temporary file where there is none. It is never in
/dev/shm, which has 64 MB in most containers and kills whoever writes more.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Sequence

import numpy as np

from polynb import isl
from polynb.errors import PolynbError


class Segment(mmap.mmap):
    """Zeroed memory with a file descriptor to hand to a worker; freed with its last reference."""

    descriptor: int

    def __new__(cls, size: int) -> Segment:
        """At least `size` bytes. Raises PolynbError if there is not so much memory."""
        size = max(size, 1)  # empty mappings do not exist
        descriptor = -1
        try:
            descriptor = _anonymous_file(size)
            self = super().__new__(cls, descriptor, size)
        except (OSError, ValueError, OverflowError) as error:
            if descriptor >= 0:
                os.close(descriptor)
            raise PolynbError(
                f"no memory for an array of {readable(size)}",
                reason=str(error),
                hint="smaller parameter values",
            ) from None
        self.descriptor = descriptor
        weakref.finalize(self, _close, descriptor)
        return self


def _close(descriptor: int) -> None:
    with isl.postponed():  # it may be the collector of garbage that calls
        os.close(descriptor)


def empty(shape: Sequence[int], dtype: str) -> np.ndarray:
    """A zeroed array in shared memory; a kernel that only reads it maps it without a copy."""
    size = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
    return np.ndarray(tuple(shape), dtype, buffer=Segment(size))


def segment_of(array: np.ndarray) -> Segment | None:
    """The segment an array fills from its start, None if it lives anywhere else."""
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if not isinstance(base, Segment) or not array.flags.c_contiguous:
        return None
    start = np.frombuffer(base, np.uint8, count=1).ctypes.data
    return base if array.ctypes.data == start else None


def readable(size: float) -> str:
    """A number of bytes as a person says it: "164 MB" (units of 1000)."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 999.5 or unit == "TB":
            break
        size /= 1000
    return f"{size:.3g} {unit}" if size < 999.5 else f"{size:.0f} {unit}"


def _anonymous_file(size: int) -> int:
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("polynb", os.MFD_CLOEXEC)
    else:
        descriptor, path = tempfile.mkstemp(prefix="polynb-")
        os.unlink(path)
    try:
        os.ftruncate(descriptor, size)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
