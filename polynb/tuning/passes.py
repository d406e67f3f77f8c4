"""Passes by their names, as a script begins with them: `propagate windows=32`.

A search starts from what they make of a program, and scripts say that with the same words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from polynb.delicm import remove_scalars
from polynb.derivation import Derivation, Pass
from polynb.moves.script import SIZED, PassLine
from polynb.optimising.algorithm import optimise
from polynb.optimising.pictures import chosen_by_data, is_pipeline
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.scop.model import Scop
from polynb.windows import STRIP, TOGETHER

RUN: Final[Mapping[str, Pass[..., Any, Any]]] = {
    "optimise": optimise,
    "propagate": propagate,
    "reorder": reorder,
    "remove_scalars": remove_scalars,
}

STRIPS: Final = f"propagate windows={STRIP}"
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "optimise": (),
    STRIPS: (),
    "propagate": ("propagate recurrences=strips",),
    "reorder": (),
    "reorder tile=32": ("reorder tile=64", "reorder tile=16"),
    "remove_scalars": (),
}
"""What a search tries of them, and what instead where that measured well."""
HEIGHTS: Final = (8, 256)
"""The least and the most rows of a strip that it tries,"""
MOST_TOGETHER: Final = 8
"""and how many rows together."""


def proposed(scop: Scop, names: Collection[str], sizes: Mapping[str, int]) -> Iterator[str]:
    """The passes of these names that may change a program; of a pipeline strips of more and of
    fewer rows at once, since that hangs on caches. Once more those that take `sizes`, told them:
    what a model knows of caches is right for some programs and wrong for others."""
    pictures = [a for a in scop.arrays.values() if a.dimensions > 1]
    scalars = {s.write.array for s in scop.statements if not scop.arrays[s.write.array].dimensions}
    needed = {
        "propagate": bool(scop.temporaries),
        STRIPS: any(a.role == "temp" for a in pictures) and any(a.live_out for a in pictures),
        "remove_scalars": bool(scalars),
    }
    for line in VARIANTS:
        if line.split()[0] in names and needed.get(line, True):
            yield line
            if line == STRIPS and is_pipeline(scop):
                yield from otherwise(scop, line)
            told = [f"{p}={sizes[p]}" for p in scop.parameters if p in sizes and line in SIZED]
            if told:
                yield " ".join([line, *told])


def otherwise(scop: Scop, line: str, gone: Iterable[str] = ()) -> Iterator[str]:
    """The same pass of a program, told something else: where strips measured well, those of twice
    and of half the rows, twice and half as many rows together, and a window also of an array that
    is `gone`."""
    yield from VARIANTS.get(line, ())
    if line == "propagate" and chosen_by_data(scop):
        yield from ("propagate by_data=true", "propagate by_data=true recurrences=strips")
    told = dict(o.split("=") for o in line.split()[1:])
    if "windows" not in told:
        return
    rows, together = int(told["windows"]), int(told.get("together", TOGETHER))
    options: list[dict[str, object]] = []
    options += ({"windows": n} for n in (2 * rows, rows // 2) if HEIGHTS[0] <= n <= HEIGHTS[1])
    options += ({"together": n} for n in (together // 2, 2 * together) if 1 <= n <= MOST_TOGETHER)
    kept = told.get("keep", "").split(",")
    options += ({"keep": ",".join([*filter(None, kept), a])} for a in gone)
    for new in options:
        yield " ".join(["propagate", *(f"{k}={v}" for k, v in {**told, **new}.items())])


def passed(program: Scop | Derivation[Any, Any], line: PassLine) -> Derivation[Any, Any]:
    """What a pass makes of a program. Raises PolynbError for what it cannot be told."""
    options: dict[str, Any] = dict(line.options)
    if line.name in SIZED:
        return RUN[line.name](program, options)
    for name in ("interchange", "tile"):
        sizes = str(options.get(name, ""))
        if "," in sizes or (name == "interchange" and sizes.isdigit()):
            options[name] = [int(n) if n.isdigit() else n for n in sizes.split(",")]
    return RUN[line.name](program, **options)
