"""Iterations of a pipeline's loops side by side, where they have a part of their work in common:
four rows of a picture, say, each made of some rows of a finer one, most of which the rows beside
it are made of as well, or all planes of a picture, which are computed from one plane.

That is unroll-and-jam (`registers.py`), told by what is computed: equal parts of the expressions
are computed once for all iterations that are together, look-ups among them, which cost the most.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from polynb import isl
from polynb.codegen.literals import substitute
from polynb.dependences import analyze
from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.legality.checking import keeps_values
from polynb.legality.private import private_parts, private_to
from polynb.optimising.orders import nests_apart, nests_together
from polynb.optimising.picture_work import scattered
from polynb.optimising.planes import PLANES
from polynb.optimising.registers import COPIES, TOGETHER, IterationBlock, in_blocks
from polynb.optimising.steps import NoOrder, SideBySide
from polynb.propagation.counting import Uncountable
from polynb.propagation.recomputation import instances, own_cost
from polynb.schedules.bands import all_bands, iterator_of
from polynb.scop.access import with_accesses
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, member, walk
from polynb.source import tree as syntax
from polynb.source.normal_form import affine_parts, linear_form
from polynb.source.tree import Access, Expr, Let, own, rebuild
from polynb.source.types import INT32
from polynb.words import listed

LESS: Final = 1.2
"""How many times less is to be done where it is worth it."""
SHARE: Final = 0.01
"""Of the work of all nests: less of it is not worth the longer text."""
FEW: Final = 0.1
"""Of the work of a nest: statements that do less, at borders, need no registers that matter."""
OPERATIONS, SECONDS = 5_000_000, 10.0
"""For a nest."""


def with_neighbours_together(scop: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop]:
    """The program in which iterations of the loops of sequential nests run side by side, where they
    have enough in common."""
    nests = nests_apart(scop)
    try:
        work = [_Work.of(nest, sizes) for nest in nests]
    except Uncountable:
        return scop
    total = sum(w.whole for w in work)
    made = []
    for w in work:
        made.append(w.nest)
        if w.whole < SHARE * total:
            continue
        try:
            with isl.budget(OPERATIONS, SECONDS):
                found = _best(w)
        except PolynbError as error:
            yield NoOrder(f"{listed(w.nest.by_name)} side by side", error.message)
            continue
        if found is not None:
            made[-1], step = found
            yield step
    return nests_together(scop, made)


@dataclass(frozen=True, eq=False)
class _Work:
    """What there is to do in a nest: `done`, by statement."""

    nest: Scop
    done: Mapping[str, float]

    @classmethod
    def of(cls, nest: Scop, sizes: Mapping[str, int]) -> _Work:
        done = {s.name: instances(s, sizes) * _parts(s, [s.expression]) for s in nest.statements}
        return cls(nest, done)

    @property
    def whole(self) -> float:
        return sum(self.done.values())

    @property
    def most(self) -> list[Statement]:
        """The statements that do most."""
        return [s for s in self.nest.statements if self.done[s.name] >= FEW * self.whole]

    def left(self, loop: _Loop) -> float:
        """What is left of it where iterations of a loop are side by side."""
        n = loop.block.count
        left = dict(self.done)
        for s in self.most:
            i = loop.iterators[s.name]
            each = [substitute(s.expression, {i: _plus(i, k)}) for k in range(n)]
            left[s.name] *= _parts(s, each) / (n * _parts(s, each[:1]))
        return sum(left.values())


@dataclass(frozen=True, eq=False)
class _Loop:
    """A loop, number `k` of a band, of which a block of iterations may be side by side: the
    `iterators` of statements that take its values."""

    band: Band
    k: int
    block: IterationBlock
    iterators: Mapping[str, str]


@isl.guarded
def _best(work: _Work) -> tuple[Scop, SideBySide] | None:
    """The nest with iterations of that loop side by side which leaves least to do."""
    left = {loop: work.left(loop) for loop in _loops(work)}
    for loop in sorted(left, key=left.__getitem__):
        gain = work.whole / left[loop]
        new = side_by_side(work.nest, loop.band, loop.k, loop.block) if gain >= LESS else None
        if new is not None:
            name = loop.iterators[work.most[0].name]
            return new, SideBySide(tuple(loop.band.members), gain, name, loop.block.count)
    return None


def _loops(work: _Work) -> Iterator[_Loop]:
    """The loops of sequential bands that the statements which do most have in common, but the
    innermost ones, with as many iterations as may be side by side."""
    bands = all_bands(work.nest.schedule)
    if any(kind != "sequential" for band in bands for kind in band.kinds):
        return
    for band in bands:
        inside = all_bands(band.child)
        if any(s.name not in band.members for s in work.most):
            continue
        together = [sum(s.name in b.members for s in work.most) for b in inside or (band,)]
        for k in range(band.depth if inside else band.depth - 1):
            members = {s.name: member(band.members[s.name], k) for s in work.most}
            block = _block(work.nest, members)
            iterators = {n: iterator_of(work.nest.by_name, {n: m}) for n, m in members.items()}
            named = {n: i for n, i in iterators.items() if i is not None}
            if block and len(named) == len(members) and block.count * max(together) <= COPIES:
                yield _Loop(band, k, block, named)


def _block(nest: Scop, members: Mapping[str, isl.Map]) -> IterationBlock | None:
    """All iterations of a loop, if they are few, else some, from the first one on; None where none
    is the first, or the only one."""
    domains = {n: nest.by_name[n].domain.intersect_params(nest.assumed) for n in members}
    times = isl.united(m.intersect_domain(domains[n]).range() for n, m in members.items())
    low, high = times.dim_min_val(0), times.dim_max_val(0)
    if not low.is_int():
        return None
    first = int(low.to_python())
    count = int(high.to_python()) - first + 1 if high.is_int() else None
    if count is None or count > PLANES:
        return IterationBlock(TOGETHER, first)
    return IterationBlock(count, first) if count > 1 else None


def _plus(iterator: str, k: int) -> Expr:
    i = syntax.Iterator(iterator)
    op: Literal["+", "-"] = "+" if k > 0 else "-"
    return syntax.Binary(op, i, syntax.Number(abs(k), INT32)) if k else i


def _parts(s: Statement, expressions: Sequence[Expr]) -> float:
    """What there is to do for expressions of a statement, parts that are equal once."""
    known: dict[object, int] = {}
    cost = 0.0

    for e in expressions:
        affine = affine_parts(e)

        def visit(node: Expr, parts: tuple[int, ...], affine: set[int] = affine) -> int:
            nonlocal cost
            if isinstance(node, Let):
                return parts[0]
            key: object = (type(node), own(node), parts)
            linear = linear_form(node) if id(node) in affine else None
            if linear is not None:
                key = frozenset((x, c) for x, (c, _) in linear.terms.items()), linear.constant
            elif key not in known:
                cost += 1 + scattered(s, node) if isinstance(node, Access) else own_cost(node)
            return known.setdefault(key, len(known))

        rebuild(e, visit)
    return cost


# -- side by side --------------------------------------------------------------------------


def side_by_side(nest: Scop, band: Band, k: int, block: IterationBlock) -> Scop | None:
    """The nest with iterations of a loop of a band together, in which arrays that are private to
    one have a place for each; None where that is not possible, or not legal."""
    apart = _with_places(nest, band, k, block)
    new = None if apart is None else in_blocks(apart, band, {k: block}, some=True)
    if apart is None or new is None or not keeps_values(apart, new):
        return None
    return new


def _with_places(nest: Scop, band: Band, k: int, block: IterationBlock) -> Scop | None:
    """The program whose arrays that are private to what is in a loop have a place for each of the
    iterations that are together. Claims that it is the same program: what is private to a part of
    an iteration is in one place of its own as good as in another one."""
    inside = {n for node in walk(band.child) for n in private_to(node)}
    if not inside:
        return nest
    if inside - private_parts(nest, analyze(nest).flow_edges).keys():
        return None
    statements = []
    for s in nest.statements:
        own = [a for a in (*s.reads, s.write) if a.array in inside]
        i = iterator_of(nest.by_name, {s.name: member(band.members[s.name], k)}) if own else None
        if own and i is None:
            return None
        moved = {id(a): _moved(s, a, i, block) for a in own} if i is not None else {}
        statements.append(with_accesses(s, moved) if moved else s)
    arrays = dict(nest.arrays)
    for name in inside:
        places = isl.PwAff(f"{{ [({block.count})] }}").align_params(nest.assumed.get_space())
        arrays[name] = replace(arrays[name], extents=(places, *arrays[name].extents))
    return replace(nest, statements=tuple(statements), arrays=arrays, program=None)


def _moved(s: Statement, a: MemoryAccess, iterator: str, block: IterationBlock) -> MemoryAccess:
    place = isl.read_map(
        f"{{ [{', '.join(s.iterators)}] -> [({iterator} - {block.first}) mod {block.count}] }}"
    )
    place = place.set_tuple_name(isl.IN, s.name).align_params(s.domain.get_space())
    cell = place.flat_range_product(a.relation.reset_tuple_id(isl.OUT))
    cell = cell.intersect_domain(s.domain)
    row = _plus(iterator, -block.first)
    subscript = syntax.Binary("mod", row, syntax.Number(block.count, INT32))
    node = replace(a.node, subscripts=(subscript, *a.node.subscripts))
    return replace(a, relation=cell.set_tuple_name(isl.OUT, a.array), node=node)
