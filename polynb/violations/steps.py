"""What a transformation's steps say: a move and its verdict."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.moves.expand import Expand
from polynb.moves.move import Move
from polynb.moves.privatize import Privatize
from polynb.scop.model import Scop
from polynb.violations.judging import MoveVerdict

LEGAL, ILLEGAL, OPEN = "✓", "✗", "·"


@dataclass(frozen=True, eq=False)
class Moved(Step):
    """A move was made. `program` is what it leads to, legal or not; `ways` are moves of which each,
    made right before it, was found to make it legal."""

    move: Move
    program: Scop
    verdict: MoveVerdict
    ways: tuple[Move, ...] = ()

    @property
    def about(self) -> tuple[str, ...]:
        named = (self.move.array,) if isinstance(self.move, Privatize | Expand) else ()
        return tuple(dict.fromkeys((*self.verdict.arrays, *named)))

    @property
    def said(self) -> str:
        """The verdict, in words that fit the move."""
        if not self.verdict:
            first, *more = self.verdict.obstacles
            return f"illegal: {first}" + (f" (and {len(more)} more)" if more else "")
        fitting = self.move.legal.format(**vars(self.move))
        return f"legal: {fitting}" if fitting else str(self.verdict)

    @property
    def way_out(self) -> str:
        """`skew j by i` first, or `expand t`; "" if none was found."""
        return " first, or ".join(f"`{w}`" for w in self.ways) + " first" * (len(self.ways) == 1)

    @property
    def sentence(self) -> Sentence:
        words = {
            "sign": LEGAL if self.verdict else ILLEGAL,
            "move": str(self.move),
            "verdict": self.said,
            "way": self.way_out,
        }
        text = "{sign} {move}: {verdict}"
        return text + ("; it is legal with {way}" if self.ways else ""), words


@dataclass(frozen=True, eq=False)
class NotReached(Step):
    """A move after an illegal one, which was not looked at."""

    move: Move

    @property
    def sentence(self) -> Sentence:
        words = {"sign": OPEN, "move": str(self.move)}
        return "{sign} {move}: not looked at, as a move before it is illegal", words
