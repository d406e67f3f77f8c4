"""Instances that run several times: overlapped strips and tiles compute some values again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.isl_text import check_tuples, union_map
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence as Parts, Tree, times, transform
from polynb.scop.storage import in_memory
from polynb.scop.witness import instance_text

EXAMPLE: Final = "{ S[i] -> S[c, i] : 0 <= c < 2 }"


@isl.bounded("the expansion of statements")
def expand(program: Scop | Derivation, copies: isl.UnionMap | isl.Map | str) -> Scop:
    """The program in which instances run several times.

    `copies` is `{ S[i] -> S[c, i] }`, of one statement or more: the copies c of each instance i,
    which get iterators of their own in front. All copies of an instance run one after the other, at
    its place and in the order of c, write the same cell and compute the same value, the last one as
    well as the first: so nothing changes for what reads the cell, nor for what is live-out. (When
    they run later is up to a schedule; copies that are to be kept apart get cells of their own, by
    `with_relation`.) Raises PolynbError, with an instance, where an instance has no copy, and where
    one that is to run several times may read the cell that it writes: its second copy would read
    what the first one wrote.
    """
    scop = in_memory(as_scop(program))
    given = union_map("copies", copies, EXAMPLE)
    check_tuples("copies", copies, given, {s.name: len(s.iterators) for s in scop.statements})
    names = Names({*global_names(scop), *(i for s in scop.statements for i in s.iterators)})
    tree, statements = scop.schedule, dict(scop.by_name)
    for m in isl.maps(given):
        s = statements[isl.tuple_name(m, isl.IN)]
        m = _checked(s, m.align_params(s.domain.get_space()), scop.assumed)
        several = m.dim(isl.OUT) - m.dim(isl.IN)
        new = copied(s, m, (*(names.fresh("c") for _ in range(several)), *s.iterators))
        statements[s.name] = new
        tree = copied_tree(tree, s.name, any_copies(s, several))
        if not m.is_single_valued():
            domains = {n: x.domain for n, x in statements.items()}
            tree = _one_by_one(tree, s.name, several, domains)
    when = times(tree, {n: s.domain for n, s in statements.items()})
    timed = tuple(replace(s, schedule=when[s.name]) for s in statements.values())
    return replace(scop, statements=timed, schedule=tree, program=None)


def any_copies(s: Statement, several: int) -> isl.Map:
    """`{ S[i] -> S[c, i] }` with any numbers c, so many."""
    space = s.domain.get_space()
    same = isl.Map.identity(space.map_from_set()).reset_tuple_id(isl.OUT)
    return same.insert_dims(isl.OUT, 0, several).set_tuple_name(isl.OUT, s.name)


def copied(s: Statement, copies: isl.Map, iterators: Sequence[str]) -> Statement:
    """The statement with the instances `{ S[i] -> S[c, i] }`, c being the first `iterators`. Its
    schedule is as it was: the caller sets the right one."""

    def moved(access: MemoryAccess) -> MemoryAccess:
        return replace(access, relation=access.relation.apply_domain(copies))

    return replace(
        s,
        iterators=tuple(iterators),
        domain=isl.with_dim_names(s.domain.apply(copies), isl.SET, iterators),
        write=moved(s.write),
        reads=tuple(map(moved, s.reads)),
    )


def copied_tree(tree: Tree, name: str, copies: isl.Map) -> Tree:
    """The tree for the instances `{ S[i] -> S[c, i] }` of one statement, each at the time that it
    had: bands and filters say the same of all copies."""

    def change(node: Tree) -> Tree:
        match node:
            case Band(members=m) if name in m:
                return replace(node, members={**m, name: m[name].apply_domain(copies)})
            case Filter(domains=d) if (part := d.get(name)) is not None:
                return replace(node, domains={**d, name: part.apply(copies)})
        return node

    return transform(tree, change)


def _one_by_one(tree: Tree, name: str, several: int, domains: Mapping[str, isl.Set]) -> Tree:
    """The tree with a band over the copies of a statement around each leaf that it gets to.
    `domains` are those of all statements that arrive at the tree."""
    match tree:
        case Leaf():
            members = {n: _numbers(d, several, n == name) for n, d in domains.items()}
            return Band(members, tree, loops=(Loop(),) * several)
        case Parts(children=c):
            parts = (_one_by_one(f, name, several, domains) for f in c)
            return Parts(tuple(f for f in parts if isinstance(f, Filter)))
        case Filter(domains=d) if name not in d:
            return tree
        case Filter(domains=d):
            domains = {n: s for n, s in domains.items() if n in d}
    return replace(tree, child=_one_by_one(tree.child, name, several, domains))


def _numbers(domain: isl.Set, several: int, own: bool) -> isl.Map:
    """`{ S[c, i] -> [c] }`, or `{ T[i] -> [0] }` of a statement that is another one."""
    space = domain.get_space()
    if own:
        same = isl.Map.identity(space.map_from_set()).reset_tuple_id(isl.OUT)
        return same.project_out(isl.OUT, several, same.dim(isl.OUT) - several)
    zero = isl.Map.from_domain(isl.Set.universe(space)).add_dims(isl.OUT, several)
    for k in range(several):
        zero = zero.fix_val(isl.OUT, k, isl.Val(0))
    return zero


# -- what copies may be ---------------------------------------------------------------------


def _checked(s: Statement, copies: isl.Map, assumed: isl.Set) -> isl.Map:
    """The copies of a statement's instances. Raises PolynbError for what are none."""
    several = copies.dim(isl.OUT) - copies.dim(isl.IN)
    example = f"{{ {s.name}[{', '.join(s.iterators)}] -> {s.name}[{', '.join(('c', *s.iterators))}]"
    hint = f"{example} : 0 <= c < 2 }}"
    form = isl.tuple_name(copies, isl.OUT) == s.name and several > 0
    if not form or not copies.is_subset(any_copies(s, several)):
        raise PolynbError(f"these are no copies of the instances of {s.name}: {copies}", hint=hint)
    known = s.domain.intersect_params(assumed)
    left_out = isl.witness(known.subtract(copies.domain()))
    if left_out is not None:
        raise PolynbError(
            f"{instance_text(s.name, left_out[1], left_out[0])} has no copy",
            hint="at least one for each instance",
        )
    image = known.apply(copies)
    for k in range(several):
        if not (image.dim_has_lower_bound(isl.SET, k) and image.dim_has_upper_bound(isl.SET, k)):
            raise PolynbError(f"nothing bounds the number of copies of {s.name}", hint=hint)
    found = isl.witness(_changing(s).intersect(_repeated(copies.intersect_domain(known))))
    if found is not None:
        raise PolynbError(
            f"{instance_text(s.name, found[1], found[0])} cannot run several times",
            reason=f"it reads the cell of {s.write.array} that it writes: a second copy would read "
            "what the first one wrote",
            hint="copies of what only reads other cells",
        )
    return copies


def _changing(s: Statement) -> isl.Set:
    """`{ S[i] }`, the instances that may read the cell that they write."""
    own = (r.relation for r in s.reads if r.array == s.write.array)
    same = (m.intersect(s.write.relation).domain() for m in own)
    return isl.united(same, s.domain.get_space())


def _repeated(copies: isl.Map) -> isl.Set:
    """`{ S[i] }`, the instances that have several copies."""
    return copies.subtract(copies.lexmin()).domain()
