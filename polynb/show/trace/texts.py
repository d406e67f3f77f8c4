"""What is beside the programs of a trace: which of their lines change, and the C of the result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop import Scop
from polynb.show.displays.diff import changed
from polynb.show.trace.format import ChangeJson, Frame, ProgramJson

BUDGET: Final = 20_000_000  # isl operations for the C of one program: a few seconds


def changes(programs: Sequence[ProgramJson], frames: Sequence[Frame]) -> list[ChangeJson]:
    """What changes between two programs that a frame shows together, each pair once."""
    pairs = [(f["program"], f["other"]) for f in frames if "other" in f]
    texts = ["\n".join("".join(s[0] for s in line) for line in p["lines"]) for p in programs]
    found: list[ChangeJson] = []
    for before, after in dict.fromkeys(pairs):
        if before != after:
            removed, added = changed(texts[before], texts[after])
            found.append({"before": before, "after": after, "removed": removed, "added": added})
    return found


@lru_cache(maxsize=32)
def code(scop: Scop) -> ProgramJson | None:
    """The C of a program, as it is read; None where there is none, or not in a few seconds."""
    try:
        with isl.budget(BUDGET):
            text = scop.to_c()
    except PolynbError:
        return None
    return {"title": "C", "lines": [[[line]] for line in text.strip("\n").split("\n")]}
