"""Shifting: a statement runs some iterations later, or earlier, than what it shares loops with."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polynb import isl
from polynb.arguments import integer
from polynb.errors import PolynbError
from polynb.schedules.moves.loops import all_singled, named_loops, no_statement, reordered
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree
from polynb.scop.tree_walk import rewrite_within
from polynb.words import counted, listed

Amount = int | str


@isl.guarded
def shift(
    scop: Scop, statement: str, amounts: Amount | Seq[Amount], along: str | None = None
) -> Scop:
    """The program in which a statement runs so many iterations later along its loops,
    `{ S[i, j] -> [i, j] }` as `{ S[i, j] -> [i + 1, j] }`; negative: earlier.

    `amounts`, numbers or affine functions of the parameters (`"N - 1"`): for its loops, the
    outermost first, those that are left out 0; or one, for the outermost loop or the one that is
    called `along`. Claims nothing: whether it computes the same
    is asked of `check`. Raises PolynbError for no statement, and for more numbers than loops.
    """
    if statement not in scop.by_name:
        raise no_statement(scop, statement)
    given = (amounts,) if isinstance(amounts, int | str) else amounts
    by = tuple(_amount(scop, a) for a in given)
    scop = all_singled(scop)
    loops = [x.name for x in named_loops(scop) if statement in x.statements]
    if along is not None:
        by = (*("0" for _ in range(_place(loops, along, statement))), *by)
    if len(by) > len(loops):
        raise PolynbError(
            f"'{statement}' is in {counted(len(loops), 'loop', none='no')}, not {len(by)}",
            reason=f"its loops are {listed(loops)}" if loops else None,
            hint=f"`shift {statement} by {', '.join('1' for _ in loops)}`" if loops else None,
        )

    def change(node: Tree, depth: int) -> Tree | None:
        if not isinstance(node, Band) or statement not in node.members or depth >= len(by):
            return None
        later = isl.read_map(f"[{', '.join(scop.parameters)}] -> {{ [t] -> [t + {by[depth]}] }}")
        own = {statement: node.members[statement].apply_range(later)}
        child = rewrite_within(node.child, depth + 1, _deeper, change)
        return replace(node, members={**node.members, **own}, child=child)

    return reordered(scop, rewrite_within(scop.schedule, 0, _deeper, change))


def _amount(scop: Scop, given: Amount) -> str:
    """A number, or an affine function of the parameters, in isl's notation."""
    if isinstance(given, int):
        return str(integer("amounts", given))
    try:
        isl.read_map(f"[{', '.join(scop.parameters)}] -> {{ [t] -> [t + ({given})] }}")
    except PolynbError as error:
        raise PolynbError(
            f"'{given}' is no distance",
            reason=f"the parameters are {listed(scop.parameters)}" if scop.parameters else None,
            hint="a number, or a sum of parameters and numbers, such as `N - 1`",
        ) from error
    return f"({given})"


def _deeper(node: Tree, depth: int) -> int:
    return depth + (node.depth if isinstance(node, Band) else 0)


def _place(loops: list[str], along: str, statement: str) -> int:
    if along in loops:
        return loops.index(along)
    raise PolynbError(
        f"there is no loop '{along}' around {statement}",
        reason=f"its loops are {listed(loops)}" if loops else "it is in no loop",
        hint=" or ".join(f"`{x}`" for x in loops) or None,
    )
