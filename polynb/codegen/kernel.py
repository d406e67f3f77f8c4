"""The C file of a kernel, which the compiler turns into a shared object: where its arrays are, and
the function that is called. `lower` tells how a program becomes one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from polynb.codegen.declarations import c_declaration, with_positive_extents
from polynb.codegen.masked import reads_in_groups, selects_in_vectors
from polynb.codegen.waking import Versions
from polynb.codegen.zeroed import begin_as_zeros
from polynb.errors import PolynbError
from polynb.legality.private import ALL_ON_STACK, ON_STACK, marked_private, most_bytes
from polynb.scop.arrays import any_live_in, cells
from polynb.scop.model import Array, Scop
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
    loops run on (1 if the file was compiled without OpenMP). `private`: the temporaries of which
    each thread has its own. `groups`: whether it reads cells under conditions in groups,
    `selects`: whether it selects values in vectors (`masked.py`).
    """

    text: str
    entry: str
    parameters: tuple[str, ...]
    arguments: tuple[Array, ...]
    temporaries: tuple[Array, ...]
    private: frozenset[str]
    groups: bool = False
    selects: bool = False


@dataclass(frozen=True, eq=False)
class KernelArrays:
    """Where the arrays of a kernel are: `arguments` come from the caller, the `heap` is asked for
    memory for large temporaries, the others are `local`, on the stack. `declarations` has all of
    them, in this order. Of `private` ones on the heap each thread has its own."""

    arguments: tuple[Array, ...]
    temporaries: tuple[Array, ...]
    heap: tuple[Array, ...]
    private: frozenset[str]
    declarations: tuple[Declaration, ...]


def kernel_arrays(scop: Scop) -> KernelArrays:
    """Where the arrays of a program are when it is a kernel.

    Raises PolynbError for temporaries whose size nothing bounds.
    """
    arguments = kernel_arguments(scop)
    passed = {a.name for a in arguments}
    temporaries = tuple(a for a in scop.arrays.values() if a.name not in passed)
    own = {n for n in marked_private(scop.schedule) if scop.arrays[n].extents}
    private = large_private(scop) | (own & begin_as_zeros(scop) if own else set())
    stack = {*marked_private(scop.schedule)} - private
    heap = tuple(a for a in temporaries if a.extents and a.name not in stack)
    declared = [_passed(a, scop, first=1) for a in arguments]
    declared += [_passed(a, scop, first=0) for a in heap]
    declared += [_local(a, scop) for a in temporaries if a not in heap]
    check_extents(declared, passed)
    return KernelArrays(arguments, temporaries, heap, private - passed, tuple(declared))


def large_private(scop: Scop) -> frozenset[str]:
    """The arrays with private marks that are too large for the stack, alone or after others."""
    large, left = set(), ALL_ON_STACK
    for a in (scop.arrays[n] for n in marked_private(scop.schedule)):
        if a.extents:
            size = most_bytes(a, scop.assumed)
            if size is None or size > min(ON_STACK, left):
                large.add(a.name)
            else:
                left -= size
    return frozenset(large)


def kernel_arguments(scop: Scop) -> tuple[Array, ...]:
    """All arrays but the temporaries of which no cell is surely read before it is written.

    A temporary whose first content the original program reads (`live_in`) stays an argument of
    what a pass makes of it, as long as some read may still see that content.
    """
    return tuple(a for a in scop.arrays.values() if not _is_internal(a, scop))


def _is_internal(a: Array, scop: Scop) -> bool:
    if a.role != "temp":
        return False
    private = not a.live_in
    return not any_live_in(a.name, scop.statements, scop.assumed, private=private, inside=cells(a))


def kernel_file(
    scop: Scop,
    arrays: KernelArrays,
    versions: Versions,
    *,
    entry: str = "kernel",
    threads: bool = True,
    schedule: str = "guided",
) -> KernelSource:
    """The C of a program's versions, and of the function `entry` that calls one of them.

    `threads=False` leaves the OpenMP pragmas of parallel loops out; with them, the file still
    compiles without OpenMP. `schedule` is how iterations are shared out, in OpenMP's words.
    Raises PolynbError for functions without a definition, and for names that are no identifiers.
    """
    _check_entry(entry)
    unit = CUnit(versions.body, for_kernel=True, threads=threads, schedule=schedule, taken=(entry,))
    inner = unit.names.fresh(f"{entry}_body")
    texts, choice = [], None
    if versions.shared is not None and versions.enough is not None:
        shared = unit.names.fresh(f"{entry}_threads")
        texts.append(unit.function(shared, versions.shared))
        choice = unit.expressions.text(versions.enough), shared
    texts.append(unit.function(inner, versions.body))
    wrapper = _wrapper(unit, entry, inner, choice, arrays, begin_as_zeros(scop))
    text = "\n".join((unit.preamble(), *unit.apart, *texts, wrapper))
    own = arrays.private if threads else frozenset[str]()
    body = versions.body
    return KernelSource(
        text, entry, scop.parameters, arrays.arguments, arrays.temporaries, own,
        reads_in_groups(body), selects_in_vectors(body),
    )  # fmt: skip


def _check_entry(entry: str) -> None:
    check_identifier(entry)
    if is_reserved(entry):
        raise PolynbError(f"{entry} cannot be the name of a C function", hint="another name")


def _passed(a: Array, scop: Scop, first: int) -> Declaration:
    """How the body takes an array; for it, temporaries are arguments like others."""
    d = c_declaration(a, scop.assumed, "inout" if a.role == "temp" else a.role)
    return with_positive_extents(d, a, scop.assumed, first)


def _local(a: Array, scop: Scop) -> Declaration:
    return with_positive_extents(c_declaration(a, scop.assumed), a, scop.assumed, first=0)


def check_extents(declared: Iterable[Declaration], passed: Collection[str]) -> None:
    """C needs the size of every dimension but the first of what is passed. Raises PolynbError where
    nothing bounds it."""
    for d in declared:
        extents = d.extents or ()
        for k, e in enumerate(extents):
            if getattr(e, "value", None) == 0 and (k > 0 or d.name not in passed):
                raise PolynbError(
                    f"nothing bounds dimension {k + 1} of {d.name}",
                    span=d.span,
                    hint=f"declare its extents: `{d.name}{'[N]' * len(extents)}`",
                )


# -- the function that is called ------------------------------------------------------------


def _wrapper(
    unit: CUnit,
    entry: str,
    inner: str,
    choice: Choice | None,
    held: KernelArrays,
    zeroed: set[str],
) -> str:
    """Unpacks the arguments, finds memory for the temporaries, calls the body, or another by
    choice. (gcc makes other code of a body that begins with the choice.)"""
    fresh = unit.names.fresh
    parameters, arrays, threads = fresh("parameters"), fresh("arrays"), fresh("nthreads")
    several = f"{threads} > 1 ? {threads} : 1"
    passed = len(held.arguments)
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
        copies = several if d.name in held.private and unit.threads is not None else ""
        lines.append(f"void *{name} = {_allocation(unit, d, d.name in zeroed, copies)};")
        call.append(name)
    if unit.threads is not None:
        call.append(several)
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


def _allocation(unit: CUnit, d: Declaration, zeroed: bool, copies: str) -> str:
    extents = [*([copies] if copies else []), *map(unit.expressions.text, d.extents or ())]
    sizes = ", ".join(extents)
    size = d.type.size if d.type is not None else 8
    allocate = unit.helpers.allocate(zeroed=zeroed)
    return f"{allocate}({size}, (const int64_t[]){{{sizes}}}, {len(extents)})"
