"""A trace as a notebook's file holds it: compressed, and no larger than a file can bear.

The extension of JupyterLab (`widgets/labextension`) plays it from there, without a kernel.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.show.html import Html, element, image, join, page, paragraph
from polynb.show.trace.format import ArrayOutcomeJson, Frame, TraceJson
from polynb.show.trace.pictures import picture

MIME: Final = "application/vnd.polynb.trace+json"
LIMIT: Final = 150_000  # bytes of a display in a notebook's file
BRIEF: Final = 20_000  # characters of a text that leaves room for frames
NOTHING: Final = Html("")


def bundle(
    trace: TraceJson,
    plain: Mapping[str, str],
    below: Html = NOTHING,
    more: Sequence[tuple[TraceJson, Mapping[str, Any]]] = (),
    **traits: Any,
) -> dict[str, str]:
    """What a notebook is given to play a trace: `plain` where that cannot be, with pictures of the
    first and the last step if it has none, and with it at most `LIMIT` bytes, for which pictures
    and frames may be left out, or `plain` be shortened. `below` is HTML that
    is shown below the stepper, and `more` are traces with their traits, each in a stepper of its
    own; `traits` are those of `Stepper` that it begins with."""
    others = [{"trace": t, "traits": dict(begun)} for t, begun in more]
    pictured = _pictured(plain, [trace, *(t for t, _ in more)])
    for shown, least in ((pictured, len(trace["steps"])), (dict(plain), 2), (_brief(plain), 2)):
        room = LIMIT - sum(len(text.encode()) for text in shown.values())
        if (saved := _fitting(trace, room, below, traits, others, least)) is not None:
            return {MIME: saved, **shown}
    return dict(plain)


def _pictured(plain: Mapping[str, str], traces: Sequence[TraceJson]) -> dict[str, str]:
    markup = Html(plain["text/html"])
    return {**plain, "text/html": markup if "<img" in markup else join([stills(traces), markup])}


def _brief(plain: Mapping[str, str]) -> dict[str, str]:
    """The beginning of the text, without colours and lists, where these would leave no room."""
    text = plain["text/plain"]
    if len(text) > BRIEF:
        text = f"{text[:BRIEF].rpartition(chr(10))[0]}\n…"
    return {"text/plain": text, "text/html": element("pre", text)}


def _fitting(
    trace: TraceJson,
    room: int,
    below: Html,
    traits: Mapping[str, Any],
    more: Sequence[Any],
    least: int,
) -> str | None:
    """As many frames as there is room for; None: not even the least number, at least two."""
    kept = number = len(trace["steps"])
    while True:
        said = _said(below, kept, number)
        saved = _packed(_thinned(trace, kept), trace["id"], said, traits, more)
        if len(saved) <= room:
            return saved
        if kept <= least:
            return None
        kept = max(least, min(kept - 1, kept * max(room, 0) // len(saved)))


def _packed(
    trace: TraceJson, name: str, below: str, traits: Mapping[str, Any], more: Sequence[Any]
) -> str:
    """A JSON string: what compressed bytes are depends on zlib's version, and a tool that compares
    texts can leave them out. The id is that of all frames, by which the kernel knows it."""
    content = {"trace": trace, "below": below, "traits": dict(traits)}
    if more:
        content["more"] = list(more)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    return f"polynb-trace {trace['version']} {name} {packed}"


def read(text: str) -> dict[str, Any]:
    """What `bundle` packed: `trace`, `below`, `traits`, and `more` if there are others. Raises
    PolynbError for another text."""
    try:
        name, _version, _id, packed = text.split(" ")
        found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)))
        assert name == "polynb-trace"
    except (ValueError, AssertionError, zlib.error):
        raise PolynbError(f"this is no trace of polynb: {text[:40]!r}") from None
    return found


def _said(below: Html, kept: int, number: int) -> Html:
    if kept == number:
        return below
    return join(
        [
            paragraph(
                f"⚠ {kept} of {number} frames are kept in this file, so that it stays small; "
                "step() shows all of them."
            ),
            below,
        ]
    )


def _thinned(trace: TraceJson, kept: int) -> TraceJson:
    """The trace with that many frames: the first, the last, and others at equal distances; and
    without the programs, scenes and sets that no frame shows any more."""
    steps = trace["steps"]
    if kept >= len(steps):
        return trace
    numbers = [k * (len(steps) - 1) // (kept - 1) for k in range(kept)]
    frames = [steps[n] for n in numbers]
    phases = [f["phase"] for f in frames]
    programs = sorted({p for f in frames for p in (f["program"], f.get("other")) if p is not None})
    scenes = sorted({f["scene"] for f in frames if f["scene"] is not None})
    sets = sorted({s for f in frames for s in f.get("sets", ())})
    known = sorted(set(phases))

    def moved(frame: Frame) -> Frame:
        scene = None if frame["scene"] is None else scenes.index(frame["scene"])
        program, phase = programs.index(frame["program"]), known.index(frame["phase"])
        shown: Frame = {**frame, "phase": phase, "program": program, "scene": scene}
        if "other" in frame:
            shown["other"] = programs.index(frame["other"])
        if "sets" in frame:
            shown["sets"] = [sets.index(s) for s in frame["sets"]]
        return shown

    def decided(array: ArrayOutcomeJson) -> ArrayOutcomeJson:
        step = next(k for k, n in enumerate(numbers) if n >= array["step"])
        return {**array, "step": step}

    return {
        **trace,
        "steps": [moved(f) for f in frames],
        "phases": [{**trace["phases"][k], "first": phases.index(k)} for k in known],
        "arrays": [decided(a) for a in trace["arrays"]],
        "programs": [trace["programs"][k] for k in programs],
        "scenes": [trace["scenes"][k] for k in scenes],
        "sets": [trace["sets"][k] for k in sets],
    }


# -- pictures for hosts that play no trace, of its first and its last step --------------------

MOST: Final = 60_000
"""Characters of all of them in a notebook's file: those of programs of a dozen statements."""


def stills(traces: Iterable[TraceJson]) -> Html:
    """Nothing where they would be too large."""
    shown = page(*(found for each in traces for found in _of(each)))
    return shown if len(shown) <= MOST else Html("")


def _of(found: TraceJson) -> Iterator[Html]:
    last = len(found["steps"]) - 1
    for k in sorted({0, last}):
        svg = picture(found, k)
        yield image(str(svg), f"Step {k} of {last}: {found['steps'][k]['sentence']}", svg.width)
