"""The moves as functions are a plain module next to the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
