"""What a measurement was made on."""

from __future__ import annotations

import contextlib
import functools
import platform
import re
from pathlib import Path
from typing import Final

from polynb.run.resources import default_threads

CPUINFO: Final = Path("/proc/cpuinfo")
CACHES: Final = Path("/sys/devices/system/cpu/cpu0/cache")
CACHE: Final = 32 * 2**20
"""Bytes of the last-level cache where the system does not say."""


@functools.cache
def processor() -> str:
    """The processor's name and how many this process may use: "AMD EPYC, 2 processors"."""
    count = default_threads()
    return f"{_model() or platform.machine()}, {count} processor{'s' * (count != 1)}"


def _model() -> str:
    try:
        lines = CPUINFO.read_text().splitlines()
    except OSError:
        return platform.processor()
    values = dict(line.split(":", 1) for line in lines if ":" in line)
    named = {k.strip(): v.strip() for k, v in values.items()}
    return named.get("model name", "") or platform.processor()


@functools.cache
def last_level_cache(caches: Path = CACHES) -> int:
    """The bytes of the largest cache of a processor, as the system says: "32768K"."""
    sizes = []
    for size in caches.glob("index*/size"):
        with contextlib.suppress(OSError):
            found = re.fullmatch(r"(\d+)([KMG]?)", size.read_text().strip())
            sizes += [int(found[1]) << 10 * " KMG".index(found[2] or " ")] if found else []
    return max(sizes, default=CACHE)
