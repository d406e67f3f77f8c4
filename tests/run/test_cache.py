"""Compiled objects are kept, found again, and only trusted where nobody else can write."""

import concurrent.futures
import multiprocessing
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from polynb.run import cache, compilers
from polynb.run.cache import PART, STALE, Build, place, shared_object, tidy
from polynb.run.compilers import CompilerError, find

TEXT = "int entry(const long *p, void **a, int t) { return 0; }\n"


@pytest.fixture
def directory(tmp_path, monkeypatch) -> Path:
    path = tmp_path / "a cache"
    monkeypatch.setenv("POLYNB_CACHE", str(path))
    return path


def build_of(text: str = TEXT, *extra: str) -> Build:
    compiler = find()
    return Build(compiler, compiler.flags(extra=extra), text)


def test_the_second_time_no_compiler_starts(directory, monkeypatch) -> None:
    first = shared_object(build_of())
    assert first.parent == directory
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert [p.name for p in directory.iterdir()] == [first.name]  # nothing half-done is left

    def refuse(*arguments: object) -> None:
        raise AssertionError(f"the compiler was started: {arguments}")

    monkeypatch.setattr(compilers, "run", refuse)
    os.utime(first, (1, 1))
    assert shared_object(build_of()) == first
    assert first.stat().st_mtime > 1  # it counts as used


def test_an_object_that_another_process_removes_meanwhile(directory, monkeypatch) -> None:
    first = shared_object(build_of())

    def tidied(path: Path) -> None:  # between the look at it and its use
        path.unlink()

    monkeypatch.setattr(cache, "fault_of", tidied)
    assert shared_object(build_of()) == first
    assert first.exists()


def test_what_the_key_depends_on(directory, monkeypatch) -> None:
    keys = {build_of().key, build_of(TEXT + "\n").key, build_of(TEXT, "-O1").key}
    compiler = find()
    other = compilers.Compiler("gcc", compiler.command, "", compiler.identity + "13")
    keys.add(Build(other, build_of().flags, TEXT).key)
    monkeypatch.setattr(cache, "target", lambda command, flags: "another processor")
    keys.add(build_of().key)
    assert len(keys) == 5


def test_a_failed_compilation_leaves_nothing(directory) -> None:
    with pytest.raises(CompilerError):
        shared_object(build_of("int entry( {"))
    assert list(directory.iterdir()) == []


def _compile_at_once(path: str, barrier) -> str:
    os.environ["POLYNB_CACHE"] = path
    build = build_of("/* at once */" + TEXT)
    barrier.wait(timeout=30)
    return str(shared_object(build))


@pytest.mark.long
def test_two_processes_compile_the_same_at_once(directory) -> None:
    spawn = multiprocessing.get_context("forkserver")
    with (
        spawn.Manager() as manager,
        concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn) as pool,
    ):
        barrier = manager.Barrier(2)
        running = [pool.submit(_compile_at_once, str(directory), barrier) for _ in range(2)]
        paths = {f.result(timeout=60) for f in running}
    assert len(paths) == 1
    assert [str(p) for p in directory.iterdir()] == list(paths)


