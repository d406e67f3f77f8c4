"""The frames of the proof that a new order is legal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from polynb.legality.violation import violated_pairs
from polynb.reordering.steps import Checked
from polynb.show.displays.reordering_summary import cell
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import ROLES, Frame
from polynb.show.trace.reordering.frames import (
    ReorderingState,
    accesses,
    framed,
    lightened,
    near,
    pair_of,
    set_of,
)
from polynb.show.trace.unfolding import unfold
from polynb.show.trace.witnesses import witness_json

DRAWN: Final = 12  # statements of which all instances are drawn
IGNORED: Final = 8  # false dependences that have a frame of their own


@unfold.register(Checked)
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
        pairs = violated_pairs(e, times, result.assumed)
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
            frame["witness"] = witness_json(pair, builder, at, sentence, blocks=False)
            ranges = builder.state(ReorderingState).ranges
            flow = [f for f in ranges.flow if f.array == e.array] if ranges is not None else []
            beside = [near(f, pair, builder) for f in flow]
            frame["overlays"] += [o for o in beside if o["pairs"]]
        yield frame
