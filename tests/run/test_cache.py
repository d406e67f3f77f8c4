"""Compiled objects are kept, found again, and only trusted where nobody else can write."""

import concurrent.futures
import multiprocessing
import os
import shutil
import stat
import time
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
