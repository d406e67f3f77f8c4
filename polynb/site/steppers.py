"""Notebooks for pages without a kernel: a stored trace becomes an element that a script plays.

The script is the stepper's own bundle, once for all pages (`script`). Where scripts are not run a
page shows the display's HTML, which needs none.
"""

from __future__ import annotations

import copy
import html
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook
from polynb.show.trace import saved

NOT_SHOWN: Final = (
    saved.MIME,
    "application/vnd.polynb.play+json",
    "application/vnd.jupyter.widget-view+json",
)


def playable(notebook: Notebook) -> Notebook:
    """The notebook with `text/html` for each trace, widgets left out."""
    made = copy.deepcopy(notebook)
    made.get("metadata", {}).pop("widgets", None)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [_played(o) for o in cell["outputs"] if o.get("data") != {}]
    return made


def _played(output: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = output.get("data", {})
    if not data.keys() & set(NOT_SHOWN):
        return output
    shown = {mime: text for mime, text in data.items() if mime not in NOT_SHOWN}
    if saved.MIME in data:
        plain = _joined(data.get("text/html", ""))
        shown["text/html"] = "\n".join(_elements(saved.read(_joined(data[saved.MIME])), plain))
    return output | {"data": shown}


def _elements(content: dict[str, Any], plain: str) -> Iterator[str]:
    """A stepper, what stands below it, and those that were on tabs beside it. `plain` is shown
    where scripts are not run."""
    begun = {**content["traits"], "hash": False}  # the address says where in the page one is
    traits = html.escape(json.dumps(begun))
    trace = json.dumps(content["trace"], ensure_ascii=False, separators=(",", ":"))
    yield (
        f'<div data-polynb-stepper="{traits}"><script type="application/json">'
        f"{_without_ends(trace)}</script>{plain}</div>"
    )
    yield content["below"]
    for other in content.get("more", ()):
        yield from _elements({"below": "", **other}, "")


def _without_ends(text: str) -> str:
    """JSON in which no tag can begin."""
    return text.replace("<", "\\u003c")


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def script() -> str:
    """The stepper's bundle as a script that is no module: browsers load none from a disk. It plays
    the elements of the page that it ends."""
    bundle = files("polynb.show").joinpath("static/stepper.js").read_text(encoding="utf-8")
    body, _, exported = bundle.rpartition("export{")
    if "}" not in exported or "import" in exported:
        raise PolynbError("the stepper's bundle does not end in what it exports")
    return f"(() => {{{body}}})();\n"
