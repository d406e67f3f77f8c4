"""Kernels that crash, hang or are killed leave this process as it was."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from polynb.errors import PolynbError
from polynb.run import WorkerError, worker
from polynb.run.worker import Worker

A = np.arange(11.0)


def worker_of(kernel) -> Worker:
    assert kernel._idle is not None
    return kernel._idle


def is_gone(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + 5
    while not is_gone(pid):
        assert time.monotonic() < end, "the worker lives on"
        time.sleep(0.01)


CRASHES = [
    ("if (parameters[0]) *(volatile int *)0 = 1;", "not its own .segmentation fault. .SIGSEGV."),
    ("if (parameters[0]) abort();", r"aborted[^$]*\(SIGABRT\)"),
    ("volatile int z = 0; if (parameters[0]) z = 7 / z;", r"divided by zero[^$]*\(SIGFPE\)"),
    ("if (parameters[0]) raise(9);", r"killed from outside[^$]*memory runs out \(SIGKILL\)"),
    ("if (parameters[0]) exit(7);", "its process ended with code 7"),
    (
        "if (parameters[0]) { char *p = malloc(8); free(p); free(p); }",
        r"aborted[^$]*it said: .*free\(\)",
    ),
]


@pytest.mark.parametrize(("body", "message"), CRASHES)
def test_a_crash_is_an_error_and_the_next_call_works(kernel, body, message) -> None:
    k = kernel(f"{body} return 0;", flags=("-O0", "-w", "-include", "signal.h"))
    with pytest.raises(WorkerError, match=f"hand crashed: [^$]*{message}") as caught:
        k(N=1)
    assert "the notebook is alive" in str(caught.value)
    assert "the next call starts a new worker" in str(caught.value)
    assert k(N=0) == {}


def test_writing_an_input_is_caught(kernel, array) -> None:
    k = kernel("((double *)arrays[0])[0] = 1; return 0;", [array("A", "input", "N")])
    a = np.zeros(11)
    with pytest.raises(WorkerError, match="SIGSEGV"):
        k(N=11, A=a)
    assert not a.any()


ENDLESS = "while (parameters[0]) *(volatile int64_t *)&threads = 1; return 0;"


def test_a_kernel_that_never_ends_is_stopped(kernel) -> None:
    k = kernel(ENDLESS, timeout=0.2)
    k(N=0)
    pid = worker_of(k).pid
    start = time.monotonic()
    with pytest.raises(WorkerError, match=r"did not end within 0.2 seconds[^$]*timeout="):
        k(N=1)
    assert time.monotonic() - start < 3
    assert is_gone(pid)
    assert k(N=0) == {}


def test_an_interrupt_kills_the_kernel(kernel) -> None:
    k = kernel(ENDLESS)
    k(N=0)
    pid = worker_of(k).pid
    arrived = threading.Event()

    def insist() -> None:
        """Python may lose one that arrives inside a callback, so a person presses again."""
        while not arrived.wait(0.2):
            os.kill(os.getpid(), signal.SIGINT)

    def pressed() -> None:
        presses = threading.Thread(target=insist)
        presses.start()
        try:
            k(N=1)
        finally:
            arrived.set()
            presses.join()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            pressed()
    finally:
        signal.signal(signal.SIGINT, before)
    assert is_gone(pid)
    assert k(N=0) == {}


@pytest.mark.parametrize("waited", [True, False])
def test_a_worker_killed_between_calls_is_replaced(doubled, waited) -> None:
    doubled(N=10, A=A)
    pid = worker_of(doubled).pid
    os.kill(pid, signal.SIGKILL)
    if waited:
        wait_until_gone(pid)
    assert np.array_equal(doubled(N=10, A=A).B, 2 * A)
    assert worker_of(doubled).pid != pid


def test_a_worker_killed_during_a_call(kernel) -> None:
    k = kernel(ENDLESS)
    k(N=0)
    timer = threading.Timer(0.2, os.kill, (worker_of(k).pid, signal.SIGTERM))
    timer.start()
    with pytest.raises(WorkerError, match=r"SIGTERM"):
        k(N=1)
    timer.join()


def test_one_worker_serves_all_calls_and_ends_with_its_kernel(doubled) -> None:
    doubled(N=10, A=A)
    pid = worker_of(doubled).pid
    with pytest.raises(PolynbError):
        doubled(N=10, A=A[:3])
    doubled(N=10, A=A)
    assert worker_of(doubled).pid == pid
    worker_of(doubled).stop()
    assert is_gone(pid)


def test_no_zombies(kernel) -> None:
    k = kernel("return 0;")
    k(N=0)
    pid = worker_of(k).pid
    del k
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_calls_from_several_threads(doubled) -> None:
    results: dict[int, bool] = {}

    def call(n: int) -> None:
        results[n] = all(np.array_equal(doubled(N=10, A=A + n).B, 2 * (A + n)) for _ in range(5))

    threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == dict.fromkeys(range(4), True)


def test_a_worker_started_by_a_thread_outlives_it(doubled) -> None:
    thread = threading.Thread(target=doubled, kwargs={"N": 10, "A": A})
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert worker_of(doubled).alive


def test_idle_workers_are_few(kernel, monkeypatch) -> None:
    monkeypatch.setattr(worker, "RESTING", 2)
    kernels = [kernel("return 0;", name=f"k{n}") for n in range(4)]
    for k in kernels:
        k(N=0)
    deadline = time.monotonic() + 10  # those that are sent away take a moment to go
    while any(worker_of(k).alive for k in kernels[:2]) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [worker_of(k).alive for k in kernels] == [False, False, True, True]
    assert kernels[0](N=0) == {}


def test_a_forked_child_leaves_the_worker_alone(doubled) -> None:
    doubled(N=10, A=A)
    pid = worker_of(doubled).pid
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            right = np.array_equal(doubled(N=10, A=A).B, 2 * A)
            code = 0 if right and worker_of(doubled).pid != pid else 2
            worker_of(doubled).stop()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(doubled(N=10, A=A).B, 2 * A)
    assert worker_of(doubled).pid == pid


PARENT = """
    import os, sys, time
    sys.path.insert(0, {here!r})
    from conftest import CText, ENTRY, HEAD
    from polynb import isl
    from polynb.run import compilers
    from polynb.run.kernel import Options, build
    from polynb.run.signature import Signature
    from polynb.run.worker import Worker

    text = HEAD + ENTRY + "{{ while (parameters[0]) ; return 0; }}"
    anything = isl.read_set("[N] -> {{ : }}")
    signature = Signature("hand", ("N",), (), (), anything, anything)
    k = build(CText(text, ("N",), ()), signature, compilers.find(), Options())
    k(N=0)
    print(k._idle.pid, flush=True)
    {then}
"""


@pytest.mark.parametrize(
    ("then", "bound"),
    [("pass", True), ("k(N=1)", True), ("k(N=1)", False), ("time.sleep(60)", False)],
    ids=["it ends", "killed in a call", "killed in a call, watched", "killed between, watched"],
)
def test_workers_end_with_their_parent(then, bound) -> None:
    """Also without the system's help (`bound`: the worker asks to die with its parent)."""
    code = textwrap.dedent(PARENT).format(here=os.path.dirname(__file__), then=then)
    if not bound:
        code = code.replace("k(N=0)", "sys.platform = 'elsewhere'; k(N=0)")
    command = [sys.executable, "-W", "error", "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.1)
        if then != "pass":
            assert not is_gone(pid)
            parent.kill()
    wait_until_gone(pid)
