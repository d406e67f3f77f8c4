"""Scop -> C -> shared object -> a function that can be called: `compile` and `Kernel`."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from numpy.typing import NDArray

from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.run import cache, compilers
from polynb.run.bound import Bound, Results
from polynb.run.cache import Build
from polynb.run.places import Places
from polynb.run.resources import available_memory, default_threads
from polynb.run.shared import readable
from polynb.run.signature import Call, Signature
from polynb.run.worker import Worker, WorkerError, rest, wake
from polynb.scop.model import Array, Scop
from polynb.source.names import as_names

if TYPE_CHECKING:
    from polynb.schedules.loops import LoopVerdict

# glibc gives large blocks back to the system when they are freed and asks for them again at the
# next call, which costs a page fault per 4 kB. These settings keep the heap; "fresh" does not.
KEPT: Final = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "1000000000000",
    "MALLOC_TOP_PAD_": "67108864",
}
HEAPS: Final = ("kept", "fresh")
NO_OPENMP: Final = "parallel loops run sequentially: {} has no OpenMP runtime here"


class Source(Protocol):
    """A C text with `int entry(const int64_t *parameters, void **arrays, int threads)`, which
    returns 0, or another number if there was no memory for its temporaries."""

    @property
    def text(self) -> str: ...
    @property
    def entry(self) -> str: ...
    @property
    def parameters(self) -> tuple[str, ...]: ...
    @property
    def arguments(self) -> tuple[Array, ...]: ...


def compile(
    program: Scop | Derivation,
    *,
    threads: int | None = None,
    fast_math: bool = False,
    compiler: str | None = None,
    flags: Sequence[str] | str = (),
    heap: str = "kept",
    timeout: float | None = 60.0,
    parallel: str = "balanced",
    independent: str | Sequence[str] = (),
    sizes: Mapping[str, int] | None = None,
) -> Kernel:
    """Compile a program (a Derivation counts as its result) to a function.

    `threads`: None means as many as this process may use. `compiler`: "gcc", "clang", "zig" or a
    path; None means CC, or the first of these. `flags` come last on the compiler's command line.
    `fast_math` lets the compiler change results. `heap`: "kept" keeps freed memory for the next
    call, "fresh" does not. `timeout`: seconds after which a call is stopped, None for never.
    `parallel`: "trip-count" passes over an outermost parallel loop with too few iterations where
    one inside does better (CC'18, section 5.2), "outermost" never does, "none" runs everything on
    one thread; "balanced" makes one loop of both, and lets a thread that falls behind leave
    iterations to others; `Kernel.loops` says what was chosen and why. `sizes`: parameter values
    that this choice is made for (the kernel can be called with any). `independent`: arrays
    (`"out, index"` or a sequence) of which you declare that no two instances write the same cell
    where a subscript depends on data. Raises PolynbError if the program cannot be compiled here.
    """
    scop = as_scop(program)
    extra = tuple(shlex.split(flags) if isinstance(flags, str) else flags)
    options = Options(_threads(threads), fast_math, extra, _heap(heap), _timeout(timeout))
    chosen = compilers.find(compiler)

    from polynb.codegen.kernel import kernel_source
    from polynb.schedules.contracting import contract_marked

    places, several = Places(scop), options.threads > 1 and chosen.openmp
    scop = contract_marked(scop)
    loops: tuple[LoopVerdict, ...] = ()
    if several:
        from polynb.codegen.parallel import choose_loops
        from polynb.schedules.tiled_dependences import dependences

        scop, loops = choose_loops(
            scop,
            dependences(scop),
            choice=parallel,
            threads=options.threads,
            sizes=sizes,
            independent=as_names(independent),
        )
    schedule = "guided" if parallel == "balanced" else "static"
    source = kernel_source(scop, threads=several, schedule=schedule)

    def placed(arrays: Sequence[Array]) -> tuple[Array, ...]:
        return tuple(replace(a, span=places.array(a.name)) for a in arrays)

    signature = Signature(
        scop.name,
        source.parameters,
        placed(source.arguments),
        placed(source.temporaries),
        scop.context,
        scop.requires,
        places,
    )
    kernel = build(source, signature, chosen, options)
    kernel.loops = loops
    return kernel


@dataclass(frozen=True)
class Options:
    """How a kernel is compiled and run; see `compile`."""

    threads: int = 1
    fast_math: bool = False
    flags: tuple[str, ...] = ()
    heap: str = "kept"
    timeout: float | None = 60.0


def build(
    source: Source, signature: Signature, compiler: compilers.Compiler, options: Options
) -> Kernel:
    """Compile a C text; without OpenMP, and with a warning, if the compiler cannot do it."""
    warnings: list[str] = []
    if options.threads > 1 and not compiler.openmp:
        warnings.append(NO_OPENMP.format(compiler.name))

    def variant(openmp: bool) -> Build:
        flags = compiler.flags(openmp=openmp, fast_math=options.fast_math, extra=options.flags)
        return Build(compiler, flags, source.text)

    parallel = options.threads > 1 and compiler.openmp and "#pragma omp parallel" in source.text
    made = variant(parallel)
    try:
        cache.shared_object(made)
    except compilers.CompilerError:
        if not parallel:
            raise
        made, parallel = variant(False), False
        cache.shared_object(made)  # raises again unless it was for OpenMP
        warnings.append(NO_OPENMP.format(compiler.name))
    if (complaint := cache.place()[1]) is not None:
        warnings.append(complaint)
    return Kernel(source, signature, made, options, options.threads if parallel else 1, warnings)


class Kernel:
    """A compiled program: `k(N=100, A=a)`, or `k({"in": a}, N=100)`, gives its live-out arrays.

    It runs in a process of its own, which starts at the first call and ends with the Kernel.
    `source` is its C text, `compiler` and `flags` what compiled it, `threads` how many it uses,
    `warnings` what was not as asked for, `loops` what was decided of each loop of a program that
    may use several threads.
    """

    loops: tuple[LoopVerdict, ...] = ()

    def __init__(
        self,
        source: Source,
        signature: Signature,
        made: Build,
        options: Options,
        threads: int,
        warnings: Sequence[str],
    ) -> None:
        self._entry, self._build, self._options = source.entry, made, options
        self.signature, self.threads, self.warnings = signature, threads, tuple(warnings)
        self._idle: Worker | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self.signature.name

    @property
    def source(self) -> str:
        return self._build.text

    @property
    def compiler(self) -> str:
        return self._build.compiler.version

    @property
    def flags(self) -> tuple[str, ...]:
        return self._build.flags

    @property
    def library(self) -> Path:
        """The shared object it is loaded from; compiled again if it has left the cache."""
        return cache.shared_object(self._build)

    @property
    def heap(self) -> str:
        return self._options.heap

    @property
    def fast_math(self) -> bool:
        return self._options.fast_math

    def __call__(
        self,
        arrays: Mapping[str, Any] | None = None,
        /,
        *,
        out: Mapping[str, NDArray[Any]] | None = None,
        **values: Any,
    ) -> Results:
        """Run once. Arrays and parameters by name; what is not an identifier goes in `arrays`.

        Arguments are never changed. An output need not be given; if it is, cells that the program
        does not write keep that content, otherwise they are 0. `out` names arrays that results are
        stored in. Raises PolynbError if an argument does not fit, and WorkerError if the kernel
        crashes or takes longer than the timeout.
        """
        call = self.signature.call(arrays, values, out)
        with self.bound(call) as bound:
            bound.run()
            return bound.results()

    @contextmanager
    def bound(self, call: Call) -> Iterator[Bound]:
        """The kernel with the arrays of a call in place, to be run any number of times."""
        self.refuse_too_large(call.parameters, self.signature.memory(call))
        bound = Bound(self._take(), self.signature, call, self.threads, self._options.timeout)
        try:
            try:
                bound.place()
            except WorkerError:  # it was killed while idle; nothing has run yet
                bound.worker = self._started()
                bound.place()
            yield bound
            bound.worker.clear()
            self._give_back(bound.worker)
        except BaseException:
            bound.worker.stop()
            raise
        finally:
            bound.segments.clear()  # an error's traceback may live on; the memory shall not

    def refuse_too_large(self, parameters: Mapping[str, int], need: int) -> None:
        """Raise PolynbError if so many bytes are not there: a process that takes them is killed,
        and it might be the notebook's."""
        there = available_memory()
        if there is not None and need > there:
            values = ", ".join(f"{k} = {v}" for k, v in parameters.items())
            raise PolynbError(
                f"the arrays of {self.name} take {readable(need)}, {readable(there)} are left",
                reason=f"for {values}" if values else None,
                hint="smaller parameter values",
            )

    def _take(self) -> Worker:
        """The idle worker if there is one (two threads may call at once), or a new one."""
        with self._lock:
            worker, self._idle = self._idle, None
        return worker if worker is not None and wake(worker) else self._started()

    def _started(self) -> Worker:
        environment = {
            "OMP_NUM_THREADS": str(self.threads),
            "OMP_WAIT_POLICY": "passive",
            "OMP_DYNAMIC": "false",
            **(KEPT if self.heap == "kept" else {}),
        }
        worker = Worker(self.name, environment)
        try:
            worker.load(self.library, self._entry)
        except BaseException:
            worker.stop()
            raise
        return worker

    def _give_back(self, worker: Worker) -> None:
        with self._lock:
            spare, self._idle = self._idle, worker
        rest(worker)
        if spare is not None:
            spare.stop()

    def __repr__(self) -> str:
        how = f"{self._build.compiler.name}, {self.threads} thread{'s' * (self.threads != 1)}"
        return f"<Kernel {self.name} ({how}): {self.signature.usage}>"


# -- options -------------------------------------------------------------------------------


def _threads(threads: int | None) -> int:
    if threads is None:
        return default_threads()
    if not isinstance(threads, int) or threads < 1:
        raise PolynbError(f"threads must be at least 1, not {threads!r}", hint="threads=2, say")
    return threads


def _heap(heap: str) -> str:
    if heap not in HEAPS:
        raise PolynbError(f"there is no heap={heap!r}", hint=" or ".join(f'"{h}"' for h in HEAPS))
    return heap


def _timeout(timeout: float | None) -> float | None:
    number = isinstance(timeout, int | float)
    if timeout is not None and not (number and timeout > 0):
        raise PolynbError(
            f"timeout must be positive, not {timeout!r}", hint="seconds, or None for no limit"
        )
    return timeout
