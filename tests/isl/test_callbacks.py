"""No signal is handled where isl calls back, and nothing but `polynb/isl` is called back."""

import importlib
import inspect
import re
import signal
import time
import weakref
from pathlib import Path

import pytest

import polynb as pn
from polynb import isl
from polynb.codegen.isl_loops import loops
from polynb.gallery import load

CALLS_BACK = re.compile(
    r"\.(foreach_\w+|every_\w+|set_(at_each|before_each|after_each|create_leaf)\w*|"
    r"get_(pieces|constraints|basic_sets|basic_maps|terms)|map_descendant\w*)\("
)


@pytest.fixture
def ctrl_c():
    """SIGINT is handled as Python does. (It is ignored in what runs in the background.)"""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_in_what_isl_calls_back_is_handled_when_isl_has_come_back(
    ctrl_c, monkeypatch, capfd
):
    scop = load("fig7b")
    domains = {s.name: s.domain for s in scop.statements}
    schedule, after = isl.AstBuild.get_schedule, []

    def interrupted(build):
        signal.raise_signal(signal.SIGINT)
        after.append("a handler would have raised")
        return schedule(build)

    monkeypatch.setattr(isl.AstBuild, "get_schedule", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loops(scop, domains)
    assert after
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    monkeypatch.undo()
    assert loops(scop, domains)
    assert capfd.readouterr() == ("", "")


def test_ctrl_c_in_what_the_collector_of_garbage_calls_comes_a_moment_later(ctrl_c, capfd):
    """An error there would be printed, and nobody would hear of the wish to stop."""

    class Worker:
        pass

    def stopped():
        with isl.postponed():
            signal.raise_signal(signal.SIGINT)

    worker = Worker()
    weakref.finalize(worker, stopped)
    del worker
    with pytest.raises(KeyboardInterrupt):
        time.sleep(5)
    assert capfd.readouterr() == ("", "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_every_handler_runs_once_and_is_put_back(ctrl_c):
    ran = []
    before = signal.signal(signal.SIGUSR1, lambda *_: ran.append(signal.SIGUSR1))
    own = signal.getsignal(signal.SIGUSR1)
    try:
        with pytest.raises(KeyboardInterrupt), isl.uninterrupted():
            raised = [signal.raise_signal(s) for s in (signal.SIGUSR1, *[signal.SIGINT] * 2)]
        assert len(raised) == 3
        assert signal.getsignal(signal.SIGUSR1) is own
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with isl.uninterrupted():
            signal.raise_signal(signal.SIGUSR1)
        assert signal.SIGUSR1 in ran
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_pieces_are_whole_or_interrupted(ctrl_c, monkeypatch, capfd):
    f = isl.PwAff("{ S[i] -> [(i)] : i > 3; S[i] -> [(-i)] : i <= 3 }")
    assert sorted(str(formula) for _, formula in isl.pieces(f)) == [
        "{ S[i] -> [(-i)] }",
        "{ S[i] -> [(i)] }",
    ]
    whole = isl.PwAff.get_pieces

    def interrupted(f):
        signal.raise_signal(signal.SIGINT)
        return whole(f)

    monkeypatch.setattr(isl.PwAff, "get_pieces", interrupted)
    with pytest.raises(KeyboardInterrupt):
        isl.pieces(f)
    assert capfd.readouterr() == ("", "")


def test_isl_calls_nothing_back_but_in_its_room_and_at_the_nodes_of_a_syntax_tree():
    """There are isl.constraints, isl.pieces, isl.maps, and isl's lists (`get_basic_set_list`)."""
    root = Path(pn.__file__).parent
    found = {
        str(path.relative_to(root)): {m[1] for m in CALLS_BACK.finditer(path.read_text())}
        for path in root.rglob("*.py")
    }
    assert {name: calls for name, calls in found.items() if calls} == {
        "codegen/isl_loops.py": {"set_at_each_domain"},  # within isl.uninterrupted
        "isl/__init__.py": {"foreach_point"},  # list.append is not of Python
        "isl/callbacks.py": {"get_pieces"},
        "site/live/likes.py": {"foreach_piece"},  # which is islpy's get_pieces on live pages
    }


# -- at any moment --------------------------------------------------------------------------


@pytest.fixture
def interrupts(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    return importlib.import_module("interrupts")


def test_every_public_function_is_interrupted(interrupts):
    functions = {n for n in pn.__all__ if inspect.isfunction(getattr(pn, n))}
    assert functions <= set(interrupts.calls())


@pytest.mark.long
@pytest.mark.parametrize("name", ["Scop.to_c", "reload_test", "search", "Derivation.to_html"])
def test_ctrl_c_at_any_moment_leaves_a_process_sound(interrupts, name):
    """A sample: `tests/benchmarks/interrupts.py` has all of them. (They are as quick as there, and
    are given more time: other tests run beside.)"""
    answers = interrupts.interrupted(name, interrupts.EACH, seed=3, patience=20)
    assert not answers.wrong, answers.wrong
    assert len(answers.seconds) == interrupts.EACH
