"""`python -m polynb.site.slides NOTEBOOKS OUT`: notebooks as slides whose steppers step.

A heading begins a slide (`polynb.labs.copies.slides`); what reveal.js and the steppers need stands
in `OUT/deck/`, so that slides are shown without a kernel and without a network.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook, read, slides
from polynb.site.reference.terms import title
from polynb.site.steppers import playable, script

REVEAL: Final = ("reveal.js", "reveal.css")
HINT: Final = 'pip install -e ".[lab,site]"'


def write_slides(notebooks: Sequence[Path], out: Path) -> list[Path]:
    """A deck for each notebook, `OUT/NAME.html`. Raises PolynbError where nbconvert or reveal.js
    (as sphinx-revealjs has it) is not installed."""
    (out / "deck").mkdir(parents=True, exist_ok=True)
    _write_parts(out / "deck")
    written = []
    for path in notebooks:
        to = out / f"{path.stem}.html"
        to.write_text(_deck(playable(slides(read(path)))), encoding="utf-8")
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


def _deck(notebook: Notebook) -> str:
    try:
        import nbformat
        from nbconvert import SlidesExporter
    except ModuleNotFoundError:
        raise PolynbError("slides are made by nbconvert, which is missing", hint=HINT) from None
    with as_file(files("polynb.site").joinpath("deck")) as template:
        exporter = SlidesExporter(
            template_name="deck", extra_template_basedirs=[str(template.parent)]
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
