"""A traced program: its loops, its instructions, and what was folded of their streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

from polynb.errors import PolynbError, Source

Folded = Any  # polynb.folding's

InstructionKind = Literal["load", "store", "integer", "float", "move"]


@dataclass(frozen=True)
class CallSite:
    """A call on the way to an instruction: the function called, and where (`file`: of a program
    of several)."""

    function: str
    line: int
    column: int
    file: str = ""

    def __str__(self) -> str:
        return f"{self.function} (line {self.line})"


@dataclass(frozen=True)
class LoopOf:
    """A loop of a function (or its recursion, which counts as a loop around its body).

    `name` is its canonical iterator, `cj`: from 0 by 1, whatever the text counts. `iterator` is
    the text's own, "" where there is none (a `while`). `parent` is the name of the loop around it
    in the same function, None at the top.
    """

    name: str
    iterator: str
    function: str
    line: int
    parent: str | None = None
    recursion: bool = False
    file: str = ""


@dataclass(frozen=True)
class Instruction:
    """An instruction in one calling context: all its instances make one stream (section 4.1).

    `name` is I1, I2, ... in the order of the text's execution (M1, ... for moves, which compute
    nothing: `sum = 0.0`), with the number of the context after a dot from the second one on:
    `I3.2`. `text` is the access (`conn[k][j]`) or the operation (`sum += conn[k][j] * l1[k]`).
    `loops` are the canonical iterators of its vectors, outermost first, those of callers before
    its function's own; `place` are the calls that led there, outermost first. `outputs` is what
    its labels are: `("address",)` in bytes, `("value",)` of an integer (or a pointer), or `()`.
    `size` is the bytes that are moved. `statement` numbers the statements of the text: those of
    one number are one statement's instructions, in the order in which they run.
    """

    name: str
    kind: InstructionKind
    line: int
    column: int
    text: str
    loops: tuple[str, ...]
    function: str
    place: tuple[CallSite, ...] = ()
    outputs: tuple[str, ...] = ()
    size: int = 0
    statement: int = 0
    file: str = ""


@dataclass(frozen=True)
class Block:
    """Memory that addresses lie in: `name` is a variable's, or `malloc` and the place of the call;
    `element` is the size of an element where the declaration or the call says so (1 otherwise)."""

    name: str
    line: int
    address: int
    size: int
    element: int = 1

    def __contains__(self, address: object) -> bool:
        return isinstance(address, int) and 0 <= address - self.address < self.size


@dataclass(frozen=True)
class RunFacts:
    """How a traced run went.

    `events` are the entries of all streams, `seconds` the time of the run with folding, `ended`
    how it came to an end: `exit 0`, `time limit`, `event limit`, `memory limit`, `signal 11 at
    line 7 (segmentation fault)`. `output` and `errors` are what it wrote (the beginning, where it
    is long), `command` what was run.
    """

    events: int
    seconds: float
    ended: str
    output: str = ""
    errors: str = ""
    command: str = ""

    @property
    def complete(self) -> bool:
        """Whether the program ran to its end."""
        return self.ended.startswith("exit ")


Streams = Mapping[str | tuple[str, str], tuple[NDArray[Any], NDArray[Any]]]


@dataclass(frozen=True, eq=False)
class Folding:
    """What one execution of a program showed: Tables 3 and 4 of it (TACO'19).

    `instructions` by name; `executed[name]` is the folded stream of an instruction, `{ I2[cj, ck]
    -> [address] }`; `dependences[source, destination]` that of a flow dependence, from the vector
    of the consumer to that of the producer, `{ [cj, ck] -> [cj', ck'] }`. What holds of this run
    need not hold of another: other inputs may take other ways. `blocks` are the variables and
    allocated blocks addresses lie in. `streams` holds the raw entries, by the same keys, where
    they were asked for. `source` is the text; of a program of several, that of main, and `sources`
    has all by the `file` of their instructions.
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

    def __getitem__(self, key: str | tuple[str, str]) -> Folded:
        """A stream: `folding["I2"]`, `folding["I1", "I2"]`. Raises PolynbError for another."""
        found = self.executed if isinstance(key, str) else self.dependences
        if key in found:
            return found[key]  # type: ignore[index]
        name = key if isinstance(key, str) else " -> ".join(map(str, key))
        raise PolynbError(
            f"there is no stream {name}",
            hint="names such as folding['I1'], pairs such as folding['I1', 'I2']: "
            + ", ".join([*self.executed][:8]),
        )
