"""Compiled kernels are kept, per user, under a hash of everything that went into them.

The directory is POLYNB_CACHE, or `polynb` in XDG_CACHE_HOME or ~/.cache. What is loaded from it
runs as the user, so it must be theirs alone: a directory that is somebody else's or that others
may write to is not used. POLYNB_SHARED_CACHE names a directory that is only read; it must be the
user's or root's, too.
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

from polynb.run.compiled import CompilerError, fault_of
from polynb.run.compilers import Compiler, target, translate

FORMAT: Final = 1  # of the key; a new number leaves all older objects behind
LIMIT: Final = 256_000_000  # bytes of objects that are kept
STALE: Final = 3600.0  # seconds after which a compiler that was killed has no more claim
OBJECT: Final = re.compile(r"[0-9a-f]{64}\.so")
PART: Final = "part-"


@dataclass(frozen=True)
class Build:
    """A C text, and how it is compiled. `masks`: whether gcc may make masks of vectors."""

    compiler: Compiler
    flags: tuple[str, ...]
    text: str
    masks: bool = True

    @property
    def key(self) -> str:
        """The hash of the text, the flags, the compiler and the target the flags come to."""
        resolved = target(self.compiler.command, self.flags)
        parts = [FORMAT, self.text, self.flags, self.compiler.identity, resolved]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def shared_object(build: Build, *, again: bool = False) -> Path:
    """The compiled object: from the cache, or compiled now (in any case if `again`) and put there.

    Several processes may ask for the same one at once: each writes its own file and moves it into
    place whole. Raises CompilerError if the compiler refuses the text, or if there is no room, and
    MakesMasks.
    """
    name = f"{build.key}.so"
    shared, _ = _shared_place()
    if shared is not None and not again and _is_sound(there := shared / name):
        return there
    directory, _ = place()
    kept = directory / name
    if not again and _is_used(kept):
        return kept
    try:
        _compiled(build, directory, kept)
    except OSError as error:
        raise CompilerError(
            f"what {build.compiler.name} makes cannot be kept in {directory}",
            reason=str(error),
            hint="free space there, or POLYNB_CACHE=DIRECTORY on another disk",
        ) from None
    tidy(directory, LIMIT, keep=kept)
    return kept


def _compiled(build: Build, directory: Path, kept: Path) -> None:
    part = Path(tempfile.mkdtemp(prefix=PART, dir=directory))
    try:
        source, compiled = part / "kernel.c", part / "kernel.so"
        source.write_text(build.text)
        translate(build.compiler, build.flags, source, compiled, masks=build.masks)
        compiled.chmod(0o700)
        compiled.replace(kept)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _shared_place() -> tuple[Path | None, str | None]:
    """The directory of POLYNB_SHARED_CACHE if it can be trusted, else why it is not used.

    What is loaded from it runs as this user: neither it nor a directory above it may be written
    by anyone but this user and root.
    """
    named = os.environ.get("POLYNB_SHARED_CACHE")
    if not named:
        return None, None
    try:
        shared = Path(named).expanduser().resolve()
        above = (p for p in shared.parents if not _is_trusted(p, sticky=True))
        untrusted = next(above, None) if _is_trusted(shared) else shared
    except (OSError, RuntimeError) as error:
        return None, f"the shared cache is not used: {error}"
    if untrusted is None:
        return shared, None
    return None, (
        f"the shared cache {shared} is not used: {untrusted} belongs to another user than root, or "
        "others may write to it; let root own it (chown -R root) and take the permission away "
        "(chmod -R go-w)"
    )


def complaints() -> tuple[str, ...]:
    """Why the directories are not those that were asked for, if they are not."""
    return tuple(reason for _, reason in (_shared_place(), place()) if reason is not None)


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


def _is_used(kept: Path) -> bool:
    """Whether an object is there and can be used. It counts as used now: the objects used longest
    ago go first."""
    try:
        if found := _is_mine(kept) and fault_of(kept) is None:
            os.utime(kept)
    except FileNotFoundError:  # another process has just tidied it away
        return False
    return found


def _is_trusted(path: Path, *, sticky: bool = False) -> bool:
    """Whether nobody but this user and root may change what is there. In a `sticky` directory,
    such as /tmp, others may put files of their own, but not replace those that are there."""
    status = path.stat()
    open_to_others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    kept = sticky and status.st_mode & stat.S_ISVTX
    return status.st_uid in (0, os.geteuid()) and bool(not open_to_others or kept)


def _is_sound(path: Path) -> bool:
    try:
        return _is_trusted(path) and fault_of(path) is None
    except OSError:
        return False


@functools.lru_cache
def _private() -> Path:
    """A directory of this process's own, removed at its end."""
    directory, owner = tempfile.mkdtemp(prefix="polynb-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # not from a forked child
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return Path(directory)
