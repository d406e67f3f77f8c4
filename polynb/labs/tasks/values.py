"""Numbers and choices: one, or several by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from polynb.arguments import named, shown, wrong
from polynb.conveniences import Json
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome
from polynb.words import listed

Value = int | str | bool


@dataclass(frozen=True)
class ValuesTask:
    """A value for each name (numbers, words, True or False); of one with the name "" just the
    value. `options` are the words that can be chosen. What is wrong is said, what is right is
    not. Partial credit is for the values that are right, where guessing would not give it:
    words only count together."""

    values: Mapping[str, Value]
    options: tuple[str, ...] = field(default=())

    @property
    def form(self) -> str:
        if "" in self.values:
            return self._kind(self.values[""])
        inside = ", ".join(f'"{n}": ...' for n in self.values)
        kinds = listed(dict.fromkeys(map(self._kind, self.values.values())))
        return f"{{{inside}}}, each {kinds}"

    def _kind(self, value: Value) -> str:
        if isinstance(value, bool):
            return "True or False"
        if isinstance(value, str):
            return f"one of {', '.join(repr(o) for o in self.options)}"
        return "a number"

    def judge(self, answer: object) -> Outcome:
        if "" in self.values:
            given = {"": answer}
        elif isinstance(answer, Mapping):
            given = named("the answer", answer, self.values, what="value")
        else:
            raise wrong("the answer", answer, "values by name", self.form)
        findings, right = [], 0
        for name, value in self.values.items():
            at = f"{name}: " if name else ""
            if name not in given or given[name] is None or given[name] is ...:
                findings.append(Finding(f"{at}no answer yet"))
            elif self._equal(name, value, given[name]):
                right += 1
            else:
                findings.append(Finding(f"{at}{shown(given[name])} is not right"))
        together = findings and not all(type(v) is int for v in self.values.values())
        if together and right:
            return Outcome(Fraction(0), tuple(findings), "words count only together")
        return Outcome(Fraction(0 if together else right, len(self.values)), tuple(findings))

    def _equal(self, name: str, value: Value, given: Json) -> bool:
        """Whether a value is right. Raises PolynbError for one of another kind."""
        called = f"the answer for {name}" if name else "the answer"
        if isinstance(value, str):
            word = given.strip().lower() if isinstance(given, str) else None
            if word not in {o.lower() for o in self.options}:
                raise wrong(called, given, self._kind(value))
            return word == value.lower()
        if isinstance(value, bool):
            if given is not True and given is not False:
                raise wrong(called, given, "True or False")
            return given is value
        try:
            number = None if isinstance(given, bool | str | bytes) else float(given)
        except (TypeError, ValueError, OverflowError):
            number = None
        if number is None:
            raise PolynbError(f"{called} must be a number, not {shown(given)}")
        return number == value
