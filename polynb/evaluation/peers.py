"""Other optimisers on this machine, for Figure 13 and Table 4 of CC'18: who is there, and how
each is asked.

Whole-program optimisers parallelise on their own: they get the naive program without OpenMP, as
in the paper, and with its sizes as numbers, without which Polly gives up on `A[n + 2][m + 2]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from polynb.errors import PolynbError
from polynb.recurrences import with_recurrences
from polynb.run import Kernel, compile, default_threads
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.source import tree as syntax
from polynb.source.tree import Expr, rebuild, with_children
from polynb.source.types import INT64

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


# A program for one size only: its parameters are numbers.


def fixed(scop: Scop, sizes: Mapping[str, int]) -> Scop:
    """The program with each parameter replaced by its value.

    (Polly works on arrays whose extents are numbers, and gives up on `A[n + 2][m + 2]`.) Raises
    PolynbError for a program that has no text (the result of a pass), and for missing values.
    """
    program = scop.program
    if program is None:
        raise PolynbError(f"{scop.name} has no text of its own", hint="the program it came from")
    for name in program.parameters:
        if name not in sizes:
            raise PolynbError(f"{name} has no value", hint=f"{name}=100, say")

    def value(e: Expr) -> Expr:
        return rebuild(e, _constant)

    def _constant(e: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(e, syntax.Parameter):
            return syntax.Number(int(sizes[e.name]), INT64, span=e.span)
        return with_children(e, parts)

    def statement(s: syntax.Stmt) -> syntax.Stmt:
        match s:
            case syntax.Assign():
                target = value(s.target)
                assert isinstance(target, syntax.Access)
                return replace(s, target=target, value=value(s.value))
            case syntax.For():
                lower, upper = value(s.lower), value(s.upper)
                return replace(s, lower=lower, upper=upper, body=block(s.body))
            case syntax.If():
                then, otherwise = block(s.then), block(s.otherwise)
                return replace(s, condition=value(s.condition), then=then, otherwise=otherwise)

    def block(body: tuple[syntax.Stmt, ...]) -> tuple[syntax.Stmt, ...]:
        return tuple(statement(s) for s in body)

    declarations = tuple(
        d if d.extents is None else replace(d, extents=tuple(value(e) for e in d.extents))
        for d in program.declarations
    )
    return build(
        replace(
            program,
            parameters=(),
            declarations=declarations,
            body=block(program.body),
            assumptions=(),
        )
    )
