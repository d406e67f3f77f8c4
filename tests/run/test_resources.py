"""Processors and memory, as affinity and control groups grant them."""

import os
from pathlib import Path

import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.run.resources import (
    available_memory,
    cpu_quota,
    default_threads,
    peak_memory,
    worker_limit,
)

HERE = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def system(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


V2 = {"proc/self/cgroup": "0::/a/b"}
V1 = {"proc/self/cgroup": "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/"}
CPU = "sys/fs/cgroup/cpu/cpu.cfs"


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({}, None),
        ({**V2, "sys/fs/cgroup/a/b/cpu.max": "max 100000"}, None),
        ({**V2, "sys/fs/cgroup/a/b/cpu.max": "150000 100000"}, 1.5),
        ({**V2, "sys/fs/cgroup/a/b/cpu.max": "max 1", "sys/fs/cgroup/a/cpu.max": "5 10"}, 0.5),
        ({**V2, "sys/fs/cgroup/cpu.max": "25000 100000"}, 0.25),  # the path is the host's
        ({**V1, f"{CPU}_quota_us": "-1", f"{CPU}_period_us": "100000"}, None),
        ({**V1, f"{CPU}_quota_us": "250000", f"{CPU}_period_us": "100000"}, 2.5),
    ],
)
def test_quota(tmp_path, files, quota) -> None:
    root = system(tmp_path, files)
    assert cpu_quota(root) == quota
    expected = HERE if quota is None else min(HERE, 1 if quota <= 1 else -int(-quota // 1))
    assert default_threads(root) == expected


def test_threads_are_those_of_the_affinity() -> None:
    assert 1 <= default_threads() <= HERE


def test_memory(tmp_path) -> None:
    assert available_memory(tmp_path) is None
    meminfo = {"proc/meminfo": "MemTotal: 100 kB\nMemAvailable:   80 kB"}
    assert available_memory(system(tmp_path, meminfo)) == 80 * 1024
    limit = {**V1, "sys/fs/cgroup/memory/memory.limit_in_bytes": "4096"}
    assert available_memory(system(tmp_path, limit)) == 4096
    assert available_memory(system(tmp_path, {**V2, "sys/fs/cgroup/a/memory.max": "2048"})) == 2048


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({"a/memory.max": "1000", "a/memory.current": "400"}, 600),
        (
            {
                "a/memory.max": "1000",
                "a/memory.current": "400",
                "a/memory.stat": "anon 7\ninactive_file 150",
            },
            750,
        ),
        ({"a/memory.max": "1000", "a/memory.current": "1400"}, 0),
        ({"a/memory.max": "max", "memory.max": "500", "memory.current": "100"}, 400),
    ],
)
def test_what_the_group_has_used_is_subtracted(tmp_path, files, left) -> None:
    named = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    assert available_memory(system(tmp_path, {**V2, **named})) == left


def test_what_the_group_has_used_is_subtracted_in_version_1(tmp_path) -> None:
    memory = "sys/fs/cgroup/memory/memory"
    files = {
        **V1,
        f"{memory}.limit_in_bytes": "4096",
        f"{memory}.usage_in_bytes": "3000",
        f"{memory}.stat": "inactive_file 5\ntotal_inactive_file 1000",
    }
    assert available_memory(system(tmp_path, files)) == 2096


@pytest.mark.parametrize(
    ("text", "limit"),
    [("", None), ("300000000", 300_000_000), ("500M", 500_000_000), (" 4GB ", 4 * 10**9)],
)
def test_the_limit_of_a_worker(monkeypatch, text, limit) -> None:
    monkeypatch.setenv("POLYNB_WORKER_MEMORY", text)
    assert worker_limit() == limit


@pytest.mark.parametrize("text", ["1M", "-1", "much", "4 G", "1e9", "9" * 18 + "T"])
def test_a_limit_that_is_none(monkeypatch, text) -> None:
    monkeypatch.setenv("POLYNB_WORKER_MEMORY", text)
    with pytest.raises(PolynbError, match="POLYNB_WORKER_MEMORY is"):
        worker_limit()


@pytest.mark.parametrize(
    "text",
    [
        "for i = 0 to 9000000000000000000 do A[i] = i; done",
        "param N; for i = 0 to N do for j = 0 to 9000000000000000000 do A[i][j] = i; done done",
        "param N; temp double A[N][3000000000][3000000000]; A[0][0][0] = 1; B = A[0][0][0];",
    ],
)
def test_arrays_that_no_compiler_takes_are_said_to_be_too_large(text):
    """gcc says that "size of array 'A' exceeds maximum object size"."""
    scop = pn.parse(text)
    for work in (lambda: pn.compile(scop, threads=1), lambda: pn.measure(scop, rounds=1)):
        with pytest.raises(PolynbError, match="A is too large for any memory: 9,000,000,0") as e:
            work()
        assert e.value.span is not None


def test_arrays_that_a_compiler_takes_are_left_to_the_call():
    kernel = pn.compile(pn.parse("output int8 A[9000000000000000000]; A[3] = 1;"), threads=1)
    with pytest.raises(PolynbError, match="the arrays of kernel take"):
        kernel()


def test_the_most_memory_of_a_process(tmp_path):
    here = system(tmp_path, {"proc/7/status": "Name:\tx\nVmHWM:\t    2280 kB\nVmRSS:\t 1 kB"})
    assert peak_memory(7, here) == 2280 * 1024
    assert peak_memory(8, here) is None
