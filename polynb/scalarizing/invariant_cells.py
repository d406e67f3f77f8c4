"""Cells that do not change in a loop, in scalars: what LICM and PRE do to them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal

from polynb.derivation import Step
from polynb.scalarizing.cells import (
    Cell,
    always,
    cells,
    conflict,
    first_reads,
    guard,
    in_bounds,
    where,
)
from polynb.scalarizing.edits import AddedCopy, Edits
from polynb.scalarizing.steps import (
    LoadHoisted,
    NotScalarized,
    PartlyPromoted,
    RegisterPromoted,
)
from polynb.scalarizing.uses import LoopSite, ProgramUses, Use
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression

Kind = Literal["licm", "pre"]


@dataclass(frozen=True, eq=False)
class DefinedBefore:
    """The statement before a loop that writes the cell, and the reads between the two."""

    write: Use
    reads: tuple[Use, ...]

    @property
    def assign(self) -> syntax.Assign:
        assert self.write.assign is not None
        return self.write.assign


def scalarize_cells(
    site: LoopSite, kind: Kind, arrays: Sequence[str], edits: Edits
) -> Generator[Step, None, None]:
    """One loop: its cells in the order in which the text has them. What is done goes to `edits`."""
    free = [u for u in site.uses if u.access.array in arrays and not edits.taken(u.node)]
    for cell in cells(site, free):
        if kind == "pre" and not cell.reads:
            continue  # no load to save
        refused = _refused(edits.program, cell, kind)
        if refused is not None:
            yield refused
        elif not cell.writes:
            yield _hoisted(cell, edits)
        else:
            yield _promoted(cell, kind, edits)


def _refused(program: ProgramUses, cell: Cell, kind: Kind) -> NotScalarized | None:
    """Why no scalar may stand for the cell in the loop, None if one may."""
    site, scop = cell.site, program.scop
    iterator = site.loop.iterator
    stores_stay = kind == "pre" or not cell.writes
    blockers = [u for u in cell.others if u.writes or not stores_stay]
    blocked = conflict(scop, site.depth, cell.uses, blockers)
    if blocked is not None:
        other, witness = blocked
        does = "writes" if other.writes else "reads"
        name = other.statement.name
        reason = f"{name} {does} {other.cell}, which may be the same cell"
        return NotScalarized(cell.array, cell.text, iterator, reason, witness)
    if kind == "pre" and (unsure := next((w for w in cell.writes if not w.sure), None)):
        reason = f"data decide whether {unsure.statement.name} stores it"
        return NotScalarized(cell.array, cell.text, iterator, reason)
    surely = where(site, (u for u in cell.uses if u.sure))
    perhaps = where(site, (u for u in cell.uses if not u.sure)).intersect_params(scop.assumed)
    if not perhaps.is_subset(surely):
        reason = "only data decide whether the loop comes to it"
        return NotScalarized(cell.array, cell.text, iterator, reason)
    return None


def _hoisted(cell: Cell, edits: Edits) -> Step:
    """Listing 1 -> Listing 2."""
    site, scop = cell.site, edits.program.scop
    test = None
    if not in_bounds(site, cell, scop):
        test = guard(site, where(site, cell.uses), scop)
    scalar = edits.scalar(cell.array)
    edits.before[id(site.loop)].append(edits.load(scalar, cell.node, test))
    edits.stand(scalar, cell.uses)
    return LoadHoisted(cell.array, cell.text, scalar.array, site.loop.iterator, _text(test))


def _promoted(cell: Cell, kind: Kind, edits: Edits) -> Step:
    """Listing 1 -> Listing 3; with kind "pre", Listing 4."""
    site, scop, loop = cell.site, edits.program.scop, cell.site.loop
    begin = _definition(cell, edits)
    scalar = edits.scalar(cell.array)
    needed = where(site, cell.uses)
    written = where(site, (w for w in cell.writes if w.sure))
    read = first_reads(site, cell)
    load = begin is None and not (
        read.intersect_params(scop.assumed).is_empty()
        and needed.intersect_params(scop.assumed).is_subset(written)
    )
    test = None if begin is not None else guard(site, needed, scop)
    if load:
        edits.before[id(loop)].append(edits.load(scalar, cell.node, test))
    edits.stand(scalar, cell.uses)
    about = (cell.array, cell.text, scalar.array, loop.iterator)
    name = "" if begin is None else begin.write.statement.name
    dead = False
    if begin is not None:
        edits.stand(scalar, begin.reads)
        reads = [u for u in (*cell.others, *begin.reads) if not u.writes]
        dead = always(site, written, scop) and conflict(
            scop, site.depth, [begin.write], [u for u in reads if u not in begin.reads]
        ) is None  # fmt: skip
        store = None if dead or kind == "licm" else edits.store(scalar, cell.node)
        edits.stores[id(begin.assign)] = scalar, store
        edits.stand(scalar, [begin.write])
    for w in cell.writes:
        assert w.assign is not None
        store = edits.store(scalar, w.assign.target) if kind == "pre" else None
        edits.stores[id(w.assign)] = scalar, store
    if kind == "pre":
        return PartlyPromoted(*about, _text(test), name, load, dead)
    edits.after[id(loop)].append(AddedCopy(edits.store(scalar, cell.node), test))
    return RegisterPromoted(*about, _text(test), name, load)


def _definition(cell: Cell, edits: Edits) -> DefinedBefore | None:
    """The last statement before the loop that writes the cell, if only assignments stand between
    them and none of these touches the cell but by its name."""
    site, program = cell.site, edits.program
    position = next(k for k, s in enumerate(site.block) if s is site.loop)
    between: list[Use] = []
    for s in reversed(site.block[:position]):
        if not isinstance(s, syntax.Assign):
            return None
        uses = [u for u in program.of(s) if u.access.array == cell.array]
        write = next((u for u in uses if u.writes), None)
        if write is not None and write.node is not None and write.cell == cell.text:
            return None if not write.sure or edits.taken(write.node) else DefinedBefore(
                write, tuple(between))  # fmt: skip
        for u in uses:
            if u.node is not None and u.cell == cell.text and not edits.taken(u.node):
                between.append(u)
            elif conflict(program.scop, site.depth, cell.uses, [u]) is not None:
                return None
    return None


def _text(test: syntax.Expr | None) -> str:
    return "" if test is None else print_expression(test)
