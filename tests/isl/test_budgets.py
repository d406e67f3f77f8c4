"""Budgets: they nest, they are in time, one thread has them at a time, and Ctrl-C gets through."""

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

import polynb as pn
from polynb import isl
from polynb.derivation import GaveUp, Step, derivation
from polynb.isl import budgets
from polynb.scop.parsing import parse

WORK = "[n, m] -> { [i] : (i + n) mod 7 = 0 or (i - n) mod 5 = 0 or (i + m) mod 3 = 0 }"
CONGRUENCES = " and ".join(
    f"((i+p{k}) % {2 * k + 3} == 0 or (i-p{k}) % {k + 5} == 0)" for k in range(14)
)
ENDLESS = (
    f"param {', '.join(f'p{k}' for k in range(14))};"
    f"for i = 0 to p0 do if {CONGRUENCES} then A[i] = 1; fi done"
)
"""2^14 pieces, each with as many divisions: nobody has seen it parsed."""
SIX = " and ".join(f"(i*{3 + 2 * k}+j*{5 + k}) % {7 + 2 * k} == {k}" for k in range(6))
REMAINDERS = (
    "param N; temp t; for i = 0 to N do for j = 0 to N do if {} then t[i*3+j] = in[i]; fi "
    "done done for i = 0 to N do for j = 0 to N do out[i] = t[i+j*5]; done done"
)


def work():
    """Some thousand operations, the same number each time."""
    return isl.read_set(WORK).complement().coalesce()


@pytest.fixture(scope="module")
def cost():
    """The operations of `work`."""
    with isl.budget(1 << 40):
        work()
        return budgets._count(1 << 40)


def times_until_exhausted(most):
    for k in range(most):
        try:
            work()
        except isl.BudgetExhausted:
            return k
    return most


# -- operations ----------------------------------------------------------------------------


