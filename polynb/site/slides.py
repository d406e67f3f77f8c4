"""`python -m polynb.site.slides NOTEBOOKS OUT`: notebooks as slides whose steppers step.

A heading begins a slide (`polynb.labs.copies.slides`); what reveal.js and the steppers need stands
in `OUT/deck/` and `OUT/shared/`, so that slides are shown without a kernel and without a network.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook, read, slides
from polynb.site.anchors import anchor
from polynb.site.reference.terms import title
from polynb.site.shared import FOLDER, SharedParts
from polynb.site.steppers import playable, script

STYLES: Final = "notebook.css"
REVEAL: Final = ("reveal.js", "reveal.css")
_NOTEBOOK: Final = re.compile(r"(\]\()(?!\w+:)([^)#]+)\.ipynb(?:#([^)]+))?")
_STYLE: Final = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
HINT: Final = 'pip install -e ".[lab,site]"'


def write_slides(
    notebooks: Sequence[Path],
    out: Path,
    pages: str | None = None,
    shared: SharedParts | None = None,
) -> list[Path]:
    """A deck for each notebook, `OUT/NAME.html`. Links to notebooks become links to their pages,
    if it is said where those are: `pages` leads from OUT to them. `shared` is what they have
    in common with other pages (else OUT/shared). Raises PolynbError where nbconvert or reveal.js
    (as sphinx-revealjs has it) is not installed."""
    (out / "deck").mkdir(parents=True, exist_ok=True)
    _write_parts(out / "deck")
    kept = shared or SharedParts(out / FOLDER)
    place = Path(os.path.relpath(kept.folder, out)).as_posix()
    written = []
    for path in notebooks:
        to = out / f"{path.stem}.html"
        made = playable(slides(read(path)), plain=False)  # slides are none without scripts
        made = kept.notebook(made, out)
        made = made if pages is None else _with_pages(made, pages)
        text, styles = _without_styles(_deck(made, place))
        to.write_text(text, encoding="utf-8")
        (out / "deck" / STYLES).write_text(styles, encoding="utf-8")
        written.append(to)
    kept.write_styles()
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
    def page(link: re.Match[str]) -> str:
        place = f"#{anchor(link[3])}" if link[3] else ""
        return f"{link[1]}{pages}/{link[2]}.html{place}"

    def linked(cell: dict[str, Any]) -> dict[str, Any]:
        if cell["cell_type"] != "markdown":
            return cell
        return cell | {"source": _NOTEBOOK.sub(page, "".join(cell["source"]))}

    return notebook | {"cells": [linked(c) for c in notebook["cells"]]}


def _deck(notebook: Notebook, shared: str) -> str:
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
        resources = {"polynb_title": name, "polynb_shared": shared}
        text, _ = exporter.from_notebook_node(made, resources=resources)
    return str(text)


def _without_styles(deck: str) -> tuple[str, str]:
    """A deck, and the styles that nbconvert has put into each: all have the same."""
    head, end, body = deck.partition("</head>")
    return f"{_STYLE.sub('', head)}{end}{body}", "\n".join(_STYLE.findall(head))


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
