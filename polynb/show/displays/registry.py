"""The passes that a notebook knows, each registered once: `register(propagate.info, VIEW)`.

A view says all that the rest of this room has to know of a pass: how its derivations are told, the
frames of its steps, how they move the progress, and its magic. `show/passes/` registers those of
the papers; of a pass that is not registered the steps are told, and no more.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from polynb.conveniences import below
from polynb.derivation import Derivation, PassInfo, Step
from polynb.errors import Source
from polynb.scop.model import Scop
from polynb.show.displays.reports import PLAIN, PassReport


@dataclass(frozen=True)
class Position:
    """What a pass is doing, how much is done, and of how much (0: nobody knows)."""

    what: str = ""
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Option:
    """An option of a magic. `settings` are those of argparse's `add_argument` that are not seen in
    the pass's parameter of this name; `of` are the names of the program that can follow it
    ("temporaries", "written"), `words` what else can."""

    flag: str
    settings: Mapping[str, Any]
    of: str = ""
    words: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The parameter of the pass that it is about, if there is one."""
        return self.flag.removeprefix("--").replace("-", "_")


def option(
    flag: str, text: str, *, of: str = "", words: tuple[str, ...] = (), **settings: Any
) -> Option:
    """An option, and its line of help."""
    several = {"metavar": "ARRAYS"} if of == "temporaries" else {}
    return Option(flag, {"help": text, **several, **settings}, of, words)


@dataclass(frozen=True)
class Script:
    """What a cell holds that is no program, but says what is to be made of one (`--from PROGRAM`).

    `run` makes a derivation of the program and the text; it raises PolynbError, at a place in the
    text. `words` are what can stand behind the lines above and the beginning of a line of it.
    """

    run: Callable[[Scop | Derivation[Any, Any], Source], Derivation[Any, Any]]
    words: Callable[[Scop | None, str, str], tuple[str, ...]]
    empty: str
    """What to write into a cell that holds nothing."""


@dataclass(frozen=True)
class PassMagic:
    """`%%name` and `%name` of a pass. `doc` is what `%%name?` says; the pass is called with the
    options that are called as its parameters are, and with `keywords` of them all (raises
    PolynbError for those that contradict each other, with the `argument` at fault); `aside` is what
    is displayed besides the derivation, a mime bundle, if anything is; `script`: of a magic whose
    cell is not the program."""

    doc: str
    options: tuple[Option, ...] = ()
    keywords: Callable[[Namespace], dict[str, Any]] = field(default=lambda options: {})
    aside: Callable[[Derivation[Any, Any], Namespace], dict[str, str] | None] = field(
        default=lambda derivation, options: None
    )
    script: Script | None = None


def _still(step: Step, now: Position) -> Position:
    return now


@dataclass(frozen=True)
class PassView:
    """How a pass is shown.

    `report` is how its derivations are told; `frames` the module that registers what frames its
    steps unfold into (`show/trace/unfolding.py`); `begins` the steps with which something new
    begins; `progress` where a step leads from a position; `magic` is None for a pass that no line
    names.
    """

    report: PassReport
    frames: str = ""
    begins: tuple[type[Step], ...] = ()
    progress: Callable[[Step, Position], Position] = _still
    magic: PassMagic | None = None


@dataclass(frozen=True)
class Registered:
    info: PassInfo
    view: PassView


_known: dict[str, Registered] = {}
_loaded: list[bool] = []


def register(info: PassInfo, view: PassView) -> None:
    """From now on this is how the pass is shown; magics know it when they are loaded next."""
    registered()
    _known[info.name] = Registered(info, view)
    if view.frames:
        import_module(view.frames)


def registered() -> Mapping[str, Registered]:
    """All registered passes by name, those of the papers first."""
    if not _loaded:
        _loaded.append(True)
        below("passes")()
    return _known


def view_of(name: str) -> PassView:
    """The view of a pass; of one that is not registered, its steps."""
    found = registered().get(name)
    return PassView(PLAIN) if found is None else found.view


def report_of(derivation: Derivation[Any, Any]) -> PassReport:
    return view_of(derivation.name).report


def paper_of(derivation: Derivation[Any, Any]) -> str:
    """Where a derivation's pass comes from; "" if nobody knows."""
    found = registered().get(derivation.name)
    return "" if found is None else found.info.paper


def begins(step: Step) -> bool:
    """Whether something new begins with a step: it stands out among the others."""
    return isinstance(step, tuple(t for p in registered().values() for t in p.view.begins))


def with_magics() -> dict[str, Registered]:
    """The passes that have a magic."""
    return {name: p for name, p in registered().items() if p.view.magic is not None}


def applicable() -> dict[str, Registered]:
    """Those that `--apply` can name: they need nothing but a program."""
    return {n: p for n, p in with_magics().items() if p.view.magic and not p.view.magic.script}


def number_of(text: str) -> int | str:
    """A number; what is none goes to the library as it is, which says what is allowed."""
    try:
        return int(text)
    except ValueError:
        return text


def seconds_of(text: str) -> float | str:
    """A number of seconds; what is none goes to the library as it is."""
    try:
        return float(text)
    except ValueError:
        return text


def order_of(text: str) -> tuple[int | str, ...]:
    """`1,0`"""
    return tuple(number_of(part) for part in text.split(","))


def sizes_of(text: str) -> int | str | tuple[int | str, ...]:
    """A size for all loops, or one for each: `32`, `32,64`."""
    sizes = order_of(text)
    return sizes[0] if len(sizes) == 1 else sizes
