"""The order of a traced program's statements, as a schedule tree of its loops."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence, Tree
from polynb.tracing.feedback.loops import LoopNode, loop_tree
from polynb.tracing.model import Folding
from polynb.tracing.to_scop.parts import TracedStatement

Item = tuple[tuple[int, ...], tuple[str, ...], Tree]
"""Where it stands among others, which statements it has, and their order."""


def schedule_of(
    folding: Folding, statements: Mapping[str, TracedStatement], domains: Mapping[str, isl.Set]
) -> Tree:
    """The tree: a band for each loop, a sequence where it has several parts. `statements` are by
    the name of their sink. Raises PolynbError where the trace does not say what runs first."""
    for s in statements.values():
        if not s.sink.order:
            raise PolynbError(
                f"{s.sink.name} (line {s.sink.line}) has no place among the others",
                reason="this trace does not say what runs first in an iteration",
                hint="pn.trace, of C text",
            )
    return _Ordering(statements, domains).whole(folding)


class _Ordering:
    def __init__(
        self, statements: Mapping[str, TracedStatement], domains: Mapping[str, isl.Set]
    ) -> None:
        self.statements, self.domains = statements, domains

    def whole(self, folding: Folding) -> Tree:
        items = [item for node in loop_tree(folding) if (item := self.loop(node)) is not None]
        items += [self.leaf(s) for s in self.statements.values() if not s.sink.loops]
        return self.sequence(items)

    def loop(self, node: LoopNode) -> Item | None:
        items = [item for child in node.children if (item := self.loop(child)) is not None]
        here = (self.statements.get(i.name) for i in node.instructions)
        items += [self.leaf(s) for s in here if s is not None]
        if not items:
            return None
        names = tuple(n for _, inside, _ in items for n in inside)
        members = {n: self.member(n, node.depth) for n in names}
        tree = Band(members, self.sequence(items), loops=(Loop(name=node.name),))
        return min(first for first, _, _ in items), names, tree

    def leaf(self, s: TracedStatement) -> Item:
        return s.sink.order, (s.name,), Leaf()

    def sequence(self, items: list[Item]) -> Tree:
        ordered = sorted(items, key=lambda item: item[0])
        if len(ordered) == 1:
            return ordered[0][2]
        return Sequence(tuple(Filter(dict.fromkeys(names), tree) for _, names, tree in ordered))

    def member(self, name: str, depth: int) -> isl.Map:
        """`{ S[c0, ...] -> [c_depth] }`."""
        local = isl.LocalSpace.from_space(self.domains[name].get_space())
        return isl.Map.from_aff(isl.Aff.var_on_domain(local, isl.SET, depth))
