"""Time programs against each other: the same data, equal results, interleaved rounds."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import ArrayLike

from polynb import isl
from polynb.arguments import count, function, named, optional, seconds as positive
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.run import shared
from polynb.run.arguments import integer
from polynb.run.comparison import compare
from polynb.run.indices import index_limits
from polynb.run.inference import sizes_from
from polynb.run.kernel import Kernel, checked_options, compile
from polynb.run.resources import memory_errors
from polynb.run.signature import KernelCall
from polynb.run.timing import Timing
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import extents_at
from polynb.source.names import new_name

Program = Scop | Derivation | Kernel
Progress = Callable[[str, int, int], None]
Samples = tuple[tuple[float, ...], ...]
Beside = Callable[
    [Sequence[Kernel], Mapping[str, object]], Sequence[tuple[Kernel, Mapping[str, object]]]
]

ROUNDS: Final = (5, 1000)  # the fewest and the most that are chosen when none are asked for
MOST: Final = 1_000_000  # rounds that can be asked for
AT_ONCE: Final = 1 << 20  # so many numbers are drawn before Ctrl-C is looked for
INTEGERS: Final = 100  # so many different ones are drawn: every type holds them


def measure(
    programs: Program | Sequence[Program] | Mapping[str, Program],
    arrays: Mapping[str, ArrayLike] | None = None,
    /,
    *,
    threads: int | None = None,
    heap: str = "kept",
    rounds: int | None = None,
    seconds: float = 2.0,
    fast_math: bool = False,
    compiler: str | None = None,
    flags: Sequence[str] | str = (),
    timeout: float | None = 60.0,
    parallel: str = "balanced",
    independent: str | Sequence[str] = (),
    progress: Progress | None = None,
    **values: ArrayLike,
) -> Timing:
    """Compile programs, check that they compute the same, and time them in turn.

    The first program is the baseline; a Derivation in a sequence stands for its stages, under a
    label for its result. Parameters and input arrays are given by name, in `arrays` or as
    keywords; parameters may be left out that follow from the shapes of the arrays given. An input
    that is not given is filled with seeded random numbers (floats from 0.5 to 1.5, integers from 0
    to 99, or as far as what they are subscripts of has cells); parallel loops are chosen for these
    sizes (`parallel` and `independent` as for `compile`). After one call for the comparison and one
    to warm up, each round calls every program once, in an order of its own: `rounds` of them, or as
    many as take about `seconds`, at least 5. `progress` is called with what is being done, how much
    of it is done, and of how much.

    Raises PolynbError if a program cannot be compiled or called, or if a result differs from the
    baseline's: in a single bit (NaNs count as equal), or with `fast_math` by more than
    `comparison.TOLERANCE` allows.
    """
    return measured_beside(
        programs, arrays, values, lambda kernels, given: (), rounds=rounds, seconds=seconds,
        progress=progress, threads=threads, heap=heap, fast_math=fast_math, compiler=compiler,
        flags=flags, timeout=timeout, parallel=parallel, independent=independent,
    )[0]  # fmt: skip


def measured_beside(
    programs: Program | Sequence[Program] | Mapping[str, Program],
    arrays: Mapping[str, ArrayLike] | None,
    values: Mapping[str, ArrayLike],
    beside: Beside,
    *,
    rounds: int | None,
    seconds: float,
    progress: Progress | None,
    **options: Any,
) -> tuple[Timing, Samples]:
    """`measure`, and the times of kernels that run in the same rounds `beside` the programs: a
    function of their kernels and all that is given, which says with what each is called."""
    rounds, seconds = optional(count, "rounds", rounds, most=MOST), positive("seconds", seconds)
    checked_options(*(options[o] for o in ("threads", "fast_math", "flags", "heap", "timeout")))
    optional(function, "progress", progress, "a function(what, done, total)")
    report = progress or (lambda what, done, total: None)
    given = {**_once(arrays, values), **values}
    labelled = variants(programs)
    labels = [label for label, _ in labelled]
    for _, program in labelled:
        given = {**given, **sizes_of(program, given)}
    kernels = _compiled(labelled, given, report, **options)
    others = beside(kernels, given)
    with ExitStack() as stack:
        stack.enter_context(memory_errors(labels[0]))
        calls, data = prepared(kernels, given)
        _refuse_too_large(kernels, calls)
        apart = [prepared([k], v)[0][0] for k, v in others]
        stack.callback(_released, [*calls, *apart])
        bounds = [stack.enter_context(k.bound(c)) for k, c in zip(kernels, calls, strict=True)]
        fast = any(k.fast_math for k in kernels)
        agreement = compare(labels, bounds, fast, report, _decided(labelled))
        also = [stack.enter_context(k.bound(c)) for (k, _), c in zip(others, apart, strict=True)]
        samples = timed([*bounds, *also], rounds, seconds, report)
        peaks = tuple(b.peak for b in bounds)
    own, beside_them = samples[: len(bounds)], samples[len(bounds) :]
    found = _timing(labels, kernels, calls, data, agreement, own)
    return replace(found, peaks=peaks), beside_them


def _released(calls: Iterable[KernelCall]) -> None:
    """Give back the inputs: Ctrl-C while they are freed, which takes a while, comes afterwards."""
    with isl.postponed():
        for call in calls:
            call.given.clear()


def sizes_of(program: Scop | Kernel, given: Mapping[str, object]) -> Mapping[str, int]:
    """The parameter values that follow from the shapes of the arrays given."""
    if isinstance(program, Kernel):
        of = program.signature
        return sizes_from(of.arrays, of.parameters, given, of.context).values
    arrays = program.arrays.values()
    return sizes_from(arrays, program.parameters, given, program.context).values


def _compiled(
    labelled: Sequence[tuple[str, Scop | Kernel]],
    given: Mapping[str, object],
    report: Progress,
    **options: Any,
) -> list[Kernel]:
    """The programs as kernels, with parallel loops for the parameter values given."""
    kernels: list[Kernel] = []
    for k, (label, program) in enumerate(labelled):
        report(f"compile {label}", k, len(labelled))
        if isinstance(program, Scop):
            sizes = {p: integer(p, given[p]) for p in program.parameters if p in given}
            program = compile(program, sizes=sizes, **options)
        kernels.append(program)
    return kernels


def _timing(
    labels: Sequence[str],
    kernels: Sequence[Kernel],
    calls: Sequence[KernelCall],
    data: str,
    agreement: str,
    samples: tuple[tuple[float, ...], ...],
) -> Timing:
    memory = tuple(k.signature.memory(c) for k, c in zip(kernels, calls, strict=True))
    threads = max(k.threads for k in kernels)
    said = [w for k in kernels for w in k.warnings] + [n for c in calls for n in c.notes]
    said += [
        f"{label} runs on {k.threads} of {threads} threads"
        for label, k in zip(labels, kernels, strict=True)
        if k.threads < threads
    ]
    parameters = {name: v for c in calls for name, v in c.parameters.items()}
    return Timing(
        labels=tuple(labels),
        samples=samples,
        memory=memory,
        parameters=parameters,
        data=data,
        agreement=agreement,
        compiler=" / ".join(dict.fromkeys(k.compiler for k in kernels)),
        flags=kernels[0].flags,
        threads=threads,
        heap=" / ".join(dict.fromkeys(k.heap for k in kernels)),
        warnings=tuple(dict.fromkeys(said)),
    )


def _refuse_too_large(kernels: Sequence[Kernel], calls: Sequence[KernelCall]) -> None:
    """All kernels have their arrays at once, but for inputs, which are there and shared."""
    need = 0
    for kernel, call in zip(kernels, calls, strict=True):
        need += kernel.signature.memory(call)
        inputs = (a.name for a in kernel.signature.arrays if a.role == "input")
        need -= sum(call.given[n].nbytes for n in inputs if n in call.given)
    kernels[0].refuse_too_large(calls[0].parameters, need)


def _decided(programs: Sequence[tuple[str, Scop | Kernel]]) -> tuple[str, ...]:
    """The arrays that have a subscript which depends on data."""
    found: dict[str, None] = {}
    for _, program in programs:
        for s in program.statements if isinstance(program, Scop) else ():
            found |= {a.array: None for a in s.accesses if not a.must and a.node.subscripts}
    return tuple(found)


def _once(arrays: Mapping[str, object] | None, values: Mapping[str, object]) -> dict[str, object]:
    given = {} if arrays is None else named("arrays", arrays, what="array")
    for name in given:
        if name in values:
            raise PolynbError(f"{name} is given twice", hint="once, by keyword or in the dict")
    return given


# -- programs ------------------------------------------------------------------------------


def variants(
    programs: Program | Sequence[Program] | Mapping[str, Program],
) -> list[tuple[str, Scop | Kernel]]:
    """The programs to time and what to call them, the baseline first; each once."""
    found: list[tuple[str, Scop | Kernel]] = []
    if isinstance(programs, Mapping):
        for name, program in programs.items():
            result = program.result if isinstance(program, Derivation) else program
            found.append((str(name), _checked(result)))
    else:
        alone = isinstance(programs, Scop | Derivation | Kernel)
        sequence: Iterable[object] = (
            programs if isinstance(programs, Iterable) and not alone else (programs,)
        )
        for each in sequence:
            for label, stage in _stages(each):
                if not any(stage is known for _, known in found):
                    found.append((_unused(label, [known for known, _ in found]), stage))
    if not found:
        raise PolynbError("there is nothing to time", hint="pn.measure([scop, derivation], N=...)")
    return found


def _stages(program: object) -> list[tuple[str, Scop | Kernel]]:
    if not isinstance(program, Derivation):
        alone = _checked(program)
        return [(alone.name, alone)]
    _checked(program.result)
    first, *later = program.stages
    names = [f"{program.name}, stage {k + 1}" for k in range(len(later) - 1)]
    return [(first.name, first), *zip([*names, program.name], later, strict=False)]


def _checked(program: object) -> Scop | Kernel:
    if not isinstance(program, Scop | Kernel):
        raise PolynbError(
            f"a program is needed, not {type(program).__name__}",
            hint="a Scop (pn.parse), a Derivation (what a pass returned) or a Kernel (pn.compile)",
        )
    return program


def _unused(label: str, taken: Sequence[str]) -> str:
    return new_name(label, taken, f"{label} ")


# -- rounds --------------------------------------------------------------------------------


class Runnable(Protocol):
    """What can be timed: a bound kernel."""

    def reset(self) -> None: ...
    def run(self) -> float: ...


def timed(
    variants: Sequence[Runnable], rounds: int | None, seconds: float, report: Progress
) -> tuple[tuple[float, ...], ...]:
    """The times of each variant. Every round, the first of which is not counted, runs each once,
    in an order of its own."""
    fewest, most = ROUNDS
    order = list(range(len(variants)))
    warm = _round(variants, order)
    if rounds is None:
        rounds = min(max(int(seconds / max(sum(warm), 1e-9)), fewest), most)
    samples: list[list[float]] = []
    chance = random.Random(0)
    for k in range(rounds):
        report("time", k, rounds)
        # Who comes later finds inputs in the caches: an order and its reverse make up for that.
        if k % 2:
            order.reverse()
        else:
            chance.shuffle(order)
        samples.append(_round(variants, order))
    report("time", rounds, rounds)
    return tuple(zip(*samples, strict=True))


def _round(variants: Sequence[Runnable], order: Sequence[int]) -> list[float]:
    times = [0.0] * len(variants)
    for k in order:
        variants[k].reset()
        times[k] = variants[k].run()
    return times


# The inputs that programs are timed on: what was given, and seeded random numbers for the rest.


def prepared(
    kernels: Sequence[Kernel], named: Mapping[str, object]
) -> tuple[list[KernelCall], str]:
    """The checked call of each kernel, on arrays they share, and what the arrays hold."""
    known = [{*k.signature.parameters, *(a.name for a in k.signature.arrays)} for k in kernels]
    for name in named:
        if not any(name in names for names in known):
            kernels[0].signature.merged(None, {name: named[name]})  # says what is known instead
    content: dict[tuple[str, np.dtype[Any]], np.ndarray] = {}
    drawn: dict[str, np.ndarray] = {}
    calls, given = [], set()
    limits, types = _limits(kernels, named, known), _types(kernels)
    for kernel, names in zip(kernels, known, strict=True):
        signature = kernel.signature
        own = {n: v for n, v in named.items() if n in names}
        parameters = signature.checked_parameters(own)
        kernel.refuse_too_large(parameters, signature.memory_at(parameters))
        given |= {a.name for a in signature.arrays if a.name in own}
        for array in signature.arrays:
            shape = extents_at(array, parameters)
            if array.name in own or not signature.needs(array) or None in shape:
                continue
            if array.name not in drawn:
                of, limit = types[array.name], limits.get(array.name, INTEGERS)
                made = random_data(of, tuple(e or 0 for e in shape), limit)
                drawn[array.name] = content[array.name, made.dtype] = made
            own[array.name] = drawn[array.name]
        call = signature.call(None, own)
        for name, held in call.given.items():
            if (name, held.dtype) not in content:
                content[name, held.dtype] = shared.empty(held.shape, held.dtype.name)
                content[name, held.dtype][...] = held
        calls.append(replace(call, given={n: content[n, v.dtype] for n, v in call.given.items()}))
    return calls, _description(sorted(given), sorted(drawn))


def _types(kernels: Sequence[Kernel]) -> Mapping[str, Array]:
    """Each array that some kernel needs, as the kernel has it whose type the others hold, too:
    integers (those that are drawn are small) before floats, and narrow ones before wide."""
    needed = [a for k in kernels for a in k.signature.arrays if k.signature.needs(a)]
    widest_first = sorted(needed, key=lambda a: (a.type.is_float, a.type.size), reverse=True)
    return {a.name: a for a in widest_first}


def _limits(
    kernels: Sequence[Kernel], named: Mapping[str, object], known: Sequence[set[str]]
) -> Mapping[str, int]:
    """How many numbers the index arrays of all programs may hold: they share them, and one of
    which an array was propagated no longer says how many there were."""
    limits: dict[str, int] = {}
    for kernel, names in zip(kernels, known, strict=True):
        if kernel.program is not None:
            own = {n: v for n, v in named.items() if n in names}
            parameters = kernel.signature.checked_parameters(own)
            for array, limit in index_limits(kernel.program, parameters).items():
                limits[array] = min(limit, limits.get(array, limit))
    return limits


def _description(given: Sequence[str], drawn: Sequence[str]) -> str:
    if given and drawn:
        return f"given for {', '.join(given)}, seeded random for {', '.join(drawn)}"
    return "given" if given else "seeded random" if drawn else "none"


def random_data(array: Array, shape: tuple[int, ...], limit: int = INTEGERS) -> np.ndarray:
    """Numbers that depend on the array's name, type and shape and on the limit only: floats from
    0.5 to 1.5, integers from 0 that are below it and 100 (which every type holds)."""
    generator = np.random.default_rng((0, zlib.crc32(array.name.encode())))
    content = shared.empty(shape, array.type.dtype)
    cells = content.reshape(-1)
    for start in range(0, cells.size, AT_ONCE):
        part = cells[start : start + AT_ONCE]
        if array.type.is_float:
            generator.random(out=part, dtype=part.dtype.type)
            part += part.dtype.type(0.5)
        else:
            part[...] = generator.integers(0, min(limit, INTEGERS), part.size, part.dtype)
    return content
