"""A derivation as a trace: the JSON that the stepper plays (`trace.schema.json`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from polynb import isl
from polynb.codegen.sharing import tree_size
from polynb.dependences import analyze
from polynb.derivation import Derivation, Step, as_scop, original
from polynb.scop import Scop
from polynb.show.displays.derivation import titles
from polynb.show.displays.registry import paper_of, report_of, view_of
from polynb.show.trace.parameters import parameter_values, sliders
from polynb.show.trace.program import program_lines, read_id, write_id
from polynb.show.trace.scene import Scene
from polynb.show.trace.unfolding import Frame, phase, unfold
from polynb.show.words import headline

FORMAT: Final = "polynb-trace"
VERSION: Final = 1
PROGRAM: Final = "program"  # the name of what is no derivation
FEW: Final = 12  # statements of a program that are all drawn; of others those a step is about
READABLE: Final = 1500  # operands and operations of a program that is shown at every stage


class TraceBuilder:
    """Turns steps into frames, one after the other; knows what the program is by now."""

    def __init__(self, derivation: Derivation, values: Mapping[str, int]) -> None:
        self.derivation = derivation
        self.values = dict(values)
        self.scop = derivation.before
        self.programs: list[dict[str, Any]] = []
        self.scenes: list[Scene] = []
        self.sets: list[dict[str, Any]] = []
        self.propagated: dict[tuple[str, str, int], isl.Map] = {}
        self.phases: list[dict[str, Any]] = []
        self.memory: dict[str, Any] = {}  # what the frames of a pass keep from step to step
        self._known: dict[Any, int] = {}  # by identity: the derivation keeps its programs alive
        self._paper = paper_of(derivation)
        self.turn(derivation.before)

    # -- what is shown ---------------------------------------------------------------------

    def turn(self, scop: Scop) -> None:
        """From now on, this is the program."""
        self.scop = scop
        size = sum(tree_size(s.expression) for s in scop.statements)
        if size <= READABLE or scop in self.derivation.stages:
            self.program = self.number(scop)
        self.look_at(scop, ())

    def look_at(self, scop: Scop, names: Sequence[str]) -> None:
        """From now on, the instances of these statements are shown (all of a small program)."""
        small = len(scop.statements) <= FEW
        shown = tuple(s.name for s in scop.statements if small or s.name in names)
        key = (id(scop), shown)
        if key not in self._known:
            self._known[key] = len(self.scenes)
            edges = analyze(scop).edges if small else ()
            self.scenes.append(Scene(scop, shown, self.values, edges))
        self.scene_number = self._known[key]

    def time(self, times: Mapping[str, isl.Map]) -> None:
        """From now on, the instances of these statements are shown, at other times
        `{ S[i] -> [t] }`; the program's text stays."""
        moved = tuple(
            replace(s, schedule=times[s.name]) for s in self.scop.statements if s.name in times
        )
        self.scene_number = len(self.scenes)
        timed = replace(self.scop, statements=moved)
        self.scenes.append(Scene(timed, tuple(times), self.values))

    @property
    def scene(self) -> Scene:
        return self.scenes[self.scene_number]

    def number(self, scop: Scop) -> int:
        """The number of a program that is shown."""
        if id(scop) not in self._known:
            self._known[id(scop)] = len(self.programs)
            before, after = titles(self.derivation)
            title = "the program by now"
            if self.derivation.name == PROGRAM:
                title = "the program"
            elif scop is self.derivation.before:
                title = before
            elif scop is self.derivation.result:
                title = after
            self.programs.append({"title": title, "lines": program_lines(scop)})
        return self._known[id(scop)]

    def set(self, name: str, x: isl.Set | isl.Map) -> int:
        """The number of a set that a frame shows."""
        text = str(x.intersect_params(self.scop.assumed).coalesce().gist_params(self.scop.assumed))
        digest = hashlib.sha256(f"{name} {text}".encode()).hexdigest()[:8]
        if digest not in self._known:
            self._known[digest] = len(self.sets)
            plain = str(x.remove_redundancies())  # isl itself does so when it comes to it
            entry = {"id": f"set:{digest}", "name": name, "text": readable(text), "isl": plain}
            self.sets.append(entry)
        return self._known[digest]

    def accesses(self, array: str) -> list[str]:
        """The ids of all accesses to an array."""
        found = []
        for s in self.scop.statements:
            found += [write_id(s.name)] if s.write.array == array else []
            found += [read_id(s.name, k) for k, r in enumerate(s.reads) if r.array == array]
        return found

    def date(self, name: str, point: tuple[int, ...]) -> tuple[int, ...]:
        """When an instance is executed: its date in the schedule."""
        s = self.scene.scop.by_name[name]
        at = self.scene.spaces[name].only(point)
        found = isl.points(s.schedule.intersect_domain(at).range(), self.values)
        return found[0] if found else ()

    # -- frames ----------------------------------------------------------------------------

    def frame(self, step: Step, section: str | None = None, **more: Any) -> Frame:
        """A frame with the sentence of a step."""
        return self.say(type(step).__name__, str(step), section, **more)

    def say(self, kind: str, sentence: str, section: str | None = None, **more: Any) -> Frame:
        frame: Frame = {
            "kind": kind,
            "phase": len(self.phases) - 1,
            "sentence": sentence,
            "section": ", ".join(t for t in (self._paper, section and f"section {section}") if t),
            "program": self.program,
            "scene": self.scene_number if self.scene.spaces else None,
        }
        return frame | {k: v for k, v in more.items() if v not in (None, [], ())}


