"""What is shown of a chain of moves: the code with its handles, the verdict, pictures, offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves import MOVES
from polynb.moves.loops import bare
from polynb.moves.move import NUMBER, Move, Spot
from polynb.moves.script import read
from polynb.scop.model import Scop
from polynb.show.displays.naming import title_of
from polynb.show.play.code import CodeLine, Handle, code_lines, handles, loop_id
from polynb.show.play.format import (
    HandleJson,
    LineJson,
    LookJson,
    OfferJson,
    PlayedJson,
    WayJson,
)
from polynb.show.play.pictures import PlayPicture, pictures
from polynb.show.play.small import SmallProgram, space_of
from polynb.show.trace.format import statement_id
from polynb.show.trace.scene import accesses_of
from polynb.show.words import questions
from polynb.violations.judging import MoveVerdict, Original
from polynb.violations.memory_cost import cost_of
from polynb.violations.steps import Moved
from polynb.violations.transforming import Transformation

SECONDS: Final = 1.0
"""For each of the pictures and the offers; without them there is still the verdict."""
MOST: Final = 60
"""Statements of a program for which moves are tried before they are offered."""
SHARED: Final = ("handles", "code", "bad", "pictures", "looks", "offered")


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
    looks: dict[str, LookJson] = field(default_factory=dict)
    """Verdicts on moves that are not made, by their lines."""
    offered: dict[str, list[OfferJson]] = field(default_factory=dict)
    """By the handles that were picked."""

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
        bad = (s for s in self.program.statements if statement_id(s.name) in self.bad)
        return [access for s in bad for access in accesses_of(s, self.verdict.arrays)]

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
        return _like(wanted, self.handles)

    @property
    def base(self) -> Transformation:
        """What the next move is made on: after an illegal one, it takes the place of that."""
        return self.chain if self.chain.legal else self.chain.undo()

    def look(self, line: str) -> None:
        """Judges a move, and does not make it."""
        try:
            with isl.budget(seconds=SECONDS, doing="the check of this move"):
                chain = moved(self.base, line)
        except PolynbError as error:
            self.looks[line] = {"sign": "?", "said": told(error)}
        else:
            said = View(chain, self.spaces).last
            self.looks[line] = {
                "sign": "✓" if chain.legal else "✗",
                "said": said.said if said else "",
            }

    def ways_json(self) -> list[WayJson]:
        """What makes the last move legal, and what memory that takes."""
        before = self.chain.states[-1].program
        found = self.last.ways if self.last else ()
        return [{"line": str(w), "cost": cost_of(w, before)} for w in found]

    def offers(self, picked: Handle | None) -> list[OfferJson]:
        """What can be done there; after an illegal move, in its place."""
        at = picked.id if picked else ""
        if at not in self.offered:
            self.offered[at] = self._offers(picked)
        return self.offered[at]

    def _offers(self, picked: Handle | None) -> list[OfferJson]:
        scop, known = self.program, self.handles
        if not self.chain.legal:
            scop = self.chain.states[-1].program
            known = handles(scop)
            picked = _like(picked.id if picked else "", known)
        if picked is None:
            return []
        tried = len(scop.statements) <= MOST
        try:
            with isl.budget(seconds=SECONDS):
                found = offers(scop, picked, known, tried=tried)
        except isl.BudgetExhausted:
            found = offers(scop, picked, known, tried=False)
        return [self._offer(o) for o in found]

    def _offer(self, o: Offer) -> OfferJson:
        return {
            "move": o.move,
            "group": GROUP[o.move],
            "about": MOVES[o.move].about,
            "forms": [{"label": f.label, "line": f.line} for f in o.forms],
            "why": o.why,
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


# What can be done at a handle: for each move its forms there, as lines with a place for a number.
#
# A form is offered if the move can be made; whether it is legal is what a person finds out.


OFFERED: Final[Mapping[str, tuple[str, ...]]] = {
    "order": ("interchange", "reverse", "skew", "shift"),
    "tiles": ("tile", "strip-mine"),
    "nests": ("fuse", "distribute", "peel"),
    "at once": ("parallel", "vectorize", "unroll", "unroll-and-jam"),
    "memory": ("privatize", "expand"),
}
"""In groups, in the order of their buttons."""
GROUP: Final = {move: group for group, moves in OFFERED.items() for move in moves}


def moved(chain: Transformation, line: str) -> Transformation:
    """With one more move. Raises PolynbError for a line that is none, and for a move that cannot be
    made."""
    for each in read(line):
        with each.pointing():
            chain = chain.then(each.move, search=False)
    return chain


def told(error: PolynbError) -> str:
    """An error in one line."""
    parts = [error.message, error.reason, error.hint and f"try {error.hint}"]
    return "; ".join(p for p in parts if p)


def _like(wanted: str, known: Sequence[Handle]) -> Handle | None:
    """The handle of that id; else a loop of that name, which may be in several pieces by now, or
    the first one."""
    by_id = {h.id: h for h in known}
    name = bare(wanted.removeprefix(loop_id("")))
    same = (h for h in known if h.loop is not None and h.loop.name == name)
    return by_id.get(wanted) or next(same, next(iter(known), None))


@dataclass(frozen=True)
class OfferForm:
    """A line such as `skew j by #*i`, and what tells it from the move's other forms here."""

    label: str
    line: str


@dataclass(frozen=True, eq=False)
class Offer:
    """A move at a handle: its forms, the likeliest first; without any, `why`. `numbers` are those
    of a slider that starts at `number`."""

    move: str
    forms: tuple[OfferForm, ...]
    why: str = ""
    numbers: tuple[int, ...] = ()
    number: int = 0


def offers(
    scop: Scop, handle: Handle, every: Sequence[Handle], *, tried: bool = True
) -> tuple[Offer, ...]:
    """Each of the moves at a handle of a program; those that are not `tried` may turn out to be
    impossible when they are made."""
    loops = {h.name: h.loop for h in every if h.loop is not None}
    place = Spot(scop, handle.name, handle.loop, loops)
    found = []
    for move in map(MOVES.__getitem__, GROUP):
        forms = [OfferForm(label, line) for label, line in move.offered(place)]
        kept, why = _possible(scop, forms, move.number) if tried and move.tried else (forms, "")
        why = "" if kept else why or f"it takes {_needs(move, handle)}"
        found.append(Offer(move.name, tuple(kept), why, move.numbers, move.number))
    return tuple(found)


def _possible(scop: Scop, forms: Sequence[OfferForm], number: int) -> tuple[list[OfferForm], str]:
    """Those that can be made; and why not, if none can."""
    kept, why = [], ""
    for form in forms:
        try:
            for line in read(form.line.replace(NUMBER, str(number))):
                line.move.applied(scop)
            kept.append(form)
        except isl.BudgetExhausted:
            raise
        except PolynbError as error:
            why = why or error.message
    return kept, "" if kept else why


def _needs(move: type[Move], handle: Handle) -> str:
    """What a move would take that has no form here."""
    return move.needs or ("a loop: pick one" if handle.loop is None else "another loop in the nest")
