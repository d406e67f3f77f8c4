"""Ctrl-C whose KeyboardInterrupt reached nobody: isl was stopped, and what needs it ends, too."""

import os
import signal
import threading
import time

import pytest

from polynb import isl
from polynb.isl import IslError, budgets


@pytest.fixture(autouse=True)
def ctrl_c():
    """SIGINT is handled as Python does. (It is ignored in what runs in the background.)"""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def work():
    return isl.read_set("{ [i] : i mod 3 = 0 or i > 7 }").coalesce()


def press():
    signal.raise_signal(signal.SIGINT)
    stopped()


def stopped():
    """Waits for another thread to tell isl."""
    end = time.monotonic() + 10
    while not isl.CONTEXT.aborted() and time.monotonic() < end:
        time.sleep(0.001)


class Collected:
    """As widgets are: what is raised there is printed, and gone."""

    def __del__(self):
        press()


def lose():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.unraisablehook", lambda _: None)
        Collected()
    stopped()


def in_budget(begin):
    with isl.budget(seconds=60):
        begin()
        work()
        return "ended"


def in_steps(begin):
    def steps():
        begin()
        work()
        yield "ended"

    return next(isl.bounded_steps(steps(), "the steps"))


def in_function(begin):
    """What a signal stops begins anew, with nobody who presses."""
    left = [begin]

    @isl.bounded("the function")
    def run():
        for first in [left.pop()] if left else []:
            first()
        work()
        return "ended"

    return run()


def in_function_in_budget(begin):
    with isl.budget(seconds=60):
        return in_function(begin)


WAYS = [in_budget, in_steps, in_function, in_function_in_budget]


@pytest.mark.parametrize("way", WAYS)
def test_a_wish_to_stop_that_was_lost_stops_what_isl_computes(way):
    with pytest.raises(KeyboardInterrupt):
        way(lose)


@pytest.mark.parametrize("way", WAYS)
def test_a_handler_of_ones_own_decides_alone(way):
    pressed = []
    signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    if way is in_function:
        assert way(press) == "ended"
    else:
        with pytest.raises(IslError, match="a signal interrupted"):
            way(press)
    assert pressed == [1]


def test_who_catches_it_inside_a_budget_goes_on_with_that():
    @isl.bounded("the function")
    def run(begin):
        begin()
        work()
        return "ended"

    with isl.budget(seconds=60):
        with pytest.raises(KeyboardInterrupt):
            run(press)
        assert run(lambda: None) == "ended"
    with isl.budget(seconds=0.2):
        with pytest.raises(KeyboardInterrupt):
            run(press)
        time.sleep(0.3)
        with pytest.raises(isl.BudgetExhausted):
            run(lambda: None)


@pytest.mark.parametrize("way", WAYS)
def test_one_that_was_postponed_comes_once(way):
    def postpone():
        with isl.postponed():
            press()

    with pytest.raises(KeyboardInterrupt):
        way(postpone)
    time.sleep(0.1)  # without another


def test_one_of_which_isl_is_told_late_is_told_once(monkeypatch):
    """On a busy machine the thread that is to stop isl may come after the call is over."""
    isl.read_set("{ [0] }")  # there is a brake, then
    with monkeypatch.context() as patch:
        patch.setattr(budgets._brake, "_waiting", lambda: True)
        patch.setattr(budgets.brake, "SETTLED", 0.0)
        with pytest.raises(KeyboardInterrupt), isl.budget(seconds=60):
            press()
    with pytest.raises(IslError, match="a signal interrupted"):
        in_budget(isl.CONTEXT.abort)


def test_one_that_comes_where_a_call_ends_comes_once(monkeypatch):
    def interrupted(_):
        press()
        raise AssertionError("nobody was interrupted")

    isl.read_set("{ [0] }")
    told = budgets.brake._told
    with pytest.raises(KeyboardInterrupt), isl.budget(seconds=60):
        monkeypatch.setattr(budgets.brake, "_told", interrupted)
    monkeypatch.setattr(budgets.brake, "_told", told)
    with pytest.raises(IslError, match="a signal interrupted"):
        in_budget(isl.CONTEXT.abort)


def test_another_thread_that_it_stopped_begins_anew():
    """The one that waits for its turn is told."""
    begun, found = [], []

    @isl.bounded("the function")
    def run():
        begun.append(time.monotonic())
        while len(begun) == 1 and time.monotonic() < begun[0] + 20:
            work()
        return "ended"

    other = threading.Thread(target=lambda: found.append(run()))
    other.start()
    while not begun:
        time.sleep(0.001)
    main = threading.main_thread().ident
    press = threading.Timer(0.5, signal.pthread_kill, (main, signal.SIGINT))
    press.start()
    with pytest.raises(KeyboardInterrupt), isl.budget(seconds=60):
        time.sleep(20)
    other.join(20)
    press.join()
    assert found == ["ended"]
    assert len(begun) == 2


def test_what_is_told_of_after_its_call_does_not_end_the_next_one():
    """A thread of the C library may get the signal: Python has raised by then, and was heard."""
    with isl.budget():
        work()
    for _ in range(20):
        os.write(budgets._brake._written, bytes([signal.SIGINT]))
        with isl.budget():
            for _ in range(100):
                work()