@isl.bounded("the drawing of the steps")
def trace(
    program: Derivation | Scop, parameters: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Everything that the stepper needs of a derivation, at parameter values given or chosen; of a
    program, the one frame that shows its instances and dependences.

    Chosen are small values for which as many of the relations as possible have members. Raises
    PolynbError for parameters the program does not have or allow.
    """
    if isinstance(program, Scop):
        alone = Derivation(PROGRAM, program, program, (), (program,))
        builder = TraceBuilder(alone, parameter_values(alone, parameters or {}))
        builder.phases.append({"name": "the program", "first": 0})
        said = headline(program)
        return _written(builder, program.name, said, [], [builder.say("program", said)])
    return _derived(program, parameters or {})


def _derived(derivation: Derivation, parameters: Mapping[str, int]) -> dict[str, Any]:
    original(derivation)  # a trace shows programs
    as_scop(derivation)
    builder = TraceBuilder(derivation, parameter_values(derivation, parameters))
    before = builder.program
    after = builder.number(derivation.result)
    builder.phases.append({"name": "the question", "first": 0})
    told = report_of(derivation)
    verdict = told.verdict(derivation)
    frames = [builder.say("verdict", verdict) | {"program": before, "other": after}]
    unfolded = view_of(derivation.name).unfolded(derivation.steps)
    ends: list[int] = []  # the last frame of each step
    for k, step in enumerate(derivation.steps):
        name = phase(step, builder)
        if name is not None and builder.phases[-1]["name"] != name:
            builder.phases.append({"name": name, "first": len(frames)})
        frames += unfold(step, builder) if k in unfolded else iter([builder.frame(step)])
        ends.append(len(frames) - 1)
    outcomes = told.outcomes(derivation)
    for fate in outcomes:
        for p in builder.phases:
            if p["name"] == fate.array:
                p["outcome"] = fate.fate
    builder.turn(derivation.result)
    builder.phases.append({"name": "the result", "first": len(frames)})
    frames.append(builder.say("result", verdict) | {"program": before, "other": after})
    title = f"{derivation.name} {derivation.before.name}".strip()
    arrays = [
        {"name": f.array, "fate": f.fate, "reason": f.reason, "step": ends[f.step]}
        for f in outcomes
    ]
    return _written(builder, title, verdict, arrays, frames)


def _written(
    builder: TraceBuilder, title: str, said: str, arrays: list[dict[str, Any]], frames: list[Frame]
) -> dict[str, Any]:
    found = {
        "title": title,
        "verdict": said,
        "arrays": arrays,
        "parameters": sliders(builder.derivation.before, builder.values),
        "programs": builder.programs,
        "scenes": [s.finished() for s in builder.scenes],
        "sets": builder.sets,
        "phases": builder.phases,
        "steps": frames,
    }
    digest = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:8]
    return {"format": FORMAT, "version": VERSION, "id": digest, **found}


def readable(text: str) -> str:
    """isl's text without its parameters, in the papers' signs."""
    _, arrow, rest = text.partition("-> {") if text.startswith("[") else ("", "", text)
    body = "{" + rest if arrow else text
    for plain, sign in (("->", "→"), ("<=", "≤"), (">=", "≥"), ("!=", "≠"), (" and ", ", ")):
        body = body.replace(plain, sign)
    return body
