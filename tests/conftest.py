"""What any test may need of the machine."""

from __future__ import annotations

import pytest

from polynb.codegen import waking
from polynb.run.compilers import find


@pytest.fixture
def openmp():
    """Kernels tell of parallel loops only where the compiler has OpenMP."""
    if not find(None).openmp:
        pytest.skip("no compiler with OpenMP here")


@pytest.fixture(scope="session", autouse=True)
def _threads_are_woken_for_little():
    """Programs of tests are small: their loops run on several threads all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waking, "WORTH", 1)
        yield
