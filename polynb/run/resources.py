"""What this process may use of the machine: processors and memory.

In a container the number of processors says little: a CPU quota of the control group decides, and
threads beyond it only wait. The same holds for memory.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path("/")


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
    """The bytes that can still be had: free or reclaimable, and within the control groups' limits.

    None where the system does not say.
    """
    limits: list[int] = []
    for line in _text(root / "proc/meminfo").splitlines():
        match line.split():
            case ["MemAvailable:", kilobytes, "kB"]:
                limits.append(int(kilobytes) * 1024)
    for group in _groups(root, "memory"):
        for name in ("memory.max", "memory.limit_in_bytes"):
            limit = _text(group / name)
            if limit.isdigit():
                limits.append(int(limit))
    return min(limits, default=None)


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
