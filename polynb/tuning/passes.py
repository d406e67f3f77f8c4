"""Passes by their names, as a script begins with them: `propagate windows=32`.

A search starts from what they make of a program, and scripts say that with the same words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from polynb.delicm import remove_scalars
from polynb.derivation import Derivation, Pass
from polynb.moves.script import SIZED, PassLine
from polynb.optimising.algorithm import optimise
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.scop.model import Scop

RUN: Final[Mapping[str, Pass[..., Any, Any]]] = {
    "optimise": optimise,
    "propagate": propagate,
    "reorder": reorder,
    "remove_scalars": remove_scalars,
}

VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "optimise": (),
    "propagate": ("propagate recurrences=strips",),
    "propagate windows=32": tuple(f"propagate windows={n}" for n in (64, 16, 128)),
    "reorder": (),
    "reorder tile=32": ("reorder tile=64", "reorder tile=16"),
    "remove_scalars": (),
}
"""What a search tries of them, and what instead where that measured well."""


def proposed(scop: Scop, names: Collection[str], sizes: Mapping[str, int]) -> Iterator[str]:
    """The passes of these names that may change a program; once more those that take `sizes`, told
    them: what a model knows of caches is right for some programs and wrong for others."""
    pictures = [a for a in scop.arrays.values() if a.dimensions > 1]
    scalars = {s.write.array for s in scop.statements if not scop.arrays[s.write.array].dimensions}
    needed = {
        "propagate": bool(scop.temporaries),
        "propagate windows=32": any(a.role == "temp" for a in pictures)
        and any(a.live_out for a in pictures),
        "remove_scalars": bool(scalars),
    }
    for line in VARIANTS:
        if line.split()[0] in names and needed.get(line, True):
            yield line
            told = [f"{p}={sizes[p]}" for p in scop.parameters if p in sizes and line in SIZED]
            if told:
                yield " ".join([line, *told])


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
