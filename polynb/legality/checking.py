"""Whether a program may run in another order: nothing but its values decides.

A new order is legal if each read still gets the value that it got (IMPACT'16, section 3.3). So of
each live range the write comes before the read, and no other write of the cell in between; what is
read from before the program is not overwritten earlier, and what remains after it is written last.
False dependences may be turned around as long as that holds.

The rule in the 2010 paper on GRAPHITE, that live ranges must not overlap, is the same in spirit. As
it stands there, each range overlaps with itself, two ranges at one time do not conflict, dead
writes and what is live before or after the program are forgotten, and the last read is the last one
of the old order; here instances are compared, and all reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from polynb import isl
from polynb.arguments import count, optional
from polynb.conveniences import Conveniences, Markup
from polynb.dependences.analysis import analyze
from polynb.dependences.live_ranges import LiveRanges, live_ranges
from polynb.dependences.model import FLOW_NAMES, Edge
from polynb.dependences.storage import memories, stored_ranges
from polynb.derivation import Derivation, as_scop, original
from polynb.errors import PolynbError
from polynb.legality.pair import ViolatedPair, violated_pair
from polynb.legality.violation import Violation, violations
from polynb.scop.isl_text import check_tuples, union_map
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import Tree, statement_names, statement_times, times
from polynb.scop.schedule_isl import from_isl
from polynb.scop.witness import Instance, Witness

SENTENCES: Final = {
    "flow": "{read} needs what {write} writes to {array}, and would not run after",
    "live range": "{other} would overwrite {array} between {write}, which writes it, and {read}, "
    "which reads it",
    "live-in": "{other} would overwrite {array} before {read} has read what was there before the "
    "program",
    "live-out": "{write} is to write the last value of {array}, and {other} would run after it",
    "anti": "{other} writes {array}, which {read} read before it, and would not run after",
    "output": "{other} writes {array}, which {write} wrote before it, and would not run after",
}
MAYBE: Final = {  # where data decides
    "flow": "{read} may need what {write} may write to {array}, and would not run after",
    "live range": "{other} may overwrite {array} between {write}, which may write it, and {read}, "
    "which may read it",
    "live-in": "{other} may overwrite {array} before {read} has read what was there before the "
    "program",
    "live-out": "{write} may write the last value of {array}, and {other} would run after it",
    "anti": "{other} may write {array}, which {read} read before it, and would not run after",
    "output": "{other} may write {array}, which {write} wrote before it, and would not run after",
}
ROLES: Final = {  # of the source and the target of a dependence that is turned around
    "flow": ("write", "read"),
    "live-in": ("read", "other"),
    "live-out": ("other", "write"),
    "anti": ("read", "other"),
    "output": ("write", "other"),
}

New = Tree | Scop | Derivation | isl.Schedule | isl.UnionMap | str


@dataclass(frozen=True, eq=False)
class Conflict:
    """Why an order is illegal.

    `kind`, and the roles in its witness: "flow" (a `read` does not run after the `write` it needs),
    "live range" (a `write`, a `read` of its value, and an `other` write that would run between
    them), "live-in" (a `read` of what was there before, and an `other` write that would run before
    it) or "live-out" (a `write` whose value remains, and an `other` that would run after it). Of
    `memory_based` also "anti" (an `other` write would run before a `read` that it followed) and
    "output" (an `other` write would run before a `write` that it followed).

    `pair` has the two live ranges of a conflict that is about them: the cell, up to four instances,
    and their times in the new order. Not `exact`: data decides whether these accesses happen.
    """

    kind: str
    array: str
    witness: Witness
    exact: bool = True
    pair: ViolatedPair | None = field(default=None, repr=False)

    def __str__(self) -> str:
        sentences = SENTENCES if self.exact else MAYBE
        text = sentences[self.kind].format(array=self.array, **self.witness.instances)
        return self.witness.at_values(text)


@dataclass(frozen=True, eq=False)
class CheckAsked:
    """What a verdict is about: a program, a schedule as `check` takes it, and kills."""

    program: Scop
    schedule: Any
    kills: isl.UnionMap | str | None = None


@dataclass(frozen=True, eq=False)
class Verdict(Conveniences):
    """Whether an order of execution is legal (truthy then), and if not, why.

    `conflicts` has a witness for each kind of conflict between statements. `ignored` has one for
    each false dependence that a legal order turns around: the live ranges that it kept apart do not
    overlap in the new order either. `repairs` are what would make it legal.
    """

    conflicts: tuple[Conflict, ...]
    ignored: tuple[Violation, ...] = field(default=(), repr=False)
    asked: CheckAsked | None = field(default=None, repr=False)

    @property
    def legal(self) -> bool:
        return not self.conflicts

    def __bool__(self) -> bool:
        return self.legal

    @cached_property
    def repairs(self) -> Any:
        """What would make the order legal (`polynb.violations.Repairs`, of `Repair`s with an
        `apply`), found when it is first asked for: memory for the values that would be overwritten,
        or the nearest legal schedule. Raises PolynbError for a verdict that is not `check`'s."""
        return self._below("repairs")

    def to_svg(self) -> Markup:
        """The first conflict: its live ranges on a time line, in the program's order and in the new
        one (the 2010 paper, Figure 9), and as arrows in the iteration space; where only flow is
        turned around, that. Raises PolynbError if there is none."""
        picture: Markup = self._below("verdict_svg")
        return picture

    def __str__(self) -> str:
        if self.conflicts:
            return "illegal: " + "; ".join(map(str, self.conflicts))
        if not self.ignored:
            return "legal: every dependence is respected"
        count = len(self.ignored)
        which = "a false dependence is" if count == 1 else f"{count} false dependences are"
        return f"legal: {which} turned around, and no live ranges overlap"


