"""Distribution (loop fission): what runs in one loop gets loops of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence as Seq
from dataclasses import dataclass, field

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves.loops import (
    NamedLoop,
    all_singled,
    moved,
    named_loops,
    no_statement,
    the_loop,
    together,
)
from polynb.moves.move import KnownLoops, Move, Offered, Spot
from polynb.moves.nests import as_tree, respined, spine
from polynb.moves.words import LoopName, StatementName
from polynb.scop.model import Scop
from polynb.scop.schedule import Filter, Sequence, Tree
from polynb.words import listed


@dataclass(frozen=True)
class Distribute(Move):
    """The parts of a loop get loops of their own; or two parts, the second beginning `at` a
    statement.

    So do those of loops directly inside it: `for i { S; T }` becomes `for i { S }; for i { T }`.
    Without `loop`, the innermost one that has such parts is meant. Raises PolynbError for a loop
    that has only one part.
    """

    loop: LoopName | None = None
    at: StatementName | None = field(default=None, kw_only=True)

    usage = "distribute [LOOP] [at STATEMENT]"
    example = "distribute i at T"
    about = "the parts of a loop get loops of their own"
    also = ("fission",)
    needs = "a loop with several parts"

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        if self.at is not None and self.at not in scop.by_name:
            raise no_statement(scop, self.at)
        scop = all_singled(scop)
        loop = _innermost(scop, self.at) if self.loop is None else the_loop(scop, self.loop)
        nodes, end = spine(loop.band)
        if not isinstance(end, Sequence):
            raise PolynbError(
                f"the loop '{loop.name}' has one part only",
                reason=f"{listed(loop.statements)} runs in it, and nothing beside",
                hint="a loop with several statements or loops in it",
            )
        groups = [[f] for f in end.children] if self.at is None else _cut(loop, end, self.at)
        parts = [respined(nodes, together(g)) for g in groups]
        return moved(scop, [(loop.band, as_tree(parts))])

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        if at.loop is None:
            yield f"at {at.name}", str(cls(at=at.name))
            return
        yield "all parts", str(cls(at.name))
        for statement in at.statements[1:]:
            yield f"at {statement}", str(cls(at.name, at=statement))

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        return map(cls, loops)


def _cut(loop: NamedLoop, parts: Sequence, at: str) -> list[Seq[Filter]]:
    k = next((k for k, f in enumerate(parts.children) if at in f.domains), None)
    if not k:
        first = "comes first in it" if k == 0 else "is not in it"
        others = [n for f in parts.children[1:] for n in f.domains]
        raise PolynbError(
            f"the loop '{loop.name}' cannot be distributed at '{at}', which {first}",
            hint=" or ".join(f"`distribute {loop.name} at {n}`" for n in others),
        )
    return [parts.children[:k], parts.children[k:]]


def _innermost(scop: Scop, at: str | None) -> NamedLoop:
    """The innermost loop that has parts, of which some one but the first has the statement."""

    def fits(tree: Tree) -> bool:
        _, end = spine(tree)
        parts = end.children if isinstance(end, Sequence) else ()
        return bool(parts) and (at is None or any(at in f.domains for f in parts[1:]))

    found = [x for x in named_loops(scop) if fits(x.band)]
    if not found:
        where = "" if at is None else f" that has something before '{at}'"
        raise PolynbError(f"there is no loop{where} with several parts", hint="another move")
    return found[-1]
