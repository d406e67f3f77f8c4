"""The C compilers of this machine: which there are, and the flags that kernels get.

gcc, then clang; where neither is installed, the `ziglang` wheel (the extra `cc`), which is a clang
without an OpenMP runtime. The environment variable CC comes before all of them.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polynb import isl
from polynb.errors import Missing, PolynbError
from polynb.run import supervisor_main
from polynb.run.compiled import OWN, CompilerError, MakesMasks, fault_of, killed, refusal
from polynb.run.exactness import EXACT
from polynb.run.output import Beginning

__all__ = ["Compiler", "CompilerError", "find", "run", "target", "translate"]

SECONDS: Final = 300.0  # for one compilation
ASKED: Final = 20.0  # for what a compiler says of itself
SAID: Final = 900_000  # bytes of its messages that are kept, and so are
SAID_LAST: Final = 100_000  # of their end, where errors stand behind very many warnings
LEFT: Final = 1.0  # for its last words, if a part of it lives on when it has ended

FAST: Final = ("-ffast-math",)

# gcc forgets that arrays do not overlap (restrict) where it moves a parallel loop into a function
# of its own, and makes no vectors if it would have to test more than 10 pairs of them.
OVERLAPS: Final = ("--param=vect-max-version-for-alias-checks=1000",)

# Where a small loop happens to begin decides whether the processor finds it in its cache of decoded
# instructions: the same loop of Figure 4 took 12 or 22 us, by what else the file held.
ALIGNED: Final = ("-falign-loops=32",)

# Where gcc has moved the loads that two branches of a selection share in front of them, it makes no
# vectors of the loop any more: the camera pipe's windows ran at 2.0 times the speed of the program
# as it is written, and run at 2.5 times. No other pipeline became slower.
BRANCHES: Final = ("-fno-code-hoisting",)

# Where gcc takes the branches of a selection apart as far as to the end of the loop, it makes no
# vectors either: a random pipeline took 12.2 ms, and takes 1.4.
PATHS: Final = ("-fno-split-paths",)

# What the next iteration needs again (twice a cell, say) gcc carries on to it, and makes no vectors
# of the loop if a selection needs it: strips of a random pipeline ran at 0.8 times the speed of the
# program as it is written, and run at 2.3 times. Where nothing is selected in a vector loop, it
# may: cholesky takes 1.4 times as long without.
NOT_CARRIED: Final = ("-fno-tree-pre",)

# gcc 12 computes something else where it has masks for what `codegen/masked.py` finds. It hardly
# ever has if jumps stay as they are, and if a loop around a condition that is the same in all of
# its iterations becomes two; so that is tried, and whether it has is looked up. Without conversion
# of conditions it has none, but most such loops then have no vectors: four random pipelines are
# 2.0, 3.6, 3.2 and 1.7 times as fast as written in one way, and 0.6, 0.6, 0.6 and 0.3 in the other.
FEW_MASKS: Final[tuple[str, ...]] = ("-fno-thread-jumps", "--param=max-unswitch-insns=3000")
NO_MASKS: Final[tuple[str, ...]] = ("-fno-tree-loop-if-convert",)
MASKED: Final = re.compile(r"\.(MASK_(LOAD|STORE)|COND_[A-Z]+)\b")

# The order of loops is what polynb decides. gcc, told that arrays do not overlap, turns a loop that
# updates a row in vectors into one that sums up each cell, four times slower.
ORDERED: Final = ("-fno-loop-interchange",)


@dataclass(frozen=True)
class Compiler:
    """A C compiler: `name` is gcc, clang or zig, `command` what starts it.

    `version` is the first line it says of itself; `identity` tells it from every other compiler.
    """

    name: str
    command: tuple[str, ...]
    version: str
    identity: str

    @property
    def openmp(self) -> bool:
        """Whether it can be expected to have an OpenMP runtime (zig never has)."""
        return self.name != "zig"

    def flags(
        self,
        *,
        openmp: bool = False,
        fast_math: bool = False,
        exact: Sequence[str] = EXACT,
        vectors: Sequence[str] = (),
        extra: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """The flags of a kernel, those of one's own last; `exact` ones unless `fast_math`, and
        those of gcc about its `vectors`."""
        native = ("-march=native",) if target(self.command, ("-march=native",)) else ()
        # -fopenmp-simd defines nothing that says so: the pragmas of vector loops ask for this.
        parallel = ("-fopenmp",) if openmp else ("-fopenmp-simd", "-DOPENMP_SIMD")
        own = {
            "gcc": (*ALIGNED, *OVERLAPS, *BRANCHES, *PATHS, *ORDERED, *vectors),
            "clang": ALIGNED,
            "zig": ("-fno-sanitize=undefined",),
        }
        return (
            *("-std=gnu99", "-O3", *native, *(FAST if fast_math else exact)),
            *(*parallel, "-fPIC", "-shared", *own.get(self.name, ()), *extra),
        )


def find(requested: str | None = None) -> Compiler:
    """The compiler of that name or path; without one, that of CC, gcc, clang or zig.

    Raises PolynbError if it is not there, does not answer, or if there is none at all.
    """
    if requested is not None:
        return _named(requested, "compiler=")
    if os.environ.get("CC", "").strip():
        return _named(os.environ["CC"], "the environment variable CC: ")
    for name in ("gcc", "clang", "zig"):
        command = _command(name)
        if command is not None and (found := _identified(command)) is not None:
            return found
    raise Missing(
        "there is no C compiler here",
        reason="gcc, clang and the ziglang wheel were looked for",
        hint="pip install ziglang (a compiler as a wheel), or on Debian and Ubuntu: "
        "sudo apt install gcc libc6-dev",
    )


def _named(requested: str, origin: str) -> Compiler:
    command = _command(requested)
    found = None if command is None else _identified(command)
    if found is None:
        raise PolynbError(
            f"{origin}{requested!r} is not a C compiler that can be run here",
            hint='"gcc", "clang", "zig" (pip install ziglang), or the path of one',
        )
    return found


def _command(name: str) -> tuple[str, ...] | None:
    """What starts a compiler: a path (spaces and all), or a command line such as `ccache gcc`."""
    if name in ("zig", "ziglang"):
        there = importlib.util.find_spec("ziglang") is not None
        return (sys.executable, "-m", "ziglang", "cc") if there else None
    if (whole := shutil.which(name)) is not None:
        return (whole,)
    try:
        first, *rest = shlex.split(name)
    except ValueError:  # no words at all, or a quote that is not closed
        return None
    path = shutil.which(first)
    return None if path is None else (path, *rest)


def _identified(command: tuple[str, ...]) -> Compiler | None:
    stamp = os.stat(command[0])
    return _identify(command, stamp.st_mtime_ns, stamp.st_size)


@functools.lru_cache
def _identify(command: tuple[str, ...], modified: int, size: int) -> Compiler | None:
    """The compiler behind a command (asked again when its file has changed), None if it fails."""
    said = _asked(*command, "--version")
    if said.returncode != 0 or not said.stdout.strip():
        return None
    version = said.stdout.strip().splitlines()[0]
    zig = "ziglang" in command
    name = "zig" if zig else "clang" if "clang" in said.stdout else "gcc"
    if zig:
        release = _asked(*command[:-1], "version").stdout.strip()
        version = f"zig {release} ({version})"
    return Compiler(name, command, version, f"{shlex.join(command)}\n{version}\n{said.stdout}")


@functools.lru_cache
def target(command: tuple[str, ...], flags: tuple[str, ...]) -> str:
    """What flags such as `-march=native` come to on this processor: the macros they define.

    "" if the compiler does not accept them.
    """
    said = _asked(*command, *flags, "-dM", "-E", "-x", "c", os.devnull)
    return said.stdout if said.returncode == 0 else ""


def _asked(*command: str) -> subprocess.CompletedProcess[str]:
    """What a compiler says of itself. Raises CompilerError if it was kept from saying it, which is
    no answer that may be remembered."""
    said = run(command, seconds=ASKED)
    if killed(said.returncode, said.stderr):
        raise refusal(Path(command[0]).name, said.returncode, said.stderr)
    return said


def translate(
    compiler: Compiler, flags: Sequence[str], source: Path, result: Path, *, masks: bool = True
) -> None:
    """Compile one C file into a shared object.

    Raises CompilerError with the message that matters, or if there is no shared object then, and
    MakesMasks if it may have no masks, and is not known to have none.
    """
    converted = source.with_suffix(".ifcvt")
    asked = () if masks else (f"-fdump-tree-ifcvt={converted}",)
    command = (*compiler.command, *flags, *asked, str(source), "-o", str(result), "-lm")
    # zig keeps what it compiles; ours is kept elsewhere, so its own cache goes with the file.
    extra = {"ZIG_LOCAL_CACHE_DIR": str(source.parent / "zig")} if compiler.name == "zig" else {}
    said = run(command, extra)
    if said.returncode != 0:
        raise refusal(compiler.name, said.returncode, said.stderr)
    if (fault := fault_of(result)) is not None:
        raise CompilerError(
            f"{compiler.name} said nothing was wrong, but {fault}",
            reason=compiler.version,
            hint=OWN,
        )
    if asked and not (
        converted.exists() and MASKED.search(converted.read_text(errors="replace")) is None
    ):
        raise MakesMasks("the compiler makes masks of vectors")


def run(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> subprocess.CompletedProcess[str]:
    """Run a compiler, with messages in English; an interrupt, the end of its time or of the budget
    around, or the end of this process ends all its parts.

    Raises CompilerError if it does not end in time, or BudgetExhausted.
    """
    theirs, ours = os.pipe()
    script = str(Path(supervisor_main.__file__).resolve())
    supervised = (sys.executable, "-I", "-S", script, str(theirs), str(os.getpid()), *command)
    name = Path(command[0]).name
    try:
        process = subprocess.Popen(
            supervised,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C", **(environment or {})},
            pass_fds=(theirs,),
            start_new_session=True,
        )
        try:
            out, err = _ended(process, isl.time_left(seconds))
        except BaseException:
            _end(process)
            raise
    except subprocess.TimeoutExpired:
        isl.check_time("the compiler")
        reason = f"it did not end within {seconds:g} seconds"
        raise CompilerError(f"{name} does not answer", reason=reason, hint="compiler=") from None
    except OSError as error:
        reason = str(error)
        raise CompilerError(f"{name} cannot be run", reason=reason, hint="compiler=") from None
    finally:
        os.close(ours)
        os.close(theirs)
    return subprocess.CompletedProcess(list(command), process.returncode, out, err)


def _ended(process: subprocess.Popen[bytes], seconds: float) -> tuple[str, str]:
    """What a process has written when it has ended; a part of it that lives on, and might say more,
    is ended. Raises subprocess.TimeoutExpired."""
    end, over = time.monotonic() + seconds, False
    streams = [Beginning(pipe, SAID, SAID_LAST) for pipe in (process.stdout, process.stderr)]
    while not all(s.ended(min(LEFT, max(end - time.monotonic(), 0))) for s in streams):
        if over:
            _end(process)
            break
        if time.monotonic() >= end:
            raise subprocess.TimeoutExpired(process.args, seconds)
        over = process.poll() is not None
    process.wait(max(end - time.monotonic(), 0))
    out, err = (s.text() for s in streams)
    return out, err


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):  # it may have ended meanwhile
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
