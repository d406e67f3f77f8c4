"""A traced program: its loops, its instructions, what was folded of their streams; as text, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from numpy.typing import NDArray

from polynb.arguments import one_of, shown
from polynb.conveniences import Conveniences, below
from polynb.errors import PolynbError, Source
from polynb.folding.model import Folded
from polynb.folding.pieces import FoldedPiece
from polynb.run.timing import seconds
from polynb.scop.model import Scop
from polynb.tracing.records import (
    Block,
    Instruction,
    LoopOf,
    RunFacts,
    Skipped,
    Taken,
    Unread,
    Unsure,
)
from polynb.words import counted

Pair = tuple[str, str]
"""A producer and a consumer."""
Streams = Mapping[str | tuple[str, str], tuple[NDArray[Any], NDArray[Any]]]
SHOWN: Final = 40
"""Rows of a table that a text shows."""
LEFT: Final = ("Text", "Polyhedron", "Label function", "Vectors")
ADDRESSES: Final = "addresses are in bytes; @x is where the memory called x begins"
Rows = tuple[list[str], list[tuple[Any, ...]], list[str]]
"""Head, rows and notes of a table."""


@dataclass(frozen=True, eq=False)
class Folding(Conveniences):
    """What one execution of a program showed: Tables 3 and 4 of it (TACO'19).

    `instructions` by name; `executed[name]` is the folded stream of an instruction, `{ I2[cj, ck]
    -> [address] }`; `dependences[source, destination]` that of a flow dependence, from the vector
    of the consumer to that of the producer, `{ [cj, ck] -> [cj', ck'] }`. What holds of this run
    need not hold of another: other inputs may take other ways. `blocks` are the variables and
    allocated blocks addresses lie in. `streams` holds the raw entries, by the same keys, where
    they were asked for. `source` is the text; of a program of several, that of main, and `sources`
    has all by the `file` of their instructions. `conditions` are what its branches and loops asked,
    which the paper's tables do not have: when (`tested`), and of what flow (`control`). What loops
    that ran would do on ways that this run did not take is `skipped`; `unsure` are the variables
    that iterations would take from others there. `taken` is what was read of what stores left
    (None: it was not looked at). `crossed`: the loops, a bit each by their depth, to another of
    whose iterations a dependence led. `reached` are the bytes of all that an access touched, from
    the first to behind the last. `met`: the loops, a bit each, of which a store wrote over what
    another iteration had written. `unread` are the reads in the text that this run did not do,
    `lent` the variables that pointers may lead to.
    """

    instructions: Mapping[str, Instruction]
    executed: Mapping[str, Folded]
    dependences: Mapping[tuple[str, str], Folded]
    loops: tuple[LoopOf, ...]
    source: Source
    run: RunFacts
    variant: str = "F_GG,W"
    blocks: tuple[Block, ...] = ()
    streams: Streams = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    conditions: Mapping[str, Instruction] = field(default_factory=dict)
    tested: Mapping[str, Folded] = field(default_factory=dict)
    control: Mapping[tuple[str, str], Folded] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    taken: Mapping[Pair, Taken] | None = None
    crossed: Mapping[Pair, int] = field(default_factory=dict)
    reached: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    met: Mapping[str, int] = field(default_factory=dict)
    operands: Mapping[Pair, frozenset[int]] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    lent: frozenset[str] = frozenset()

    def __getitem__(self, key: str | tuple[str, str]) -> Folded:
        """A stream: `folding["I2"]`, `folding["I1", "I2"]`. Raises PolynbError for another."""
        if isinstance(key, str) and key in self.executed:
            return self.executed[key]
        pair = isinstance(key, tuple) and all(isinstance(k, str) for k in key)
        if pair and key in self.dependences:
            return self.dependences[key]  # type: ignore[index]
        name = key if isinstance(key, str) else " -> ".join(key) if pair else shown(key)
        raise PolynbError(
            f"there is no stream {name}",
            hint="names such as folding['I1'], pairs such as folding['I1', 'I2']: "
            + ", ".join([*self.executed][:8]),
        )

    def to_scop(self) -> Scop:
        """What ran as a Scop, without parameters: statements, domains, cells and order. Raises
        PolynbError, naming the instruction, for what has no affine addresses (see
        `polynb.tracing.to_scop`)."""
        scop: Scop = below("to_scop")(self)
        return scop

    def table(self, kind: str = "instructions") -> Any:
        """A table: of the "instructions", as Table 3, or of the "dependences", as Table 4."""
        if one_of("kind", kind, ("instructions", "dependences")) == "instructions":
            head, rows, notes = instruction_rows(self.instructions, self.executed, self.blocks)
        else:
            head, rows, notes = dependence_rows(self.dependences)
        return below("table")(self, head, rows, [x for x in LEFT if x in head], notes)

    def feedback(self) -> Any:
        """What it tells of its loops: `pn.feedback(folding)`."""
        return self._below("feedback")

    def __str__(self) -> str:
        run = self.run
        head = (
            f"{run.command or 'the program'}: {run.ended}, {run.events:,} entries of "
            f"{counted(len(self.executed), 'instruction')} and "
            f"{counted(len(self.dependences), 'dependence')} in {seconds(run.seconds)}"
        )
        kinds = ("instructions", "dependences")
        tables = [shortened(str(self.table(k)), f".table({k!r})", SHOWN) for k in kinds]
        return "\n\n".join(part for part in (head, *tables) if part)

    def __repr__(self) -> str:
        what = f"{len(self.executed)} instructions, {len(self.dependences)} dependences"
        return f"<Folding of {self.run.command or self.source.name}: {what}, {self.run.ended}>"


# -- as text: instructions as in Table 3 (TACO'19), dependences as in Table 4 -------------------


def instruction_rows(
    instructions: Mapping[str, Instruction],
    executed: Mapping[str, Folded],
    blocks: Sequence[Block],
) -> Rows:
    """A row for each piece of each instruction's stream."""
    names = _BlockNames(blocks)
    rows: list[tuple[Any, ...]] = []
    for name, i in instructions.items():
        for k, (shape, label, points) in enumerate(_pieces(executed[name], names)):
            about = (name, i.line, i.text, ", ".join(i.loops)) if not k else ("", "", "", "")
            rows.append((*about, shape, label, points))
    head = ["Id", "Line", "Text", "Vectors", "Polyhedron", "Label function", "Points"]
    return head, rows, [ADDRESSES] if any("@" in r[5] for r in rows) else []


def dependence_rows(dependences: Mapping[tuple[str, str], Folded]) -> Rows:
    """The same of dependences, from the consumer's vectors to the producer's."""
    rows: list[tuple[Any, ...]] = []
    for (source, target), folded in dependences.items():
        for k, (shape, label, points) in enumerate(_pieces(folded, None)):
            rows.append((f"{source} → {target}" if not k else "", shape, label, points))
    return ["Id", "Polyhedron", "Label function", "Points"], rows, []


def shortened(table: str, where: str, most: int) -> str:
    """The first lines of a table; `where` is the whole of it."""
    lines = table.splitlines()
    more = len(lines) - 1 - most
    return table if more <= 1 else "\n".join([*lines[: most + 1], f"… {more} more: {where}"])


def _pieces(folded: Folded, names: _BlockNames | None) -> Iterator[tuple[str, str, int]]:
    """Polyhedron, label function and points of each piece."""
    for piece in folded.pieces:
        shape = piece.polyhedron(folded.stream.dimensions)
        shape += " (approximate)" if piece.approximate else ""
        label = folded.label_text(piece)
        if names is not None and folded.stream.outputs == ("address",) and not piece.approximate:
            label = names.label(folded, piece)
        yield shape, label, piece.points


class _BlockNames:
    """The names of the blocks that addresses lie in; the block that came last counts."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = sorted(blocks, key=lambda b: b.address)

    def label(self, folded: Folded, piece: FoldedPiece) -> str:
        """`8cj + ⊤ck + @conn[i] + 8`: the constant as a place in a block."""
        f = piece.labels[0]
        block = next((b for b in reversed(self._blocks) if piece.at_anchor in b), None)
        if block is None:
            return folded.label_text(piece)
        terms = [f"{k}{c}" for k, c in zip(f.coefficients, folded.stream.dimensions, strict=True)]
        offset = f.constant - block.address
        terms += [f"@{block.name}", *([str(offset)] if offset else [])]
        return " + ".join(terms).replace(" + -", " - ")
