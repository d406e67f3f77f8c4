"""The brake: makes a call of isl that is under way fail, at a deadline or when a signal arrives.

islpy keeps Python's lock while isl computes: no other thread of Python runs until the call is over,
and no signal handler. So `Context.abort`, which islpy has, cannot be called in time, nor does a
limit of operations know of seconds or of Ctrl-C. isl's own `isl_ctx_abort` may be called by any
thread at any time: isl's next operation fails. What calls it has to be C, and three things of the C
library together are all of it that needs no compiler here:
- a deadline: a timer that runs a function in a thread (`timer_create` with SIGEV_THREAD);
- Ctrl-C: Python's handler, the part of it in C, writes to a pipe (`set_wakeup_fd`), and an
  asynchronous read of that pipe runs the same function (`aio_read`; a thread that reads would not);
- the address of the `isl_ctx` that both hand over, which islpy tells nobody (see `_address`).
All this is Linux with CPython. Elsewhere `found` gives None, and the caller counts operations.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import secrets
import signal
import struct
import sys
import termios
import threading
import time
from typing import Any

from islpy import Context

SETTLED = 0.05
"""Seconds in which a thread of the C library that is to call `isl_ctx_abort` has, as a rule."""
LATE = 0.5
"""The same where the time is known to be over: on a busy machine it may take longer. (No longer
than this: where the timer is set again right at its end, some kernels drop the call.)"""

_THREAD = 2  # SIGEV_THREAD
_MONOTONIC = 1  # CLOCK_MONOTONIC
_WINDOW = 4096  # bytes of an isl context that are looked at


class _Event(ctypes.Structure):
    """`struct sigevent` of Linux."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("function", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("padding", ctypes.c_char * 32),
    )


class _Read(ctypes.Structure):
    """`struct aiocb` of glibc: what a caller fills in, and room for the rest."""

    _fields_ = (
        ("file", ctypes.c_int),
        ("operation", ctypes.c_int),
        ("priority", ctypes.c_int),
        ("buffer", ctypes.c_void_p),
        ("length", ctypes.c_size_t),
        ("event", _Event),
        ("rest", ctypes.c_char * 256),
    )


