"""The verdict of every move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from polynb.derivation import Derivation
from polynb.show.displays.naming import variable_of
from polynb.show.displays.reports import PassReport
from polynb.show.displays.sizes import timed_line
from polynb.show.displays.verdict import conflicts_html
from polynb.show.html import Html, code, join, table
from polynb.violations.steps import Moved, NotReached
from polynb.violations.transforming import Reached, Transformation
from polynb.words import listed

SMALL: Final = 36  # instances of all stages: each is drawn in its order


def illegal(derivation: Derivation[Any, Any]) -> Moved | None:
    """The move that is illegal, if one is: nothing behind it was looked at."""
    bad = (s for s in derivation.steps if isinstance(s, Moved) and not s.verdict)
    return next(bad, None)


def verdict(derivation: Derivation[Any, Any]) -> str:
    """Whether it is legal, in a sentence or two."""
    bad, count = illegal(derivation), len(derivation.steps)
    if bad is None:
        all_of = {0: "No move", 1: "The move is", 2: "Both moves are"}
        said = all_of.get(count, f"All {count} moves are")
        behind = _passes(derivation)
        if not count:
            made = f"this is the program after {behind}" if behind else "the program is as it was"
            return f"No move: {made}."
        return f"{said} legal{f', after {behind}' if behind else ''}."
    number = next(k for k, s in enumerate(derivation.steps) if s is bad) + 1
    way = f" It would be legal with {bad.way_out}." if bad.ways else ""
    which = f"Move {number}, `{bad.move}`," if count > 1 else f"`{bad.move}`"
    return f"{which} is illegal: {bad.verdict.obstacles[0]}.{way}"


def _passes(derivation: Derivation[Any, Any]) -> str:
    """The passes that a chain begins with; "" if there are none."""
    chain = derivation.chain if isinstance(derivation, Reached) else derivation
    made = chain.passes if isinstance(chain, Transformation) else ()
    return listed([f"`{p}`" for p in made])


def _rows(derivation: Derivation[Any, Any]) -> Iterator[tuple[str, ...]]:
    for step in derivation.steps:
        if isinstance(step, Moved):
            sign = "✓ legal" if step.verdict else "✗ illegal"
            why = step.said.partition(": ")[2]
            if step.ways:
                why += f"; legal with {step.way_out}"
            yield code(str(step.move)), sign, why
        elif isinstance(step, NotReached):
            yield code(str(step.move)), "·", "not looked at"


def _table(derivation: Derivation[Any, Any]) -> Html:
    heads = ("move", "verdict", "why")
    rows = list(_rows(derivation))
    if not rows:
        return join(())
    moves = table("Moves, and their verdicts", heads, rows, wrap=(2,))
    return join((moves, _conflict(derivation)))


def _conflict(derivation: Derivation[Any, Any]) -> Html:
    """Why the illegal move is, as a picture; that is told too where it is not the first reason,
    which is told elsewhere."""
    bad = illegal(derivation)
    if bad is None:
        return join(())
    pairs = [c.pair for c in bad.verdict.order.conflicts]
    return conflicts_html(bad.verdict, most=1, told=any(pairs) and pairs[0] is None)


def _next(derivation: Derivation[Any, Any]) -> str:
    """What to do with it."""
    chain = derivation.chain if isinstance(derivation, Reached) else derivation
    name = variable_of(chain) or "_"
    if illegal(derivation) is not None:
        return f"print({name}.reached)"
    return timed_line(name, derivation.before)


REPORT: Final = PassReport(
    verdict,
    _next,
    _table,
    _conflict,
    instances=SMALL,
)
