"""What `pn.feedback` says: loops, nests, lines, and which transformations are suggested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from polynb.conveniences import Conveniences
from polynb.errors import Source
from polynb.tracing.feedback.bands import CarriedDependence, NewSchedule
from polynb.tracing.feedback.known import InductionVariable, RemovedDependence
from polynb.tracing.feedback.reuse import MemoryReuse, needs_of
from polynb.tracing.feedback.strides import AccessStrides
from polynb.tracing.records import LoopOf
from polynb.words import listed, shortened

if TYPE_CHECKING:
    Table = Any  # of a room further down

Grade = Literal["parallel", "not parallel", "not known"]
Transformation = Literal["parallelise", "interchange", "vectorise", "tile", "skew and tile"]


@dataclass(frozen=True)
class Suggestion:
    """A transformation of `loops` (those of `lines`), why it may pay and may be done, and what it
    `needs` besides."""

    transformation: Transformation
    loops: tuple[str, ...]
    lines: tuple[int, ...]
    why: str
    needs: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = list(dict.fromkeys(map(str, self.lines)))
        where = f"line{'s' * (len(lines) > 1)} {listed(lines)}"
        needs = f"; it needs {listed(self.needs)}" if self.needs else ""
        return f"{self.transformation} {listed(self.loops)} ({where}): {self.why}{needs}"


@dataclass(frozen=True, eq=False)
class LoopReport:
    """A loop in one calling context, as a node of the tree of loops (`loops.LoopNode`).

    `operations` were executed inside, `own` of them directly. `parallel`: it carries no flow
    dependence; `carried` are those that it does. `reused` are the anti and output dependences that
    it carries, which copies of the memory would remove, and `registers` the variables that each of
    its iterations writes. `iterates`: it had more than one iteration somewhere. `leaving` is the
    condition by which it ends early, or goes on, where that is not known from the iterators.
    `unseen` is what in it was not seen, in words, `chance` why it may carry something with other
    data. `gathered`: all that it carries goes into these, by an associative operation. `wrapped`:
    it is the values of these, which are known from the iterators in all iterations but the first.
    `lost` is what its iterations overwrite, and not the last one always, though it is read after
    it; `last` what has to be kept of its last iteration.
    `doubts` are what else has to be known of it before it runs in parallel.
    """

    name: str
    loop: LoopOf
    depth: int
    operations: int
    own: int
    iterates: bool
    carried: tuple[CarriedDependence, ...]
    reused: tuple[MemoryReuse, ...]
    registers: tuple[str, ...]
    children: tuple[LoopReport, ...] = ()
    leaving: str = ""
    unseen: str = ""
    chance: str = ""
    gathered: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def unknown(self) -> str:
        """Why nobody knows whether it carries anything, and what would tell, in words."""
        if self.unseen or not self.loop.unsure:
            return self.unseen or self.chance
        return f"{self.loop.unsure}; its conditions would tell, which `pn.trace` of its text sees"

    @property
    def parallel(self) -> bool:
        """The one decision for all front ends: all was seen, and nothing of it is carried."""
        return not (self.carried or self.lost or self.leaving or self.unknown)

    @property
    def grade(self) -> Grade:
        """Parallel, or not, only if that was shown, by more than one iteration."""
        if not self.iterates:
            return "not known"
        if self.parallel:
            return "parallel"
        return "not parallel" if self.leaving or self.lost or self._shown else "not known"

    @property
    def _shown(self) -> CarriedDependence | None:
        """A dependence that it carries for certain."""
        return next((c for c in self.carried if c.sure), None)

    @property
    def privatised(self) -> tuple[str, ...]:
        """What has to be so besides, for its iterations to run at the same time, in words."""
        found = []
        if self.registers:
            found.append(f"a copy of {shortened(self.registers)} for each iteration")
        if self.loop.counted:
            found.append(f"its iterations counted before it runs ({self.loop.counted})")
        return (*found, *needs_of(self.reused), *self.last)

    @property
    def besides(self) -> str:
        """What it needs to run in parallel, and what is to be doubted, in words; "" of a loop that
        is not parallel."""
        if self.grade != "parallel":
            return ""
        needs = [f"it needs {listed(self.privatised)}"] if self.privatised else []
        return "; ".join([*needs, *self.doubts])

    @property
    def verdict(self) -> str:
        """Its grade, with what it carries, or why that is not known and what would tell."""
        match self.grade:
            case "parallel":
                return "parallel"
            case "not parallel" if self.leaving and self.loop.recursion:
                return f"not parallel: each call of {self.loop.function} is made by an earlier one"
            case "not parallel" if self.leaving:
                return f"not parallel: {self.leaving} decides whether it goes on"
            case "not parallel" if self.lost:
                return f"not parallel: carries an output dependence on {self.lost[0]}"
            case "not parallel":
                return f"not parallel: carries {self._carries(self._shown or self.carried[0])}"
        return f"not known to be parallel: {self._open}"

    @property
    def _open(self) -> str:
        """Why it is not known."""
        if not self.iterates:
            return self.unseen or "it had no second iteration; a run with more would tell"
        if self.carried and all(c.unknown for c in self.carried):
            calls = [*dict.fromkeys(c.unknown for c in self.carried)]
            return f"it calls {shortened(calls, 3)}; their texts would tell"
        if self.carried and not self.unseen:
            return f"carries {self._carries(self.carried[0])}; a smaller run would tell"
        return self.unknown

    def _carries(self, first: CarriedDependence) -> str:
        found = str(first) + (" ..." if len(self.carried) > 1 else "")
        if self.wrapped:
            names = listed(self.wrapped)
            found += f"; only its first iteration reads another value of {names}: peel it off"
        return found + (f"; a reduction into {listed(self.gathered)}" if self.gathered else "")

    def walk(self) -> Iterator[LoopReport]:
        """It and all loops inside, outer before inner."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, eq=False)
