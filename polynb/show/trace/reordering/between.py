"""The frames of what a reordering does between bands, of isl's scheduler, and of the proof that a
new order is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.derivation import Step
from polynb.legality.order import Order
from polynb.reordering.limit_steps import (
    NotScheduled,
    NotTiled,
    OrderKept,
    OrderRefused,
    OrderTaken,
    Repaired,
    Unchanged,
)
from polynb.reordering.steps import (
    BandReset,
    Checked,
    CoincidenceDropped,
    ConstraintsCarried,
    Enforced,
    Scheduled,
    Sorted,
    SplitUp,
    TooHard,
)
from polynb.scop.witness import Witness
from polynb.show.displays.reordering_summary import cell
from polynb.show.draw.sample import pinned
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import ROLES, Frame, FrameParts, OverlayJson, statement_id
from polynb.show.trace.reordering.frames import (
    FEW,
    ReorderingState,
    beside,
    drawn,
    framed,
    functions_table,
    lightened,
    marks,
    overlay,
    pair_of,
    set_of,
    touching,
    witness,
)
from polynb.show.trace.scene import accesses
from polynb.show.trace.unfolding import unfold


@unfold.register
def _(step: Enforced, builder: TraceBuilder) -> Iterator[Frame]:
    live, must = step.condition, step.constraint
    builder.look_at(builder.scop, (live.source, live.target, must.source, must.target))
    pair = step.witness if _holds(must.relation, step.witness, builder) else None
    held = overlay("conditioned", "must hold", must, must.relation, builder)
    near = [] if pair is None else [beside(live, pair, must.relation, builder)]
    frame = framed(
        builder,
        step,
        "3.2",
        marks=list(dict.fromkeys((*marks(live, builder), *marks(must, builder)))),
        overlays=[lightened(held, pair, builder), *(o for o in near if o["pairs"])],
        sets=[set_of(builder, f"order, {must.source} → {must.target}", must.relation)],
    )
    if pair is not None:
        witness(frame, replace(pair, parameters=builder.values), must, builder, pair)
    yield frame


def _holds(relation: isl.Map, pair: Witness, builder: TraceBuilder) -> bool:
    """Whether a pair is one of a relation at the values that are shown, too, and can be drawn."""
    i, j = pair["source"], pair["target"]
    if not builder.scene.has(i.statement, j.statement):
        return False
    here = pinned(pinned(relation, isl.IN, i.point), isl.OUT, j.point)
    return not isl.fix_parameters(here, builder.values).is_empty()


@unfold.register
def _(step: SplitUp, builder: TraceBuilder) -> Iterator[Frame]:
    builder.look_at(builder.scop, step.about)
    overlays: list[OverlayJson] = [
        {
            "id": f"group:{','.join(g)}",
            "role": "piece",
            "label": f"group {k}: {', '.join(g)}",
            "access": [statement_id(s) for s in g],
            "instances": [
                at for s in g if builder.scene.has(s)
                for at in builder.scene.instances(builder.scop.by_name[s].domain)
            ],
        }
        for k, g in enumerate(step.groups, 1)
    ]  # fmt: skip
    yield framed(builder, step, "2.4", overlays=overlays)


@unfold.register
def _(step: ConstraintsCarried, builder: TraceBuilder) -> Iterator[Frame]:
    builder.time(step.functions)
    yield framed(
        builder,
        step,
        "2.4; 3.2, Algorithm 1, line 19",
        overlays=[overlay("raw", "carried", c, c.relation, builder) for c in step.carried[:FEW]],
        tables=[functions_table(step.functions, builder.scop)],
        order=True,
        detail="Where a band has no member at all. Conditioned constraints count like validity "
        "constraints here.",
    )


@unfold.register
def _(step: Scheduled, builder: TraceBuilder) -> Iterator[Frame]:
    if step.functions:
        builder.time(step.functions)
    tables = [functions_table(step.functions, builder.scop)] if step.functions else []
    yield framed(builder, step, "3.2", tables=tables, order=True, marks=[])


# -- what a sentence says, and no picture: mostly, where no schedule is found ----

PLAIN: Final[Mapping[type[Step], tuple[str, str]]] = {
    CoincidenceDropped: ("3.2, Algorithm 1, lines 5 to 7", ""),
    BandReset: (
        "3.2, Algorithm 1, lines 15 to 17",
        "A live range that must be local was stretched by a member that there was already. "
        "All that were made local stay so; there are finitely many, so this ends.",
    ),
    TooHard: (
        "2.4",
        "A limit of polynb's, not of the paper: statements in fewer loops together.",
    ),
    Sorted: ("2.4", ""),
    NotScheduled: (
        "2.4; 3.2, Algorithm 1, line 19",
        "Neither Algorithm 1 nor a step of Feautrier's scheduler finds a member here, or not "
        "within the limits that polynb has: what the paper leaves open.",
    ),
    OrderTaken: ("2.4", "isl's scheduler was asked for these statements alone."),
    OrderKept: (
        "2.4",
        "Of two instances that the bands around leave together, the earlier one stays first.",
    ),
    NotTiled: ("2.4", "Tiles need two loops that may be interchanged."),
    Unchanged: ("2.4", "A limit of polynb's, not of the paper: `max_operations` may be larger."),
}
"""The section and a detail of each."""


def _plain_frame(step: Step, builder: TraceBuilder) -> Iterator[Frame]:
    section, detail = PLAIN[type(step)]
    more: FrameParts = {"detail": detail} if detail else {}
    if isinstance(step, CoincidenceDropped):
        more["marks"] = []
    if isinstance(step, NotScheduled):
        builder.look_at(builder.scop, step.statements)
    yield framed(builder, step, section, **more)


for _kind in PLAIN:
    unfold.register(_kind, _plain_frame)


@unfold.register
def _(step: OrderRefused | Repaired, builder: TraceBuilder) -> Iterator[Frame]:
    builder.look_at(builder.scop, step.about)
    yield framed(
        builder,
        step,
        "3.3",
        detail="The proof compares each read with the writes of its cell. isl 0.27, where it "
        "schedules statements one after the other, forgets the live ranges from one to the other.",
        overlays=[
            overlay("conditioned", "must hold", c, c.relation, builder)
            for c in (step.added[:FEW] if isinstance(step, Repaired) else ())
            if builder.scene.has(c.source, c.target)
        ],
    )


# -- the proof ----

DRAWN: Final = 12  # statements of which all instances are drawn
IGNORED: Final = 8  # false dependences that have a frame of their own


@unfold.register
def _(step: Checked, builder: TraceBuilder) -> Iterator[Frame]:
    result = builder.derivation.result
    times = {s.name: s.schedule for s in result.statements}
    names = [s.name for s in builder.derivation.before.statements]
    ignored = step.verdict.ignored[:IGNORED]
    some = dict.fromkeys(n for v in ignored for n in (v.edge.source, v.edge.target))
    shown = names if len(names) <= DRAWN else some or names[:1]
    if set(shown) <= set(times):
        builder.time({n: times[n] for n in shown})
    yield framed(
        builder,
        step,
        "3.3",
        order=True,
        detail="Each read was compared with the writes of its cell, in the new order alone; the "
        "constraints that the scheduler was given played no part in it.",
    )
    for v in ignored:
        e = v.edge
        pairs = Order(times).turned(e).intersect_params(result.assumed)
        pair = pair_of(pairs, builder)
        label = f"turned around, {e.source} → {e.target}"
        arrows = builder.scene.overlay(ROLES[e.kind], label, pairs, accesses(e))
        frame = builder.say(
            "ignored",
            f"Turned around: {e.source} → {e.target} through {e.array}. The live ranges that it "
            "kept apart do not overlap in the new order either.",
            "2.5",
            marks=accesses(e),
            overlays=[lightened(arrows, pair, builder)],
            sets=[set_of(builder, label, pairs)],
            order=True,
        )
        if pair is not None:
            at = cell(builder.scop, e, pair["source"], builder.values)
            sentence = f"{pair['target']} now runs before {pair['source']}."
            frame["witness"] = builder.witness(pair, at, sentence, blocks=False)
            ranges = builder.state(ReorderingState).ranges
            flow = [f for f in ranges.flow if f.array == e.array] if ranges is not None else []
            beside = [
                drawn("condition", "live range", f, touching(f.relation, pair), builder)
                for f in flow
            ]
            frame["overlays"] += [o for o in beside if o["pairs"]]
        yield frame
