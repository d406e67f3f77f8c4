"""Helpers are plain modules beside the tests."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent, HERE.parent.parent / "laws"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
