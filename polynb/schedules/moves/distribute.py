"""Distribution (loop fission): what runs in one loop gets loops of its own."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules.moves.loops import (
    NamedLoop,
    all_singled,
    moved,
    named_loops,
    no_statement,
    the_loop,
    together,
)
from polynb.schedules.moves.nests import as_tree, respined, spine
from polynb.scop.model import Scop
from polynb.scop.schedule import Filter, Sequence, Tree
from polynb.words import listed


@isl.guarded
def distribute(scop: Scop, loop: str | None = None, at: str | None = None) -> Scop:
    """The program in which the parts of a loop, and of loops directly inside it, have loops of
    their own, one after the other: `for i { S; T }` as `for i { S }; for i { T }`.

    `at`: only two parts, the second begins with this statement. Without `loop`, the innermost one
    that has such parts is meant. Claims nothing: whether it computes the same is asked of `check`.
    Raises PolynbError for a loop that has only one part.
    """
    if at is not None and at not in scop.by_name:
        raise no_statement(scop, at)
    scop = all_singled(scop)
    found = _innermost(scop, at) if loop is None else the_loop(scop, loop)
    nodes, end = spine(found.band)
    if not isinstance(end, Sequence):
        raise PolynbError(
            f"the loop '{found.name}' has one part only",
            reason=f"{listed(found.statements)} runs in it, and nothing beside",
            hint="a loop with several statements or loops in it",
        )
    groups = [[f] for f in end.children] if at is None else _cut(found, end, at)
    parts = [respined(nodes, together(g)) for g in groups]
    return moved(scop, [(found.band, as_tree(parts))])


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
