"""Expansion: an array has a cell for each value that iterators of the writing statements take.

Each write gets its iterators as subscripts, after those that it has or in their place, and each
read those of the write whose value it reads, which value-based flow tells. So every read still gets
its value, whatever the order, as long as no two values share a cell at once. (Feautrier: Array
expansion, 1988; of GRAPHITE 2010, 4.3.2.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from polynb import isl
from polynb.dependences import Edge, analyze
from polynb.errors import PolynbError
from polynb.schedules.privatizing import privatizable
from polynb.scop.access import with_relations
from polynb.scop.extents import inferred_extents
from polynb.scop.model import Array, Scop, Statement
from polynb.scop.schedule import at_one_time, member
from polynb.scop.storage import touching
from polynb.scop.witness import Instance, pair_witness, values_text


@dataclass(frozen=True, eq=False)
class Dimensions:
    """Dimensions for an array: the number of the statement that writes it, if `by_statement`, and
    its iterators at these `loops` (0 is the outermost), 0 where it has none. `names` says them,
    `values` is `{ W[i] -> [d] }`, from 0 on. They come after those that the array has, or `instead`
    of them."""

    array: str
    loops: tuple[int, ...]
    by_statement: bool
    names: tuple[str, ...]
    values: Mapping[str, isl.Map]
    instead: bool = False

    def same(self, first: str, then: str) -> isl.Map:
        """`{ W[i] -> X[k] }`, the writes that have the same cells."""
        return at_one_time(self.values, first, then)


def dimensions(
    scop: Scop, array: str, loops: tuple[int, ...], by_statement: bool = False
) -> Dimensions:
    """These dimensions of an array. Iterators that may be negative count from their least value.
    Raises PolynbError where there is none."""
    writers = _writers(scop, array)
    columns = [_counted(scop, {s.name: _iterator(s, k) for s in writers}, array) for k in loops]
    names = [next(s.iterators[k] for s in writers if k < len(s.iterators)) for k in loops]
    if by_statement:
        columns.insert(0, {s.name: _constant(s, number) for number, s in enumerate(writers)})
        names.insert(0, "statement")
    values: dict[str, isl.Map] = {}
    for s in writers:
        instances = isl.Map.from_domain(s.domain)
        for column in columns:
            instances = instances.flat_range_product(column[s.name])
        values[s.name] = instances
    return Dimensions(array, loops, by_statement, tuple(names), values)


def all_dimensions(scop: Scop, array: str) -> Dimensions:
    """Instead of those it has: a cell for each instance that writes the array."""
    writers = _writers(scop, array)
    loops = tuple(range(max((len(s.iterators) for s in writers), default=0)))
    return replace(dimensions(scop, array, loops, len(writers) > 1), instead=True)


def _writers(scop: Scop, array: str) -> list[Statement]:
    return [s for s in scop.statements if s.write.array == array]


def _iterator(s: Statement, k: int) -> isl.Map:
    """`{ W[i] -> [i_k] }`; `{ W[i] -> [0] }` of a statement in fewer loops."""
    if k >= len(s.iterators):
        return _constant(s, 0)
    same = isl.Map.identity(s.domain.get_space().map_from_set()).reset_tuple_id(isl.OUT)
    return member(same, k).intersect_domain(s.domain)


def _constant(s: Statement, value: int) -> isl.Map:
    return isl.Map.from_domain(s.domain).add_dims(isl.OUT, 1).fix_val(isl.OUT, 0, isl.Val(value))


def _counted(scop: Scop, column: dict[str, isl.Map], array: str) -> dict[str, isl.Map]:
    """The same values from 0 on."""
    taken: isl.Set | None = None
    for m in column.values():
        here = m.range().intersect_params(scop.assumed)
        taken = here if taken is None else taken.union(here)
    if taken is None or taken.is_empty() or taken.is_subset(isl.Set("{ [t] : t >= 0 }")):
        return column
    if not taken.dim_has_lower_bound(isl.SET, 0):
        raise PolynbError(
            f"'{array}' cannot be expanded",
            reason="nothing bounds an iterator of what writes it from below",
            hint="a lower bound in the domain",
        )
    least = isl.Set.from_pw_aff(taken.dim_min(0))
    every = isl.Map.from_domain_and_range(isl.Set.universe(taken.get_space()), least)
    shift = every.domain_map().reverse().apply_range(isl.Map("{ [[t] -> [low]] -> [t - low] }"))
    return {name: m.apply_range(shift) for name, m in column.items()}


# -- what cannot be expanded ----------------------------------------------------------------


def refusal(scop: Scop, array: str) -> str | None:
    """Why an array cannot be expanded, with a witness; None if it can."""
    if scop.arrays[array].role != "temp":
        return f"{array} is {scop.arrays[array].role}: its content is used outside of the program"
    if array not in scop.temporaries:
        return f"nothing writes {array}"
    users = touching(scop, array)
    for s, a in users:
        if not a.must or not a.relation.intersect_params(scop.assumed).is_single_valued():
            return f"data decides which cells of {array} {s.name} accesses"
    flow = analyze(scop).flow(array)
    for (name, _), cells in flow.live_in.items():
        found = isl.witness(cells.domain().intersect_params(scop.assumed))
        if found is not None:
            at = values_text(found[0])
            return f"{Instance(name, found[1])} reads what {array} held before the program, {at}"
    return next(_ambiguous(scop, flow.edges), None)


def _ambiguous(scop: Scop, edges: Sequence[Edge]) -> Iterator[str]:
    """Reads with several sources."""
    for e in edges:
        for other in edges:
            if (e.target, e.read) != (other.target, other.read):
                continue
            both = e.relation.apply_range(other.relation.reverse())
            if e is other:
                both = both.subtract(isl.Map.identity(both.get_space()))
            two = pair_witness(both.intersect_params(scop.assumed), "one", "other")
            if two is not None:
                yield two.at_values(
                    f"{e.target} reads what {two['one']} or {two['other']} wrote to {e.array}"
                )


def _instead(scop: Scop, array: str) -> str | None:
    """What can be done with an array that cannot be expanded, or else with others."""
    if scop.arrays[array].live_out:
        return f"`temp {array};` in the program, if nothing needs it afterwards"
    if privatizable(scop).get(array) == "":
        return f"`privatize {array}`: an iteration has it for itself"
    return ways_out(scop)


def ways_out(scop: Scop) -> str | None:
    """The arrays that can be expanded."""
    can = (t for t in scop.temporaries if refusal(scop, t) is None)
    return " or ".join(f"`expand {t}`" for t in can) or None


# -- the program ----------------------------------------------------------------------------


def expanded(scop: Scop, added: Mapping[str, Dimensions]) -> Scop:
    """The program with these dimensions, in the order that it has. Raises PolynbError, with a
    witness and a way out, for an array that cannot get any."""
    for array in added:
        why = refusal(scop, array)
        if why is not None:
            raise PolynbError(
                f"'{array}' cannot be expanded", reason=why, hint=_instead(scop, array)
            )
    flow = [e for array in added for e in analyze(scop).flow(array).edges]
    statements = []
    for s in scop.statements:
        relations: dict[int, isl.Map] = {}
        if s.write.array in added:
            of = added[s.write.array]
            relations[id(s.write)] = _placed(s.write.relation, of.values[s.name], of)
        for number, r in enumerate(s.reads):
            if r.array in added:
                own = [e for e in flow if (e.target, e.read, e.array) == (s.name, number, r.array)]
                of = added[r.array]
                relations[id(r)] = _placed(r.relation, _sources(s, own, of), of)
        changed = with_relations(s, relations, scop.assumed) if relations else s
        statements.append(changed)
    made = replace(scop, statements=tuple(statements), program=None)
    arrays = {n: _array(made, n, d) for n, d in added.items()}
    return replace(made, arrays={**scop.arrays, **arrays})


def _placed(relation: isl.Map, values: isl.Map, of: Dimensions) -> isl.Map:
    """`{ S[i] -> A[x, d] }` of `{ S[i] -> A[x] }` and `{ S[i] -> [d] }`; `{ S[i] -> A[d] }` if d
    comes instead."""
    wide: isl.Map = values if of.instead else relation.flat_range_product(values)
    return isl.coalesced(wide.set_tuple_name(isl.OUT, of.array))


def _sources(s: Statement, edges: Sequence[Edge], added: Dimensions) -> isl.Map:
    """`{ R[j] -> [d] }`: the dimensions of the write that a read reads; none if it never does."""
    somewhere = next(iter(added.values.values())).get_space().range()
    space = s.domain.get_space().map_from_domain_and_range(somewhere)
    each = (e.relation.reverse().apply_range(added.values[e.source]) for e in edges)
    return isl.coalesced(isl.united(each, space))


def _array(scop: Scop, name: str, added: Dimensions) -> Array:
    array = scop.arrays[name]
    accesses = [a for _, a in touching(scop, name)]
    extents = inferred_extents(accesses, scop.assumed, own=True)
    if added.instead:
        return replace(array, extents=extents, sized=False, why="expanded")
    why = f"{array.why + ', ' if array.why else ''}expanded by {', '.join(added.names)}"
    new = extents[len(array.extents) :]
    return replace(array, extents=(*array.extents, *new), why=why)
