"""Shifting: a statement runs some iterations later, or earlier, than what it shares loops with."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, field, replace

from polynb import isl
from polynb.arguments import integer
from polynb.errors import PolynbError
from polynb.moves.loops import all_singled, bare, named_loops, no_statement, reordered
from polynb.moves.move import NUMBER, Move, Offered, Spot
from polynb.moves.words import LOOP, Amount, Amounts, Cursor, LoopName, StatementName
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree
from polynb.scop.tree_walk import rewrite
from polynb.words import counted, listed


@dataclass(frozen=True)
class Shift(Move):
    """A statement runs some iterations later (`1`, `"N - 1"`): of its loops, the outermost
    first, or `along` one.

    `{ S[i, j] -> [i, j] }` becomes `{ S[i, j] -> [i + 1, j] }`; negative: earlier. `by`: numbers or
    affine functions of the parameters, for its loops, those that are left out 0; or one, for the
    outermost loop or the one that is called `along`. Raises PolynbError for no statement, and for
    more numbers than loops.
    """

    statement: StatementName
    by: Amounts
    along: LoopName | None = field(default=None, kw_only=True)

    usage = "shift STATEMENT[.LOOP] by N[, N]"
    example = "shift S by 1"
    about = "a statement runs some iterations later"
    needs = "a loop around"
    numbers = (-4, -3, -2, -1, 1, 2, 3, 4)
    number = 1
    tried = False

    @property
    def amounts(self) -> Seq[Amount]:
        return (self.by,) if isinstance(self.by, int | str) else self.by

    def __str__(self) -> str:
        along = f".{self.along}" if self.along else ""
        return f"shift {self.statement}{along} by {', '.join(map(str, self.amounts))}"

    @classmethod
    def read(cls, line: Cursor) -> Shift:
        statement, _, along = line.take("a statement", LOOP).partition(".")
        line.need("by")
        return cls(statement, line.amounts(), along=along or None)

    @isl.guarded
    def applied(self, scop: Scop) -> Scop:
        statement = self.statement
        if statement not in scop.by_name:
            raise no_statement(scop, statement)
        by = [_amount(scop, a) for a in self.amounts]
        scop = all_singled(scop)
        loops = [x.name for x in named_loops(scop) if statement in x.statements]
        if self.along is not None:
            by = ["0"] * _place(loops, self.along, statement) + by
        if len(by) > len(loops):
            raise PolynbError(
                f"'{statement}' is in {counted(len(loops), 'loop', none='no')}, not {len(by)}",
                reason=f"its loops are {listed(loops)}" if loops else None,
                hint=f"`shift {statement} by {', '.join('1' for _ in loops)}`" if loops else None,
            )
        return reordered(scop, _later(scop.schedule, scop.parameters, statement, by))

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        for statement in at.statements:
            for loop in map(bare, [at.name] if at.loop else at.around()):
                label = statement if at.loop else f"along {loop}"
                yield label, f"shift {statement}.{loop} by {NUMBER}"


def _later(tree: Tree, parameters: Seq[str], statement: str, by: Seq[str]) -> Tree:
    """The tree with a statement later by so much along each of its loops."""

    def change(node: Tree) -> Tree | None:
        if not isinstance(node, Band) or statement not in node.members:
            return None
        later = isl.read_map(f"[{', '.join(parameters)}] -> {{ [t] -> [t + {by[0]}] }}")
        own = {statement: node.members[statement].apply_range(later)}
        child = _later(node.child, parameters, statement, by[1:])
        return replace(node, members={**node.members, **own}, child=child)

    return rewrite(tree, change) if by else tree


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


def _place(loops: list[str], along: str, statement: str) -> int:
    if along in loops:
        return loops.index(along)
    raise PolynbError(
        f"there is no loop '{along}' around {statement}",
        reason=f"its loops are {listed(loops)}" if loops else "it is in no loop",
        hint=" or ".join(f"`{x}`" for x in loops) or None,
    )