class NestReport:
    """The loops around an innermost loop, outermost first.

    `operations` were executed in it (those of an outer loop count for its first nest). `bands` are
    the maximal runs of loops that may be interchanged, as (first, last). `searched` is the widest
    band of another schedule. `accesses` are those in the innermost loop.
    """

    loops: tuple[LoopReport, ...]
    operations: int
    bands: tuple[tuple[int, int], ...]
    searched: NewSchedule | None
    accesses: tuple[AccessStrides, ...]
    suggestions: tuple[Suggestion, ...]

    @property
    def name(self) -> str:
        return ", ".join(x.name for x in self.loops)

    @property
    def line(self) -> int:
        return self.loops[0].loop.line

    @property
    def parallel(self) -> tuple[str, ...]:
        """The loops that carry no flow dependence."""
        return tuple(x.name for x in self.loops if x.parallel and x.iterates)

    @property
    def widest(self) -> tuple[int, int]:
        """The largest of the bands, the outermost of several."""
        return max(self.bands, key=lambda b: (b[1] - b[0], -b[0]))

    @property
    def tilable(self) -> int:
        """How many dimensions may be tiled, perhaps after a change of the schedule."""
        first, last = self.widest
        return max(last - first + 1, self.searched.width if self.searched is not None else 0)

    @property
    def optim(self) -> str:
        """As in Table 5: `T 2D, P, V`."""
        found = [f"T {self.tilable}D"] if self.tilable else []
        found += ["P"] if self.parallel else []
        found += ["V"] if any(s.transformation == "vectorise" for s in self.suggestions) else []
        return ", ".join(found) or "-"


@dataclass(frozen=True)
class LineReport:
    """A line of the source: how many operations it executed, the verdict on the loop that it is
    the head of ("" of none), and the strides of its accesses, in words."""

    file: str
    line: int
    executed: int
    verdict: str
    strides: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Feedback(Conveniences):
    """What one execution of a program tells of its loops.

    `nests` with the most operations come first; `loops` is the forest of all, and `lines` the same
    by the line. `variables` are the induction variables, and `removed` the dependences that went
    with them. `untold` are the loops of which nothing is known, as they did not run, or take too
    long to look at. `doubts` are what the trace cannot know of any loop: all of it holds of this
    run; other inputs may have other dependences. `sources` are the texts that `lines` are of, by
    file.
    """

    nests: tuple[NestReport, ...]
    loops: tuple[LoopReport, ...]
    lines: tuple[LineReport, ...]
    variables: tuple[InductionVariable, ...]
    removed: tuple[RemovedDependence, ...]
    doubts: tuple[str, ...]
    operations: int
    sources: Mapping[str, Source] = field(default_factory=dict)
    untold: tuple[LoopReport, ...] = ()

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Of all nests, those with the most operations first."""
        return tuple(s for n in self.nests for s in n.suggestions)

    @property
    def optim(self) -> str:
        """The column of Table 5: the widest band that can be tiled (T nD), whether a loop is
        parallel (P), whether one may be vectorised (V)."""
        widest = max((n.tilable for n in self.nests), default=0)
        found = [f"T {widest}D"] if widest else []
        found += ["P"] if any(n.parallel for n in self.nests) else []
        found += ["V"] if any("V" in n.optim for n in self.nests) else []
        return ", ".join(found) or "-"

    def table(self) -> Table:
        """A row for each loop, the nests with the most operations first."""
        head = [
            "Loop",
            "Line",
            "Operations",
            "Verdict",
            "Besides",
            "Permutable",
            "Strides",
            "Optim",
        ]
        left = [h for h in head if h not in ("Line", "Operations")]
        return self._below("table", head, [*self._rows()], left, self._notes())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """The loops inside others behind them; of the innermost, also what the nest is."""
        inner = {id(n.loops[-1]): n for n in self.nests}
        roots = sorted(self.loops, key=lambda r: (-r.operations, r.loop.line))
        for r in (*(x for root in roots for x in root.walk()), *self.untold):
            name, nest = "\u2003" * r.depth + r.name, inner.get(id(r))
            more = ("", "", "") if nest is None else _of_nest(nest)
            yield (name, r.loop.line, r.operations, r.verdict, r.besides, *more)

    def _notes(self) -> list[str]:
        notes = [str(s) for s in self.suggestions]
        if self.removed:
            names = shortened([v.instruction.name for v in self.variables])
            notes.append(
                f"{len(self.removed)} dependences of induction variables ({names}) were removed"
            )
        return [*notes, *self.doubts]

    def __str__(self) -> str:
        return str(self.table())


def _of_nest(n: NestReport) -> tuple[str, str, str]:
    bands = "; ".join(", ".join(x.name for x in n.loops[a : b + 1]) for a, b in n.bands if b > a)
    return bands, "; ".join(first_of([a.text() for a in n.accesses], 4)), n.optim


def first_of(texts: Sequence[str], most: int) -> list[str]:
    """The first of some texts, each once, and how many more there are."""
    found = list(dict.fromkeys(texts))
    rest = len(found) - most
    return [*found[:most], f"{rest} more"] if rest > 1 else found
