"""What every move has: its arguments, how a line says it, what it does, where it may be made.

A move is a frozen dataclass. Its fields are its arguments; a line of a script and a call of a
method make the same one. What is in capitals in `usage` are the fields, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Self, get_args, get_type_hints

from polynb.moves.loops import NamedLoop
from polynb.moves.words import Cursor, MoveArgument
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
class Move:
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
        for f in fields(self):
            value = getattr(self, f.name)
            if value is not None or f.default is not None:
                object.__setattr__(self, f.name, _words(type(self))[f.name].check(f.name, value))

    def __str__(self) -> str:
        """The line that says it."""
        said = [self.name]
        for parts, own, optional in _parts(type(self)):
            values = [getattr(self, name) for name in own]
            if not optional or values[0] is not None:
                said += [str(values.pop(0)) if p.isupper() else p for p in parts]
        return " ".join(said)

    @classmethod
    def read(cls, line: Cursor) -> Self:
        """The move that a line says. Raises PolynbError, at the word, where it says none."""
        keywords = {p for parts, _, _ in _parts(cls) for p in parts if not p.isupper()}
        found: dict[str, Any] = {}
        for parts, own, optional in _parts(cls):
            if optional and not (
                line.next is not None and line.next.text not in keywords
                if parts[0].isupper() else line.follows(parts[0])
            ):  # fmt: skip
                continue
            names = iter(own)
            for k, part in enumerate(parts):
                if not part.isupper():
                    line.need(part)
                    continue
                if k and parts[k - 1].isupper():
                    line.keyword(",")
                name = next(names)
                found[name] = _words(cls)[name].read(line)
        return cls(**found)

    def applied(self, scop: Scop) -> Scop:
        """The program after it, legal or not. Raises PolynbError where it cannot be made."""
        raise NotImplementedError

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


def _words(move: type[Move]) -> dict[str, MoveArgument]:
    """The arguments, in their order, by what their types are annotated with."""
    hints = get_type_hints(move, include_extras=True)
    return {f.name: _word(hints[f.name]) for f in fields(move)}


def _word(hint: Any) -> MoveArgument:
    """Of `LoopName`, or of `LoopName | None`."""
    known = (m for h in (hint, *get_args(hint)) for m in getattr(h, "__metadata__", ()))
    return next(m for m in known if isinstance(m, MoveArgument))


def _parts(move: type[Move]) -> list[tuple[list[str], list[str], bool]]:
    """The parts of the usage: their words, the fields among these, whether they may be missing."""
    left, found = [f.name for f in fields(move)], []
    for part in PART.findall(move.usage.partition(" ")[2]):
        if words := part.strip("[] ").split():
            count = sum(w.isupper() for w in words)
            found.append((words, left[:count], part[0] == "["))
            left = left[count:]
    return found
