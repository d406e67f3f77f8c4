"""Which of several reads forbids an order: all of it is computed, read by read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from polynb.labs.findings import Outcome
from polynb.labs.tasks.values import Value, ValuesTask
from polynb.legality import check
from polynb.scop import parse

WHO: Final = ("neither", "the first", "the second", "both")


@dataclass(frozen=True)
class VerdictsTask:
    """For each of some `orders` of a program, by name, which of its two reads forbids it. `alone`
    are the programs that have only one of them."""

    orders: Mapping[str, str]
    alone: tuple[str, str]

    @property
    def form(self) -> str:
        return ValuesTask(dict.fromkeys(self.orders, ""), WHO).form

    def judge(self, answer: object) -> Outcome:
        return ValuesTask(self.found, WHO).judge(answer)

    @cached_property
    def found(self) -> dict[str, Value]:
        """Whose value would not be there."""
        one, other = map(parse, self.alone)
        return {
            name: WHO[(not check(one, order)) + 2 * (not check(other, order))]
            for name, order in self.orders.items()
        }
