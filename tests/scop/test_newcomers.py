"""Programs, moves and second programs as newcomers write them, to the end: nothing is asked of what
is right, and nothing that is wrong, by a letter or two, is a success without a question."""

import pytest
from cases import beside

import polynb as pn

CASES = beside(__file__)


def questioned(first: str, then: str | None = None) -> bool:
    """Whether anything says that something may be wrong: an error, a question or a verdict."""
    try:
        program = pn.parse(first)
        if then is None:
            return bool(program.doubts)
        if ";" in then:
            second = pn.parse(then)
            return bool(program.doubts or second.doubts) or not pn.prove(program, second)
        return bool(program.doubts) or not pn.transform(program, then).legal
    except pn.PolynbError:
        return True


@pytest.mark.parametrize("texts", CASES["right"], ids=lambda texts: texts[0])
def test_nothing_is_asked_of_what_is_right(texts):
    assert not questioned(*texts)


@pytest.mark.parametrize("texts", CASES["slips"], ids=lambda texts: texts[0])
def test_what_is_wrong_is_no_success_without_a_question(texts):
    assert questioned(*texts)
