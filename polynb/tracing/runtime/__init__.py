"""The runtime of instrumented text, in C, and how its parts make one text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def header(depth: int) -> str:
    """What instrumented text includes: `depth` is the most dimensions of a vector."""
    return f"#define PN_DEPTH {depth}\n{(HERE / 'trace.h').read_text()}"


def text(depth: int, engine: str) -> str:
    """The whole runtime with the folding engine's text."""
    parts = {
        name: (HERE / f"{name}.c").read_text()
        for name in ("shadow", "words", "boxes", "memory", "library", "ending")
    }
    body = (HERE / "trace.c").read_text()
    for name, part in parts.items():
        body = body.replace(f"/*{name.upper()}*/", part)
    return f"#define _GNU_SOURCE\n{engine}\n{header(depth)}\n{body}"
