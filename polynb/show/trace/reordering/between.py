"""The frames of what a reordering does between bands, and of isl's scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polynb import isl
from polynb.reordering.sentences import Pair
from polynb.reordering.steps import Carried, Enforced, Scheduled, Sorted, SplitUp, TooHard
from polynb.show.trace.program import statement_id
from polynb.show.trace.reordering.frames import (
    FEW,
    beside,
    fixed,
    framed,
    lightened,
    marks,
    overlay,
    set_of,
    witness,
)
from polynb.show.trace.reordering.tables import functions_table
from polynb.show.trace.unfolding import Frame, unfold

if TYPE_CHECKING:
    from polynb.show.trace.builder import TraceBuilder


@unfold.register(Enforced)
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
        shown = Pair(builder.values, pair.source, pair.target)
        witness(frame, shown, must, builder, pair)
    yield frame


def _holds(relation: isl.Map, pair: Pair, builder: TraceBuilder) -> bool:
    """Whether a pair is one of a relation at the values that are shown, too, and can be drawn."""
    if not builder.scene.has(pair.source[0], pair.target[0]):
        return False
    here = fixed(fixed(relation, isl.IN, pair.source[1]), isl.OUT, pair.target[1])
    return not isl.fix_parameters(here, builder.values).is_empty()


@unfold.register(SplitUp)
def _(step: SplitUp, builder: TraceBuilder) -> Iterator[Frame]:
    builder.look_at(builder.scop, step.about)
    overlays = [
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
    yield framed(
        builder, step, "2.4", marks=[statement_id(s) for s in step.about], overlays=overlays
    )


@unfold.register(TooHard)
def _(step: TooHard, builder: TraceBuilder) -> Iterator[Frame]:
    detail = "A limit of polynb's, not of the paper: statements in fewer loops together."
    marks_ = [statement_id(s) for s in step.statements]
    yield framed(builder, step, "2.4", marks=marks_, detail=detail)


@unfold.register(Carried)
def _(step: Carried, builder: TraceBuilder) -> Iterator[Frame]:
    builder.time(step.functions)
    yield framed(
        builder,
        step,
        "2.4; 3.2, Algorithm 1, line 19",
        marks=[statement_id(s) for s in step.statements],
        overlays=[overlay("raw", "carried", c, c.relation, builder) for c in step.carried[:FEW]],
        tables=[functions_table(step.functions, builder.scop)],
        order=True,
        detail="Where a band has no member at all. Conditioned constraints count like validity "
        "constraints here.",
    )


@unfold.register(Sorted)
def _(step: Sorted, builder: TraceBuilder) -> Iterator[Frame]:
    yield framed(builder, step, "2.4", marks=[statement_id(s) for s in step.order])


@unfold.register(Scheduled)
def _(step: Scheduled, builder: TraceBuilder) -> Iterator[Frame]:
    if step.functions:
        builder.time(step.functions)
    tables = [functions_table(step.functions, builder.scop)] if step.functions else []
    yield framed(builder, step, "3.2", tables=tables, order=True)
