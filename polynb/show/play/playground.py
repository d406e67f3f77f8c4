"""The playground as a widget: what was played, and the front end that shows it (`widgets/`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain as joined, count
from pathlib import Path
from typing import Any, Final

import anywidget
import traitlets

from polynb import isl
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.gallery.catalogue import origin
from polynb.scop.model import Scop
from polynb.show.displays.naming import namespace, reference, variable_of
from polynb.show.html import (
    Html,
    columns,
    element,
    image,
    next_line,
    page,
    paragraph,
    program,
    sentence,
    table as html_table,
)
from polynb.show.play.format import LookedJson, ShownJson
from polynb.show.play.view import Spaces, View, moved, told
from polynb.show.trace.stepper import view_of
from polynb.show.words import questions
from polynb.source.parse import parse_program
from polynb.source.scoplang.printer import print_program
from polynb.violations.transforming import Transformation, transform

BUNDLE: Final = Path(__file__).parents[1] / "static" / "play.js"
MIME: Final = "application/vnd.polynb.play+json"
SECONDS: Final = 5.0
"""For one move; what takes longer is too hard to play with."""


class Playground(anywidget.AnyWidget):  # type: ignore[misc]
    """Loops to be moved about, each move with its verdict.

    `transformation` is the chain of moves as it stands, `script` its lines; `do("reverse i")`,
    `undo()`, `redo()` and `reset()` are what the buttons do. `shown` is what is to be seen
    (`play.schema.json`), `looked` the verdicts on moves that are not made, `asked` the last
    message of the front end: `{"number", "action", "line"}`.
    """

    _esm = BUNDLE
    shown = traitlets.Dict().tag(sync=True)
    looked = traitlets.Dict().tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)

    def __init__(self, program: Scop | Derivation[Any, Any], **traits: Any) -> None:
        self.program = program
        self._history = begun(program)
        self._spaces = Spaces()
        self._view = View(self._history.now, self._spaces)
        self._views: dict[int, View] = {}  # of the chains that can be gone back to
        self._picked = ""
        super().__init__(shown=self._show(0), **traits)

    # -- for Python -----------------------------------------------------------------------

    @property
    def transformation(self) -> Transformation:
        """The moves so far: `.result` is the program, if all are legal."""
        return self._history.now

    @property
    def script(self) -> str:
        return self.transformation.script

    def do(self, line: str) -> None:
        """Makes a move, `interchange i j`. Raises PolynbError for one that cannot be made; one
        that is illegal can."""
        self._go(lambda history: history.moved(line).searched())

    def undo(self) -> None:
        self._go(History.undone)

    def redo(self) -> None:
        self._go(History.redone)

    def reset(self) -> None:
        self._go(History.reset)

    def _go(self, step: Callable[[History], History]) -> None:
        self._history = step(self._history)
        self.shown = self._show(self.shown["number"])

    # -- for the front end ------------------------------------------------------------------

    @traitlets.observe("asked")  # type: ignore[untyped-decorator]
    def _answer(self, change: Any) -> None:
        """The verdict first; what would make an illegal move legal takes longer, and follows."""
        asked = change["new"]
        number, refused = int(asked.get("number", 0)), ""
        action, line = str(asked.get("action", "")), str(asked.get("line", ""))
        if action == "look":
            self._view.look(line)
            self.looked = self._looked(number)
            return
        try:
            if action == "pick":
                self._picked = line
            else:
                with isl.budget(seconds=SECONDS, doing="the check of this move"):
                    self._history = ACTIONS[action](self._history, line)
        except isl.BudgetExhausted:
            refused = f"Too hard: no answer within {SECONDS:g} seconds. Nothing was changed."
        except PolynbError as error:
            refused = told(error)
        except KeyError:
            refused = f"There is no action {action!r}."
        is_open = not self.transformation.legal and action not in ("pick", "undo", "redo", "reset")
        self.shown = self._show(number, refused, searching=is_open and not refused)
        if is_open and not refused:
            self._history = self._history.searched()
            self.shown = self._show(number)

    def _show(self, number: int, refused: str = "", searching: bool = False) -> ShownJson:
        chain = self.transformation
        if self._view.chain is not chain:
            there = {id(c) for c in self._history.chains}
            every = (*self._views.values(), self._view)
            self._views = {id(v.chain): v for v in every if id(v.chain) in there}
            self._view = self._views.get(id(chain)) or self._view.of(chain)
        view = self._view
        picked = view.picked(self._picked)
        self._picked = picked.id if picked else ""
        return {
            "number": number,
            "title": view.title,
            "code": view.lines_json(),
            "marks": view.marks,
            "handles": view.handles_json(),
            "picked": self._picked,
            "offers": view.offers(picked),
            "steps": view.steps_json(),
            "legal": chain.legal,
            "said": view.said,
            "ways": view.ways_json(),
            "searching": searching,
            "refused": refused,
            "pictures": [
                {"title": p.title, "svg": str(p.svg), "alt": p.alt} for p in view.pictures
            ],
            "undo": self._history.at > 0,
            "redo": self._history.can_redo,
            "cell": self._cell(),
        }

    def _cell(self) -> str:
        """What makes these moves in a notebook: the first run does not take the program away."""
        chain, source = self.transformation, self._source()
        known, taken = namespace(), source.partition(".")[0]
        names = joined(("fast", "faster"), (f"fast{k}" for k in count(2)))
        free = (n for n in names if n != taken and _may_be_bound(known.get(n), chain.before))
        script = "\n".join(map(str, chain.moves))  # the passes before them have made the program
        return f"%%transform {next(free)} --from {source}\n{script}\n"

    def _looked(self, number: int) -> LookedJson:
        return {"number": number, "cell": self.shown["cell"], "verdicts": {**self._view.looks}}

    def _source(self) -> str:
        """How a cell can name the program: its variable, that of the gallery, or where it is part
        of what has one."""
        scop = self.transformation.before
        whole = None if isinstance(self.program, Transformation) else variable_of(self.program)
        own = variable_of(self)
        return (
            whole
            or variable_of(scop)
            or self._of_gallery
            or (own and f"{own}.transformation.before")
            or (part if (part := reference(scop)) != "_" else None)
            or (scop.name if scop.name not in namespace() else "_.transformation.before")
        )

    @cached_property
    def _of_gallery(self) -> str:
        """Its name in the gallery, unless more is declared of it here than there."""
        scop = self.transformation.before
        found = origin(scop)
        if found is None or scop.program is None or scop.program.source is None:
            return ""
        there = parse_program(scop.program.source, found.language, scop.program.name)
        same = print_program(there) == print_program(scop.program)
        return f"gallery:{found.name}" if same else ""

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The view; and what is left of it where the widget is gone, which is shown by polynb's
        extension before ipywidgets says that there is no model."""
        plain = still(self._view)
        self.shown = {**self.shown, "cell": self._cell()}  # a cell has bound its name by now
        return {
            **view_of(super()._repr_mimebundle_(**kwargs)),
            MIME: "polynb-play 1",
            **plain,
        }

    def __repr__(self) -> str:
        chain = self.transformation
        return f"<Playground of {chain.before.name}: {len(chain.moves)} moves>"


