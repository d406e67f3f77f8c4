"""Compiled kernels are kept, per user, under a hash of everything that went into them.

The directory is POLYNB_CACHE, or `polynb` in XDG_CACHE_HOME or ~/.cache. What is loaded from it
runs as the user, so it must be theirs alone: a directory that is somebody else's or that others
may write to is not used. POLYNB_SHARED_CACHE names a directory that is only read, and trusted.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polynb.run.compilers import Compiler, target, translate

FORMAT: Final = 1  # of the key; a new number leaves all older objects behind
LIMIT: Final = 256_000_000  # bytes of objects that are kept
STALE: Final = 3600.0  # seconds after which a compiler that was killed has no more claim
OBJECT: Final = re.compile(r"[0-9a-f]{64}\.so")
PART: Final = "part-"


@dataclass(frozen=True)
class Build:
    """A C text, and how it is compiled."""

    compiler: Compiler
    flags: tuple[str, ...]
    text: str

    @property
    def key(self) -> str:
        """The hash of the text, the flags, the compiler and the target the flags come to."""
        resolved = target(self.compiler.command, self.flags)
        parts = [FORMAT, self.text, self.flags, self.compiler.identity, resolved]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def shared_object(build: Build) -> Path:
    """The compiled object: from the cache, or compiled now and put there.

    Several processes may ask for the same one at once: each writes its own file and moves it into
    place whole. Raises CompilerError if the compiler refuses the text.
    """
    name = f"{build.key}.so"
    shared = os.environ.get("POLYNB_SHARED_CACHE")
    if shared and (there := Path(shared).expanduser() / name).is_file():
        return there.absolute()
    directory, _ = place()
    kept = directory / name
    if _is_mine(kept):
        os.utime(kept)  # the objects used longest ago go first
        return kept
    part = Path(tempfile.mkdtemp(prefix=PART, dir=directory))
    try:
        source, compiled = part / "kernel.c", part / "kernel.so"
        source.write_text(build.text)
        translate(build.compiler, build.flags, source, compiled)
        compiled.chmod(0o700)
        compiled.replace(kept)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    tidy(directory, LIMIT, keep=kept)
    return kept


def place() -> tuple[Path, str | None]:
    """The directory objects are kept in, and why it is not the usual one, if it is not."""
    try:
        wanted = _usual()
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home directory
        return _private(), f"compiled kernels are not kept: {error}"
    wanted = wanted.resolve()
    if not _is_mine(wanted):
        reason = "it belongs to another user, or others may write to it"
        return _private(), f"compiled kernels are not kept in {wanted}: {reason}"
    if not os.access(wanted, os.W_OK | os.X_OK):
        return _private(), f"compiled kernels are not kept: {wanted} cannot be written"
    return wanted, None


def tidy(directory: Path, limit: int, keep: Path | None = None) -> None:
    """Remove what killed compilers left, and the objects used longest ago beyond `limit` bytes."""
    objects: list[tuple[float, int, Path]] = []
    for entry in os.scandir(directory):
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:  # another process tidies as well
            continue
        if entry.name.startswith(PART) and time.time() - status.st_mtime > STALE:
            shutil.rmtree(entry.path, ignore_errors=True)
        elif OBJECT.fullmatch(entry.name):
            objects.append((status.st_mtime, status.st_size, Path(entry.path)))
    total = sum(size for _, size, _ in objects)
    for _, size, path in sorted(objects):
        if total <= limit:
            break
        if path != keep:
            path.unlink(missing_ok=True)
            total -= size


def _usual() -> Path:
    if named := os.environ.get("POLYNB_CACHE"):
        return Path(named).expanduser()
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "polynb"


def _is_mine(path: Path) -> bool:
    """Whether a path exists, belongs to this user, and nobody else may write to it."""
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@functools.lru_cache
def _private() -> Path:
    """A directory of this process's own, removed at its end."""
    directory, owner = tempfile.mkdtemp(prefix="polynb-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # not from a forked child
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return Path(directory)
