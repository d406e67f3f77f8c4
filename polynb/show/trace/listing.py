"""What a trace lists once, and frames refer to by number: programs, scenes and sets."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence

from polynb import isl
from polynb.dependences import Edge
from polynb.scop import Scop
from polynb.show.trace.format import NamedSetJson, ProgramJson
from polynb.show.trace.program import VersionLines
from polynb.show.trace.scene import Scene


class Listing:
    """Gives numbers: what was listed before keeps the one it has. Programs are told apart by their
    identity, so whoever lists one keeps it alive."""

    def __init__(self, values: Mapping[str, int]) -> None:
        self.values = values
        self.programs: list[ProgramJson] = []
        self.scenes: list[Scene] = []
        self.sets: list[NamedSetJson] = []
        self._numbers: dict[Hashable, int] = {}
        self._versions = VersionLines()

    def program(self, scop: Scop, title: str) -> int:
        """The number of a program's text; its title is the first that it was given."""
        key = "program", id(scop)
        if key not in self._numbers:
            self._numbers[key] = len(self.programs)
            self.programs.append({"title": title, "lines": self._versions.lines(scop)})
        return self._numbers[key]

    def known_scene(self, scop: Scop, names: Sequence[str]) -> int | None:
        """The number of the scene of these statements of a program, if it was listed."""
        return self._numbers.get(("scene", id(scop), tuple(names)))

    def scene(self, scop: Scop, names: Sequence[str], edges: Iterable[Edge] = ()) -> int:
        """The number of a new scene of these statements of a program, with these dependences."""
        number = self._numbers["scene", id(scop), tuple(names)] = len(self.scenes)
        self.scenes.append(Scene(scop, names, self.values, edges))
        return number

    def set(self, name: str, x: isl.Set | isl.Map, assumed: isl.Set) -> int:
        """The number of a set, of which the text leaves out what is assumed."""
        text = str(isl.coalesced(x.intersect_params(assumed)).gist_params(assumed))
        digest = hashlib.sha256(f"{name} {text}".encode()).hexdigest()[:8]
        if digest not in self._numbers:
            self._numbers[digest] = len(self.sets)
            plain = str(x.remove_redundancies())  # isl itself does so when it comes to it
            self.sets.append(
                {"id": f"set:{digest}", "name": name, "text": readable(text), "isl": plain}
            )
        return self._numbers[digest]


def readable(text: str) -> str:
    """isl's text without its parameters, in the papers' signs."""
    _, arrow, rest = text.partition("-> {") if text.startswith("[") else ("", "", text)
    body = "{" + rest if arrow else text
    for plain, sign in (("->", "→"), ("<=", "≤"), (">=", "≥"), ("!=", "≠"), (" and ", ", ")):
        body = body.replace(plain, sign)
    return body
