"""Files of streams -> a Folding, line by line: only what is folded is held in memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from polynb.arguments import file as checked_file, flag, one_of
from polynb.errors import PolynbError
from polynb.folding.arrays import MOST_DIMS, MOST_OUTPUTS, Ints, integers
from polynb.folding.model import NAMED
from polynb.tracing.exchange.collecting import HINT, Collected, StreamsError, stream_of
from polynb.tracing.model import Folding

__all__ = ["StreamsError", "read_streams"]

NAME: Final = r"[A-Za-z_][\w.]*"
KEY: Final = rf"{NAME}(?: -> {NAME})?"
DECLARED: Final = re.compile(rf"stream ({KEY}):([^>]*)->(.*)")
ENTRY: Final = re.compile(rf"({KEY}):([-\d\s]*)->([-\d\s]*)")
WORD: Final = re.compile(r"[A-Za-z_]\w*'?")
LEAST, MOST = -(2**63), 2**63 - 1


def read_streams(
    path: str | os.PathLike[str], *, variant: str = "F_GG,W", skip: bool = False
) -> Folding:
    """Fold the streams of a file that any tracer wrote; `help(polynb.tracing.exchange)` says how
    it looks (text, or `.npz`). Its instructions have no text and no place.

    Raises StreamsError, with the line, for a file that is not as it should be and for vectors that
    are out of order or repeated (with `skip` these are left out and counted); its `folding` is
    what was folded before.
    """
    file = checked_file("path", path)
    found = Collected(str(path), one_of("variant", variant, NAMED), skip=flag("skip", skip))
    try:
        if file.suffix == ".npz":
            return _arrays(file, found)
        with file.open(encoding="utf-8", errors="replace") as lines:
            return read_lines(lines, found)
    except OSError as error:
        raise PolynbError(f"{path} cannot be read", reason=error.strerror) from None


def read_lines(lines: Iterable[str], found: Collected) -> Folding:
    """The same of lines."""
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text.startswith("stream "):
            _declare(text, number, found)
        elif text:
            _entry(text, number, found)
    return found.folding()


def _declare(text: str, number: int, found: Collected) -> None:
    match = DECLARED.fullmatch(text)
    if match is None:
        raise found.error(f"no stream is declared by {_cut(text)}", number)
    name, *lists = match.groups()
    dims, outputs = ([x.strip() for x in part.split(",") if x.strip()] for part in lists)
    for word in (*dims, *outputs):
        if not WORD.fullmatch(word):
            raise found.error(f"{word!r} is no name of a loop or a label", number)
    if found.stream(name) is not None:
        raise found.error(f"the stream {name} is declared twice", number)
    found.open(stream_of(name, dims, outputs))


def _entry(text: str, number: int, found: Collected) -> None:
    match = ENTRY.fullmatch(text)
    if match is None:
        raise found.error(f"no entry is {_cut(text)}", number, "`I1: 0 0 -> 12` is one")
    name = match[1]
    stream = found.stream(name)
    if stream is None:
        raise found.error(
            f"the stream {name} is not declared before", number, f"`stream {name}: i -> address`"
        )
    try:
        point, labels = ([int(x) for x in part.split()] for part in match.groups()[1:])
    except ValueError:
        raise found.error(f"no entry is {_cut(text)}", number, "its numbers are none") from None
    for values, names, what in (
        (point, stream.dimensions, "coordinate"),
        (labels, stream.outputs, "label"),
    ):
        if len(values) != len(names):
            raise found.error(
                f"{name} has {len(names)} {what}s, and this entry {len(values)}", number
            )
        if any(not LEAST <= v <= MOST for v in values):
            raise found.error(f"a {what} does not fit 64 bits", number)
    found.add(name, point, labels, number)


def _cut(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


# -- NumPy -----------------------------------------------------------------------------------


def _arrays(file: Path, found: Collected) -> Folding:
    arrays = _loaded(file)
    names = [k.removesuffix("/points") for k in arrays if k.endswith("/points")]
    known = {f"{name}/{part}" for name in names for part in ("points", "labels", "names")}
    for key in arrays.keys() - known:
        raise found.error(f"it belongs to no stream: `{key.partition('/')[0]}/points` is none", key)
    if not names:
        raise found.error("no stream is in it", "its arrays")
    for name in names:
        if not re.fullmatch(KEY, name):
            raise found.error(f"{name!r} is no name of a stream", f"{name}/points")
        points = _integers(arrays[f"{name}/points"], f"{name}/points", found)
        count = len(points)
        labels = arrays.get(f"{name}/labels", np.zeros((count, 0), np.int64))
        labels = _integers(labels, f"{name}/labels", found)
        if len(labels) != count:
            raise found.error(f"{len(labels)} labels of {count} points", f"{name}/labels")
        dims, width = points.shape[1], points.shape[1] + labels.shape[1]
        if dims > MOST_DIMS or width > dims + MOST_OUTPUTS:
            raise found.error(f"{width} numbers in each entry are too many", f"{name}/points")
        given = arrays.get(f"{name}/names", np.array(_names(dims, labels.shape[1])))
        words = given.tolist() if given.ndim == 1 else []
        if len(words) != width or not all(WORD.fullmatch(str(w)) for w in words):
            raise found.error(f"{width} names are needed", f"{name}/names")
        found.whole(stream_of(name, words[:dims], words[dims:]), points, labels)
    return found.folding()


def _loaded(file: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file. What is wrong with a damaged one, NumPy and what it reads by say in
    whatever error comes first."""
    with file.open("rb") as opened:
        try:
            with np.load(opened, allow_pickle=False) as archive:
                return {name: np.asarray(archive[name]) for name in archive.files}
        except Exception as error:
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise PolynbError(f"{file} is no NumPy file", reason=reason, hint=HINT) from None


def _names(dims: int, outputs: int) -> list[str]:
    named = ["value"] if outputs == 1 else [f"v{k + 1}" for k in range(outputs)]
    return [*(f"c{k + 1}" for k in range(dims)), *named]


def _integers(array: NDArray[Any], place: str, found: Collected) -> Ints:
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise found.error(f"not {array.shape} of {array.dtype}, but (n, D) integers", place)
    try:
        return integers(place, array)
    except PolynbError as error:
        raise found.error(error.message, place) from None
