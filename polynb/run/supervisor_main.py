"""Runs one command and ends with whoever asked for it: `supervisor_main.py PIPE PARENT COMMAND...`.

A compiler starts further processes, which live on when it is killed; and a notebook that is killed
can end nothing. So the command runs in this process's session, and this process ends all of it as
soon as PARENT, which holds the other end of PIPE, is gone. It imports only the standard library.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from typing import Final

LOOK: Final = 500  # milliseconds after which a parent is missed whose end of the pipe was inherited


def _watch(pipe: int, parent: int) -> None:
    poll = select.poll()
    poll.register(pipe, 0)
    while os.getppid() == parent and not poll.poll(LOOK):
        pass
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Run a command, and end it when the process that asked for it is gone."""
    pipe, parent = int(sys.argv[1]), int(sys.argv[2])
    try:
        process = subprocess.Popen(sys.argv[3:])
    except OSError as error:
        sys.exit(f"error: {error}")
    threading.Thread(target=_watch, args=(pipe, parent), daemon=True).start()
    code = process.wait()
    sys.exit(code if code >= 0 else 128 - code)  # as a shell says that a signal ended it


if __name__ == "__main__":
    main()
