"""Something is done in a copy of this process, which has all tests imported."""

import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any


def in_child(work: Callable[[Callable[[Any], None]], None], seconds: float) -> list[Any] | None:
    """What `work` tells in a process of its own, or None if that takes too long. What it tells is
    JSON; a process that ends early has told less."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            os.close(reading)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for standard in (0, 1, 2):
                os.dup2(nowhere, standard)
            work(lambda x: _tell(writing, x))
        finally:
            os._exit(0)
    os.close(writing)
    try:
        said = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        _end(pid)
    return None if said is None else [json.loads(line) for line in said.splitlines()]


def _tell(writing: int, x: Any) -> None:
    text = (json.dumps(x) + "\n").encode()
    while text:
        text = text[os.write(writing, text) :]


def _read(reading: int, until: float) -> str | None:
    """All that comes to the end; the processes that a test starts do not have the pipe."""
    parts: list[bytes] = []
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return None
        part = os.read(reading, 1 << 16)
        if not part:
            return b"".join(parts).decode()
        parts.append(part)


def _end(pid: int) -> None:
    """The process, and what it started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