class Brake:
    """The brake of one isl context. It survives a fork only as a new one, which keeps time but does
    not listen to signals: the C library's reading thread, and whatever lock it held, are the
    parent's."""

    _listener: int | None = None
    """The process that asked for an asynchronous read first."""

    def __init__(self, context: Context, library: str) -> None:
        """Raises OSError, AttributeError or ValueError where there can be none."""
        self.context = context
        abort = ctypes.cast(ctypes.CDLL(library).isl_ctx_abort, ctypes.c_void_p).value
        self._libc: Any = ctypes.CDLL(None, use_errno=True)
        self._event = _Event(_address(context), 0, _THREAD, abort, None, b"")
        self._timer = ctypes.c_void_p()
        self._armed = False
        made = self._libc.timer_create(
            _MONOTONIC, ctypes.byref(self._event), ctypes.byref(self._timer)
        )
        if made != 0:
            raise OSError(ctypes.get_errno(), "timer_create")
        self._arrived, self._written = os.pipe()
        os.set_blocking(self._written, False)
        self._byte = ctypes.create_string_buffer(1)
        buffer = ctypes.addressof(self._byte)
        self._read = _Read(self._arrived, 0, 0, buffer, 1, self._event, b"")
        self._before: int | None = None
        self._seen = b""  # signals while watching
        self._late = 0  # of those that will be read, how many were waited for in vain
        self._reading = threading.Lock()
        self._listens = Brake._listener in (None, os.getpid())
        if self._listens:
            Brake._listener = os.getpid()
            self._listen()

    def arm(self, seconds: float | None) -> bool:
        """Abort in so many seconds; None: not at all. Whether the time set before was over, so that
        there was an abort or one is on its way."""
        whole = 0.0 if seconds is None else min(max(seconds, 1e-6), 1e9)
        value = (0, 0, int(whole), int(whole % 1 * 1e9))
        before = (ctypes.c_long * 4)()
        self._libc.timer_settime(self._timer, 0, (ctypes.c_long * 4)(*value), before)
        over = self._armed and not any(before[2:])
        self._armed = seconds is not None
        return over

    def watch(self) -> None:
        """From now on, a signal that Python handles aborts. For the main thread only."""
        if self._listens and self._before is None:
            with contextlib.suppress(ValueError):  # of an interpreter that is not the main one
                self._before = _told(self._written)

    def unwatch(self) -> None:
        """No more. Whoever was told of signals before is told of those that came meanwhile.
        (Interrupted, it is done when it is called again.)"""
        if (before := self._before) is None:
            return
        if (now := _told(before)) != self._written:
            _told(now)  # somebody else's, since
        self.signals()
        seen, self._seen = self._seen, b""
        self._before = None
        if before != -1 and seen:
            with contextlib.suppress(OSError):
                os.write(before, seen)

    def forget(self) -> None:
        """In a child: give back what is the parent's."""
        if self._before is not None:
            _told(self._before)
        os.close(self._arrived)
        os.close(self._written)

    def signals(self) -> bytes:
        """The signals that have come since this was asked last, a byte each."""
        if not self._listens:
            return b""
        with self._reading:
            if self._waiting() and not self._left() and not self._taken():
                return b""
            self.settle()
            end = time.monotonic() + SETTLED
            while self._waiting() and self._taken() and time.monotonic() < end:
                time.sleep(0.0005)
            if self._waiting():
                self._late = self._taken() + self._left()
                return b""
            left = self._left()
            arrived = self._byte.raw + (os.read(self._arrived, left) if left else b"")
            self._listen()
            self._seen += arrived
            late, self._late = self._late, 0
            return arrived[late:]

    def settle(self, seconds: float | None = None) -> None:
        """Wait until the context is aborted, which it is about to be."""
        end = time.monotonic() + (SETTLED if seconds is None else seconds)
        while not self.context.aborted() and time.monotonic() < end:
            time.sleep(0.0005)

    def _listen(self) -> None:
        self._byte[0] = b"\0"
        if self._libc.aio_read(ctypes.byref(self._read)) != 0:
            raise OSError(ctypes.get_errno(), "aio_read")

    def _waiting(self) -> bool:
        """Whether no signal has been read."""
        return bool(self._libc.aio_error(ctypes.byref(self._read)) == errno.EINPROGRESS)

    def _taken(self) -> bool:
        """Whether a signal's number, which is not 0, is out of the pipe, though the read that took
        it may not have said so yet."""
        return self._byte.raw != b"\0"

    def _left(self) -> int:
        """How many bytes are in the pipe."""
        answer = fcntl.ioctl(self._arrived, termios.FIONREAD, b"\0" * 4)
        return int(struct.unpack("i", answer)[0])


def _told(file: int) -> int:
    """Python writes the numbers of signals to this file, no longer to the one returned."""
    return signal.set_wakeup_fd(file, warn_on_full_buffer=False)


def found(context: Context, library: str) -> Brake | None:
    """The brake of an isl context, or None where it cannot be had. `library` is the shared object
    with isl in it. (The islpy of live pages has a brake of its own.)"""
    if hasattr(context, "brake"):
        return context.brake()  # type: ignore[no-any-return]
    if sys.platform != "linux" or sys.implementation.name != "cpython":
        return None
    try:
        return Brake(context, library)
    except (OSError, AttributeError, ValueError):
        return None


def _address(context: Context) -> int:
    """Where the `isl_ctx` is that a context of islpy stands for.

    nanobind keeps it right behind the head of the Python object. That is not taken on trust: a
    random number, set as the limit of operations, must be found there, and the memory is read
    through the kernel, for which a wrong address is an error and no crash.
    """
    words = (ctypes.c_size_t * (type(context).__basicsize__ // 8)).from_address(id(context))
    secret, before = secrets.randbits(60), context.get_max_operations()
    context.set_max_operations(secret)
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            for word in words[2:]:
                with contextlib.suppress(OSError, OverflowError, ValueError):
                    memory.seek(word)
                    if struct.pack("Q", secret) in memory.read(_WINDOW):
                        return int(word)
    finally:
        context.set_max_operations(before)
    raise ValueError("the context is not where nanobind keeps it")
