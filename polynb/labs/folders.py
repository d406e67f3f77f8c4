"""Where the files of exercises are: in folders of a teacher's own, and in the library's `sheets`.

A file of the same name in both is one file, in which what the teacher's says stands in the place of
what the library's says: so exercises are added, changed, and translated.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from polynb.errors import PolynbError

Toml = Any
"""What a file has: a text, number or truth value, or tables and lists of such."""
Table = Mapping[str, Toml]

VARIABLE: Final = "POLYNB_EXERCISES"
"""Names the folders, as PATH does, for all processes: what a notebook says of them does not count
then, so that grading is by the teacher's files."""
LAB: Final = "lab.toml"
_NAME: Final = re.compile(r"[A-Za-z]\w*")
_used: list[Path] = []


def use(*folders: str | os.PathLike[str]) -> None:
    """Takes exercises from these folders, too: `labs.use("exercises")`, and
    `labs.exercise("loops.even")` is the one in the file `exercises/loops/even.toml`. Of several
    folders, the first counts most. Where POLYNB_EXERCISES names folders, those are taken instead.
    Raises PolynbError for what is no folder."""
    if not os.environ.get(VARIABLE):
        _used[:] = [_folder(Path(f)) for f in folders]


def own_folders() -> list[Path]:
    """The folders of a teacher's own, the one that counts most first."""
    named = os.environ.get(VARIABLE)
    if not named:
        return list(_used)
    return [_folder(Path(f)) for f in named.split(os.pathsep) if f]


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise PolynbError(
            f"there is no folder {path}", hint="one with a folder for each lab, and its lab.toml"
        )
    return path.resolve()


def own_labs() -> list[str]:
    """The labs that folders of a teacher's own have: their folders with a file `lab.toml`."""
    found = dict.fromkeys(
        file.parent.name for f in own_folders() for file in sorted(f.glob(f"*/{LAB}"))
    )
    for name in found:
        refuse_name(name)
    return list(found)


def refuse_name(lab: str) -> None:
    """Raises PolynbError for what a lab cannot be called."""
    if not _NAME.fullmatch(lab):
        raise PolynbError(f"a lab cannot be called {lab!r}", hint="letters, digits and _: week_3")


def table(place: str) -> Table:
    """What a file says, `lab1/triangle.toml`. Raises PolynbError if there is none, and for one
    that is no TOML."""
    found = _packaged(place)
    for folder in reversed(own_folders()):
        own = _read(folder / place)
        found = own if found is None else found if own is None else merged(found, own)
    if found is None:
        raise PolynbError(f"there is no file {place}", hint=_where())
    return found


def own_file(place: str) -> Path:
    """The file of that name in the first of a teacher's own folders that has it. Raises PolynbError
    if none has."""
    for folder in own_folders():
        if (folder / place).is_file():
            return folder / place
    raise PolynbError(f"there is no file {place}", hint=_where())


def _where() -> str:
    folders = own_folders()
    return f"in {', '.join(map(str, folders))}" if folders else 'labs.use("folder")'


def _read(path: Path) -> Table | None:
    if not path.is_file():
        return None
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise PolynbError(f"{path} cannot be read", reason=str(error), hint="TOML") from None


@cache
def _packaged(place: str) -> Table | None:
    file = files("polynb.labs").joinpath("sheets", *place.split("/"))
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else None


def merged(below: Toml, above: Toml) -> Toml:
    """What one file says, with what another says in its place: tables name by name, lists of tables
    one after the other, everything else as a whole."""
    match below, above:
        case dict(), dict():
            both = {n: merged(below[n], v) if n in below else v for n, v in above.items()}
            return {**below, **both}
        case [dict(), *_], [dict(), *_]:
            longer = below[len(above) :] or above[len(below) :]
            return [*(merged(b, a) for b, a in zip(below, above, strict=False)), *longer]
    return above
