"""Syntax tree -> C99.

Everything a person wrote reaches the compiler through here only: names as checked identifiers,
literals as numbers, operators out of a fixed list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator as Iter, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from polynb.source.c.print.allocated import Allocated, outside
from polynb.source.c.print.apart import TOGETHER, rows_apart
from polynb.source.c.print.declarations import CDeclarations, is_cell, is_local
from polynb.source.c.print.expressions import CExpressions
from polynb.source.c.print.helpers import Helpers, iterations_text
from polynb.source.c.print.lanes import in_lanes, lines_in_lanes
from polynb.source.c.print.layout import indented, laid_out
from polynb.source.c.print.mentions import (
    labels_are_implied,
    names_in,
    program_names,
    reads,
    roots,
    roots_of,
)
from polynb.source.c.print.names import CNames
from polynb.source.c.print.ordered import BARRIER, rewrites_itself
from polynb.source.c.print.rows import divided_rows, rows_exist
from polynb.source.c.print.vectors import in_vectors
from polynb.source.collapsing import collapsed, nest_of
from polynb.source.functions import EXTREMA
from polynb.source.lower_bounds import LowerBounds
from polynb.source.mistakes import mistake
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Declaration,
    For,
    If,
    Iterator,
    Number,
    Parameter,
    Program,
    Stmt,
    every,
    statements,
    walk,
)
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT64

PARTS: Final = 32
"""Into how many parts for each thread a parallel loop is divided: guided schedules begin with many
of them at once."""


def print_function(program: Program, large: Collection[str] = ()) -> str:
    """A C99 file with one function, `void NAME(int64_t N, ..., double A[N + 1], ...)`.

    The declarations must have types and extents. Temporaries are local arrays (`large` ones are
    allocated for each iteration of a loop that has them private), input scalars values, other
    scalars pointers; names that C uses itself are changed. Labels are printed unless the statements
    would be called so anyway. Raises PolynbError for names that are no identifiers and for
    functions without a definition. What is assumed of the parameters it asserts.
    """
    unit = CUnit(program, large=large)
    body = unit.function(unit.names.function(program.name))
    return f"{unit.preamble()}\n{body}"


class CUnit:
    """A C file in the making. `for_kernel`: arrays are restrict, what is only read is const, and
    parallel loops run on as many threads as an argument says, or on one if not `threads`, which
    share out iterations as OpenMP's `schedule` does: "static", all at once, or "guided", ever fewer
    at a time, so that a thread that wakes late or shares its processor gets less to do.
    `taken`: C names that are given away already. `large`: local arrays that are on the heap where
    loops have them private. `apart`: the functions that were printed for loops."""

    def __init__(
        self,
        program: Program,
        *,
        for_kernel: bool = False,
        threads: bool = True,
        schedule: str = "guided",
        taken: Sequence[str] = (),
        large: Collection[str] = (),
    ) -> None:
        self.program = program
        self.for_kernel = for_kernel
        self.names = CNames()
        for name in taken:
            self.names.fresh(name)
        self.names.add(program_names(program))
        self.labels = CNames()
        self.labels.add(s.label for s in statements(program.body) if s.label)
        self.implied = not for_kernel and labels_are_implied(program)
        self.threads = self.names.fresh("threads") if for_kernel and threads else None
        self.parallel = threads
        self.schedule = schedule
        self.helpers = Helpers(self.names, for_kernel=for_kernel)
        self.arguments = [d for d in program.declarations if not is_local(d)]
        local = [d for d in program.declarations if is_local(d)]
        self.locals = [d for d in local if d.name not in large]
        self.read = {x.array for x in reads(program)}
        self.expressions = CExpressions(
            self.names,
            Types({d.name: d.type or DOUBLE for d in program.declarations}, program.functions),
            self.helpers,
            frozenset(d.name for d in self.arguments if is_cell(d)),
            LowerBounds.of_parameters(program.assumptions),
        )
        self.declarations = CDeclarations(self.expressions, self.names, self.read, for_kernel)
        allocated = [d for d in local if d.name in large]
        self.allocated = Allocated(allocated, self.declarations, self.helpers)
        self.apart: list[str] = []
        self._name_extrema()

    def _name_extrema(self) -> None:
        """Bounds and subscripts get the plain `min` and `max`, which programs that read C know
        to be affine."""
        types = self.expressions.types
        for root in roots(self.program):
            for e in walk(root):
                if isinstance(e, Call) and e.function in EXTREMA and types.of(e) is INT64:
                    self.helpers.extremum(e.function, INT64)

    def preamble(self) -> str:
        """The headers and helper functions that everything printed so far needs."""
        headers = "".join(f"#include <{h}>\n" for h in sorted(self.helpers.headers))
        return "\n".join((headers, *self.helpers.texts))

    def function(self, name: str, version: Program | None = None) -> str:
        """The function's definition; `name` is a C name. `version`: what it does, if that is not
        the program as it is. A kernel's is not inlined: gcc knows less of the arrays where it is
        (a tiled covariance took 1.2 to 1.7 times as long)."""
        known = self.expressions.asserted(self.program.assumptions)
        first = self._unused() if self.for_kernel else known
        body = (version or self.program).body
        shared = outside(body, [d.name for d in self.allocated.arrays])
        block = self.allocated.around(self.allocated.of(shared), self._block(body))
        inside = (*first, *self.declarations.local(self.locals), *block)
        own = (self.helpers.apart(),) if self.for_kernel else ()
        head = f"{'static ' if self.for_kernel else ''}void {name}({self._signature()}) {{"
        return laid_out((*own, head, *indented(inside), "}"))

    # -- declarations ----------------------------------------------------------------------

    def _signature(self) -> str:
        parts = [f"int64_t {self.names.of(p)}" for p in self.program.parameters]
        parts += [self.declarations.argument(d) for d in self.arguments]
        if self.threads is not None:
            parts.append(f"int {self.threads}")
        return ", ".join(parts) or "void"

    def _unused(self) -> Iter[str]:
        """What keeps compilers from warning of arguments that the body does not mention."""
        mentioned = {n for e in roots(self.program) for n in names_in(e)}
        for n in (*self.program.parameters, *(d.name for d in self.arguments)):
            if n not in mentioned:
                yield f"(void){self.names.of(n)};"
        if self.threads is not None:
            yield f"(void){self.threads};"

    # -- statements ------------------------------------------------------------------------

    def _block(self, body: tuple[Stmt, ...]) -> Iter[str]:
        for s in body:
            match s:
                case Assign():
                    yield from self._assign(s, alone=len(body) == 1)
                case For() if (s.apart or self._copied(s)) and self._can_be_called(s):
                    yield self._called(s)
                case For() if self._copied(s):
                    yield from self._loop(replace(s, kind="sequential", private=()))
                case For():
                    yield from self._loop(s)
                case If():
                    yield from self._if(s)

    def _copied(self, s: For) -> bool:
        """Whether each thread has arrays of its own in a loop that are on the heap."""
        return self.for_kernel and any(d.name in s.private for d in self.arguments)

    def _can_be_called(self, s: For) -> bool:
        """Whether a loop can be shared out by a function of its own: threads are there, and it
        leaves nothing in the function's own variables."""
        own = {d.name for d in self.locals} - {*s.private}
        shared = s.kind == "parallel" or collapsed(s) > 0
        kept = any(x.target.array in own for x in statements(s.body))
        return self.threads is not None and shared and not kept

    def _called(self, s: For) -> str:
        """A call of a new function that shares out a loop's iterations to threads, in parts.

        Compilers move what threads run into a function of its own, and gcc forgets there that
        arrays do not overlap: gesummv's sums stayed in memory, and it took twice as long on two
        threads as on one. So a part is a function of ours, compiled as the loop on one thread is.
        """
        *outside, inner = nest = nest_of(s)
        private = {n for x in nest for n in x.private}
        first, last, *_ = self._of_parts
        for x in outside:
            self.expressions.bounds.enter(x)
        own = [d for d in self.locals if d.name in private]
        end = f"{'<=' if inner.step > 0 else '>='} {last}"
        known = inner.lower.value if isinstance(inner.lower, Number) and inner.step > 0 else None
        # what conditions inside make of that is lost in a function
        least = () if known is None else (f"if ({first} < {known}) __builtin_unreachable();",)
        lines = (*least, *self.declarations.local(own), *self._counting(inner, first, end))
        ends = f"int64_t {first}", f"int64_t {last}"
        bare = replace(inner, lower=Number(0, INT64), upper=Number(0, INT64), worth=None)
        hidden = {d.name for d in own}
        name, given = self._function("part", bare, hidden, ends, lines)
        passed = "".join(f"{self._of_this_thread(x, private)}, " for x in given)
        lines = (*self._shared_out(nest, name, passed),)
        for x in outside:
            self.expressions.bounds.leave(x)
        name, given = self._function("in_parallel", s, hidden, (f"int {self.threads}",), lines)
        return f"{name}({', '.join((*map(self.names.of, given), str(self.threads)))});"

    def _of_this_thread(self, name: str, private: Collection[str]) -> str:
        """An argument, or the part of it that a thread has for itself: there are as many, one
        behind the other, as threads."""
        text = self.names.of(name)
        extents = next((d.extents for d in self.arguments if d.name == name), None)
        if name not in private or not extents:
            return text
        rows = self.expressions.text(extents[0])
        return f"{text} + {self.helpers.this_thread()}() * ({rows})"

    @cached_property
    def _of_parts(self) -> tuple[str, ...]:
        """The names of the integers of loops that are shared out in parts."""
        return tuple(map(self.names.fresh, ("first", "last", "turn", "turns", "size")))

    def _shared_out(self, nest: Sequence[For], part: str, passed: str) -> Iter[str]:
        """The iterations of the innermost loop of a nest of parallel loops, `size` at a time."""
        *outside, inner = nest
        first, last, turn, turns, size = self._of_parts
        yield f"const int64_t {first} = {self.expressions.text(inner.lower)};"
        yield f"const int64_t {last} = {self.expressions.text(inner.upper)};"
        yield f"const int64_t {turns} = {iterations_text(first, last, inner.step)};"
        parts = f"{PARTS} * {self.threads}"
        yield f"const int64_t {size} = {turns} > 0 ? {turns} / ({parts}) + 1 : 1;"
        yield from self._pragma(replace(nest[0], private=()), len(nest) if outside else 0)
        for k, x in enumerate(outside):
            yield "  " * k + self._head(x, self.expressions.text(x.lower), self._end(x))
        step = "" if inner.step == 1 else f" * {inner.step}"
        after = f"{turn} + {size}"
        end = f"{after} < {turns} ? {first} + ({after} - 1){step} : {last}"
        indent = "  " * len(outside)
        yield f"{indent}for (int64_t {turn} = 0; {turn} < {turns}; {turn} += {size})"
        yield f"{indent}  {part}({passed}{first} + {turn}{step}, {end});"
        yield from ("  " * k + "}" for k in reversed(range(len(outside))))

    def _function(
        self, name: str, s: For, private: Collection[str], own: Sequence[str], lines: Iterable[str]
    ) -> tuple[str, tuple[str, ...]]:
        """A new function with these lines, which do what a loop does; what it is called, and what
        is passed to it before arguments of its `own`."""
        numbers, arrays = self._needed(s, private)
        signature = [f"int64_t {self.names.of(n)}" for n in numbers]
        signature += [*(self.declarations.argument(d) for d in arrays), *own]
        name = self.names.fresh(name)
        head = f"static void {name}({', '.join(signature)}) {{"
        self.apart.append(laid_out((self.helpers.apart(), head, *indented(lines), "}")))
        return name, (*numbers, *(d.name for d in arrays))

    def _needed(self, s: For, private: Collection[str]) -> tuple[list[str], list[Declaration]]:
        """The parameters and iterators around, and the arrays, that a loop or extents mention."""
        nodes = [x for e in roots_of((s,)) for x in walk(e)]
        names = {x.array for x in nodes if isinstance(x, Access)} - {*private}
        declared = [d for d in (*self.arguments, *self.locals) if d.name in {*names, *private}]
        arrays = [d for d in declared if d.name in names]
        sizes = (x for d in declared for e in d.extents or () for x in walk(e))
        used = {x.name for x in (*nodes, *sizes) if isinstance(x, Parameter | Iterator)}
        for x in nodes:
            if isinstance(x, Call) and x.function in self.expressions.types.functions:
                used |= {*self.expressions.inherited(x.function)}
        around = used - {x.iterator for x in every((s,)) if isinstance(x, For)}
        parameters = [p for p in self.program.parameters if p in around]
        return parameters + sorted(around - {*parameters}), arrays

    def _assign(self, s: Assign, *, alone: bool) -> Iter[str]:
        lets, value = self.expressions.with_lets(s.value)
        line = f"{self.expressions.text(s.target)} = {value};"
        label = ""
        if s.label and self.for_kernel:
            line += f"  // {s.label}"
        elif s.label and not self.implied:
            label = f"{self.labels.of(s.label)}: "
        if not lets or alone:
            yield from (*lets, label + line)
            return
        yield "{"  # a label of the block would be the name of no statement
        yield from indented((*lets, label + line))
        yield "}"

    def _loop(self, s: For, *, shared: int = 0) -> Iter[str]:
        """`shared`: how many loops, from this one in, belong to a collapsed loop outside."""
        rows = self._rows(s)
        found = [a for _, a in rows.values()]
        if lanes := self.for_kernel and in_lanes(s, self.program.declarations, self.expressions):
            yield from ("#ifndef " + self.helpers.shuffles(), *self._pragma(s, 0), "#endif")
            begin, end = self.expressions.text(s.lower), self._end(s)
            first = lines_in_lanes(s, lanes, end, self.expressions, self._counting)
            yield from self._counting(s, begin, end, first=first)
        elif not rows_exist(s, found, self.program.declarations, self.expressions.bounds):
            yield f"if ({self.expressions.text(s.lower)} {self._end(s)}) {{"
            yield from indented(self._with_rows(s, rows, shared))
            yield "}"
        else:
            yield from self._with_rows(s, rows, shared)

    def _with_rows(self, s: For, rows: Mapping[str, tuple[str, Access]], shared: int) -> Iter[str]:
        inputs = {d.name for d in self.arguments if d.role == "input"}
        for found, (row, a) in rows.items():
            const, kind = "const " * (a.array in inputs), self.expressions.types.of(a).c_name
            yield f"{const}{kind} *const {row} = {found};"
        if not shared:
            shared = collapsed(s)
            yield from self._pragma(s, shared)
        self.expressions.rows.update({found: row for found, (row, _) in rows.items()})
        yield from self._counting(s, self.expressions.text(s.lower), self._end(s), shared)
        for found in rows:
            del self.expressions.rows[found]

    def _rows(self, s: For) -> dict[str, tuple[str, Access]]:
        """The rows that a vector loop of a kernel finds by a division, and what points to them."""
        vectors = self.for_kernel and s.kind == "vector"
        rows = {self.expressions.row(a): a for a in divided_rows(s)} if vectors else {}
        return {row: (self.names.fresh(f"{a.array}_row"), a) for row, a in rows.items()}

    def _counting(
        self, s: For, lower: str, end: str, shared: int = 0, first: Iterable[str] = ()
    ) -> Iter[str]:
        """A loop from its first iteration or another one on, while `end` holds; `first`: lines."""
        yield self._head(s, lower, end)
        if self.for_kernel and s.kind == "sequential" and rewrites_itself(s):
            yield f"  {BARRIER}  // one iteration after the other"
        self.expressions.bounds.enter(s)
        yield from indented(first)
        match s.body:
            case (For() as inner,) if shared > 1:
                yield from indented(self._loop(inner, shared=shared - 1))
            case body:
                yield from indented(self.allocated.privately(s.private, self._block(body)))
        self.expressions.bounds.leave(s)
        yield "}"

    def _head(self, s: For, lower: str, end: str) -> str:
        if s.step == 0:
            raise mistake("c.step-zero-printed", s.span)
        i = self.names.of(s.iterator)
        advance = {1: f"{i}++", -1: f"{i}--"}.get(s.step)
        if advance is None:
            advance = f"{i} {'+' if s.step > 0 else '-'}= {abs(s.step)}"
        return f"for (int64_t {i} = {lower}; {i} {end}; {advance}) {{"

    def _end(self, s: For) -> str:
        """`<= upper`, written `< n` where upper is n - 1."""
        match s.upper:
            case Binary(op="-", left=n, right=Number(value=1)) if s.step > 0:
                return f"< {self.expressions.text(n)}"
        return f"{'<=' if s.step > 0 else '>='} {self.expressions.text(s.upper)}"

    def _pragma(self, s: For, together: int) -> Iter[str]:
        large = {d.name for d in self.allocated.of(s.private)}
        names = ", ".join(self.names.of(n) for n in s.private if n not in large)
        private = f" private({names})" if names else ""
        if s.kind == "vector" and not large:
            yield from in_vectors(s, private, self.expressions.types if self.for_kernel else None)
        elif (s.kind == "parallel" or together) and self.parallel:
            loops = f" collapse({together})" if together else ""
            number = f" num_threads({self.threads})" if self.threads is not None else ""
            yield "#ifdef _OPENMP"
            worth = f" if({self.expressions.text(s.worth)})" if s.worth is not None else ""
            worth += "  // enough operations to wake threads for" if worth and not number else ""
            clauses = f"{number} schedule({self.schedule}){private}{worth}"
            yield f"#pragma omp parallel for{loops}{clauses}"
            yield "#endif"
        elif self.for_kernel and rows_apart(s, {d.name for d in self.locals}):
            yield TOGETHER

    def _if(self, s: If, head: str = "if") -> Iter[str]:
        yield f"{head} ({self.expressions.text(s.condition)}) {{"
        with self.expressions.bounds.where(s.condition):
            yield from indented(self._block(s.then))
        match s.otherwise:
            case (If() as another,):
                yield from self._if(another, "} else if")
            case otherwise:
                inside = indented(self._block(otherwise))
                yield from ("} else {", *inside, "}") if otherwise else "}"