@isl.bounded("the check of an order")
def check(
    program: Scop | Derivation,
    schedule: New | None = None,
    *,
    kills: isl.UnionMap | str | None = None,
    max_operations: int | None = 50_000_000,
) -> Verdict:
    """Whether a program keeps its meaning when it runs in the order of `schedule`.

    `schedule`: a schedule tree (ours or isl's), times `{ S[i] -> [t] }` (an islpy union map or isl
    text; instances of one time run in any order), or the same statements in another order (a Scop
    or Derivation). Of a Derivation alone, its result is checked against what it started from.
    `kills`: `{ S[i] -> A[x] }`, cells whose content S[i] destroys. Where arrays live in other
    memory, values must keep apart there. Raises PolynbError for a schedule that leaves instances
    out, and BudgetExhausted.
    """
    as_scop(program)
    if schedule is None:
        if not isinstance(program, Derivation):
            raise PolynbError("a schedule to check is needed", hint="pn.check(scop, schedule)")
        schedule = program.result
        scop = original(program)
    else:
        scop = as_scop(program)
    optional(count, "max_operations", max_operations)
    with isl.budget(max_operations):
        new = new_times(scop, schedule)
        other = as_scop(schedule) if isinstance(schedule, Scop | Derivation) else scop
        for stored in dict.fromkeys((scop, other)):
            verdict = check_storage(stored)
            if not verdict:
                return verdict
        if isinstance(schedule, isl.Schedule):
            schedule = from_isl(schedule)
        verdict = check_ranges(live_ranges(scop, kills=kills), new)
        return replace(verdict, asked=CheckAsked(scop, schedule, kills))


@isl.bounded("the check of an order")
def memory_based(
    program: Scop | Derivation, schedule: New, *, max_operations: int | None = 50_000_000
) -> Verdict:
    """Whether an order respects all dependences, those too that come from memory alone: what
    GRAPHITE checked before the 2010 paper, and what forbids too much.

    `schedule` is as `check` takes it. Raises PolynbError for one that leaves instances out, and
    BudgetExhausted.
    """
    scop = as_scop(program)
    optional(count, "max_operations", max_operations)
    with isl.budget(max_operations):
        new = new_times(scop, schedule)
        dependences = analyze(scop)
        return Verdict(
            tuple(
                c
                for kind in ("raw", "war", "waw")
                for c in _conflicts(FLOW_NAMES[kind], dependences.memory(kind), new, scop.assumed)
            )
        )


