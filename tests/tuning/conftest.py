"""Kernels go into a cache of the tests' own."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POLYNB_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("CC", raising=False)
        yield
