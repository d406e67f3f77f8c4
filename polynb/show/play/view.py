"""What is shown of a chain of moves: the code with its handles, the verdict, pictures, offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves import MOVES
from polynb.moves.loops import bare
from polynb.scop import Scop
from polynb.show.displays.naming import title_of
from polynb.show.play.code import CodeLine, Handle, code_lines, handles, loop_id
from polynb.show.play.format import HandleJson, LineJson, OfferJson, PlayedJson, WayJson
from polynb.show.play.offers import Offer, offers
from polynb.show.play.pictures import PlayPicture, pictures
from polynb.show.play.small import SmallProgram, space_of
from polynb.show.trace.program import read_id, statement_id, write_id
from polynb.show.words import questions
from polynb.violations.judging import MoveVerdict, Original
from polynb.violations.memory_cost import cost_of
from polynb.violations.steps import Moved
from polynb.violations.transforming import Transformation

SECONDS: Final = 1.0
"""For each of the pictures and the offers; without them there is still the verdict."""
MOST: Final = 60
"""Statements of a program for which moves are tried before they are offered."""
SHARED: Final = ("handles", "code", "bad", "pictures")


@dataclass(eq=False)
class Spaces:
    """The points of each original program, enumerated once (arrays that are expanded make a new
    one)."""

    _known: dict[int, tuple[Original, SmallProgram | None]] = field(default_factory=dict)

    def of(self, original: Original) -> SmallProgram | None:
        found = self._known.get(id(original))
        if found is None:  # the original is kept, so that its id stays its own
            found = self._known[id(original)] = original, space_of(original.ranges)
        return found[1]


@dataclass(frozen=True, eq=False)
class View:
    """Of one chain; each part is computed when it is first asked for."""

    chain: Transformation
    spaces: Spaces

    def of(self, chain: Transformation) -> View:
        """The view of another chain, with what it shares with this one: whose last move is the
        same, and was only searched for what would make it legal."""
        other = View(chain, self.spaces)
        if other.program is self.program:
            shared = {k: v for k, v in vars(self).items() if k in SHARED}
            vars(other).update(shared)
        return other

    @cached_property
    def last(self) -> Moved | None:
        moved = [s for s in self.chain.steps if isinstance(s, Moved)]
        return moved[-1] if moved else None

    @property
    def program(self) -> Scop:
        """What is shown: an illegal move is shown with what it makes."""
        return self.chain.before if self.last is None else self.last.program

    @property
    def verdict(self) -> MoveVerdict:
        return self.chain.verdict

    @property
    def title(self) -> str:
        return title_of(self.chain.before)

    @property
    def said(self) -> str:
        """The verdict on the last move; before the first, what is asked about the program."""
        if self.last is None:
            asked = (f"⚠ {question}" for question in questions(self.chain))
            return " ".join([*asked, "Pick a loop or a statement, and make a move."])
        return f"{self.last.move}: {self.last.said}"

    @cached_property
    def handles(self) -> tuple[Handle, ...]:
        return handles(self.program)

    @cached_property
    def code(self) -> list[CodeLine]:
        return code_lines(self.program, self.handles)

    @cached_property
    def bad(self) -> set[str]:
        """The handles of what is illegal: statements of the witness, loops that cannot run so."""
        verdict = self.verdict
        found = {loop_id(c.loop) for c in verdict.carried}
        witness = verdict.witness
        return found | {statement_id(n) for n in (witness.statements if witness else ())}

    @property
    def marks(self) -> list[str]:
        """The accesses of those statements to the arrays that go wrong."""
        arrays, found = self.verdict.arrays, []
        for s in self.program.statements:
            if statement_id(s.name) in self.bad:
                found += [write_id(s.name)] if s.write.array in arrays else []
                found += [read_id(s.name, k) for k, r in enumerate(s.reads) if r.array in arrays]
        return found

    @cached_property
    def pictures(self) -> list[PlayPicture]:
        """None where they would take too long."""
        original = self.chain.states[-1].original
        try:
            with isl.budget(seconds=SECONDS):
                return pictures(self.spaces.of(original), self.program, self.verdict)
        except PolynbError:
            return []

    def picked(self, wanted: str) -> Handle | None:
        """The handle of that id; else a loop of that name, which may be in several pieces by now,
        or the first one."""
        known = {h.id: h for h in self.handles}
        name = bare(wanted.removeprefix(loop_id("")))
        same = (h for h in self.handles if h.loop is not None and h.loop.name == name)
        return known.get(wanted) or next(same, next(iter(self.handles), None))

    def ways_json(self) -> list[WayJson]:
        """What makes the last move legal, and what memory that takes."""
        before = self.chain.states[-1].program
        found = self.last.ways if self.last else ()
        return [{"line": str(w), "cost": cost_of(w, before)} for w in found]

    def offers(self, picked: Handle | None) -> list[OfferJson]:
        """What can be done there; after an illegal move, nothing before that is undone."""
        if picked is None:
            return []
        tried = self.chain.legal and len(self.program.statements) <= MOST
        try:
            with isl.budget(seconds=SECONDS):
                found = offers(self.program, picked, self.handles, tried=tried)
        except isl.BudgetExhausted:
            found = offers(self.program, picked, self.handles, tried=False)
        return [self._offer(o) for o in found]

    def _offer(self, o: Offer) -> OfferJson:
        stopped = "" if self.chain.legal else "the last move is illegal: undo it first"
        return {
            "move": o.move,
            "about": MOVES[o.move].about,
            "forms": [] if stopped else [{"label": f.label, "line": f.line} for f in o.forms],
            "why": stopped or o.why,
            "numbers": list(o.numbers),
            "number": o.number,
        }

    def lines_json(self) -> list[LineJson]:
        return [
            {"segments": c.segments, "handle": c.handle or "", "bad": c.handle in self.bad}
            for c in self.code
        ]

    def handles_json(self) -> list[HandleJson]:
        return [{"id": h.id, "label": h.label} for h in self.handles]

    def steps_json(self) -> list[PlayedJson]:
        moved = [s for s in self.chain.steps if isinstance(s, Moved)]
        return [{"line": str(s.move), "legal": bool(s.verdict), "said": s.said} for s in moved]
