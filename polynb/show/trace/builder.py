"""A derivation as a trace: the JSON that the stepper plays (`trace.schema.json`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar, Unpack

from polynb import isl
from polynb.codegen.sharing import tree_size
from polynb.dependences import analyze
from polynb.derivation import Derivation, Step, as_scop, original
from polynb.folding import Folded
from polynb.rewriting.dead_writes import WritesGone
from polynb.scop.model import Scop
from polynb.scop.witness import Witness
from polynb.show.displays.derivation import titles
from polynb.show.displays.naming import step_line, title_of
from polynb.show.displays.registry import begins, paper_of, report_of
from polynb.show.trace.focus import add_focus
from polynb.show.trace.folding.frames import folding_trace
from polynb.show.trace.format import (
    OUTCOMES,
    WITNESS_ROLES,
    ArrayOutcomeJson,
    Frame,
    FrameParts,
    OverlayJson,
    PhaseJson,
    TraceJson,
    WitnessInstanceJson,
    WitnessJson,
    statement_id,
    write_id,
)
from polynb.show.trace.listing import Listing, frame_of, identified
from polynb.show.trace.parameters import parameter_values, sliders
from polynb.show.trace.program import code, compare
from polynb.show.trace.scene import Scene, accesses_of
from polynb.show.trace.unfolding import phase, unfold
from polynb.show.words import headline, questions
from polynb.words import counted

PROGRAM: Final = "program"  # the name of what is no derivation
FEW: Final = 12  # statements of a program that are all drawn; of others those a step is about
READABLE: Final = 1500  # operands and operations of a program that is shown at every stage

S = TypeVar("S")


class TraceBuilder:
    """Turns steps into frames, one after the other; knows what the program is by now.

    A pass whose frames need more of the steps before keeps it in a class of its own (`state`).
    """

    def __init__(self, derivation: Derivation, values: Mapping[str, int]) -> None:
        self.derivation = derivation
        self.values = dict(values)
        self.listing = Listing(self.values)
        self.scop = derivation.before
        self.phases: list[PhaseJson] = []
        self._states: dict[type, object] = {}
        self._paper = paper_of(derivation)
        self.turn(derivation.before)

    def state(self, kind: type[S]) -> S:
        """What the frames of a pass keep from step to step: the one object of this class."""
        if kind not in self._states:
            self._states[kind] = kind()
        found = self._states[kind]
        assert isinstance(found, kind)
        return found

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
        shown = [s.name for s in scop.statements if small or s.name in names]
        known = self.listing.known_scene(scop, shown)
        if known is None:
            known = self.listing.scene(scop, shown, analyze(scop).edges if small else ())
        self.scene_number = known

    def time(self, times: Mapping[str, isl.Map]) -> None:
        """From now on, the instances of these statements are shown, at other times
        `{ S[i] -> [t] }`; the program's text stays."""
        moved = tuple(
            replace(s, schedule=times[s.name]) for s in self.scop.statements if s.name in times
        )
        timed = replace(self.scop, statements=moved)
        self.scene_number = self.listing.scene(timed, tuple(times))

    @property
    def scene(self) -> Scene:
        return self.listing.scenes[self.scene_number]

    def number(self, scop: Scop) -> int:
        """The number of a program that is shown."""
        before, after = titles(self.derivation)
        title = "the program by now"
        if self.derivation.name == PROGRAM:
            title = "the program"
        elif scop is self.derivation.before:
            title = before
        elif scop is self.derivation.result:
            title = after
        return self.listing.program(scop, title)

    def set(self, name: str, x: isl.Set | isl.Map) -> int:
        """The number of a set that a frame shows."""
        return self.listing.set(name, x, self.scop.assumed)

    def accesses(self, array: str) -> list[str]:
        """The ids of all accesses to an array."""
        return [access for s in self.scop.statements for access in accesses_of(s, (array,))]

    def date(self, name: str, point: tuple[int, ...]) -> tuple[int, ...]:
        """When an instance is executed: its date in the schedule."""
        s = self.scene.scop.by_name[name]
        at = self.scene.spaces[name].only(point)
        found = isl.points(s.schedule.intersect_domain(at).range(), self.values)
        return found[0] if found else ()

    # -- frames ----------------------------------------------------------------------------

    def frame(self, step: Step, section: str | None = None, **more: Unpack[FrameParts]) -> Frame:
        """A frame with the sentence of a step."""
        return self.say(type(step).__name__, str(step), section, **more)

    def say(
        self, kind: str, sentence: str, section: str | None = None, **more: Unpack[FrameParts]
    ) -> Frame:
        """A frame of what is shown now; of `more`, what is empty is left out."""
        source = ", ".join(t for t in (self._paper, section and f"section {section}") if t)
        scene = self.scene_number if self.scene.spaces else None
        phase = len(self.phases) - 1
        return frame_of(kind, phase, sentence, source, self.program, scene, **more)

    def witness(
        self, witness: Witness, cell: str, sentence: str, *, blocks: bool | None = None
    ) -> WitnessJson:
        """A witness as a frame has it: each instance with its place in the scene and its date.
        `blocks`: whether it stands in the way, where that is in question."""
        instances: list[WitnessInstanceJson] = [
            {
                "at": self.scene.instance(i.statement, i.point),
                "role": WITNESS_ROLES[role],
                "name": str(i),
                "date": list(self.date(i.statement, i.point)),
            }
            for role, i in witness.instances.items()
        ]
        shown: WitnessJson = {"instances": instances, "cell": cell, "sentence": sentence}
        if blocks is not None:
            shown["blocks"] = blocks
        return shown

    def beside(self, before: int, frame: Frame) -> Frame:
        """The frame with the program as it was and as it has become."""
        if before != self.program:
            frame["program"], frame["other"] = before, self.program
        return frame

    def removal(self, step: WritesGone, section: str, label: str) -> Frame:
        """Write instances of a statement that are removed, among all."""
        removed: OverlayJson = {
            "id": f"removed:{step.statement}",
            "role": "removed",
            "label": f"instances of {step.statement} that {label}",
            "access": [write_id(step.statement)],
            "instances": self.scene.instances(step.removed),
        }
        return self.frame(
            step,
            section=section,
            marks=[statement_id(step.statement)],
            overlays=[removed],
            sets=[self.set("removed", step.removed)],
        )