def test_where_it_is(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("POLYNB_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert place() == (tmp_path / "xdg" / "polynb", None)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert place() == (tmp_path / "home" / ".cache" / "polynb", None)
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert place() == (tmp_path / "home" / ".cache" / "polynb", None)
    monkeypatch.setenv("POLYNB_CACHE", "~/own")
    assert place() == (tmp_path / "home" / "own", None)


def test_a_directory_that_others_may_write_to_is_not_used(directory, kernel) -> None:
    directory.mkdir()
    directory.chmod(0o777)
    used, why = place()
    assert used != directory
    assert stat.S_IMODE(used.stat().st_mode) == 0o700
    assert why is not None
    assert "others may write to it" in why
    k = kernel("return 0;")
    assert k.warnings == (why,)
    assert k(N=1) == {}
    assert list(directory.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_what_belongs_to_somebody_else_is_not_used(directory) -> None:
    mine = shared_object(build_of())
    planted = mine.read_bytes()
    os.chown(mine, 12345, 12345)
    assert shared_object(build_of()).stat().st_uid == os.geteuid()  # compiled again
    assert mine.read_bytes() == planted
    os.chown(directory, 12345, 12345)
    assert place()[0] != directory


def test_an_object_that_others_may_write_is_compiled_again(directory) -> None:
    mine = shared_object(build_of())
    mine.write_bytes(b"planted")
    mine.chmod(0o777)
    assert shared_object(build_of()) == mine
    assert mine.read_bytes() != b"planted"


@pytest.mark.parametrize("make", [os.mkfifo, Path.touch], ids=["a pipe", "an empty file"])
def test_what_is_no_object_is_compiled_again(directory, make) -> None:
    """Whoever opens a pipe waits for somebody to write to it."""
    made = shared_object(build_of())
    made.unlink()
    make(made)
    made.chmod(0o700)
    assert shared_object(build_of()) == made
    assert made.read_bytes().startswith(b"\x7fELF")


def test_no_directory_can_be_made(tmp_path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("POLYNB_CACHE", str(tmp_path / "file" / "cache"))
    used, why = place()
    assert used.is_dir()
    assert why is not None
    assert why.startswith("compiled kernels are not kept: ")


def test_a_shared_cache_is_read_only(directory, monkeypatch, tmp_path) -> None:
    shared = tmp_path / "shared"
    made = shared_object(build_of())
    shared.mkdir()
    made.rename(shared / made.name)
    monkeypatch.setenv("POLYNB_SHARED_CACHE", str(shared))
    assert shared_object(build_of()) == shared / made.name
    assert list(directory.iterdir()) == []
    assert shared_object(build_of(TEXT + "\n")).parent == directory
    assert len(list(shared.iterdir())) == 1


def test_the_objects_used_longest_ago_go_first(directory) -> None:
    directory.mkdir()
    for k in range(5):
        path = directory / (f"{k}" * 64 + ".so")
        path.write_bytes(b"x" * 100)
        os.utime(path, (1000 + k, 1000 + k))
    (directory / "notes.txt").write_text("mine")
    stale, fresh = directory / f"{PART}1", directory / f"{PART}2"
    stale.mkdir()
    fresh.mkdir()
    old = time.time() - STALE - 10
    os.utime(stale, (old, old))
    tidy(directory, 250, keep=directory / ("0" * 64 + ".so"))
    left = sorted(p.name[:5] for p in directory.iterdir())
    assert left == ["00000", "44444", "notes", "part-"]


def test_a_kernel_whose_object_is_gone_is_compiled_again(directory, kernel) -> None:
    k = kernel("return 0;")
    for path in directory.iterdir():
        path.unlink()
    assert k(N=1) == {}


# -- objects that do not load -----------------------------------------------------------------


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("left", [0.0, 0.5])
def test_an_object_that_is_cut_off_is_compiled_again(directory, kernel, left, called) -> None:
    k = kernel("return 0;")
    if called:
        k(N=1)
        k._idle.stop()
    whole = k.library.read_bytes()
    k.library.write_bytes(whole[: int(left * len(whole))])
    assert k(N=1) == {}
    assert k.library.read_bytes()[:4] == whole[:4]
    assert k.library.stat().st_size == len(whole)


@pytest.mark.skipif(sys.platform != "linux", reason="damages an ELF file")
def test_an_object_that_is_damaged_is_compiled_again_once(directory, kernel) -> None:
    k = kernel("return 0;")
    path = k.library
    whole = path.read_bytes()
    path.write_bytes(whole[:64] + b"\xff" * (len(whole) - 64))
    assert k(N=1) == {}
    assert path.stat().st_size == len(whole)


JUNK = """
for a in "$@"; do [ "$last" = -o ] && out=$a; last=$a; done
case "$*" in *--version*|*-dM*) exec gcc "$@";; esac
"""
NOTHING, EMPTY, TEXT_FILE = "", 'true > "$out"', 'echo junk > "$out"'
DAMAGED = 'gcc "$@"; dd if=/dev/zero of="$out" bs=64 seek=1 count=20 conv=notrunc 2>/dev/null'


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize(
    ("then", "message"),
    [
        (NOTHING, "gcc said nothing was wrong, but it wrote no file"),
        (EMPTY, "gcc said nothing was wrong, but its file is empty"),
        (TEXT_FILE, "gcc said nothing was wrong, but its file is no shared object"),
        (DAMAGED, "what gcc made of hand cannot be loaded"),
    ],
)
def test_a_compiler_that_writes_junk(directory, kernel, tmp_path, then, message) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n{JUNK}\n{then}\nexit 0\n")
    compiler.chmod(0o755)
    with pytest.raises(CompilerError, match=message):
        kernel("return 0;", compiler=str(compiler))(N=1)
    assert len(list(directory.iterdir())) <= 1


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the messages of gcc")
@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("-fsyntax-only", "it wrote no file"),
        ("-E", "no shared object"),
        ("-c", "no shared object"),
        ("-Wl,--bad", r"because: [^\n]*ld[^\n]*--bad"),
        ("-lno-such-library", r"because: [^\n]*cannot find -lno-such-library"),
    ],
)
def test_flags_that_make_no_object(directory, kernel, flag, message) -> None:
    with pytest.raises(CompilerError, match=message):
        kernel("return 0;", flags=(flag,))
    assert list(directory.iterdir()) == []


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with a few kilobytes to spare."""
    path = tmp_path / "small disk"
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k,mode=0700", "tmpfs", str(path)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield path
    finally:
        subprocess.run(["umount", str(path)], check=True)


@pytest.mark.parametrize("room", [0, 8192])
def test_a_full_disk(full_disk, kernel, monkeypatch, room) -> None:
    (full_disk / "other").write_bytes(b"x" * (16384 - room))
    monkeypatch.setenv("POLYNB_CACHE", str(full_disk))
    with pytest.raises(CompilerError, match=r"No space left on device[^$]*POLYNB_CACHE"):
        kernel("return 0;", name=f"full{room}")
    assert [p.name for p in full_disk.iterdir()] == ["other"]


# -- a shared cache that others may write to ----------------------------------------------------


def _give_away(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(path, 12345, 12345)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda shared: shared.chmod(0o777),
        lambda shared: shared.chmod(0o770),
        lambda shared: shared.parent.chmod(0o777),
        _give_away,
    ],
    ids=["world", "group", "above", "foreign"],
)
def test_a_shared_cache_that_others_may_write_is_refused(
    directory, monkeypatch, tmp_path, kernel, spoil
) -> None:
    shared = tmp_path / "above" / "shared"
    shared.mkdir(parents=True)
    made = kernel("return 0;").library
    (shared / made.name).write_bytes(b"planted")
    made.unlink()
    monkeypatch.setenv("POLYNB_SHARED_CACHE", str(shared))
    spoil(shared)
    k = kernel("return 0;")
    assert k.library.parent == directory
    assert k(N=1) == {}
    assert "is not used" in k.warnings[0]
    assert "chmod -R go-w" in k.warnings[0]


def test_an_object_of_others_in_a_shared_cache_is_not_used(
    directory, monkeypatch, tmp_path
) -> None:
    made, shared = shared_object(build_of()), tmp_path / "shared"
    shared.mkdir()
    made.rename(shared / made.name)
    monkeypatch.setenv("POLYNB_SHARED_CACHE", str(shared))
    (shared / made.name).chmod(0o777)
    assert shared_object(build_of()).parent == directory
