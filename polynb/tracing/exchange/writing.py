"""The entries of a traced program -> a file that `read_streams` reads."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from polynb.arguments import file as checked_file
from polynb.errors import PolynbError
from polynb.tracing.model import Folding


def write_streams(folding: Folding, path: str | os.PathLike[str]) -> Path:
    """Write the raw entries that a Folding has kept, as text, or as `.npz`. Raises PolynbError
    where it has none, or the file cannot be written."""
    if not folding.streams:
        raise PolynbError(
            "this Folding has kept no entries", hint="pn.trace(..., streams=True) keeps them"
        )
    file = checked_file("path", path)
    try:
        if file.suffix == ".npz":
            _arrays(folding, file)
        else:
            _text(folding, file)
    except OSError as error:
        raise PolynbError(f"{path} cannot be written", reason=error.strerror) from None
    return file


def _text(folding: Folding, file: Path) -> None:
    with file.open("w", encoding="utf-8") as out:
        out.write("# polynb streams 1\n")
        for key, (points, labels) in folding.streams.items():
            stream = folding[key].stream
            name = stream.identifier
            loops, outputs = ", ".join(stream.dimensions), ", ".join(stream.outputs)
            out.write(f"stream {name}: {loops} -> {outputs}".rstrip() + "\n")
            for point, label in zip(points.tolist(), labels.tolist(), strict=True):
                left, right = (" ".join(map(str, part)) for part in (point, label))
                out.write(f"{name}: {left} -> {right}".rstrip() + "\n")


def _arrays(folding: Folding, file: Path) -> None:
    arrays = {}
    for key, (points, labels) in folding.streams.items():
        stream = folding[key].stream
        name = stream.identifier
        arrays[f"{name}/points"], arrays[f"{name}/labels"] = points, labels
        arrays[f"{name}/names"] = np.array([*stream.dimensions, *stream.outputs], dtype=np.str_)
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
