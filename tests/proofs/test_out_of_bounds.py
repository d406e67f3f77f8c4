"""Data for which a program is not defined shows no difference: it may do anything there."""

import pytest

import polynb as pn

LOOKED_UP = """input int32 y; input float u[4], w[5]; temp float t[6]; output float o, a;
a = 0; for k = 0 to 5 do t[k] = w[min(k, 4)]; done {first} {beside} o = t[y + 1];"""


def compared(first: str, beside: str) -> str:
    """Whether it matters what is written `first`."""
    texts = (LOOKED_UP.format(first=x, beside=beside) for x in (first, ""))
    return pn.prove(*map(pn.parse, texts)).answer


@pytest.mark.parametrize("beside", ["a = u[y];", "t[y + 2] = u[y];", "t[y] = 1;"])
def test_what_another_read_keeps_in_bounds(beside: str) -> None:
    """t[0] is looked up for y = -1 alone, where u[-1] is read, too, or t[-1] written."""
    assert compared("t[0] = 5;", beside) == "the same but for form"


@pytest.mark.parametrize("beside", ["", "a = u[y + 1];", "t[y + 2] = w[y + 1];"])
def test_what_no_other_read_does(beside: str) -> None:
    assert compared("t[0] = 5;", beside) == "different"


def test_a_store_that_its_condition_keeps_in_bounds() -> None:
    """For y = -1, nothing is stored, and u[-1] is not read."""
    assert compared("t[0] = 5;", "if y >= 0 then t[y] = u[y]; fi") == "different"
    assert compared("t[0] = 5;", "if y >= 0 then t[y] = 1; fi") == "different"


def test_data_that_both_divide_by_zero_shows_no_difference() -> None:
    text = "input int32 x; output int32 a, b; a = 7 / x; b = "
    proof = pn.prove(pn.parse(text + "x == 0 ? 1 : 2;"), pn.parse(text + "2;"))
    assert proof.answer != "different"
