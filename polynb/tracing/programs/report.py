"""What a traced program did, as text: its loop nests, where dependences come from, and what may be
done with the heaviest loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.tracing.feedback import feedback
from polynb.tracing.feedback.loops import shared
from polynb.tracing.feedback.reports import LoopReport
from polynb.tracing.model import Folding
from polynb.tracing.programs.nests import Nest, distances, nests, short
from polynb.tracing.programs.tracer import TracedProgram
from polynb.tracing.records import Instruction, LoopOf

UNSEEN: Final = (
    "Of what functions keep in registers nothing is seen: a loop whose text writes a local "
    "variable is not said to carry nothing (--scalars shows them, with clang: sudo apt install "
    "clang)."
)
VERDICTS: Final = 8
"""Of loops within an outermost one that are told."""
OTHERS: Final = "This holds of one run: other inputs may take other ways."


def report(traced: TracedProgram, most: int = 12, suggestions: int = 0) -> str:
    """The whole report: how the run went, nests, dependences; at most `most` rows of each; and what
    is suggested for the heaviest outermost loops, as many as that."""
    folding = traced.folding()
    found = nests(folding)
    return "\n".join(
        [
            f"{traced.facts.command}: {traced.facts.ended}, {traced.facts.events:,} entries in "
            f"{len(folding.executed)} streams of accesses and {len(folding.dependences)} of "
            f"dependences, folded in {traced.seconds[1]:.1f} s ({traced.variants[0]})",
            *(f"note: {note}" for note in traced.notes),
            *(
                (f"note: {folding.run.unseen}: nothing is called parallel",)
                * bool(folding.run.unseen)
            ),
            "",
            *nest_lines(found, most),
            *open_lines(folding, most),
            "",
            *dependence_lines(folding, most),
            "",
            *([*advice(folding, found, suggestions), ""] if suggestions else []),
            *(() if traced.scalars else (UNSEEN,)),
            *(() if suggestions else (OTHERS,)),
        ]
    )


def nest_lines(found: Sequence[Nest], most: int) -> list[str]:
    """The table of nests."""
    total = sum(nest.entries for nest in found) or 1
    rows = [
        (
            f"{nest.entries / total:.1%}",
            f"{nest.entries:,}",
            loops_text(nest.loops) or "(no loop)",
            ", ".join(nest.free) or "-",
            f"{nest.affine:.0%}",
            where(nest),
        )
        for nest in found[:most]
    ]
    head = ("share", "operations", "loops", "carry nothing", "affine", "where")
    more = len(found) - most
    return table(head, rows) + ([f"... and {more} more"] if more > 0 else [])


def open_lines(folding: Folding, most: int) -> list[str]:
    """The loops of which not all was seen, and why."""
    found = [
        f"not known: {loop.called} ({spot(loop)}): {why}"
        for loop in folding.loops
        if (why := loop.unseen or loop.unsure)
    ]
    more = len(found) - most
    return found[:most] + ([f"... and of {more} more"] if more > 0 else [])


def loops_text(loops: Iterable[LoopOf]) -> str:
    """`ci (line 7) > cj (line 8)`."""
    return " > ".join(f"{loop.name} (line {loop.line})" for loop in loops)


def where(nest: Nest) -> str:
    """`relax, rows.c:10-12`, with the call that led there."""
    lines = [i.line for i in nest.instructions]
    span = f"{min(lines)}" if min(lines) == max(lines) else f"{min(lines)}-{max(lines)}"
    text = f"{short(nest.function)}, {Path(nest.instructions[0].file).name}:{span}"
    return text + (f", called in line {nest.place[-1].line}" if nest.place else "")


def dependence_lines(folding: Folding, most: int) -> list[str]:
    """The table of flow dependences, those with most instances first."""
    found = sorted(folding.dependences.items(), key=lambda item: -item[1].entries)
    rows = []
    for (producer, consumer), folded in found[:most]:
        source, target = folding.instructions[producer], folding.instructions[consumer]
        common = shared_loops(source, target)
        rows.append(
            (
                f"{folded.entries:,}",
                f"{producer} -> {consumer}",
                distances(folded, len(common)) if common else "-",
                ", ".join(common) or "-",
                f"{spot(source)} -> {spot(target)}",
            )
        )
    head = ("instances", "flow", "distance", "in loops", "where")
    more = len(found) - most
    return table(head, rows) + ([f"... and {more} more"] if more > 0 else [])


def shared_loops(source: Instruction, target: Instruction) -> tuple[str, ...]:
    """The loops around both, from the outermost on."""
    return source.loops[: shared(source.loops, target.loops)]


def spot(place: Instruction | LoopOf) -> str:
    """`rows.c:12`."""
    return f"{Path(place.file).name}:{place.line}"


def inside(folding: Folding, outermost: str) -> Folding:
    """A folding without what is outside an outermost loop: no loop in it can carry a dependence
    that begins or ends there. (But where it is read what the loop left, stays.)"""
    mine = {k: i for k, i in folding.instructions.items() if i.loops[:1] == (outermost,)}
    names, loops = {*mine}, {name for i in mine.values() for name in i.loops}
    return replace(
        folding,
        loops=tuple(loop for loop in folding.loops if loop.name in loops),
        instructions=mine,
        executed={k: f for k, f in folding.executed.items() if k in names},
        dependences={k: f for k, f in folding.dependences.items() if names.issuperset(k)},
        taken={k: t for k, t in (folding.taken or {}).items() if k[0] in names},
    )


def advice(folding: Folding, found: Sequence[Nest], most: int) -> list[str]:
    """Lines for the outermost loops that ran most operations: what feedback suggests for all that
    is in them, or why there is none."""
    totals: dict[str, int] = {}
    for nest in found:
        if nest.loops:
            name = nest.loops[0].name
            totals[name] = totals.get(name, 0) + nest.entries
    loops = {loop.name: loop for loop in folding.loops}
    lines, doubts = list[str](), dict[str, None]()
    for name in sorted(totals, key=lambda name: -totals[name])[:most]:
        loop = loops[name]
        place = f"{short(loop.function)}, {Path(loop.file).name}:{loop.line}"
        lines.append(f"{loop.called} ({place}): {totals[name]:,} operations")
        told, doubted = _of(inside(folding, name))
        lines += [f"  {line}" for line in told]
        doubts.update(dict.fromkeys(doubted))
    return [*lines, *doubts]


def _of(part: Folding) -> tuple[list[str], tuple[str, ...]]:
    """What is found of an outermost loop (in the time that `feedback` has), and the doubts."""
    try:
        told = feedback(part)
    except PolynbError as error:
        return [f"no feedback: {error.message}"], ()
    reports = (*(r for root in told.loops for r in root.walk()), *told.untold)
    verdicts = [*dict.fromkeys(verdict_line(r) for r in reports)]
    more = len(verdicts) - VERDICTS
    rest = [f"... and {more} more"] if more > 0 else []
    suggested = [str(s) for s in told.suggestions] or ["nothing is suggested"]
    return [*verdicts[:VERDICTS], *rest, *suggested], told.doubts


def verdict_line(r: LoopReport) -> str:
    """`i (line 7): parallel; it needs a copy of t for each iteration`."""
    return f"{r.name} (line {r.loop.line}): {r.verdict}" + (f"; {r.besides}" if r.besides else "")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of text; those of numbers to the right."""
    if not rows:
        return [f"no {head[1]}"]
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    right = [all(row[k][:1].isdigit() for row in rows) for k in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = zip(row, widths, right, strict=True)
        return "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in cells).rstrip()

    return [line(head), "  ".join("-" * w for w in widths), *(line(row) for row in rows)]


def as_json(traced: TracedProgram) -> Mapping[str, Any]:
    """What the report says of all nests and dependences, and every stream's pieces as text."""
    folding = traced.folding()
    return {
        "command": traced.facts.command,
        "ended": traced.facts.ended,
        "entries": traced.facts.events,
        "variant": traced.variants[0],
        "notes": traced.notes,
        "loops": [
            {"name": o.name, "function": o.function, "file": o.file, "line": o.line,
             "parent": o.parent, "not_known": o.unseen or o.unsure}
            for o in folding.loops
        ],
        "nests": [
            {"loops": [o.name for o in n.loops], "operations": n.entries, "affine": n.affine,
             "carry_nothing": n.free, "instructions": [i.name for i in n.instructions],
             "where": where(n)}
            for n in nests(folding)
        ],
        "instructions": [
            {"name": i.name, "kind": i.kind, "file": i.file, "line": i.line, "text": i.text,
             "pieces": [[str(c) for c in row[1:]] for row in folding.executed[i.name].rows()]}
            for i in folding.instructions.values()
        ],
        "dependences": [
            {"producer": p, "consumer": c, "instances": d.entries,
             "pieces": [[str(c) for c in row[1:]] for row in d.rows()]}
            for (p, c), d in folding.dependences.items()
        ],
    }  # fmt: skip
