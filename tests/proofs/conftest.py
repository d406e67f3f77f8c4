"""The pairs of programs are a plain module next to the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
