"""The threads of a kernel have processors of their own while it runs, and only then."""

import os
import threading
import time

import pytest

from polynb.run.worker_main import processors


@pytest.mark.parametrize(
    ("last", "allowed", "expected"),
    [
        ({7: 0, 8: 1}, {0, 1}, {7: 0, 8: 1}),  # apart: as they are
        ({7: 1, 8: 1}, {0, 1}, {7: 1, 8: 0}),  # together: the first one stays
        ({7: 0, 8: 3}, {2, 3}, {7: 2, 8: 3}),  # where it was it may not be any more
        ({7: 0, 8: 0, 9: 1}, {0, 1}, {}),  # too few
    ],
)
def test_each_thread_has_a_processor(last, allowed, expected) -> None:
    assert processors(last, allowed) == expected


def test_any_that_is_free_is_taken() -> None:
    found = [processors({7: 2, 8: 2, 9: 2}, set(range(16))) for _ in range(50)]
    assert all(f[7] == 2 and len(set(f.values())) == 3 for f in found)
    assert len({f[8] for f in found}) > 3


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor")
def test_threads_are_apart_while_a_kernel_runs(kernel) -> None:
    busy = """
    #pragma omp parallel num_threads(threads)
    { extern double omp_get_wtime(void); double end = omp_get_wtime() + 1e-3 * parameters[0];
      while (omp_get_wtime() < end); }
    return 0;
    """
    k = kernel(busy, threads=2)
    k(N=1)  # starts the second thread
    call = threading.Thread(target=lambda: k(N=600))
    pid = k._idle.pid
    call.start()
    time.sleep(0.3)
    during = allowed_of(pid)
    call.join()
    first, second = (a for a in during.values() if len(a) == 1)
    assert first != second
    assert set(map(frozenset, allowed_of(pid).values())) == {frozenset(os.sched_getaffinity(0))}


def allowed_of(pid: int) -> dict[int, set[int]]:
    return {int(t): os.sched_getaffinity(int(t)) for t in os.listdir(f"/proc/{pid}/task")}
