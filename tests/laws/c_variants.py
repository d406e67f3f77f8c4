"""What polynb makes of a C program, in many ways, and whether all of it computes what gcc's
program of the text computes.

Programs are compiled many at a time: one shared object of the originals, as written, and one of
all variants with the flags of kernels. They run in a process of their own (`c_runner`).
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from c_composed import composed
from c_programs import CProgram, smaller
from c_ways import (
    OPERATIONS,
    Way,
    both,
    moved_about,
    optimised,
    propagated,
    reordered,
    scalarized,
    without_scalars,
)

import polynb as pn
from polynb import isl
from polynb.codegen import Target, kernel_source, to_c, to_text
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.run.compilers import find
from polynb.schedules.contracting import contract_marked
from polynb.schedules.parallel import choose_loops
from polynb.scop.model import Array, Scop
from polynb.scop.sizes import extents_at

AS_WRITTEN = ["-std=c99", "-O1", "-ffp-contract=off", "-w", "-fPIC", "-shared"]
CHECKED = ["-g", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
SIZES = ({"n": 0, "m": 0}, {"n": 1, "m": 3}, {"n": 5, "m": 2}, {"n": 9, "m": 7})
SECONDS = 120
FULLY = 3
"""Of so many batches, one is compiled with all of gcc's optimisations."""
WAYS = os.environ.get("POLYNB_C_WAYS", "")
"""Only what has this in its name is done to the programs, "remove_scalars" say."""
ORDERS = 2 if WAYS == "composed" else 1
"""Of the passes, for each program."""
RUNNER = Path(__file__).with_name("c_runner.py")
C_TYPES = {"int": "c_int", "long": "c_long", "short": "c_short", "unsigned": "c_uint"}


def ways(random: Random) -> Iterator[tuple[str, Way]]:
    """What is done to one program: nothing, and some of the ways to propagate and to reorder it."""
    yield "parsed", lambda scop: scop
    among = [(name, way) for name, way in _transformed(random) if WAYS in name]
    yield from random.sample(among, min(4, len(among)))


def _transformed(random: Random) -> Iterator[tuple[str, Way]]:
    size, options = random.randint(2, 5), {"separate": random.random() < 0.3}
    scheduler, other = random.sample(["polynb", "isl"], 2)
    yield "propagate()", propagated()
    name, further = random.choice(
        [
            ("recurrences", {"recurrences": True}),
            ("live_out", {"live_out": True}),
            ("whatever is legal", {"heuristics": (), "partial": True}),
        ]
    )
    yield "propagate(partial)", propagated(partial=True)
    yield f"propagate({name})", propagated(**further)
    yield "propagate(strips)", propagated(recurrences="strips")
    yield f"reorder({scheduler}, tile={size})", reordered(scheduler=scheduler, tile=size, **options)
    how = random.choice([{"contract": True}, {"privatize": False}, {"preset": "none"}])
    yield f"reorder({other}, {how})", reordered(scheduler=other, **how)
    yield "optimise", optimised(random)
    how_scalars = random.choice(["licm", "pre"])
    yield "remove_scalars()", without_scalars()
    yield (
        f"scalarize({how_scalars}), remove_scalars()",
        both(scalarized(how_scalars), without_scalars()),
    )
    yield "moved about", moved_about(random)
    yield "remove_scalars(), moved about", both(without_scalars(), moved_about(random))
    tiled = reordered(scheduler=other, tile=size, contract=random.random() < 0.5)
    yield f"propagate, reorder({other}, tile={size})", both(propagated(partial=True), tiled)
    for _ in range(ORDERS):
        yield composed(random)


@dataclass(frozen=True)
class Plan:
    """What is done to each program, and the values of parameters at which it is called then."""

    ways: Callable[[Random], Iterator[tuple[str, Way]]]
    sizes: Sequence[dict[str, int]]


USUAL = Plan(ways, SIZES)


