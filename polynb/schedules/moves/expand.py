"""Expansion: a temporary has a cell for each value that is written to it."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.dependences import analyze
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.schedules.bands import with_schedule
from polynb.scop.access import with_relations
from polynb.scop.arrays import inferred_extents
from polynb.scop.model import Array, Scop, Statement
from polynb.scop.storage import in_memory, touching
from polynb.source.typos import meant
from polynb.words import listed

HINT: Final = "`privatize`, where an iteration has it for itself; or another order"


@isl.guarded
def expand(scop: Scop, array: str) -> Scop:
    """The program in which a temporary has a cell for each instance that writes it, `t` as
    `t[i][j]` if S[i, j] writes it, and each read gets its value from the cell of its own write.

    No live range of it is in the way of another one then: of its dependences, the flow is left.
    Statements that write it have a part of it each, told apart by the first subscript. Raises
    PolynbError for what is no temporary, is read before it is written, or of which data decides
    what is accessed. (Feautrier: Array expansion, 1988.)
    """
    if any(a.storage is not None for a in scop.arrays.values()):
        scop = in_memory(scop)
    edges = _edges(scop, array)
    writers = [s for s in scop.statements if s.write.array == array]
    cells = _cells(scop, array, writers)
    statements = {s.name: s for s in scop.statements}
    for s in scop.statements:
        relations: dict[int, isl.Map] = {}
        for k, r in enumerate(s.reads):
            if r.array == array:
                relations[id(r)] = _sources(s, k, edges, cells)
        if s.write.array == array:
            relations[id(s.write)] = cells[s.name].intersect_domain(s.domain)
        if relations:
            statements[s.name] = with_relations(s, relations, scop.assumed)
    made = replace(scop, statements=tuple(statements.values()), program=None)
    touched = [a for _, a in touching(made, array)]
    extents = inferred_extents(touched, scop.assumed)
    new = replace(scop.arrays[array], extents=extents, sized=False, why="expanded")
    return with_schedule(replace(made, arrays={**scop.arrays, array: new}), scop.schedule)


def _edges(scop: Scop, array: str) -> list[Edge]:
    """The flow through a temporary, all of which comes from the program, and is known exactly."""
    found = scop.arrays.get(array)
    if found is None:
        near = meant(array, scop.arrays)
        raise PolynbError(
            f"there is no array '{array}'",
            reason=f"the temporaries are {listed(scop.temporaries)}" if scop.temporaries else None,
            hint=f"did you mean `{near}`?" if near else None,
        )
    why = _why_not(scop, found)
    flow = analyze(scop).flow(array)
    live_in = [m.intersect_params(scop.assumed) for m in flow.live_in.values()]
    if why is None and not all(m.is_empty() for m in live_in):
        why = f"what {array} holds before the program is read"
    if why is None and not all(e.exact for e in flow.edges):
        why = "data decides which of its cells are accessed, or when"
    if why is not None:
        raise PolynbError(f"'{array}' cannot be expanded", reason=why, hint=HINT)
    return list(flow.edges)


def _why_not(scop: Scop, array: Array) -> str | None:
    if array.role != "temp":
        return f"{array.name} is {array.role}: its content is used outside of the program"
    if array.name not in scop.temporaries:
        return f"nothing writes {array.name}"
    accesses = touching(scop, array.name)
    if not all(a.must for _, a in accesses) or any(
        s.guard is not None for s, a in accesses if a is s.write
    ):
        return "data decides which of its cells are accessed, or when"
    return None


def _cells(scop: Scop, array: str, writers: Seq[Statement]) -> dict[str, isl.Map]:
    """`{ W[i] -> t[k, i] }` for each statement that writes it: k tells several of them apart, and
    the iterators of the others are filled up with zeros."""
    depth = max(len(s.iterators) for s in writers)
    found = {}
    for k, s in enumerate(writers):
        low = [_least(s, scop, array, n) for n in range(len(s.iterators))]
        index = [f"i{n} + {-x}" if x < 0 else f"i{n}" for n, x in enumerate(low)]
        index += ["0"] * (depth - len(index))
        index = [str(k), *index] if len(writers) > 1 else index
        dims = ", ".join(f"i{n}" for n in range(len(s.iterators)))
        cell = isl.read_map(f"{{ {s.name}[{dims}] -> {array}[{', '.join(index)}] }}")
        found[s.name] = cell.align_params(s.domain.get_space())
    return found


def _least(s: Statement, scop: Scop, array: str, n: int) -> int:
    """The least value of an iterator."""
    domain = s.domain.intersect_params(scop.assumed)
    if domain.is_empty():
        return 0
    least = domain.dim_min_val(n)
    if not least.is_int():
        raise PolynbError(
            f"'{array}' cannot be expanded",
            reason=f"nothing bounds {s.iterators[n]} around {s.name} from below",
            hint="`assume` something of the parameters",
        )
    return int(least.to_python())


def _sources(s: Statement, read: int, edges: Seq[Edge], cells: dict[str, isl.Map]) -> isl.Map:
    """`{ R[j] -> t[k, i] }`, the cell of the write that a read gets its value from."""
    found: isl.Map | None = None
    for e in edges:
        if e.target == s.name and e.read == read:
            cell = e.relation.reverse().apply_range(cells[e.source])
            found = cell if found is None else found.union(cell)
    if found is None:  # the read never happens, else it would be live-in
        somewhere = next(iter(cells.values())).get_space().range()
        space = s.domain.get_space().map_from_domain_and_range(somewhere)
        return isl.Map.empty(space)
    return found.coalesce()
