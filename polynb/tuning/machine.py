"""What a measurement was made on."""

from __future__ import annotations

import functools
import platform
from pathlib import Path
from typing import Final

from polynb.run.resources import default_threads

CPUINFO: Final = Path("/proc/cpuinfo")


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
