"""Notebooks for pages without a kernel: a stored trace becomes an element that a script plays.

The script is the stepper's own bundle, once for all pages (`script`). Where scripts are not run a
page shows the display's HTML, which needs none.
"""

from __future__ import annotations

import base64
import copy
import html
import json
import re
import zlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook
from polynb.show.trace import saved
from polynb.site.shared import joined

PACKED: Final = "application/zlib"
NOT_SHOWN: Final = (
    saved.MIME,
    "application/vnd.polynb.play+json",
    "application/vnd.jupyter.widget-view+json",
)


def playable(notebook: Notebook, *, plain: bool = True) -> Notebook:
    """The notebook with `text/html` for each trace, widgets left out. `plain`: with what is shown
    where scripts are not run."""
    made = copy.deepcopy(notebook)
    made.get("metadata", {}).pop("widgets", None)
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [_played(o, plain) for o in cell["outputs"] if o.get("data") != {}]
    return made


def _played(output: dict[str, Any], plain: bool) -> dict[str, Any]:
    data: dict[str, Any] = output.get("data", {})
    if not data.keys() & set(NOT_SHOWN):
        return output
    shown = {mime: text for mime, text in data.items() if mime not in NOT_SHOWN}
    if saved.MIME in data:
        content = saved.read(joined(data[saved.MIME]))
        still = joined(data.get("text/html", "")) if plain else ""
        shown["text/html"] = "\n".join(_elements(content, still))
    return output | {"data": shown}


def _elements(content: dict[str, Any], plain: str) -> Iterator[str]:
    """A stepper, what stands below it, and those that were on tabs beside it. `plain` is shown
    where scripts are not run."""
    begun = {**content["traits"], "hash": False}  # the address says where in the page one is
    traits = html.escape(json.dumps(begun))
    trace = json.dumps(content["trace"], ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(trace.encode(), 9)).decode()
    yield (
        f'<div data-polynb-stepper="{traits}"><script type="{PACKED}">{packed}</script>'
        f"{plain}</div>"
    )
    yield content["below"]
    for other in content.get("more", ()):
        yield from _elements({"below": "", **other}, "")


def script() -> str:
    """The stepper's bundle as a script that is no module: browsers load none from a disk. It plays
    the elements of the page that it ends; a promise, `polynbStepping`, says when."""
    unpacking = files("polynb.site").joinpath("static/unpacking.js").read_text(encoding="utf-8")
    stepper = plain("stepper.js")
    return f"globalThis.polynbStepping = (async () => {{\n{unpacking}{stepper}}})();\n"


def plain(name: str) -> str:
    """A front end's bundle as a script in which what the module exports is `exported`."""
    bundle = files("polynb.show").joinpath("static", name).read_text(encoding="utf-8")
    body, _, names = bundle.rpartition("export{")
    if not re.fullmatch(r"\w+ as \w+(,\w+ as \w+)*\};\s*", names.replace("$", "_")):
        raise PolynbError(f"{name} does not end in what it exports")
    pairs = (pair.split(" as ") for pair in names.partition("}")[0].split(","))
    return f"{body}const exported={{{','.join(f'{out}:{own}' for own, out in pairs)}}};\n"
