"""A traced program's process: its limits, its output, and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np

from polynb.errors import PolynbError
from polynb.run.output import Beginning
from polynb.tracing.launching import runner_main
from polynb.tracing.launching.watching import Process, started, until, watched
from polynb.tracing.launching.words import Words, signal_name

TICK: Final = 0.2  # seconds between two words of the progress
WRITING: Final = 30.0
"""Seconds in which what was found may be folded and written."""
LATE: Final = 1.5
"""Seconds after the time limit in which the program must have begun with that."""
OUTPUT: Final = 20_000
"""Bytes of a program's output that are kept; the rest is read and dropped."""
START: Final = 30.0
"""Seconds until it must run."""


@dataclass(frozen=True)
class Limits:
    """What a run may take: seconds (None: any), bytes of memory beside the process's own (0: any),
    entries of streams, and entries that are kept raw (0: none)."""

    seconds: float | None = 10.0
    memory: int = 2_000_000_000
    events: int = 1_000_000_000
    kept: int = 0


@dataclass(frozen=True)
class RunOutcome:
    """What a process left: the runtime's words, and what the program wrote; `killed` is why it was
    ended by us."""

    words: Words
    output: str
    errors: str
    code: int
    killed: str = ""


def launch(
    runtime: Path,
    program: Path,
    entry: str,
    limits: Limits,
    settings: Sequence[int],
    arguments: Sequence[str],
    tick: Callable[[float], None] | None = None,
) -> RunOutcome:
    """Run a program to its end or a limit; `settings` are the runtime's after the limits. `tick` is
    called some times a second, with the seconds that have passed.

    Raises PolynbError where the process could not be started. An interrupt ends the process.
    """
    with _result_file() as result:
        microseconds = 0 if limits.seconds is None else max(int(limits.seconds * 1e6), 1)
        numbers = [result.fileno(), microseconds, limits.events, *settings, limits.kept]
        options = {
            "parent": os.getpid(),
            "runtime": str(runtime),
            "program": str(program),
            "entry": entry,
            "memory": limits.memory,
            "numbers": numbers,
        }
        script = str(Path(runner_main.__file__).resolve())
        process = started(
            [sys.executable, "-I", "-S", script, json.dumps(options), *arguments],
            stdin=subprocess.DEVNULL,
            pass_fds=(result.fileno(),),
        )

        def wait() -> str:
            return _wait(process, result.fileno(), limits.seconds, tick)

        killed, output, errors = watched(process, wait, OUTPUT, patience=5.0)
        result.seek(0)
        data = result.read()
    words = np.frombuffer(data[: len(data) // 8 * 8], dtype=np.int64)
    return RunOutcome(words, _said(output), _said(errors), process.returncode, killed)


def _wait(
    process: Process,
    result: int,
    seconds: float | None,
    tick: Callable[[float], None] | None,
) -> str:
    """Until it ends, or has to: then why. The length of `result` says whether the program runs (one
    word), and whether its runtime writes what was found (more)."""
    late = None if seconds is None else seconds + LATE
    limits = START, late, WRITING
    since, before = 0.0, 0

    def look(now: float) -> str:
        nonlocal since, before
        stage = min(os.fstat(result).st_size // 8, 2)
        if stage != before:
            before, since = stage, now
        limit = limits[stage]
        if limit is not None and now - since > limit:
            return (
                f"it had not begun after {START:g} s",
                f"it went on {LATE:g} s after its limit of {seconds:g} s: it blocks signals, is "
                "stopped, or waits in the system",
                f"what it found was not written within {WRITING:g} s",
            )[stage]
        if tick is not None:
            tick(now)
        return ""

    return until(process, TICK, look)


def _said(stream: Beginning) -> str:
    return stream.text() + (f"\n… {stream.dropped} further bytes" if stream.dropped else "")


def _result_file() -> IO[bytes]:
    """A file in memory where the system has them, without a name elsewhere."""
    try:
        return os.fdopen(os.memfd_create("polynb-trace"), "w+b")
    except (AttributeError, OSError):
        return tempfile.TemporaryFile()


REASONS: Final = {
    3: "what it found could not be written: memory ran out",
    4: "writing what it found failed in its turn, as after memory has been overwritten",
    5: "it crashed within the folding engine, as after memory has been overwritten",
    6: "it closed the descriptor that what it found is written to",
}
"""What the runtime's own exit codes mean."""


def not_told(outcome: RunOutcome) -> PolynbError:
    """The error for a process that ended without a word of its runtime."""
    code = outcome.code
    reason = REASONS.get(code, f"its process ended with code {code}")
    if code not in REASONS and len(outcome.words) > 1:
        reason = "what it wrote does not fit the program, as after memory has been overwritten"
    elif code not in REASONS and len(outcome.words):
        reason += (
            ", and not by `exit`: another program may have taken its place (exec), or it went "
        )
        reason += "on in a second process (daemon)"
    if code < 0:
        reason = f"signal {-code} ended it ({signal_name(-code)}), which it could not catch"
    if code == -signal.SIGKILL:
        reason = (
            "signal 9 ended it (killed): its own, another process's, or the system's when memory "
            "runs out"
        )
    reason = f"{outcome.killed}; so it was killed" if outcome.killed else reason
    said = outcome.errors.strip().splitlines()
    if (missing := re.search(r"undefined symbol: (\w+)", outcome.errors)) is not None:
        return PolynbError(
            f"{missing[1]} is called, and defined nowhere",
            reason="neither this text nor the C library (with libm) has it",
            hint=f"a definition of {missing[1]} in the text",
        )
    return PolynbError(
        "the traced program's process ended without what it found",
        reason=reason + (f"; it said: {said[-1][:200]}" if said else ""),
        hint="a smaller run, or less time"
        if outcome.killed
        else "a smaller run, or a run under a debugger: memory may be overwritten",
    )
