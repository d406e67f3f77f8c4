"""A derivation, or a program, as one page of HTML that steps on its own: no kernel, no network."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Final

from polynb import isl
from polynb.arguments import file as checked_file, optional
from polynb.conveniences import Markup
from polynb.derivation import Derivation
from polynb.folding import Folded
from polynb.scop.model import Scop
from polynb.show.displays.static import static
from polynb.show.trace.builder import trace
from polynb.show.trace.format import Frame, TraceJson
from polynb.show.trace.memory_picture import draw_memory

MOST: Final = 8  # pictures of memory
BUNDLE: Final = Path(__file__).parents[1] / "static" / "stepper.js"

PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem; font-family: system-ui, sans-serif; }}
</style>
</head>
<body>
<div data-polynb-stepper>
<script type="application/json">{trace}</script>
{static}
</div>
<script type="module">{bundle}</script>
</body>
</html>
"""


@isl.bounded("the making of the page")
def to_html(
    program: Derivation | Scop | Folded,
    file: str | PathLike[str] | None,
    parameters: Mapping[str, int],
) -> Markup | Path:
    """The page; or, if a file is given, where it was written. Where scripts are not run it shows
    what the notebook would."""
    place = optional(checked_file, "file", file)
    found = trace(program, parameters)
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    page = PAGE.format(
        title=html.escape(found["title"]),
        trace=text.replace("<", "\\u003c"),  # no tag can begin in it
        static=static(program)["text/html"] + _memories(found),
        bundle=BUNDLE.read_text(encoding="utf-8"),
    )
    if place is None:
        return Markup(page)
    place.write_text(page, encoding="utf-8")
    return place


def _memories(found: TraceJson) -> str:
    """What was decided with a picture of memory, with that picture."""
    steps = found["steps"]
    decided = [(s["sentence"], s["memory"]) for s in steps if s.get("memory") and _decides(s)]
    return "".join(
        f"<figure>{draw_memory(memory)}<figcaption>{html.escape(said)}</figcaption></figure>"
        for said, memory in decided[:MOST]
    )


def _decides(step: Frame) -> bool:
    """Not those that ask, and not what is known before the first scalar is tried."""
    return "question" not in step and step["kind"] in ("Mapped", "NotMapped")
