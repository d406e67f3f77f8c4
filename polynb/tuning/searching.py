"""`pn.search`: which short sequence of transformations makes a program fastest (GRAPHITE, Figure 8:
choose a transformation, ask for its verdict, go on with those that are legal)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Final

from polynb.arguments import (
    count,
    named,
    optional,
    seconds as checked_seconds,
    several_names,
    values,
)
from polynb.conveniences import Conveniences
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.tuning.results import Row, Sweep
from polynb.tuning.space import AS_IT_IS, CHOICES, MoveSequence, SearchSpace, enumerate_space
from polynb.tuning.sweeping import Progress, reporter, sweep
from polynb.tuning.tables import Table
from polynb.tuning.trial import Trial
from polynb.violations.transforming import Transformation, scripted, transform
from polynb.words import counted, listed

COLUMNS: Final = ("ratio", "seconds")


@dataclass(frozen=True, eq=False)
class Search(Conveniences):
    """What a search found: the `space` of sequences with their verdicts, and in `sweep` a row for
    each one that was timed, called by its moves, `interchange i j; tile i j by 32`."""

    program: Scop = field(repr=False)
    space: SearchSpace
    sweep: Sweep

    @property
    def best(self) -> Row:
        """The row of the fastest program. Raises PolynbError if none could be timed."""
        return self.sweep.best

    @property
    def script(self) -> str:
        """The moves of the best program, a line each, as `%%transform` takes them."""
        return "" if self.best.name == AS_IT_IS else self.best.name.replace("; ", "\n")

    def transformation(self) -> Transformation:
        """The best program, with the verdict of each of its moves."""
        return transform(self.program, self.script)

    @property
    def refused(self) -> tuple[MoveSequence, ...]:
        """The sequences that are illegal, each with its last move's witness."""
        return self.space.refused

    @property
    def not_timed(self) -> int:
        """How many legal programs there was no room for."""
        return len(self.space.legal) - len(self.sweep.rows)

    def table(self) -> Table:
        """The programs that were timed, the fastest first."""
        done = Sweep(tuple(sorted(self.sweep.rows, key=_rank)), self.sweep.resumed)
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
            more = len(self.sweep.rows) + self.not_timed
            notes.append(f"Legal, but not timed: {self.not_timed}; `most={more}` times them, too.")
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
    seconds: float = 20.0,
    arrays: Mapping[str, Any] | None = None,
    trial_seconds: float = 0.5,
    compile_options: Mapping[str, Any] | None = None,
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
    another, `by` the tile size. At most `looked` sequences are judged, for at most `seconds`, and
    `most` programs timed, the shortest sequences first; what is left is counted.
    `trial_seconds`, `arrays` and `compile_options` are those of a `Trial`, `executor`, `resume` and
    `progress` those of `sweep`: after an interrupt, the same call with the same `resume` file goes
    on where it was.

    Legal is what keeps the program's values for every size (`pn.check`); and what is timed has
    given the same results. Raises PolynbError for parameters without a value, and unknown moves.
    """
    scop = as_scop(program)
    chosen = optional(several_names, "moves", moves, tuple(CHOICES), what="move") or tuple(CHOICES)
    depth, by = count("depth", depth), count("by", by, least=2)
    most, looked = count("most", most), count("looked", looked)
    checked_seconds("seconds", seconds)
    given = _all_values(scop, {**(optional(named, "parameters", parameters) or {}), **sizes})
    report = reporter(progress)
    space = enumerate_space(
        scop, chosen, depth=depth, by=by, most=looked, seconds=seconds, report=report
    )
    trial = Trial(
        scop,
        given,
        apply=scripted,
        arrays=optional(named, "arrays", arrays) or {},
        seconds=trial_seconds,
        compile_options=compile_options or {},
    )
    variants = {s.title: {"script": s.script} for s in space.legal[:most]}
    timed = sweep(variants, trial, executor=executor, resume=resume, progress=report)
    return Search(scop, space, timed)


def _all_values(scop: Scop, given: Mapping[str, int]) -> dict[str, int]:
    missing = [p for p in scop.parameters if p not in given]
    if missing:
        raise PolynbError(
            f"{listed(missing)} {'has no value' if len(missing) == 1 else 'have no values'}",
            hint="pn.search(program, " + ", ".join(f"{p}=1000" for p in missing) + ")",
        )
    return values("parameters", given, scop.parameters)


def _rank(row: Row) -> float:
    return -float(row.values.get("ratio", 0.0))
