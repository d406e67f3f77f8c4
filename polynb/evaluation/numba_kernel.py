"""A program compiled by numba, as a kernel that is timed like any other."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping

import numpy as np

from polynb.errors import PolynbError
from polynb.evaluation.interpreted import PythonKernel
from polynb.evaluation.python_text import python_text
from polynb.run import default_threads
from polynb.run.signature import Signature
from polynb.scop.model import Scop
from polynb.scop.sizes import extents_at


def in_numba(
    scop: Scop, signature: Signature, sizes: Mapping[str, int], threads: int | None = None
) -> PythonKernel:
    """The naive program's loops in Python, compiled at the first call. Temporaries are allocated at
    each call, as in C.

    Raises PolynbError without numba.
    """
    if importlib.util.find_spec("numba") is None:
        raise PolynbError("numba is not installed (pip install numba)")
    numba = importlib.import_module("numba")
    used = threads or default_threads()
    names: dict[str, object] = {}
    exec(python_text(scop, used), names)
    compiled = names["kernel"]
    assert callable(compiled)
    temporaries = {
        name: ([e or 0 for e in extents_at(a, sizes)], a.type.dtype)
        for name, a in scop.arrays.items()
        if a.role == "temp"
    }

    def call(**given: object) -> Mapping[str, np.ndarray]:
        numba.set_num_threads(min(used, numba.config.NUMBA_NUM_THREADS))
        own = {name: np.empty(shape, dtype) for name, (shape, dtype) in temporaries.items()}
        everything = {n: _of_cells(v) for n, v in {**given, **own}.items()}
        compiled(*(everything[n] for n in (*scop.parameters, *scop.arrays)))
        return {}

    return PythonKernel(call, signature, f"numba {numba.__version__}")


def _of_cells(value: object) -> object:
    """A scalar that may be written as an array of one cell; anything else as it is."""
    return value.reshape(1) if isinstance(value, np.ndarray) and value.ndim == 0 else value
