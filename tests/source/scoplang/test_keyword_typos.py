"""A word that begins a statement, mistyped, and a program in the other language."""

import pytest

import polynb as pn


@pytest.mark.parametrize(
    ("text", "word", "meant"),
    [
        ("param N;\nfro i = 0 to N do A[i] = 0; done", "fro", "for"),
        ("parm N;\nfor i = 0 to N do A[i] = 0; done", "parm", "param"),
        ("param N;\nfor i = 0 to N do A[i] = 0; dnoe\nB[0] = 1;", "dnoe", "done"),
        ("inptu A[5];\nB[0] = A[0];", "inptu", "input"),
    ],
)
def test_a_mistyped_word_is_told_and_mended(text, word, meant):
    with pytest.raises(pn.PolynbError) as error:
        pn.parse(text)
    assert f"`{word}` begins no statement" in str(error.value)
    assert f"did you mean `{meant}`?" in str(error.value)
    (edit,) = error.value.fix
    assert pn.parse(text.replace(edit.span.text, edit.text, 1)).statements


def test_polynbs_own_language_is_no_c():
    with pytest.raises(pn.PolynbError) as error:
        pn.trace("param N;\nfor i = 0 to N do\n  A[i] = 0;\ndone")
    assert "`param` is of polynb's own language, and this is read as C" in str(error.value)
