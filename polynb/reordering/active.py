"""The constraints that are still open below the bands built so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from polynb import isl
from polynb.dependences.live_ranges import LiveRanges, Reference, one_name_each
from polynb.derivation import Readings
from polynb.reordering.constraints import Constraint, ScheduleConstraints
from polynb.scop.schedule import at_one_time

STRICT: Final = ("validity", "conditioned_validity")
Functions = Mapping[str, isl.Map]
"""A schedule function `{ S[i] -> [t] }` for each statement."""


@dataclass(frozen=True, eq=False)
class Active:
    """A constraint and those of its pairs, `{ S[i] -> T[j] }`, that no band has scheduled apart.

    `kind` may have become "validity", where a live range that a conditioned constraint belongs to
    turned out not to be local. `tagged` is the relation with its tags (itself, if there are none).
    """

    constraint: Constraint
    kind: str
    tagged: isl.Map

    @property
    def source(self) -> str:
        return self.constraint.source

    @property
    def target(self) -> str:
        return self.constraint.target

    @property
    def relation(self) -> isl.Map:
        """`{ S[i] -> T[j] }`"""
        return untagged(self.tagged)

    def restricted(self, pairs: isl.Map) -> Self:
        """Only pairs `{ S[i] -> T[j] }` of these."""
        return replace(self, tagged=only(self.tagged, pairs))

    @property
    def exists(self) -> bool:
        return not self.tagged.is_empty()

    def __str__(self) -> str:
        c = self.constraint
        return str(c) if self.kind == c.kind else f"{c}, a validity constraint by now"


def untagged(tagged: isl.Map) -> isl.Map:
    """`{ [S[i] -> a[]] -> [T[j] -> b[]] }` as `{ S[i] -> T[j] }`."""
    return tagged.factor_domain() if tagged.domain().is_wrapping() else tagged


def only(tagged: isl.Map, pairs: isl.Map) -> isl.Map:
    """Those of a (tagged) relation that belong to pairs `{ S[i] -> T[j] }`."""
    if not tagged.domain().is_wrapping():
        return tagged.intersect(pairs)
    return tagged.zip().intersect_domain(pairs.wrap()).zip()


def active(
    constraints: ScheduleConstraints, begun: Callable[[Constraint], None]
) -> tuple[Active, ...]:
    """The constraints within the domains of their statements and the context; `begun` is told of
    each."""
    domain = dict(zip(constraints.names(), constraints.domain, strict=True))
    edges = []
    for c in constraints.constraints:
        begun(c)
        pairs = isl.Map.from_domain_and_range(domain[c.source], domain[c.target])
        pairs = pairs.intersect_params(constraints.context)
        edges.append(Active(c, c.kind, c.tagged).restricted(pairs))
    return tuple(e for e in edges if e.exists)


class Neighbours:
    """The constraints by their statements, for groups of a few among many."""

    def __init__(self, edges: Sequence[Active]) -> None:
        self._edges = edges
        self._of: dict[str, list[int]] = {}
        self._after: dict[str, set[str]] = {}
        for k, e in enumerate(edges):
            for name in {e.source, e.target}:
                self._of.setdefault(name, []).append(k)
            self._after.setdefault(e.source, set()).add(e.target)

    def touching(self, names: Iterable[str]) -> list[Active]:
        """Those from or to some statements, in order."""
        return [self._edges[k] for k in sorted({k for n in names for k in self._of.get(n, ())})]

    def lead(self, names: Iterable[str], to: Iterable[str]) -> bool:
        """Whether one goes from one group of statements to another."""
        return any(not self._after.get(n, set()).isdisjoint(to) for n in names)


def order(edges: Iterable[Active]) -> list[tuple[str, str]]:
    """What must come first where statements are ordered as wholes: there every live range is
    stretched, so that conditioned constraints count as well."""
    return [(e.source, e.target) for e in edges if e.kind in STRICT and e.source != e.target]


# -- distances -------------------------------------------------------------------------------


def apart(e: Active | Constraint, f: Functions) -> isl.Map:
    """The pairs of a constraint of which the functions have two values."""
    return e.relation.subtract(at_one_time(f, e.source, e.target))


def out_of_order(e: Active, f: Functions) -> isl.Map:
    """The pairs of a constraint of which the second has a smaller value than the first."""
    return e.relation.intersect(f[e.source].lex_gt_map(f[e.target]))


def adjacent(conditions: Iterable[Active], conditioned: isl.Map) -> list[Active]:
    """The conditions that end where some of these (tagged) pairs begin, or begin where they end."""
    begin, end = conditioned.domain(), conditioned.range()
    return [
        c for c in conditions if _meet(c.tagged.range(), begin) or _meet(c.tagged.domain(), end)
    ]


def _meet(a: isl.Set, b: isl.Set) -> bool:
    return a.get_space().is_equal(b.get_space()) and not a.is_disjoint(b)


# -- below a band ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Below:
    """What is left below a band: `edges`, and of the conditioned constraints those that have become
    validity constraints because a live range next to them is not local to the band."""

    edges: tuple[Active, ...]
    enforced: tuple[tuple[Active, Active], ...]


def below(edges: Sequence[Active], band: Functions) -> Below:
    """The pairs that the band, `{ S[i] -> [t1, ..., tn] }`, does not schedule apart.

    The live ranges that it stretches are looked at before any relation is restricted: they are no
    longer seen afterwards, but what they forbid still is forbidden.
    """
    stretched = [e.restricted(apart(e, band)) for e in edges if e.kind == "condition"]
    inside = (e.restricted(at_one_time(band, e.source, e.target)) for e in edges)
    return _with_enforced(inside, [e for e in stretched if e.exists])


def inside_groups(edges: Sequence[Active], group: Mapping[str, int]) -> Below:
    """As `below`, of groups of statements one after the other, `group[S]` being the number of that
    of S: their order schedules all pairs of a constraint apart, or none."""
    crossing = [e.kind == "condition" and group[e.source] != group[e.target] for e in edges]
    inside = (e for e in edges if group[e.source] == group[e.target])
    return _with_enforced(inside, [e for e, far in zip(edges, crossing, strict=True) if far])


def _with_enforced(inside: Iterable[Active], stretched: Sequence[Active]) -> Below:
    """What is left of the edges `inside` where live ranges are `stretched`."""
    begin: dict[tuple[str, str], list[int]] = {}
    end: dict[tuple[str, str], list[int]] = {}
    for k, s in enumerate(stretched):
        begin.setdefault(s.constraint.ends[0], []).append(k)
        end.setdefault(s.constraint.ends[1], []).append(k)
    edges: list[Active] = []
    enforced: list[tuple[Active, Active]] = []
    for e in inside:
        left = e
        if e.kind == "conditioned_validity":
            first, then = e.constraint.ends
            for k in sorted({*end.get(first, ()), *begin.get(then, ())}):
                held = _held(left, stretched[k])
                if not held.is_empty():
                    now = replace(left, kind="validity", tagged=held)
                    enforced.append((stretched[k], now))
                    edges.append(now)
                    left = replace(left, tagged=left.tagged.subtract(held))
        if left.exists:
            edges.append(left)
    return Below(tuple(edges), tuple(enforced))


def _held(e: Active, stretched: Active) -> isl.Map:
    """The (tagged) pairs of a conditioned constraint next to a live range."""
    (first, then), (begin, end) = e.constraint.ends, stretched.constraint.ends
    held = isl.Map.empty(e.tagged.get_space())
    if first == end:
        held = held.union(e.tagged.intersect_domain(stretched.tagged.range()))
    if then == begin:
        held = held.union(e.tagged.intersect_range(stretched.tagged.domain()))
    return held


# -- what of IMPACT'16 can be read in other ways, and how it is meant -------------------------


@dataclass(frozen=True, repr=False)
class ReorderReadings(Readings):
    """`below`: what of the edges is left below a band, `inside_groups`: of groups of statements one
    after the other (section 2.4). `naming`: what is one reference (2.2)."""

    below: Callable[[Sequence[Active], Functions], Below] = below
    inside_groups: Callable[[Sequence[Active], Mapping[str, int]], Below] = inside_groups
    naming: Callable[[LiveRanges], dict[Reference, str]] = one_name_each


AS_MEANT: Final = ReorderReadings()
