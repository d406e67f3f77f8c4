"""How many instructions a compiled kernel has."""

from __future__ import annotations

import re
import shutil
from typing import Final

from polynb.run import Kernel, compilers
from polynb.run.cache import Build, shared_object

INSTRUCTION: Final = re.compile(r"^ +[0-9a-f]+:\t", re.MULTILINE)


def instructions(kernel: Kernel, compiler: str | None = None) -> int | None:
    """The instructions in the code of a kernel's object file, each counted once however often it
    runs; None where there is no objdump to read it. `compiler` is what compiled it.

    (Executed instructions would need performance counters, which virtual machines rarely have.)
    """
    objdump = shutil.which("objdump")
    if objdump is None:
        return None
    made = shared_object(Build(compilers.find(compiler), kernel.flags, kernel.source))
    said = compilers.run((objdump, "-d", "-j", ".text", "--no-show-raw-insn", str(made)))
    return len(INSTRUCTION.findall(said.stdout)) if said.returncode == 0 else None
