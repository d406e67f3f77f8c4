"""A stream that is folded, as a trace: Figure 5 of TACO'19, with Algorithm 1 as the program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from polynb.errors import PolynbError
from polynb.folding import Folded
from polynb.folding.model import Entries
from polynb.folding.replay import entries_of, replay
from polynb.folding.steps import Absorbed, Created, Determined, FoldingStep
from polynb.show.trace.folding import algorithm
from polynb.show.trace.folding.state import Living, Polyhedron, after
from polynb.show.trace.format import (
    Frame,
    FrameParts,
    OverlayJson,
    PhaseJson,
    Role,
    SceneJson,
    TableJson,
    TraceJson,
)
from polynb.show.trace.listing import Listing, frame_of, identified

DEEPEST: Final = 3  # dimensions that a picture has
SECTION: Final = "TACO'19, section 5.1, Figure 5, and Algorithm 1"
LIVE: Final = "What lives: polyhedra and their label functions"


def folding_trace(folded: Folded) -> TraceJson:
    """The frames of a small stream. Raises PolynbError for one whose entries are not kept, and for
    more dimensions than a picture has."""
    dims = len(folded.stream.dimensions)
    if dims > DEEPEST:
        raise PolynbError(
            f"a stream of {dims} dimensions cannot be drawn point by point",
            reason=f"pictures have up to {DEEPEST}",
            hint="its pieces: .table()",
        )
    return identified(_Frames(folded).trace())


class _Frames:
    """Makes frames of steps, one after the other; knows what lives by now."""

    def __init__(self, folded: Folded) -> None:
        self.folded, self.stream = folded, folded.stream
        self.entries: Entries = entries_of(folded)
        self.living: Living = {}
        self.phases: list[PhaseJson] = []
        self.listing = Listing({})
        self.frames: list[Frame] = []

    def trace(self) -> TraceJson:
        name = self.stream.identifier or "the stream"
        told = _verdict(self.folded)
        self._begin("the stream")
        self._add("verdict", told, [], tables=[self._stream_table()])
        steps = replay(self.folded)
        for step, following in zip_longest(steps, steps[1:]):
            self._step(step, following)
        self._begin("the result")
        self._result(told)
        return {
            "format": "polynb-trace",
            "version": 1,
            "id": "",
            "title": f"folding {name}",
            "verdict": told,
            "arrays": [],
            "parameters": [],
            "programs": [algorithm.program()],
            "scenes": [self._scene(name)],
            "sets": self.listing.sets,
            "phases": self.phases,
            "steps": self.frames,
        }

    # -- frames ----------------------------------------------------------------------------

    def _step(self, step: FoldingStep, following: FoldingStep | None) -> None:
        earlier, self.living = self.living, after(self.living, step, self._completed(step))
        if isinstance(step, Created) and self.stream.dimensions:
            outer, at = self.stream.dimensions[0], step.point[0]
            if len(step.point) > 1 and self.phases[-1]["name"] != f"{outer} = {at}":
                self._begin(f"{outer} = {at}")
        living = dict(self.living)
        if isinstance(step, Absorbed) and isinstance(following, Determined):
            # The shape is updated (line 28); the label function will be (line 29).
            living[step.serial] = replace(living[step.serial], labels=earlier[step.serial].labels)
        overlays = [self._overlay(p) for p in living.values()]
        if isinstance(step, Absorbed):
            one, other = earlier[step.serial], earlier[step.other]
            overlays.append(self._overlay(one, "target", f"{one.name}, which absorbs"))
            overlays.append(self._overlay(other, "source", f"{other.name}, which is absorbed"))
        self._add(
            type(step).__name__,
            _sentence(step, self.stream.dimensions),
            algorithm.marks(step),
            overlays,
            [self._live_table(living)],
            living.get(step.serial),
        )

    def _result(self, told: str) -> None:
        folded = self.folded
        rows = [[a, b, c, str(n)] for a, b, c, n in folded.rows()]
        table: TableJson = {
            "title": "The result, as in Table 3: what is still ⊥ counts as 0",
            "columns": ["Id", "Polyhedron", "Label function", "Points"],
            "rows": rows,
        }
        shown = [self._overlay(p) for p in self.living.values()]
        self._add("result", told, [algorithm.line_id("39")], shown, [table])

    def _add(
        self,
        kind: str,
        sentence: str,
        marks: list[str],
        overlays: list[OverlayJson] | None = None,
        tables: list[TableJson] | None = None,
        subject: Polyhedron | None = None,
    ) -> None:
        more: FrameParts = {"marks": marks, "overlays": overlays or [], "tables": tables or []}
        if subject is not None:
            if subject.labels:
                more["detail"] = self._function(subject)
            domain = str(subject.domain(self.stream))
            more["sets"] = [self.listing.set_text(subject.name, domain, lambda: domain)]
        phase = len(self.phases) - 1
        self.frames.append(frame_of(kind, phase, sentence, SECTION, 0, 0, **more))

    def _begin(self, name: str) -> None:
        self.phases.append({"name": name, "first": len(self.frames)})

    # -- what is shown ---------------------------------------------------------------------

    def _scene(self, name: str) -> SceneJson:
        points = self.entries.points.tolist()
        return {
            "spaces": [
                {
                    "id": "s:stream",
                    "name": name,
                    "dims": list(self.stream.dimensions),
                    "points": points,
                    "dates": [[k + 1] for k in range(len(points))],
                    "elided": [[] for _ in self.stream.dimensions],
                }
            ],
            "relations": [],
            "notes": [
                "Polyhedra are called by their first point: P4 is the one of the fourth. Dots "
                "without a name have not come yet."
            ],
        }

    def _overlay(self, p: Polyhedron, role: Role = "piece", label: str = "") -> OverlayJson:
        return {
            "id": f"{role}:{p.name}",
            "role": role,
            "label": label or p.name,
            "instances": [[0, k] for k in p.members],
        }

    def _function(self, p: Polyhedron) -> str:
        """`f1(cj, ck) = ⊥cj + 4ck + 67`, as the paper writes it; of several outputs, each."""
        texts = p.functions(self.stream)
        if len(texts) == 1:
            return f"f{p.serial}({', '.join(self.stream.dimensions)}) = {texts[0]}."
        named = zip(self.stream.outputs, texts, strict=True)
        return f"{p.name}: {', '.join(f'{o} = {t}' for o, t in named)}."

    def _live_table(self, living: Living) -> TableJson:
        outputs = self.stream.outputs
        rows = []
        for p in living.values():
            functions = p.functions(self.stream) or ["N/A"]
            rows.append([p.name, p.shape(self.stream), *functions, p.place])
        heads = [f"Label {o}" if len(outputs) > 1 else "Label function" for o in outputs or ("",)]
        return {"title": LIVE, "columns": ["", "Polyhedron", *heads, "Where it is"], "rows": rows}

    def _stream_table(self) -> TableJson:
        """As Tables 1 and 2 print a stream."""
        labels = self.entries.labels.tolist() or []
        points = self.entries.points.tolist()
        return {
            "title": "The stream, as in Table 1",
            "columns": [_vector(self.stream.dimensions), _vector(self.stream.outputs) or "Label"],
            "rows": [
                [_vector(map(str, p)), _vector(map(str, x)) or "N/A"]
                for p, x in zip(points, labels, strict=True)
            ],
        }

    def _completed(self, step: FoldingStep) -> int:
        """The outermost dimension that was processed before the entry of a step: 1 is innermost."""
        k = step.entry - 1
        if not isinstance(step, Created) or k == 0:
            return 1
        before, now = self.entries.points[k - 1].tolist(), self.entries.points[k].tolist()
        changed = next(q for q, (a, b) in enumerate(zip(before, now, strict=True)) if a != b)
        return len(now) - changed


def _sentence(step: FoldingStep, dimensions: tuple[str, ...]) -> str:
    said = str(step)
    for q, name in enumerate(dimensions):  # the iterators' names say more than their numbers
        said = said.replace(f"coordinate {q + 1} ", f"{name} ")
    return said if said.endswith(".") else f"{said}."


def _verdict(folded: Folded) -> str:
    pieces = [p for p in folded.pieces if not p.approximate]
    made = f"{len(pieces)} polyhedra" if len(pieces) != 1 else "1 polyhedron"
    if folded.gave_up:
        made += " and a box around all that came after the give-up"
    one = f", {folded.label_text(pieces[0])}" if len(pieces) == 1 and pieces[0].labels else ""
    return f"The {folded.entries} entries of the stream are folded into {made}{one}."


def _vector(parts: Iterable[str]) -> str:
    said = ", ".join(parts)
    return f"({said})" if "," in said else said