@dataclass(frozen=True)
class Difference:
    """What a variant of program `seed` did, of its first call that was not as the original's."""

    seed: int
    variant: str
    said: str

    def __str__(self) -> str:
        return f"{self.seed} {self.variant}: {self.said}"


@dataclass
class Outcome:
    """Of the variants made: how many ran, what was refused and why, what differed; and how many of
    the programs write scalars."""

    ran: int = 0
    refused: list[str] = field(default_factory=list)
    scalars: int = 0
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True)
class Variant:
    """A form of program `seed` as a C kernel."""

    seed: int
    name: str
    scop: Scop
    source: Any


def variants(
    seed: int, program: CProgram, outcome: Outcome, only: str | None = None, plan: Plan = USUAL
) -> Iterator[Variant]:
    """The forms of one program; each is reparsed from its text (the language, or C) in turn."""
    random = Random(seed)
    try:
        scop = pn.parse(program.text(), "c")
    except PolynbError as error:
        outcome.refused.append(f"{seed} parse: {error.message}")
        return
    outcome.scalars += any(not scop.arrays[s.write.array].dimensions for s in scop.statements)
    for k, (name, way) in enumerate(plan.ways(random)):
        forms = [("", lambda s: s), *PRINTED[(seed + k) % len(PRINTED)]]
        for form, change in forms:
            whole = name + form
            if only is not None and whole != only:
                continue
            try:
                made = way(scop)
                with isl.budget(OPERATIONS):
                    made = change(made)
                    source = _kernel(made, f"v{seed}_{k}{len(form)}", form)
                yield Variant(seed, whole, made, source)
            except PolynbError as error:
                outcome.refused.append(f"{seed} {whole}: {error.message}")


PRINTED: tuple[list[tuple[str, Way]], ...] = (
    [(", printed", lambda s: pn.parse(to_text(s), "scop"))],
    [],
    [(", as C", lambda s: pn.parse(to_c(s), "c"))],
    [(", parallel", lambda s: choose_loops(s, analyze(s), choice="outermost")[0])],
)


def _kernel(scop: Scop, entry: str, form: str) -> Any:
    target = Target(threads=2 if form == ", parallel" else 1, entry=entry)
    return kernel_source(contract_marked(scop), target)


# -- compiling and running -----------------------------------------------------------------


def check(
    programs: dict[int, CProgram],
    folder: Path,
    outcome: Outcome,
    only: str | None = None,
    plan: Plan = USUAL,
) -> None:
    """Make all variants of these programs, run them, and note what differs."""
    made = [v for seed, p in programs.items() for v in variants(seed, p, outcome, only, plan)]
    folder.mkdir(parents=True, exist_ok=True)
    original = compiled_originals(programs, folder, AS_WRITTEN)
    for v in made:
        (folder / f"{v.source.entry}.c").write_text(v.source.text, encoding="ascii")
    flags = list(find("gcc").flags(openmp=True))
    if min(programs) // 2 % FULLY:
        flags[flags.index("-O3")] = "-O1"  # compiles in a third of the time
    library = folder / "variants.so"
    texts = [str(folder / f"{v.source.entry}.c") for v in made]
    if texts:
        _gcc([*flags, "-w", "-o", str(library), *texts, "-lm"])
    calls = [c for seed, p in programs.items() for c in _calls(seed, p, made, plan.sizes)]
    job = {"original": str(original), "variants": str(library) if made else "", "calls": calls}
    said, ended = run(job)
    outcome.ran += len(made)
    found = [line for line in said if line.startswith("! ")]
    if not ended:
        last = next(line for line in reversed(said) if line.startswith("> "))
        found.append(f"{last}\tcrashed, or never ended: {said[-1].strip()}")
    for line in found:
        case, name, what = line[2:].split("\t", 2)
        seed, _, size = case.partition(" ")
        if (int(seed), name) not in {(d.seed, d.variant) for d in outcome.differences}:
            outcome.differences.append(Difference(int(seed), name, f"{what} for {size}"))


