"""Other optimisers on this machine, for Figure 13 and Table 4 of CC'18: who is there, and how
each is asked.

Whole-program optimisers parallelise on their own: they get the naive program without OpenMP, as
in the paper, and with its sizes as numbers, without which Polly gives up on `A[n + 2][m + 2]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from polynb.evaluation.fixed import fixed
from polynb.recurrences import with_recurrences
from polynb.run import Kernel, compile, default_threads
from polynb.scop import Scop

BASELINE: Final = "naive"


@dataclass(frozen=True)
class Peer:
    """`compiler` None is the usual one (CC, gcc, clang or zig). `flags` are a compiler's for a
    whole-program optimiser; `{threads}` stands for how many threads it shall use. Without, the
    compiler runs the loops parallel that polynb marks, chosen as `parallel` says: of the naive
    programs as PolyMage's and the paper's are, `schedule(static)`. `recurrences`: in which form,
    if any (see `carry_recurrences`)."""

    label: str
    compiler: str | None = None
    propagated: bool = False
    flags: str = ""
    parallel: str = "balanced"
    recurrences: str = ""


POLLY: Final = "-mllvm -polly -mllvm -polly-parallel -mllvm -polly-num-threads={threads} -fopenmp"
GRAPHITE: Final = "-floop-nest-optimize -floop-parallelize-all -ftree-parallelize-loops={threads}"

PEERS: Final = (
    Peer(BASELINE, parallel="trip-count"),
    Peer("naive, balanced"),
    Peer("propagated", propagated=True),
    Peer("propagated, strips", propagated=True, recurrences="strips"),
    Peer("naive, clang", "clang", parallel="trip-count"),
    Peer("propagated, clang", "clang", propagated=True),
    Peer("Polly, clang", "clang", flags=POLLY),
    Peer("Graphite, gcc", "gcc", flags=GRAPHITE),
)


def kernel(
    peer: Peer,
    naive: Scop,
    propagated: Scop,
    sizes: Mapping[str, int],
    *,
    threads: int | None = None,
    heap: str = "kept",
) -> Kernel:
    """What a peer makes of the program, with `-O3 -march=native -ffast-math`, as the paper.

    Raises PolynbError if it is not on this machine or refuses the program.
    """
    if not peer.flags:
        program = propagated if peer.propagated else naive
        if peer.recurrences:
            program = with_recurrences(program, form=peer.recurrences)
        return compile(
            program,
            compiler=peer.compiler,
            threads=threads,
            heap=heap,
            fast_math=True,
            parallel=peer.parallel,
        )
    flags = peer.flags.format(threads=threads or default_threads())
    return compile(
        fixed(naive, sizes),
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
