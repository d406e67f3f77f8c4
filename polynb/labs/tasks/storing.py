"""Memory for an array: `{ t[i] -> A[i] }`, checked by the live ranges in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from polynb import isl
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.legality.checking import check_storage
from polynb.schedules import with_storage
from polynb.scop import Scop, parse
from polynb.scop.isl_text import check_tuples, union_map


@dataclass(frozen=True)
class StorageTask:
    """Where an array of a program can live: in the cells of another one, `memory`, so that no value
    is overwritten as long as it is needed."""

    program: str
    array: str
    memory: str

    @property
    def scop(self) -> Scop:
        return parse(self.program)

    @property
    def form(self) -> str:
        return f'isl text: "{self.example}"'

    @property
    def example(self) -> str:
        array, memory = (self.scop.arrays[a].dimensions for a in (self.array, self.memory))
        index = ", ".join("ijkl"[:array])
        return f"{{ {self.array}[{index}] -> {self.memory}[{', '.join(['...'] * memory)}] }}"

    def judge(self, answer: object) -> Outcome:
        scop = self.scop
        given = union_map("answer", answer, self.example)
        dims = {n: a.dimensions for n, a in scop.arrays.items()}
        check_tuples("answer", answer, given, {self.array: dims[self.array]}, what="array")
        check_tuples("answer", answer, given, {self.memory: dims[self.memory]}, side=isl.OUT,
                     what="array")  # fmt: skip
        try:
            with_storage(scop, self.array, _one(given))
        except PolynbError as error:
            return nothing(_why(scop, self.array, given, error))
        said = f"the cells of {self.memory} are enough for {self.array}"
        return Outcome(Fraction(1), (), said)


def _one(given: isl.UnionMap) -> isl.Map:
    """The one map of a union. Raises PolynbError for several."""
    found = isl.maps(given)
    if len(found) != 1:
        raise PolynbError("the answer must be one map", hint="a condition instead of a second part")
    return found[0]


def _why(scop: Scop, array: str, given: isl.UnionMap, error: PolynbError) -> Finding:
    """What speaks against it: the values that would be overwritten, if that is it."""
    parts = isl.maps(given)
    if len(parts) == 1 and error.reason is not None:
        relation = parts[0].align_params(scop.assumed.get_space())
        arrays = {**scop.arrays, array: replace(scop.arrays[array], storage=relation)}
        verdict = check_storage(replace(scop, arrays=arrays, program=None))
        if not verdict:
            first = verdict.conflicts[0]
            return Finding(str(first), first.witness)
    return Finding(str(error))
