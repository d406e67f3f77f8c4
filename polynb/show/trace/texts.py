"""What is beside the programs of a trace: which of their lines change, and the C of the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop import Scop
from polynb.show.displays.diff import changed
from polynb.show.trace.format import ChangeJson, Frame, ProgramJson

BUDGET: Final = 20_000_000  # isl operations for the C of one program: a few seconds


def compare(programs: Sequence[ProgramJson], frames: Iterable[Frame]) -> None:
    """Adds what changes to the frames that show two programs together."""
    texts = ["\n".join("".join(s[0] for s in line) for line in p["lines"]) for p in programs]
    known: dict[tuple[int, int], ChangeJson] = {}
    for frame in frames:
        pair = frame["program"], frame.get("other", frame["program"])
        if pair[0] == pair[1]:
            continue
        if pair not in known:
            removed, added = changed(*(texts[k] for k in pair))
            known[pair] = {"removed": removed, "added": added}
        frame["change"] = known[pair]


@lru_cache(maxsize=32)
def code(scop: Scop) -> ProgramJson | None:
    """The C of a program, as it is read; None where there is none, or not in a few seconds."""
    try:
        with isl.budget(BUDGET):
            text = scop.to_c()
    except PolynbError:
        return None
    return {"title": "C", "lines": [[[line]] for line in text.strip("\n").split("\n")]}
