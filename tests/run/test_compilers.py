"""Which compiler is taken, with which flags, and what happens where there is none."""

import os
import re
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

import polynb as pn
from polynb import isl
from polynb.codegen.lower import kernel_source
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.run import compilers
from polynb.run.compilers import CompilerError, find, target, translate
from polynb.schedules.parallel import choose_loops

GCC, CLANG = shutil.which("gcc"), shutil.which("clang")
needs_gcc = pytest.mark.skipif(GCC is None, reason="no gcc")
needs_clang = pytest.mark.skipif(CLANG is None, reason="no clang")


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!{shutil.which('sh')}\n{body}\n")
    path.chmod(0o755)
    return path


@needs_gcc
def test_gcc_comes_first() -> None:
    found = find()
    assert (found.name, found.command) == ("gcc", (GCC,))
    assert "gcc" in found.version


@needs_clang
def test_clang_where_there_is_no_gcc(bin_directory) -> None:
    (bin_directory / "clang").symlink_to(str(CLANG))
    assert find().name == "clang"
    with pytest.raises(PolynbError, match="compiler='gcc' is not a C compiler"):
        find("gcc")


@needs_gcc
def test_cc_is_honoured(monkeypatch, tmp_path) -> None:
    wrapped = script(tmp_path / "my own 'cc'", f'exec {GCC} "$@"')
    monkeypatch.setenv("CC", str(wrapped))
    assert find().command == (str(wrapped),)
    monkeypatch.setenv("CC", "gcc -m64")
    assert find().command == (GCC, "-m64")
    assert find("gcc").command == (GCC,)
    for wrong in ("no-such-compiler", '"', "/"):
        monkeypatch.setenv("CC", wrong)
        with pytest.raises(PolynbError, match=r"environment variable CC: .* is not a C compiler"):
            find()
    monkeypatch.setenv("CC", " ")
    assert find().command == (GCC,)


def test_no_compiler_at_all(bin_directory, monkeypatch) -> None:
    monkeypatch.setattr(compilers.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(PolynbError, match=r"pip install ziglang[^$]*apt install gcc libc6"):
        find()
    with pytest.raises(PolynbError, match="compiler='zig' is not a C compiler"):
        find("zig")
    script(bin_directory / "gcc", "exit 1")  # one that is broken is none
    with pytest.raises(PolynbError, match="no C compiler here"):
        find()


ZIG = """
import os, sys
arguments = sys.argv[1:]
if arguments == ["version"]:
    print("0.13.0")
else:
    assert arguments.pop(0) == "cc"
    assert "-fopenmp" not in arguments
    if "--version" in arguments:
        print("clang version 18.1.6")
    else:
        assert "-fno-sanitize=undefined" in arguments
        os.execv({gcc!r}, [{gcc!r}, *(a for a in arguments if not a.startswith("-fno-sanitize"))])
"""


@needs_gcc
def test_zig_where_there_is_nothing_else(bin_directory, monkeypatch, tmp_path, kernel) -> None:
    """A stand-in for the wheel, which checks how it is called and is gcc underneath."""
    package = tmp_path / "ziglang"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(ZIG.format(gcc=GCC))
    for tool in ("as", "ld"):
        (bin_directory / tool).symlink_to(str(Path("/usr/bin") / tool))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    found = find()
    assert found.command == (sys.executable, "-m", "ziglang", "cc")
    assert (found.name, found.version) == ("zig", "zig 0.13.0 (clang version 18.1.6)")
    k = kernel("\n#pragma omp parallel\nthreads = 1;\nreturn 0;", threads=2)
    assert k.threads == 1
    assert k.warnings == ("parallel loops run sequentially: zig has no OpenMP runtime here",)
    assert k(N=1) == {}
    assert kernel("return 0;", threads=1).warnings == ()


PARALLEL = """
  int32_t *T = arrays[0];
  #pragma omp parallel for num_threads(threads)
  for (int i = 0; i < 4; i++) T[i] = i;
  return 0;
"""


@needs_gcc
def test_without_an_openmp_runtime(monkeypatch, tmp_path, kernel, array) -> None:
    """A compiler that cannot link OpenMP compiles a sequential kernel, and says so."""
    body = f"""for a in "$@"; do
      [ "$a" = -fopenmp ] && {{ echo "ld: error: cannot find -lomp" >&2; exit 1; }}
    done
    exec {GCC} "$@" """
    monkeypatch.setenv("CC", str(script(tmp_path / "cc", body)))
    k = kernel(PARALLEL, [array("T", "output", "4", type="int32")], threads=2)
    assert k.threads == 1
    assert k.warnings == ("parallel loops run sequentially: gcc has no OpenMP runtime here",)
    assert k(N=1).T.tolist() == [0, 1, 2, 3]


@needs_clang
def test_clang_compiles_parallel_loops_or_says_that_it_cannot(kernel, array) -> None:
    k = kernel(PARALLEL, [array("T", "output", "4", type="int32")], threads=2, compiler="clang")
    assert (k.threads == 2) == (k.warnings == ())
    assert "clang" in k.compiler
    assert k(N=1).T.tolist() == [0, 1, 2, 3]


@needs_gcc
def test_flags() -> None:
    exact, fast = find("gcc").flags(), find("gcc").flags(fast_math=True, openmp=True)
    assert {"-O3", "-ffp-contract=off", "-fopenmp-simd", "-DOPENMP_SIMD", "-shared"} <= set(exact)
    assert "-ffast-math" not in exact
    assert {"-ffast-math", "-fopenmp"} <= set(fast)
    assert "-ffp-contract=off" not in fast
    assert find("gcc").flags(extra=("-O1",))[-1] == "-O1"


MANY = """
param N; assume N >= 2;
input float A[N], B[N], C[N], D[N], E[N], F[N]; output float X[N][N], Y[N][N];
for i = 0 to N - 1 do
  for j = 0 to N - 1 do
    X[i][j] = A[j] + B[j] + C[j] + D[j] + E[j] + F[j];
    Y[i][j] = A[j] * B[j] * C[j] * D[j] * E[j] * F[j];
  done
done
"""


@needs_gcc
def test_a_parallel_loop_over_many_arrays_runs_in_vectors(tmp_path) -> None:
    assert "loop vectorized" in said_of(MANY, "vec", tmp_path, openmp=True)


def said_of(text: str, about: str, tmp_path: Path, *flags: str, openmp: bool = False) -> str:
    """What gcc says of what it did with the loops of a kernel."""
    source, said = tmp_path / "kernel.c", tmp_path / "said"
    scop = pn.parse(text)
    source.write_text(kernel_source(choose_loops(scop, analyze(scop), choice="outermost")[0]).text)
    asked = find("gcc").flags(openmp=openmp, extra=(f"-fopt-info-{about}={said}", *flags))
    translate(find("gcc"), asked, source, tmp_path / "kernel.so")
    try:
        return said.read_text()
    finally:
        said.unlink()


SELECTING = """
param N; assume N >= 4;
input float img[N][N + 2];
temp float p[N][N + 2], t[N][N + 1], u[N][N];
output float out[N - 2][N];
for x = 0 to N - 1 do for y = 0 to N + 1 do p[x][y] = 2 * img[x][y]; done done
for x = 0 to N - 1 do
  for y = 0 to N do t[x][y] = p[x][y] > 1 ? p[x][y] + p[x][y+1] : p[x][y+1]; done
done
for x = 0 to N - 1 do for y = 0 to N - 1 do u[x][y] = t[x][y] + 2 * t[x][y+1]; done done
for x = 0 to N - 3 do
  for y = 0 to N - 1 do out[x][y] = u[x][y] + 2 * u[x+1][y] + u[x+2][y]; done
done
"""


@needs_gcc
@pytest.mark.long
def test_what_an_iteration_needs_again_keeps_no_selection_from_running_in_vectors(tmp_path) -> None:
    k = pn.compile(pn.propagate(pn.parse(SELECTING), windows=32).result)
    source, said = tmp_path / "kernel.c", tmp_path / "said"
    source.write_text(k.source)
    loops = []
    for flags in (k.flags, [f for f in k.flags if f != "-fno-tree-pre"]):
        asked = (*flags, f"-fopt-info-vec={said}")
        translate(find("gcc"), asked, source, tmp_path / "kernel.so")
        loops.append(set(re.findall(r"c:(\d+):.*loop vectorized", said.read_text())))
        said.unlink()
    if loops[0] == loops[1]:
        pytest.skip("this gcc would run them in vectors anyway")
    assert len(loops[0]) > len(loops[1])


CHOSEN = "p[x][y] > 1 ? p[x][y] + p[x][y+1] : p[x][y+1]"


@needs_gcc
@pytest.mark.parametrize(
    ("value", "threads", "selects"),
    [
        (CHOSEN, 1, True),
        ("max(p[x][y], p[x][y+1])", 1, True),
        ("least(p[x][y], p[x][y+1])", 1, True),
        ("p[x][y] + p[x][y+1]", 2, False),
    ],
)
@pytest.mark.long
def test_values_are_carried_unless_a_loop_in_vectors_selects(value, threads, selects) -> None:
    scop = pn.parse("define least(v, w) = v < w ? v : w; " + SELECTING.replace(CHOSEN, value))
    in_strips = pn.propagate(scop, windows=32).result
    assert ("-fno-tree-pre" in pn.compile(in_strips, threads=threads).flags) is selects


UPDATED = """
param N; inout float A[N][N]; input float B[N];
for i = 0 to N - 1 do
  for k = 4 to N - 1 do
    for j = 0 to N - 2 do A[i][j] = A[i][j] + B[j] * B[j+1]; done
  done
done
"""


@needs_gcc
def test_the_order_of_loops_is_that_of_the_program(tmp_path) -> None:
    if "interchanged" not in said_of(UPDATED, "loop", tmp_path, "-floop-interchange"):
        pytest.skip("this gcc would not change it")
    assert "interchanged" not in said_of(UPDATED, "loop", tmp_path)


@needs_gcc
def test_a_flag_that_the_processor_does_not_have_is_left_out(monkeypatch, tmp_path) -> None:
    body = f"""for a in "$@"; do
      [ "$a" = -march=native ] && exit 1
    done
    exec {GCC} "$@" """
    found = find(str(script(tmp_path / "cc", body)))
    assert "-march=native" not in found.flags()
    assert "-O3" in found.flags()


@needs_gcc
def test_the_target_is_what_native_comes_to() -> None:
    command = find("gcc").command
    assert target(command, ("-march=native",)) != target(command, ())
    assert "#define __" in target(command, ("-march=native",))


@needs_gcc
def test_results_are_exact_unless_asked_otherwise(kernel, array) -> None:
    """a*b + c is rounded twice; (a + b) + c is added in this order."""
    body = """
      const double *A = arrays[0]; double *B = arrays[1]; int64_t N = parameters[0];
      double s = 0;
      for (int64_t i = 0; i < N; i++) { B[i] = A[i] * A[i] + (-1); s += A[i]; }
      B[N] = s; return 0;
    """
    arrays = [array("A", "input", "N"), array("B", "output", "N + 1")]
    values = [1 + 2**-30, 1e16, 1.0, -1e16, 3.0, 1 / 3] * 20
    expected = [v * v + (-1) for v in values]
    total = 0.0
    for v in values:
        total += v
    assert kernel(body, arrays)(N=120, A=values).B.tolist() == [*expected, total]


@needs_gcc
def test_a_text_that_does_not_compile(kernel) -> None:
    with pytest.raises(CompilerError, match=r"gcc refused the kernel\nbecause: .*error: .*nothing"):
        kernel("return nothing;")
    with pytest.raises(CompilerError, match="leave out flags="):
        kernel("return 0;", flags=("-fno-such-flag",))


@needs_gcc
def test_missing_headers(kernel) -> None:
    with pytest.raises(CompilerError, match="sudo apt install libc6-dev"):
        kernel("return 0;", flags=("-nostdinc", "-isystem", "/"))


@pytest.mark.long
def test_a_compiler_that_hangs_is_ended_whole(monkeypatch, tmp_path) -> None:
    record = tmp_path / "pid"
    slow = script(tmp_path / "cc", f"sleep 60 & echo $! > {record}; wait")
    monkeypatch.setattr(compilers, "ASKED", 1.5)
    with pytest.raises(PolynbError, match=r"cc does not answer\n.* within 1\.5 seconds"):
        find(str(slow))
    require_gone(int(record.read_text()))


def require_gone(child: int) -> None:
    end = threading.Event()
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        end.wait(0.02)
    os.kill(child, 9)
    raise AssertionError("a part of the compiler lives on")


# -- compilers that take their time, are killed, or never stop talking ------------------------


def slow_to(what: str, seconds: int) -> str:
    """A compiler that first sleeps where it is to do something."""
    said = f"sleep {seconds}" if what == "say who it is" else ":"
    made = f"sleep {seconds}" if what == "compile" else ":"
    return f"""[ "$1" = --version ] && {said}
    case "$*" in *kernel.c*) {made};; esac; exec {GCC} "$@" """


@needs_gcc
@pytest.mark.parametrize("what", ["say who it is", "compile"])
@pytest.mark.long
def test_a_compiler_has_no_more_time_than_the_budget_around(tmp_path, kernel, what) -> None:
    slow = str(script(tmp_path / "cc", slow_to(what, 20)))
    begun = time.monotonic()
    with (
        pytest.raises(isl.BudgetExhausted, match="the compiler used up its 1 seconds"),
        pn.budget(seconds=1),
    ):
        kernel(f"return 0; /* {what} */", compiler=slow)
    assert time.monotonic() - begun < 8


@needs_gcc
@pytest.mark.long
def test_a_compiler_that_is_killed_is_not_one_without_openmp(tmp_path, kernel, array) -> None:
    """Once only: the next time it would have made a kernel for one thread."""
    arrays = [array("T", "output", "4", type="int32")]
    ways = {
        "kill -9 $$": r"it was killed \(SIGKILL\)",
        "echo 'gcc: fatal error: Killed signal terminated program cc1' >&2; exit 1": "Killed",
        "echo 'x.c:1:1: internal compiler error: Segmentation fault' >&2; exit 4": "internal",
    }
    for k, (how, message) in enumerate(ways.items()):
        mark = tmp_path / f"killed{k}"
        made = f"[ ! -e {mark} ] && {{ touch {mark}; {how}; }}"
        body = f'case "$*" in *kernel.c*) {made};; esac; exec {GCC} "$@" '
        killed = str(script(tmp_path / f"cc{k}", body))
        with pytest.raises(CompilerError, match=message):
            kernel(PARALLEL, arrays, threads=2, compiler=killed)
        assert kernel(PARALLEL, arrays, threads=2, compiler=killed).threads == 2


@needs_gcc
@pytest.mark.parametrize("question", ["--version", "-march=native"])
def test_a_compiler_that_is_killed_when_it_is_asked_is_asked_again(tmp_path, kernel, question):
    """Once only: it was no compiler ever after, or one without the processor's instructions."""
    mark = tmp_path / "killed"
    once = f"[ ! -e {mark} ] && {{ touch {mark}; kill -9 $$; }}"
    body = f'[ "$1" = {question} ] && {once}; exec {GCC} "$@" '
    killed = str(script(tmp_path / "cc", body))
    with pytest.raises(CompilerError, match=r"it was killed \(SIGKILL\)"):
        kernel("return 0;", compiler=killed)
    assert kernel("return 0;", compiler=killed).flags == kernel("return 0;", compiler="gcc").flags


@pytest.mark.long
@needs_gcc
def test_what_a_compiler_leaves_behind_is_not_waited_for(tmp_path, kernel) -> None:
    record = tmp_path / "pid"
    body = f'case "$*" in *kernel.c*) sleep 60 & echo $! > {record};; esac; exec {GCC} "$@" '
    leaving = str(script(tmp_path / "cc", body))
    begun = time.monotonic()
    assert kernel("return 0; /* and leave */", compiler=leaving)(N=1) == {}
    assert time.monotonic() - begun < 30
    require_gone(int(record.read_text()))


@needs_gcc
def test_what_a_compiler_says_is_kept_in_part(tmp_path, kernel, monkeypatch) -> None:
    talks = 'yes "error: no" | head -c 100000000 >&2; exit 1'
    body = f'case "$*" in *kernel.c*) {talks};; esac; exec {GCC} "$@" '
    kept = []
    run = compilers.run

    def noted(*args, **options):
        kept.append(run(*args, **options))
        return kept[-1]

    monkeypatch.setattr(compilers, "run", noted)
    with pytest.raises(CompilerError, match="error: no"):
        kernel("return 0;", compiler=str(script(tmp_path / "cc", body)))
    assert kept[-1].returncode == 1
    assert 100_000 < len(kept[-1].stderr) <= compilers.SAID + compilers.SAID_LAST + 1


@needs_gcc
def test_an_error_behind_very_many_warnings_is_shown(tmp_path, kernel) -> None:
    talks = 'yes "kernel.c:1:1: warning: so so" | head -c 3000000 >&2; echo "kernel.c:2:1: error: '
    talks += 'here" >&2; yes "kernel.c:3:1: note: so" | head -c 50000 >&2; exit 1'
    body = f'case "$*" in *kernel.c*) {talks};; esac; exec {GCC} "$@" '
    with pytest.raises(CompilerError, match="error: here"):
        kernel("return 0;", compiler=str(script(tmp_path / "cc", body)))
