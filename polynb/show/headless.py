"""`python -m polynb.show.headless FD`: a notebook's cells, run as Jupyter runs them, without one.

What to run comes as JSON through the standard input; what some variables hold afterwards goes as
JSON to the file descriptor FD. Nothing else that happens here is looked at: the cells may be
anything, and whoever started this process has given it its limits.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any, Final

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from polynb.errors import PolynbError
from polynb.labs.answers import encoded

ALL: Final = 60.0
"""Seconds for reading the answers."""
LONGEST: Final = 400_000
"""Characters of one answer as JSON."""


def main() -> None:
    out = int(sys.argv[1])
    request = json.load(sys.stdin)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    quiet = Config({"HistoryManager": {"enabled": False}})
    shell: Any = InteractiveShell.instance(config=quiet)
    troubles = []
    for number, cell in enumerate(request["cells"], 1):
        trouble = _run(shell, cell, request["seconds"])
        if trouble:
            troubles.append(f"code cell {number}: {trouble}")
    answers = {n: _answer(shell, n, sizes) for n, sizes in request["names"].items()}
    me = shell.user_ns.get("ME")
    said = {"answers": answers, "troubles": troubles, "me": me if isinstance(me, str) else None}
    with open(out, "wb") as to:
        to.write(json.dumps(said).encode())
    os._exit(0)  # whatever a submission has left to be done at the end


def _run(shell: Any, cell: str, seconds: float) -> str:
    """What went wrong with a cell, if something did. One that takes too long is interrupted, as by
    a hand, and again each second."""
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        result = shell.run_cell(cell, store_history=False)
        error = result.error_before_exec or result.error_in_exec
        return type(error).__name__ if error is not None else ""
    except BaseException as error:  # the timer's, between two steps of the shell
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _answer(shell: Any, name: str, sizes: list[list[int]]) -> Any:
    signal.setitimer(signal.ITIMER_REAL, ALL)
    try:
        found = encoded(shell.user_ns.get(name), [tuple(at) for at in sizes])
        if len(json.dumps(found)) > LONGEST:
            raise PolynbError("the answer is very long; a few lines are enough")
        return found
    except PolynbError as error:
        return {"refused": str(error)[:300]}
    except BaseException as error:
        return {"refused": f"the answer cannot be read: {type(error).__name__}"}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main()