def _may_be_bound(known: Any, before: Scop) -> bool:
    """Whether a name holds nothing, or what moves have made of the same program."""
    made = isinstance(known, Transformation) and known.before.name == before.name
    return known is None or made


# What was played: chains of moves, each one move further, that can be gone back and forth on.


@dataclass(frozen=True, eq=False)
class History:
    """Chains, each one move longer than the one before; `at` is where we are."""

    chains: tuple[Transformation, ...]
    at: int = 0

    @property
    def now(self) -> Transformation:
        return self.chains[self.at]

    @property
    def can_redo(self) -> bool:
        return self.at + 1 < len(self.chains)

    def moved(self, line: str) -> History:
        """With one more move, which takes the place of an illegal one; those that were undone are
        forgotten. Raises PolynbError for a line that is none, and a move that cannot be made."""
        if not self.now.legal:
            return self.undone().moved(line)
        return History((*self.chains[: self.at + 1], moved(self.now, line)), self.at + 1)

    def replaced(self, line: str) -> History:
        """With another move in the place of the last one."""
        return self.undone().moved(line)

    def repaired(self, line: str) -> History:
        """With a move before the last one. Raises PolynbError for an illegal one."""
        first = self.undone().moved(line)
        if not first.now.legal:
            raise PolynbError(f"{line} is illegal itself", hint="undo")
        if self.now.legal:
            raise PolynbError("nothing is illegal any more", hint=f"undo, then {line}")
        return first.moved(str(self.now.moves[-1]))

    def undone(self) -> History:
        return replace(self, at=max(self.at - 1, 0))

    def redone(self) -> History:
        return replace(self, at=min(self.at + 1, len(self.chains) - 1))

    def reset(self) -> History:
        """At the first chain; what was done can be redone."""
        return replace(self, at=0)

    def searched(self) -> History:
        """With what would make the last move legal, if it is not: that takes longer than to see
        that it is not."""
        chains = (*self.chains[: self.at], self.now.searched(), *self.chains[self.at + 1 :])
        return replace(self, chains=chains)