def check_storage(scop: Scop) -> Verdict:
    """Whether values keep apart in the memory that the arrays of a program live in."""
    shared = memories(scop)
    if not shared:
        return Verdict(())
    return check_ranges(stored_ranges(scop), {s.name: s.schedule for s in scop.statements}, shared)


def check_ranges(
    ranges: LiveRanges, new: Mapping[str, isl.Map], arrays: frozenset[str] = frozenset()
) -> Verdict:
    """`check` for live ranges that are known, and times `{ S[i] -> [t] }` of one length. Of some
    `arrays` live ranges are looked at in any case."""
    scop = ranges.scop
    ignored = tuple(violations(ranges.false, new, scop.assumed))
    doubted = {v.edge.array for v in ignored} | arrays
    suspicious = [array for array in scop.arrays if array in doubted]
    conflicts = list(_conflicts("flow", ranges.flow, new, scop.assumed))
    # Where no false dependence is turned around, live ranges run one after the other as before.
    for array in suspicious:
        conflicts += _overwritten(ranges, array, new)
    conflicts += _conflicts(
        "live-in", [e for e in ranges.after_live_in if e.array in suspicious], new, scop.assumed
    )
    conflicts += _conflicts(
        "live-out", [e for e in ranges.before_live_out if e.array in suspicious], new, scop.assumed
    )
    return Verdict(
        tuple(_with_pair(c, ranges, new) for c in conflicts), () if conflicts else ignored
    )


def _with_pair(c: Conflict, ranges: LiveRanges, new: Mapping[str, isl.Map]) -> Conflict:
    return replace(c, pair=violated_pair(c.kind, c.array, c.witness, c.exact, ranges, new))


def _conflicts(
    kind: str, edges: Iterable[Edge], new: Mapping[str, isl.Map], assumed: isl.Set
) -> Iterator[Conflict]:
    seen = set()
    for v in violations(edges, new, assumed):
        key = v.edge.array, v.edge.source, v.edge.target
        if key not in seen:
            seen.add(key)
            witness = v.witness.with_roles(*ROLES[kind])
            yield Conflict(kind, v.edge.array, witness, v.edge.exact)


# -- writes inside of live ranges ------------------------------------------------------------


def _overwritten(ranges: LiveRanges, array: str, new: Mapping[str, isl.Map]) -> Iterator[Conflict]:
    scop = ranges.scop
    flow = [e for e in ranges.flow if e.array == array]
    writers = [s for s in scop.statements if s.write.array == array]
    seen = set()
    for e in flow:
        for other in writers:
            key = e.source, e.target, other.name
            if key in seen:
                continue
            inside = between(e, other, flow, scop, new).intersect_params(scop.assumed)
            at = isl.witness(inside.wrap().flatten()) if not inside.is_empty() else None
            if at is not None:
                seen.add(key)
                instances = _split(at[1], e, other, scop)
                yield Conflict("live range", array, Witness(at[0], instances), e.exact)


def between(
    e: Edge, other: Statement, flow: Iterable[Edge], scop: Scop, new: Mapping[str, isl.Map]
) -> isl.Map:
    """`{ [W[i] -> T[j]] -> X[k] }`: of the live range from W[i] to T[j], X[k] would overwrite the
    cell at its time, or at the time of its write or read.

    Left out are the write itself, the write of the reading instance, which comes after its reads,
    and where data decides, writes that came between them before: other possible sources of the
    read.
    """
    write, read = e.relation.domain_map(), e.relation.range_map()
    source, target = scop.by_name[e.source], scop.by_name[e.target]

    def both(f: Callable[[Statement], isl.Map], which: isl.Map, s: Statement) -> isl.Map:
        """`{ [W[i] -> T[j]] -> X[k] }` of cells that s and X access."""
        return which.apply_range(f(s).apply_range(other.write.relation.reverse()))

    assert e.read is not None
    inside = both(lambda s: s.write.relation, write, source)
    if not e.exact:
        number = e.read
        inside = inside.intersect(both(lambda s: s.reads[number].relation, read, target))
    inside = inside.intersect(write.apply_range(new[e.source].lex_le_map(new[other.name])))
    inside = inside.intersect(read.apply_range(new[e.target].lex_ge_map(new[other.name])))
    if other.name == e.source:
        inside = inside.subtract(write)
    if other.name == e.target:
        inside = inside.subtract(read)
    for also in () if e.exact else flow:
        if (also.source, also.target, also.read) == (other.name, e.target, e.read):
            before = write.apply_range(source.schedule.lex_lt_map(other.schedule))
            inside = inside.subtract(before.intersect(read.apply_range(also.relation.reverse())))
    return inside


