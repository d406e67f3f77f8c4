"""Whole, unmodified C and C++ programs: built with the compiler's hooks, run, and folded.

`tools` and `build` (or `build_by`, for makefiles) make the program, `trace` runs it.
"""

from polynb.tracing.programs.building import HookedCompilers, build, build_by, tools
from polynb.tracing.programs.protocol import RunLimits
from polynb.tracing.programs.running import RunCommand
from polynb.tracing.programs.tracer import TracedProgram, trace

__all__ = [
    "HookedCompilers",
    "RunCommand",
    "RunLimits",
    "TracedProgram",
    "build",
    "build_by",
    "tools",
    "trace",
]
