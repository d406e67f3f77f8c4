"""What a compiler left: the message that matters, and whether the object can be one."""

from __future__ import annotations

import contextlib
import re
import signal
import stat
import struct
import sys
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError

OWN: Final = "leave out flags= and compiler= of your own; if it fails without, please report it"
FULL: Final = "No space left on device"

# Drivers sum up what the linker or another part has said in full before.
SUMMARY: Final = re.compile(r"^collect2: |\bld returned|linker command failed|compilation termin")
# How drivers say that a part of theirs was ended by a signal, and that there is no OpenMP.
KILLED: Final = re.compile(r"(\w+) signal terminated program")
OPENMP: Final = re.compile(r"openmp|\bomp\b|\bomp\.h|lib\w*omp|-lg?omp|\bg?omp_|kmpc", re.I)
# What matters comes first in this list; what is left is the first line.
TELLING: Final = (
    re.compile(re.escape(FULL)),
    re.compile(r"\berror\b"),
    re.compile(r"undefined reference|cannot find|unrecognized|unknown"),
    re.compile(r"\bld[\w.-]*: "),
)
# Of 64 bits, little-endian: magic, class, order, type, then where the section headers are, which
# linkers write last, the size of one and their number.
ELF: Final = struct.Struct("<4sBB10xH22xQ10xHH2x")
SHARED: Final = 3  # e_type of a shared object


class CompilerError(PolynbError):
    """The compiler refused a text, or made nothing of it that can be loaded."""


class MakesMasks(CompilerError):
    """A compiler may have made masks of vectors where it must not."""


def refusal(compiler: str, code: int, messages: str) -> CompilerError:
    """The error for a compiler (its name) that ended with an exit code other than 0."""
    reason = telling(messages) or f"no message; its exit code was {code}"
    hint = OWN
    if name := killed(code, messages):
        reason = f"it was killed ({name}), as the system does when memory runs out"
        hint = "compile it again; if it happens again, less memory in use"
    if "fatal error" in reason and ".h:" in reason:
        hint = "the C library's headers are missing; on Debian: sudo apt install libc6-dev"
    if FULL in reason:
        hint = "free space in the cache and in TMPDIR, or POLYNB_CACHE=DIRECTORY on another disk"
    return CompilerError(f"{compiler} refused the kernel", reason=reason, hint=hint)


def lacks_openmp(error: CompilerError) -> bool:
    """Whether a compiler refused a text for want of OpenMP."""
    return OPENMP.search(error.reason or "") is not None


def killed(code: int, messages: str) -> str:
    """The signal that ended a compiler, or a part of it; "" if none did."""
    with contextlib.suppress(ValueError):
        return signal.Signals(code - 128).name
    found = KILLED.search(messages)
    return found[1] if found else ""


def telling(messages: str) -> str:
    """The line of a compiler's messages that says what is wrong, "" if there is none."""
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    full = [line for line in lines if not SUMMARY.search(line)] or lines
    for pattern in TELLING:
        for line in full:
            if pattern.search(line):
                return line
    return full[0] if full else ""


def fault_of(path: Path) -> str | None:
    """Why a file is no whole shared object, as far as its head says; None if it may be one."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "its file is none that can be read"  # but a pipe, say, which nobody writes to
        size = status.st_size
        with path.open("rb") as file:
            head = file.read(ELF.size)
    except FileNotFoundError:
        return "it wrote no file"
    except OSError as error:
        return f"its file cannot be read: {error}"
    if not size:
        return "its file is empty"
    if sys.platform != "linux":  # other formats are left to the loader
        return None
    if not head.startswith(b"\x7fELF") or len(head) < ELF.size:
        return "its file is no shared object"
    return _elf_fault(head, size)


def _elf_fault(head: bytes, size: int) -> str | None:
    _, bits, order, kind, sections, entry, count = ELF.unpack(head)
    if (bits, order) != (2, 1):  # another layout is left to the loader
        return None
    if kind != SHARED:
        return "its file is no shared object"
    return "its file is cut off" if sections + entry * count > size else None
