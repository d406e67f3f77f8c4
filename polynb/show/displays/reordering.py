"""How a reordering is shown: what came out, the schedule tree, what was set aside and why, and all
dependences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from polynb import isl
from polynb.dependences import Edge, LiveRanges
from polynb.derivation import Derivation
from polynb.legality.private import marked_private
from polynb.optimising.algorithm import gain_of
from polynb.reordering.limit_steps import (
    NotScheduled,
    NotTiled,
    OrderKept,
    OrderRefused,
    Unchanged,
)
from polynb.reordering.steps import Constrained, MadeLocal, Violated
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, walk
from polynb.show.displays.edges import arrows, folded_relations, relation_code
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reordering_summary import ReorderingSummary, SetAside, edge_of, summarize
from polynb.show.displays.reports import ArrayOutcome, PassReport
from polynb.show.displays.schedule import outermost, tile_sizes, tree_lines, tree_page
from polynb.show.displays.sizes import timed_line
from polynb.show.html import Html, code, details, element, join, paragraph, sentence, table
from polynb.words import counted, listed, shortened

MOST: Final = 3  # bands that the verdict names
LOSS: Final = 0.67
"""How many times as fast an order is, by the model, that is said to be slower."""

PROVEN: Final = "Proven legal: every read gets the value that it got."


def verdict(derivation: Derivation) -> str:
    """What was in the way, what the order is now, and that it is legal."""
    told = summarize(derivation)
    said = [*_false(told), *_shape(derivation), *_limits(derivation)]
    if told.verdict is not None and told.verdict.legal:
        said.append(PROVEN)
    if _is_slower(derivation):
        said.append("A model of caches and vectors finds it slower than before.")
    return " ".join(said)


@lru_cache(maxsize=64)
def _is_slower(derivation: Derivation) -> bool:
    """Whether the model finds it so. (By how much, it does not know that well.)"""
    gain = gain_of(derivation.before, derivation.result)
    return gain is not None and gain < LOSS


def _false(told: ReorderingSummary) -> Iterator[str]:
    if told.ranges is None:
        return
    false, ignored = told.false, told.ignored
    if not false:
        yield "No memory is used twice: no false dependence stands in the way."
        return
    arrays = listed(dict.fromkeys(e.array for e in false))
    one = len(false) == 1
    number = counted(len(false), "false dependence")
    kept = f"{number} through {arrays} {'puts' if one else 'put'} live ranges in one fixed order"
    might = len(told.set_aside) - len({(e.kind, e.array, e.source, e.target) for e in ignored})
    if ignored:
        count = len(ignored)
        which = "it is" if one else f"{count} of them {'is' if count == 1 else 'are'}"
        yield f"{kept}; {which} turned around, and no live ranges overlap."
    elif might > 0:
        yield f"{kept}; this order respects {'it' if one else 'them'}, others need not."
    else:
        yield f"{kept}, and {'is' if one else 'all are'} respected."


def _shape(derivation: Derivation) -> Iterator[str]:
    """The loops now: which statements are together in which of them."""
    old = len(list(outermost(derivation.before.schedule)))
    bands = list(outermost(derivation.result.schedule))
    if not bands:
        return
    nests = counted(len(bands), "loop nest")
    became = f"{counted(old, 'loop nest')} became {len(bands)}"
    if old == len(bands):
        became = f"{nests}, as before"
    said = [_band(b) for b in bands[:MOST]]
    more = f"; and {len(bands) - MOST} more" if len(bands) > MOST else ""
    yield f"{became[0].upper()}{became[1:]}: {'; '.join(said)}{more}."
    private = marked_private(derivation.result.schedule)
    if private:
        names = list(dict.fromkeys(private))
        yield f"{listed(names)} {'is' if len(names) == 1 else 'are'} private to an iteration."


def _band(band: Band) -> str:
    names = shortened(list(band.members), 6)
    sizes = tile_sizes(band)
    if band.depth == 1:
        return f"{names} in one loop"
    kind = "permutable loops" if band.permutable else "loops"
    tiled = f", tiled by {' × '.join(map(str, sizes))}" if sizes else ""
    return f"{names} in {band.depth} {kind}{tiled}"


def _limits(derivation: Derivation) -> Iterator[str]:
    """What was not scheduled, or not tiled, and why."""
    for step in derivation.steps:
        if isinstance(step, NotScheduled | OrderKept | OrderRefused | NotTiled | Unchanged):
            yield str(step).split(": there are")[0].removesuffix(".") + "."


# -- tables ------------------------------------------------------------------------------------


def tables(derivation: Derivation) -> Html:
    """What a reordering decided, besides the two programs."""
    told = summarize(derivation)
    return join(
        [
            details("schedule tree", tree_page(derivation.result)),
            _set_aside_table(told.set_aside),
            details("dependences", dependences_table(derivation.before, told.ranges))
            if told.ranges is not None
            else "",
        ]
    )


def _set_aside_table(found: list[SetAside]) -> Html:
    if not found:
        return paragraph("No false dependence is ignored.")
    rows = [
        (
            f"{s.kind} {s.source} → {s.target}".strip(),
            code(s.array),
            str(s.witness),
            s.now,
            _why(s),
        )
        for s in found
    ]
    heads = ("false dependence", "array", "witness", "now", "why")
    return table("Ignored, and why", heads, rows, wrap=(2, 3, 4))


def _why(s: SetAside) -> str:
    if not s.local:
        return "No live range is next to it."
    ranges = listed(f"{a} → {b}" for a, b in s.local)
    plural = "live ranges" if len(s.local) > 1 else "live range"
    stay = "stay" if len(s.local) > 1 else "stays"
    return f"The {plural} {ranges} next to it {stay} within one iteration."


PARTS: Final = (
    ("flow", "flow", "Live ranges: written, then read (5)."),
    ("false", "false", "Anti and output dependences: an order for live ranges of one cell (7, 8)."),
    (
        "order",
        "order",
        "After each read, and each write that is not read, all later writes (10).",
    ),
    ("forced: live-in", "after_live_in", "A write stays behind a read of what was there before."),
    ("forced: live-out", "before_live_out", "A write stays in front of one that remains (11)."),
    ("forced: one reader", "same_sink", "The possible sources of a read stay in order."),
)
ACCESSES: Final = (
    ("live-in", "live_in", "Reads of what was there before the program."),
    ("live-out", "live_out", "Writes whose value remains (9)."),
    ("unread", "unmatched", "Writes that nothing reads."),
)


def dependences_table(scop: Scop, ranges: LiveRanges) -> Html:
    """All relations of section 3.3."""
    rows = []
    for title, name, meaning in PARTS:
        edges: tuple[Edge, ...] = getattr(ranges, name)
        said = arrows(scop, edges) if edges else "none"
        rows.append((_what(title, meaning), said, _relations((e.array, e.relation) for e in edges)))
    for title, name, meaning in ACCESSES:
        maps = list(isl.maps(getattr(ranges, name)))
        said = listed(f"{isl.tuple_name(m, isl.IN)} ({isl.tuple_name(m, isl.OUT)})" for m in maps)
        rows.append((_what(title, meaning), said or "none", _relations(("", m) for m in maps)))
    heads = ("dependences", "edges", "relations")
    return table("Dependences (section 3.3)", heads, rows, wrap=(0, 1, 2))


def _what(title: str, meaning: str) -> Html:
    told = element("div", sentence(meaning), style="opacity:0.75")
    return join([element("b", sentence(title)), told])


def _relations(found: Iterable[tuple[str, isl.Map]]) -> Html:
    plain = ((array, isl.coalesced(m).remove_redundancies()) for array, m in found)
    lines = [(relation_code(m), f" through {array}" if array else "") for array, m in plain]
    return folded_relations(lines) if lines else Html()


# -- text, outcomes, a way on ----------------------------------------------------------------


def lines(derivation: Derivation) -> list[str]:
    """The same as plain text, without the dependences."""
    told = summarize(derivation)
    found = tree_lines(derivation.result)
    for s in told.set_aside:
        found.append(f"ignored: {s.kind} {s.source} → {s.target} ({s.array}), {s.now}, as "
                     f"{s.witness}. {_why(s)}")  # fmt: skip
    return found


def outcomes(derivation: Derivation) -> list[ArrayOutcome]:
    """Of the arrays that false dependences go through."""
    told = summarize(derivation)
    first = next((k for k, s in enumerate(derivation.steps) if isinstance(s, Constrained)), 0)
    decided = dict.fromkeys((e.array for e in told.false), first)
    for k, step in enumerate(derivation.steps):
        c = step.constraint if isinstance(step, Violated) else None
        c = step.condition if isinstance(step, MadeLocal) else c
        e = edge_of(told.ranges, c) if c is not None else None
        if e is not None and e.array in decided:
            decided[e.array] = k
    private = marked_private(derivation.result.schedule)
    return [_outcome(a, told, a in private, k) for a, k in decided.items()]


def _outcome(array: str, told: ReorderingSummary, private: bool, step: int) -> ArrayOutcome:
    aside = [s for s in told.set_aside if s.array == array]
    turned = [s for s in aside if s.direct]
    local = dict.fromkeys(r for s in aside for r in s.local)
    ranges = listed(f"{a} → {b}" for a, b in local)
    own = " Each iteration may have its own." if private else ""
    if turned:
        count = counted(len(turned), "false dependence")
        are = "is" if len(turned) == 1 else "are"
        why = f"{count} through it {are} turned around"
    elif aside:
        why = "Its live ranges keep their order, but need not"
    else:
        return ArrayOutcome(array, "unchanged", f"Its false dependences are respected.{own}", step)
    why += f": {ranges} stay within one iteration." if ranges else ": nothing needs the values."
    return ArrayOutcome(array, "reordered" if turned else "unchanged", why + own, step)


def next_line(derivation: Derivation) -> str:
    """A way on: tiles, where there are loops for them; to time it."""
    name, before = variable_of(derivation), variable_of(derivation.before)
    bands = [t for t in walk(derivation.result.schedule) if isinstance(t, Band)]
    if name and _is_slower(derivation):
        return f"%optimise {name}.before"
    can = any(b.permutable and b.depth > 1 for b in bands)
    if can and before and not any(tile_sizes(b) for b in bands):
        return f"{name or 'fast'} = %reorder {before} --tile 32"
    if name is None and before is not None:
        return f"fast = %reorder {before}"
    return timed_line(name or "_", derivation.before)


REPORT: Final = PassReport(
    verdict,
    next_line,
    tables,
    tables,
    lines,
    outcomes,
    statements=12,
    instances=80,  # of more, the stepper does not number the times
    stages=False,
)
