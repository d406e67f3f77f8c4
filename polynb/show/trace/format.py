"""The trace's format (`trace.schema.json`) in Python's types: what mypy checks frames against.

The schema is the source, and says what each key means; `tests/show/trace/test_format.py` compares,
key by key. Of an object `Overlay` of the schema the type is `OverlayJson`; a `Step` is a `Frame`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NotRequired, TypedDict, get_args

Role = Literal[
    "raw",
    "war",
    "waw",
    "propagation",
    "piw",
    "or",
    "piece",
    "source",
    "target",
    "writer",
    "removed",
    "condition",
    "conditioned",
    "violated",
]
Outcome = Literal["removed", "kept", "kept in part", "propagated", "reordered", "unchanged"]
MemoryRole = Literal["occupied", "unused", "known", "written"]
MemoryRule = Literal["lifetime", "existing write", "proposed write", "both write"]
WitnessRole = Literal["source", "writer", "target"]

ROLES: Final[Mapping[str, Role]] = {role: role for role in get_args(Role)}
WITNESS_ROLES: Final[Mapping[str, WitnessRole]] = {r: r for r in get_args(WitnessRole)}
OUTCOMES: Final[Mapping[str, Outcome]] = {outcome: outcome for outcome in get_args(Outcome)}

Reference = list[int]
"""[space, point], an instance by its indices in a scene, or two of these, a pair; or [cell, k], a
place in memory."""
Segment = list[str]
"""[text] or [text, "s:T a:T:0"], the ids from the outermost to the innermost."""


class ArrayOutcomeJson(TypedDict):
    name: str
    outcome: Outcome
    reason: str
    step: int


class ParameterJson(TypedDict):
    name: str
    value: int
    low: int
    high: int


class ProgramJson(TypedDict):
    title: str
    lines: list[list[Segment]]


class ChangeJson(TypedDict):
    removed: list[int]
    added: list[int]


class NamedSetJson(TypedDict):
    id: str
    name: str
    text: str
    isl: str


class PhaseJson(TypedDict):
    name: str
    first: int
    outcome: NotRequired[str]


class OverlayJson(TypedDict):
    id: str
    role: Role
    label: str
    access: NotRequired[list[str]]
    instances: NotRequired[list[Reference]]
    pairs: NotRequired[list[Reference]]
    total: NotRequired[int]
    exact: NotRequired[bool]


class SpaceJson(TypedDict):
    id: str
    name: str
    dims: list[str]
    points: list[list[int]]
    dates: list[list[int]]
    elided: list[list[list[int]]]


class SceneJson(TypedDict):
    spaces: list[SpaceJson]
    relations: list[OverlayJson]
    notes: list[str]
    focus: NotRequired[list[Reference]]


class TableJson(TypedDict):
    title: str
    columns: list[str]
    rows: list[list[str]]


class WitnessInstanceJson(TypedDict):
    at: Reference
    role: WitnessRole
    name: str
    date: list[int]


class WitnessJson(TypedDict):
    instances: list[WitnessInstanceJson]
    cell: str
    sentence: str
    blocks: NotRequired[bool]


class MemoryLayerJson(TypedDict):
    of: Literal["existing", "proposed"]
    role: MemoryRole
    label: str
    places: list[Reference]
    values: NotRequired[list[str]]


class MemoryConflictJson(TypedDict):
    place: Reference
    at: Literal["zone", "time"]
    rule: MemoryRule
    sentence: str


class MemoryJson(TypedDict):
    array: str
    cells: list[str]
    times: list[str]
    layers: list[MemoryLayerJson]
    candidate: NotRequired[str]
    conflict: NotRequired[MemoryConflictJson]
    queue: NotRequired[list[str]]


class ArrayQuestionJson(TypedDict):
    kind: Literal["array"]
    prompt: str
    explain: str
    options: list[str]
    answer: str


class PairsQuestionJson(TypedDict):
    kind: Literal["pairs"]
    prompt: str
    explain: str
    pairs: list[Reference]
    answer: list[int]


class VerdictQuestionJson(TypedDict):
    kind: Literal["verdict"]
    prompt: str
    explain: str
    answer: bool
    witnesses: NotRequired[list[Reference]]


class SampleJson(TypedDict):
    values: dict[str, int]
    result: int


class IteratorQuestionJson(TypedDict):
    kind: Literal["iterator"]
    prompt: str
    explain: str
    name: str
    answer: str
    samples: list[SampleJson]


QuestionJson = ArrayQuestionJson | PairsQuestionJson | VerdictQuestionJson | IteratorQuestionJson


class FrameParts(TypedDict, total=False):
    """What a frame may have besides its sentence."""

    detail: str
    other: int
    change: ChangeJson
    marks: list[str]
    otherMarks: list[str]
    overlays: list[OverlayJson]
    focus: list[Reference]
    sets: list[int]
    tables: list[TableJson]
    order: bool
    memory: MemoryJson
    witness: WitnessJson
    question: QuestionJson


class Frame(FrameParts):
    """A step of a trace, whole in itself."""

    kind: str
    phase: int
    sentence: str
    section: str
    program: int
    scene: int | None


class TraceJson(TypedDict):
    format: Literal["polynb-trace"]
    version: Literal[1]
    id: str
    title: str
    verdict: str
    arrays: list[ArrayOutcomeJson]
    parameters: list[ParameterJson]
    programs: list[ProgramJson]
    code: NotRequired[ProgramJson]
    scenes: list[SceneJson]
    sets: list[NamedSetJson]
    phases: list[PhaseJson]
    steps: list[Frame]


# -- the names of what texts and pictures mark ---------------------------------------------------


def statement_id(name: str) -> str:
    return f"s:{name}"


def read_id(statement: str, number: int) -> str:
    return f"a:{statement}:{number}"


def write_id(statement: str) -> str:
    return f"a:{statement}:w"
