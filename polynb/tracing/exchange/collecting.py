"""Streams of a file, folded one beside the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from polynb.errors import PolynbError, Source
from polynb.folding import Folded, Folder, FoldingError, Kind, Stream, fold_arrays, variant_of
from polynb.folding.engine import EngineFolder
from polynb.folding.streams import LONG, finished, folder_of, refusal
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction, InstructionKind, LoopOf, RunFacts

Ints = NDArray[np.int64]
WAITING: Final = LONG
"""Entries of a stream that are folded together: of as many or more, by the engine."""
KINDS: Final[dict[tuple[str, ...], InstructionKind]] = {
    ("address",): "load",
    ("value",): "integer",
}


class StreamsError(PolynbError):
    """A file of streams that is not as it should be: `folding` has what was folded before."""

    folding: Folding


class Collected:
    """The streams of a file. Entries that a stream refuses are an error, or counted (`skip`)."""

    def __init__(self, name: str, variant: str, *, skip: bool) -> None:
        self.name, self.variant, self.skip = name, variant, skip
        self._streams: dict[str, Stream] = {}
        self._folders: dict[str, Folder | EngineFolder] = {}
        self._waiting: dict[str, tuple[list[list[int]], list[list[int]], list[int]]] = {}
        self._before: dict[str, list[int]] = {}
        self._whole: dict[str, Folded] = {}

    def open(self, stream: Stream) -> None:
        """A new stream."""
        name = stream.identifier
        self._streams[name] = stream
        self._waiting[name] = [], [], []

    def stream(self, name: str) -> Stream | None:
        return self._streams.get(name)

    def whole(self, stream: Stream, points: Ints, labels: Ints) -> None:
        """A stream that is there at once."""
        variant = variant_of(self.variant, len(stream.dimensions))
        try:
            found = fold_arrays(points, labels, stream, variant, skip=self.skip)
        except FoldingError as error:
            self._whole[stream.identifier] = error.folded
            raise self.error(error.message, f"{stream.identifier}/points", error.reason) from None
        self._whole[stream.identifier] = found

    def add(self, name: str, point: list[int], labels: list[int], place: int) -> None:
        """An entry; `place` is its line."""
        waiting = self._waiting[name]
        for part, value in zip(waiting[:2], (point, labels), strict=True):
            part.append(value)
        waiting[2].append(place)
        if len(waiting[2]) == WAITING:
            self._fold(name)

    def _fold(self, name: str) -> None:
        points, labels, places = self._waiting[name]
        arrays = np.array(points, np.int64), np.array(labels, np.int64)
        self._waiting[name] = [], [], []
        folder = self._folder(name, len(points))
        done = 0
        while done < len(points):
            folded, code = folder.feed(*(array[done:] for array in arrays))
            done += folded
            if code:
                if not self.skip:
                    before = points[done - 1] if done else self._before.get(name)
                    error = refusal(done, points[done], before, code)
                    raise self.error(
                        error.message.partition(", ")[2], places[done], f"{name}: {error.reason}"
                    )
                done += 1
        self._before[name] = points[-1] if points else self._before.get(name, [])

    def _folder(self, name: str, entries: int) -> Folder | EngineFolder:
        """The stream's folder; the first entries that are folded together say which kind."""
        if name not in self._folders:
            stream = self._streams[name]
            variant = variant_of(self.variant, len(stream.dimensions))
            self._folders[name] = folder_of(entries, stream, variant)
        return self._folders[name]

    def error(self, message: str, place: int | str, reason: str | None = None) -> StreamsError:
        """An error at a line (or in an array); what was folded comes with it."""
        where = f"line {place}" if isinstance(place, int) else place
        self.skip = True  # what waits is folded as far as it can be
        error = StreamsError(f"{self.name}, {where}: {message}", reason=reason, hint=HINT)
        error.folding = self.folding(f"malformed at {where}")
        return error

    def folding(self, ended: str = "exit 0") -> Folding:
        """All streams, folded. Raises StreamsError for an entry that is refused."""
        for name in self._streams:
            self._fold(name)
        folded = {n: finished(self._folders[n], s) for n, s in self._streams.items()} | self._whole
        loops: dict[str, LoopOf] = {}
        instructions, dependences = {}, {}
        for name, one in folded.items():
            if one.stream.kind == "dependence":
                source, _, target = name.partition(" -> ")
                dependences[source, target] = one
                continue
            outer = None
            for x in one.stream.dimensions:
                loops.setdefault(x, LoopOf(x, "", "", 0, outer))
                outer = x
            outputs = one.stream.outputs
            kind = KINDS.get(outputs, "float")
            dims = one.stream.dimensions
            instructions[name] = Instruction(name, kind, 0, 0, name, dims, "", (), outputs)
        entries = sum(one.entries for one in folded.values())
        memory = all(i.kind in ("load", "store") for i in instructions.values())
        unseen = "what is in registers is not in these streams" if memory else ""
        return Folding(
            instructions,
            {name: folded[name] for name in instructions},
            dependences,
            tuple(loops.values()),
            Source("", self.name),
            RunFacts(entries, 0.0, ended, command=Path(self.name).name, unseen=unseen),
            self.variant,
        )


HINT: Final = "help(polynb.tracing.exchange) says how such a file looks"


def stream_of(name: str, dims: Iterable[str], outputs: Iterable[str]) -> Stream:
    """The stream of that name: with an arrow in it, of a dependence."""
    kind: Kind = "dependence" if " -> " in name else "instruction"
    return Stream(name, kind, tuple(dims), tuple(outputs))
