"""The decisions of expression propagation, with their evidence and in the paper's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb.derivation import Sentence, Step
from polynb.propagation.heuristics import Judgement
from polynb.propagation.reload import ReloadTest
from polynb.rewriting.dead_writes import WritesGone
from polynb.scop.model import Scop, Statement
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Expr


@dataclass(frozen=True, eq=False)
class ArrayChosen(Step):
    """The next array in the order of propagation (section 4.4). `remaining`: those after it."""

    array: str
    remaining: tuple[str, ...]
    why: str = ""

    @property
    def sentence(self) -> Sentence:
        why = f": {self.why}" if self.why else ""
        return "Try to propagate {array}{why}.", {"array": self.array, "why": why}


@dataclass(frozen=True, eq=False)
class Judged(Step):
    """What a heuristic says of propagating an array (sections 4.1 to 4.3)."""

    array: str
    heuristic: str
    verdict: Judgement

    @property
    def sentence(self) -> Sentence:
        text = "{heuristic}: {answer} for {array}, {reason}."
        answer = "worth it" if self.verdict.beneficial else "not worth it"
        said = {"heuristic": self.heuristic, "answer": answer, "array": self.array}
        said["reason"] = self.verdict.reason
        return text, said


@dataclass(frozen=True, eq=False)
class ReloadTested(Step):
    """The reload test of one RAW edge (section 3.2)."""

    test: ReloadTest

    @property
    def sentence(self) -> Sentence:
        edge, witness = self.test.edge, self.test.witness
        read = self.test.scop.by_name[edge.target].reads[edge.read or 0]
        said = {"source": edge.source, "target": edge.target, "array": edge.array}
        said["read"] = print_affine(read.node)
        if self.test.complete:
            return "{source} can be evaluated wherever {target} reads {read}.", said
        if self.test.obstacle is not None:
            text = "{source} is not propagated to {target} through {array}: {obstacle}."
            return text, said | {"obstacle": self.test.obstacle}
        some = "sometimes " if not self.test.propagation.is_empty() else ""
        text = "{target} {some}cannot evaluate {source} in place of {read}: {witness}."
        return text, said | {"some": some, "witness": str(witness)}


@dataclass(frozen=True, eq=False)
class StatementSplit(Step):
    """A target split so that each piece is reached by one source or by none (Figure 5)."""

    before: Statement
    pieces: tuple[Statement, ...]

    @property
    def sentence(self) -> Sentence:
        names = ", ".join(p.name for p in self.pieces)
        return "{statement} is split into {pieces}.", {
            "statement": self.before.name,
            "pieces": names,
        }


@dataclass(frozen=True, eq=False)
class ReadReplaced(Step):
    """A read replaced by the propagation expression (Algorithm 1): `iterators[iv]` is
    what iv of the source becomes in the target (equation 3). The read has number `read` in
    statement `of`, of which the target is a piece, or all."""

    source: str
    target: Statement
    array: str
    iterators: Mapping[str, Expr]
    of: str
    read: int

    @property
    def sentence(self) -> Sentence:
        new = {k: print_affine(v) for k, v in self.iterators.items()}
        how = ", ".join(f"{k} = {text}" for k, text in new.items() if text != k)
        text = "In {target}, the read of {array} becomes the expression of {source}{how}."
        return text, {
            "target": self.target.name,
            "array": self.array,
            "source": self.source,
            "how": f" with {how}" if how else "",
        }


@dataclass(frozen=True, eq=False)
class ArrayPropagated(Step):
    """Every read of the array that has a source was replaced. `removed` statements wrote it;
    `scop` is the program without them."""

    array: str
    removed: tuple[str, ...]
    scop: Scop

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        if self.array not in self.scop.arrays:
            text = "{array} is removed, and with it {removed}."
        else:
            text = "{array} is propagated" + (", and {removed} removed; " if self.removed else "; ")
            if self.scop.arrays[self.array].live_out:
                text += "it is live-out, so its final writes stay."
            else:
                text += "its initial content is still read."
        return text, {"array": self.array, "removed": ", ".join(self.removed)}


@dataclass(frozen=True, eq=False)
class PartlyPropagated(Step):
    """Some reads of the array were replaced (`partial=True`), the others still need it."""

    array: str
    scop: Scop

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        return "{array} is propagated in part and kept for the rest.", {"array": self.array}


@dataclass(frozen=True, eq=False)
class ArrayKept(Step):
    """The array stays as it is. `test` is the reload test that failed, if one did."""

    array: str
    reason: str
    test: ReloadTest | None = None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        return "{array} is kept: {reason}.", {"array": self.array, "reason": self.reason}


@dataclass(frozen=True, eq=False)
class WriterRemoved(Step):
    """A statement that overwrites its own operand, removed as soon as all reads of its value are
    replaced: so its write is in nobody's way (the extension for self-WAR, section 3.2)."""

    statement: str
    array: str

    @property
    def sentence(self) -> Sentence:
        text = (
            "{statement} overwrites what it reads of {array} itself; all its values are propagated "
            "at once, and it is removed."
        )
        return text, {"statement": self.statement, "array": self.array}


@dataclass(frozen=True, eq=False)
class WritesRemoved(WritesGone):
    """Their value is read by nobody."""

    @property
    def sentence(self) -> Sentence:
        text = "Instances of {statement} that write values of {array} nobody reads are removed."
        return text, {"statement": self.statement, "array": self.array}


@dataclass(frozen=True, eq=False)
class BudgetSpent(Step):
    """Whether writes of an array are still needed took more than the `limit` ("20 operations") to
    find out, or isl failed with an `error`."""

    array: str
    limit: str
    error: str | None = None

    @property
    def sentence(self) -> Sentence:
        if self.error is not None:
            text = "Whether all writes of {array} are needed was not found ({error})."
            return text, {"array": self.array, "error": self.error}
        text = "Whether all writes of {array} are needed was not found in {limit}."
        return text, {"array": self.array, "limit": self.limit}
