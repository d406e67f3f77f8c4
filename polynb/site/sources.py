"""The sources of the site's pages: the checkout's texts and notebooks, in the same folders, so that
links between them hold; and what is written for them (`reference`)."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.labs.copies import Notebook, read, student
from polynb.site.steppers import playable

COPIES: Final = "download"  # the folder of the site with the notebooks themselves
GROUPS: Final = {"Lessons": "lessons", "Labs": "labs", "Notebooks": ""}
"""What stands at the side: folders of notebooks/."""
_README: Final = re.compile(r"(\]\([^)]*?)\bREADME\.md")


def write_sources(root: Path, to: Path) -> list[str]:
    """Write the pages' sources; folders whose content is copied to the site as it is. Raises
    PolynbError for a folder that is no checkout."""
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
    for path in found(root):
        place = path.relative_to(root)
        kept = student(read(path)) if path.parent.name == "labs" else read(path)
        _write(extra / COPIES / place, kept)
        _write(to / place, with_links(playable(kept), place))
    for text in (*root.glob("*.md"), *notebooks.rglob("*.md")):
        place = to / text.relative_to(root)
        place = place.with_name("index.md") if place.name == "README.md" else place
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_README.sub(r"\1index.md", text.read_text("utf-8")), "utf-8")
    with (to / "index.md").open("a", encoding="utf-8") as index:
        index.write(_contents(root, to))
    return [str(extra)]


def found(root: Path) -> list[Path]:
    """The notebooks of a checkout, in the order of their names."""
    paths = sorted((root / "notebooks").rglob("*.ipynb"))
    return [p for p in paths if ".ipynb_checkpoints" not in p.parts]


def with_links(notebook: Notebook, place: Path) -> Notebook:
    """A notebook's page, with a link to its file below the title."""
    up = "../" * (len(place.parts) - 1)
    link = f'<a href="{up}{COPIES}/{place.as_posix()}" download>this notebook</a>'
    line = f'<p class="polynb-file">Download {link}, to run and change it.</p>\n'
    cell = {"cell_type": "markdown", "id": "file", "metadata": {}, "source": line}
    return notebook | {"cells": [*notebook["cells"][:1], cell, *notebook["cells"][1:]]}


def _contents(root: Path, to: Path) -> str:
    parts = []
    for title, folder in GROUPS.items():
        place = root / "notebooks" / folder
        parts.append(_toctree(title, (p for p in found(root) if p.parent == place), root))
    others = sorted(p.relative_to(to).with_suffix("") for p in to.rglob("*.md"))
    rest = [p.as_posix() for p in others if p.as_posix() != "index" and p.parts[0] != "reference"]
    return "".join([*parts, _listed("About", rest)])


def _toctree(title: str, paths: Iterable[Path], root: Path) -> str:
    return _listed(title, [p.relative_to(root).with_suffix("").as_posix() for p in paths])


def _listed(title: str, pages: list[str]) -> str:
    lines = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {title}\n\n{lines}\n```\n"


def _write(path: Path, notebook: Notebook) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
