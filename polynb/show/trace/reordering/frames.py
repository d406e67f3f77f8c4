"""Pieces of the frames of a reordering, its tables, and what is kept from step to step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Unpack

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.derivation import Step
from polynb.reordering.constraints import Constraint
from polynb.reordering.farkas import ConstraintRow, Unknown
from polynb.reordering.steps import MemberFound
from polynb.scop.model import Scop
from polynb.scop.witness import Witness, pair_witness
from polynb.show.displays.reordering_summary import cell, edge_of
from polynb.show.displays.schedule import formulas, vector
from polynb.show.draw.sample import pinned
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, FrameParts, OverlayJson, Role, TableJson, statement_id
from polynb.show.trace.scene import accesses
from polynb.words import counted

FEW: Final = 24  # dependences that are drawn in one frame
CLEAR: Final = 12  # arrows between planes that can be told apart
GROUPS: Final = 24  # constraints of which rows are listed
ROWS: Final = 6  # rows that are listed of one constraint


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
    """A frame with the sentence of a step, in the paper's signs; where nothing else is said, the
    statements that it is about are marked."""
    marked: FrameParts = {"marks": [statement_id(s) for s in step.about]}
    frame = builder.frame(step, section, **(marked | more))
    frame["sentence"] = frame["sentence"].replace("->", "→")
    return frame


def marks(c: Constraint, builder: TraceBuilder) -> list[str]:
    """The accesses of the dependence that a constraint is of; of another one its statements."""
    e = edge_of(builder.state(ReorderingState).ranges, c)
    return accesses(e) if e is not None else [statement_id(c.source), statement_id(c.target)]


def drawn(role: Role, label: str, e: Edge, relation: isl.Map, builder: TraceBuilder) -> OverlayJson:
    """The pairs of a relation as arrows: those of a dependence, or some of these."""
    name = f"{label} {e.source} → {e.target} ({e.array})"
    return builder.scene.overlay(role, name, relation, accesses(e))


def overlay(
    role: Role, label: str, c: Constraint, relation: isl.Map, builder: TraceBuilder
) -> OverlayJson:
    """The pairs of a relation as arrows: those of a constraint, or some of these."""
    e = edge_of(builder.state(ReorderingState).ranges, c)
    through = f" ({e.array})" if e is not None else ""
    name = f"{label} {c.source} → {c.target}{through}"
    return builder.scene.overlay(role, name, relation, marks(c, builder))


def beside(
    c: Constraint, pair: Witness | None, pairs: isl.Map, builder: TraceBuilder
) -> OverlayJson:
    """The live ranges of a group next to a pair; next to any, if none is drawn."""
    if pair is not None:
        return overlay("condition", "live range", c, touching(c.relation, pair), builder)
    found = isl.Map.empty(c.relation.get_space())
    if isl.tuple_name(pairs, isl.IN) == c.target:
        found = found.union(c.relation.intersect_range(pairs.domain()))
    if isl.tuple_name(pairs, isl.OUT) == c.source:
        found = found.union(c.relation.intersect_domain(pairs.range()))
    return overlay("condition", "live range", c, found, builder)


def touching(relation: isl.Map, pair: Witness) -> isl.Map:
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
    frame["witness"] = builder.witness(pair, at, frame["sentence"])


def set_of(builder: TraceBuilder, name: str, relation: isl.Map) -> int:
    """The number of a relation that a frame shows. What else was asked of it leaves its mark on
    isl's form of it: so that its text is always the same, nothing superfluous stays in it."""
    return builder.set(name, isl.coalesced(relation).remove_redundancies())


def lightened(shown: OverlayJson, pair: Witness | None, builder: TraceBuilder) -> OverlayJson:
    """An overlay with its witness alone, where all its arrows would hide each other."""
    count = len(shown["pairs"])
    if pair is None or count <= CLEAR:
        return shown
    i, j = pair["source"], pair["target"]
    one = builder.scene.pair(i.statement, i.point, j.statement, j.point)
    return shown | {"pairs": [one], "total": shown.get("total", count)}


# -- tables: functions, and the rows of an integer program ------------------------------------


def functions_table(functions: Mapping[str, isl.Map], scop: Scop) -> TableJson:
    """When the instances of each statement run, in the program's own words."""
    rows = [[s, vector(f)] for s, f in formulas(functions, scop).items()]
    return {"title": "Functions", "columns": ["statement", "time"], "rows": rows}


def program_table(step: MemberFound, scop: Scop) -> TableJson:
    """The rows of the integer program by the constraints they come from, what is new first."""
    groups: dict[str, dict[Any, ConstraintRow]] = {}
    for r in step.rows:
        groups.setdefault(r.because, {}).setdefault(r.key, r)
    ordered = sorted(groups.items(), key=lambda g: not g[0].startswith("local"))
    rows = []
    for because, found in ordered[:GROUPS]:
        some = list(found.values())[:ROWS]
        said = because.replace("->", "→")
        rows += [[said if k == 0 else "", _row(r, scop)] for k, r in enumerate(some)]
        if len(found) > ROWS:
            rows.append(["", f"and {len(found) - ROWS} more"])
    if len(ordered) > GROUPS:
        rows.append([f"and {len(ordered) - GROUPS} more constraints", ""])
    count = counted(len(step.rows), "row")
    title = f"The integer program: {count}, and where they come from"
    return {"title": title, "columns": ["constraint", "row"], "rows": rows}


def _row(row: ConstraintRow, scop: Scop) -> str:
    """`c(S2, j) - c(S1, j) ≥ 0`; c is a coefficient of a statement's function, c(S, 1) its
    constant, m(n) and m the distance bound."""
    parts = []
    for unknown, coefficient in row.terms.items():
        sign = "-" if coefficient < 0 else "+"
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
        parts.append(f"{sign} {factor}{_unknown(unknown, scop)}")
    if row.constant or not parts:
        parts.append(f"{'-' if row.constant < 0 else '+'} {abs(row.constant)}")
    text = " ".join(parts).removeprefix("+ ")
    return f"{text} {'=' if row.equality else '≥'} 0".replace("- ", "− ")


def _unknown(u: Unknown, scop: Scop) -> str:
    match u:
        case ("m", n):
            return f"m({n})"
        case ("m",):
            return "m"
        case ("x", s, k):
            return f"c({s}, {scop.by_name[s].iterators[int(k)]})"
        case ("n", s, n):
            return f"c({s}, {n})"
        case ("0", s):
            return f"c({s}, 1)"
    return "".join(u)