def _split(point: tuple[int, ...], e: Edge, other: Statement, scop: Scop) -> dict[str, Instance]:
    a = len(scop.by_name[e.source].iterators)
    b = a + len(scop.by_name[e.target].iterators)
    return {
        "write": Instance(e.source, point[:a]),
        "read": Instance(e.target, point[a:b]),
        "other": Instance(other.name, point[b:]),
    }


# -- times -----------------------------------------------------------------------------------


def new_times(scop: Scop, schedule: New) -> dict[str, isl.Map]:
    """`{ S[i] -> [t] }` of one length for each statement, on its domain.

    Raises PolynbError if the schedule has no time, or several, for some instance.
    """
    domains = {s.name: s.domain for s in scop.statements}
    match schedule:
        case Derivation() | Scop():
            _check_instances(scop, as_scop(schedule))
            schedule = as_scop(schedule).schedule
        case isl.Schedule():
            schedule = from_isl(schedule)
    if isinstance(schedule, Tree):
        # A tree without bands and filters has no names: at its leaf is what there is one of.
        named = statement_names(schedule) or set(domains if len(domains) == 1 else ())
        _check_names(domains, named)
        new = times(schedule, domains)
    else:
        union = union_map("schedule", schedule, "{ S[i, j] -> [j, i] }")
        dims = {name: d.dim(isl.SET) for name, d in domains.items()}
        check_tuples("schedule", schedule, union, dims)
        new = statement_times(union)
        _check_names(domains, new)
    for name, domain in domains.items():
        new[name] = new[name].intersect_domain(domain)
        missing = domain.intersect_params(scop.assumed).subtract(new[name].domain())
        if not missing.is_empty():
            at = isl.witness(missing)
            raise PolynbError(
                f"the schedule leaves out {Instance(name, at[1] if at else ())}",
                hint="a time for every instance",
            )
        if not new[name].is_single_valued():
            raise PolynbError(f"the schedule runs instances of {name} several times")
    return new


def _check_instances(scop: Scop, other: Scop) -> None:
    """Raises PolynbError unless two programs have the same instances, of the same accesses."""

    def arrays(s: Statement) -> tuple[str, ...]:
        return s.write.array, *(r.array for r in s.reads)

    differ = sorted(scop.by_name.keys() ^ other.by_name.keys())
    for s in () if differ else scop.statements:
        t = other.by_name[s.name]
        domain, new = (x.domain.intersect_params(scop.assumed) for x in (s, t))
        if arrays(s) != arrays(t) or not domain.is_equal(new):
            differ.append(s.name)
    if differ:
        raise PolynbError(
            f"these two programs differ in more than their order: in {', '.join(differ)}",
            reason="`check` is about orders of the same instances, and a pass such as propagation "
            "makes other ones",
            hint="pn.equivalent(before, after), which compares what programs compute",
        )


def _check_names(domains: Iterable[str], given: Iterable[str]) -> None:
    missing, unknown = set(domains) - set(given), set(given) - set(domains)
    if missing or unknown:
        what = f"says nothing of {', '.join(sorted(missing))}"
        if unknown:
            what = f"is about unknown statements: {', '.join(sorted(unknown))}"
        raise PolynbError(f"the schedule {what}", hint=f"times for {', '.join(domains)}")
