"""The magics' page, a notebook: what each does and takes, from its parser, and a cell of a lesson
that uses it, with what it showed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polynb.labs.copies import Notebook, read
from polynb.show.displays.registry import with_magics
from polynb.show.magics.magics import PolynbMagics
from polynb.show.magics.passes import pass_magics
from polynb.site.reference.terms import title

Example = tuple[Path, dict[str, Any]]


def page(notebooks: Iterable[Path], up: str) -> Notebook:
    """`notebooks` in the order in which examples are looked for; `up` leads from the page to the
    folder whose paths they have."""
    found = {path: read(path) for path in notebooks}
    about = (
        "# Magics\n\nAfter `%load_ext polynb`. `%%name` takes the cell as a new program and binds "
        "the name on its line; `x = %name PROGRAM` takes a program there is: a variable, "
        "`fast.before`, or `gallery:harris`. `%%name?` shows what is said here. Cells are "
        f"in [the SCoP language]({up}/../language.md) or in C."
    )
    cells = [_markdown(about, "about")]
    for each in magics():
        cells.append(_markdown(_told(each), each.name))
        example = example_of(each, found)
        if example is not None:
            path, cell = example
            name = title("".join(found[path]["cells"][0]["source"]))
            cells += [
                _markdown(f"For example, from [{name}]({up}/{path.name}):", f"{each.name}-example")
            ]
            cells.append(cell | {"id": f"{each.name}-cell"})
    return {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}


_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def example_of(magic: MagicHelp, notebooks: Mapping[Path, Notebook]) -> Example | None:
    """The first short cell that uses a magic and shows something."""
    used = re.compile(rf"^(?:\w+ = )?%%?{magic.name}\b", re.MULTILINE)
    for path, notebook in notebooks.items():
        for cell in _shown(notebook):
            if used.search("".join(cell["source"])):
                return path, cell
    return None


def _shown(notebook: Notebook) -> Iterator[dict[str, Any]]:
    """Cells with an output that is no error."""
    for cell in notebook["cells"]:
        kinds = {o["output_type"] for o in cell.get("outputs", ())}
        if kinds & {"execute_result", "display_data"} and "error" not in kinds:
            yield cell


def _told(magic: MagicHelp) -> str:
    forms = ", ".join(f"`{form}`" for form in magic.forms)
    first, _, rest = inspect.cleandoc(magic.text).partition("\n\n")
    rows = "".join(f"| `{_bare(flag)}` | {_escaped(said)} |\n" for flag, said in magic.options)
    table = f"\n| word or option | what it says |\n|---|---|\n{rows}" if rows else ""
    usage = f"```text\n{magic.usage}\n```"
    return f"## {forms}\n\n{_text(first)}\n\n{_text(rest)}\n\n{usage}\n{table}"


def _text(text: str) -> str:
    """Paragraphs; what is indented is shown as it stands."""
    parts = []
    for part in text.split("\n\n"):
        indented = part and all(line.startswith("  ") for line in part.splitlines())
        parts.append(f"```text\n{inspect.cleandoc(part)}\n```" if indented else part)
    return "\n\n".join(parts)


def _bare(flag: str) -> str:
    """`--heap {kept,fresh}` for `--heap <{kept,fresh}>`, in a table."""
    return re.sub(r"<([{\[].*?[}\]])>", r"\1", flag).replace("|", r"\|")


def _escaped(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ").replace("<", "&lt;")


def _markdown(source: str, name: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


# -- what there is to know of each magic, from its parser ------------------------------------------


@dataclass(frozen=True)
class MagicHelp:
    """A magic as its users see it. `forms` are `%%name`, `%name` or both; `options` are each
    option, or the words of the line, with what is said of it."""

    name: str
    forms: tuple[str, ...]
    text: str
    usage: str
    options: tuple[tuple[str, str], ...]


def magics() -> tuple[MagicHelp, ...]:
    """All of them: those of programs, then the passes', each in alphabetical order."""
    classes = (PolynbMagics, pass_magics())
    found = [_help(name, of) for of in classes for name in _names(of)]
    passes = with_magics()
    return tuple(sorted(found, key=lambda m: (m.name in passes, m.name)))


def _names(of: type) -> Iterator[str]:
    table = of.magics  # type: ignore[attr-defined]  # IPython's decorator puts it there
    yield from dict.fromkeys([*table["cell"], *table["line"]])


def _help(name: str, of: type) -> MagicHelp:
    table = of.magics  # type: ignore[attr-defined]
    forms = [f"%%{name}"] * (name in table["cell"]) + [f"%{name}"] * (name in table["line"])
    parser = getattr(of, name).parser
    options = tuple(
        (parser._get_formatter()._format_action_invocation(action), action.help or "")
        for action in parser._actions
    )
    usage = re.sub(r"\s+", " ", parser.format_usage()).strip(": ")
    return MagicHelp(name, tuple(forms), parser.description or "", usage, options)
