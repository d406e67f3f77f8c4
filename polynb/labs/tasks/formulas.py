"""A formula of truth values, compared with another one assignment by assignment."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from polynb.arguments import shown
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.propagation.cnf import Formula, read_formula
from polynb.scop.witness import Witness
from polynb.words import listed

EXAMPLE = "(x or not y) and z"


@dataclass(frozen=True)
class FormulaTask:
    """A formula, an `and` of `or`s, that is true for the same assignments of its `variables` as the
    reference: there, UNSAT is eliminated. It is worth all or nothing: every formula agrees with
    every other one somewhere."""

    reference: str
    variables: tuple[str, ...]

    @property
    def form(self) -> str:
        return f'a formula of {listed(self.variables)}, an `and` of `or`s: "{EXAMPLE}"'

    def judge(self, answer: object) -> Outcome:
        given, right = self._read(answer), read_formula(self.reference)
        for values in product((False, True), repeat=len(self.variables)):
            at = dict(zip(self.variables, values, strict=True))
            goes = right.holds(at)
            if given.holds(at) == goes:
                continue
            where = ", ".join(f"{v} = {str(value).lower()}" for v, value in at.items())
            said = f"for {where} the formula is {str(not goes).lower()}, and UNSAT "
            said += "is eliminated" if goes else "stays"
            witness = Witness({f"A_{v}": int(value) for v, value in at.items()}, {})
            return nothing(Finding(said, witness))
        return Outcome(Fraction(1))

    def _read(self, answer: object) -> Formula:
        if not isinstance(answer, str):
            raise PolynbError(f"the answer must be a text, not {shown(answer)}", hint=EXAMPLE)
        given = read_formula(answer)
        for name in given.variables:
            if name not in self.variables:
                raise PolynbError(f"there is no variable {name}", hint=listed(self.variables))
        return given
