"""The decisions of the greedy scalar mapping, in the paper's words (section 2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.delicm.conflicts import KnowledgeConflict
from polynb.delicm.knowledge import Knowledge
from polynb.delicm.timing import Times
from polynb.derivation import Sentence, Step
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import Scop
from polynb.scop.witness import Witness, cell_text
from polynb.source.scoplang.printer import print_affine


@dataclass(frozen=True, eq=False)
class WebsSplit(Step):
    """A scalar that is used for several things is one for each: `names`, of `scalar`."""

    scalar: str
    names: tuple[str, ...]
    program: Scop

    @property
    def about(self) -> tuple[str, ...]:
        return (self.scalar, *self.names)

    @property
    def sentence(self) -> Sentence:
        text = "{scalar} has values that never meet: they are {names} from here on."
        return text, {"scalar": self.scalar, "names": " and ".join((self.scalar, *self.names))}


@dataclass(frozen=True, eq=False)
class _NothingMapped(Step):
    statement: str
    array: str
    why: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement,)

    def _said(self, text: str) -> Sentence:
        return text, {"statement": self.statement, "array": self.array, "why": self.why}


@dataclass(frozen=True, eq=False)
class TargetSkipped(_NothingMapped):
    """A store to which nothing is mapped (Listing 5, lines 3 and 4)."""

    @property
    def sentence(self) -> Sentence:
        return self._said("Nothing is mapped to what {statement} stores in {array}: {why}.")


@dataclass(frozen=True, eq=False)
class MappingSpent(_NothingMapped):
    """A target whose analysis took more than it may."""

    @property
    def sentence(self) -> Sentence:
        return self._said("No more is mapped to what {statement} stores in {array}: {why}.")


@dataclass(frozen=True, eq=False)
class TargetChosen(Step):
    """A store before which elements may be unused (lines 5 and 6), and the scalars it leads to.
    `existing` is what is known of its array, in the times `times`."""

    statement: str
    array: str
    queue: tuple[str, ...]
    existing: Knowledge
    times: Times

    @property
    def sentence(self) -> Sentence:
        text = (
            "{statement} overwrites elements of {array}, which may be unused before: try {queue}."
        )
        said = {"statement": self.statement, "array": self.array, "queue": ", ".join(self.queue)}
        return text, said


@dataclass(frozen=True, eq=False)
class NotMapped(Step):
    """A scalar that is not mapped to a target (lines 9 and 13), and why: it is of the wrong kind,
    no element is there for all its values, or what they need is in conflict with what is known.

    `proposal` is what its values would need, `cells` where they would go, if it came to that."""

    scalar: str
    statement: str
    array: str
    why: str
    queue: tuple[str, ...] = ()
    cells: Mapping[str, isl.Map] | None = None
    existing: Knowledge | None = None
    proposal: Knowledge | None = None
    conflict: KnowledgeConflict | None = None
    witness: Witness | None = None
    times: Times | None = None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.scalar,)

    @property
    def sentence(self) -> Sentence:
        text = "{scalar} is not mapped to {array}, before {statement} stores to it: {why}."
        said = {"scalar": self.scalar, "array": self.array, "statement": self.statement}
        return text, said | {"why": self.why}


@dataclass(frozen=True, eq=False)
class Mapped(Step):
    """A scalar that lives in elements of an array now (lines 15 to 17): `cells` is
    `{ D[i] -> A[x] }`, for each statement that defines it; `by` "definition" or "last use", at
    whose time the element is the next one to be overwritten. `known` is what is known of the array
    from now on. `queue`: what is to be tried next."""

    scalar: str
    statement: str
    array: str
    by: str
    cells: Mapping[str, isl.Map]
    existing: Knowledge
    proposal: Knowledge
    known: Knowledge
    queue: tuple[str, ...]
    times: Times
    program: Scop

    @property
    def about(self) -> tuple[str, ...]:
        return (self.scalar,)

    @property
    def storage(self) -> isl.UnionMap:
        """`{ D[i] -> A[x] }` of all definitions."""
        return isl.union_map(self.cells.values())

    @property
    def where(self) -> str:
        """`T[i] → C[i], S[i, k] → C[i]`"""
        return ", ".join(f"{name}[{_dims(m)}] → {_cell(m)}" for name, m in self.cells.items())

    @property
    def sentence(self) -> Sentence:
        text = (
            "{scalar} lives in {array} from now on: in the element that {statement} overwrites "
            "next after its {by}."
        )
        said = {"scalar": self.scalar, "array": self.array, "statement": self.statement}
        return text, said | {"by": self.by}


def _dims(m: isl.Map) -> str:
    return ", ".join(isl.dim_names(m, isl.IN))


def _cell(m: isl.Map) -> str:
    """The element of a function `{ D[i] -> A[x] }`."""
    functions = m.as_pw_multi_aff()
    subscripts = [
        print_affine(
            expression(isl.one_piece(isl.coalesced(functions.get_at(k))), isl.dim_names(m, isl.IN))
        )
        for k in range(m.dim(isl.OUT))
    ]
    return cell_text(isl.tuple_name(m, isl.OUT), subscripts)
