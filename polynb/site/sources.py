"""The sources of the site's pages: the checkout's texts and notebooks, in the same folders, so that
links between them hold; and what is written for them (`reference`)."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook, read, student
from polynb.scop import language
from polynb.site.anchors import anchor
from polynb.site.opening import with_playground
from polynb.site.reference import cell_magics, library, programs, terms
from polynb.site.shared import FOLDER as SHARED, SharedParts
from polynb.site.slides import write_slides
from polynb.site.steppers import playable

COPIES: Final = "download"  # the folder of the site with the notebooks themselves
SLIDES: Final = "slides"  # that of lessons as slides
FIRST: Final = ("lessons", "labs")  # of the folders of notebooks/ at the side of a page
REFERENCE: Final = ("magics", "library/index", "gallery", "glossary")
LANGUAGE: Final = Path(language.PLACE).with_suffix("").as_posix()  # a page of the checkout
_ANCHOR: Final = re.compile(r"(\]\([^)]*?\.ipynb#)([^)]+)\)")
_README: Final = re.compile(r"(\]\([^)]*?)\bREADME\.md")


def write_sources(root: Path, to: Path, live: str) -> list[str]:
    """Write the pages' sources; folders whose content is copied to the site as it is. `live` leads
    from the first page to live pages ("": there are none). Raises PolynbError for a folder that is
    no checkout."""
    notebooks = root / "notebooks"
    if not (notebooks.is_dir() and (root / "README.md").is_file()):
        raise PolynbError(
            f"{root} has no README.md and notebooks/",
            hint="python -m polynb.site OUT --root CHECKOUT",
        )
    shutil.copytree(
        notebooks, to / "notebooks", ignore=shutil.ignore_patterns("*.ipynb", "*.md", ".*")
    )
    extra = to.parent / "extra"
    shared = SharedParts(extra / SHARED)
    for path in found(root):
        place = path.relative_to(root)
        kept = student(read(path)) if path.parent.name == "labs" else read(path)
        _write(extra / COPIES / place, kept)
        shown = shared.notebook(playable(kept), extra / place.parent)
        _write(to / place, with_links(shown, place))
    for text in (*root.glob("*.md"), *notebooks.rglob("*.md")):
        place = to / text.relative_to(root)
        place = place.with_name("index.md") if place.name == "README.md" else place
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_relinked(text.read_text("utf-8")), "utf-8")
    lessons = [p for p in found(root) if p.parent.name == "lessons"]
    write_slides(lessons, extra / SLIDES, "../notebooks/lessons", shared)
    _write_reference(root, to, shared)
    shared.write_styles()
    index = to / "index.md"
    opened = with_playground(index.read_text("utf-8"), live)
    index.write_text(opened + _contents(root, to), encoding="utf-8")
    return [str(extra)]


def _write_reference(root: Path, to: Path, shared: SharedParts) -> None:
    folder = to / "reference"
    lessons = [p for p in found(root) if p.parent.name == "lessons"]
    up = "../notebooks/lessons"
    magics = playable(cell_magics.page(lessons, up))
    _write(folder / "magics.ipynb", shared.notebook(magics, shared.folder.parent / "reference"))
    (folder / library.FOLDER).mkdir()
    for name, text in library.pages().items():
        (folder / library.FOLDER / name).write_text(text, encoding="utf-8")
    (folder / "glossary.md").write_text(terms.page(lessons, up), encoding="utf-8")
    programs.write(folder)


def found(root: Path) -> list[Path]:
    """The notebooks of a checkout, in the order of their names."""
    paths = sorted((root / "notebooks").rglob("*.ipynb"))
    return [p for p in paths if ".ipynb_checkpoints" not in p.parts]


def _relinked(text: str) -> str:
    """Links as the site has them: pages instead of README.md, and headings as GitHub names them
    where they are as Jupyter does."""
    text = _README.sub(r"\1index.md", text)
    return _ANCHOR.sub(lambda found: f"{found[1]}{anchor(found[2])})", text)


def with_links(notebook: Notebook, place: Path) -> Notebook:
    """A notebook's page, with links to its file and to its slides below the title."""
    up = "../" * (len(place.parts) - 1)
    link = f'<a href="{up}{COPIES}/{place.as_posix()}" download>this notebook</a>'
    deck = f'<a href="{up}{SLIDES}/{place.stem}.html">Slides</a>.'
    shown = f" {deck}" if place.parent.name == "lessons" else ""
    line = f'<p class="polynb-file">Download {link}, to run and change it.{shown}</p>\n'
    cell = {"cell_type": "markdown", "id": "file", "metadata": {}, "source": line}
    cells = list(map(_as_shown, notebook["cells"]))
    return notebook | {"cells": [*cells[:1], cell, *cells[1:]]}


def _as_shown(cell: Notebook) -> Notebook:
    """A cell as Jupyter shows it: its text folded, if that is hidden there."""
    if cell["cell_type"] == "markdown":
        return cell | {"source": _relinked("".join(cell["source"]))}
    metadata = cell["metadata"]
    if not metadata.get("jupyter", {}).get("source_hidden"):
        return cell
    return cell | {"metadata": metadata | {"tags": [*metadata.get("tags", ()), "hide-input"]}}


def _contents(root: Path, to: Path) -> str:
    """The site's tables of contents: a folder of notebooks each, the reference, other texts."""
    notebooks = root / "notebooks"
    by_folder: dict[str, list[str]] = {}
    for path in found(root):
        page = path.relative_to(root).with_suffix("").as_posix()
        by_folder.setdefault(path.parent.relative_to(notebooks).as_posix(), []).append(page)
    order = sorted(by_folder, key=lambda f: (f not in FIRST, FIRST.index(f) if f in FIRST else f))
    parts = [_listed("Notebooks" if f == "." else f.capitalize(), by_folder[f]) for f in order]
    reference = [LANGUAGE, *(f"reference/{page}" for page in REFERENCE)]
    parts.append(_listed("Reference", reference))
    texts = sorted(p.relative_to(to).with_suffix("") for p in to.rglob("*.md"))
    listed = ("index", "reference")
    rest = [p.as_posix() for p in texts if p.parts[0] not in listed and p.as_posix() != LANGUAGE]
    return "".join([*parts, _listed("About", rest)])


def _listed(title: str, pages: list[str]) -> str:
    lines = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {title}\n\n{lines}\n```\n"


def _write(path: Path, notebook: Notebook) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
