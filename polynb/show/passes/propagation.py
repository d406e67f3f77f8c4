"""What expression propagation (CC'18) looks like in a notebook."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Final

from polynb.derivation import Derivation, Step
from polynb.propagation.order import ORDERS
from polynb.propagation.steps import ArrayChosen
from polynb.recurrences.carry import FORMS
from polynb.show.displays.arrays import REPORT, decisions
from polynb.show.displays.registry import PassMagic, PassView, Position, number_of, option
from polynb.show.html import code, element, page, paragraph, sentence
from polynb.show.words import unmarked
from polynb.windows import STRIP

FRAMES: Final = "polynb.show.trace.propagation.steps"


def _limit(text: str) -> int | str | None:
    """A number of cache lines, or none."""
    return None if text == "none" else number_of(text)


OPTIONS: Final = (
    option("--arrays", "Propagate only these: --arrays tmp,s", of="temporaries"),
    option("--keep", "Keep these: --keep tmp", of="temporaries"),
    option("--partial", "Where an array cannot be propagated whole, propagate what can be."),
    option("--live-out", "Propagate through live-out arrays as well."),
    option(
        "--by-data",
        "Propagate also to reads among cells of which data chooses one, where one statement wrote "
        "them all: b[i] = t[k[i]][i] after t[p][i] = a[i] * p is b[i] = a[i] * k[i].",
    ),
    option(
        "--order",
        "In which order arrays are tried: potential (the paper's, default), first_write, "
        "or arrays: --order s,tmp",
        of="temporaries",
        words=tuple(ORDERS),
        metavar="ORDER",
    ),
    option(
        "--cache-lines",
        "How many cache lines an iteration may need (default: %(default)s); none: any number.",
        words=("none",),
        metavar="N",
        type=_limit,
    ),
    option(
        "--recurrences",
        "Iterations pass on what the next would compute again: in scalars (default), or "
        "in strips, a buffer at a time, which compilers vectorise.",
        nargs="?",
        choices=FORMS,
        const=FORMS[0],
    ),
    option(
        "--windows",
        "Compute what is left in strips of rows (32 by default), each array in a window of the "
        "rows that are still needed.",
        nargs="?",
        const=STRIP,
        metavar="ROWS",
        type=number_of,
    ),
    option(
        "--together",
        "How many rows of a picture are computed together there (default: %(default)s).",
        metavar="ROWS",
        type=number_of,
    ),
    option("--explain", "Every step about one array: --explain tmp", of="written", metavar="ARRAY"),
)


def explanation(derivation: Derivation, name: str) -> dict[str, str]:
    """Why an array was removed or kept, with every step about it, as a mime bundle.

    Raises PolynbError if nothing was decided about that name.
    """
    derivation.why(name)  # refuses unknown names
    decision = next(d for d in decisions(derivation) if d.array == name)
    known: set[str] = set()
    items = [element("li", sentence(str(s), known)) for s in decision.steps]
    outcome = f" is {decision.outcome}. " if decision.outcome else ": "
    shown = page(
        paragraph(element("b", "Why ", code(name), outcome), sentence(decision.reason)),
        element("ol", *items, style="margin:0;padding-left:2.2em"),
    )
    numbered = "\n".join(f"{k:3}. {s}" for k, s in enumerate(decision.steps, 1))
    text = unmarked(f"Why {name}{outcome}{decision.reason}\n{numbered}")
    return {"text/plain": text, "text/html": shown}


def _explained(derivation: Derivation[Any, Any], options: Namespace) -> dict[str, str] | None:
    return None if options.explain is None else explanation(derivation, options.explain)


def _progress(step: Step, now: Position) -> Position:
    """One array after the other; the first step says how many there are."""
    if not isinstance(step, ArrayChosen):
        return now
    left = len(step.remaining) + 1
    return Position(f"propagating {step.array}", max(now.total - left, 0), now.total or left)


MAGIC: Final = PassMagic(
    """Evaluate expressions where they are needed instead of storing them (CC'18).

NAME (or the value of the line) becomes a Derivation: before, result, steps. For example:

  %%propagate fast
  param N;  temp t;
  for i = 0 to N do t[i] = A[i] / 2; done
  for i = 1 to N do B[i] = t[i-1] + t[i]; done
""",
    OPTIONS,
    aside=_explained,
)
VIEW: Final = PassView(REPORT, FRAMES, (ArrayChosen,), _progress, MAGIC)
ALONE: Final = PassView(REPORT)
"""Of the passes beside it, which say array by array what they decided."""
