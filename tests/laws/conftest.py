"""The generator of random programs is a plain module next to its tests; what the property tests
counted is said at the end of the run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

SAID = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SAID] = []


@pytest.fixture
def say(request: pytest.FixtureRequest):
    """Add a line to the end of the run's report."""
    return request.config.stash[SAID].append


def pytest_terminal_summary(terminalreporter, exitstatus, config) -> None:
    for line in config.stash[SAID]:
        terminalreporter.write_line(line)
