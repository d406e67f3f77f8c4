"""The order of propagation (CC'18, section 4.4)."""

import pytest
from cases import beside

import polynb as pn
from polynb.errors import PolynbError
from polynb.propagation import by_potential, first_write, propagate
from polynb.propagation.order import potential
from polynb.propagation.steps import ArrayChosen

CASES = beside(__file__)


def chosen(d):
    return [s.array for s in d.steps if isinstance(s, ArrayChosen)]


@pytest.mark.parametrize(
    ("name", "potentials"),
    [
        ("fig1", {"s": 3, "tmp": -5}),
        ("fig9a", {"s0": 0, "s1": -1}),
        ("fig9b", {"t0": -1, "t1": -1}),
    ],
)
def test_potentials_of_the_figures(name, potentials):
    dependences = pn.analyze(pn.gallery.load(name))
    assert {a: potential(dependences, a) for a in potentials} == potentials


def test_figure_1_needs_s_first():
    scop = pn.gallery.load("fig1")
    assert chosen(propagate(scop)) == ["s", "tmp"]
    other = propagate(scop, order="tmp, s")
    assert chosen(other) == ["tmp", "s"]
    assert other.result.temporaries == ("tmp",)


def test_figure_9a_one_scalar_prevents_the_other():
    scop = pn.gallery.load("fig9a")
    assert propagate(scop).result.temporaries == ("s1",)
    assert propagate(scop, order=["s1", "s0"]).result.temporaries == ("s0",)


def test_after_an_array_is_gone_potentials_change():
    scop = pn.gallery.load("fig1")
    left = pn.analyze(propagate(scop, arrays="s").result)
    assert potential(left, "tmp") == 0


# Pairs of temporaries that differ in one measure only, the first in the text is the wrong one.
TIES = CASES["ties"]


@pytest.mark.parametrize("what", TIES)
def test_ties(what):
    scop = pn.parse(f"param N; assume N >= 4; {TIES[what]}")
    choice = by_potential(pn.analyze(scop), ["t", "u"])
    assert choice.array == "u"
    assert f"the fewest {what}" in choice.why


def test_the_last_tie_goes_to_the_first_in_the_text():
    scop = pn.parse("""param N; temp t, u; for i = 0 to N do t[i] = A[i]; u[i] = A[i];
    P[i] = u[i] + A[i]; R[i] = t[i] + A[i]; done""")
    assert by_potential(pn.analyze(scop), ["u", "t"]).array == "t"


def test_an_order_of_ones_own():
    def backwards(dependences, candidates):
        return candidates[-1]

    scop = pn.gallery.load("fig1")
    assert chosen(propagate(scop, order=backwards)) == ["tmp", "s"]
    assert chosen(propagate(scop, order=first_write)) == ["s", "tmp"]


def test_an_order_that_there_is_not():
    with pytest.raises(PolynbError, match="no order and no array 'potentials'"):
        propagate(pn.gallery.load("fig1"), order="potentials")


def test_what_an_order_of_ones_own_raises_is_said_to_be_its_own():
    def mine(dependences, candidates):
        raise ZeroDivisionError("in mine")

    scop = pn.parse("param N; temp t; for i = 0 to N do t[i] = A[i]; B[i] = t[i]; done")
    with pytest.raises(
        pn.PolynbError, match="the function given as order= failed: ZeroDivisionError: in mine"
    ) as caught:
        pn.propagate(scop, order=mine)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.argument == "order"
