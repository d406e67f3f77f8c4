"""A traced program run under limits, twice: once for its loops, once for its streams."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.output import Beginning
from polynb.tracing.programs.protocol import BlockGraph, RunLimits, Streams, Words, read

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
    started = time.monotonic()
    with _stdin(command) as stdin:
        process = _started(command, environment, stdin)
        out, err = (Beginning(pipe, KEPT) for pipe in (process.stdout, process.stderr))
        try:
            killed = _watch(process, limits, started, results)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (out, err):
                stream.ended(SOON)
    seconds = time.monotonic() - started
    found = read(results)
    if found is None:
        raise _without_results(command, process.returncode, killed, err.text())
    return RanProgram(found, process.returncode, out.text(), err.text(), seconds, killed)


def _stdin(command: RunCommand) -> IO[bytes]:
    return open(command.stdin or os.devnull, "rb")


def _started(
    command: RunCommand, environment: Mapping[str, str], stdin: IO[bytes]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [str(command.program.resolve()), *command.arguments],
            cwd=command.directory, env=environment, stdin=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise PolynbError(f"{command.program} cannot be run", reason=str(error)) from None


def _watch(
    process: subprocess.Popen[bytes], limits: RunLimits, started: float, results: Path
) -> str:
    """Wait for the end, and ask a program to stop that outstays its limits; returns why. It has
    WRITING once its results are begun, and no time if it answered no request.

    The runtime looks at its limits itself at every 65,536th event; this is for programs that sleep,
    or are in a library.
    """
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
            return ""
        isl.check_time("the traced program")
        if limits.seconds and time.monotonic() - started > limits.seconds + 1:
            break
    for request in REQUESTS:
        if not results.exists():
            process.send_signal(request)
        with suppress(subprocess.TimeoutExpired):
            process.wait(SOON)
            return "time limit"
    with suppress(subprocess.TimeoutExpired):
        process.wait(WRITING if results.exists() else 0)
    return "time limit"


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
