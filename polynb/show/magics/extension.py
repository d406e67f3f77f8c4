"""`%load_ext polynb`: the magics, their completion, and empty cells; `%unload_ext` undoes it."""

from __future__ import annotations

import re
from typing import Any, Final

from polynb.show.displays.registry import with_magics

OWN: Final = "polynb.show.magics."  # the modules of our magics' methods
BESIDES: Final = ("scop", "bench", "fold", "play", "step")  # the magics that are no passes
CLASSES: Final = ("PolynbMagics", "PassMagics")


def load(ipython: Any) -> None:
    """Register everything in a running IPython; again, if it was registered before."""
    from polynb.show.magics.completion import matcher
    from polynb.show.magics.magics import PolynbMagics
    from polynb.show.magics.passes import pass_magics

    unload(ipython)
    for magics in (PolynbMagics(ipython), pass_magics()(ipython)):
        ipython.register_magics(magics)
    parsers = {name: method.parser for name, method in _ours(ipython, "line").items()}
    ipython.Completer.custom_matchers.append(matcher(ipython, parsers))
    ipython.input_transformers_cleanup.insert(0, with_a_body)


def unload(ipython: Any) -> None:
    """Take away whatever `load` registered."""
    for kind in ("line", "cell"):
        for name in _ours(ipython, kind):
            del ipython.magics_manager.magics[kind][name]
    for name in CLASSES:
        ipython.magics_manager.registry.pop(name, None)
    matchers = ipython.Completer.custom_matchers
    matchers[:] = [m for m in matchers if getattr(m, "matcher_identifier", "") != "polynb"]
    transformers = ipython.input_transformers_cleanup
    transformers[:] = [t for t in transformers if t is not with_a_body]


def _ours(ipython: Any, kind: str) -> dict[str, Any]:
    """Our magics by name, of the "line" or of the "cell"."""
    known = ipython.magics_manager.magics[kind]
    return {n: m for n, m in known.items() if str(getattr(m, "__module__", "")).startswith(OWN)}


def with_a_body(lines: list[str]) -> list[str]:
    """A cell that is nothing but the line of one of our magics, with an empty line after it.

    IPython refuses a cell magic without a body in its own words, to the error stream only; with
    one, the magic says itself what is missing.
    """
    said = [line for line in lines if line.strip()]
    empty = rf"%%(?:{'|'.join((*BESIDES, *with_magics()))})\b(?!\?)"
    if len(said) == 1 and re.match(empty, said[0].strip()):
        return [said[0].strip() + "\n", "\n"]
    return lines
