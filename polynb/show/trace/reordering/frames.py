"""Pieces of the frames of a reordering, and what is kept from step to step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Unpack

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.derivation import Step
from polynb.reordering.constraints import Constraint
from polynb.scop.witness import Witness, pair_witness
from polynb.show.displays.reordering_summary import cell, edge_of
from polynb.show.draw.sample import pinned
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, FrameParts, OverlayJson, Role
from polynb.show.trace.program import read_id, statement_id, write_id
from polynb.show.trace.witnesses import witness_json

FEW: Final = 24  # dependences that are drawn in one frame
CLEAR: Final = 12  # arrows between planes that can be told apart


@dataclass
class ReorderingState:
    """What is known from the steps before: the live ranges; the members of the band that is being
    built, `{ S[i] -> [t] }`, and the last one alone, with the scenes that show their times; how
    many bands were begun; and of which live ranges it is known whether they are local to this one:
    of those that must be, and of those that a learner was asked about."""

    ranges: LiveRanges | None = None
    members: dict[str, isl.Map] = field(default_factory=dict)
    last: Mapping[str, isl.Map] = field(default_factory=dict)
    scenes: dict[str, int] = field(default_factory=dict)
    begun: int = 0
    open: bool = False
    asked: bool = False  # what the last member turns around
    settled: set[tuple[str, str, str]] = field(default_factory=set)

    def grow(self, functions: Mapping[str, isl.Map]) -> None:
        """One more member."""
        self.last = functions
        self.scenes = {}
        self.asked = False
        self.members = {
            n: self.members[n].flat_range_product(f) if n in self.members else f
            for n, f in functions.items()
        }


def live_range(c: Constraint) -> tuple[str, str, str]:
    """By what live ranges are told apart."""
    return c.source, c.target, c.why


def at_times(builder: TraceBuilder, alone: bool) -> None:
    """Show the times by the members so far, or by the last one alone."""
    known = builder.state(ReorderingState)
    key = "alone" if alone and known.members != known.last else "so far"
    if key in known.scenes:
        builder.scene_number = known.scenes[key]
        return
    builder.time(known.last if alone else known.members)
    known.scenes[key] = builder.scene_number


def framed(
    builder: TraceBuilder, step: Step, section: str | None = None, **more: Unpack[FrameParts]
) -> Frame:
    """A frame with the sentence of a step, in the paper's signs."""
    frame = builder.frame(step, section, **more)
    frame["sentence"] = frame["sentence"].replace("->", "→")
    return frame


def accesses(e: Edge) -> list[str]:
    """The ids of the two accesses of a dependence."""
    found = [write_id(e.source), write_id(e.target)]
    if e.read is not None:
        first = e.kind == "war"
        found[0 if first else 1] = read_id(e.source if first else e.target, e.read)
    return found


def marks(c: Constraint, builder: TraceBuilder) -> list[str]:
    e = edge_of(builder.state(ReorderingState).ranges, c)
    return accesses(e) if e is not None else [statement_id(c.source), statement_id(c.target)]


def drawn(role: Role, label: str, e: Edge, builder: TraceBuilder) -> OverlayJson:
    return builder.scene.overlay(
        role, f"{label} {e.source} → {e.target} ({e.array})", e.relation, accesses(e)
    )


def overlay(
    role: Role, label: str, c: Constraint, relation: isl.Map, builder: TraceBuilder
) -> OverlayJson:
    e = edge_of(builder.state(ReorderingState).ranges, c)
    through = f" ({e.array})" if e is not None else ""
    name = f"{label} {c.source} → {c.target}{through}"
    return builder.scene.overlay(role, name, relation, marks(c, builder))


def ranges_of(found: Iterable[Constraint], builder: TraceBuilder) -> list[OverlayJson]:
    return [overlay("condition", "live range", c, c.relation, builder) for c in found]


def beside(
    c: Constraint, pair: Witness | None, pairs: isl.Map, builder: TraceBuilder
) -> OverlayJson:
    """The live ranges of a group next to a pair; next to any, if none is drawn."""
    if pair is not None:
        return overlay("condition", "live range", c, _touching(c.relation, pair), builder)
    found = isl.Map.empty(c.relation.get_space())
    if isl.tuple_name(pairs, isl.IN) == c.target:
        found = found.union(c.relation.intersect_range(pairs.domain()))
    if isl.tuple_name(pairs, isl.OUT) == c.source:
        found = found.union(c.relation.intersect_domain(pairs.range()))
    return overlay("condition", "live range", c, found, builder)


def _touching(relation: isl.Map, pair: Witness) -> isl.Map:
    """The live ranges that end at the source of a pair or begin at its target."""
    source, target = pair["source"], pair["target"]
    found = isl.Map.empty(relation.get_space())
    if isl.tuple_name(relation, isl.OUT) == source.statement:
        found = found.union(pinned(relation, isl.OUT, source.point))
    if isl.tuple_name(relation, isl.IN) == target.statement:
        found = found.union(pinned(relation, isl.IN, target.point))
    return found


def pair_of(relation: isl.Map, builder: TraceBuilder) -> Witness | None:
    """A pair at the values that are shown, of which both instances can be drawn."""
    names = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
    if not builder.scene.has(*names):
        return None
    fixed = isl.fix_parameters(relation.intersect_params(builder.scop.assumed), builder.values)
    found = pair_witness(fixed)
    return None if found is None else replace(found, parameters=builder.values)


def witness(
    frame: Frame, pair: Witness, c: Constraint, builder: TraceBuilder, smallest: Witness
) -> None:
    """The witness at the values that are shown, in the sentence too: the step has one for parameter
    values as small as can be."""
    plain = f"{pair['source']} and {pair['target']}"
    frame["sentence"] = frame["sentence"].replace(str(smallest), plain)
    edge = edge_of(builder.state(ReorderingState).ranges, c)
    at = cell(builder.scop, edge, pair["source"], builder.values)
    frame["witness"] = witness_json(pair, builder, at, frame["sentence"])


def set_of(builder: TraceBuilder, name: str, relation: isl.Map) -> int:
    """The number of a relation that a frame shows. What else was asked of it leaves its mark on
    isl's form of it: so that its text is always the same, nothing superfluous stays in it."""
    return builder.set(name, plainest(relation))


def plainest(relation: isl.Map) -> isl.Map:
    return isl.coalesced(relation).remove_redundancies()


def lightened(shown: OverlayJson, pair: Witness | None, builder: TraceBuilder) -> OverlayJson:
    """An overlay with its witness alone, where all its arrows would hide each other."""
    count = len(shown["pairs"])
    if pair is None or count <= CLEAR:
        return shown
    i, j = pair["source"], pair["target"]
    one = builder.scene.pair(i.statement, i.point, j.statement, j.point)
    return shown | {"pairs": [one], "total": shown.get("total", count)}


def near(f: Edge, pair: Witness, builder: TraceBuilder) -> OverlayJson:
    label = f"live range {f.source} → {f.target} ({f.array})"
    return builder.scene.overlay("condition", label, _touching(f.relation, pair), accesses(f))
