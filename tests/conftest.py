"""What any test may need of the machine."""

from __future__ import annotations

import pytest

from polynb.run.compilers import find


@pytest.fixture
def openmp():
    """Kernels tell of parallel loops only where the compiler has OpenMP."""
    if not find(None).openmp:
        pytest.skip("no compiler with OpenMP here")
