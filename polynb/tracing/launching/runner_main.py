"""The process a traced program runs in: `runner_main.py OPTIONS ARGUMENTS...`, OPTIONS being JSON.

Run as a script, `python -I -S`, so that it starts in a few milliseconds: it loads the runtime and
the program, and the runtime writes what it found to a descriptor when the program ends, crashes or
reaches a limit. It imports only the standard library.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def _be_modest(memory: int) -> None:
    """No core files, at most `memory` bytes of address space beside what there is (0: any); and if
    the system's memory runs out, this process goes first."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory:
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = now + memory if hard == resource.RLIM_INFINITY else min(now + memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def main() -> None:
    options = json.loads(sys.argv[1])
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != options["parent"]:  # it died before we asked
        os._exit(0)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    runtime = ctypes.CDLL(options["runtime"], mode=ctypes.RTLD_GLOBAL | os.RTLD_NOW)
    program = ctypes.CDLL(options["program"], mode=os.RTLD_NOW)
    numbers = (ctypes.c_int64 * len(options["numbers"]))(*options["numbers"])
    words = [a.encode() for a in sys.argv[2:]]
    argv = (ctypes.c_char_p * (len(words) + 1))(*words, None)
    with contextlib.suppress(OSError, ValueError):
        _be_modest(options["memory"])
    entry = ctypes.cast(program[options["entry"]], ctypes.c_void_p)
    runtime.pn_run(entry, numbers, len(words), argv)


if __name__ == "__main__":
    main()
