"""What the commands of the evaluation share: options, programs, and the head of a report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

import numpy as np

from polynb import gallery
from polynb.errors import PolynbError
from polynb.evaluation.paper import PAPER
from polynb.run.kernel import HEAPS
from polynb.scop.model import Scop
from polynb.scop.sizes import extents_at
from polynb.tuning.results import Sweep
from polynb.tuning.sweeping import sweep
from polynb.tuning.trial import Options, Trial

STORED: Final = Path(__file__).parent / "results"
"""What the commands found on one machine, a Zen 4 server with two processors: their `--json` files,
and the rows of the benchmarks of `tests/benchmarks/`."""


def parser(
    name: str, about: str, *, measuring: bool = True, sweeping: bool = True
) -> argparse.ArgumentParser:
    """The options that every command has, that measure, and that sweep."""
    found = argparse.ArgumentParser(prog=f"python -m polynb.evaluation.{name}", description=about)
    found.add_argument(
        "names", nargs="*", metavar="NAME", help=f"pipelines (default: {', '.join(PAPER)})"
    )
    found.add_argument("--json", type=Path, metavar="FILE", help="also write what was found there")
    if measuring:
        found.add_argument("--rounds", type=int, help="of each measurement (default: by time)")
        found.add_argument("--seconds", type=float, default=2.0, help="for each measurement (2)")
        found.add_argument("--threads", type=int, help="of parallel loops (default: all)")
        found.add_argument("--sizes", type=_sizes, default={}, help="other sizes: R=640,C=480")
    if measuring and sweeping:
        found.add_argument("--heap", choices=HEAPS, default="kept")
        found.add_argument("--compiler", help="gcc, clang, zig or a path")
        found.add_argument("--resume", metavar="FILE", help="keep rows there; go on from them")
    return found


def _sizes(text: str) -> dict[str, int]:
    """`R=640,C=480`."""
    pairs = (part.partition("=") for part in text.split(","))
    return {name.strip(): int(value) for name, _, value in pairs}


def pipelines(names: Sequence[str]) -> Iterator[tuple[str, Scop]]:
    """The programs of these names (by default, the paper's seven); of one that the gallery does
    not have, or that cannot be read, a line on stderr says so."""
    for name in names or tuple(PAPER):
        try:
            scop = gallery.load(name)
        except PolynbError as error:
            print(f"{name} is left out: {error.message}", file=sys.stderr)
            continue
        yield name.replace("-", "_"), scop


def trial(name: str, scop: Scop, options: argparse.Namespace) -> Trial:
    """The trial of a pipeline at the usual or the given sizes, with the paper's flags."""
    values = {**gallery.sizes(name), **options.sizes}
    values = {p: values[p] for p in scop.parameters if p in values}
    return Trial(
        scop,
        values,
        arrays=pictures(scop, values),
        rounds=options.rounds,
        seconds=options.seconds,
        compile_options={
            "threads": options.threads,
            "heap": getattr(options, "heap", "kept"),
            "compiler": getattr(options, "compiler", None),
            "fast_math": True,
        },
    )


def swept(
    options: argparse.Namespace, variants: Callable[[Scop], Mapping[str, Options]]
) -> dict[str, Sweep]:
    """A sweep over the variants of each chosen pipeline, shown as soon as it is done."""
    found = {}
    for name, scop in pipelines(options.names):
        found[name] = sweep(variants(scop), trial(name, scop, options), resume=options.resume)
        print(f"{name}\n{found[name]}", end="\n\n")
    return found


def write_json(path: Path | None, found: Mapping[str, Sweep]) -> None:
    """All rows of the sweep of each pipeline: `{"harris": {"rows": [...]}}`."""
    if path is not None:
        rows = {name: json.loads(s.to_json()) for name, s in found.items()}
        path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Sweep]:
    """What `write_json` wrote: the sweep of each pipeline."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return {name: Sweep.from_json(json.dumps(rows)) for name, rows in found.items()}


def run(main: Callable[[], int]) -> NoReturn:
    """End the process with what a command returns, or with what is to be mended first."""
    try:
        sys.exit(main())
    except PolynbError as error:
        sys.exit(str(error))


# Inputs to time image pipelines on: a smooth picture, as cameras make them.
#
# Random numbers would be no picture: every data-dependent read would miss the caches, and rounding
# to whole numbers would differ wherever operations are reordered.


WHITE: Final = {"uint8": 255, "int16": 1023, "uint16": 65535}
"""The brightest value; that of int16 is a sensor's of 10 bits."""
LEAST: Final = 16  # rows and columns: what has fewer is a table
# Scalars and tables that have a meaning, as Halide's examples choose them.
SETTINGS: Final[Mapping[str, float | list[list[float]]]] = {
    "weight": 3.0,
    "threshold": 0.1,
    "alpha": 1 / 7,
    "beta": 1.0,
    "colour_temp": 3700.0,
    "contrast": 50.0,
    "gamma": 2.0,
    "matrix_3200": [[1.65, -0.25, -0.4, -42.5], [-0.35, 1.05, 1.6, -37], [-0.2, -1.9, 6.95, -26.5]],
    "matrix_7000": [[2.3, -0.45, 0.15, -39], [-0.4, 1.6, -0.2, -25.5], [-0.1, -0.75, 2.3, -20]],
}


def pictures(scop: Scop, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    """Content for the inputs of a pipeline: a picture for each array of at least LEAST rows and
    columns (channels first), the SETTINGS for what bears their names."""
    found = {}
    for array in scop.arrays.values():
        shape = extents_at(array, sizes)
        if array.role != "input" or None in shape:
            continue
        exact = tuple(e or 0 for e in shape)
        if len(exact) in (2, 3) and min(exact[-2:]) >= LEAST:
            found[array.name] = picture(exact, array.type.dtype)
        elif array.name in SETTINGS:
            given = np.asarray(SETTINGS[array.name], array.type.dtype)
            if given.shape == exact:
                found[array.name] = given
    return found


def picture(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Soft waves with some edges and a little noise, the channels shifted a little; the fourth
    channel is a mask of what is known, 0 or 1."""
    *channels, rows, columns = shape
    x, y = (k / np.float32(max(rows, columns)) for k in np.ogrid[:rows, :columns])
    noise = np.random.default_rng(0).random((rows, columns), np.float32)
    planes = []
    for c in range(channels[0] if channels else 1):
        waves = np.sin(23 * x + 11 * y + c) + np.cos(17 * x * y + 31 * y - c)
        edges = np.where((np.floor(7 * x) + np.floor(9 * y)) % 2, 0.1, -0.1)
        plane = 0.5 + 0.17 * waves + edges + 0.02 * (noise - 0.5)
        planes.append(plane if c < 3 else (plane > 0.45).astype(np.float32))
    scale = WHITE.get(dtype, 1)
    return (np.stack(planes).reshape(shape) * scale).astype(dtype)