def compiled_originals(programs: dict[int, CProgram], folder: Path, flags: Sequence[str]) -> Path:
    text = "#include <math.h>\n" + "".join(p.text(f"f{seed}") for seed, p in programs.items())
    source, library = folder / "original.c", folder / "original.so"
    source.write_text(text)
    _gcc([*flags, "-o", str(library), str(source), "-lm"])
    return library


def _gcc(arguments: list[str]) -> None:
    done = subprocess.run(["gcc", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _calls(
    seed: int,
    program: CProgram,
    made: Iterable[Variant],
    sizes: Sequence[dict[str, int]] = SIZES,
) -> Iterator[tuple[Any, ...]]:
    own = [v for v in made if v.seed == seed]
    for size in sizes:
        n, m = size["n"], size["m"]
        content: dict[str, Any] = program.memory(n, m, seed)
        arguments: list[Any] = [(C_TYPES[t.name], size[p]) for p, t in program.parameters]
        arguments += [a.name for a in program.arrays]
        entries = []
        for v in own:
            _check_assumed(v, size)
            parameters = [size[p] for p in v.source.parameters]
            names = []
            for a in v.source.arguments:
                names.append(f"{a.type} {a.name}" if a.name in size else a.name)
                if a.name in size:  # a parameter that is a value here, of the type it has here
                    content[names[-1]] = np.array(size[a.name], a.type.dtype)
                elif a.name not in content:  # a local, read first for all that isl knows
                    content[a.name] = np.full(_shape(a, size), 77, a.type.dtype)
            entries.append((v.name, v.source.entry, parameters, names))
        yield f"{seed} n={n} m={m}", f"f{seed}", arguments, content, entries


def _shape(array: Array, size: dict[str, int]) -> tuple[int, ...]:
    return tuple(extents_at(array, size))


def _check_assumed(v: Variant, size: dict[str, int]) -> None:
    """What is well defined in C is not outside of what a program requires."""
    own = {p: size[p] for p in v.scop.parameters}
    allowed = not isl.fix_parameters(v.scop.assumed, own).is_empty()
    assert allowed, f"{v.seed} {v.name} is not defined for {own}: {v.scop.assumed}"


def run(job: dict[str, Any], preload: str = "") -> tuple[list[str], bool]:
    """The lines that the runner wrote, and whether it came to its end."""
    environment = {"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}
    if preload:
        environment |= {"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"}
    try:
        done = subprocess.run(
            [sys.executable, str(RUNNER)],
            input=pickle.dumps(job),
            capture_output=True,
            check=False,
            timeout=SECONDS,
            env=environment,
        )
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode().splitlines(), False
    said = done.stdout.decode().splitlines() + [
        f"  {line}" for line in done.stderr.decode().splitlines()
    ]
    return said, "done" in said


def sanitized(programs: dict[int, CProgram], folder: Path, plan: Plan = USUAL) -> list[str]:
    """What gcc's sanitizers say of the programs as written: nothing, if they are well defined."""
    preload = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    folder.mkdir(parents=True, exist_ok=True)
    original = compiled_originals(programs, folder, [*AS_WRITTEN, *CHECKED])
    calls = [c for seed, p in programs.items() for c in _calls(seed, p, [], plan.sizes)]
    said, ended = run({"original": str(original), "variants": "", "calls": calls}, preload)
    return [] if ended else said[-40:]


def shrunk(
    seed: int,
    program: CProgram,
    name: str,
    folder: Path,
    limit: int = 40,
    plan: Plan = USUAL,
) -> CProgram:
    """A smaller program of which the variant still differs: parts are dropped while it does."""
    tried = 0
    again = True
    while again and tried < limit:
        again = False
        for candidate in smaller(program):
            tried += 1
            outcome = Outcome()
            try:
                check({seed: candidate}, folder / str(tried), outcome, name, plan)
            except (AssertionError, PolynbError):
                continue
            finally:
                shutil.rmtree(folder / str(tried), ignore_errors=True)
            if outcome.differences:
                program, again = candidate, True
                break
            if tried >= limit:
                break
    return program
