"""The OpenMP programs of Rodinia 3.1, as they lie in a person's own clone: how each is built, and
run on a small input that is generated here. Nothing of the suite is in polynb."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final


@dataclass(frozen=True)
class SuiteProgram:
    """A program of the suite: `sources` within its `folder` (that of its name), what
    it is called with, and the files it reads (by their place beside the directory that it runs
    in): each a generator and its arguments."""

    name: str
    sources: Sequence[str]
    arguments: Sequence[str]
    flags: Sequence[str] = ()
    inputs: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    folder: str = ""

    def files(self) -> dict[str, str]:
        """The texts of those files."""
        return {at: GENERATORS[name](*given) for at, (name, *given) in self.inputs.items()}


def _numbers(count: int, low: float, high: float, seed: int = 1) -> Iterator[float]:
    """Pseudo-random numbers, the same ones every time."""
    source = random.Random(seed)
    return (source.uniform(low, high) for _ in range(count))


def column(count: int, low: float, high: float) -> str:
    """A number on each line."""
    return "".join(f"{x:.4f}\n" for x in _numbers(count, low, high))


def graph(nodes: int = 600, degree: int = 4) -> str:
    """bfs: the number of nodes; of each its first edge and how many; the source; the edges."""
    source = random.Random(2)
    heads = "".join(f"{degree * k} {degree}\n" for k in range(nodes))
    edges = "".join(f"{source.randrange(nodes)} 1\n" for _ in range(nodes * degree))
    return f"{nodes}\n{heads}\n0\n\n{nodes * degree}\n{edges}"


def mesh(elements: int = 8) -> str:
    """cfd: of each element its area, and of each of four neighbours the number (-1: a wing, -2: far
    away; from 1) and a normal."""
    lines = [str(elements)]
    for k in range(elements):
        around = [k or -1, k + 2 if k + 1 < elements else -2, (k + 7) % elements + 1, -2]
        normals = _numbers(12, -0.05, 0.05, seed=k)
        sides = " ".join(f"{n} " + " ".join(f"{next(normals):.5f}" for _ in "xyz") for n in around)
        lines.append(f"0.5 {sides}")
    return "\n".join(lines) + "\n"


def records(count: int, seed: int) -> str:
    """nn: hurricanes in lines of 49 characters, the place in columns 28 to 38."""
    source, lines = random.Random(seed), []
    for k in range(count):
        place = f"{source.uniform(7, 63):5.1f} {source.uniform(0, 358):5.1f}"
        lines.append(f"{1950 + k % 60} {k % 12 + 1:2d} {k % 28 + 1:2d} 12 {k:3d} POLYNB  "
                     .ljust(27)[:27] + place + f" {k % 150:4d} {k % 900:4d}".ljust(10))  # fmt: skip
    return "".join(line[:48].ljust(48) + "\n" for line in lines)


def points(count: int = 120, attributes: int = 6) -> str:
    """kmeans: a number and the attributes of each point."""
    values = _numbers(count * attributes, 0, 100)
    rows = (" ".join(f"{next(values):.3f}" for _ in range(attributes)) for _ in range(count))
    return "".join(f"{k} {row}\n" for k, row in enumerate(rows))


def image(rows: int, columns: int) -> str:
    """srad: a picture in PGM's text form."""
    pixels = " ".join(str(int(x)) for x in _numbers(rows * columns, 1, 255))
    return f"P2\n{columns} {rows}\n255\n{pixels}\n"


def keys(count: int = 800) -> str:
    """b+tree: how many numbers there are, then the numbers."""
    numbers = list(range(count))
    random.Random(3).shuffle(numbers)
    return f"{count}\n" + "".join(f"{n}\n" for n in numbers)


def lines(*texts: str) -> str:
    """A text of several lines."""
    return "".join(f"{t}\n" for t in texts)


GENERATORS: Final[Mapping[str, Callable[..., str]]] = {
    f.__name__: f for f in (column, graph, image, keys, lines, mesh, points, records)
}


def _programs() -> tuple[SuiteProgram, ...]:
    text = files("polynb.evaluation").joinpath("rodinia.toml").read_text("utf-8")
    return tuple(SuiteProgram(name, **row) for name, row in tomllib.loads(text).items())


PROGRAMS: Final = _programs()

LEFT_OUT: Final = {
    "heartwall": "it reads a video (AVI), which is not generated here",
    "leukocyte": "it reads a video (AVI), which is not generated here",
}


def lay_out(program: SuiteProgram, room: Path) -> Path:
    """Write a program's input under `room`; the directory that it is to run in."""
    directory = room / "a" / "b" / "run"
    directory.mkdir(parents=True, exist_ok=True)
    for place, text in program.files().items():
        path = (directory / ".." / place).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory
