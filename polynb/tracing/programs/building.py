"""Programs built with the compiler's hooks, and the runtime that they are linked with.

gcc is asked for loads, stores and blocks (`-fsanitize=thread -fsanitize-coverage=trace-pc`), for
code whose loops and accesses are those of the text (`FAITHFUL`), and for no OpenMP: its pragmas are
ignored, and one thread runs all. The program is linked with our runtime, not with a sanitizer.
gcc's `-wrapper` puts this in where gcc runs its parts, so a makefile's own flags stay as they are.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.folding import engine
from polynb.run import cache, compilers
from polynb.run.compiled import telling
from polynb.tracing.programs import calls

RUNTIME: Final = Path(__file__).parent / "runtime"
SHARED: Final = Path(__file__).parent.parent / "runtime"
"""Of both front ends: what is written (words.c), how much the library reads (library.c)."""
OMP: Final = f"-idirafter {shlex.quote(str(RUNTIME / 'include'))}"  # omp.h, if there is no other
PARTS: Final = (
    *("graph", "loops", "shadow", "streams", "results", "start"),
    *("hooks", "library", "calls", "openmp"),
)
HOOKS: Final = (*("-g", "-O2", "-fsanitize=thread", "-fsanitize-coverage=trace-pc", "-fno-openmp"),)
# What would be done in place, unseen, is a call that is.
CALLED: Final = (
    "-U_FORTIFY_SOURCE",
    *(f"-fno-builtin-{name}" for name in ("memcpy", "memmove", "memset", "memcmp", "mempcpy")),
    *(f"-fno-builtin-{name}" for name in ("strcpy", "strncpy", "stpcpy", "strcat", "strncat")),
    *(f"-fno-builtin-{name}" for name in ("strlen", "strnlen", "strcmp", "strncmp", "strchr")),
    *(f"-fno-builtin-{name}" for name in ("memchr", "bzero", "bcopy", "bcmp", "strdup")),
)
# What would take accesses out of loops into registers (and their dependences out of sight), hand on
# what was just stored without a load (so that nobody sees a sum looked at), give loops another
# shape, put functions into others, or let one instruction stand for two; and what would tell that
# no pointer leads to a local variable here: gcc has no hooks for accesses to those.
FAITHFUL: Final = (
    *("-fno-tree-pre", "-fno-tree-fre", "-fno-code-hoisting"),
    *("-fno-tree-loop-im", "-fno-tree-sink", "-fno-tree-ch"),
    *("-fno-thread-jumps", "-fno-tree-vrp", "-fno-tree-dominator-opts"),
    *("-fno-split-loops", "-fno-split-paths", "-fno-tree-pta"),
    *("-fno-tree-vectorize", "-fno-unroll-loops", "-fno-peel-loops", "-fno-unswitch-loops"),
    *("-fno-tree-loop-distribution", "-fno-tree-loop-distribute-patterns"),
    *("-fno-inline-functions", "-fno-inline-small-functions", "-fno-inline-functions-called-once"),
    *("-fno-partial-inlining", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-ipa-icf"),
    *("-fno-optimize-sibling-calls", "-fno-crossjumping", "-fno-tree-tail-merge"),
    *("-fno-reorder-blocks-and-partition", "-freorder-blocks-algorithm=simple"),
    *("--param max-completely-peel-times=0", "--param max-completely-peeled-insns=0"),
)
WRAPPED: Final = (
    *("malloc", "calloc", "realloc", "free", "qsort", "_exit"),
    *("_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"),
)
C_SUFFIXES: Final = (".c",)
CXX_SUFFIXES: Final = (".cpp", ".cc", ".cxx", ".C", ".c++")
ENGINE_MEMORY: Final = ("malloc", "calloc", "realloc", "free")

# clang, and no optimisation: scalars stay in memory, where its hooks see them.
SCALARS: Final = (
    *("-g", "-O0", "-fno-openmp", "-finstrument-functions", "-fno-inline"),
    *("-fsanitize-coverage=trace-pc,trace-loads,trace-stores,no-prune",),
    # copies of whole structs become calls of memcpy
    *("-Xclang -fsanitize=thread", "-mllvm -tsan-instrument-memory-accesses=0"),
    *("-mllvm -tsan-instrument-func-entry-exit=0",),
    *("-fno-sanitize-link-runtime", "-Wno-unused-command-line-argument"),
)

CLANG: Final = """\
#!/bin/sh
for argument; do
case "$argument" in
-c|-S|-E|-M|-MM) exec {compiler} "$@" {compile} ;;
esac
done
exec {compiler} "$@" {compile} {link}
"""

WRAPPER: Final = """\
#!/bin/sh
case "${{1##*/}}" in
cc1|cc1plus) exec "$@" {compile} ;;
collect2) first="$1"; shift; exec "$first" {link} "$@" ;;
*) exec "$@" ;;
esac
"""


@dataclass(frozen=True)
class HookedCompilers:
    """Compilers that build traced programs: scripts named gcc, g++, cc and c++ in a directory.
    `scalars`: it is clang, and what is built tells of scalars in registers, too."""

    directory: Path
    scalars: bool = False

    @property
    def cc(self) -> Path:
        return self.directory / "gcc"

    @property
    def cxx(self) -> Path:
        return self.directory / "g++"

    def environment(self) -> dict[str, str]:
        """For a makefile: CC, CXX, and the scripts before all others in PATH."""
        path = f"{self.directory}{os.pathsep}{os.environ.get('PATH', '')}"
        return {**os.environ, "CC": str(self.cc), "CXX": str(self.cxx), "PATH": path}


def tools(directory: Path, *, scalars: bool = False) -> HookedCompilers:
    """The compilers, written into a directory: gcc, which shows loads and stores of memory, or
    with `scalars` clang, which shows those of local variables as well (and runs slower).

    Raises PolynbError where the compiler is not here.
    """
    wanted = ("clang", "clang++") if scalars else ("gcc", "g++")
    c, cxx = (shutil.which(name) for name in wanted)
    if c is None:
        raise PolynbError(
            f"whole programs are traced with {wanted[0]}, which is not here",
            reason="its hooks (-fsanitize-coverage and others) tell what runs",
            hint=f"on Debian and Ubuntu: sudo apt install {wanted[0]} g++ binutils",
        )
    texts = (_clang if scalars else _gcc)(directory, c, cxx or c)
    for names, text in zip((("gcc", "cc", "clang"), ("g++", "c++", "clang++")), texts, strict=True):
        for name in names:
            _script(directory / name, text)
    return HookedCompilers(directory, scalars)


def _gcc(directory: Path, c: str, cxx: str) -> tuple[str, str]:
    link = f"-z now --push-state --no-as-needed {shlex.quote(str(runtime()))} --pop-state"
    wraps = (f"--wrap={name}" for name in WRAPPED)
    wrapper = directory / "wrapper"
    compile_flags = " ".join((*HOOKS, *FAITHFUL, *CALLED, OMP))
    _script(wrapper, WRAPPER.format(compile=compile_flags, link=" ".join((link, *wraps))))
    first, second = (f'#!/bin/sh\nexec {name} -wrapper "{wrapper}" "$@"\n' for name in (c, cxx))
    return first, second


def _clang(directory: Path, c: str, cxx: str) -> tuple[str, str]:
    quoted = shlex.quote(str(runtime()))
    link = f"-Wl,-z,now -Wl,--push-state,--no-as-needed {quoted} -Wl,--pop-state "
    link += " ".join(f"-Wl,--wrap={name}" for name in WRAPPED)
    first, second = (
        CLANG.format(compiler=name, compile=" ".join((*SCALARS, *CALLED, OMP)), link=link)
        for name in (c, cxx)
    )
    return first, second


def _script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o700)


def runtime() -> Path:
    """The runtime with the folding engine in it, compiled on first use and kept."""
    compiler = compilers.find("gcc" if shutil.which("gcc") else "clang")
    flags = (
        *("-std=gnu11", "-O2", "-g1", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-plt"),
        *("-Wno-use-after-free", "-Wno-unknown-warning-option"),
        *("-Wno-int-conversion", "-lpthread", "-ldl"),
    )
    return cache.shared_object(cache.Build(compiler, flags, runtime_text()))


def runtime_text() -> str:
    """The runtime as one C text. The engine allocates from the runtime's own memory."""
    take = [f"#define {name} arena_{name}" for name in ENGINE_MEMORY]
    give = [f"#undef {name}" for name in ENGINE_MEMORY]
    inner = [engine.text(), _part("words.c", SHARED)]
    parts = [_part("trace.h"), _part("arena.c"), *take, *inner, *give]
    parts += [_part(f"{name}.c") for name in PARTS]
    known = (SHARED / "library.c").read_text() + (RUNTIME / "mappings.c").read_text()
    generated = known + calls.text()
    return "\n".join(parts).replace('#include "generated"\n', generated)


def _part(name: str, folder: Path = RUNTIME) -> str:
    return f'#line 1 "{name}"\n{(folder / name).read_text()}'


def build(
    sources: Sequence[Path], program: Path, tools: HookedCompilers, flags: Sequence[str] = ()
) -> Path:
    """Compile and link sources, C and C++, with the hooks.

    Raises PolynbError with the compiler's message where it refuses.
    """
    cxx = any(path.suffix in CXX_SUFFIXES for path in sources)
    command = [str(tools.cxx if cxx else tools.cc)]
    for path in sources:
        language = "c" if path.suffix in C_SUFFIXES else "c++"
        command += ["-x", language, str(path)]
    said = compilers.run([*command, "-x", "none", "-o", str(program), *flags, "-lm"])
    if said.returncode:
        raise PolynbError(
            f"the compiler did not build {program.name}",
            reason=telling(said.stderr),
            hint="flags (-I, -D, -l) after --flags; a makefile with --build",
        )
    return program


def build_by(command: str, tools: HookedCompilers, directory: Path) -> str:
    """Run a build command with our compilers as CC and CXX, and first in PATH: what it said.

    `{cc}` and `{cxx}` in it are their paths. Raises PolynbError if it fails.
    """
    line = command.replace("{cc}", str(tools.cc)).replace("{cxx}", str(tools.cxx))
    done = subprocess.run(
        ["sh", "-c", line], cwd=directory, env=tools.environment(), text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if done.returncode:
        raise PolynbError(
            f"the build failed: {line}",
            reason=_ending(done.stdout),
            hint="it runs in a shell, with CC and CXX set; {cc} and {cxx} stand for their paths",
        )
    return done.stdout


def _ending(said: str) -> str:
    """What a build said at its end, after the line that tells most."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return "\n".join(dict.fromkeys((telling(said), *lines[-3:])))
