"""A submission is run in a process of its own, which hands over answers as data."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polynb.arguments import seconds
from polynb.conveniences import Json
from polynb.errors import PolynbError
from polynb.labs.answers import Sizes
from polynb.labs.apart import apart, received
from polynb.labs.folders import VARIABLE, own_folders
from polynb.labs.grading.isolation import SECONDS, isolated, swept
from polynb.labs.grading.submissions import Submission

LATE: Final = b"late"
"""What a copy says of a notebook that took too long."""
FILE: Final = 256 * 2**20
"""Bytes of a file that a submission writes."""


@dataclass(frozen=True)
class GradingLimits:
    """What a submission may use: seconds of one cell, of the whole notebook, bytes of memory."""

    cell: float = 30.0
    notebook: float = 300.0
    memory: int = 4 * 2**30


@dataclass(frozen=True)
class HandedIn:
    """What a submission's process handed over: answers by their variables (JSON, see
    `polynb.labs.answers`), the name that the notebook gives its student, and what went wrong."""

    answers: Mapping[str, Json]
    me: str | None = None
    troubles: tuple[str, ...] = ()


def run(
    submission: Submission,
    names: Mapping[str, Sizes],
    limits: GradingLimits,
    hidden: Iterable[Path] = (),
) -> HandedIn:
    """The answers in these variables after all cells ran. A process that ends before the last of
    them, or takes too long, hands over nothing. `hidden`: folders that it is not to see.

    It is started, watched and ended by a copy of this process: whom a submission kills is the copy.
    """
    request = {
        "cells": submission.cells,
        "seconds": limits.cell,
        "names": {name: [list(at) for at in sizes] for name, sizes in names.items()},
    }
    data = json.dumps(request).encode()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        at = Path(folder)
        text = apart(lambda: _watched(data, at, limits, hidden), limits.notebook + 3 * SECONDS)
    if text is None or text == LATE:
        return HandedIn({}, troubles=(f"the notebook took more than {limits.notebook:g} seconds",))
    try:
        said = json.loads(text)
        troubles = tuple(str(t)[:200] for t in said["troubles"][:20])
        me = said["me"] if isinstance(said["me"], str) else None
        return HandedIn({n: said["answers"].get(n) for n in names}, me, troubles)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return HandedIn({}, troubles=("the process ended before the notebook did: no evidence",))


def _watched(request: bytes, folder: Path, limits: GradingLimits, hidden: Iterable[Path]) -> bytes:
    with swept():
        found = _received(request, folder, limits, hidden)
        return LATE if found is None else found


def _received(
    request: bytes, folder: Path, limits: GradingLimits, hidden: Iterable[Path]
) -> bytes | None:
    read, write = os.pipe()
    deadline = time.monotonic() + limits.notebook
    process = subprocess.Popen(
        isolated([sys.executable, "-m", "polynb.show.headless", str(write)], folder, hidden),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment(folder),
        pass_fds=(write,),
        start_new_session=True,
        preexec_fn=lambda: _limit(limits),
    )
    os.close(write)
    try:
        assert process.stdin is not None
        with process.stdin as out:
            out.write(request)
        return received(read, deadline, ended=lambda: _has_ended(process))
    except BrokenPipeError:
        return b""
    finally:
        os.close(read)
        end_session(process)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process has ended; it stays to be waited for, so that its number is its own."""
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, options) is not None


def end_session(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that stayed in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def environment(folder: Path) -> dict[str, str]:
    """What a submission sees of the teacher's environment: neither the key of hidden tests nor the
    caches and settings of the account."""
    kept = {n: os.environ[n] for n in ("PATH", "LANG", "LC_ALL", "TZ") if n in os.environ}
    home = str(folder)
    return kept | {
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "POLYNB_GRADING": "1",
        "POLYNB_CACHE": str(folder / "cache"),
        VARIABLE: os.pathsep.join(map(str, own_folders())),
        "HOME": home,
        "TMPDIR": home,
        "IPYTHONDIR": home,
        "OPENBLAS_NUM_THREADS": "1",
    }


def _limit(limits: GradingLimits) -> None:
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def refuse_limits(limits: GradingLimits) -> None:
    """Raises PolynbError for limits in which nothing can run."""
    for name, value in (("cell", limits.cell), ("notebook", limits.notebook)):
        seconds(name, value)
    if not 2**29 <= limits.memory < 2**63:
        raise PolynbError(
            "memory must be at least half a GB, and a number of bytes",
            hint="GradingLimits(memory=4 * 2**30), or --memory 4",
        )
