"""POLYNB_GRADING: no widgets, no saved traces, no progress."""

import io
import sys

import pytest

import polynb as pn
from polynb.conveniences import grading
from polynb.tuning.sweeping import reporter

TEXT = "param N; temp t; for i = 0 to N do t[i] = A[i]; done for i = 0 to N do B[i] = t[i]; done"


@pytest.fixture
def derivation():
    return pn.propagate(pn.parse(TEXT))


@pytest.fixture
def graded(monkeypatch):
    monkeypatch.setenv("POLYNB_GRADING", "1")


def test_what_counts_as_grading(monkeypatch):
    for value, expected in (("1", True), ("yes", True), ("0", False), ("", False), (" ", False)):
        monkeypatch.setenv("POLYNB_GRADING", value)
        assert grading() is expected
    monkeypatch.delenv("POLYNB_GRADING")
    assert grading() is False


def test_there_are_no_widgets(graded, derivation):
    assert derivation.step() is derivation
    assert isinstance(pn.play(derivation.before), pn.Transformation)
    chain = pn.transform(derivation.result).reverse("i")
    assert pn.play(chain) is chain


def test_there_were_widgets(derivation, monkeypatch):
    pytest.importorskip("anywidget")
    monkeypatch.delenv("POLYNB_GRADING", raising=False)
    assert type(derivation.step()).__name__ == "Stepper"


def test_no_trace_is_saved(derivation, monkeypatch):
    from polynb.show import bundle

    monkeypatch.setattr(bundle, "_has_kernel", lambda: True)
    monkeypatch.delenv("POLYNB_GRADING", raising=False)
    assert len(bundle.mimebundle(derivation)) > 2
    monkeypatch.setenv("POLYNB_GRADING", "1")
    assert set(bundle.mimebundle(derivation)) == {"text/plain", "text/html"}


def test_there_is_no_progress(graded, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    from polynb.show.magics.progress import Progress

    told = Terminal()
    monkeypatch.setattr(sys, "stderr", told)
    with Progress(None) as progress:
        progress._last = -10.0
        progress("working", 1, 3)
    report = reporter(True)
    report("working", 1, 3)
    assert told.getvalue() == ""
