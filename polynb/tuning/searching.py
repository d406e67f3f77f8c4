"""`pn.search`: which short sequence of transformations makes a program fastest (GRAPHITE, Figure 8:
choose a transformation, ask for its verdict, go on with those that are legal)."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from numpy.typing import ArrayLike

from polynb.arguments import (
    count,
    named,
    optional,
    seconds as checked_seconds,
    several_names,
    values,
)
from polynb.conveniences import Conveniences, Json
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.moves.script import PASSES
from polynb.scop.model import Scop
from polynb.tuning.best_first import best_first
from polynb.tuning.ranking import counting, fastest, worth
from polynb.tuning.results import Row, Sweep, bracketed, lower_end
from polynb.tuning.scripts import Scripts
from polynb.tuning.space import AS_IT_IS, SEARCHED, MoveSequence, OpenSpace, SearchSpace
from polynb.tuning.sweeping import Progress, reporter, sweep
from polynb.tuning.tables import Table, readable
from polynb.tuning.trial import Options, Trial
from polynb.violations.transforming import Transformation, transform
from polynb.words import counted, listed

COLUMNS: Final = ("ratio", "seconds")
TILE: Final = 32
DEPTH: Final = 3
MOST_TIMED: Final = 1000
MOST_LOOKED: Final = 4000
"""What bounds the tuning of a program beside its seconds: lines of a script, and programs."""
FINALISTS: Final = 4
FINAL: Final = 0.2
"""How many of the fastest programs are timed once more, in this share of the seconds,"""
DEFAULT: Final = "optimise"
ANEW: Final = 3
"""and how often from the beginning: where arrays lie makes some programs slower at one time."""
TOGETHER: Final = 8
"""Programs that an executor is given at a time: what they measure decides which are next."""


@dataclass(frozen=True, eq=False)
class Best:
    """The fastest program of a search: its `row`, and the `transformation` that leads to it."""

    row: Row
    transformation: Transformation = field(repr=False)

    @property
    def name(self) -> str:
        """Its moves, on one line."""
        return self.row.name

    @property
    def values(self) -> Mapping[str, Json]:
        """What was measured, as in its row."""
        return self.row.values

    @property
    def program(self) -> Scop:
        return self.transformation.result

    @property
    def script(self) -> str:
        """Its moves, a line each; "" for the program as it is."""
        return _script(self.row)

    def __str__(self) -> str:
        """The moves as `%%transform` takes them, below a comment that says what they bring."""
        brought = f"{readable(self.values['ratio'])} times as fast{bracketed(self.row)}"
        return f"# {brought if self.script else AS_IT_IS}\n{self.script}".rstrip()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, eq=False)
class Search(Conveniences):
    """What a search found: the `space` of sequences with their verdicts, and in `sweep` a row for
    each one that was timed, called by its moves, `interchange i j; tile i j by 32`. `original` is
    the program that was searched for; `program` is the best one."""

    original: Scop = field(repr=False)
    space: SearchSpace
    sweep: Sweep
    found: Transformation | None = field(default=None, repr=False)
    """What the best one's script leads to, where it is at hand."""
    again: frozenset[str] = frozenset()
    """The programs that were timed once more, by name; where any were, the best is one of them."""

    @cached_property
    def best(self) -> Best:
        """The fastest program: the one that is faster for sure by most, which is the lower end of
        its interval; as it is, if none is. Raises PolynbError if none could be timed."""
        row = fastest(self.sweep.rows, self.again)
        if row is None:
            raise PolynbError(
                "no program could be timed",
                reason=self.sweep.failed[0].error if self.sweep.failed else None,
                hint="smaller sizes; the program as it is has to run: `pn.measure([program], N=9)`",
            )
        return Best(row, self.found or transform(self.original, _script(row)))

    @property
    def program(self) -> Scop:
        """The fastest program."""
        return self.best.program

    @property
    def script(self) -> str:
        """The moves of the best program, a line each, as `%%transform` takes them."""
        return self.best.script

    def transformation(self) -> Transformation:
        """The best program, with the verdict of each of its moves."""
        return self.best.transformation

    @property
    def refused(self) -> tuple[MoveSequence, ...]:
        """The sequences that are illegal, each with its last move's witness."""
        return self.space.refused

    @property
    def not_timed(self) -> int:
        """How many legal programs there was no room for."""
        return len(self.space.legal) - len(self.sweep.rows)

    def table(self) -> Table:
        """The programs that were timed, the fastest first, below those that were once more."""
        ranked = sorted(self.sweep.rows, key=lambda r: (not counting(r, self.again), -worth(r)))
        done = Sweep(tuple(ranked), self.sweep.resumed)
        found = done.table(*(c for c in COLUMNS if c in done.columns))
        return Table(("moves", *found.head[1:]), found.rows, ("moves",), self._notes(found.notes))

    def _notes(self, failed: Sequence[str]) -> list[str]:
        looked = counted(len(self.space.sequences), "sequence")
        notes = [f"{looked} looked at{'' if self.space.complete else ', and there are more'}."]
        if self.refused:
            kinds = [
                f"{n} end in {move}"
                for move, n in Counter(r.move for r in self.refused).most_common()
            ]
            first = self.refused[0]
            notes.append(
                f"Illegal: {len(self.refused)} ({listed(kinds)}). {first.title}: {first.why}"
            )
        if self.space.same:
            notes.append(f"{self.space.same} lead to a program that others lead to as well.")
        if self.not_timed:
            more = "more seconds, or a larger `most` of a search, times them, too."
            notes.append(f"Legal, but not timed: {self.not_timed}; {more}")
        return [*notes, *failed]

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"<Search: {len(self.sweep.rows)} programs timed, {len(self.refused)} illegal>"


