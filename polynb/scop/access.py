"""One access, one truth: what a statement touches, `{ S[i] -> A[x] }`, and the node that says so.

Dependences, legality and displays read relations; code and the oracle read nodes. A pass that moves
an access to other cells changes both together here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter, Mapping
from dataclasses import replace

from polynb import isl
from polynb.arguments import instance
from polynb.errors import PolynbError
from polynb.scop.affine import AffineFrame, NotAffine, affine
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.witness import instance_text
from polynb.source.tree import Access, Expr, children, rebuild, walk, with_children


def memory_access(
    node: Access,
    domain: isl.Set,
    frame: AffineFrame,
    columns: dict[int, isl.Map | None] | None = None,
) -> MemoryAccess:
    """`{ S[i] -> A[x] }` on a domain; the whole of a dimension where a subscript is not affine.

    `columns` has what subscripts are on the frame, by their identities, and is added to.
    """
    columns = {} if columns is None else columns
    relation = isl.Map.from_domain(isl.Set.universe(domain.get_space()))
    must = True
    for subscript in node.subscripts:
        if id(subscript) not in columns:
            columns[id(subscript)] = _column(subscript, frame)
        column = columns[id(subscript)]
        if column is None:
            column = isl.Map.from_domain(isl.Set.universe(domain.get_space())).add_dims(isl.OUT, 1)
            must = False
        relation = relation.flat_range_product(column)
    relation = relation.set_tuple_name(isl.OUT, node.array).intersect_domain(domain)
    return MemoryAccess(node.array, relation, node, must)


def _column(subscript: Expr, frame: AffineFrame) -> isl.Map | None:
    """`{ S[i] -> [x] }`, None if it is not affine."""
    try:
        return isl.Map.from_pw_aff(affine(subscript, frame))
    except NotAffine:
        return None


@isl.guarded
def with_relation(
    statement: Statement,
    access: MemoryAccess,
    relation: isl.Map,
    assumed: isl.Set | None = None,
) -> Statement:
    """The statement with one of its accesses, its write or a read, touching other cells.

    `relation` is `{ S[i] -> B[y] }`, of any array; `assumed`, `{ : ... }`, what is known of the
    parameters. The node is printed from it: subscripts are affine, with floord and mod where the
    relation has divisions, and with min, max or a selection where it is made of pieces. Reads that
    share the node change with it; reads in subscripts that are no longer there are gone. Raises
    PolynbError, with an instance, for a relation that leaves out instances of the statement (who
    wants that splits the statement first, see `restricted`) or gives one several cells.
    """
    instance("statement", statement, Statement, "one of scop.statements")
    instance("access", access, MemoryAccess, "the statement's write, or one of its reads")
    instance("relation", relation, isl.Map, "{ S[i] -> B[y] }")
    if not any(access is a for a in (statement.write, *statement.reads)):
        raise PolynbError(
            f"{statement.name} has no such access of {access.array}",
            hint="its write, or one of its reads, as they are now",
        )
    return with_relations(statement, {id(access): relation}, assumed)


def with_relations(
    s: Statement, relations: Mapping[int, isl.Map], assumed: isl.Set | None = None
) -> Statement:
    """As `with_relation`, of several accesses, by their identities."""
    accesses = (a for a in s.accesses if id(a) in relations)
    return with_accesses(s, {id(a): _printed(s, a, relations[id(a)], assumed) for a in accesses})


def with_accesses(s: Statement, others: Mapping[int, MemoryAccess]) -> Statement:
    """The statement with other accesses, whose nodes say what their relations are, for some of its
    own, by their identities. (None of these in a subscript of another one: see `nested`.)"""
    reads = {id(a.node): others[id(a)] for a in s.reads if id(a) in others}
    return _with_reads(s, others.get(id(s.write), s.write), reads)


def nested(accesses: Iterable[MemoryAccess]) -> bool:
    """Whether one of some accesses is in a subscript of another one."""
    some = list(accesses)
    inside = {id(x) for a in some for e in a.node.subscripts for x in walk(e)}
    return any(id(a.node) in inside for a in some)


def restricted(s: Statement, domain: isl.Set) -> Statement:
    """The same statement on a part of its domain."""
    reads = tuple(replace(r, relation=r.relation.intersect_domain(domain)) for r in s.reads)
    write = replace(s.write, relation=s.write.relation.intersect_domain(domain))
    return replace(s, domain=domain, reads=reads, write=write)


def _printed(
    s: Statement, access: MemoryAccess, relation: isl.Map, assumed: isl.Set | None
) -> MemoryAccess:
    """The access with a relation, and the node that says it."""
    array = isl.tuple_name(relation, isl.OUT)
    if isl.tuple_name(relation, isl.IN) != s.name or relation.dim(isl.IN) != len(s.iterators):
        raise PolynbError(
            f"this is no relation of {s.name}: {relation}",
            hint=f"{{ {s.name}[{', '.join(s.iterators)}] -> {array or 'A'}[...] }}",
        )
    if not array:
        raise PolynbError(f"this relation names no array: {relation}", hint="{ S[i] -> A[i] }")
    known = s.domain if assumed is None else s.domain.intersect_params(assumed)
    relation = relation.align_params(s.domain.get_space())
    _check_total(s, known, relation)
    relation = relation.intersect_domain(s.domain)
    if not relation.intersect_domain(known).is_single_valued():
        raise _several_cells(s, relation.intersect_domain(known))
    never = known.is_empty()
    functions = (
        _anywhere(relation) if never else relation.intersect_domain(known)
    ).as_pw_multi_aff()
    where = None if never else known
    subscripts = tuple(
        expression(isl.one_piece(isl.coalesced(functions.get_at(k))), s.iterators, where)
        for k in range(relation.dim(isl.OUT))
    )
    must = access is not s.write or s.guard is None
    return MemoryAccess(array, relation, Access(array, subscripts, span=access.span), must)


def _anywhere(relation: isl.Map) -> isl.Map:
    """`{ S[i] -> B[0] }`: what never runs may as well access any cell."""
    cell = isl.Set.universe(relation.get_space().range())
    for k in range(cell.dim(isl.SET)):
        cell = cell.fix_val(isl.SET, k, 0)
    return isl.Map.from_domain_and_range(isl.Set.universe(relation.get_space().domain()), cell)


def _check_total(s: Statement, known: isl.Set, relation: isl.Map) -> None:
    missing = known.subtract(relation.domain())
    at = isl.witness(missing)
    if at is not None:
        raise PolynbError(
            f"{s.name} would access {isl.tuple_name(relation, isl.OUT)} for some instances only",
            reason=f"{instance_text(s.name, at[1], at[0])} has no cell",
            hint="a statement accesses a cell in each of its instances: split it first, into the "
            "part that has one (for a write that some instances need not do, "
            f"restricted({s.name}, relation.domain())) and the rest",
        )


def _several_cells(s: Statement, relation: isl.Map) -> PolynbError:
    ends = relation.lexmin(), relation.lexmax()
    differ = ends[0].subtract(ends[1]).domain()
    at = isl.witness(differ)
    assert at is not None
    return PolynbError(
        f"{s.name} would access several cells of {isl.tuple_name(relation, isl.OUT)} at once",
        reason=f"{instance_text(s.name, at[1], at[0])} has more than one",
        hint="one cell for each instance, { S[i] -> A[x] } being a function",
    )


def _with_reads(s: Statement, write: MemoryAccess, made: Mapping[int, MemoryAccess]) -> Statement:
    """The statement with another write, and other reads for nodes, by their identities."""
    becomes: dict[int, Expr] = {}

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        new = made.get(id(node))
        return with_children(node, parts) if new is None else new.node

    def rewritten(e: Expr) -> Expr:
        return rebuild(e, visit, becomes)

    target = with_children(write.node, tuple(rewritten(x) for x in children(write.node)))
    assert isinstance(target, Access)
    expression_, guard = rewritten(s.expression), None if s.guard is None else rewritten(s.guard)
    known: dict[int, MemoryAccess] = {}
    for r in s.reads:
        node = becomes.get(id(r.node))
        if isinstance(node, Access):
            same = r if node is r.node else replace(r, node=node)
            known[id(node)] = made.get(id(r.node), same)
    return replace(
        s,
        expression=expression_,
        guard=guard,
        write=write if target is write.node else replace(write, node=target),
        reads=tuple(known[id(x)] for x in read_nodes(expression_, target, guard)),
    )


def read_nodes(e: Expr, target: Access, guard: Expr | None) -> Iter[Access]:
    """The access nodes of a statement but its target's, in the order of its reads."""
    for root in (e, *target.subscripts, *(() if guard is None else (guard,))):
        yield from (x for x in walk(root) if isinstance(x, Access))


