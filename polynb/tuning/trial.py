"""One variant of a program on trial: transformed, compiled, compared, timed, counted."""

from __future__ import annotations

import dataclasses
import re
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from numpy.typing import ArrayLike

from polynb import isl
from polynb.arguments import (
    count,
    function,
    instance,
    named,
    optional,
    seconds as checked_seconds,
    values,
)
from polynb.conveniences import Json, Portable
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.run import Kernel, Timing, compile, compilers, measure
from polynb.run.cache import Build, shared_object
from polynb.run.measurement import MOST as ROUNDS
from polynb.scop.model import Scop
from polynb.tuning.counts import counts
from polynb.tuning.machine import processor

# isl is not made for threads, and two kernels at once would disturb each other's timings: in one
# process (a dask worker has several threads) trials take turns.
_TURN: Final = threading.RLock()

Options = Mapping[str, Any]
"""Of a pass, or of `polynb.compile`, by name."""


@dataclass(frozen=True, eq=False)
class Trial(Portable):
    """What `sweep` runs: `trial(options)` is the program after `apply(program, **options)`,
    against the program as it is, which is the baseline.

    `sizes` are the parameter values, `arrays` inputs (what is not given is seeded random, see
    `polynb.measure`, as are `rounds` and `seconds`). `compile_options` are those of
    `polynb.compile`, for both; a variant may have some of its own under that name. Pickles if
    `apply` does: a function of a module.
    """

    program: Scop
    sizes: Mapping[str, int]
    apply: Callable[..., Scop | Derivation] = propagate
    arrays: Mapping[str, ArrayLike] = field(default_factory=dict)
    rounds: int | None = None
    seconds: float = 2.0
    compile_options: Options = field(default_factory=dict)

    def __post_init__(self) -> None:
        scop = as_scop(self.program)
        values("sizes", self.sizes, scop.parameters)
        function("apply", self.apply, "pn.propagate")
        named("arrays", self.arrays, what="array")
        optional(count, "rounds", self.rounds, most=ROUNDS)
        checked_seconds("seconds", self.seconds)
        named("compile_options", self.compile_options, what="option")

    def __call__(self, options: Options) -> dict[str, Json]:
        """Times in seconds (medians; `ratio` is the median of paired ratios, `interval` where it is
        19 times of 20, None if rounds are too few to tell), memory in bytes,
        the counts of Table 1, the temporaries left, instructions in the object code (None without
        objdump), and how it was measured.

        Raises PolynbError if the variant cannot be made or compiled, or if its results differ from
        the baseline's: they are compared before anything is timed.
        """
        with _TURN:
            variants = {"variant": self.made(options)}
            return self.timed(variants, self._compiled(self.program, {}, 0.0))[0]["variant"]

    def made_with(self) -> Mapping[str, Json]:
        """What its rows depend on that it is not given: the machine, and the compiler there."""
        try:
            compiler = compilers.find(self.compile_options.get("compiler")).identity
        except PolynbError:  # which each row will say
            compiler = None
        return {"processor": processor(), "compiler": compiler}

    def made(self, options: Options, seconds: float | None = None) -> MadeVariant:
        """The variant of these options, if it can be made in so many seconds. Raises PolynbError,
        of which BudgetExhausted is one."""
        told = named("options", options, what="option")
        with _TURN:
            if seconds is None:
                return self._made(told)
            return self._made_until(told, time.monotonic() + checked_seconds("seconds", seconds))

    @isl.bounded("a variant on trial")
    def _made_until(self, options: Options, end: float) -> MadeVariant:
        left = max(end - time.monotonic(), 1e-3)
        with isl.budget(seconds=left if isl.keeps_time() else None):
            try:
                made = self._made(options)
            except PolynbError:
                isl.check_time()
                raise
            isl.check_time()  # a pass that had no time left has changed nothing, and said no more
            return made

    def _made(self, options: Options) -> MadeVariant:
        own = {k: v for k, v in options.items() if k != "compile_options"}
        start = time.perf_counter()
        derivation = self.apply(self.program, **own)
        analysis = time.perf_counter() - start
        return self._compiled(derivation, options.get("compile_options", {}), analysis)

    def timed(
        self,
        variants: Mapping[str, MadeVariant],
        baseline: MadeVariant,
        times: int = 1,
        seconds: float | None = None,
    ) -> list[dict[str, dict[str, Json]]]:
        """What is said of several variants that are there, which run in turn: two times that lie
        apart differ by what the machine did meanwhile, too. `baseline` is the program as it is.
        They are measured so many times, each for so many `seconds` (those of the trial). Raises as
        for each of them."""
        each, hint = named("variants", variants, what="variant"), "trial.made({})"
        for name, made in {**each, "baseline": baseline}.items():
            instance(name, made, MadeVariant, hint)
        each_time = self.seconds if seconds is None else checked_seconds("seconds", seconds)
        kernels = {"baseline": baseline.kernel, **{n: m.kernel for n, m in each.items()}}
        with _TURN:
            timings = [
                measure(
                    {n: copy(k) for n, k in kernels.items()},  # whose processes end with them
                    {**self.arrays, **self.sizes},
                    rounds=self.rounds,
                    seconds=each_time,
                )
                for _ in range(count("times", times))
            ]
            return [
                {n: _told(m, timing, k) for k, (n, m) in enumerate(each.items(), 1)}
                for timing in timings
            ]

    def _compiled(
        self, derivation: Scop | Derivation, options: Options, analysis: float
    ) -> MadeVariant:
        special = {"sizes": self.sizes, **self.compile_options, **options}
        kernel = compile(derivation, **special)
        return MadeVariant(derivation, kernel, analysis, special.get("compiler"))