def search(
    program: Scop | Derivation,
    parameters: Mapping[str, int] | None = None,
    *,
    moves: str | Sequence[str] | None = None,
    depth: int = 2,
    by: int = 32,
    most: int = 24,
    looked: int = 400,
    seconds: float = 60.0,
    arrays: Mapping[str, ArrayLike] | None = None,
    trial_seconds: float = 0.5,
    compile_options: Options | None = None,
    executor: Executor | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress | bool = True,
    **sizes: int,
) -> Search:
    """Try all short sequences of moves on a program: those that are illegal are discarded by their
    verdict, the others compiled, compared and timed against the program as it is.

    Parameter values are given by name, `N=1000` (or `parameters={"N": 1000}`). `moves` are names of
    `%%transform`'s ("interchange", "fuse", "distribute", "reverse", "skew", "tile",
    "unroll-and-jam", "parallel", "vectorize"; all of them by default), `depth` how many follow one
    another, `by` the tile size. At most `looked` sequences are judged and `most` programs timed, in
    `seconds` altogether (and what is being timed then), best first: what measured well is
    made longer before anything else; what is left is counted.
    `trial_seconds`, `arrays` and `compile_options` are those of a `Trial`, `executor`, `resume` and
    `progress` those of `sweep`: after an interrupt, the same call with the same `resume` file goes
    on where it was.

    Legal is what keeps the program's values for every size (`pn.check`); and what is timed has
    given the same results. Raises PolynbError for parameters without a value, and unknown moves.
    """
    checked_seconds("seconds", seconds)
    report = reporter(progress)
    given = _all_values(as_scop(program), parameters, sizes, example="search")
    scripts = _scripts(as_scop(program), given, arrays, trial_seconds, compile_options)
    space = OpenSpace(
        scripts.trial.program,
        _names("moves", moves, tuple(SEARCHED), "move"),
        by=count("by", by, least=2),
        most=count("looked", looked),
        report=report,
    )
    timed = _Timed(scripts, count("most", most), executor, resume, report)
    return _searched(space, timed, count("depth", depth), seconds)


def tune(
    program: Scop | Derivation,
    parameters: Mapping[str, int] | None = None,
    *,
    budget: float = 60.0,
    passes: str | Sequence[str] | None = None,
    moves: str | Sequence[str] | None = None,
    arrays: Mapping[str, ArrayLike] | None = None,
    trial_seconds: float = 0.5,
    compile_options: Options | None = None,
    executor: Executor | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: Progress | bool = True,
    **sizes: int,
) -> Search:
    """Look for what makes a program fastest on this machine: passes, and moves behind them.

    As `search`, for `budget` seconds (and what is being timed then; a program that is still being
    made is given up, but for the program as it is, and what an executor has begun), with `passes`
    in front: "optimise" (for these values, too), "propagate" (also in strips, and in windows, of
    which it tries how many rows there are in a strip and together, and what is kept in one),
    "reorder" (also tiled) and "remove_scalars", all of them by default. The program as it is counts
    as well, so that `best` is never slower than that: what is faster is so by the lower end of its
    interval, and the fastest four are timed once more in the last fifth of the seconds, side by
    side, with what `optimise` makes of it.
    `best.script` is what `%%transform` and `pn.transform(program, script)` take. A function
    `progress` is called with the programs that were timed, and 0: nobody knows of how many.

    Raises PolynbError for parameters without a value, and unknown passes and moves.
    """
    checked_seconds("budget", budget)
    report = _by_the_clock(reporter(progress), budget)
    given = _all_values(as_scop(program), parameters, sizes, example="tune")
    scripts = _scripts(as_scop(program), given, arrays, trial_seconds, compile_options)
    space = OpenSpace(
        scripts.trial.program,
        _names("moves", moves, tuple(SEARCHED), "move"),
        by=TILE,
        most=MOST_LOOKED,
        report=report,
        passes=_names("passes", passes, tuple(PASSES), "pass"),
        sizes=given,
        transformed=scripts.transformation,
    )
    return _searched(space, _Timed(scripts, MOST_TIMED, executor, resume, report), DEPTH, budget)


