"""What the proof that two programs are the same does, in words, one obligation after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from polynb import isl
from polynb.derivation import Sentence, Step

Done = Literal["operands", "looked through", "inputs", "picked", "closed", "assumed", "unequal"]
SAID: Final[dict[Done, str]] = {
    "operands": "the same operation in both: so are its operands to be",
    "looked through": "what is read is looked through, to what was written there",
    "inputs": "both are the same there: nothing is left to show",
    "picked": "in a part of the instances it is the one operand, in the others the other one",
    "closed": "this is assumed already: the circle is closed",
    "assumed": "this has been shown already",
    "unequal": "they are not seen to be the same",
}


@dataclass(frozen=True, eq=False)
class Guess(Step):
    """An attempt begins, with one way of guessing what a recurrence asks for (`widening`)."""

    widening: str

    @property
    def sentence(self) -> Sentence:
        return "Recurrences are guessed by their {widening}.", {"widening": self.widening}


@dataclass(frozen=True, eq=False)
class Concluded(Step):
    """The proof is over, and this is its answer."""

    answer: str

    @property
    def sentence(self) -> Sentence:
        return "In the end: {answer}.", {"answer": self.answer.rstrip(".")}


@dataclass(frozen=True, eq=False)
class Pair(Step):
    """A pair of expressions in words, `first` of statement S of the program before and `second` of
    T of the one after, which are to be the same on a `relation`, `{ S[i] -> T[j] }`.

    `number` is that of the pair; `assumed`, what is assumed of it from now on, is a relation of the
    same space. `accesses` are the statement of each side and the number of the read it is (None: it
    is no read).
    """

    number: int
    first: str
    second: str
    accesses: tuple[tuple[str, int | None], tuple[str, int | None]]
    relation: isl.Map
    assumed: isl.Map

    @property
    def about(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(s for s, _ in self.accesses))

    @property
    def _pair(self) -> dict[str, object]:
        s, t = (name for name, _ in self.accesses)
        pair = f"{self.first} of {s} and {self.second} of {t}"
        return {"number": self.number, "pair": pair, "relation": self.relation}


@dataclass(frozen=True, eq=False)
class Compared(Pair):
    """What was done with an obligation. `follows`: the pairs that it follows from, by number, with
    the relations on which they are to be the same."""

    done: Done
    follows: tuple[tuple[int, isl.Map], ...] = ()

    @property
    def sentence(self) -> Sentence:
        text = "({number}) {pair}, on {relation}: {said}{follows}."
        numbers = dict.fromkeys(n for n, _ in self.follows)
        follows = f" ({', '.join(map(str, numbers))})" if numbers else ""
        return text, {**self._pair, "said": SAID[self.done], "follows": follows}


@dataclass(frozen=True, eq=False)
class Widened(Pair):
    """A recurrence asked for a `relation` of its pair, and more is `assumed`, once and for all."""

    @property
    def sentence(self) -> Sentence:
        text = "({number}) {pair} come up again, on {relation}: widened to {assumed}."
        return text, {**self._pair, "assumed": self.assumed}
