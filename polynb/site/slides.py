"""`python -m polynb.site.slides NOTEBOOKS OUT`: notebooks as slides whose steppers step.

A heading begins a slide (`polynb.labs.copies.slides`); what reveal.js and the steppers need stands
in `OUT/deck/`, so that slides are shown without a kernel and without a network.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook, read, slides
from polynb.site.reference.terms import title
from polynb.site.steppers import playable, script

REVEAL: Final = ("reveal.js", "reveal.css")
_NOTEBOOK: Final = re.compile(r"(\]\()(?!\w+:)([^)#]+)\.ipynb")
HINT: Final = 'pip install -e ".[lab,site]"'


def write_slides(notebooks: Sequence[Path], out: Path, pages: str | None = None) -> list[Path]:
    """A deck for each notebook, `OUT/NAME.html`. Links to notebooks become links to their pages,
    if it is said where those are: `pages` leads from OUT to them. Raises PolynbError where
    nbconvert or reveal.js (as sphinx-revealjs has it) is not installed."""
    (out / "deck").mkdir(parents=True, exist_ok=True)
    _write_parts(out / "deck")
    written = []
    for path in notebooks:
        to = out / f"{path.stem}.html"
        made = playable(slides(read(path)))
        made = made if pages is None else _with_pages(made, pages)
        to.write_text(_deck(made), encoding="utf-8")
        written.append(to)
    return written


def _write_parts(folder: Path) -> None:
    try:
        reveal = files("sphinx_revealjs").joinpath("_static/revealjs")
    except ModuleNotFoundError:
        raise PolynbError("slides need reveal.js (sphinx-revealjs has it)", hint=HINT) from None
    with as_file(reveal) as found:
        for name in REVEAL:
            shutil.copy(found / "dist" / name, folder / name)
        shutil.copy(found / "LICENSE", folder / "LICENSE")
    style = files("polynb.site").joinpath("static/deck.css").read_text(encoding="utf-8")
    (folder / "deck.css").write_text(style, encoding="utf-8")
    (folder / "steppers.js").write_text(script(), encoding="utf-8")


def _with_pages(notebook: Notebook, pages: str) -> Notebook:
    def linked(cell: dict[str, Any]) -> dict[str, Any]:
        if cell["cell_type"] != "markdown":
            return cell
        text = _NOTEBOOK.sub(rf"\1{pages}/\2.html", "".join(cell["source"]))
        return cell | {"source": text}

    return notebook | {"cells": [linked(c) for c in notebook["cells"]]}


def _deck(notebook: Notebook) -> str:
    try:
        import nbformat
        from nbconvert import SlidesExporter
    except ModuleNotFoundError:
        raise PolynbError("slides are made by nbconvert, which is missing", hint=HINT) from None
    with as_file(files("polynb.site").joinpath("deck")) as template:
        exporter = SlidesExporter(  # type: ignore[no-untyped-call]
            template_name="deck",
            extra_template_basedirs=[str(template.parent)],
            exclude_anchor_links=True,
        )
        name = title("".join(notebook["cells"][0]["source"])) if notebook["cells"] else ""
        made = nbformat.reads(json.dumps(notebook), 4)  # type: ignore[no-untyped-call]
        text, _ = exporter.from_notebook_node(made, resources={"polynb_title": name})
    return str(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the slides; 0, or 2 if there is something to mend first."""
    parser = argparse.ArgumentParser(prog="python -m polynb.site.slides", description=__doc__)
    parser.add_argument("source", type=Path, help="a notebook, or a folder of them")
    parser.add_argument("out", type=Path, help="the folder of the slides")
    given = parser.parse_args(arguments)
    try:
        found = [given.source] if given.source.is_file() else sorted(given.source.glob("*.ipynb"))
        if not found:
            raise PolynbError(f"there is no notebook {given.source}", hint="notebooks/lessons")
        for path in write_slides(found, given.out):
            print(path)
    except PolynbError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
