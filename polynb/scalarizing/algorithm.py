"""The scalars that a compiler introduces: what DeLICM undoes (DeLICM, section 1.1)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from polynb.arguments import one_of, optional, several_names
from polynb.derivation import Step, derivation
from polynb.scalarizing.carried_loads import carry_loads
from polynb.scalarizing.edits import Edits
from polynb.scalarizing.invariant_cells import Kind, scalarize_cells
from polynb.scalarizing.steps import NotScalarized
from polynb.scalarizing.uses import LoopSite, program_uses
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
from polynb.scop.storage import in_memory

KINDS = ("licm", "pre")


@derivation(paper="DeLICM", start=in_memory)
def scalarize(
    scop: Scop, kind: Kind = "licm", *, arrays: str | Sequence[str] | None = None
) -> Generator[Step, None, Scop]:
    """Introduce the scalars that a compiler would, before polyhedral optimisation sees the loops.

    "licm": cells that do not change in a loop are loaded before it (Listing 1 -> Listing 2), or
    kept in a scalar during it and stored after it (register promotion, Listing 1 -> Listing 3).
    "pre": the same loads; written cells are kept in a scalar and stored each time (Listing 4);
    what an innermost loop loads that its iteration before loaded or stored is passed on (partial
    redundancy elimination: phi nodes). `arrays`: only these.

    Claims that the result computes the same values of all live-out arrays, for all parameter values
    that the context and `requires` allow: a scalar stands for a cell only where no other access of
    the loop may touch it, `{ S[i] -> T[j] }` with one cell being empty for all of them; loads and
    stores around a loop that may not run are made where it does (the guarded preheader), but for
    loads of inputs that are in bounds anyway. Raises PolynbError for names of no array.
    """
    one_of("kind", kind, KINDS)
    chosen = optional(several_names, "arrays", arrays, scop.arrays)
    if not scop.statements:
        return scop  # no text says that, and there is nothing to do
    plain = scop if scop.program is not None else parse(str(scop), "scop", name=scop.name)
    assert plain.program is not None
    program = program_uses(plain, plain.program)
    edits = Edits(program)
    names = tuple(plain.arrays if chosen is None else chosen)
    for site in program.loops:
        parallel = _parallel(site)
        if parallel is not None:
            yield from _kept(site, names, f"the iterations of {parallel} may run at once")
            continue
        yield from scalarize_cells(site, kind, names, edits)
        if kind == "pre":
            yield from carry_loads(site, names, edits)
    if not edits:
        return scop
    return replace(build(edits.applied()), program=None)


def _parallel(site: LoopSite) -> str | None:
    """The iterator of the loop, or of one around it, whose iterations would share a scalar."""
    around = (*site.outer, site.loop)
    return next((loop.iterator for loop in around if loop.kind != "sequential"), None)


def _kept(site: LoopSite, arrays: Sequence[str], reason: str) -> Generator[Step, None, None]:
    cells = {u.access.array: u.cell for u in reversed(site.uses) if u.access.array in arrays}
    for array, cell in cells.items():
        yield NotScalarized(array, cell, site.loop.iterator, reason)
