"""A C function as it was typed, compiled by gcc or clang beside polynb's kernels."""

from __future__ import annotations

import re
from dataclasses import dataclass

from polynb.run import compilers
from polynb.run.cache import Build
from polynb.run.kernel import Kernel, Options
from polynb.run.signature import Signature
from polynb.scop.model import Array

FLAGS = ("-std=gnu99", "-O3", "-march=native", "-ffp-contract=off", "-fPIC", "-shared", "-lm")


@dataclass(frozen=True)
class Typed:
    """The text of a function, with an entry as that of polynb's kernels."""

    function: str
    signature: Signature
    entry: str = "kernel"

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.signature.parameters

    @property
    def arguments(self) -> tuple[Array, ...]:
        return self.signature.arrays

    @property
    def text(self) -> str:
        head = re.search(r"void\s+(\w+)\s*\(([^)]*)\)", self.function)
        assert head is not None
        places = {a.name: (k, a) for k, a in enumerate(self.arguments)}
        given = []
        for one in head[2].split(","):
            name = re.findall(r"\w+", one.split("[")[0])[-1]
            if name in self.parameters:
                given.append(f"parameters[{self.parameters.index(name)}]")
            elif name in places:
                place, array = places[name]
                cell = f"*({array.type.c_name} *)arrays[{place}]"
                given.append(f"arrays[{place}]" if "[" in one else cell)
            else:
                given.append("0")  # nothing of it is read
        return (
            f"#include <math.h>\n#include <stdint.h>\ntypedef char base;\n{self.function}\n"
            "int kernel(const int64_t *parameters, void **arrays, int n) {\n"
            f"  {head[1]}({', '.join(given)});\n  return 0;\n}}\n"
        )

    def compiled(self, compiler: str, *flags: str) -> Kernel:
        build = Build(compilers.find(compiler), (*FLAGS, *flags), self.text)
        return Kernel(self, self.signature, build, Options(), 1, ())
