"""The index of the gallery: what there is, where it comes from, how large it is usually run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING

from polynb.arguments import text as text_of
from polynb.errors import PolynbError

if TYPE_CHECKING:
    from polynb.scop.model import Scop


@dataclass(frozen=True)
class Entry:
    """A program of the gallery. `source` is a paper's figure or benchmark, or "classic kernel";
    `language` is "scop" or "c"; `sizes` are its usual parameter values."""

    name: str
    title: str
    source: str
    language: str
    sizes: Mapping[str, int]

    @property
    def file(self) -> str:
        return f"{self.name}.{self.language}"


@cache
def _index() -> Mapping[str, Entry]:
    import tomllib

    here = files(__package__)
    present = {f.name for f in here.iterdir()}
    lines = tomllib.loads(here.joinpath("index.toml").read_text(encoding="utf-8"))
    return {
        name: Entry(name, language="c" if f"{name}.c" in present else "scop", **line)
        for name, line in lines.items()
    }


def names() -> tuple[str, ...]:
    """All programs: the papers' figures, then their benchmarks, then the classic kernels."""
    return tuple(_index())


def entry(name: str) -> Entry:
    """What the index says of a program (`jacobi-1d` is `jacobi_1d`).

    Raises PolynbError for a name that the gallery does not have.
    """
    text_of("name", name, 'pn.gallery.load("harris")')
    found = _index().get(name.replace("-", "_"))
    if found is None:
        close = get_close_matches(name, names(), cutoff=0.5)
        raise PolynbError(
            f"the gallery has no program {name!r}",
            hint=f"{'one of: ' if len(close) != 1 else ''}{', '.join(close or names())}",
        )
    return found


def text(name: str) -> str:
    """The text of a program, as `%%scop` would take it."""
    found = entry(name)
    file = files(__package__).joinpath(found.file)
    return file.read_text(encoding="utf-8") if file.is_file() else _written(found.name)


@cache
def _written(name: str) -> str:
    """The text of a long pipeline, which a module of `pipelines/` writes."""
    written: str = import_module(f"{__package__}.pipelines.{name}").program()
    return written


def sizes(name: str) -> dict[str, int]:
    """The parameter values a program is usually run at; pictures: R rows and C columns."""
    return dict(entry(name).sizes)


def origin(scop: Scop) -> Entry | None:
    """The program of the gallery that a Scop was read from, None if it is another one."""
    source = None if scop.program is None else scop.program.source
    if source is None:
        return None
    found = _index().get(source.name.rpartition(".")[0])
    return found if found is not None and source.text == text(found.name) else None


def describe(name: str) -> str:
    """One line: the title of a program and where it comes from."""
    found = entry(name)
    return f"{found.title} ({found.source})"
