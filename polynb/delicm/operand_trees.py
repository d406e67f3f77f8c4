"""Operand trees: how a value that a scalar carried is found where the scalar was read (DeLICM, 3).

`Load | Operation` is what `forwardable` finds, `expression` makes code of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from polynb import isl
from polynb.rewriting.pool import Pool
from polynb.rewriting.substitution import rewritten_iterators
from polynb.scop.model import Scop, Statement
from polynb.scop.witness import Witness
from polynb.source.tree import Access, Expr


@dataclass(frozen=True, eq=False)
class Load:
    """Read the value from memory: `cells` is `{ T[j] -> A[x] }`, for the target's instances. `own`:
    these are the cells that the operand itself reads; else others that have the same content."""

    array: str
    cells: isl.Map
    own: bool


@dataclass(frozen=True, eq=False)
class Operation:
    """Compute the value again: copy the expression of `source`, of which `dependence`,
    `{ S[i] -> T[j] }`, says what instance i the value at j is from. `operands` are those of its
    reads, by their numbers, that are found elsewhere than in their own cells or that are
    scalars."""

    source: Statement
    dependence: isl.Map
    operands: Mapping[int, OperandTree]


OperandTree: TypeAlias = "Load | Operation"


@dataclass(frozen=True, eq=False)
class Obstacle:
    """Why a tree cannot be forwarded, with what shows it."""

    reason: str
    witness: Witness | None = None

    def __str__(self) -> str:
        if self.witness is None:
            return self.reason
        return f"{self.reason} (an example: {self.witness})"


def parts(tree: OperandTree) -> Iterator[OperandTree]:
    """Each part of a tree once, however many operands it is, parents first, left to right."""
    seen, stack = set[int](), [tree]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            if isinstance(node, Operation):
                stack.extend(reversed([*node.operands.values()]))


def leaves(tree: OperandTree) -> Iterator[Load]:
    """The loads of a tree, left to right."""
    return (x for x in parts(tree) if isinstance(x, Load))


def expression(tree: OperandTree, target: Statement, scop: Scop, pool: Pool) -> Expr:
    """The tree as an expression over the iterators of the target, with the conversions of the
    scalars it went through (doForwardTree, Listing 8)."""
    return _Builder(target, scop, pool).build(tree)


class _Builder:
    """One node for each tree, however often it is part of others."""

    def __init__(self, target: Statement, scop: Scop, pool: Pool) -> None:
        self.target, self.scop, self.pool = target, scop, pool
        self.known = target.domain.intersect_params(scop.assumed)
        self.done: dict[int, Expr] = {}

    def build(self, tree: OperandTree) -> Expr:
        if id(tree) not in self.done:
            made = self._load(tree) if isinstance(tree, Load) else self._operation(tree)
            self.done[id(tree)] = made
        return self.done[id(tree)]

    def _load(self, load: Load) -> Expr:
        dims = tuple(f"x{k}" for k in range(load.cells.dim(isl.OUT)))
        subscripts = rewritten_iterators(
            load.cells.reverse(), dims, self.target.iterators, self.known
        )
        return self.pool.unique(Access(load.array, tuple(subscripts[d] for d in dims)))

    def _operation(self, tree: Operation) -> Expr:
        """The operands are over the target's iterators already: while those of the source are
        replaced, marks stand for them."""
        s, pool = tree.source, self.pool
        moved = {k: t for k, t in tree.operands.items() if not (isinstance(t, Load) and t.own)}
        marks = {k: pool.unique(Access(f"operand {k}")) for k in moved}
        e = pool.with_reads(s.expression, {id(s.reads[k].node): m for k, m in marks.items()})
        iterators = rewritten_iterators(
            tree.dependence, s.iterators, self.target.iterators, self.known
        )
        e = pool.rewritten(e, iterators)
        e = pool.with_reads(e, {id(m): self.build(moved[k]) for k, m in marks.items()})
        return pool.stored(e, self.scop.arrays[s.write.array])