def _names(what: str, given: object, known: tuple[str, ...], one: str) -> tuple[str, ...]:
    if given is not None and not given:
        return ()
    return tuple(optional(several_names, what, given, known, what=one) or known)


def _scripts(
    scop: Scop,
    given: Mapping[str, int],
    arrays: Mapping[str, ArrayLike] | None,
    seconds: float,
    compile_options: Options | None,
) -> Scripts:
    trial = Trial(
        scop,
        given,
        apply=transform,
        arrays=optional(named, "arrays", arrays) or {},
        seconds=seconds,
        compile_options=compile_options or {},
    )
    return Scripts(trial)


def _by_the_clock(report: Progress, budget: float) -> Progress:
    """Of a tuning only the end of its seconds is known, and not how many programs there will be."""
    began, seconds = time.monotonic(), math.ceil(budget)

    def told(what: str, done: int, total: int) -> None:
        if done == total:
            return report(what, done, total)
        second = min(math.ceil(time.monotonic() - began), seconds)
        report(f"{what}, second {second} of {seconds}", done, 0)

    return told


def _searched(space: OpenSpace, timed: _Timed, depth: int, seconds: float) -> Search:
    width = TOGETHER if timed.executor is not None else 1
    last, scripts = FINAL * seconds, timed.scripts
    scripts.end = time.monotonic() + seconds - last
    best_first(
        space, timed.measured, depth=depth, most=timed.most, seconds=seconds - last, width=width
    )
    scripts.end = time.monotonic() + last
    timed.finals(last)
    timed.report("done", timed.most, timed.most)
    swept = Sweep(tuple(timed.rows), timed.resumed)
    best = fastest(timed.rows, timed.again)
    found = None if best is None else scripts.at_hand(_script(best))
    return Search(scripts.trial.program, space.found(), swept, found, timed.again)


@dataclass(eq=False)
class _Timed:
    """What a search has timed so far, of at most `most` programs."""

    scripts: Scripts
    most: int
    executor: Executor | None
    resume: str | os.PathLike[str] | None
    report: Progress
    rows: list[Row] = field(default_factory=list)
    resumed: int = 0
    again: frozenset[str] = frozenset()

    def measured(self, sequences: Sequence[MoveSequence]) -> Sequence[Row]:
        found = sweep(
            {s.title: s.script for s in sequences},
            self.scripts,
            executor=self.executor,
            resume=self.resume,
            progress=lambda what, now, of: self.report(
                f"timing {sequences[min(now, of - 1)].title}", len(self.rows) + now, self.most
            ),
        )
        self.resumed += found.resumed
        self.rows += found.rows
        return found.rows

    def finals(self, seconds: float) -> None:
        """The fastest ones again, side by side: the best one of many that were timed is among those
        that were lucky, and what is there by default may have had no luck. Each counts as when it
        was slowest."""
        ranked = sorted((r for r in self.rows if r.error is None), key=lambda r: -worth(r))
        best = [r for r in ranked[:FINALISTS] if r.name != AS_IT_IS]
        best += [r for r in ranked[FINALISTS:] if r.name == DEFAULT]
        if not best or seconds <= self.scripts.trial.seconds:
            return
        self.report(f"timing {counted(len(best), 'program')} side by side", len(self.rows), 0)
        try:
            found = self.scripts.beside({r.name: _script(r) for r in best}, ANEW, seconds / ANEW)
        except PolynbError:
            return  # there is no room for all of them at once: what each was alone, counts
        times = [{name: Row(name, values) for name, values in t.items()} for t in found]
        again = {name: min((t[name] for t in times), key=lower_end) for name in times[0]}
        self.rows, self.again = [again.get(r.name, r) for r in self.rows], frozenset(again)


def _script(row: Row) -> str:
    return "" if row.name == AS_IT_IS else row.name.replace("; ", "\n")


def _all_values(
    scop: Scop,
    parameters: Mapping[str, int] | None,
    sizes: Mapping[str, int],
    example: str,
) -> dict[str, int]:
    given = {**(optional(named, "parameters", parameters) or {}), **sizes}
    missing = [p for p in scop.parameters if p not in given]
    if missing:
        raise PolynbError(
            f"{listed(missing)} {'has no value' if len(missing) == 1 else 'have no values'}",
            hint=f"pn.{example}(program, " + ", ".join(f"{p}=1000" for p in missing) + ")",
        )
    return values("parameters", given, scop.parameters)
