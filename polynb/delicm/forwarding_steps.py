"""The decisions of operand tree forwarding, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.delicm.operand_trees import Load, Obstacle, OperandTree, leaves
from polynb.derivation import Sentence, Step
from polynb.scop.model import Statement
from polynb.source.scoplang.printer import print_expression
from polynb.source.tree import Access, Expr, rebuild, walk
from polynb.words import listed

WRITTEN: Final = 200
"""Operations and operands of an expression that a step writes out."""


@dataclass(frozen=True, eq=False)
class Forwarded(Step):
    """A read of a scalar was replaced: `tree` says what became of each operand, `expression` is
    the new one, over the iterators of the target. The read has one of `reads`, numbers in
    `before`, of which `after` is the new version."""

    scalar: str
    before: Statement
    after: Statement
    reads: tuple[int, ...]
    tree: OperandTree
    expression: Expr

    @property
    def about(self) -> tuple[str, ...]:
        return (self.scalar, self.before.name)

    @property
    def sentence(self) -> Sentence:
        said = {"scalar": self.scalar, "target": self.before.name}
        said["new"] = _shortly(self.expression)
        others = dict.fromkeys(x.array for x in leaves(self.tree) if not x.own)
        if isinstance(self.tree, Load) or (others and isinstance(self.expression, Access)):
            text = "{target} loads {new} instead of {scalar}: it has the same content."
            return text, said
        said["source"] = self.tree.source.name
        has = "has the content of an operand" if len(others) == 1 else "have those of operands"
        said["others"] = f" ({listed(others)} {has})" if others else ""
        return "{target} evaluates {new}, from {source}, instead of {scalar}{others}.", said


def _shortly(e: Expr) -> str:
    """As it is written; of a DAG that would be long as a text, only that it is one."""
    if rebuild(e, lambda _, parts: 1 + sum(parts)) <= WRITTEN:
        return print_expression(e)
    return f"an expression of {sum(1 for _ in walk(e))} operations and operands"


@dataclass(frozen=True, eq=False)
class NotForwarded(Step):
    """A read of a scalar stays: why, and what shows it."""

    scalar: str
    target: Statement
    obstacle: Obstacle

    @property
    def about(self) -> tuple[str, ...]:
        return (self.scalar, self.target.name)

    @property
    def sentence(self) -> Sentence:
        return "{target} goes on reading {scalar}: {why}.", {
            "target": self.target.name,
            "scalar": self.scalar,
            "why": str(self.obstacle),
        }
