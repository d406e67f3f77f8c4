"""Scop -> C -> shared object -> a function that can be called: `compile` and `Kernel`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike

from polynb import isl
from polynb.arguments import (
    THREADS,
    command_line,
    count,
    flag,
    one_of,
    optional,
    seconds,
    several_names,
    text,
    values as integers_by_name,
)
from polynb.codegen.lower import Lowered, Target, lower, truncates
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.private import LoopVerdict
from polynb.run import cache, compilers
from polynb.run.bound import BoundKernel, Results
from polynb.run.cache import Build
from polynb.run.compiled import CompilerError, MakesMasks, lacks_openmp
from polynb.run.exactness import exact_flags
from polynb.run.places import ScopPlaces
from polynb.run.resources import available_memory, default_threads, memory_errors, worker_limit
from polynb.run.shared import readable
from polynb.run.signature import KernelCall, Signature
from polynb.run.worker import NotLoaded, Worker, WorkerError, dismiss, rest, wake
from polynb.schedules.parallel import CHOICES
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import refuse_enormous
from polynb.scop.storage import in_memory
from polynb.scop.witness import values_text

# glibc gives large blocks back to the system when they are freed and asks for them again at the
# next call, which costs a page fault per 4 kB. These settings keep the heap; "fresh" does not.
KEPT: Final = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "1000000000000",
    "MALLOC_TOP_PAD_": "67108864",
}
HEAPS: Final = ("kept", "fresh")
NO_OPENMP: Final = "parallel loops run sequentially: {} has no OpenMP runtime here"


class CText(Protocol):
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
    one thread; "balanced" makes one loop of both, lets a thread that falls behind leave
    iterations to others, and wakes threads only for loops that are found to have enough work when
    the kernel runs; `Kernel.loops` says what was chosen and why. `sizes`: parameter values
    that this choice is made for (the kernel can be called with any). `independent`: arrays
    (`"out, index"` or a sequence) of which you declare that no two instances write the same cell
    where a subscript depends on data. Raises PolynbError if the program cannot be compiled here.

    A kernel runs in a process of its own: a crash, an endless loop or used-up memory is an error,
    and the caller lives on. It is no sandbox: C runs with all the rights of the user, so compile
    nothing that you would not run. POLYNB_WORKER_MEMORY (`4G`) limits the memory of each worker.
    """
    scop = in_memory(as_scop(program))
    options = checked_options(threads, fast_math, flags, heap, timeout)
    options = replace(options, threads=1) if parallel == "none" else options
    target = Target(
        threads=options.threads,
        parallel=one_of("parallel", parallel, CHOICES, "way to choose parallel loops"),
        independent=several_names("independent", independent, scop.arrays),
        sizes=optional(integers_by_name, "sizes", sizes, scop.parameters) or {},
        rounds=options.fast_math,
    )
    return _compiled(scop, target, compilers.find(optional(text, "compiler", compiler)), options)


def _compiled(scop: Scop, target: Target, compiler: compilers.Compiler, options: Options) -> Kernel:
    lowered = lower(scop, target if compiler.openmp else replace(target, threads=1))
    made, cut = lowered.source, truncates(lowered.scop)
    options = replace(options, truncates=cut, groups=made.groups, selects=made.selects)
    signature = _signature(lowered, ScopPlaces(scop))
    refuse_enormous((*signature.arrays, *signature.temporaries))
    kernel = build(made, signature, compiler, options, lowered.loops)
    kernel.program = scop
    return kernel


def _signature(lowered: Lowered, places: ScopPlaces) -> Signature:
    """How the C is called; what is said of a parameter or an array points to its declaration."""

    def placed(arrays: Sequence[Array]) -> tuple[Array, ...]:
        return tuple(replace(a, span=places.array(a.name)) for a in arrays)

    scop, source = lowered.scop, lowered.source
    return Signature(
        scop.name,
        source.parameters,
        placed(source.arguments),
        placed(source.temporaries),
        scop.context,
        scop.requires,
        places,
        scop.parameter_types,
        source.private,
    )


