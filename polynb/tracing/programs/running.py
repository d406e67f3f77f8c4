"""A traced program run under limits, twice: once for its loops, once for its streams."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from polynb.errors import PolynbError
from polynb.tracing.launching.watching import Process, started, until, watched
from polynb.tracing.launching.words import Words
from polynb.tracing.programs.protocol import BlockGraph, RunLimits, Streams, read

KEPT: Final = 1 << 16  # characters of what the program writes
SOON: Final = 0.5  # seconds after which a program that was asked to stop is asked again
REQUESTS: Final = (signal.SIGTERM, signal.SIGTERM, signal.SIGXCPU, signal.SIGXCPU)
"""The second of a kind is not put off to the next event; few programs ignore both kinds."""
WRITING: Final = 60.0  # seconds for writing them


@dataclass(frozen=True)
class RunCommand:
    """What is run: the program, its arguments, its directory, and the file it reads as input."""

    program: Path
    arguments: tuple[str, ...] = ()
    directory: Path = Path()
    stdin: Path | None = None

    def __str__(self) -> str:
        return " ".join([self.program.name, *self.arguments])


@dataclass(frozen=True, eq=False)
class RanProgram:
    """A run: what the runtime left, how the process ended, and what it wrote."""

    results: BlockGraph | Streams
    code: int
    output: str
    errors: str
    seconds: float
    killed: str = ""  # why we stopped it


def run(command: RunCommand, plan: Words, limits: RunLimits, room: Path) -> RanProgram:
    """Run a program with a plan; `room` is a directory for the plan and the results.

    Raises PolynbError if it cannot be started, or ends without results (it was killed from
    outside, or it is not a program that was built with our runtime).
    """
    stem = room / "run"
    results = stem.with_suffix(".results")
    results.unlink(missing_ok=True)
    plan.tofile(stem.with_suffix(".plan"))
    environment = {**os.environ, "POLYNB_TRACE": str(stem)}
    with open(command.stdin or os.devnull, "rb") as stdin:
        begun = time.monotonic()
        process = _started(command, environment, stdin)
        killed, out, err = watched(process, lambda: _wait(process, limits, results), KEPT, SOON)
    seconds = time.monotonic() - begun
    found = read(results)
    if found is None:
        raise _without_results(command, process.returncode, killed, err.text())
    return RanProgram(found, process.returncode, out.text(), err.text(), seconds, killed)


def _started(command: RunCommand, environment: Mapping[str, str], stdin: IO[bytes]) -> Process:
    line = [str(command.program.resolve()), *command.arguments]
    try:
        return started(line, cwd=command.directory, env=environment, stdin=stdin)
    except OSError as error:
        raise PolynbError(f"{command.program} cannot be run", reason=str(error)) from None


def _wait(process: Process, limits: RunLimits, results: Path) -> str:
    """Wait for the end, and ask a program to stop that outstays its limits; returns why. It has
    WRITING once its results are begun, and no time if it answered no request.

    The runtime looks at its limits itself at every 65,536th event; this is for programs that sleep,
    or are in a library.
    """
    most = limits.seconds + 1 if limits.seconds else math.inf
    if not (why := until(process, 0.1, lambda passed: "time limit" if passed > most else "")):
        return ""
    for request in REQUESTS:
        if not results.exists():
            process.send_signal(request)
        with suppress(subprocess.TimeoutExpired):
            process.wait(SOON)
            return why
    with suppress(subprocess.TimeoutExpired):
        process.wait(WRITING if results.exists() else 0)
    return why


def _without_results(command: RunCommand, code: int, killed: str, errors: str) -> PolynbError:
    if killed:
        reason = (
            f"it was stopped ({killed}), and did not write what it had: it ignores signals, waits "
            f"in the system, or had more to write than goes in {WRITING:g} s"
        )
    elif code < 0:
        reason = f"signal {-code} ended it"
    else:
        reason = f"its exit code was {code}" + (f"; it said: {errors[:300]}" if errors else "")
    return PolynbError(
        f"{command.program.name} left no results",
        reason=reason,
        hint="only programs that polynb built can be traced: give the sources, or --build",
    )
