"""Kernels that crash, hang or are killed leave this process as it was."""

import contextlib
import dataclasses
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.run import WorkerError, worker
from polynb.run.bound import BoundKernel, Results
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


def test_a_kernel_has_no_more_time_than_the_budget_around(kernel) -> None:
    k = kernel(ENDLESS, timeout=None)
    k(N=0)
    pid = worker_of(k).pid
    with (
        pytest.raises(isl.BudgetExhausted, match=r"hand used up its 0\.5 seconds"),
        pn.budget(seconds=0.5),
    ):
        k(N=1)
    assert is_gone(pid)
    with pytest.raises(WorkerError, match=r"0\.2 seconds"), pn.budget(seconds=60):
        kernel(ENDLESS, timeout=0.2)(N=1)
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
@pytest.mark.long
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


# -- stopped workers --------------------------------------------------------------------------


@pytest.mark.long
def test_a_worker_that_is_stopped_in_a_call(kernel) -> None:
    k = kernel(ENDLESS, timeout=1.0)
    k(N=0)
    pid = worker_of(k).pid
    timer = threading.Timer(0.2, os.kill, (pid, signal.SIGSTOP))
    timer.start()
    start = time.monotonic()
    with pytest.raises(WorkerError, match="did not end within 1 seconds"):
        k(N=1)
    timer.join()
    assert time.monotonic() - start < 10
    assert is_gone(pid)


def test_a_worker_that_was_stopped_while_idle_is_replaced(doubled) -> None:
    doubled(N=10, A=A)
    pid = worker_of(doubled).pid
    os.kill(pid, signal.SIGSTOP)
    end = time.monotonic() + 10
    while worker_of(doubled).alive:
        assert time.monotonic() < end, "it does not stop"
    start = time.monotonic()
    assert np.array_equal(doubled(N=10, A=A).B, 2 * A)
    assert time.monotonic() - start < worker.SOON / 2  # it was not waited for
    wait_until_gone(pid)


def test_a_worker_that_is_stopped_just_before_a_call_is_replaced(doubled, monkeypatch) -> None:
    doubled(N=10, A=A)
    first, given = worker_of(doubled), Worker.map

    def stopped(self, *arguments):
        if self is first:
            os.kill(self.pid, signal.SIGSTOP)
        return given(self, *arguments)

    monkeypatch.setattr(Worker, "map", stopped)
    start = time.monotonic()
    assert np.array_equal(doubled(N=10, A=A).B, 2 * A)
    assert time.monotonic() - start < worker.SOON / 2
    wait_until_gone(first.pid)


def test_a_worker_that_stops_after_its_work_gives_the_results(doubled, monkeypatch) -> None:
    doubled._options = dataclasses.replace(doubled._options, timeout=1.0)
    results = BoundKernel.results

    def then_stop(bound: BoundKernel) -> Results:
        os.kill(bound.worker.pid, signal.SIGSTOP)
        return results(bound)

    monkeypatch.setattr(BoundKernel, "results", then_stop)
    assert np.array_equal(doubled(N=10, A=A).B, 2 * A)
    assert doubled._idle is None


# -- memory -----------------------------------------------------------------------------------

TAKES = """
  char *taken = malloc(parameters[0] * 1000000);
  if (taken) memset(taken, 1, parameters[0] * 1000000);
  free(taken);
  return taken == NULL;
"""


def test_a_worker_takes_no_more_than_it_is_granted(kernel, array, monkeypatch) -> None:
    monkeypatch.setenv("POLYNB_WORKER_MEMORY", "500M")
    k = kernel(TAKES, flags=("-include", "string.h"))
    assert k(N=10) == {}
    with pytest.raises(PolynbError, match="not enough memory for the temporary arrays of hand"):
        k(N=600)
    assert k(N=10) == {}
    large = kernel("return 0;", [array("B", "output", "N")])
    with pytest.raises(PolynbError, match="the arrays of hand take 560 MB, 500 MB are left"):
        large(N=70_000_000)
    with pytest.raises(PolynbError, match="no memory for the arrays of hand"):
        large(N=60_000_000)  # beside what Python itself takes
    monkeypatch.delenv("POLYNB_WORKER_MEMORY")
    assert kernel(TAKES, flags=("-include", "string.h"))(N=600) == {}


def test_the_copies_of_results_count(doubled, monkeypatch) -> None:
    monkeypatch.setattr("polynb.run.kernel.available_memory", lambda: 20_000)
    a, b = np.ones(1000), np.ones(1000)
    with pytest.raises(PolynbError, match="take 24 kB, 20 kB are left"):
        doubled(N=999, A=a)
    assert doubled(N=999, A=a, out={"B": b}).B is b


def test_idle_workers_are_ended_before_a_call_is_refused(doubled, kernel, monkeypatch) -> None:
    other = kernel("return 0;")
    other(N=0)
    left = iter((100, 20_000, 20_000))
    monkeypatch.setattr("polynb.run.kernel.available_memory", lambda: next(left))
    assert doubled(N=99, A=np.ones(100)).B[0] == 2
    assert not worker_of(other).alive


def test_a_memory_error_is_one_of_ours(doubled, monkeypatch) -> None:
    def none_left(bound: BoundKernel) -> Results:
        raise MemoryError("Unable to allocate 8 GiB")

    monkeypatch.setattr(BoundKernel, "results", none_left)
    with pytest.raises(PolynbError, match=r"no memory for the arrays of doubled[^$]*8 GiB"):
        doubled(N=10, A=A)


# -- what else a kernel must stand ------------------------------------------------------------


def test_a_kernel_that_has_been_called_pickles() -> None:
    k = pn.compile(pn.parse("param N; for i = 0 to N do B[i] = 2 * A[i]; done"), threads=1)
    given = {"A": np.arange(4.0)}
    expected = k(given, N=3).B
    again = pickle.loads(pickle.dumps(k))
    assert again(given, N=3).B.tolist() == expected.tolist()
    assert k(given, N=3).B.tolist() == expected.tolist()
    assert (again.source, again.flags, repr(again)) == (k.source, k.flags, repr(k))


COMPILING = """
    import os, signal, sys
    from polynb.run import compilers
    print(os.getpid(), flush=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    compilers.run((sys.argv[1],))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_compiler_ends_with_its_parent(tmp_path, how) -> None:
    """All of it: also what the compiler itself has started."""
    record, slow = tmp_path / "pid", tmp_path / "cc"
    noted = f"echo $! > {record}.part\nmv {record}.part {record}"
    slow.write_text(f"#!/bin/sh\nsleep 100 &\n{noted}\nwait\n")
    slow.chmod(0o755)
    command = [sys.executable, "-c", textwrap.dedent(COMPILING), str(slow)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        end = time.monotonic() + 20
        while not record.exists():
            assert time.monotonic() < end, "the compiler did not start"
            time.sleep(0.01)
        part = int(record.read_text())
        assert not is_gone(part)
        parent.send_signal(how)
    wait_until_gone(part)
