"""What a trace lists once, and frames refer to by number: programs, scenes and sets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Unpack, cast

from polynb import isl
from polynb.dependences import Edge
from polynb.scop.model import Scop
from polynb.show.trace.format import Frame, FrameParts, NamedSetJson, ProgramJson, TraceJson
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
        # isl itself removes redundancies when it comes to it.
        return self.set_text(name, text, lambda: str(x.remove_redundancies()))

    def set_text(self, name: str, text: str, plain: Callable[[], str]) -> int:
        """The number of a set by the text that is shown; `plain` is isl's, if it is a new one."""
        key = _digest(f"{name} {text}")
        if key not in self._numbers:
            self._numbers[key] = len(self.sets)
            self.sets.append(
                {"id": f"set:{key}", "name": name, "text": readable(text), "isl": plain()}
            )
        return self._numbers[key]


def frame_of(
    kind: str,
    phase: int,
    sentence: str,
    section: str,
    program: int,
    scene: int | None,
    **more: Unpack[FrameParts],
) -> Frame:
    """A frame; of `more`, what is empty is left out."""
    return {
        "kind": kind,
        "phase": phase,
        "sentence": sentence,
        "section": section,
        "program": program,
        "scene": scene,
        **cast(FrameParts, {k: v for k, v in more.items() if v != []}),
    }


def identified(trace: TraceJson) -> TraceJson:
    """The trace with the id that its content gives it."""
    content = {k: v for k, v in trace.items() if k not in ("format", "version", "id")}
    trace["id"] = _digest(json.dumps(content, sort_keys=True))
    return trace


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def readable(text: str) -> str:
    """isl's text without its parameters, in the papers' signs."""
    _, arrow, rest = text.partition("-> {") if text.startswith("[") else ("", "", text)
    body = "{" + rest if arrow else text
    for plain, sign in (("->", "→"), ("<=", "≤"), (">=", "≥"), ("!=", "≠"), (" and ", ", ")):
        body = body.replace(plain, sign)
    return body
