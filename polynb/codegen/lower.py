"""Scop -> C, on one page: what is done to a program on its way, in order.

`lower` is for compilers. `to_c` prints a program to be read, as it is: the same loops, without what
helps a compiler (`Target(vectors=False)`), and neither contracted nor chosen for threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from polynb import isl
from polynb.codegen.kernel import KernelSource, kernel_arrays, kernel_file
from polynb.codegen.scan import scan
from polynb.codegen.strides import by_quotients
from polynb.codegen.waking import Versions, versions
from polynb.legality.private import LoopVerdict
from polynb.schedules.contracting import contract_marked
from polynb.schedules.parallel import choose_loops
from polynb.schedules.tiled_dependences import dependences
from polynb.scop.model import Scop, roots
from polynb.scop.storage import in_memory
from polynb.source import tree as syntax
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.tree import Declaration, Program


@dataclass(frozen=True)
class Target:
    """What the C is for.

    `threads`: how many it may use; with 1, it has no OpenMP pragmas (with more, it still compiles
    without OpenMP). `vectors`: whether loops are written as compilers need them to make vectors of
    them. `parallel`: how parallel loops are chosen, see `choose_loops`; "balanced" also lets a
    thread that falls behind leave iterations to others, and asks at run time whether there is
    enough work to wake threads for. `sizes`: parameter values that they are chosen for.
    `independent`: arrays declared to be written in different cells by different instances, where
    data decides which. `entry`: what the function to call is named.
    """

    threads: int = 1
    vectors: bool = True
    parallel: str = "balanced"
    sizes: Mapping[str, int] = field(default_factory=dict)
    independent: tuple[str, ...] = ()
    entry: str = "kernel"

    @property
    def several(self) -> bool:
        return self.threads > 1

    @property
    def asks(self) -> bool:
        """Whether the work is measured when the kernel runs."""
        return self.parallel == "balanced"

    @property
    def shares(self) -> str:
        """How iterations are shared out, in OpenMP's words."""
        return "guided" if self.parallel == "balanced" else "static"


SEVERAL: Final = Target(threads=2)
"""A machine with threads; how many they are only matters to the choice of loops."""
READERS: Final = Target(threads=2, vectors=False)
"""A person: loops as somebody would write them, parallel ones with a pragma."""


@dataclass(frozen=True, eq=False)
class Lowered:
    """`scop` is the program as the C runs it, `loops` what was decided of each loop (nothing for
    one thread), from the outermost in."""

    scop: Scop
    loops: tuple[LoopVerdict, ...]
    source: KernelSource


def lower(scop: Scop, target: Target) -> Lowered:
    """The C of a program for a target.

    Claims that it computes what the program does, bit for bit, whatever the target. Raises
    PolynbError for a choice of loops or an array that does not exist, and where `kernel_source`
    does.
    """
    scop = contract_marked(in_memory(scop))
    scop, loops = parallel_loops(scop, target)
    return Lowered(scop, loops, kernel_source(scop, target))


def parallel_loops(scop: Scop, target: Target) -> tuple[Scop, tuple[LoopVerdict, ...]]:
    """The program with the loops parallel that are worth it for the target's threads."""
    if not target.several:
        return scop, ()
    return choose_loops(
        scop,
        dependences(scop),
        choice=target.parallel,
        threads=target.threads,
        sizes=target.sizes,
        independent=target.independent,
    )


@isl.bounded("the search for the kernel's loops")
def kernel_source(scop: Scop, target: Target = SEVERAL) -> KernelSource:
    """The C of a program with the arrays and the parallel loops that it has.

    Raises PolynbError for functions without a definition, for names that are no identifiers, and
    for temporaries whose size nothing bounds.
    """
    scop = in_memory(scop)
    arrays = kernel_arrays(scop)
    program = loops_of(scop, arrays.declarations, target)
    return kernel_file(
        scop,
        arrays,
        bodies(program, target),
        entry=target.entry,
        threads=target.several,
        schedule=target.shares,
    )


def loops_of(scop: Scop, declarations: Iterable[Declaration], target: Target) -> Program:
    """The syntax tree of a program in the order of its schedule, with these declarations."""
    scanned = scan(scop, vectors=target.vectors)
    program = replace(scanned, declarations=tuple(declarations))
    return by_quotients(program) if target.vectors else program


def bodies(program: Program, target: Target) -> Versions:
    """What runs on one thread and on several, if that is to be decided when it runs."""
    return versions(program) if target.several and target.asks else Versions(program)


def truncates(scop: Scop) -> bool:
    """Whether a floating value may become an integer somewhere: sound, not exact."""
    arrays = (scop.arrays[s.write.array] for s in scop.statements)
    evaluated = (*(e for s in scop.statements for e in roots(s)), *(f.body for f in scop.functions))
    nodes = (x for e in evaluated for x in syntax.walk(e))
    return any(not a.type.is_float for a in arrays) or any(_truncates(x) for x in nodes)


def _truncates(e: syntax.Expr) -> bool:
    match e:
        case syntax.Cast(type=t):
            return not t.is_float
        case syntax.Call(function=name) if (known := MATH_FUNCTIONS.get(name)) is not None:
            return not all(t.is_float for t in (*known.arguments, known.result))
    return False
