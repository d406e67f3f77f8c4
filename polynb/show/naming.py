"""What the person calls an object, for the next line to type."""

from __future__ import annotations

import sys
from typing import Any


def variable_of(x: Any) -> str | None:
    """The variable of the running notebook that holds an object; None outside of one."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return None
    for name, value in shell.user_ns.items():
        if value is x and not name.startswith("_"):
            return str(name)
    return None
