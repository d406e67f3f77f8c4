"""What a submission's process can reach: with bubblewrap, nothing but the library and its own empty
folder; without it, whatever the account can.

Bubblewrap gives it names of its own for processes (so that none outside can be signalled, and all
of them end with the first one), no network, and a view of the file system in which people's homes,
`/tmp` and all submissions are empty.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from polynb.labs.folders import own_folders

PR_SET_CHILD_SUBREAPER: Final = 36
"""Of Linux's prctl: orphans of this process's descendants become its children."""
HIDDEN: Final = ("/home", "/root", "/tmp", "/var/tmp", "/mnt", "/media")
SECONDS: Final = 10.0
"""What a first try of bubblewrap, and ending what is left of a submission, may take."""
BEHIND: Final = ("sh", "-c", '"$@"; exit $?', "sh")
"""A parent for a command, which it may kill if it likes: it is not the one who grades."""


def isolated(command: Iterable[str], folder: Path, hidden: Iterable[Path]) -> list[str]:
    """The command that runs another one by itself: it may write to `folder`, and what is in
    `hidden` is not there."""
    bubblewrap = works()
    if bubblewrap is None:
        return [*BEHIND, *command]
    return [bubblewrap, *_view(folder, hidden), "--", *command]


@cache
def works() -> str | None:
    """Bubblewrap, where it is installed and can be used: in some containers it cannot."""
    found = shutil.which("bwrap")
    if found is None:
        return None
    here = Path.cwd()
    try:
        tried = [found, *_view(here, ()), "--", sys.executable, "-c", "import polynb"]
        made = subprocess.run(tried, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found if made.returncode == 0 else None


def said() -> str:
    """How submissions are run here, as a sentence for the teacher."""
    if works() is not None:
        return "submissions run in bubblewrap: without network, processes and files of others"
    why = "cannot be used here" if shutil.which("bwrap") else "is not installed"
    return f"bubblewrap {why}: submissions run with the rights of your account"


def _view(folder: Path, hidden: Iterable[Path]) -> list[str]:
    """What bubblewrap shows: everything, to be read; nothing of people's and of `hidden`; in it
    Python, this library and the folders of exercises again, and `folder`."""
    shown = [["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]]
    shown += [["--ro-bind", "/", "/"], ["--proc", "/proc"], ["--dev", "/dev"]]
    away = [*map(Path, HIDDEN), Path.home(), *(p.resolve() for p in hidden)]
    needed = [sys.base_prefix, sys.prefix, str(Path(__file__).parents[3])]
    needed += map(str, own_folders())
    mounts = [["--tmpfs", str(p)] for p in dict.fromkeys(away) if p.is_dir() and p != Path("/")]
    mounts += [["--ro-bind", p, p] for p in dict.fromkeys(needed)]
    shown += sorted(mounts, key=lambda m: len(Path(m[-1]).parts))  # a folder after what it is in
    shown += [["--bind", str(folder), str(folder)], ["--chdir", str(folder)]]
    return [part for parts in shown for part in parts]


@contextlib.contextmanager
def swept() -> Iterator[None]:
    """Around what a copy of the grading process does, which has no other children: what is left of
    them afterwards is ended, whoever's child it has become."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        until = time.monotonic() + SECONDS
        while (left := children(os.getpid())) and time.monotonic() < until:
            for child in left:
                with contextlib.suppress(OSError):
                    os.kill(child, signal.SIGKILL)
                with contextlib.suppress(OSError):
                    os.waitpid(child, 0)


def children(process: int) -> list[int]:
    """The children of a process, as Linux lists them; elsewhere none are known."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            text = stat.read_text(errors="replace")
            if int(text.rpartition(")")[2].split()[1]) == process:
                found.append(int(stat.parent.name))
    return found
