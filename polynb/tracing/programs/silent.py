"""The loops of a program's texts of which nothing was seen: they did not run, or were unrolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from polynb.tracing.programs import naming
from polynb.tracing.programs.texts import ProgramTexts, Text, every_function
from polynb.tracing.programs.tokens import OWNERS, statement, words_at
from polynb.tracing.records import LoopOf

SILENT: Final = (
    "nothing of it was seen: it did not run, or the compiler unrolled it; a run that enters it "
    "would tell"
)


def silent(texts: ProgramTexts, seen: Sequence[LoopOf]) -> tuple[LoopOf, ...]:
    """Those that are not among the ones that were `seen`, by their lines."""
    told = Counter((_one(loop.file), loop.line) for loop in seen if not loop.recursion)
    taken = {loop.name for loop in seen}
    found = []
    for file, text in {_one(f): text for f, text in texts.files.items()}.items():
        heads = Counter(heads_of(text))
        for (function, line), many in heads.items():
            for which in range(told[file, line], many):
                iterator = naming.iterator_of(text[line - 1], which) if line <= len(text) else ""
                name = naming.unique(f"c{iterator or 'w'}", taken)
                found.append(LoopOf(name, iterator, function, line, file=file, unseen=SILENT))
    return tuple(found)


def _one(file: str) -> str:
    """The one path of a file that is called by several."""
    return str(Path(file).resolve())


def heads_of(text: Text) -> Iterator[tuple[str, int]]:
    """The function and the line of each loop of a text."""
    tokens, _ = words_at(text)
    for name, first, end in every_function(text):
        ends = {statement(tokens, k + 1) for k in range(first, end) if tokens[k][0] == "do"}
        for k in range(first, end):
            if tokens[k][0] in OWNERS[:3] and k not in ends:
                yield name, tokens[k][1]
