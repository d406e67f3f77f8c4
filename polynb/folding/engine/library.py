"""The engine's C text, and the library that it is compiled into at its first use.

It is our own code, bounded in what it does, so it is loaded into this process; programs of a
person's own are run elsewhere.
"""

from __future__ import annotations

import ctypes
import functools
import re
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.run import compilers
from polynb.run.cache import Build, shared_object

HERE: Final = Path(__file__).parent
INCLUDE: Final = re.compile(r'^#include "(\w+\.h)"\n', re.MULTILINE)
NUMBERS: Final = ctypes.POINTER(ctypes.c_int64)


@functools.cache
def text() -> str:
    """The engine as one C text without includes of its own: what the runtimes of traced programs
    are compiled together with."""
    seen: set[str] = set()

    def included(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return ""
        seen.add(name)
        return INCLUDE.sub(included, (HERE / name).read_text())

    return INCLUDE.sub(included, (HERE / "fold.c").read_text())


@functools.cache
def library() -> ctypes.CDLL:
    """The loaded library. Raises PolynbError where there is no compiler."""
    compiler = compilers.find()
    loaded = ctypes.CDLL(str(shared_object(Build(compiler, compiler.flags(), text()))))
    number, handle, code = ctypes.c_int64, ctypes.c_void_p, ctypes.c_int
    signatures = {
        "fold_new": (handle, [code, code, code, ctypes.c_long, code]),
        "fold_add": (code, [handle, NUMBERS, NUMBERS]),
        "fold_add_many": (code, [handle, number, NUMBERS, NUMBERS, NUMBERS]),
        "fold_row": (code, [handle, NUMBERS, number, NUMBERS]),
        "fold_finish": (code, [handle]),
        "fold_pieces": (number, [handle, NUMBERS, number]),
        "fold_stats": (None, [handle, NUMBERS]),
        "fold_free": (None, [handle]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


def available() -> bool:
    """Whether the engine can be had here."""
    try:
        library()
    except (PolynbError, OSError):
        return False
    return True
