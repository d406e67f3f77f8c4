"""The optimisers that are compared: which there are, and how each is asked for a kernel.

Whole-program optimisers parallelise on their own: they get the naive program without OpenMP, as
in CC'18, and with its sizes as numbers, without which Polly gives up on `A[n + 2][m + 2]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from polynb.errors import PolynbError
from polynb.evaluation.fixed_sizes import fixed
from polynb.optimising import optimise
from polynb.propagation import propagate
from polynb.recurrences import with_recurrences
from polynb.reordering import reorder
from polynb.run import Kernel, compile, default_threads
from polynb.scop.model import Scop
from polynb.windows import NotInStrips

BASELINE: Final = "naive"
TILE: Final = 32


@dataclass(frozen=True)
class Peer:
    """A compiler and the `form` of the program that it gets, one of FORMS or "tuned". `compiler`
    None is the usual one (CC, gcc, clang or zig). `flags` are a compiler's for a whole-program
    optimiser; `{threads}` stands for how many threads it shall use. Without, the compiler runs the
    loops parallel that polynb marks, chosen as `parallel` says: of the naive programs as PolyMage's
    and CC'18's are, `schedule(static)`."""

    label: str
    form: str = "naive"
    compiler: str | None = None
    flags: str = ""
    parallel: str = "balanced"


POLLY: Final = "-mllvm -polly -mllvm -polly-parallel -mllvm -polly-num-threads={threads} -fopenmp"
GRAPHITE: Final = "-floop-nest-optimize -floop-parallelize-all -ftree-parallelize-loops={threads}"

PEERS: Final = (
    Peer(BASELINE, parallel="trip-count"),
    Peer("naive, balanced"),
    Peer("propagated", "propagated"),
    Peer("propagated, strips", "strips"),
    Peer("propagated, windows", "windows"),
    Peer("reordered, tiled", "reordered"),
    Peer("optimised", "optimised"),
    Peer("tuned", "tuned"),
    Peer("naive, clang", compiler="clang", parallel="trip-count"),
    Peer("propagated, clang", "propagated", "clang"),
    Peer("Polly, clang", compiler="clang", flags=POLLY),
    Peer("Graphite, gcc", compiler="gcc", flags=GRAPHITE),
)


# -- forms of a program --------------------------------------------------------------------


def _in_windows(scop: Scop) -> Scop:
    derivation = propagate(scop, windows=True)
    for step in derivation.steps:
        if isinstance(step, NotInStrips):
            raise PolynbError(f"{scop.name} is not computed in windows: {step.reason}")
    return derivation.result


FORMS: Final[Mapping[str, Callable[[Scop], Scop]]] = {
    "naive": lambda scop: scop,
    "propagated": lambda scop: propagate(scop).result,
    "strips": lambda scop: with_recurrences(propagate(scop).result, form="strips"),
    "windows": _in_windows,
    "reordered": lambda scop: reorder(scop, tile=TILE).result,
    "optimised": lambda scop: optimise(scop).result,
}
"""What polynb makes of a program. Each raises PolynbError where it cannot."""

Programs = Mapping[str, Scop | PolynbError]
"""A program in each form, or why there is none."""


def programs(scop: Scop, forms: tuple[str, ...]) -> Programs:
    """A program in these forms, or why it cannot be had so."""
    found: dict[str, Scop | PolynbError] = {}
    for form in forms:
        try:
            found[form] = FORMS[form](scop)
        except PolynbError as error:
            found[form] = error
    return found


# -- kernels -------------------------------------------------------------------------------


def kernel(
    peer: Peer,
    programs: Programs,
    sizes: Mapping[str, int],
    *,
    threads: int | None = None,
    heap: str = "kept",
) -> Kernel:
    """What a peer makes of the program, with `-O3 -march=native -ffast-math`, as CC'18.

    Raises PolynbError if it is not on this machine or refuses the program.
    """
    program = programs[peer.form]
    if isinstance(program, PolynbError):
        raise program
    if not peer.flags:
        return compile(
            program,
            compiler=peer.compiler,
            threads=threads,
            heap=heap,
            fast_math=True,
            parallel=peer.parallel,
            sizes=sizes,
        )
    flags = peer.flags.format(threads=threads or default_threads())
    return compile(
        fixed(program, sizes),
        compiler=peer.compiler,
        threads=1,  # its own are in the flags
        heap=heap,
        fast_math=True,
        flags=flags,
    )


def is_parallel(made: Kernel) -> bool:
    """Whether a kernel's object code calls an OpenMP runtime."""
    code = made.library.read_bytes()
    return any(call in code for call in (b"GOMP_parallel", b"__kmpc_fork_call"))
