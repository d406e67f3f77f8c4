"""A process of its own for a compiled kernel, so that what it does wrong stays there.

The notebook's process talks to it over a socket (see `worker_main`). A crash, a call that takes
too long, or a worker killed from outside becomes a `WorkerError`; whoever owns the worker then
starts another one.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.run import worker_main
from polynb.run.resources import worker_limit
from polynb.run.shared import Segment

RESTING: Final = 16  # how many idle workers live at most; a further one is started when needed
START_SECONDS: Final = 60.0
SOON: Final = 10.0  # seconds for a worker that runs to take its arrays; if not, it was stopped
LOOKS: Final = 0.2  # seconds after which it is seen whether a signal has stopped a worker
ALIVE: Final = "it ran in a process of its own: the notebook is alive, and its variables are safe"

# What a fatal signal means for a kernel, and what may help.
DEATHS: Final = {
    signal.SIGSEGV: (
        "it touched memory that is not its own (segmentation fault)",
        "check data-dependent subscripts, and the values in index arrays",
    ),
    signal.SIGBUS: (
        "its memory could not be provided (bus error)",
        "smaller parameter values: memory ran out",
    ),
    signal.SIGFPE: (
        "an integer was divided by zero, or overflowed in a division",
        "check the divisors in integer arrays and expressions",
    ),
    signal.SIGILL: (
        "it came to an instruction that the processor refuses",
        "check for divisions by the constant 0 (a trap is compiled for them); otherwise, "
        "an empty compile cache (POLYNB_CACHE), or flags for this processor",
    ),
    signal.SIGABRT: (
        "it was aborted, as the C library does when memory has been overwritten",
        "check data-dependent subscripts, and the values in index arrays",
    ),
    signal.SIGKILL: (
        "it was killed from outside, as the system does when memory runs out",
        "smaller parameter values",
    ),
    signal.SIGTERM: ("it was asked to end from outside", "call it again"),
}

THREADS: Final = {"OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "3000"}
"""How OpenMP's threads wait: awake for a tenth of a millisecond, so that one parallel loop soon
after another has to wake nobody, and asleep afterwards, when another kernel is timed in turn."""


class WorkerError(PolynbError):
    """A kernel crashed, took too long or was killed; the process that called it lives on."""


class NotLoaded(PolynbError):
    """The system refused to load a compiled kernel."""


class Worker:
    """A running worker process. `name` is what errors call its kernel."""

    def __init__(self, name: str, environment: Mapping[str, str]) -> None:
        if not sys.executable:
            raise PolynbError(
                "kernels cannot run here: this Python does not know its own executable",
                hint="an ordinary Python, not one embedded in another program",
            )
        self.name = name
        # A worker may die with the thread that started it, which only the main one outlives.
        bound = sys.platform == "linux" and threading.current_thread() is threading.main_thread()
        ours, theirs = socket.socketpair()
        self._channel, self._owner = ours, os.getpid()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        script = str(Path(worker_main.__file__).resolve())
        arguments = (theirs.fileno(), self._owner, int(bound), worker_limit() or 0)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", script, *(str(a) for a in arguments)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs.fileno(),),
                env={**os.environ, **THREADS, **environment},
                cwd="/",
                start_new_session=True,  # Ctrl-C in a terminal is for the parent alone
            )
        self.stop = weakref.finalize(self, _stop, self._process, ours, self._errors, self._owner)

    @property
    def alive(self) -> bool:
        """Whether requests can be made; False in a forked child, whose parent uses the worker."""
        mine = self._owner == os.getpid()
        return mine and self.stop.alive and self._process.poll() is None and not self._stopped()

    def _stopped(self) -> bool:
        """Whether a signal has stopped the process: it would not answer."""
        if not hasattr(os, "waitid"):
            return False
        how = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self._process.pid, how) is not None
        except ChildProcessError:  # another thread has seen its end
            return False

    @property
    def pid(self) -> int:
        return self._process.pid

    def load(self, path: Path, entry: str) -> None:
        """Load a shared object. Raises NotLoaded if the system refuses it."""
        try:
            self._request({"do": "load", "path": str(path), "entry": entry}, START_SECONDS)
        except _Refused as error:
            raise NotLoaded(
                f"the compiled kernel of {self.name} cannot be loaded",
                reason=str(error),
                hint="threads=1 if an OpenMP library is missing; POLYNB_CACHE=DIRECTORY if "
                "programs may not be run from the cache's file system",
            ) from None

    def map(self, segments: Sequence[tuple[Segment, bool]], timeout: float | None = None) -> None:
        """Give the kernel its arrays: each segment, and whether it may be written."""
        arrays = [(len(segment), writable) for segment, writable in segments]
        descriptors = [segment.descriptor for segment, _ in segments]
        try:
            mapping = {"do": "map", "arrays": arrays}
            self._request(mapping, _soon(timeout), descriptors, works=False)
        except _Refused as error:
            raise PolynbError(
                f"no memory for the arrays of {self.name}",
                reason=str(error),
                hint="smaller parameter values",
            ) from None

    def clear(self, timeout: float | None = None) -> None:
        """Take the arrays away."""
        self._request({"do": "clear"}, _soon(timeout), works=False)

    def run(self, parameters: Sequence[int], threads: int, timeout: float | None) -> float:
        """Run the kernel once on the mapped arrays; the seconds it took, measured inside.

        Raises WorkerError if it does not come back, or not within `timeout` seconds.
        """
        request = {"do": "run", "parameters": list(parameters), "threads": threads}
        reply = self._request(request, timeout)
        if reply["status"] != 0:
            raise PolynbError(
                f"not enough memory for the temporary arrays of {self.name}",
                hint="smaller parameter values, or fewer temporaries (propagate the program)",
            )
        return int(reply["nanoseconds"]) / 1e9

    def _request(
        self,
        message: worker_main.Message,
        timeout: float | None,
        descriptors: Sequence[int] = (),
        *,
        works: bool = True,
    ) -> worker_main.Message:
        """What the worker answers; where it `works` for that, it may be stopped and go on."""
        try:
            left = isl.time_left(math.inf if timeout is None else timeout)
            self._channel.settimeout(None if left == math.inf else left)
            worker_main.send(self._channel, message)
            for descriptor in descriptors:
                socket.send_fds(self._channel, [b"F"], [descriptor])
            if not works:
                self._await()
            reply = worker_main.receive(self._channel)
        except TimeoutError:
            self.stop()
            isl.check_time(self.name)
            raise _too_slow(self.name, left) from None
        except (BrokenPipeError, ConnectionResetError):
            reply = None
        except BaseException:  # an interrupt: the kernel must not go on behind our back
            self.stop()
            raise
        if reply is None:
            raise self._died()
        if "error" in reply:
            raise _Refused(reply["error"])
        return reply

    def _await(self) -> None:
        """Wait for an answer, until one comes or a signal has stopped the process. Raises
        TimeoutError."""
        left = self._channel.gettimeout()
        end = math.inf if left is None else time.monotonic() + left
        answers = select.poll()
        answers.register(self._channel, select.POLLIN)
        while not answers.poll(LOOKS * 1000):
            if self._stopped() or time.monotonic() >= end:
                raise TimeoutError

    def _died(self) -> WorkerError:
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read(2000).decode(errors="replace").strip()
        self.stop()
        return _death(self.name, code, said)


def _soon(timeout: float | None) -> float:
    """How long a worker may take for what is no work, if a call may take that long."""
    return SOON if timeout is None else min(SOON, timeout)


class _Refused(Exception):
    """The worker could not do what it was asked."""


def _too_slow(name: str, timeout: float) -> WorkerError:
    return WorkerError(
        f"{name} was stopped: it did not end within {timeout:g} seconds",
        reason=ALIVE,
        hint="smaller parameter values, or a longer `timeout=` (None: no limit)",
    )


def _death(name: str, code: int, said: str) -> WorkerError:
    """The error for a worker that ended with an exit code (negative: by that signal)."""
    try:
        known = signal.Signals(-code)
        what, hint = DEATHS.get(known, ("its process ended", "call it again"))
        what += f" ({known.name})"
    except ValueError:
        what = f"its process ended with code {code}"
        hint = "call it again; if it happens again, please report it"
    return WorkerError(
        f"{name} crashed: {what}",
        reason=ALIVE + (f"; it said: {said}" if said else ""),
        hint=f"{hint}; the next call starts a new worker",
    )


def _stop(
    process: subprocess.Popen[bytes], channel: socket.socket, errors: IO[bytes], owner: int
) -> None:
    with isl.postponed():  # it may be the collector of garbage that calls
        channel.close()
        errors.close()
        if os.getpid() == owner:  # a forked child has only a copy of the ends
            process.kill()
            process.wait()


# -- idle workers ------------------------------------------------------------------------

_resting: list[weakref.ref[Worker]] = []
_lock = threading.Lock()


def rest(worker: Worker) -> None:
    """Keep an idle worker for the next call; the one that has been idle longest may have to go."""
    with _lock:
        _resting[:] = [r for r in _resting if (w := r()) is not None and w.alive]
        _resting.append(weakref.ref(worker))
        if len(_resting) > RESTING and (eldest := _resting.pop(0)()) is not None:
            eldest.stop()


def wake(worker: Worker) -> bool:
    """Take a worker out of the idle ones; False if it is gone and another must be started."""
    with _lock:
        _resting[:] = [r for r in _resting if r() is not worker]
        return worker.alive


def dismiss() -> None:
    """End all idle workers, for the memory that their heaps keep."""
    with _lock:
        while _resting:
            if (worker := _resting.pop()()) is not None:
                worker.stop()