@dataclass(frozen=True)
class Options:
    """How a kernel is compiled and run; see `compile`."""

    threads: int = 1
    fast_math: bool = False
    flags: tuple[str, ...] = ()
    heap: str = "kept"
    timeout: float | None = 60.0
    truncates: bool = True  # whether a floating value may become an integer
    groups: bool = False  # whether conditions must not become masks of vectors
    selects: bool = False  # whether loops in vectors select values


def build(
    source: CText,
    signature: Signature,
    compiler: compilers.Compiler,
    options: Options,
    loops: tuple[LoopVerdict, ...] = (),
) -> Kernel:
    """Compile a C text; without OpenMP, and with a warning, if the compiler cannot do it."""
    warnings: list[str] = []
    if options.threads > 1 and not compiler.openmp:
        warnings.append(NO_OPENMP.format(compiler.name))

    def variant(openmp: bool, masks: tuple[str, ...]) -> Build:
        flags = compiler.flags(
            openmp=openmp,
            fast_math=options.fast_math,
            exact=exact_flags(source.text, truncates=options.truncates),
            vectors=(*compilers.NOT_CARRIED * options.selects, *masks),
            extra=options.flags,
        )
        return Build(compiler, flags, source.text, masks=masks != compilers.FEW_MASKS)

    parallel = options.threads > 1 and compiler.openmp and "#pragma omp parallel" in source.text
    masks = compilers.FEW_MASKS if options.groups and compiler.name == "gcc" else ()
    while True:
        try:
            cache.shared_object(made := variant(parallel, masks))
            break
        except MakesMasks:
            masks = compilers.NO_MASKS
        except CompilerError as error:
            if not (parallel and lacks_openmp(error)):
                raise
            parallel = False
            warnings.append(NO_OPENMP.format(compiler.name))
    warnings += cache.complaints()
    used = options.threads if parallel else 1
    return Kernel(source, replace(signature, threads=used), made, options, used, warnings, loops)


