"""The worker process: loads one compiled kernel and runs it on arrays mapped from descriptors.

Run as a script, `python -I -S worker_main.py CHANNEL PARENT BOUND LIMIT`, so that it starts in a
few milliseconds and sees nothing of the notebook's modules: it imports only the standard library.
CHANNEL is one end of a Unix stream socket, PARENT the process to serve, BOUND is 1 if the worker
may ask the system to die with the parent, and LIMIT its address space in bytes (0: any).

Requests and replies are JSON with a length before it; the descriptors of a `map` request follow
one by one. A kernel that crashes takes this process with it, which is what it is for.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import random
import select
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

Message = dict[str, Any]
"""A request or a reply, as JSON."""

LENGTH = struct.Struct("<Q")
PR_SET_PDEATHSIG = 1
_WATCHERS = [0]  # the thread that waits for the end, which no kernel uses


def send(channel: socket.socket, message: Message) -> None:
    """One message, whole."""
    text = json.dumps(message).encode()
    channel.sendall(LENGTH.pack(len(text)) + text)


def receive(channel: socket.socket) -> Message | None:
    """The next message, None at the end of the stream."""
    head = _exactly(channel, LENGTH.size)
    if head is None:
        return None
    text = _exactly(channel, LENGTH.unpack(head)[0])
    if text is None:
        return None
    message: Message = json.loads(text)
    return message


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    parts: list[bytes] = []
    while size:
        part = channel.recv(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class MappedMemory:
    """The mapped arrays, by address. ctypes calls mmap itself: Python's own mapping objects give
    no address of read-only memory."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._mmap, self._munmap = libc.mmap, libc.munmap
        self._mmap.restype = ctypes.c_void_p
        self._mmap.argtypes = [
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int,
            ctypes.c_int64,
        ]
        self._munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self._mapped: list[tuple[int, int]] = []

    @property
    def addresses(self) -> list[int]:
        return [address for address, _ in self._mapped]

    def map(self, descriptor: int, size: int, writable: bool) -> None:
        """Map a file, read-only if the kernel may not write it, and close its descriptor."""
        protection = mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)
        address = self._mmap(None, size, protection, mmap.MAP_SHARED, descriptor, 0)
        os.close(descriptor)
        if address in (None, ctypes.c_void_p(-1).value):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self._mapped.append((address, size))

    def clear(self) -> None:
        while self._mapped:
            self._munmap(*self._mapped.pop())


def serve(channel: socket.socket) -> None:
    """Answer requests until the parent closes the channel."""
    memory, entry = MappedMemory(), None
    while (request := receive(channel)) is not None:
        reply: Message = {}
        try:
            match request["do"]:
                case "load":
                    entry = getattr(ctypes.CDLL(request["path"]), request["entry"])
                case "map":
                    memory.clear()
                    _map_all(channel, memory, request["arrays"])
                case "clear":
                    memory.clear()
                case "run":
                    reply = _run(entry, request["parameters"], memory, request["threads"])
        except (OSError, AttributeError, MemoryError) as error:
            reply = {"error": str(error) or "its memory is used up"}
        send(channel, reply)


def _map_all(channel: socket.socket, memory: MappedMemory, arrays: list[tuple[int, bool]]) -> None:
    failed: OSError | None = None
    for size, writable in arrays:  # every descriptor must be received, whatever happens to one
        _, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
        try:
            memory.map(descriptors[0], size, writable)
        except OSError as error:
            failed = error
    if failed is not None:
        raise failed


def _run(entry: Any, parameters: list[int], memory: MappedMemory, threads: int) -> dict[str, int]:
    """Call the kernel once: its status, and the nanoseconds it took on the monotonic clock."""
    values = (ctypes.c_int64 * max(len(parameters), 1))(*parameters)
    arrays = (ctypes.c_void_p * max(len(memory.addresses), 1))(*memory.addresses)
    with _apart(threads):
        start = time.perf_counter_ns()
        status = entry(values, arrays, threads)
        taken = time.perf_counter_ns() - start
    return {"nanoseconds": taken, "status": status}


# -- a processor for each thread -----------------------------------------------------------


@contextlib.contextmanager
def _apart(threads: int) -> Iterator[None]:
    """While a kernel runs, its threads stay each on a processor of its own, if there are as many.

    Linux wakes a thread where it ran last, and need not look further where two processors share a
    cache and one is busy: threads that came together on one stay together for tenths of a second,
    and a kernel of two takes twice as long as it would, or as one of one thread. A kernel's first
    run is left alone: its threads are started in it, and would inherit the one processor of this
    one.
    """
    allowed, places = set[int](), dict[int, int]()
    with contextlib.suppress(OSError, AttributeError, ValueError, IndexError):  # not on Linux
        me = threading.get_native_id()
        helpers = sorted({int(t) for t in os.listdir("/proc/self/task")} - {me, _WATCHERS[0]})
        if threads > 1 and len(helpers) >= threads - 1:
            allowed = os.sched_getaffinity(0)
            places = processors({t: _last(t) for t in (me, *helpers)}, allowed)
    try:
        for thread, processor in places.items():
            _keep(thread, {processor})
        yield
    finally:
        for thread in places:
            _keep(thread, allowed)


def processors(last: Mapping[int, int], allowed: set[int]) -> dict[int, int]:
    """A processor for each thread: the one where it ran last, if no thread before it did, or else
    any that is free; none for all where there are too few."""
    if len(last) > len(allowed):
        return {}
    first = {p: t for t, p in reversed([*last.items()]) if p in allowed}
    free = list(allowed - first.keys())
    random.shuffle(free)  # other kernels choose as well
    return {t: p if first.get(p) == t else free.pop() for t, p in last.items()}


def _last(thread: int) -> int:
    """Where a thread of this process runs, or ran last."""
    with open(f"/proc/self/task/{thread}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[36])


def _keep(thread: int, allowed: set[int]) -> None:
    with contextlib.suppress(OSError):  # it has ended, or the system takes processors away
        os.sched_setaffinity(thread, allowed)


# -- living and dying with the parent ----------------------------------------------------


def _die_with(parent: int) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before we asked
        os._exit(0)


def _watch(channel: socket.socket) -> None:
    """Leave, even from the middle of a kernel, when the other end of the channel is gone."""
    poll = select.poll()
    poll.register(channel, 0)
    poll.poll()
    os._exit(0)


def _be_modest(limit: int) -> None:
    """No core files, no more address space than `limit` bytes (0: any); and if memory runs out,
    this process goes first, not the notebook."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limit:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (least, least))
    # Only Linux has the file, and some sandboxes forbid it; the kernel runs as well without.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def main() -> None:
    """The process: it dies with its parent, and leaves Ctrl-C to it."""
    descriptor, parent, bound, limit = (int(a) for a in sys.argv[1:])
    if bound:
        _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_modest(limit)
    channel = socket.socket(fileno=descriptor)
    watcher = threading.Thread(target=_watch, args=(channel,), daemon=True)
    watcher.start()
    _WATCHERS[0] = watcher.native_id or 0
    serve(channel)


if __name__ == "__main__":
    main()
