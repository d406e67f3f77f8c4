"""Which transformation may pay, and why (TACO'19, sections 2.2 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.reports import LoopReport, Suggestion
from polynb.tracing.feedback.reuse import MemoryReuse, needs_of
from polynb.tracing.feedback.strides import AccessStrides
from polynb.words import counted, listed


@dataclass(frozen=True)
class NestFacts:
    """What suggestions are made from: the loops of a nest, outermost first; the accesses in the
    innermost; which registers have to be expanded for a loop to become the innermost one; the
    widest permutable band, how wide one of another schedule is, and which reuse of memory the first
    would turn round."""

    path: tuple[LoopNode, ...]
    loops: tuple[LoopReport, ...]
    accesses: tuple[AccessStrides, ...]
    expanded: tuple[tuple[str, ...], ...]
    band: tuple[int, int]
    searched: int
    turned: tuple[MemoryReuse, ...]


def suggestions(nest: NestFacts) -> tuple[Suggestion, ...]:
    """The suggestions for a nest, the most far-reaching first."""
    return (*_parallel(nest), *_vector(nest), *_tiles(nest))


def _parallel(nest: NestFacts) -> Iterator[Suggestion]:
    """The outermost loop that may be shared out to threads."""
    for node, loop in zip(nest.path, nest.loops, strict=True):
        if loop.parallel and loop.iterates:
            why = f"no flow dependence is carried by {node.name}"
            yield Suggestion("parallelise", (node.name,), (node.loop.line,), why, loop.privatised)
            return


def _vector(nest: NestFacts) -> Iterator[Suggestion]:
    """The innermost loop as vectors; or one further out, if that walks through memory better."""
    inner = len(nest.path) - 1
    ranked = sorted(
        (q for q, loop in enumerate(nest.loops) if loop.parallel and loop.iterates),
        key=lambda q: (_irregular(nest, q), -_unit(nest, q), q != inner, -q),
    )
    if not ranked or not nest.accesses:
        return
    best = ranked[0]
    if _irregular(nest, best) or not _unit(nest, best):
        return
    name, line = nest.path[best].name, nest.path[best].loop.line
    why = f"{_units_text(nest, best)}, and no flow dependence is carried by it"
    if any(loop.leaving or loop.unknown for loop in nest.loops[best:]):
        return
    if best == inner:
        yield Suggestion("vectorise", (name,), (line,), why, nest.loops[best].privatised)
        return
    other = nest.path[inner]
    worse = _worse_text(nest, inner)
    needs = (
        [f"an array expansion of {listed(e)} along {name}"] if (e := nest.expanded[best]) else []
    )
    needs += (*needs_of(nest.loops[best].reused), *nest.loops[best].last)
    if _works(nest.path[best:inner]):
        needs.append(f"loops over {name} of their own for what stands outside of {other.name}")
    yield Suggestion(
        "interchange", (name, other.name), (line, other.loop.line),
        f"{name} inside: {_units_text(nest, best)}{worse}, and {name} carries no flow dependence",
        tuple(needs),
    )  # fmt: skip
    yield Suggestion("vectorise", (name,), (line,), f"after the interchange, {why}")


def _tiles(nest: NestFacts) -> Iterator[Suggestion]:
    first, last = nest.band
    width = last - first + 1
    path = nest.path[first : last + 1]
    if width > 1 and nest.searched <= width:
        names = tuple(n.name for n in path)
        why = f"no distance is negative: the {width} loops are permutable"
        needs = [*needs_of(nest.turned)]
        if _works(path[:-1]):
            needs.append(f"loops of their own for what stands outside of {path[-1].name}")
        yield Suggestion("tile", names, tuple(n.loop.line for n in path), why, tuple(needs))
    elif nest.searched > max(width, 1):
        names = tuple(n.name for n in nest.path)
        why = f"another schedule has {counted(nest.searched, 'permutable loop')}"
        lines = tuple(n.loop.line for n in nest.path)
        needs = [*needs_of([r for loop in nest.loops for r in loop.reused])]
        yield Suggestion("skew and tile", names, lines, why, tuple(needs))


def _works(path: Sequence[LoopNode]) -> bool:
    """Whether something but counting stands directly in one of these loops."""
    return any(
        i.kind in ("load", "store", "float", "condition")
        for node in path
        for i in node.instructions
    )


def _moving(nest: NestFacts, q: int) -> Sequence[int | None]:
    return [a.along(q) for a in nest.accesses]


def _irregular(nest: NestFacts, q: int) -> int:
    """Accesses in the innermost loop that jump along loop q."""
    return sum(s is None or s not in (-1, 0, 1) for s in _moving(nest, q))


def _unit(nest: NestFacts, q: int) -> int:
    return sum(s in (-1, 1) for s in _moving(nest, q))


def _units_text(nest: NestFacts, q: int) -> str:
    units = dict.fromkeys(a.instruction.text for a in nest.accesses if a.along(q) in (-1, 1))
    return f"{listed(units)} move{'s' * (len(units) == 1)} by one element along {nest.path[q].name}"


def _worse_text(nest: NestFacts, q: int) -> str:
    name = nest.path[q].name
    jumps = [a for a in nest.accesses if a.along(q) not in (-1, 0, 1)]
    if not jumps:
        return ""
    a = jumps[0]
    how = "irregularly" if a.along(q) is None else f"by {a.along(q)} elements"
    return f" ({a.instruction.text} {how} along {name})"
