"""The generators of random programs, and what the laws count, are plain modules next to them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