def begun(program: Scop | Derivation[Any, Any]) -> History:
    """From a program; or from a chain of moves, of which each can be undone."""
    if not isinstance(program, Transformation):
        return History((transform(program),))
    chains = [program]
    while chains[0].moves:
        chains.insert(0, chains[0].undo())
    return History(tuple(chains), len(chains) - 1)


ACTIONS: dict[str, Callable[[History, str], History]] = {
    "do": History.moved,
    "replace": History.replaced,
    "first": History.repaired,
    "undo": lambda history, _: history.undone(),
    "redo": lambda history, _: history.redone(),
    "reset": lambda history, _: history.reset(),
}
"""What can be asked for, by its name in a message; those with a line take it."""


# What is left of a playground in a saved notebook: the code, the moves with their verdicts, and the
# pictures, for which no kernel is needed.


BAD = "background-color:rgba(213,94,0,0.25)"


def still(view: View) -> dict[str, str]:
    """`text/plain`, and `text/html` that needs no scripts."""
    return {"text/plain": _text(view), "text/html": _html(view)}


def _text(view: View) -> str:
    moves = [f"{'✓' if s['legal'] else '✗'} {s['line']}: {s['said']}" for s in view.steps_json()]
    code = [("! " if c.handle in view.bad else "  ") + c.text for c in view.code]
    asked = [f"note: {question}" for question in questions(view.chain)]
    return "\n".join([f"Playground of {view.title}", *asked, *moves, *code])


def _html(view: View) -> Html:
    moves = [(s["line"], "✓ legal" if s["legal"] else "✗ illegal", s["said"])
             for s in view.steps_json()]  # fmt: skip
    told = html_table("Moves", ("move", "verdict", "why"), moves, wrap=(2,)) if moves else ""
    shades = [BAD if c.handle in view.bad else "" for c in view.code]
    code = program([c.text for c in view.code], shades)
    drawn = [element("div", paragraph(p.title, muted=True), image(str(p.svg), p.alt, p.svg.width))
             for p in view.pictures]  # fmt: skip
    head = paragraph(element("b", f"Playground of {view.title}"),
                     "" if view.chain.legal else ": the last move is illegal.")  # fmt: skip
    asked = [paragraph("⚠ ", sentence(question)) for question in questions(view.chain)]
    return page(head, *asked, told, columns(code, element("div", *drawn)),
                next_line("%play PROGRAM", "pn.transform(program)"))  # fmt: skip
