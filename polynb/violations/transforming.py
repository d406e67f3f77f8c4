"""`pn.transform`: a chain of moves, each with its verdict (GRAPHITE 2010, made into a language).

    pn.transform(scop).interchange("i", "j").tile("i", "j", by=32).parallel("ii")

Each call gives a new chain. Its program is what the moves lead to; after an illegal one there is
none, and `steps` say which it is, why, and what would make it legal.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Concatenate, Final, ParamSpec

from polynb import isl, moves as named
from polynb.arguments import count, flag, instance, optional, text
from polynb.conveniences import below
from polynb.derivation import Derivation, Step, as_scop, derivation
from polynb.errors import PolynbError, Source
from polynb.legality.private import marked_private
from polynb.moves import Move
from polynb.moves.script import PassLine, read_all
from polynb.scop.model import Scop
from polynb.violations.hints import judged_hint
from polynb.violations.judging import MoveVerdict, Original, judged
from polynb.violations.moving import State, moved
from polynb.violations.steps import Moved, NotReached
from polynb.violations.ways import ways

NAME: Final = "transform"
P = ParamSpec("P")


def _method(make: Callable[P, Move]) -> Callable[Concatenate[Transformation, P], Transformation]:
    """A move as a method of chains: it is called as the move is made, and does it."""

    @functools.wraps(make, assigned=("__doc__",), updated=())
    def method(chain: Transformation, /, *args: P.args, **options: P.kwargs) -> Transformation:
        return chain.then(make(*args, **options))

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    made = inspect.signature(make)
    vars(method)["__signature__"] = made.replace(
        parameters=[own, *made.parameters.values()], return_annotation="Transformation"
    )
    return method


class Transformation(Derivation[Scop, Scop]):
    """A chain of moves. `verdict` is that of the last move that was looked at, `steps` has all of
    them; `result`, the program, is only there if all are legal."""

    states: tuple[State, ...]

    def __init__(self, before: Scop, states: Sequence[State], steps: Sequence[Step],
                 earlier: Sequence[Scop], passes: Sequence[PassLine] = ()) -> None:  # fmt: skip
        legal = all(isinstance(s, Moved) and s.verdict for s in steps)
        reached = states[-1].program if states[1:] else before
        stages = (*earlier, reached) if legal and states[1:] else tuple(earlier)
        values = {"name": NAME, "before": before, "steps": tuple(steps), "stages": stages,
                  "states": tuple(states), "legal": legal, "reached": reached,
                  "passes": tuple(passes), "_earlier": tuple(earlier)}  # fmt: skip
        vars(self).update(values)

    passes: tuple[PassLine, ...]
    """What made `before` of the program that was given: passes, which a script may begin with."""

    legal: bool
    """Whether all moves are."""
    reached: Scop
    """The program as far as the moves are legal."""
    _earlier: tuple[Scop, ...]

    @property
    def result(self) -> Scop:
        """The program after all moves. Raises PolynbError, with the witness, if one is illegal."""
        if self.legal:
            return self.reached
        bad = next(s for s in self.steps if isinstance(s, Moved) and not s.verdict)
        raise PolynbError(
            f"`{bad.move}` is illegal",
            reason=bad.verdict.obstacles[0],
            hint=bad.way_out or "without it: `.undo()`",
            steps=self.steps,
        )

    @property
    def rewrites(self) -> bool:
        """Whether there is a result, to be compared with the program."""
        return self.legal

    @property
    def verdict(self) -> MoveVerdict:
        """The verdict on the last move that was looked at (of no move: legal)."""
        looked = [s for s in self.steps if isinstance(s, Moved)]
        return looked[-1].verdict if looked else judged(self.states[0].original, self.before)[1]

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(s.move for s in self.steps if isinstance(s, Moved | NotReached))

    @property
    def script(self) -> str:
        """The lines that say these moves, for `%%transform` or `pn.transform(program, script)`."""
        return "\n".join(map(str, (*self.passes, *self.moves)))

    def undo(self, moves: int = 1) -> Transformation:
        """The chain without its last move, or moves."""
        left = self.steps[: max(len(self.steps) - count("moves", moves), 0)]
        made = sum(isinstance(s, Moved) and s.verdict.legal for s in left)
        return self._of(self.states[: made + 1], left)

    @isl.bounded("the check of a move")
    def then(self, move: Move, *, search: bool = True) -> Transformation:
        """The chain with one more move. Raises PolynbError where it cannot be made; one that is
        illegal can. If `search`, what would make it legal is looked for, and what an error proposes
        is legal."""
        instance("move", move, Move, "a move of a chain: `chain.moves[0]`")
        search = flag("search", search)
        if not self.legal:
            return self._with(NotReached(move))
        try:
            state, verdict = moved(self.states[-1], move)
        except PolynbError as error:
            if search and error.hint:
                error.hint = judged_hint(error.hint, self.states[-1], move)
            raise
        if verdict:
            step = Moved(move, state.program, verdict)
            return self._of((*self.states, state), (*self.steps, step))
        illegal = self._with(Moved(move, state.program, verdict))
        return illegal.searched() if search else illegal

    @isl.bounded("the check of a move")
    def searched(self) -> Transformation:
        """The same chain, having looked for what would make its last move legal, if that is not."""
        *before, last = self.steps or (None,)
        if not isinstance(last, Moved) or last.verdict:
            return self
        found = replace(last, ways=ways(self.states[-1], last.move, last.verdict))
        return self._of(self.states, (*before, found))

    def _with(self, step: Step) -> Transformation:
        return self._of(self.states, (*self.steps, step))

    def _of(self, states: Sequence[State], steps: Sequence[Step]) -> Transformation:
        return Transformation(self.before, states, steps, self._earlier, self.passes)

    def _below(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Where there is no result, what is shown is the program as far as it got."""
        shown: Any = self
        if not self.legal:
            shown = Reached(NAME, self.before, self.reached, self.steps, self.stages, self)
        return below(name)(shown, *arguments, **options)

    def __repr__(self) -> str:
        said = "legal" if self.legal else "illegal"
        return f"<Transformation of {self.before.name}: {len(self.moves)} moves, {said}>"

    # -- the moves -----------------------------------------------------------------------

    interchange = _method(named.Interchange)
    fuse = _method(named.Fuse)
    distribute = _method(named.Distribute)
    reverse = _method(named.Reverse)
    skew = _method(named.Skew)
    shift = _method(named.Shift)
    tile = _method(named.Tile.of)
    strip_mine = _method(named.StripMine)
    parallel = _method(named.Parallel)
    vectorize = _method(named.Vectorize)
    unroll = _method(named.Unroll)
    peel = _method(named.Peel)
    unroll_and_jam = _method(named.UnrollAndJam)
    privatize = _method(named.Privatize)
    expand = _method(named.Expand)
    schedule = _method(named.Schedule)


