"""Kernels of hand-written C."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from polynb import isl
from polynb.run import compilers
from polynb.run.kernel import Kernel, Options, build
from polynb.run.signature import Signature
from polynb.scop.model import Array
from polynb.source.types import TYPES

HEAD = "#include <stdint.h>\n#include <stdlib.h>\n#include <math.h>\n"
ENTRY = "int entry(const int64_t *parameters, void **arrays, int threads)"


@dataclass(frozen=True, eq=False)
class CText:
    text: str
    parameters: tuple[str, ...]
    arguments: tuple[Array, ...]
    entry: str = "entry"


def make_array(name: str, role: str, *extents: str, type: str = "double", live_in=None) -> Array:
    """`make_array("A", "input", "N + 1")`; an extent "?" is not known."""
    sizes = tuple(
        None if e == "?" else isl.PwAff(f"[N] -> {{ [({e})] }}".replace("[N] ", "[N, M] ", 1))
        for e in extents
    )
    entry = role in ("input", "inout") if live_in is None else live_in
    return Array(name, TYPES[type], sizes, role, entry)


@pytest.fixture(scope="session")
def array() -> Callable[..., Array]:
    return make_array


@pytest.fixture(scope="session")
def kernel(array: Callable[..., Array]) -> Callable[..., Kernel]:
    """`kernel("return 0;", [arrays])`: a Kernel whose C function has this body."""

    def make(
        body: str,
        arrays: list[Array] | None = None,
        *,
        parameters: tuple[str, ...] = ("N",),
        temporaries: tuple[Array, ...] = (),
        context: str = "[N] -> { : }",
        requires: str = "[N] -> { : }",
        name: str = "hand",
        compiler: str | None = None,
        **options: object,
    ) -> Kernel:
        text = f"{HEAD}{ENTRY} {{\n{body}\n}}\n"
        source = CText(text, parameters, tuple(arrays or ()))
        signature = Signature(
            name,
            parameters,
            source.arguments,
            temporaries,
            isl.read_set(context),
            isl.read_set(requires),
        )
        return build(source, signature, compilers.find(compiler), Options(**options))

    return make


DOUBLED = """
  int64_t N = parameters[0];
  const double *A = arrays[0]; double *B = arrays[1];
  for (int64_t i = 0; i <= N; i++) B[i] = 2.0 * A[i];
  return 0;
"""


@pytest.fixture
def doubled(kernel: Callable[..., Kernel], array: Callable[..., Array]) -> Kernel:
    """B[i] = 2 * A[i] for 0 <= i <= N, both of N + 1 cells; N >= 3 is assumed."""
    arrays = [array("A", "input", "N + 1"), array("B", "output", "N + 1")]
    return kernel(DOUBLED, arrays, context="[N] -> { : N >= 3 }", name="doubled")


@pytest.fixture
def bin_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory that is the whole PATH."""
    directory = tmp_path / "the bin"
    directory.mkdir()
    monkeypatch.setenv("PATH", str(directory))
    return directory