def test_a_budget_counts_what_is_used(cost):
    assert cost > 500
    with isl.budget(5 * cost + cost // 2):
        assert times_until_exhausted(20) == 5


def test_an_inner_budget_is_never_more_than_what_is_left_outside(cost):
    with isl.budget(3 * cost + cost // 2), isl.budget(100 * cost):
        assert times_until_exhausted(20) == 3


def test_what_is_used_inside_counts_outside(cost):
    with isl.budget(5 * cost + cost // 2):
        for _ in range(3):
            with isl.budget(100 * cost):
                work()
        assert times_until_exhausted(20) == 2


def test_a_budget_that_is_used_up_inside_leaves_the_rest_outside(cost):
    half = cost // 2
    with isl.budget(4 * cost + half + cost // 3):
        for _ in range(3):
            with suppress(isl.BudgetExhausted), isl.budget(half):
                work()
        assert times_until_exhausted(20) == 3


def test_no_limit_inside_is_the_limit_outside(cost):
    with isl.budget(2 * cost + cost // 2), isl.budget(None), isl.budget(seconds=math.inf):
        assert times_until_exhausted(20) == 2
    assert isl.CONTEXT.get_max_operations() == 0
    assert times_until_exhausted(3) == 3


@pytest.mark.parametrize("limits", [{"operations": 0}, {"seconds": 0}, {"seconds": math.nan}])
def test_a_budget_of_nothing_is_refused(limits):
    with pytest.raises(pn.PolynbError, match="must be"), isl.budget(**limits):
        pass


def test_an_exhausted_budget_says_what_it_was_for():
    with pytest.raises(isl.BudgetExhausted) as caught, isl.budget(100, doing="the example"):
        work()
    assert "the example used up its operation budget" in str(caught.value)
    assert caught.value.limit == "100 operations"
    assert "100 operations" in str(pickle.loads(pickle.dumps(caught.value)))


# -- seconds -------------------------------------------------------------------------------


def many_runs():
    scop = parse("param N; for i = 0 to N do for j = 0 to N do A[i+j] = A[i]; done done")
    pn.equivalent(scop, scop, N=list(range(100, 400)), limit=10**9)


LONG = {
    "parse": ("reading the program", lambda: pn.parse(ENDLESS)),
    "equivalent": ("the comparison", many_runs),
    "draw": ("making of the picture", lambda: pn.draw(f"[p] -> {{ [i] : {CONGRUENCES_OF_ISL} }}")),
}
CONGRUENCES_OF_ISL = " and ".join(
    f"((i + {k + 1}p) mod {2 * k + 3} = 0 or (i - {k + 1}p) mod {k + 5} = 0)" for k in range(24)
)


@pytest.mark.parametrize("name", LONG)
def test_seconds_are_kept_and_what_took_them_is_named(name):
    doing, run = LONG[name]
    pn.draw("{ [i] : 0 <= i < 3 }")  # matplotlib is loaded
    begun = time.monotonic()
    said = rf"{doing}.* used up its 0\.5 seconds"
    with pytest.raises(isl.BudgetExhausted, match=said) as caught, pn.budget(seconds=0.5):
        run()
    assert time.monotonic() - begun < 1.5
    assert "pn.budget(seconds=1)" in str(caught.value)
    assert str(pn.parse("param N; A[N] = 1;"))


def test_the_environment_sets_the_seconds_of_public_functions(monkeypatch):
    monkeypatch.setenv("POLYNB_SECONDS", "0.2")
    with pytest.raises(isl.BudgetExhausted, match=r"its 0\.2 seconds"):
        pn.parse(ENDLESS)
    with pytest.raises(isl.BudgetExhausted, match=r"its 0\.4 seconds"), pn.budget(seconds=0.4):
        pn.parse(ENDLESS)
    monkeypatch.setenv("POLYNB_SECONDS", "soon")
    with pytest.raises(pn.PolynbError, match="POLYNB_SECONDS is 'soon'"):
        pn.parse("A[0] = 1;")


def test_seconds_inside_end_before_those_outside():
    with isl.budget(seconds=30):
        with suppress(isl.BudgetExhausted), isl.budget(seconds=0.1):
            while True:
                work()
        work()
    with isl.budget(seconds=0.1):
        with suppress(isl.BudgetExhausted), isl.budget(seconds=30):
            while True:
                work()
        with pytest.raises(isl.BudgetExhausted):
            work()
    work()


def test_without_a_brake_seconds_are_operations(monkeypatch, cost):
    monkeypatch.setattr(budgets, "_brake", None)
    monkeypatch.setattr(budgets, "_sought", True)
    monkeypatch.setattr(budgets, "OPERATIONS_PER_SECOND", 2 * cost + cost // 2)
    with isl.budget(seconds=1), pytest.raises(isl.BudgetExhausted, match="1 seconds"):
        assert [work() for _ in range(20)]
    with isl.budget(seconds=1):
        assert times_until_exhausted(20) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="the brake is Linux's")
def test_there_is_a_brake():
    with isl.budget(seconds=1):
        assert budgets._brake is not None


# -- passes --------------------------------------------------------------------------------


@derivation
def squander(scop):
    """A pass that knows no end."""
    yield Step()
    while True:
        work()


def test_a_pass_that_uses_up_its_budget_changes_nothing_and_says_why():
    scop = parse("param N; for i = 0 to N do A[i] = 1; done")
    with pn.budget(seconds=0.3):
        derived = squander(scop)
    assert derived.result is scop
    assert derived.stages == (scop,)
    assert isinstance(derived.steps[-1], GaveUp)
    assert "squander used up its 0.3 seconds" in str(derived.steps[-1])
    assert "pn.budget(seconds=1)" in str(derived.steps[-1])
    assert pickle.loads(pickle.dumps(derived.steps[-1:]))


def test_propagation_keeps_what_there_was_no_time_for():
    scop = parse(REMAINDERS.format(" and ".join(SIX.split(" and ")[:3])))
    begun = time.monotonic()
    with pn.budget(seconds=0.3):
        derived = pn.propagate(scop)
    assert time.monotonic() - begun < 1.3
    assert "used up its 0.3 seconds" in derived.why("t")
    assert derived.result is scop


def test_a_budget_is_not_in_force_between_steps():
    steps = pn.propagate.steps(pn.gallery.load("fig1"))
    found = [(isl.CONTEXT.get_max_operations(), len(budgets._levels)) for _ in steps]
    assert found
    assert set(found) == {(0, 0)}


# -- threads -------------------------------------------------------------------------------


def test_two_threads_leave_no_limit_behind():
    scop = pn.gallery.load("fig1")
    wanted = [str(s) for s in pn.propagate(scop, max_operations=200_000).steps]
    found = []

    def run():
        found.append([str(s) for s in pn.propagate(scop, max_operations=200_000).steps])

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [wanted] * 4
    assert isl.CONTEXT.get_max_operations() == 0
    assert pn.gallery.load("camera_pipe").statements


def test_one_analysis_at_a_time():
    inside, free = threading.Event(), threading.Event()

    def hold():
        with isl.budget(1000):
            inside.set()
            free.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait(10)
    done = []
    other = threading.Thread(target=lambda: done.append(parse(REMAINDERS.format(SIX))))
    other.start()
    other.join(0.2)
    assert not done
    free.set()
    other.join(30)
    holder.join()
    assert done  # with its own budget, not with the holder's


# -- signals -------------------------------------------------------------------------------


INTERRUPTED = {
    "parse": "pn.parse(endless)",
    "propagate": "pn.propagate(remainders, max_operations=None)",
    "reorder": "pn.reorder(pn.gallery.load('camera_pipe'), max_operations=None)",
    "equivalent": "pn.equivalent(loop, loop, N=list(range(100, 400)), limit=10**9)",
    "compile": "pn.compile(loop, threads=1, compiler=slow)",
    "run": "pn.compile(long, threads=1, timeout=None)(N=10**5, M=10**8)",
    "wait": (
        "threading.Thread(target=pn.parse, args=(endless,), daemon=True).start(); "
        "time.sleep(0.1); pn.parse('A[0] = 1;')"
    ),
}
SCRIPT = """
import signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what runs in the background
import polynb as pn
endless, slow = sys.argv[1], sys.argv[3]
remainders = pn.parse(sys.argv[2])
loop = pn.parse('param N; for i = 0 to N do for j = 0 to N do A[i+j] = A[i]; done done')
long = pn.parse('param N, M; output A; for t = 0 to M do for i = 0 to N do A[i] = t*i; done done')
print("ready", flush=True)
{}
"""
SLOW = """#!/bin/sh
case "$*" in *kernel*|*-shared*) sleep 30;; esac
exec gcc "$@"
"""


@pytest.mark.parametrize("name", INTERRUPTED)
@pytest.mark.long
def test_ctrl_c_is_answered(name, tmp_path):
    slow = tmp_path / "slowcc"
    slow.write_text(SLOW)
    slow.chmod(0o755)
    three = REMAINDERS.format(" and ".join(SIX.split(" and ")[:3]))
    script = SCRIPT.format(INTERRUPTED[name])
    command = [sys.executable, "-c", script, ENDLESS, three, str(slow)]
    env = {**os.environ, "POLYNB_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True, env=env) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert child.poll() is None
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=20)
        finally:
            child.kill()
        assert "KeyboardInterrupt" in said
        assert time.monotonic() - begun < 2


def test_a_budget_that_an_interrupt_left_standing_is_none(monkeypatch):
    """Ctrl-C may come where a budget ends, before it is taken away."""

    def interrupted(around):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt), pn.budget(seconds=0.01):
        patch.setattr(budgets, "_leave", interrupted)
    time.sleep(0.02)
    pn.parse("A[0] = 1;")
    assert not isl.CONTEXT.aborted()
    assert not budgets._levels


def test_what_a_signal_stops_begins_anew():
    """isl is stopped by any signal that Python handles; only Ctrl-C ends the program."""
    begun = []

    @isl.bounded("the example")
    def run():
        begun.append(time.monotonic())
        while time.monotonic() < begun[-1] + 0.2:
            work()
        return len(begun)

    before = signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert run() == 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not isl.CONTEXT.aborted()


def test_who_is_told_of_signals_is_told_of_those_during_an_analysis():
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    file = signal.set_wakeup_fd(write)
    try:
        with isl.budget(seconds=10):
            signal.raise_signal(signal.SIGALRM)
        assert signal.set_wakeup_fd(write) == write
        assert os.read(read, 10) == bytes([signal.SIGALRM])
        assert not isl.CONTEXT.aborted()
    finally:
        signal.set_wakeup_fd(file)
        signal.signal(signal.SIGALRM, before)
        os.close(read)
        os.close(write)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_has_budgets_of_its_own():
    with isl.budget(100):
        child = os.fork()
        if child == 0:
            code = 1
            with suppress(BaseException):
                work()  # no limit here
                try:
                    with isl.budget(seconds=0.2):
                        parse(ENDLESS)
                except isl.BudgetExhausted:
                    code = 0
            os._exit(code)
        assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="no fork, or no brake")
def test_a_child_does_not_wait_for_the_thread_that_its_parent_reads_with():
    with isl.budget(seconds=1.0):  # the C library's lock may be held at any moment
        for _ in range(20):
            signal.raise_signal(signal.SIGCHLD)
            child = os.fork()
            if child == 0:
                with suppress(BaseException), isl.budget(seconds=0.5):
                    os._exit(0 if budgets._brake is None or not budgets._brake._listens else 2)
                os._exit(1)
            assert os.waitpid(child, 0)[1] == 0


# -- what was slow -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "for i = 0 to {} do S: A[i] = 1; done",
        "for i = 0 to p0 do if i <= {} then S: A[i] = 1; fi done",
        "for i = 0 to p0 do if not ({} < i) then S: A[i] = 1; fi done",
    ],
)
def test_nested_minima_are_read_in_few_operations(text):
    twelve = [f"p{k}" for k in range(12)]
    least = twelve[0]
    for p in twelve[1:]:
        least = f"min({least}, {p})"
    with isl.budget(60_000):
        scop = pn.parse(f"param {', '.join(twelve)}; {text.format(least)}")
    bounds = " and ".join(f"i <= {p}" for p in twelve)
    wanted = isl.read_set(f"[{', '.join(twelve)}] -> {{ S[i] : i >= 0 and {bounds} }}")
    assert scop.statements[0].domain.is_equal(wanted)


def test_remainders_are_read_in_few_operations():
    with isl.budget(65_000):
        pn.parse(REMAINDERS.format(SIX))


@pytest.mark.skipif(sys.platform != "linux", reason="the brake is Linux's")
def test_an_abort_that_comes_late_stops_nothing_else(monkeypatch):
    """On a busy machine the timer's thread came 50 ms after the budget was left, and what was done
    next was "interrupted by a signal". Here no time at all is enough for it."""
    monkeypatch.setattr(budgets.brake, "SETTLED", 0.0)
    with isl.budget(seconds=100):
        for _ in range(20):
            with isl.budget(seconds=0.002):
                end = time.monotonic() + 0.002
                while time.monotonic() < end:
                    pass
            end = time.monotonic() + 0.002
            while time.monotonic() < end:
                isl.read_set("{ [i] : 0 <= i < 5 }")


def test_there_is_one_alarm_for_one_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level inside that began after it gave one of its own, and the last aborted what came
    after: under load, of 253 budgets 90."""
    with isl.budget(seconds=9):
        pass
    brake, alarms = budgets._brake, []
    if brake is None:
        pytest.skip("no brake here")
    arm = brake.arm
    monkeypatch.setattr(brake, "arm", lambda seconds: (alarms.append(seconds), arm(seconds))[1])
    with isl.budget(seconds=9):
        for _ in range(5):
            with isl.budget(5_000_000, 15.0):
                isl.Set("{ [1] }")
    assert [x is None for x in alarms] == [False, True]
