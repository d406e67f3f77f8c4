"""Wrong programs: what the error says, and the very characters that it points at."""

import pytest
from cases import beside

from polynb.errors import PolynbError, Source
from polynb.source.scoplang.parser import parse_scop

CASES = beside(__file__)

# The text, with ‹ and › around what the caret must be under; what the message must say; what
# the hint must say.
WRONG = CASES["wrong"]


def marked(text):
    """The text without its marks, and the range between them."""
    start = text.index("‹")
    end = text.index("›") - 1
    return text.replace("‹", "").replace("›", ""), start, end


@pytest.mark.parametrize(("text", "message", "hint"), WRONG)
def test_a_wrong_program(text, message, hint):
    text, start, end = marked(text)
    with pytest.raises(PolynbError) as caught:
        parse_scop(text)
    error = caught.value
    assert message in error.message
    assert (error.span.start, error.span.end) == (start, end)
    assert error.hint
    assert hint in f"{error.hint} {error.reason}"


PASTED = CASES["pasted"]


@pytest.mark.parametrize(("text", "corrected"), PASTED)
def test_characters_from_a_pdf(text, corrected):
    text, start, end = marked(text)
    with pytest.raises(PolynbError) as caught:
        parse_scop(f"/* − */ y = 0; // ≤\n{text} // −\nz = 0;")
    error = caught.value
    before = len("/* − */ y = 0; // ≤\n")
    assert (error.span.start, error.span.end) == (before + start, before + end)
    assert corrected in error.hint
    assert "PDF" in error.reason


@pytest.mark.parametrize(
    ("text", "line", "column", "blanks"),
    [
        ("x = 1;\r\n\tA[0] = ;\r\n", 2, 9, 4 + 7),
        ("/* 漢字 */ x = ;", 1, 14, 10 + 5),
        ("// α → β\n\t// 漢\n  x = 1 1;", 3, 9, 8),
        ("x = 1;\ry = @;", 2, 5, 4),
    ],
)
def test_carets_survive_tabs_line_ends_and_wide_characters(text, line, column, blanks):
    with pytest.raises(PolynbError) as caught:
        parse_scop(Source(text, "cell"))
    head, shown, below, *_ = str(caught.value).split("\n")
    assert head.startswith(f"cell, line {line}, column {column}: ")
    assert "\t" not in shown
    assert below == f"     | {' ' * blanks}^"


def test_loops_may_be_32_deep():
    def nest(depth):
        loops = "".join(f"for i{k} = 0 to 1 do\n" for k in range(depth))
        return f"{loops} x = 1; {'done ' * depth}"

    parse_scop(nest(32))
    with pytest.raises(PolynbError, match="a huge loop depth") as caught:
        parse_scop(nest(33))
    assert (caught.value.span.line, caught.value.span.text) == (33, "for")


def test_conditionals_may_not_be_endlessly_deep():
    with pytest.raises(PolynbError, match="nested statements") as caught:
        parse_scop("if a then " * 500 + "x = 1;" + "fi " * 500)
    assert caught.value.span.text == "if"


@pytest.mark.parametrize(
    ("opening", "inner", "closing"),
    [("(", "1", ")"), ("f(", "1", ")"), ("A[", "1", "]"), ("a ? b : ", "c", "")],
)
def test_expressions_may_not_be_endlessly_deep(opening, inner, closing):
    with pytest.raises(PolynbError, match="nested too deeply") as caught:
        parse_scop(f"x = {opening * 500}{inner}{closing * 500};")
    assert caught.value.hint


def test_a_subscript_may_not_be_endlessly_long():
    with pytest.raises(PolynbError, match="more than 200 operands"):
        parse_scop(f"x = A[{'1 + ' * 500} 1];")


def error_of(text):
    """The error, None if there is none; any other exception fails the test."""
    try:
        parse_scop(text)
    except PolynbError as error:
        return error
    return None


def test_any_prefix_of_a_program_is_right_or_a_polynb_error():
    text = (
        "param N; assume N >= 3; temp double t[N], s; define f(x) = x*x;\n"
        "for i = 0 to N by 2 do if (i == 0) S: t[i] = f(i)/1.5; // S\n"
        "else if not i < 3 then let e = t[0]; t[1] = e ? e : -e; fi fi done"
    )
    errors = {k: error_of(text[:k]) for k in range(1, len(text) + 1)}
    for k, error in errors.items():
        if error is not None:
            assert 0 <= error.span.start <= error.span.end <= k
            assert error.hint
    right = [text[:k] for k, error in errors.items() if error is None]
    assert {t.strip()[-1] for t in right} == {";", "e"}
    assert right[-1] == text


def test_a_program_with_a_word_left_out_or_doubled_is_right_or_a_polynb_error():
    text = (
        "param N ; temp t [ N ] ; for i = 0 to N do if i == 0 then S : t [ i ] = 1.5 ; "
        "else t [ i ] = min ( i , 2 ) * ( - x ) ; fi done let e = y ; z = e ;"
    )
    words = text.split(" ")
    for k in range(len(words)):
        for changed in (words[:k] + words[k + 1 :], [*words[: k + 1], *words[k:]]):
            error = error_of(" ".join(changed))
            if error is not None:
                assert error.span is not None
                assert error.hint
