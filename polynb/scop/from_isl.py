"""A Scop from a researcher's own sets, without any program text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polynb import isl
from polynb.arguments import several_names, text
from polynb.errors import PolynbError
from polynb.scop.affine_from_isl import expression
from polynb.scop.arrays import array_of, requirements
from polynb.scop.isl_text import check_tuples, context_set, span_of, union_map, union_set
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, Leaf, Loop, Tree, statement_times, times
from polynb.scop.schedule_isl import from_isl as tree_from_isl
from polynb.scop.witness import pair_witness, values_text
from polynb.source import tree as syntax


@isl.bounded("reading the sets")
def from_isl(
    domain: isl.UnionLike,
    schedule: isl.UnionLike | isl.Schedule,
    reads: isl.UnionLike,
    writes: isl.UnionLike,
    *,
    context: isl.UnionLike = "{ : }",
    temp: str | Sequence[str] = (),
    name: str = "kernel",
) -> Scop:
    """A Scop from a domain `{ S[i] : ... }`, a schedule (a map `{ S[i] -> [t] }` or an
    `islpy.Schedule`), reads and writes `{ S[i] -> A[x] }`; each may be given as isl text.

    Every statement computes an uninterpreted function of what it reads, and writes one cell per
    instance; it can be analysed and propagated, not compiled. Arrays in `temp` are not live-out.
    Raises PolynbError if a statement has no write or several, or if two instances run at the
    same time.
    """
    text("name", name)
    with isl.wrapped():
        domains = {isl.tuple_name(s, isl.SET): s for s in isl.sets(union_set("domain", domain))}
        if not domains or "" in domains:
            raise PolynbError("the domain must be a union of named, non-empty sets, { S[i] : ... }")
        allowed = context_set("context", context)
        parameters = _parameters([*domains.values(), allowed])
        domains = {n: _aligned(s, parameters) for n, s in domains.items()}
        tree = _schedule(schedule, domains)
        when = times(tree, domains)
        _check_times(when, domains)
        write = _accesses("writes", writes, domains)
        read = _accesses("reads", reads, domains)
        read = {n: [c for m in found for c in _cells(m, domains[n])] for n, found in read.items()}
        statements = tuple(
            _statement(n, d, when[n], read.get(n, []), write.get(n, [])) for n, d in domains.items()
        )
        allowed = allowed.params().align_params(isl.param_space(parameters))
        names = dict.fromkeys(a.array for s in statements for a in s.accesses)
        temp = several_names("temp", temp, names)
        declared = {n: syntax.Declaration(n, role="temp") for n in temp}
        arrays = {n: array_of(n, declared.get(n), statements, allowed) for n in names}
        requires = requirements(statements, arrays, allowed)
        return Scop(name, parameters, allowed, requires, arrays, statements, tree)


def _parameters(objects: Iterable[isl.Set]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(p for x in objects for p in isl.dim_names(x, isl.PARAM)))


def _aligned(s: isl.Set, parameters: Sequence[str]) -> isl.Set:
    names = isl.dim_names(s, isl.SET)
    s = s.align_params(isl.param_space(parameters))
    fresh = [n if n and names.count(n) == 1 else f"i{k}" for k, n in enumerate(names)]
    named: isl.Set = isl.with_dim_names(s, isl.SET, fresh)
    return named


def _schedule(given: isl.UnionLike | isl.Schedule, domains: Mapping[str, isl.Set]) -> Tree:
    if isinstance(given, isl.Schedule):
        return tree_from_isl(given)
    union = union_map("schedule", given, "{ S[i] -> [i] }")
    check_tuples("schedule", given, union, _dims(domains))
    times = statement_times(union)
    missing = [n for n in domains if n not in times]
    if missing:
        raise PolynbError(f"the schedule says nothing of {', '.join(missing)}")
    members = {n: times[n] for n in domains}
    depth = next(iter(members.values())).dim(isl.OUT)
    return Band(members, Leaf(), loops=(Loop(),) * depth)


def _check_times(when: Mapping[str, isl.Map], domains: Mapping[str, isl.Set]) -> None:
    for n, m in when.items():
        if not domains[n].is_subset(m.domain()) or not m.is_single_valued():
            raise PolynbError(f"the schedule must give every instance of {n} exactly one time")
    for n, m in when.items():
        for other, o in when.items():
            if n > other:
                continue
            pairs = m.intersect_domain(domains[n]).apply_range(
                o.intersect_domain(domains[other]).reverse()
            )
            if n == other:
                pairs = pairs.subtract(isl.Map.identity(pairs.get_space()))
            pair = pair_witness(pairs)
            if pair is not None:
                values = values_text(pair.parameters)
                raise PolynbError(
                    f"two instances run at the same time: {pair['source']} and {pair['target']}",
                    reason=f"for {values}" if values else None,
                    hint="another schedule dimension to order them",
                )


def _dims(domains: Mapping[str, isl.Set]) -> dict[str, int]:
    return {name: s.dim(isl.SET) for name, s in domains.items()}


def _accesses(
    what: str, given: isl.UnionLike, domains: Mapping[str, isl.Set]
) -> dict[str, list[isl.Map]]:
    union = union_map(what, given)
    check_tuples(what, given, union, _dims(domains))
    relations: dict[str, list[isl.Map]] = {}
    for m in isl.maps(union):
        name = isl.tuple_name(m, isl.IN)
        if not isl.tuple_name(m, isl.OUT):
            raise PolynbError(
                f"{what} of {name} have an array without a name",
                span=span_of(what, given, "", m.dim(isl.OUT)),
                hint="{ S[i] -> A[i] }",
            )
        relation = m.intersect_domain(domains[name])
        relations.setdefault(name, []).append(
            isl.with_dim_names(relation, isl.IN, isl.dim_names(domains[name], isl.SET))
        )
    return relations


def _cells(relation: isl.Map, domain: isl.Set) -> list[isl.Map]:
    """The reads of several cells by each instance, `{ S[i] -> A[i - 1]; S[i] -> A[i] }`, as one
    relation for each cell; the relation itself where its pieces are not like that."""
    pieces = [isl.Map.from_basic_map(p) for p in isl.basic_maps(relation)]
    if all(p.is_single_valued() and p.domain().is_equal(domain) for p in pieces):
        return pieces
    return [relation]


def _statement(
    name: str, domain: isl.Set, when: isl.Map, reads: list[isl.Map], writes: list[isl.Map]
) -> Statement:
    if len(writes) != 1:
        raise PolynbError(
            f"{name} writes {len(writes)} arrays",
            hint="exactly one write per statement; split it (CC'18, section 5.5)",
        )
    iterators = isl.dim_names(domain, isl.SET)
    accesses = tuple(_access(m, iterators, domain) for m in reads)
    value = syntax.Call(name, tuple(a.node for a in accesses))
    write = _access(writes[0], iterators, domain)
    return Statement(name, iterators, domain, write, accesses, value, when, name)


def _access(relation: isl.Map, iterators: Sequence[str], domain: isl.Set) -> MemoryAccess:
    """One cell per instance makes a must access; anything else may touch any of its cells."""
    array = isl.tuple_name(relation, isl.OUT)
    exact = relation.is_single_valued() and relation.domain().is_equal(domain)
    if exact:
        functions = relation.as_pw_multi_aff()
        subscripts = tuple(
            expression(functions.get_at(k), iterators, domain) for k in range(relation.dim(isl.OUT))
        )
    else:
        own = tuple(syntax.Iterator(i) for i in iterators)
        subscripts = tuple(
            syntax.Call(f"some_{array}_{k}", own) for k in range(relation.dim(isl.OUT))
        )
    return MemoryAccess(array, relation, syntax.Access(array, subscripts), exact)
