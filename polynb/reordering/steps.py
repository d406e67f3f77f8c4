"""The decisions of live-range reordering, each with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.dependences.live_ranges import LiveRanges
from polynb.derivation import Sentence, Step
from polynb.legality.checking import Verdict
from polynb.reordering.constraints import Constraint, ScheduleConstraints
from polynb.reordering.farkas import ConstraintRow
from polynb.reordering.sentences import AboutStatements, formula
from polynb.scop.witness import Witness
from polynb.words import counted, listed

SOME_COUNT: Final = "{order} count only where a live range next to them is not local to a band."
ORDER_COUNTS: Final = {
    0: "There are {order}.",
    1: "{order} counts only where a live range next to it is not local to a band.",
}


@dataclass(frozen=True, eq=False)
class Constrained(Step):
    """The dependences were found, and made schedule constraints (section 3.3)."""

    ranges: LiveRanges
    constraints: ScheduleConstraints
    preset: str

    @property
    def sentence(self) -> Sentence:
        live, false = len(self.ranges.flow), len(self.ranges.false)
        forced, order = len(self.ranges.forced), len(self.ranges.order)
        text = "Validity: {live} and all {false}."
        if self.constraints.of("condition"):
            text = f"Validity: {{live}} and {{forced}}. {ORDER_COUNTS.get(order, SOME_COUNT)}"
        return text, {
            "live": counted(live, "flow dependence", "no"),
            "false": counted(false, "false dependence", "no"),
            "forced": counted(forced, "forced dependence", "no"),
            "order": counted(order, "order dependence", "no"),
        }


@dataclass(frozen=True, eq=False)
class BandBegun(AboutStatements):
    """A band for some statements is begun (Algorithm 1), again after a reset."""

    most: int
    local: tuple[Constraint, ...]

    @property
    def sentence(self) -> Sentence:
        text = "A band for {statements}, of up to {most}"
        if self.local:
            text += ", in which {count} must be local from the start"
        return text + ".", {
            "statements": listed(self.statements),
            "most": counted(self.most, "member", "no"),
            "count": counted(len(self.local), "group", "no") + " of live ranges",
        }


@dataclass(frozen=True, eq=False)
class MemberFound(AboutStatements):
    """A member of a band: `functions[S]` is `{ S[i] -> [t] }`.

    `rows` are all rows of the integer program but the solver's own, `bound` the distance bound
    (sum of |m_N|, m_0), `programs` how many integer programs it took. `local`: the live ranges that
    had to have distance zero.
    """

    number: int
    functions: Mapping[str, isl.Map]
    coincident: bool
    bound: tuple[int, int]
    programs: int
    rows: tuple[ConstraintRow, ...]
    local: tuple[Constraint, ...]

    @property
    def sentence(self) -> Sentence:
        m_n, m_0 = self.bound
        size = "as large as a parameter" if m_n else f"at most {m_0}"
        return "Member {number}: {functions}. {distance}{coincident}", {
            "number": self.number + 1,
            "functions": ", ".join(f"{s} -> {formula(f)}" for s, f in self.functions.items()),
            "distance": "All proximity distances are 0."
            if self.bound == (0, 0)
            else f"Proximity distances are {size}.",
            "coincident": " It is coincident." if self.coincident else "",
        }


@dataclass(frozen=True, eq=False)
class CoincidenceDropped(AboutStatements):
    """With coincidence there is no further member, so it is dropped for this band."""

    @property
    def sentence(self) -> Sentence:
        text = (
            "No further member keeps the coincidence constraints at distance 0: they are dropped."
        )
        return text, {}


@dataclass(frozen=True, eq=False)
class Violated(Step):
    """A member turns pairs of a conditioned constraint around: `pairs`, `{ S[i] -> T[j] }`.

    `conditions` are the live ranges next to them, which must be local now; with none, the pairs may
    be ignored.
    """

    constraint: Constraint
    pairs: isl.Map
    witness: Witness
    conditions: tuple[Constraint, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return (self.constraint.source, self.constraint.target)

    @property
    def sentence(self) -> Sentence:
        text = "The member turns {pair} around ({constraint})"
        text += ": the live ranges {conditions} must be local." if self.conditions else (
            ": no live range is next to them, so that nothing is lost."
        )  # fmt: skip
        return text, {
            "pair": str(self.witness),
            "constraint": str(self.constraint),
            "conditions": listed(
                tuple(f"{c.source} -> {c.target}" for c in self.conditions) or ("",)
            ),
        }


@dataclass(frozen=True, eq=False)
class MadeLocal(Step):
    """A group of live ranges is local from now on: both ends get the same value in every member.

    `apart` is a pair that the band so far schedules apart, if there is one: then it restarts.
    """

    condition: Constraint
    apart: Witness | None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.condition.source, self.condition.target)

    @property
    def sentence(self) -> Sentence:
        text = "The live ranges {source} -> {target} ({why}) are local from now on"
        text += ", and were so far." if self.apart is None else ", but {pair} are scheduled apart."
        return text, {
            "source": self.condition.source,
            "target": self.condition.target,
            "why": self.condition.why,
            "pair": str(self.apart),
        }


@dataclass(frozen=True, eq=False)
class BandReset(AboutStatements):
    """The band is built anew, with more live ranges local from the start."""

    thrown_away: int

    @property
    def sentence(self) -> Sentence:
        text = "So the band is built anew: {members} thrown away, coincidence is tried again."
        return text, {
            "members": counted(self.thrown_away, "member", "no")
            + (" is" if self.thrown_away == 1 else " are")
        }


@dataclass(frozen=True, eq=False)
class BandBuilt(AboutStatements):
    """A band is complete. `members[S]` is `{ S[i] -> [t1, ..., tn] }`; `full`: no dimension is
    left."""

    members: Mapping[str, isl.Map]
    coincident: tuple[bool, ...]
    full: bool

    @property
    def sentence(self) -> Sentence:
        n = len(self.coincident)
        if not n:
            return "No member respects the validity constraints.", {}
        text = "The band has {members}{permutable}: {functions}."
        return text, {
            "members": counted(n, "member", "no"),
            "permutable": ", which may be interchanged and tiled" if n > 1 else "",
            "functions": ", ".join(f"{s} -> {formula(f)}" for s, f in self.members.items()),
        }


@dataclass(frozen=True, eq=False)
class Enforced(Step):
    """A band stretches a live range, so that a conditioned constraint next to it must hold
    below."""

    condition: Constraint
    constraint: Constraint
    relation: isl.Map
    witness: Witness

    @property
    def about(self) -> tuple[str, ...]:
        return (self.constraint.source, self.constraint.target)

    @property
    def sentence(self) -> Sentence:
        text = (
            "The live ranges {source} -> {target} are not local here, so that from now on "
            "{constraint} must be respected, as for {pair}."
        )
        return text, {
            "source": self.condition.source,
            "target": self.condition.target,
            "constraint": str(self.constraint),
            "pair": str(self.witness),
        }


@dataclass(frozen=True, eq=False)
class SplitUp(Step):
    """Statements are scheduled apart, one group after the other. `why`: "unrelated"; "cycles" (the
    strongly connected components, as they have no band together that is deep enough); "many"
    (those, as there are many statements, which are then joined again one by one)."""

    groups: tuple[tuple[str, ...], ...]
    why: str

    @property
    def about(self) -> tuple[str, ...]:
        return tuple(n for g in self.groups for n in g)

    @property
    def sentence(self) -> Sentence:
        text = "Nothing relates {groups}: each is scheduled for itself."
        if self.why == "cycles":
            text = (
                "No band of all of them is deep enough: {groups} are scheduled one after the other."
            )
        if self.why == "many":
            text = "{groups} are scheduled one after the other, joined where that works."
        return text, {"groups": listed(tuple(f"({', '.join(g)})" for g in self.groups))}


@dataclass(frozen=True, eq=False)
class TooHard(AboutStatements):
    """The integer program of a member takes too long: these statements get no common band, or, if
    they must have one (`alone`), one without proximity and coincidence."""

    operations: int
    alone: bool

    @property
    def sentence(self) -> Sentence:
        text = "A member for {statements} takes more than {operations} operations: they are split."
        if self.alone:
            text = text.replace("they are split", "distances are left out of account")
        return text, {"statements": listed(self.statements), "operations": f"{self.operations:,}"}


@dataclass(frozen=True, eq=False)
class ConstraintsCarried(AboutStatements):
    """A step of Feautrier's scheduler: one member that carries as many constraints as it can."""

    functions: Mapping[str, isl.Map]
    carried: tuple[Constraint, ...]
    open: int

    @property
    def sentence(self) -> Sentence:
        text = "A step of Feautrier's scheduler carries {carried} of {all}, wholly or in part: "
        text += "{functions}."
        return text, {
            "carried": len(self.carried),
            "all": counted(len(self.carried) + self.open, "constraint", "no"),
            "functions": ", ".join(f"{s} -> {formula(f)}" for s, f in self.functions.items()),
        }


@dataclass(frozen=True, eq=False)
class Sorted(Step):
    """The statements inside the innermost loops, sorted topologically."""

    order: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return self.order

    @property
    def sentence(self) -> Sentence:
        return "Inside: {order}, in this order.", {"order": ", ".join(self.order)}


@dataclass(frozen=True, eq=False)
class Scheduled(Step):
    """isl's scheduler has found a schedule; its decisions are not to be seen."""

    functions: Mapping[str, isl.Map]

    @property
    def about(self) -> tuple[str, ...]:
        return tuple(self.functions)

    @property
    def sentence(self) -> Sentence:
        text = "isl's scheduler gives {functions}."
        said = ", ".join(f"{s} -> {formula(f)}" for s, f in self.functions.items())
        return text, {"functions": said}


@dataclass(frozen=True, eq=False)
class Checked(Step):
    """Whether the new order is legal was proven for itself, without the constraints."""

    verdict: Verdict

    @property
    def sentence(self) -> Sentence:
        return "The new order is {verdict}.", {"verdict": str(self.verdict)}
