"""In which order arrays are propagated (CC'18, section 4.4)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from polynb.arguments import instance, several_names
from polynb.dependences import Dependences, Edge
from polynb.errors import PolynbError
from polynb.scop.model import Statement


@dataclass(frozen=True)
class Choice:
    """The array to try next, and why it is the one, in half a sentence."""

    array: str
    why: str = ""


Order = Callable[[Dependences, Sequence[str]], str | Choice]
"""Picks the next of some candidate arrays, given the dependences of the program so far."""


def _check(dependences: Dependences, candidates: Sequence[str]) -> None:
    scop = instance("dependences", dependences, Dependences, "pn.analyze(scop)").scop
    if not several_names("candidates", candidates, scop.arrays):
        raise PolynbError("candidates is empty", hint=f"some of: {', '.join(scop.arrays)}")


def first_write(dependences: Dependences, candidates: Sequence[str]) -> Choice:
    """The array that is written first in the text."""
    _check(dependences, candidates)
    written = [s.write.array for s in dependences.scop.statements]
    first = min(candidates, key=lambda a: written.index(a) if a in written else len(written))
    return Choice(first, "it is written first")


def by_potential(dependences: Dependences, candidates: Sequence[str]) -> Choice:
    """The array whose propagation leaves the targets with the fewest different arrays.

    Its potential is the sum, over the RAW edges of the array, of 1 less the number of arrays that
    the source uses and the target does not. Ties go to fewer RAW edges, then source statements,
    reads and loops of those, RAW edges into those, and then to what is written first in the text.
    (The published implementation prefers the last in the text; the paper says syntactic order.)
    """
    _check(dependences, candidates)
    left = list(candidates)
    why = "it is the only one left" if len(left) == 1 else ""
    for what, measure in _MEASURES:
        if len(left) == 1:
            break
        values = {a: measure(dependences, a) for a in left}
        least = min(values.values())
        left = [a for a in left if values[a] == least]
        if len(left) < len(values):
            why = _choice_text(what, values, left)
    first = first_write(dependences, left)
    return Choice(first.array, why if len(left) == 1 else first.why)


def in_order(names: Sequence[str]) -> Order:
    """These arrays in this order, and then the others by their potential."""

    names = several_names("names", names, once=True)

    def order(dependences: Dependences, candidates: Sequence[str]) -> Choice:
        for name in names:
            if name in candidates:
                return Choice(name, "the order is given")
        return by_potential(dependences, candidates)

    return order


ORDERS: Mapping[str, Order] = {"potential": by_potential, "first_write": first_write}


def as_order(order: Order | str | Sequence[str], arrays: Sequence[str]) -> Order:
    """The order of that name, or of these arrays. Raises PolynbError for any other name."""
    if callable(order):
        return _asked(order)
    if isinstance(order, str) and order in ORDERS:
        return ORDERS[order]
    names = several_names("order", order, once=True)
    if not names:
        raise PolynbError("order is empty", hint=f"{', '.join(ORDERS)}, or arrays in order")
    for name in names:
        if name not in arrays:
            raise PolynbError(
                f"there is no order and no array {name!r}",
                hint=f"{', '.join(ORDERS)}, or arrays in order: {', '.join(arrays)}",
            )
    return in_order(names)


def _asked(order: Order) -> Order:
    """The same function; what it raises is said to be its own."""

    @functools.wraps(order)
    def ask(dependences: Dependences, candidates: Sequence[str]) -> str | Choice:
        try:
            return order(dependences, candidates)
        except PolynbError:
            raise
        except Exception as error:
            raise PolynbError(
                f"the function given as order= failed: {type(error).__name__}: {error}",
                reason=f"it was asked for the next of {', '.join(candidates)}",
                hint="a function that gives one of these names; its own traceback is the cause",
                argument="order",
            ) from error

    return ask


# -- what is compared ----------------------------------------------------------------------


def potential(dependences: Dependences, array: str) -> int:
    """The sum over the RAW edges of an array of 1 - |arrays of the source not in the target|."""
    by_name = dependences.scop.by_name
    return sum(
        1 - len(_arrays(by_name[e.source]) - _arrays(by_name[e.target]))
        for e in dependences.flow(array).edges
    )


def _arrays(s: Statement) -> set[str]:
    return {a.array for a in s.accesses}


def _edges(dependences: Dependences, array: str) -> Sequence[Edge]:
    return dependences.flow(array).edges


def _sources(dependences: Dependences, array: str) -> list[Statement]:
    names = dict.fromkeys(e.source for e in _edges(dependences, array))
    return [dependences.scop.by_name[n] for n in names]


def _incoming(dependences: Dependences, array: str) -> int:
    sources = _sources(dependences, array)
    names = {s.name for s in sources}
    read = dict.fromkeys(r.array for s in sources for r in s.reads)
    return sum(e.target in names for a in read for e in _edges(dependences, a))


_MEASURES: tuple[tuple[str, Callable[[Dependences, str], int]], ...] = (
    ("potential", lambda d, a: -potential(d, a)),
    ("RAW edges", lambda d, a: len(_edges(d, a))),
    ("source statements", lambda d, a: len(_sources(d, a))),
    ("reads", lambda d, a: sum(len(s.reads) for s in _sources(d, a))),
    ("loops", lambda d, a: sum(len(s.iterators) for s in _sources(d, a))),
    ("incoming RAW edges", lambda d, a: _incoming(d, a)),
)


def _choice_text(what: str, values: Mapping[str, int], left: Sequence[str]) -> str:
    least = values[left[0]]
    if what == "potential":
        return f"its potential is the largest, {-least}"
    tied = f" of {len(values)} equal before" if len(values) > 2 else ""
    return f"it has the fewest {what}, {least}{tied}"
