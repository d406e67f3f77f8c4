"""The glossary's page: the terms that displays explain (`polynb.show.glossary`), each with its
paper and with the first lesson that has it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from polynb.labs.copies import read
from polynb.show.glossary import Definition, definitions


def papers() -> Mapping[str, Mapping[str, str]]:
    """The papers by the names that the glossary has for them: `text`, and `url` if there is one."""
    text = files("polynb.site").joinpath("papers.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def page(lessons: Sequence[Path], up: str) -> str:
    """MyST's Markdown; `lessons` are notebooks in their order, `up` leads from the page to their
    folder."""
    texts = {p: prose(p) for p in lessons}
    terms = sorted(definitions(), key=lambda d: d.term.casefold())
    parts = [
        "# Glossary\n\nThe papers' terms, as displays explain them where the pointer rests on one.",
        "```{glossary}\n" + "\n\n".join(_entry(d, texts, up) for d in terms) + "\n```",
        "## Papers",
        *(f"({_target(name)})=\n**{name}**: {_cited(**about)}" for name, about in papers().items()),
    ]
    return "\n\n".join(parts) + "\n"


def _entry(definition: Definition, texts: Mapping[Path, str], up: str) -> str:
    found = lesson_of(definition, texts)
    lesson = "" if found is None else f" See [{title(texts[found])}]({up}/{found.name})."
    return f"{definition.term}\n  {definition.means} ({_linked(definition.source)}){lesson}"


def _linked(source: str) -> str:
    """`CC'18, section 2.2` with a link from the paper's name."""
    for name in papers():
        source = source.replace(name, f"[{name}](#{_target(name)})")
    return source


def _target(name: str) -> str:
    return f"paper-{re.sub(r'[^a-z0-9]', '', name.casefold())}"


def _cited(text: str, url: str = "") -> str:
    return f"{text}. <{url}>" if url else f"{text}."


def prose(path: Path) -> str:
    """The texts of a notebook, without code."""
    cells = [c for c in read(path)["cells"] if c["cell_type"] == "markdown"]
    return re.sub(r"```.*?```", "", "\n\n".join("".join(c["source"]) for c in cells), flags=re.S)


def title(text: str) -> str:
    """What a notebook's first heading says."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].strip() if found else ""


def lesson_of(definition: Definition, texts: Mapping[Path, str]) -> Path | None:
    """The first lesson that introduces a term, which is where it is emphasised; else the first
    that has it."""
    written = "|".join(sorted(definition.forms, key=len, reverse=True))
    emphasised = re.compile(rf"(?<!\w)\*{{1,2}}(?:{written})(?:\W[^*\n]*)?\*", re.IGNORECASE)
    anywhere = re.compile(rf"(?<![\w-])(?:{written})(?![\w-])", re.IGNORECASE)
    for pattern in (emphasised, anywhere):
        for path, text in texts.items():
            if pattern.search(text):
                return path
    return None
