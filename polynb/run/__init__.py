"""C -> compiled kernel -> results and timings; executions that need no compiler; the oracle."""

from polynb.run.bound import NoSuchResult, Results
from polynb.run.compilers import CompilerError
from polynb.run.kernel import Kernel, compile
from polynb.run.measurement import measure
from polynb.run.oracle import equivalent
from polynb.run.resources import default_threads
from polynb.run.timing import Timing
from polynb.run.worker import WorkerError

__all__ = [
    "CompilerError",
    "Kernel",
    "NoSuchResult",
    "Results",
    "Timing",
    "WorkerError",
    "compile",
    "default_threads",
    "equivalent",
    "measure",
]