@dataclass(frozen=True, eq=False)
class MadeVariant:
    """A variant that is there, and how many seconds it took to be found."""

    derivation: Scop | Derivation
    kernel: Kernel
    analysis: float
    compiler: str | None

    @property
    def program(self) -> Scop:
        return as_scop(self.derivation)

    @cached_property
    def told(self) -> Mapping[str, Json]:
        """What is to be said of it without running it."""
        return {
            **dataclasses.asdict(counts(self.program)),
            "temporaries": list(self.program.temporaries),
            "instructions": instructions(self.kernel, self.compiler),
            "analysis": self.analysis,
        }


def _told(made: MadeVariant, timing: Timing, k: int) -> dict[str, Json]:
    """How it was compiled is the variant's own: its baseline's may be another way."""
    return {
        "ratio": timing.ratio(k),
        "interval": ends(timing, k),
        "seconds": timing.median(k),
        "baseline": timing.median(0),
        "memory": timing.memory[k],
        **made.told,
        "rounds": timing.rounds,
        "agreement": timing.agreement,
        "data": timing.data,
        "processor": processor(),
        "compiler": made.kernel.compiler,
        "flags": " ".join(made.kernel.flags),
        "threads": made.kernel.threads,
        "heap": made.kernel.heap,
    }


def ends(timing: Timing, variant: str | int = -1) -> list[float] | None:
    """The interval of a ratio, as JSON has it; None of the baseline, and where it is not known."""
    found = timing.interval(variant) if variant not in (0, timing.labels[0]) else None
    return None if found is None else list(found)


# How many instructions a compiled kernel has.


INSTRUCTION: Final = re.compile(r"^ +[0-9a-f]+:\t", re.MULTILINE)


def instructions(kernel: Kernel, compiler: str | None = None) -> int | None:
    """The instructions in the code of a kernel's object file, each counted once however often it
    runs; None where there is no objdump to read it. `compiler` is what compiled it.

    (Executed instructions would need performance counters, which virtual machines rarely have.)
    """
    objdump = shutil.which("objdump")
    if objdump is None:
        return None
    made = shared_object(Build(compilers.find(compiler), kernel.flags, kernel.source))
    said = compilers.run((objdump, "-d", "-j", ".text", "--no-show-raw-insn", str(made)))
    return len(INSTRUCTION.findall(said.stdout)) if said.returncode == 0 else None
