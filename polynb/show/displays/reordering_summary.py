"""What the steps of a reordering amount to: its bands, and the false dependences set aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.derivation import Derivation, Step
from polynb.legality.checking import Verdict
from polynb.legality.order import Order
from polynb.reordering.constraints import Constraint
from polynb.reordering.steps import BandBegun, BandBuilt, BandReset, Checked, Constrained, Violated
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, walk
from polynb.scop.witness import Instance, Witness, cell_text, pair_witness
from polynb.show.draw.sample import at_values, pinned


@dataclass(frozen=True, eq=False)
class SetAside:
    """A false dependence that may be turned around: `witness`, two instances, the first of which
    came first; `turned`, whether they change places in the result; `direct`, whether pairs do
    between which there is no other live range of the cell; `local`, the live ranges next to it that
    stay within one iteration of a band (source and target of each)."""

    kind: str
    array: str
    source: str
    target: str
    witness: Witness
    turned: bool
    direct: bool
    local: tuple[tuple[str, str], ...]

    @property
    def now(self) -> str:
        if self.turned:
            return "turned around" if self.direct else "turned around further apart"
        return "may be turned around"


@dataclass(frozen=True, eq=False)
class ReorderingSummary:
    """`ranges` are the program's live ranges, None if a derivation is without them; `verdict` the
    proof; `kept` the steps of the bands that the result has, without those before a reset."""

    derivation: Derivation
    ranges: LiveRanges | None
    verdict: Verdict | None
    kept: tuple[tuple[Step, ...], ...]

    @property
    def false(self) -> tuple[Edge, ...]:
        return () if self.ranges is None else self.ranges.false

    @property
    def ignored(self) -> tuple[Edge, ...]:
        """The false dependences that the result turns around."""
        return tuple(v.edge for v in self.verdict.ignored) if self.verdict else ()

    @property
    def set_aside(self) -> list[SetAside]:
        """The false dependences that the result turns around, then those that other orders of its
        permutable loops might."""
        found: dict[tuple[str, str, str, str], SetAside] = {}
        nearby: dict[tuple[str, str, str, str], dict[tuple[str, str], None]] = {}
        violated = [s for steps in self.kept for s in steps if isinstance(s, Violated)]
        for step in violated:
            key = self._key(step.constraint)
            ranges = nearby.setdefault(key, {})
            ranges |= dict.fromkeys((c.source, c.target) for c in step.conditions)
        for v in self.verdict.ignored if self.verdict else ():
            e = v.edge
            key = (e.flow_name, e.array, e.source, e.target)
            local = nearby.get(key) or dict.fromkeys(_beside(self.ranges, e))
            found.setdefault(key, SetAside(*key, v.witness, True, True, tuple(local)))
        for step in violated:
            key = self._key(step.constraint)
            if key not in found:
                pair = self._violated_pair(step.constraint)
                witness = step.witness if pair is None else pair
                turns = pair is not None
                found[key] = SetAside(*key, witness, turns, False, tuple(nearby[key]))
        return sorted(found.values(), key=lambda s: (not s.direct, not s.turned))

    def _key(self, c: Constraint) -> tuple[str, str, str, str]:
        e = edge_of(self.ranges, c)
        kind, array = (e.flow_name, e.array) if e is not None else ("", "")
        return kind, array, c.source, c.target

    def _violated_pair(self, c: Constraint) -> Witness | None:
        """A pair that the result turns around."""
        times = {s.name: s.schedule for s in self.derivation.result.statements}
        if c.source not in times or c.target not in times:
            return None
        e = Edge("", "", c.source, c.target, c.relation)
        turned = Order(times).turned(e).intersect_params(self.derivation.before.assumed)
        return pair_witness(turned)


def summarize(derivation: Derivation) -> ReorderingSummary:
    """What is told of a reordering: its steps, as far as the result has what they made."""
    constrained = next((s for s in derivation.steps if isinstance(s, Constrained)), None)
    checked = next((s for s in derivation.steps if isinstance(s, Checked)), None)
    bands = [t for t in walk(derivation.result.schedule) if isinstance(t, Band)]
    return ReorderingSummary(
        derivation,
        constrained.ranges if constrained else None,
        checked.verdict if checked else None,
        tuple(steps for steps in _attempts(derivation.steps) if _is_kept(steps[-1], bands)),
    )


def _attempts(steps: Iterable[Step]) -> list[tuple[Step, ...]]:
    """The steps of each band, from its (last) beginning to its end."""
    found: list[tuple[Step, ...]] = []
    inside: list[Step] = []
    for step in steps:
        if isinstance(step, BandBegun | BandReset):
            inside = []
        inside.append(step)
        if isinstance(step, BandBuilt):
            found.append(tuple(inside))
            inside = []
    return found


def _is_kept(built: Step, bands: Iterable[Band]) -> bool:
    """Whether the band is one of the tree's. Of several statements' common band that was given up
    for bands of their own, nothing is left."""
    assert isinstance(built, BandBuilt)
    return any(_same(b.members, built.members) for b in bands)


def _same(a: Mapping[str, isl.Map], b: Mapping[str, isl.Map]) -> bool:
    if a.keys() != b.keys():
        return False
    return all(m is b[n] or bool(m.is_equal(b[n])) for n, m in a.items())


def edge_of(ranges: LiveRanges | None, c: Constraint) -> Edge | None:
    """The dependence that a constraint of a preset was made of; None for one of another origin."""
    return None if ranges is None else _by_relation(ranges).get(id(c.relation))


@lru_cache(maxsize=4)
def _by_relation(ranges: LiveRanges) -> dict[int, Edge]:
    """The dependences by the identities of their relations, which they keep: steps are many."""
    edges = (*ranges.flow, *ranges.order, *ranges.forced, *ranges.false)
    return {id(e.relation): e for e in reversed(edges)}  # the first one counts


def _beside(ranges: LiveRanges | None, e: Edge) -> list[tuple[str, str]]:
    """The live ranges that end where a false dependence begins, or begin where it ends."""
    flow = ranges.flow if ranges is not None else ()
    same = [f for f in flow if f.array == e.array]
    return [(f.source, f.target) for f in same if e.source in (f.source, f.target)
            or f.source == e.target]  # fmt: skip


def cell(scop: Scop, e: Edge | None, at: Instance, values: Mapping[str, int]) -> str:
    """The cell that an instance, a dependence's source, accesses: `t[1]`; `t` where data decides,
    "" if nothing is known."""
    if e is None:
        return ""
    s = scop.by_name[at.statement]
    access = s.reads[e.read] if e.kind == "war" and e.read is not None else s.write
    here = pinned(isl.Set.universe(s.domain.get_space()), isl.SET, at.point)
    cells = at_values(access.relation.intersect_domain(here).range(), values)
    return cell_text(e.array, isl.points(cells)[0]) if cells.is_singleton() else e.array