@dataclass(frozen=True, eq=False)
class Reached(Derivation[Scop, Scop]):
    """What there is to show of a chain that has no result: the program as far as it is legal."""

    chain: Transformation

    @property
    def reached(self) -> Scop:
        return self.result


def transform(program: Scop | Derivation, script: str | Source | None = None) -> Transformation:
    """A chain of moves on a program: `pn.transform(scop).interchange("i", "j")`, or the lines of a
    `script` (`interchange i j`, one move a line). A script may begin with passes, `propagate
    windows=32` or `reorder tile=32`, told what is told to `pn.propagate` and `pn.reorder`; the
    moves are about what they give.

    Every move gets a verdict: the order against the live ranges of the program that was given,
    parallel and vector loops against what they carry, storage against what lives there. The chain
    stops at the first illegal one and says what single move before it would make it legal; its
    `.result`, and with it all that runs it, raises then. Raises PolynbError, in a script with a
    caret, for a line that is no move, and for a move that cannot be made.
    """
    given = script if isinstance(script, Source) else optional(text, "script", script)
    passes, lines = read_all(given or "")
    for called in passes:
        with called.pointing():
            program = below("passed")(program, called)
    scop = as_scop(program)
    earlier = program.stages if isinstance(program, Derivation) else (scop,)
    state = State(Original(scop), scop, marked_private(scop.schedule))
    chain = Transformation(scop, (state,), (), earlier, passes)
    for line in lines:
        with line.pointing():
            chain = chain.then(line.move)
    return chain


@derivation(paper="GRAPHITE", name=NAME)
def scripted(scop: Scop, script: str) -> Generator[Step, None, Scop]:
    """The moves of a script as the steps of a pass, which ends where they are legal."""
    chain = transform(scop, script)
    yield from chain.steps
    return chain.reached
