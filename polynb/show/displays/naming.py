"""What the person calls an object, for the next line to type."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.gallery.catalogue import origin
from polynb.scop.model import Scop


def title_of(scop: Scop) -> str:
    """What a program is called in titles: of the gallery's, their name there (their C function may
    have another one) and the paper's figure."""
    found = origin(scop)
    return scop.name if found is None else f"{found.name} ({found.source})"


def shell() -> Any:
    """The running notebook's shell; None outside of one (IPython is not loaded to find out)."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def namespace() -> dict[str, Any]:
    """The variables of the running notebook; none outside of one."""
    running = shell()
    return {} if running is None else dict(running.user_ns)


def reference(x: Any) -> str | None:
    """How a notebook can name an object: a variable, `before` or `result` of one, or `_`, which
    holds what was shown last; None outside of a notebook."""
    if (variable := variable_of(x)) is not None:
        return variable
    known = namespace()
    for n, v in known.items():
        if isinstance(v, Derivation) and not n.startswith("_"):
            if v.before is x:
                return f"{n}.before"
            with suppress(PolynbError):  # an illegal chain has no result
                if v.result is x:
                    return f"{n}.result"
    return "_" if known else None


def step_line(x: Any) -> str:
    """What plays its steps, as a line to type."""
    variable = variable_of(x)
    return f"%step {variable}" if variable else "_.step()"


def variable_of(x: Any) -> str | None:
    """The variable that holds an object, None if there is none."""
    return next((n for n, v in namespace().items() if v is x and not n.startswith("_")), None)
