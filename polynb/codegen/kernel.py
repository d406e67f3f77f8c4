"""Scop -> the C file of a kernel, which the compiler turns into a shared object."""

from __future__ import annotations

from dataclasses import dataclass, replace

from polynb import isl
from polynb.codegen.declarations import c_declaration, with_positive_extents
from polynb.codegen.scan import scan
from polynb.codegen.strides import by_quotients
from polynb.codegen.waking import versions
from polynb.errors import PolynbError
from polynb.legality.private import private_to
from polynb.scop.arrays import any_live_in
from polynb.scop.model import Array, Scop
from polynb.scop.schedule import walk
from polynb.scop.storage import in_memory
from polynb.source.c.print.layout import laid_out
from polynb.source.c.print.names import check_identifier, is_reserved
from polynb.source.c.print.printer import CUnit
from polynb.source.tree import Declaration

Choice = tuple[str, str]
"""A condition in C, and the function that is called where it holds."""


@dataclass(frozen=True, eq=False)
class KernelSource:
    """A complete C99 translation unit.

    `entry` names its function `int entry(const int64_t *parameters, void **arrays, int threads)`,
    which returns 0, or 1 if there was no memory for the temporaries (nothing is computed then).
    `parameters` and `arguments` say what the two vectors hold, in order; a scalar is passed as
    the address of its one cell. Arguments must not overlap. `threads`: how many threads parallel
    loops run on (1 if the file was compiled without OpenMP).
    """

    text: str
    entry: str
    parameters: tuple[str, ...]
    arguments: tuple[Array, ...]
    temporaries: tuple[Array, ...]


def kernel_arguments(scop: Scop) -> tuple[Array, ...]:
    """All arrays but the temporaries of which no cell is surely read before it is written.

    A temporary whose first content the original program reads (`live_in`) stays an argument of
    what a pass makes of it, as long as some read may still see that content.
    """
    return tuple(a for a in scop.arrays.values() if not _is_internal(a, scop))


def _is_internal(a: Array, scop: Scop) -> bool:
    if a.role != "temp":
        return False
    return not any_live_in(a.name, scop.statements, scop.assumed, private=not a.live_in)


@isl.bounded("the search for the kernel's loops")
def kernel_source(
    scop: Scop,
    *,
    threads: bool = True,
    name: str | None = None,
    schedule: str = "guided",
    always: bool = False,
) -> KernelSource:
    """The C of a program; `name` is the entry's, "kernel" by default.

    `threads=False` leaves the OpenMP pragmas of parallel loops out; with them, the file still
    compiles without OpenMP. `schedule` is how iterations are shared out, in OpenMP's words;
    `always`: also where there are too few to wake threads for.
    Raises PolynbError for functions without a definition, for names that are no identifiers, and
    for temporaries whose size nothing bounds.
    """
    scop, entry = in_memory(scop), _entry(name)
    arguments = kernel_arguments(scop)
    passed = {a.name for a in arguments}
    internal = tuple(a for a in scop.arrays.values() if a.name not in passed)
    marked = {n for node in walk(scop.schedule) for n in private_to(node)}
    heap = tuple(a for a in internal if a.extents and a.name not in marked)
    declared = [_passed(a, scop, first=1) for a in arguments]
    declared += [_passed(a, scop, first=0) for a in heap]
    local = [c_declaration(a, scop.assumed) for a in internal if a not in heap]
    _check_extents(declared, {a.name for a in heap})
    scanned = scan(scop, vectors=True)
    program = by_quotients(replace(scanned, declarations=(*declared, *local)))
    unit = CUnit(program, for_kernel=True, threads=threads, schedule=schedule, taken=(entry,))
    inner = unit.names.fresh(f"{entry}_body")
    bodies, choice = _bodies(unit, entry, inner, always)
    wrapper = _wrapper(unit, entry, inner, choice, len(arguments), _data_dependent(scop))
    text = "\n".join((unit.preamble(), *unit.apart, *bodies, wrapper))
    return KernelSource(text, entry, scop.parameters, arguments, internal)


def _bodies(unit: CUnit, entry: str, inner: str, always: bool) -> tuple[list[str], Choice | None]:
    """The functions that do the work: on one thread, and, if that is not the same, on several."""
    if unit.threads is None or always:
        return [unit.function(inner)], None
    both = versions(unit.program)
    if both.shared is None or both.enough is None:
        return [unit.function(inner, both.shared or both.alone)], None
    shared = unit.names.fresh(f"{entry}_threads")
    texts = [unit.function(shared, both.shared, inline=False), unit.function(inner, both.alone)]
    return texts, (unit.expressions.text(both.enough), shared)


