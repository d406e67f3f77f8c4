"""Where a text in isl's notation is wrong, and what was meant."""

import pytest
from cases import beside

from polynb import isl
from polynb.errors import PolynbError, Source
from polynb.source.isl_notation import read

CASES = beside(__file__)

RIGHT = CASES["right"]


@pytest.mark.parametrize("text", RIGHT)
def test_what_isl_reads_is_read(text: str) -> None:
    if "'" not in text:  # isl reads no such map, and no such name in quotes
        is_set = "->" not in text.partition("{")[2]
        assert (isl.UnionSet if is_set else isl.UnionMap)(text) is not None
    read(Source(text))


def test_tuples_have_names_dimensions_and_places() -> None:
    found = read(Source("[N] -> { S[i, j] -> [i]; [A[i] -> B[]] }"))
    assert [(t.name, t.dims, t.span.text) for t in found.tuples] == [
        ("S", 2, "S[i, j]"),
        ("", 1, "[i]"),
        ("A", 1, "A[i]"),
        ("B", 0, "B[]"),
        ("", 1, "[A[i] -> B[]]"),
    ]
    assert [s.text for s in found.maps] == ["S[i, j] -> [i]"]
    assert [s.text for s in found.sets] == ["[A[i] -> B[]]"]


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("", 1, "the text ends where `{`", "{ S[i] : 0 <= i < 10 }"),
        ("S[i] -> [i]", 1, "`S` where `{`", "{ S[i]"),
        ("N -> { : N > 0 }", 1, "`N` where `{`", "[N] -> "),
        ("[N] { S[i] }", 5, "`{` where `->`", "->"),
        ("[N,] -> { }", 4, "`]` where the name of a parameter", None),
        ("{ S(i) -> [i] }", 4, "`(` where `[` after S", "S[...]"),
        ("{ S[i -> [i] }", 7, "`->` where `,` or `]`", None),
        ("{ S[i,] }", 7, "`]` where a dimension", None),
        ("{ S[i] -> [i", 13, "the text ends where `,` or `]`", None),
        ("{ S[i] -> [i] } x", 17, "`x` where the end", "`;`"),
        ("{ S[i] -> A[i] B[i] }", 16, "`B` where `:`, `;` or `}`", "`;`"),
        ("{ S[i] -> [n - i] }", 12, "n is no parameter, and no dimension", "[n] -> { ... }"),
        ("{ S[2i] -> [i] }", 6, "i is no parameter", None),
        ("{ S[i] : exists (k : k = j) }", 26, "j is no parameter", None),
        ("{ S[i, j] -> [i*j] }", 16, "a product of two variables is not affine", "a number"),
        ("{ S[i, j] -> [i/j] }", 16, "a division by a variable", "a number"),
        ("{ S[i] : i == 2 }", 12, "no sign `==`", "="),
        ("{ S[i] : i => 2 }", 12, "no sign `=>`", ">="),
        ("{ S[i] : i ≥ 2 }", 12, "no sign `≥`", ">="),
        ("{ S[i] : i >= 0 and }", 21, "`}` where a value", None),
        ("{ S[i] : i }", 12, "`}` where a comparison", "!="),
        ("{ S[i] : (i > 0 or i < }", 24, "`}` where a value", None),
        ("{ S[i] -> [1.5] }", 12, "sets are of integers", None),
    ],
)
def test_what_is_wrong_is_shown_at_its_place(
    text: str, column: int, message: str, hint: str | None
) -> None:
    with pytest.raises(PolynbError) as caught:
        read(Source(text, "schedule"))
    error = caught.value
    assert message in error.message
    assert error.span is not None
    assert error.span.column == column
    assert hint is None or hint in str(error.hint)
    if not text.endswith("x"):  # behind the last brace isl does not look
        with pytest.raises(isl.IslError):
            isl.guarded(isl.UnionSet if "->" not in text else isl.UnionMap)(text)


@pytest.mark.parametrize(
    ("text", "said"),
    CASES["what_is_missing_between_conditions_is_said"],
)
def test_what_is_missing_between_conditions_is_said(text, said):
    with pytest.raises(PolynbError) as error:
        read(Source(text, "text"))
    assert said in str(error.value)


def test_a_list_between_two_comparisons_is_found():
    """isl reads `i < N, 0 <= j` as four comparisons; a list at an end is what one means."""
    found = read(Source("[N] -> { S[i, j] : i, j >= 0 and i < N, 0 <= j }", "set"))
    assert [span.text for span in found.lists] == ["N, 0"]


def test_a_stride_written_in_a_tuple_is_told_how():
    with pytest.raises(PolynbError) as caught:
        read(Source("[N] -> { S[3i] : 0 <= i }", "set"))
    assert "S[x] : exists i : x = ..." in str(caught.value)