class Kernel:
    """A compiled program: `k(N=100, A=a)`, or `k({"in": a}, N=100)`, gives its live-out arrays.

    It runs in a process of its own, which starts at the first call and ends with the Kernel.
    `source` is its C text, `compiler` and `flags` what compiled it, `threads` how many it uses,
    `warnings` what was not as asked for, `loops` what was decided of each loop of a program that
    may use several threads; `program` is the program over its memory, None of another C text.
    """

    def __init__(
        self,
        source: CText,
        signature: Signature,
        made: Build,
        options: Options,
        threads: int,
        warnings: Sequence[str],
        loops: tuple[LoopVerdict, ...] = (),
    ) -> None:
        self._entry, self._build, self._options = source.entry, made, options
        self.signature, self.threads, self.loops = signature, threads, loops
        self.warnings = tuple(warnings)
        self.program: Scop | None = None
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

    def again(self, program: Scop, sizes: Mapping[str, int]) -> Kernel:
        """Another program, by the same compiler and options, for as many threads as this uses."""
        own = replace(self._options, threads=self.threads)
        target = Target(threads=own.threads, sizes=sizes, rounds=own.fast_math)
        return _compiled(in_memory(program), target, self._build.compiler, own)

    def __call__(
        self,
        arrays: Mapping[str, ArrayLike] | None = None,
        /,
        *,
        out: Mapping[str, np.ndarray] | None = None,
        **values: ArrayLike,
    ) -> Results:
        """Run once. Arrays and parameters by name; what is not an identifier goes in `arrays`.
        Parameters may be left out that follow from the shapes of the arrays: `k(img=photo)`.

        Arguments are never changed. An output need not be given; if it is, cells that the program
        does not write keep that content, otherwise they are 0. An array of another type is taken
        if every value fits, with a warning. `out` names arrays that results are
        stored in. Raises PolynbError if an argument does not fit, and WorkerError if the kernel
        crashes or takes longer than the timeout.
        """
        with memory_errors(self.name):
            call = self.signature.call(arrays, values, out)
            for note in call.notes:
                warn(note, stacklevel=2)
            need = self.signature.memory(call) + self.signature.copies(call)
            self.refuse_too_large(call.parameters, need)
            with self.bound(call) as bound:
                bound.run()
                return bound.results()

    @contextmanager
    def bound(self, call: KernelCall) -> Iterator[BoundKernel]:
        """The kernel with the arrays of a call in place, to be run any number of times."""
        need, granted = self.signature.memory(call), worker_limit()
        self.refuse_too_large(call.parameters, need)
        if granted is not None and need > granted:
            raise self._too_large(call.parameters, need, granted)
        bound = BoundKernel(self._take(), self.signature, call, self.threads, self._options.timeout)
        try:
            try:
                bound.place()
            except WorkerError:  # it was killed or stopped while idle; nothing has run yet
                bound.worker = self._started()
                bound.place()
            yield bound
            self._give_back(bound)
        except BaseException:
            bound.worker.stop()
            raise
        finally:
            with isl.postponed():  # an error's traceback may live on; the memory shall not
                bound.segments.clear()

    def refuse_too_large(self, parameters: Mapping[str, int], need: int) -> None:
        """Raise PolynbError if so many bytes are not there: a process that takes them is killed,
        and it might be the notebook's."""
        there = available_memory()
        if there is not None and need > there:
            dismiss()  # idle workers keep what their temporaries took
            there = available_memory()
        if there is not None and need > there:
            raise self._too_large(parameters, need, there)

    def _too_large(self, parameters: Mapping[str, int], need: int, there: int) -> PolynbError:
        values = values_text(parameters)
        return PolynbError(
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
        kept = KEPT if self.heap == "kept" else {}
        environment = {"OMP_NUM_THREADS": str(self.threads), **kept}
        try:
            return self._loaded(self.library, environment)
        except (NotLoaded, WorkerError):  # an object that is damaged is compiled again, once
            library = cache.shared_object(self._build, again=True)
        try:
            return self._loaded(library, environment)
        except (NotLoaded, WorkerError) as error:
            raise CompilerError(
                f"what {self._build.compiler.name} made of {self.name} cannot be loaded",
                reason=error.reason if isinstance(error, NotLoaded) else error.message,
                hint=error.hint,
            ) from None

    def _loaded(self, library: Path, environment: Mapping[str, str]) -> Worker:
        worker = Worker(self.name, environment)
        try:
            worker.load(library, self._entry)
        except BaseException:
            worker.stop()
            raise
        return worker

    def _give_back(self, bound: BoundKernel) -> None:
        worker = bound.worker
        try:
            worker.clear(bound.timeout)
        except WorkerError:  # stopped or killed, but the results are there
            return
        with self._lock:
            spare, self._idle = self._idle, worker
        rest(worker)
        if spare is not None:
            spare.stop()

    def __getstate__(self) -> dict[str, object]:
        """Without what belongs to this process: its worker."""
        return {k: v for k, v in vars(self).items() if k not in ("_idle", "_lock")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._idle, self._lock = None, threading.Lock()

    def __repr__(self) -> str:
        how = f"{self._build.compiler.name}, {self.threads} thread{'s' * (self.threads != 1)}"
        return f"<Kernel {self.name} ({how}): {self.signature.usage}>"


def checked_options(
    threads: object, fast_math: object, flags: object, heap: object, timeout: object
) -> Options:
    """The options of `compile`, or a PolynbError for the first that does not fit."""
    most = optional(count, "threads", threads, most=THREADS)
    return Options(
        default_threads() if most is None else most,
        flag("fast_math", fast_math),
        command_line("flags", flags),
        one_of("heap", heap, HEAPS),
        optional(seconds, "timeout", timeout),
    )
