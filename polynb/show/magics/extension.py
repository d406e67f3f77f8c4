"""`%load_ext polynb`: the magics, their completion, and empty cells; `%unload_ext` undoes it."""

from __future__ import annotations

import re
from typing import Any, Final

MAGICS: Final = ("scop", "propagate", "reorder", "bench", "step")
VERDICT: Final = "polynb.legality.checking", "Verdict"  # has a display while this is loaded
EMPTY: Final = re.compile(rf"%%(?:{'|'.join(MAGICS)})\b(?!\?)")


def load(ipython: Any) -> None:
    """Register everything in a running IPython; again, if it was registered before."""
    from polynb.show.displays.bundle import mimebundle
    from polynb.show.magics.completion import matcher
    from polynb.show.magics.magics import PolynbMagics

    unload(ipython)
    magics = PolynbMagics(ipython)
    ipython.register_magics(magics)
    parsers = {name: getattr(magics, name).parser for name in MAGICS}
    ipython.Completer.custom_matchers.append(matcher(ipython, parsers))
    ipython.input_transformers_cleanup.insert(0, with_a_body)
    # The rooms above know nothing of displays, unless they are what a person looks at all the time.
    ipython.display_formatter.mimebundle_formatter.for_type_by_name(*VERDICT, mimebundle)


def unload(ipython: Any) -> None:
    """Take away whatever `load` registered."""
    for kind in ("line", "cell"):
        for name in MAGICS:
            registered = ipython.magics_manager.magics[kind].get(name)
            if getattr(registered, "__module__", "") == "polynb.show.magics.magics":
                del ipython.magics_manager.magics[kind][name]
    ipython.magics_manager.registry.pop("PolynbMagics", None)
    ipython.display_formatter.mimebundle_formatter.pop(".".join(VERDICT), None)
    matchers = ipython.Completer.custom_matchers
    matchers[:] = [m for m in matchers if getattr(m, "matcher_identifier", "") != "polynb"]
    transformers = ipython.input_transformers_cleanup
    transformers[:] = [t for t in transformers if t is not with_a_body]


def with_a_body(lines: list[str]) -> list[str]:
    """A cell that is nothing but the line of one of our magics, with an empty line after it.

    IPython refuses a cell magic without a body in its own words, to the error stream only; with
    one, the magic says itself what is missing.
    """
    said = [line for line in lines if line.strip()]
    if len(said) == 1 and EMPTY.match(said[0].strip()):
        return [said[0].strip() + "\n", "\n"]
    return lines
