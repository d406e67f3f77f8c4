"""One variant of a program on trial: transformed, compiled, compared, timed, counted."""

from __future__ import annotations

import dataclasses
import re
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from numpy.typing import ArrayLike

from polynb.arguments import count, function, named, optional, seconds, values
from polynb.conveniences import Json, Portable
from polynb.derivation import Derivation, as_scop
from polynb.propagation import propagate
from polynb.run import Kernel, Timing, compile, compilers, measure
from polynb.run.cache import Build, shared_object
from polynb.run.measurement import MOST as ROUNDS
from polynb.scop.model import Scop
from polynb.tuning.counts import counts
from polynb.tuning.machine import processor

# isl is not made for threads, and two kernels at once would disturb each other's timings: in one
# process (a dask worker has several threads) trials take turns.
_TURN: Final = threading.Lock()

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
        seconds("seconds", self.seconds)
        named("compile_options", self.compile_options, what="option")

    def __call__(self, options: Options) -> dict[str, Json]:
        """Times in seconds (medians; `ratio` is the median of paired ratios, `interval` where it is
        19 times of 20, None if rounds are too few to tell), memory in bytes,
        the counts of Table 1, the temporaries left, instructions in the object code (None without
        objdump), and how it was measured.

        Raises PolynbError if the variant cannot be made or compiled, or if its results differ from
        the baseline's: they are compared before anything is timed.
        """
        return self.beside({"variant": options})[0]["variant"]

    def beside(
        self, variants: Mapping[str, Options], times: int = 1
    ) -> list[dict[str, dict[str, Json]]]:
        """The same of several variants, which run in turn: two times that lie apart differ by what
        the machine did meanwhile, too. They are made once, and measured so many times. Raises as
        for each of them."""
        count("times", times)
        common = {"sizes": self.sizes, **self.compile_options}
        each = named("variants", variants, what="variant")
        with _TURN:
            made = {n: self._made(named("options", o, what="option")) for n, o in each.items()}
            kernels = {n: m.kernel for n, m in made.items()}
            baseline = compile(self.program, **common)
            given = {**self.arrays, **self.sizes}
            timings = [
                measure(
                    {"baseline": baseline, **kernels},
                    given,
                    rounds=self.rounds,
                    seconds=self.seconds,
                )
                for _ in range(times)
            ]
            return [
                {n: _told(m, timing, k) for k, (n, m) in enumerate(made.items(), 1)}
                for timing in timings
            ]

    def _made(self, options: Options) -> _Made:
        start = time.perf_counter()
        own = {k: v for k, v in options.items() if k != "compile_options"}
        variant = as_scop(self.apply(self.program, **own))
        analysis = time.perf_counter() - start
        common = {"sizes": self.sizes, **self.compile_options}
        special = {**common, **options.get("compile_options", {})}
        kernel = compile(variant, **special)
        return _Made(variant, kernel, analysis, special.get("compiler"))


@dataclass(frozen=True, eq=False)
class _Made:
    """A variant, and how long it took to be found."""

    program: Scop
    kernel: Kernel
    analysis: float
    compiler: str | None


def _told(made: _Made, timing: Timing, k: int) -> dict[str, Json]:
    return {
        "ratio": timing.ratio(k),
        "interval": ends(timing, k),
        "seconds": timing.median(k),
        "baseline": timing.median(0),
        "memory": timing.memory[k],
        **dataclasses.asdict(counts(made.program)),
        "temporaries": list(made.program.temporaries),
        "instructions": instructions(made.kernel, made.compiler),
        "analysis": made.analysis,
        "rounds": timing.rounds,
        "agreement": timing.agreement,
        "data": timing.data,
        "processor": processor(),
        "compiler": timing.compiler,
        "flags": " ".join(timing.flags),
        "threads": timing.threads,
        "heap": timing.heap,
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
