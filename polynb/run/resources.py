"""What this process may use of the machine: processors and memory.

In a container the number of processors says little: a CPU quota of the control group decides, and
threads beyond it only wait. The same holds for memory.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError

ROOT = Path("/")
LEAST: Final = 256_000_000  # bytes of address space, below which Python itself might not run

# Of versions 2 and 1 of control groups: the limit, what is used, what of that are idle file caches.
MEMORY: Final = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def default_threads(root: Path = ROOT) -> int:
    """The processors this process may run on, or its CPU quota rounded up, whichever is less."""
    try:
        processors = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no affinity
        processors = os.cpu_count() or 1
    quota = cpu_quota(root)
    return max(1, processors if quota is None else min(processors, math.ceil(quota)))


def cpu_quota(root: Path = ROOT) -> float | None:
    """The processors that the control groups grant (2.5 of them, say), None without a limit."""
    quotas: list[float] = []
    for group in _groups(root, "cpu"):
        match _text(group / "cpu.max").split():  # version 2: "250000 100000" or "max 100000"
            case [limit, period] if limit.isdigit() and int(period) > 0:
                quotas.append(int(limit) / int(period))
        limit, period = _text(group / "cpu.cfs_quota_us"), _text(group / "cpu.cfs_period_us")
        if limit.isdigit() and period.isdigit() and int(period) > 0:  # version 1: -1 is no limit
            quotas.append(int(limit) / int(period))
    return min((q for q in quotas if q > 0), default=None)


def available_memory(root: Path = ROOT) -> int | None:
    """The bytes that can still be had: free or reclaimable, and what the control groups' limits
    leave beside what is used in them.

    None where the system does not say.
    """
    limits: list[int] = []
    for line in _text(root / "proc/meminfo").splitlines():
        match line.split():
            case ["MemAvailable:", kilobytes, "kB"]:
                limits.append(int(kilobytes) * 1024)
    for group in _groups(root, "memory"):
        for maximum, current, cached in MEMORY:
            limit, used = _text(group / maximum), _text(group / current)
            if limit.isdigit():
                taken = int(used) - _reclaimable(group, cached) if used.isdigit() else 0
                limits.append(max(int(limit) - max(taken, 0), 0))
    return min(limits, default=None)


def peak_memory(process: int, root: Path = ROOT) -> int | None:
    """The most bytes of memory that a process has had in use at a time, None where the system does
    not say. (`ru_maxrss` would also count what the process was before it became itself.)"""
    for line in _text(root / f"proc/{process}/status").splitlines():
        match line.split():
            case ["VmHWM:", kilobytes, "kB"]:
                return int(kilobytes) * 1024
    return None


def _reclaimable(group: Path, cached: str) -> int:
    """The bytes of files that the group has in memory and has not used for long."""
    fields = (line.split() for line in _text(group / "memory.stat").splitlines())
    return sum(int(f[1]) for f in fields if len(f) == 2 and f[0] == cached and f[1].isdigit())


def worker_limit() -> int | None:
    """The bytes of address space that POLYNB_WORKER_MEMORY grants each worker, None for any.

    Raises PolynbError unless it is a number of bytes, perhaps with k, M, G or T (of 1000).
    """
    text = os.environ.get("POLYNB_WORKER_MEMORY", "").strip()
    if not text:
        return None
    parts = re.fullmatch(r"(\d{1,18})([kMGT]?)B?", text)
    limit = int(parts[1]) * 1000 ** " kMGT".index(parts[2] or " ") if parts else 0
    if not LEAST <= limit < 2**63:
        raise PolynbError(
            f"POLYNB_WORKER_MEMORY is {text!r}",
            reason="it is the address space of a kernel's process, which takes 256 MB by itself",
            hint="4G or 500M, say (in the environment of the notebook); unset it for no limit",
        )
    return limit


@contextmanager
def memory_errors(name: str) -> Iterator[None]:
    """A MemoryError of Python or NumPy in here becomes a PolynbError of that kernel."""
    try:
        yield
    except MemoryError as error:
        raise PolynbError(
            f"no memory for the arrays of {name}",
            reason=str(error) or None,
            hint="smaller parameter values, or `out=` for results that may be overwritten",
        ) from None


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The directories of this process's control groups, from its own up to the root.

    Inside a container the listed path may be the host's, so ancestors are tried as well.
    """
    mount = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        fields = line.split(":", 2)
        if len(fields) < 3:
            continue
        _, controllers, path = fields
        if controllers and controller not in controllers.split(","):
            continue
        base = mount / controller if controllers else mount
        inner = base / path.lstrip("/")
        for group in (inner, *inner.parents):
            if not group.is_relative_to(base):
                break
            if group.is_dir():
                yield group


def _text(path: Path) -> str:
    """The text of a file, "" where there is none to read."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""
