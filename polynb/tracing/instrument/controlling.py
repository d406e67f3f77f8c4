"""Conditions: what branches and loops ask, and which loops they may end.

The paper has no instructions for them, since no value of theirs is stored. But what decides
whether something runs orders it as much as what it reads: `if (found) break;`, a state that a
`switch` asks for. So each is an event of its own kind, kept apart from the paper's instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pycparser import c_ast

from polynb.tracing.instrument.events import Events
from polynb.tracing.instrument.parts import Deciding, Origin
from polynb.tracing.instrument.reading import STEPPING, names_of, written_in

COMPARING: Final = ("<", "<=", ">", ">=", "!=")


class Controlling(Events):
    """What notes the conditions of a function."""

    def condition(self, node: Any, operands: Sequence[Origin]) -> tuple[int | None, str]:
        """A condition that asks for these values, and its event; None where there are none."""
        if not operands:
            return None, ""
        n = self._instruction("condition", node, (), None)
        return n, self._from(n, operands) + f"pn_compute(pn_s + {n}); "

    def decides(self, n: int | None, loops: range, *, ends: bool = False) -> None:
        """Condition n decides whether these loops around it (by their places) go on."""
        if n is not None:
            known = self.program.instructions[n]
            self.program.instructions[n] = replace(
                known, leaves=known.leaves | {*loops}, ends=known.ends or ends
            )

    def left(self, depth: int, *, ends: bool = False) -> None:
        """Here all loops but the `depth` outermost are left: all conditions around, and those by
        which it may have been skipped, within the outermost loop that is left, decide on that."""
        for a in (*self.body.asked, *self.body.skips):
            if ends or a.depth > depth:
                self.decides(a.number, range(depth, a.depth), ends=ends)

    def broken(self) -> None:
        """A `break`: out of a switch, or of the innermost loop."""
        around = next((a for a in reversed(self.body.asked) if a.kind != "if"), None)
        if around is not None and around.kind == "loop":
            self.left(around.depth - 1)
        else:
            self.skipped(len(self.body.loops))

    def skipped(self, depth: int) -> None:
        """After a jump to within `depth` loops, what follows there runs as the conditions around
        the jump say."""
        for a in self.body.asked:
            lands = replace(a, kind="if", depth=depth) if depth < a.depth else a
            if lands not in self.body.skips:
                self.body.skips.append(lands)

    def governed(self, n: int | None, level: int, instructions: int, calls: int) -> None:
        """Of what was written since there were so many instructions and calls: the loop whose place
        is `level` ends where its conditions say, and where n does."""
        program = self.program
        known = enumerate(program.instructions[instructions:], instructions)
        deciding = [k for k, i in known if level in i.leaves] + [n] * (n is not None)
        more = frozenset((k, level) for k in deciding if k is not None)
        for k, i in enumerate(program.instructions[instructions:], instructions):
            program.instructions[k] = replace(i, under=i.under | more)
        for k, c in enumerate(program.calls[calls:], calls):
            program.calls[k] = replace(c, under=c.under | more)

    def under(self, asked: Deciding) -> _Under:
        """`with self.under(...)`: what is written inside runs as the condition says."""
        return _Under(self.body.asked, asked)


class _Under:
    def __init__(self, stack: list[Deciding], asked: Deciding) -> None:
        self.stack, self.asked = stack, asked

    def __enter__(self) -> None:
        self.stack.append(self.asked)

    def __exit__(self, *_: object) -> None:
        self.stack.pop()


def is_counted(loop: Any, registers: set[str]) -> bool:
    """Whether a `for` counts a variable up or down by a constant or a variable, until it has
    passed a bound, none of which is written in its body: its condition is the iterator's."""
    match loop:
        case c_ast.For(cond=c_ast.BinaryOp(op=op) as cond, next=step) if op in COMPARING:
            pass
        case _:
            return False
    match step:
        case c_ast.UnaryOp(op=op, expr=c_ast.ID(name=iterator)) if op in STEPPING:
            by: Any = None
        case c_ast.Assignment(op="+=" | "-=", lvalue=c_ast.ID(name=iterator), rvalue=by):
            pass
        case _:
            return False
    asked = names_of(cond) | names_of(by)
    fixed = iterator in asked and not asked & written_in(loop.stmt)
    return bool(fixed and asked <= registers and iterator not in names_of(by))


def has_effects(node: Any) -> bool:
    """Whether an expression assigns, or calls something."""
    if isinstance(node, c_ast.Assignment | c_ast.FuncCall):
        return True
    if isinstance(node, c_ast.UnaryOp) and node.op in STEPPING:
        return True
    return any(has_effects(child) for _, child in node.children())


def labels(function: Any) -> dict[str, int]:
    """Within how many loops each label of a function stands."""
    found: dict[str, int] = {}

    def walk(node: Any, depth: int) -> None:
        if isinstance(node, c_ast.Label):
            found[node.name] = depth
        inner = depth + isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile)
        for _, child in node.children():
            walk(child, inner)

    walk(function.body, 0)
    return found
