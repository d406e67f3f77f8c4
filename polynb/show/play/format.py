"""What a playground shows (`play.schema.json`) in Python's types; `tests/show/play` compares."""

from __future__ import annotations

from typing import TypedDict

from polynb.show.trace.format import Segment


class LineJson(TypedDict):
    segments: list[Segment]
    handle: str
    bad: bool


class HandleJson(TypedDict):
    id: str
    label: str


class FormJson(TypedDict):
    label: str
    line: str


class OfferJson(TypedDict):
    move: str
    group: str
    about: str
    forms: list[FormJson]
    why: str
    numbers: list[int]
    number: int


class PlayedJson(TypedDict):
    line: str
    legal: bool
    said: str


class WayJson(TypedDict):
    line: str
    cost: str


class DrawnJson(TypedDict):
    title: str
    svg: str
    alt: str


class ShownJson(TypedDict):
    number: int
    title: str
    code: list[LineJson]
    marks: list[str]
    handles: list[HandleJson]
    picked: str
    offers: list[OfferJson]
    steps: list[PlayedJson]
    legal: bool
    said: str
    ways: list[WayJson]
    searching: bool
    refused: str
    pictures: list[DrawnJson]
    undo: bool
    redo: bool
    cell: str


class LookJson(TypedDict):
    """The verdict on a move that is not made; `sign` is ✓, ✗, or ? for one that cannot be made."""

    sign: str
    said: str


class LookedJson(TypedDict):
    """By the lines of moves, after those of `cell`; `number` is that of the message."""

    number: int
    cell: str
    verdicts: dict[str, LookJson]
