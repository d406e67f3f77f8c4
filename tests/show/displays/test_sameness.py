"""The line of a derivation's display that says whether it computes the same."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb.show.displays import derivation as module
from polynb.show.displays.derivation import sameness
from polynb.show.displays.static import static


def scop() -> pn.Scop:
    return pn.parse(
        "param N; assume N >= 2; temp t; for i = 0 to N do t[i] = 2 * A[i]; done"
        " for j = 0 to N do B[j] = t[N-j] + 1; done"
    )


def test_it_is_proved_for_every_size_where_it_can_be():
    derivation = pn.propagate(scop())
    assert sameness(derivation) == "It computes the same: proved for every N."
    shown = static(derivation)
    assert "It computes the same: proved for every N." in shown["text/plain"].splitlines()
    assert "It computes the same: proved for every N." in shown["text/html"]


def test_else_it_is_checked_at_small_sizes_that_the_program_allows(monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 1e-6)
    monkeypatch.setattr(module, "CHECKING", 60.0)
    assert sameness(pn.propagate(scop())) == "It computes the same, checked for N = 5, 8."


def test_and_where_there_is_no_time_at_all_it_says_what_has_it(monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 1e-6)
    monkeypatch.setattr(module, "INSTANCES", 1)
    said = sameness(pn.propagate(scop()))
    assert said == "Whether it computes the same takes longer to prove: pn.prove(_)."


def test_what_is_not_the_same_is_said_with_a_size():
    derivation = pn.propagate(scop())
    other = pn.parse("param N; assume N >= 2; for j = 0 to N do B[j] = 2 * A[j] + 1; done")
    said = sameness(replace(derivation, result=other))
    assert said.startswith("It does not compute the same: for N = 5: B[0] differs")


def test_a_program_that_stays_as_it_is_needs_no_proof():
    derivation = pn.propagate(pn.gallery.load("gemm"))
    assert derivation.result is derivation.before
    assert sameness(derivation) == ""


@pytest.mark.parametrize("name", ["fig1", "harris", "delicm_listing2", "lrr_listing1"])
def test_it_is_found_once_for_a_derivation(name, monkeypatch):
    derivation = pn.reorder(pn.gallery.load(name), tile=32)
    said = sameness(derivation)
    monkeypatch.setattr(module, "_found", None)
    assert sameness(derivation) is said
