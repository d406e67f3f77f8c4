"""What optimising looks like in a notebook."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Final

from polynb.derivation import Derivation
from polynb.optimising.steps import (
    BandDecision,
    Estimated,
    FormChosen,
    InVain,
    LeftAlone,
    NoOrder,
    OrderChosen,
    cycles,
)
from polynb.show.displays.naming import variable_of
from polynb.show.displays.registry import PassMagic, PassView, option
from polynb.show.displays.reports import PassReport
from polynb.show.displays.sizes import bench_line
from polynb.show.html import Html, table


def _values(text: str) -> dict[str, int]:
    """`N=500,M=20`"""
    found = {}
    for part in text.split(","):
        name, sign, value = part.partition("=")
        if not sign or not value.strip().isdecimal():
            raise ArgumentTypeError(f"{part.strip()!r} is no value: --sizes N=500,M=20")
        found[name.strip()] = int(value)
    return found


OPTIONS: Final = (
    option(
        "--sizes",
        "Values of parameters for the model: --sizes N=500,M=20 (default: the largest array has "
        "a million cells, or less).",
        metavar="VALUES",
        type=_values,
    ),
)


def _verdict(derivation: Derivation) -> str:
    return next(
        (
            str(s)
            for s in derivation.steps
            if isinstance(s, OrderChosen | FormChosen | LeftAlone | InVain)
        ),
        "No order was found.",
    )


def _next(derivation: Derivation) -> str:
    """To time it, or, where it was left alone, to measure what the model cannot tell."""
    name = variable_of(derivation) or "_"
    line = bench_line(name, derivation.result)
    if line is None:
        return f"{name}.result"
    return line if derivation.result is not derivation.before else f"{line} --tune"


def _tables(derivation: Derivation) -> Html:
    """The orders that were looked at, what was done in them, and their cycles by the model."""
    rows: list[tuple[str, str, str, str]] = []
    done: list[str] = []
    for s in derivation.steps:
        match s:
            case BandDecision():
                done.append(s.what)
            case Estimated(order=order, estimate=found, written=written):
                if not any(row[2] for row in rows):
                    rows.append(("as written", "", cycles(written.alone), cycles(written.together)))
                rows.append((order, "; ".join(done), cycles(found.alone), cycles(found.together)))
                done = []
            case NoOrder(order=order, reason=reason):
                rows.append((order, reason, "", ""))
    if not rows:
        return Html()
    head = ("order", "what is done in it", "one thread", "two threads")
    return table("Estimates of the model", head, rows, right=(2, 3), wrap=(0, 1))


MAGIC: Final = PassMagic(
    """Choose the order that is fastest by a model of caches and vectors, or leave it.

NAME (or the value of the line) becomes a Derivation: before, result, steps. A pipeline of
pictures runs in strips of rows (`%%propagate --windows` shows the way there). For example:

  %%optimise fast
  param N;
  for i = 0 to N do for j = 0 to N do for k = 0 to N do
    C[i][j] = C[i][j] + A[i][k] * B[k][j];
  done done done
""",
    OPTIONS,
)
VIEW: Final = PassView(
    PassReport(_verdict, _next, _tables),
    begins=(Estimated, OrderChosen, FormChosen, InVain, LeftAlone),
    magic=MAGIC,
)