# -- do they agree? -------------------------------------------------------------------------


@isl.guarded
def inconsistency(scop: Scop) -> str | None:
    """Where a relation and its node differ, in words; None if every access is one truth.

    Each node is read again: where its subscripts are affine it must give the relation on the whole
    domain, else the access must be a may access of no more than it may touch. The reads must be the
    access nodes of expression, target and guard.
    """
    for s in scop.statements:
        there = [id(x) for x in read_nodes(s.expression, s.write.node, s.guard)]
        if sorted(id(r.node) for r in s.reads) != sorted(there):
            return f"{s.name} lists other reads than its expressions have"
        for a in s.accesses:
            if not _agrees(s, a, scop.assumed):
                return f"{s.name}: {a.relation} is not what its node says"
    return None


def _agrees(s: Statement, a: MemoryAccess, assumed: isl.Set) -> bool:
    domain = isl.with_dim_names(s.domain, isl.SET, s.iterators).intersect_params(assumed)
    again = memory_access(a.node, domain, AffineFrame(domain.get_space()))
    relation = a.relation.intersect_domain(domain)
    if a.array != a.node.array or isl.tuple_name(relation, isl.OUT) != a.array:
        return False
    if again.must:
        return bool(relation.is_equal(again.relation))
    return not a.must and bool(relation.is_subset(again.relation))
