"""What a traced program has: its calls, its loops, its instructions, its memory, how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InstructionKind = Literal["load", "store", "integer", "float", "move", "call", "condition"]


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
    in the same function, None at the top. `unsure` is why it may end by what its iterations find,
    in words, where no condition was traced that could say so; `unseen` what of it was not seen.
    `remains` is what of its variables in registers is read after it, as the text says. `counted`: a
    `for` goes on by this, which is no step of one length; its iterations are only known one after
    the other. `stepped`: its variable, where the step is no number, but of one length.
    """

    name: str
    iterator: str
    function: str
    line: int
    parent: str | None = None
    recursion: bool = False
    file: str = ""
    unsure: str = ""
    unseen: str = ""
    remains: tuple[Remaining, ...] = ()
    counted: str = ""
    stepped: str = ""

    @property
    def called(self) -> str:
        """As the source names it, where it does."""
        return self.iterator or self.name


@dataclass(frozen=True)
class Instruction:
    """An instruction in one calling context: all its instances make one stream (section 4.1).

    `name` is I1, I2, ... in the order of the text's execution (M1, ... for moves, which compute
    nothing: `sum = 0.0`), with the number of the context after a dot from the second one on:
    `I3.2`. `text` is the access (`conn[k][j]`) or the operation (`sum += conn[k][j] * l1[k]`).
    `loops` are the canonical iterators of its vectors, outermost first, those of callers before
    its function's own; `place` are the calls that led there, outermost first. `outputs` is what
    its labels are: `("address",)` in bytes, `("value",)` of an integer (or a pointer), or `()`.
    `size` is the bytes that are moved (of a call that copies, the most). A "call" is one of a
    function of which nothing is known; an access with a `state` is one of what the library keeps
    from call to call ("the state of rand"). `element`: what an access moves ("float", "signed" or
    "unsigned", "" where the text does not say). `statement` numbers the statements of the text:
    those of one number are one statement's instructions, in the order in which they run. Of two
    instructions in one iteration of all loops that both are in, that with the smaller `order` runs
    first (it compares the calls that lead there, then the places in the text); () where that is not
    known. A "condition" (C1, ...) is what an `if`, a `switch` or a loop asks, and no instruction of
    the paper's: `leaves` are the loops that run on or not by what it says. `under` are the
    conditions that decide whether an instruction runs, each with the number of outermost loops in
    whose every iteration it does so anew. A move that `counts` is one of a loop's own variable, as
    the text says, where no values were seen. `placed` are the instructions whose values made the
    address of an access, where that is known; of whole programs, the loops of which data may say
    so; and `some` are those in some of whose iterations alone it may run, as the text says,
    `always` those whose every iteration writes the variable that a move does. `variable` is what a
    store or a move writes, where the place in the text says so. `cut`: what is written keeps less
    than the value that was computed, a whole number of a float. `gives`: the value is where the
    library has room for memory. `counted` are the loops in whose iterations counters alone say
    where a store goes, as the text says.
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
    order: tuple[int, ...] = ()
    state: str = ""
    element: str = ""
    leaves: tuple[str, ...] = ()
    under: tuple[tuple[str, int], ...] = ()
    counts: bool = False
    placed: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    variable: str = ""
    cut: bool = False
    gives: bool = False
    counted: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """What it writes, where that is known; else its text: of whole programs, a line."""
        return self.variable or self.text


@dataclass(frozen=True)
class Skipped:
    """What a loop that ran would do on a way that this run did not take: an `instruction` of no
    name, of which a "call" is one that may do more than to read. Variables in registers may hand
    something on by it from iteration to iteration of the loops that it `hands`. An access is to the
    cell that the instructions `same` access in any case, or to what is in the variable `base`; ""
    where it may be anywhere."""

    instruction: Instruction
    hands: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    base: str = ""


@dataclass(frozen=True)
class RegisterWrite:
    """What may write a register before it is read: in `line`, `under` conditions as an instruction
    is; `before` the read in the text, too, and not only in an earlier iteration of a loop within.
    """

    line: int
    before: bool
    under: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Unsure:
    """A read, by an `instruction` that ran, of a `variable` in a register that had been written in
    the same iteration of a `loop`, by what `writes` it, and need not be with other data."""

    instruction: Instruction
    variable: str
    loop: str
    writes: tuple[RegisterWrite, ...]


@dataclass(frozen=True)
class Remaining:
    """A `variable` in a register that iterations of a loop write in `line`, and that is `read` in
    another line after it: it has what the last iteration that wrote it left there. `always`: each
    iteration writes it; if not, each does that in which all of `loops` within have an iteration (if
    there are any)."""

    variable: str
    line: int
    read: int
    always: bool
    loops: tuple[str, ...] = ()


@dataclass(frozen=True)
class Taken:
    """What a store left in memory was read, in `line`. `over`: loops, a bit each by their depth,
    that were over then, and of which several iterations had written it; `early`: of these, those
    whose last iteration had not."""

    line: int
    over: int = 0
    early: int = 0


@dataclass(frozen=True)
class Unread:
    """A read in `line` that did not run, of what is in a `variable` ("": where a pointer leads). A
    `function` has it for itself, `since` a line; all have one of no function."""

    variable: str
    line: int
    function: str = ""
    since: int = 0


@dataclass(frozen=True)
class Block:
    """Memory that addresses lie in: `name` is a variable's, or `malloc` and the place of the call;
    `element` is the size of an element where the declaration or the call says so (1 otherwise). To
    what is `given` only pointers lead."""

    name: str
    line: int
    address: int
    size: int
    element: int = 1
    given: bool = False

    def __contains__(self, address: object) -> bool:
        return isinstance(address, int) and 0 <= address - self.address < self.size


@dataclass(frozen=True)
class RunFacts:
    """How a traced run went.

    `events` are the entries of all streams, `seconds` the time of the run with folding, `ended`
    how it came to an end: `exit 0`, `time limit`, `event limit`, `iteration limit` (four billion),
    `memory limit`, `stack limit (...)`, `signal 11 at line 7 (segmentation fault)`. `output` and
    `errors` are what it wrote (the beginning, where it is long), `command` what was run, `unseen`
    what of the run was not seen, in words: it may be anywhere.
    """

    events: int
    seconds: float
    ended: str
    output: str = ""
    errors: str = ""
    command: str = ""
    unseen: str = ""

    @property
    def complete(self) -> bool:
        """Whether the program ran to its end."""
        return self.ended.startswith("exit ")
