"""The frames of what a reordering does between bands, and of isl's scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from polynb import isl
from polynb.derivation import Step
from polynb.reordering.limit_steps import (
    NotScheduled,
    NotTiled,
    OrderKept,
    OrderRefused,
    OrderTaken,
    Repaired,
    Unchanged,
)
from polynb.reordering.sentences import Pair
from polynb.reordering.steps import (
    Carried,
    Enforced,
    Scheduled,
    Sorted,
    SplitUp,
    TooHard,
)
from polynb.show.reorder_frames import (
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
from polynb.show.reorder_tables import functions_table
from polynb.show.trace_program import statement_id
from polynb.show.unfolding import Frame, phase, unfold

if TYPE_CHECKING:
    from polynb.show.trace import Teller


@unfold.register(Enforced)
def _(step: Enforced, teller: Teller) -> Iterator[Frame]:
    live, must = step.condition, step.constraint
    teller.look_at(teller.scop, (live.source, live.target, must.source, must.target))
    pair = step.witness if _holds(must.relation, step.witness, teller) else None
    held = overlay("conditioned", "must hold", must, must.relation, teller)
    near = [] if pair is None else [beside(live, pair, must.relation, teller)]
    frame = framed(
        teller,
        step,
        "3.2",
        marks=list(dict.fromkeys((*marks(live, teller), *marks(must, teller)))),
        overlays=[lightened(held, pair, teller), *(o for o in near if o["pairs"])],
        sets=[set_of(teller, f"order, {must.source} → {must.target}", must.relation)],
    )
    if pair is not None:
        shown = Pair(teller.values, pair.source, pair.target)
        witness(frame, shown, must, teller, pair)
    yield frame


def _holds(relation: isl.Map, pair: Pair, teller: Teller) -> bool:
    """Whether a pair is one of a relation at the values that are shown, too, and can be drawn."""
    if not teller.scene.has(pair.source[0], pair.target[0]):
        return False
    here = fixed(fixed(relation, isl.IN, pair.source[1]), isl.OUT, pair.target[1])
    return not isl.fix_parameters(here, teller.values).is_empty()


@unfold.register(SplitUp)
def _(step: SplitUp, teller: Teller) -> Iterator[Frame]:
    teller.look_at(teller.scop, step.about)
    overlays = [
        {
            "id": f"group:{','.join(g)}",
            "role": "piece",
            "label": f"group {k}: {', '.join(g)}",
            "access": [statement_id(s) for s in g],
            "instances": [
                at for s in g if teller.scene.has(s)
                for at in teller.scene.instances(teller.scop.by_name[s].domain)
            ],
        }
        for k, g in enumerate(step.groups, 1)
    ]  # fmt: skip
    yield framed(
        teller, step, "2.4", marks=[statement_id(s) for s in step.about], overlays=overlays
    )


@unfold.register(TooHard)
def _(step: TooHard, teller: Teller) -> Iterator[Frame]:
    detail = "A limit of polynb's, not of the paper: statements in fewer loops together."
    marks_ = [statement_id(s) for s in step.statements]
    yield framed(teller, step, "2.4", marks=marks_, detail=detail)


@unfold.register(Carried)
def _(step: Carried, teller: Teller) -> Iterator[Frame]:
    teller.time(step.functions)
    yield framed(
        teller,
        step,
        "2.4; 3.2, Algorithm 1, line 19",
        marks=[statement_id(s) for s in step.statements],
        overlays=[overlay("raw", "carried", c, c.relation, teller) for c in step.carried[:FEW]],
        tables=[functions_table(step.functions, teller.scop)],
        order=True,
        detail="Where a band has no member at all. Conditioned constraints count like validity "
        "constraints here.",
    )


@unfold.register(Sorted)
def _(step: Sorted, teller: Teller) -> Iterator[Frame]:
    yield framed(teller, step, "2.4", marks=[statement_id(s) for s in step.order])


@unfold.register(Scheduled)
def _(step: Scheduled, teller: Teller) -> Iterator[Frame]:
    if step.functions:
        teller.time(step.functions)
    tables = [functions_table(step.functions, teller.scop)] if step.functions else []
    yield framed(teller, step, "3.2", tables=tables, order=True)


# -- where no schedule is found ----


@unfold.register(NotScheduled)
def _(step: NotScheduled, teller: Teller) -> Iterator[Frame]:
    teller.look_at(teller.scop, step.statements)
    detail = (
        "Neither Algorithm 1 nor a step of Feautrier's scheduler finds a member here, or not "
        "within the limits that polynb has: what the paper leaves open."
    )
    yield _about(step, teller, "2.4; 3.2, Algorithm 1, line 19", detail)


@unfold.register(OrderTaken)
def _(step: OrderTaken, teller: Teller) -> Iterator[Frame]:
    yield _about(step, teller, "2.4", "isl's scheduler was asked for these statements alone.")


@unfold.register(OrderKept)
def _(step: OrderKept, teller: Teller) -> Iterator[Frame]:
    detail = "Of two instances that the bands around leave together, the earlier one stays first."
    yield _about(step, teller, "2.4", detail)


@unfold.register(OrderRefused)
@unfold.register(Repaired)
def _(step: OrderRefused | Repaired, teller: Teller) -> Iterator[Frame]:
    detail = (
        "The proof compares each read with the writes of its cell. isl 0.27, where it schedules "
        "statements one after the other, forgets the live ranges from one to the other."
    )
    added = step.added if isinstance(step, Repaired) else ()
    teller.look_at(teller.scop, step.about)
    overlays = [
        overlay("conditioned", "must hold", c, c.relation, teller)
        for c in added[:FEW]
        if teller.scene.has(c.source, c.target)
    ]
    yield _about(step, teller, "3.3", detail, overlays=overlays)


@phase.register(NotTiled)
@phase.register(Unchanged)
def _(step: NotTiled | Unchanged, teller: Teller) -> str:
    return "the outcome"


@unfold.register(NotTiled)
def _(step: NotTiled, teller: Teller) -> Iterator[Frame]:
    detail = "Tiles need two loops that may be interchanged."
    yield framed(teller, step, "2.4", detail=detail)


@unfold.register(Unchanged)
def _(step: Unchanged, teller: Teller) -> Iterator[Frame]:
    detail = "A limit of polynb's, not of the paper: `max_operations` may be larger."
    yield _about(step, teller, "2.4", detail)


def _about(step: Step, teller: Teller, section: str, detail: str, **more: Any) -> Frame:
    """A frame that marks the statements that a step is about."""
    marked = [statement_id(s) for s in step.about]
    return framed(teller, step, section, marks=marked, detail=detail, **more)