def _data_dependent(scop: Scop) -> set[str]:
    """Arrays that data decides where, or whether, to access: a temporary among them must not hold
    what happened to be in memory, as it may be read before it is written."""
    accesses = (a for s in scop.statements for a in (*s.reads, s.write))
    return {a.array for a in accesses if not a.must}


def _entry(name: str | None) -> str:
    entry = "kernel" if name is None else name
    check_identifier(entry)
    if is_reserved(entry):
        raise PolynbError(f"{entry} cannot be the name of a C function", hint="another name")
    return entry


def _passed(a: Array, scop: Scop, first: int) -> Declaration:
    """How the body takes an array; for it, temporaries are arguments like others."""
    d = c_declaration(a, scop.assumed, "inout" if a.role == "temp" else a.role)
    return with_positive_extents(d, a, scop.assumed, first)


def _check_extents(declared: list[Declaration], heap: set[str]) -> None:
    """C needs the size of every dimension but an argument's first."""
    for d in declared:
        for k, e in enumerate(d.extents or ()):
            if getattr(e, "value", None) == 0 and (k > 0 or d.name in heap):
                raise PolynbError(
                    f"nothing bounds dimension {k + 1} of {d.name}",
                    span=d.span,
                    hint=f"declare its extents: `{d.name}[N]`",
                )


# -- the function that is called ------------------------------------------------------------


def _wrapper(
    unit: CUnit, entry: str, inner: str, choice: Choice | None, passed: int, zeroed: set[str]
) -> str:
    """Unpacks the arguments, finds memory for the temporaries, calls the body, or another by
    choice. (gcc makes other code of a body that begins with the choice.)"""
    fresh = unit.names.fresh
    parameters, arrays, threads = fresh("parameters"), fresh("arrays"), fresh("nthreads")
    unused = []
    lines = []
    for k, p in enumerate(unit.program.parameters):
        lines.append(f"const int64_t {unit.names.of(p)} = {parameters}[{k}];")
    call = [unit.names.of(p) for p in unit.program.parameters]
    for k, d in enumerate(unit.arguments[:passed]):
        call.append(_argument(d, f"{arrays}[{k}]"))
    heap = unit.arguments[passed:]
    for d in heap:
        name = unit.names.of(d.name)
        lines.append(f"void *{name} = {_allocation(unit, d, d.name in zeroed)};")
        call.append(name)
    if unit.threads is not None:
        call.append(f"{threads} > 1 ? {threads} : 1")
    else:
        unused.append(threads)
    unused += [] if unit.program.parameters else [parameters]
    unused += [] if passed else [arrays]
    lines = [f"(void){x};" for x in unused] + lines
    run = [f"{inner}({', '.join(call)});"]
    if choice is not None:
        run = [f"if ({choice[0]})", f"  {choice[1]}({', '.join(call)});", "else", f"  {run[0]}"]
    if heap:
        names = [unit.names.of(d.name) for d in heap]
        failed = fresh("failed")
        lines.append(f"const int {failed} = {' || '.join(f'{n} == NULL' for n in names)};")
        opened, closed = (" {", ["}"]) if len(run) > 1 else ("", [])
        lines += [f"if (!{failed}){opened}", *(f"  {line}" for line in run), *closed]
        lines += [f"free({n});" for n in names]
        lines.append(f"return {failed};")
    else:
        lines += [*run, "return 0;"]
    head = f"int {entry}(const int64_t *{parameters}, void **{arrays}, int {threads})"
    return laid_out((f"{head};", "", f"{head} {{", *(f"  {line}" for line in lines), "}"))


def _argument(d: Declaration, cell: str) -> str:
    """An input scalar is passed by value, everything else by address."""
    if d.extents or d.role != "input" or d.type is None:
        return cell
    return f"*(const {d.type.c_name} *){cell}"


def _allocation(unit: CUnit, d: Declaration, zeroed: bool) -> str:
    extents = d.extents or ()
    sizes = ", ".join(unit.expressions.text(e) for e in extents)
    size = d.type.size if d.type is not None else 8
    allocate = unit.helpers.allocate(zeroed=zeroed)
    return f"{allocate}({size}, (const int64_t[]){{{sizes}}}, {len(extents)})"
