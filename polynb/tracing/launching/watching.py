"""A traced program's process, from its start to its end: limits, what it writes, its children."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from polynb import isl
from polynb.run.output import Beginning

Process = subprocess.Popen[bytes]


def started(command: Sequence[str], **options: Any) -> Process:
    """A process in a session of its own, whose output is to be read. Raises OSError."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True, **options)


def watched(
    process: Process, wait: Callable[[], str], kept: int, patience: float
) -> tuple[str, Beginning, Beginning]:
    """Why we ended a process, which `wait` says ("" if it ended by itself), and the beginnings of
    its output and its errors, `kept` bytes each. All its children end with it; `patience` are the
    seconds for what they wrote last."""
    pipes: list[Beginning] = []
    try:
        pipes += [Beginning(f, kept) for f in (process.stdout, process.stderr)]
        killed = wait()
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in pipes:
            pipe.ended(patience)
    output, errors = pipes
    return killed, output, errors


def until(process: Process, tick: float, look: Callable[[float], str]) -> str:
    """Wait until a process ends, or `look` says why it has to, which is asked every `tick` seconds
    with those that have passed."""
    begun = time.monotonic()
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(tick)
            return ""
        isl.check_time("the traced program")
        if why := look(time.monotonic() - begun):
            return why
