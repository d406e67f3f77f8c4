"""Scop -> C, on one page: what is done to a program on its way, in order.

`lower` is for compilers. `to_c` prints a program to be read, as it is: the same loops, without what
helps a compiler (`Target(vectors=False)`), and neither contracted nor chosen for threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from polynb import isl
from polynb.codegen.continued import with_loops_continued
from polynb.codegen.guards import with_guards_outside
from polynb.codegen.kernel import KernelSource, kernel_arrays, kernel_file
from polynb.codegen.literals import plain_literals, substitute
from polynb.codegen.narrow_sums import with_narrow_sums
from polynb.codegen.row_sums import with_row_sums
from polynb.codegen.scan import scan
from polynb.codegen.waking import Versions, versions
from polynb.legality.private import LoopVerdict
from polynb.schedules.contracting import contract_marked, without_runs
from polynb.schedules.parallel import choose_loops
from polynb.schedules.tiled_dependences import dependences
from polynb.scop.fresh_names import Names
from polynb.scop.model import Scop, roots
from polynb.scop.storage import in_memory
from polynb.source import tree as syntax
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.normal_form import Linear, expression_of, linear_form, normal_form
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Declaration,
    Expr,
    For,
    If,
    Iterator,
    Let,
    Number,
    Program,
    Stmt,
    every,
    expressions,
    walk,
)
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32


@dataclass(frozen=True)
class Target:
    """What the C is for.

    `threads`: how many it may use; with 1, it has no OpenMP pragmas (with more, it still compiles
    without OpenMP). `vectors`: whether loops are written as compilers need them to make vectors of
    them. `parallel`: how parallel loops are chosen, see `choose_loops`; "balanced" also lets a
    thread that falls behind leave iterations to others, and asks at run time whether there is
    enough work to wake threads for. `sizes`: parameter values that they are chosen for.
    `independent`: arrays declared to be written in different cells by different instances, where
    data decides which. `rounds`: results may be rounded otherwise than the program says. `entry`:
    what the function to call is named.
    """

    threads: int = 1
    vectors: bool = True
    parallel: str = "balanced"
    sizes: Mapping[str, int] = field(default_factory=dict)
    independent: tuple[str, ...] = ()
    rounds: bool = False
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

    Claims that it computes what the program does, bit for bit, whatever the target, unless it
    `rounds`. Raises
    PolynbError for a choice of loops or an array that does not exist, and where `kernel_source`
    does.
    """
    contracted = contract_marked(in_memory(scop))
    scop, loops = parallel_loops(contracted, target)
    scop = without_runs(scop, contracted)
    scop = with_row_sums(scop) if target.rounds else scop
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
    program = scan(scop, vectors=target.vectors)
    program = replace(program, declarations=tuple(declarations))
    if not target.vectors:
        return program
    program = with_guards_outside(_by_quotients(program))
    return with_narrow_sums(with_loops_continued(program))


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


# Loops with a stride whose body divides by it, as loops over the quotient.
#
# `for y = 6 to U step 2` with the subscript `floord(y, 2)` is `for t = 3 to floord(U, 2)` with `t`:
# the same instances, but compilers see subscripts that grow by one where they saw a division.


def _by_quotients(program: Program) -> Program:
    """The program with those loops over the quotient of their iterator by their step in whose
    bodies a division goes away with that, if the remainder is known. Nothing else changes."""
    declared = {d.name: d.type or DOUBLE for d in program.declarations}
    names = {*program.parameters, *declared, *(f.name for f in program.functions)}
    strides = _Strides(frozenset(names), Types(declared, program.functions))
    return replace(program, body=strides.block(program.body, frozenset()))


@dataclass(frozen=True)
class _Strides:
    """`taken`: names that nothing new may have."""

    taken: frozenset[str]
    types: Types

    def block(self, body: tuple[Stmt, ...], outer: frozenset[str]) -> tuple[Stmt, ...]:
        return tuple(self.statement(s, outer) for s in body)

    def statement(self, s: Stmt, outer: frozenset[str]) -> Stmt:
        match s:
            case Assign():
                return s
            case If():
                then, otherwise = (self.block(b, outer) for b in (s.then, s.otherwise))
                return replace(s, then=then, otherwise=otherwise)
            case For():
                body = self.block(s.body, outer | {s.iterator})
                return self.loop(replace(s, body=body), outer)

    def loop(self, loop: For, outer: frozenset[str]) -> For:
        r = _remainder(loop.lower, loop.step) if loop.step > 1 else None
        if r is None or not any(_vanishes(x, loop) for x in _nodes(loop.body)):
            return loop
        name = Names(self.taken | outer | set(_names(loop.body))).fresh("t")
        value = expression_of(Linear({("i", name): (loop.step, Iterator(name))}, r, True))
        return replace(
            loop,
            iterator=name,
            lower=_quotient(loop.lower, r, loop.step),
            upper=_quotient(loop.upper, r, loop.step),
            body=self.under(loop.body, {loop.iterator: value}),
            step=1,
        )

    def under(self, body: tuple[Stmt, ...], values: Mapping[str, Expr]) -> tuple[Stmt, ...]:
        """Statements under another value of an iterator."""

        def new(e: Expr) -> Expr:
            return plain_literals(substitute(e, values), self.types)

        made: list[Stmt] = []
        for s in body:
            match s:
                case Assign():
                    target = new(s.target)
                    assert isinstance(target, Access)
                    made.append(replace(s, target=target, value=new(s.value)))
                case For():
                    inside = self.under(s.body, values)
                    made.append(replace(s, lower=new(s.lower), upper=new(s.upper), body=inside))
                case If():
                    then, otherwise = (self.under(b, values) for b in (s.then, s.otherwise))
                    test = new(s.condition)
                    made.append(replace(s, condition=test, then=then, otherwise=otherwise))
        return tuple(made)


def _remainder(e: Expr, step: int) -> int | None:
    """What an expression is modulo the step, None if that is not known."""
    match e:
        case Call(function="max", arguments=parts):
            found = {_remainder(p, step) for p in parts}
            return found.pop() if len(found) == 1 else None
    linear = linear_form(e)
    if linear is None or any(c % step for c, _ in linear.terms.values()):
        return None
    return linear.constant % step


def _vanishes(e: Expr, loop: For) -> bool:
    """Whether this is a division that has no remainder to ask for once the iterator is a
    multiple of the step and a constant."""
    match e:
        case Binary(op="floord" | "mod", left=a, right=Number(value=int(d))) if d > 0:
            linear, key = linear_form(a), ("i", loop.iterator)
            if linear is None or key not in linear.terms:
                return False
            return all(
                (c * loop.step if k == key else c) % d == 0 for k, (c, _) in linear.terms.items()
            )
    return False


def _quotient(e: Expr, r: int, step: int) -> Expr:
    """The largest q with `step * q + r <= e`."""
    match e:
        case Call(function="min" | "max", arguments=parts):
            return replace(e, arguments=tuple(_quotient(p, r, step) for p in parts))
    difference = Binary("-", e, Number(r, INT32))
    return normal_form(Binary("floord", difference, Number(step, INT32)))


def _nodes(body: tuple[Stmt, ...]) -> Iter[Expr]:
    return (x for s in every(body) for e in expressions(s) for x in walk(e))


def _names(body: tuple[Stmt, ...]) -> Iter[str]:
    """Of inner loops and of what is shared."""
    yield from (x.name for x in _nodes(body) if isinstance(x, Iterator | Let))
    yield from (s.iterator for s in every(body) if isinstance(s, For))