@isl.bounded("the drawing of the steps")
def trace(
    program: Derivation | Scop | Folded,
    parameters: Mapping[str, int] | None = None,
    *,
    whole: bool = True,
) -> TraceJson:
    """Everything that the stepper needs of a derivation, at parameter values given or chosen; of a
    program, the one frame that shows its instances and dependences; of a folded stream, each step
    of its folding. What is not `whole` has only
    the steps that begin or decide something, a sentence for each, and says so.

    Chosen are small values for which as many of the relations as possible have members. Raises
    PolynbError for parameters the program does not have or allow.
    """
    if isinstance(program, Folded):
        return folding_trace(program)
    if isinstance(program, Scop):
        alone = Derivation(PROGRAM, program, program, (), (program,))
        builder = TraceBuilder(alone, parameter_values(alone, parameters or {}))
        builder.phases.append({"name": "the program", "first": 0})
        said = headline(program)
        return _written(builder, title_of(program), said, [], [builder.say("program", said)])
    return _derived(program, parameters or {}, whole)


def _derived(derivation: Derivation, parameters: Mapping[str, int], whole: bool) -> TraceJson:
    original(derivation)  # a trace shows programs
    as_scop(derivation)
    builder = TraceBuilder(derivation, parameter_values(derivation, parameters))
    before = builder.program
    after = builder.number(derivation.result)
    builder.phases.append({"name": "the question", "first": 0})
    told = report_of(derivation)
    verdict, outcomes = told.verdict(derivation), told.outcomes(derivation)
    deciding = {o.step for o in outcomes}
    frames = [_both("verdict", verdict, builder, before, after)]
    ends: list[int] = []  # the last frame of each step
    for k, step in enumerate(derivation.steps):
        if whole or k in deciding or begins(step):
            name = phase(step, builder)
            if name is not None and builder.phases[-1]["name"] != name:
                builder.phases.append({"name": name, "first": len(frames)})
            frames += unfold(step, builder) if whole else [_outlined(step, builder)]
        ends.append(len(frames) - 1)
    said = [f"⚠ {question}" for question in questions(derivation)]
    if not whole:
        said.append(_left_out(derivation, len(frames) - 1))
    if said:
        frames[0]["detail"] = " ".join(said)
    for outcome in outcomes:
        for p in builder.phases:
            if p["name"] == outcome.array:
                p["outcome"] = outcome.outcome
    builder.turn(derivation.result)
    builder.phases.append({"name": "the result", "first": len(frames)})
    frames.append(_both("result", verdict, builder, before, after))
    title = f"{derivation.name} {title_of(derivation.before)}".strip()
    arrays: list[ArrayOutcomeJson] = [
        {
            "name": f.array,
            "outcome": OUTCOMES[f.outcome],
            "reason": f.reason,
            "step": ends[f.step] if ends else 0,  # without steps, the verdict says it all
        }
        for f in outcomes
    ]
    return _written(builder, title, verdict, arrays, frames)


def _written(
    builder: TraceBuilder,
    title: str,
    said: str,
    arrays: list[ArrayOutcomeJson],
    frames: list[Frame],
) -> TraceJson:
    compare(builder.listing.programs, frames)
    scenes = [s.finished() for s in builder.listing.scenes]
    add_focus(scenes, frames)
    found: TraceJson = {
        "format": "polynb-trace",
        "version": 1,
        "id": "",
        "title": title,
        "verdict": said,
        "arrays": arrays,
        "parameters": sliders(builder.derivation.before, builder.values),
        "programs": builder.listing.programs,
        "scenes": scenes,
        "sets": builder.listing.sets,
        "phases": builder.phases,
        "steps": frames,
    }
    text = code(builder.derivation.result)
    if text is not None:
        found["code"] = text
    return identified(found)


def _outlined(step: Step, builder: TraceBuilder) -> Frame:
    """A frame with no more than the sentence of a step, and what it is about marked."""
    marks = [m for n in step.about for m in builder.accesses(n) or [statement_id(n)]]
    return builder.frame(step, marks=marks)


def _left_out(derivation: Derivation, told: int) -> str:
    steps, line = counted(len(derivation.steps), "step"), step_line(derivation).removeprefix("_.")
    return (
        f"Here are the {told} of {steps} that begin or decide something; {line} plays all of them."
    )


def _both(kind: str, said: str, builder: TraceBuilder, before: int, after: int) -> Frame:
    """A frame with the program as it was and as it becomes."""
    frame = builder.say(kind, said, other=after)
    frame["program"] = before
    return frame
