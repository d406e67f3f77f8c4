"""Helpers are plain modules, here and among the laws."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "laws")]
