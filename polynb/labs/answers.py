"""Answers as plain data: what is judged of an answer is what can be said of it as text, numbers,
and tables of both. An object that says it equals everything equals nothing any more."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from polynb import isl
from polynb.conveniences import Json
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.labs.exercise import Exercise
from polynb.labs.tasks.functions import SLOW, FunctionTask, Recorded, TooLong, called
from polynb.scop.model import Scop

MOST: Final = 100
"""Values of one answer."""
LONGEST: Final = 20_000
"""Characters of a text."""

Sizes = Sequence[tuple[int, ...]]


def answer_name(exercise: str) -> str:
    """The variable of a lab's notebook with the answer: `triangle_answer`, of "lab1.triangle"."""
    return f"{exercise.partition('.')[2]}_answer"


def sizes_for(exercise: Exercise) -> Sizes:
    """Where an answer is called, if it is to be a function."""
    return exercise._task.sizes() if isinstance(exercise._task, FunctionTask) else ()


def encoded(answer: object, sizes: Sizes = ()) -> Json:
    """An answer as JSON has it: programs and isl's objects as their texts (programs with their
    order, too), functions as what they give at some sizes. Raises PolynbError for an object that is
    no answer to anything."""
    if answer is None or answer is ...:
        return None
    if isinstance(answer, Scop | Derivation):
        scop = as_scop(answer)
        order = isl.union_map(s.schedule for s in scop.statements)
        return {"program": _text(str(scop)), "order": _text(str(order))}
    if isinstance(answer, isl.Schedule):
        return _text(str(answer.get_map()))
    if isinstance(answer, list | tuple | range):
        return _listed(answer)
    if isinstance(answer, Mapping):
        if len(answer) > MOST:
            raise PolynbError(f"the answer has {len(answer)} values; a few are enough")
        return {"values": {_text(k): _value(v) for k, v in answer.items()}}
    if type(answer).__module__.startswith("islpy"):
        return _text(str(answer))
    if callable(answer):
        pairs = zip(sizes, called(answer, sizes), strict=True) if sizes else ()
        return {"table": [[list(at), value] for at, value in pairs]}
    return _value(answer)


def decoded(data: Json, *, order: bool = False) -> Json:
    """The answer that was encoded; of a program its text, or its `order`. Raises PolynbError for
    what is no such data."""
    try:
        if isinstance(data, dict) and set(data) == {"program", "order"}:
            return _text(data["order" if order else "program"])
        if isinstance(data, dict) and set(data) == {"values"}:
            return {_text(k): _value(v) for k, v in data["values"].items()}
        if isinstance(data, dict) and set(data) == {"table"}:
            return _table({tuple(at): value for at, value in data["table"]})
        return _value(data)
    except (TypeError, ValueError, AttributeError):
        raise PolynbError("the answer cannot be read") from None


def plain(answer: Json) -> Json:
    """An answer without whatever a subclass of text, numbers or dictionaries would add to it, by
    the types that objects have, not those that they say they have."""
    kind = type(answer)
    if issubclass(kind, str | int | float):
        return _value(answer)
    if issubclass(kind, list | tuple | range):
        return _listed(answer)
    if issubclass(kind, Mapping) and len(answer) <= MOST:
        return {k: plain(v) for k, v in dict(answer).items()}
    return answer


def _listed(given: Sequence[Json]) -> str:
    """Several values as a text: exercises that ask for numbers read them of one."""
    if len(given) > MOST:
        raise PolynbError(f"the answer has {len(given)} values; a few are enough")
    return _text(", ".join(str(_value(v)) for v in given))


def _value(given: Json) -> Json:
    """A value that is nothing but its own: text, truth value, number, or None."""
    if given is None or given is ...:
        return None
    if given is True or given is False:
        return given
    if issubclass(type(given), str):
        return _text(given)
    if issubclass(type(given), int):
        return int.__int__(given)
    if issubclass(type(given), float):
        return float.__float__(given)
    try:  # numpy's numbers, fractions
        number = float.__float__(float(given))
    except Exception:
        kind = type(given).__name__
        raise PolynbError(f"the answer cannot be judged: it is of the type {kind}") from None
    return int(number) if math.isfinite(number) and number == int(number) else number


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise PolynbError(f"the answer cannot be judged: a name of it is {type(given).__name__}")
    if str.__len__(given) > LONGEST:
        raise PolynbError(f"the answer has {str.__len__(given)} characters; a few lines are enough")
    text = str.__str__(given)
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise PolynbError("the answer cannot be judged: it has halves of characters in it")
    return text


def _table(known: Mapping[tuple[int, ...], Json]) -> Callable[..., Json]:
    def function(*at: int) -> Json:
        value = known[at]
        if isinstance(value, str):
            raise TooLong(value) if value == SLOW else Recorded(value)
        return value

    return function
