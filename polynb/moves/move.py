"""What every move has: its arguments, how a line says it, what it does, where it may be made.

A move is a frozen dataclass. Its fields are its arguments; a line of a script and a call of a
method make the same one. What is in capitals in `usage` are the fields, one after the other.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Final, Self, get_args, get_type_hints

from polynb.moves.loops import NamedLoop
from polynb.moves.words import Cursor, MoveArgument, ScriptWord
from polynb.scop.model import Scop

PART: Final = re.compile(r"\[[^]]*\]|[^][]+")
"""Of a usage: what may be left out, and what is between."""
NUMBER: Final = "#"
"""Where the number goes in a line that is offered."""
KnownLoops = Mapping[str, NamedLoop]
"""The loops of a program, each by a name that means no other one."""
Offered = Iterator[tuple[str, str]]
"""Lines that make a move at a place, the likeliest first, each behind what tells it from others."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A loop, or a statement (`loop` is None then), among all `loops` of a program; all by names
    that mean one."""

    scop: Scop
    name: str
    loop: NamedLoop | None
    loops: Mapping[str, NamedLoop]

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.name,) if self.loop is None else self.loop.statements

    def around(self) -> list[str]:
        """The loops around it, the nearest first."""
        return [n for n, x in reversed(list(self.loops.items())) if self._is_inside(x)]

    def inside(self) -> list[str]:
        """The loops in it, in the order of the text."""
        return [n for n, x in self.loops.items() if self.loop and self.loop.is_around(x)]

    def after(self) -> list[str]:
        """Loops as deep as it that come later."""
        if self.loop is None:
            return []
        level = [n for n, x in self.loops.items() if self._depth(x) == self._depth(self.loop)]
        return level[level.index(self.name) + 1 :]

    def temporaries(self) -> list[str]:
        """Those that are used in it, and were not expanded before."""
        used = [s for s in self.scop.statements if s.name in self.statements]
        names = {a.array for s in used for a in (s.write, *s.reads)}
        known = self.scop.arrays
        return [t for t in self.scop.temporaries if t in names and known[t].why != "expanded"]

    def _is_inside(self, other: NamedLoop) -> bool:
        return self.name in other.statements if self.loop is None else other.is_around(self.loop)

    def _depth(self, loop: NamedLoop) -> int:
        return sum(x.is_around(loop) for x in self.loops.values())


@dataclass(frozen=True)
class _Part:
    """A part of a usage: its words, in capitals with the field that each stands for; `optional`:
    it may be left out."""

    words: tuple[tuple[str, str | None], ...]
    optional: bool

    def begins(self, word: ScriptWord | None, keywords: Container[str]) -> bool:
        """Whether it begins with a word of a line."""
        first, name = self.words[0]
        if word is None or name is None:
            return word is not None and word.text == first
        return word.text not in keywords


@dataclass(frozen=True)
class Move(ABC):
    """A move and what it is about."""

    usage: ClassVar[str]
    """How a line is written."""
    example: ClassVar[str]
    about: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    """Other words for it."""
    legal: ClassVar[str] = ""
    """What is said of it where it is legal, in words that fit it, if there are some."""
    needs: ClassVar[str] = ""
    """What a place lacks that it cannot be made at, if that is no loop, or a second one."""
    numbers: ClassVar[tuple[int, ...]] = ()
    number: ClassVar[int] = 0
    """Those of a slider, and the one that it starts at."""
    tried: ClassVar[bool] = True
    """Whether it is tried before it is offered; else handles say enough."""
    name: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.name = cls.usage.partition(" ")[0]

    def __post_init__(self) -> None:
        arguments = self._arguments()
        for f in fields(self):
            value = getattr(self, f.name)
            if value is not None or f.default is not None:
                object.__setattr__(self, f.name, arguments[f.name].check(f.name, value))

    def __str__(self) -> str:
        """The line that says it."""
        said = [self.name]
        for part in self._parts():
            values = [w if name is None else getattr(self, name) for w, name in part.words]
            if None not in values:
                said += map(str, values)
        return " ".join(said)

    @classmethod
    def read(cls, line: Cursor) -> Self:
        """The move that a line says. Raises PolynbError, at the word, where it says none."""
        parts, arguments = cls._parts(), cls._arguments()
        keywords = {w for part in parts for w, name in part.words if name is None}
        found: dict[str, object] = {}
        for part in parts:
            if part.optional and not part.begins(line.next, keywords):
                continue
            before = None
            for word, name in part.words:
                if name is None:
                    line.need(word)
                else:
                    if before is not None:
                        line.keyword(",")
                    found[name] = arguments[name].read(line)
                before = name
        return cls(**found)

    @abstractmethod
    def applied(self, scop: Scop) -> Scop:
        """The program after it, legal or not. Raises PolynbError where it cannot be made."""

    @classmethod
    def offered(cls, at: Spot) -> Offered:
        """The lines that make it at a place; of a move of one loop, the one of this loop."""
        if at.loop is not None:
            line = re.sub(r"\bLOOP\b", at.name, cls.usage)
            yield "", re.sub(r"\bN\b", NUMBER, line).replace("[", "").replace("]", "")

    @classmethod
    def proposed(cls, loops: KnownLoops, by: int) -> Iterator[Move]:
        """What a search tries of it, legal or not; `by`: the size of tiles."""
        yield from ()

    @classmethod
    @functools.cache
    def _arguments(cls) -> dict[str, MoveArgument]:
        """What the types of the fields are annotated with, `LoopName` or `LoopName | None`."""
        return {
            name: known
            for name, hint in get_type_hints(cls, include_extras=True).items()
            for kind in (hint, *get_args(hint))
            for known in getattr(kind, "__metadata__", ())
            if isinstance(known, MoveArgument)
        }

    @classmethod
    @functools.cache
    def _parts(cls) -> list[_Part]:
        """The parts of the usage behind the move's name."""
        names, found = iter(fields(cls)), []
        for part in PART.findall(cls.usage.partition(" ")[2]):
            words = [
                (w, next(names).name if w.isupper() else None) for w in part.strip("[] ").split()
            ]
            if words:
                found.append(_Part(tuple(words), part[0] == "["))
        return found
