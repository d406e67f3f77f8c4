"""A function called in a copy of this process, with limits: whatever it does ends there."""

from __future__ import annotations

import os
import resource
import select
import signal
import time
from collections.abc import Callable
from typing import Final

MOST: Final = 4_000_000
"""Bytes that are read of what a copy writes."""
BEAT: Final = 0.2
"""Seconds after which is looked whether a process still is there."""


def apart(function: Callable[[], bytes], seconds: float, memory: int | None = None) -> bytes | None:
    """What a function gives in a copy of this process, which is stopped after `seconds` and may
    use `memory` bytes; None if time ran out, nothing (b"") if the copy ended without a result."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # nothing of what happens here comes back but what is written
        os.close(read)
        _write(function, write, memory)
    os.close(write)
    try:
        return received(read, time.monotonic() + seconds)
    except KeyboardInterrupt:
        _end(child)
        raise
    finally:
        os.close(read)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _end(child: int) -> None:
    """Let a copy end what it has started, for two seconds."""
    os.kill(child, signal.SIGINT)
    until = time.monotonic() + 2
    while time.monotonic() < until and not _has_ended(child):
        time.sleep(0.02)


def _has_ended(child: int) -> bool:
    """Whether it has, without being waited for."""
    if not hasattr(os, "waitid"):  # macOS, before Python 3.13
        return False
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _write(function: Callable[[], bytes], write: int, memory: int | None) -> None:
    """In the copy: call the function, write what it gives, and be gone."""
    try:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        with open(write, "wb") as out:
            out.write(function())
    finally:
        os._exit(0)


def received(
    read: int, deadline: float, most: int = MOST, ended: Callable[[], bool] = lambda: False
) -> bytes | None:
    """All that comes through a pipe until its other end is closed, or the process that was to
    write has ended (others may keep the pipe open); None if that takes too long, or is too much."""
    found = b""
    while len(found) <= most:
        over, left = ended(), deadline - time.monotonic()
        ready, _, _ = select.select([read], [], [], 0 if over else max(min(left, BEAT), 0))
        if ready:
            part = os.read(read, 65536)
            if not part:
                return found
            found += part
        elif over:
            return found
        elif left <= 0:
            return None
    return None
