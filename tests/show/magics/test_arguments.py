"""Magic lines: words, quotes, comments, carets."""

import pytest

from polynb.errors import PolynbError
from polynb.show.magics.arguments import split


def words(line):
    return [w.text for w in split(line, "%bench").words]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("blur fast N=4", ["blur", "fast", "N=4"]),
        ("blur;", ["blur"]),
        ("blur ;", ["blur"]),
        ("blur;;", ["blur"]),
        ("blur # the slow one", ["blur"]),
        ("'blur' \"fast\"", ["blur", "fast"]),
        ("in=photo[:, 0] N=3", ["in=photo[:, 0]", "N=3"]),
        ("in='a + b'", ["in=a + b"]),
        ("in=load('x y.png')", ["in=load('x y.png')"]),
        ("--assume 'N >= 2 and M >= 1'", ["--assume", "N >= 2 and M >= 1"]),
        ("--assume='N >= 2'", ["--assume=N >= 2"]),
        ("in=d['#1']", ["in=d['#1']"]),
        (r"in='it\'s'", [r"in=it\'s"]),
        ("", []),
        ("{i} $x", ["{i}", "$x"]),
    ],
)
def test_words(line, expected):
    assert words(line) == expected


def test_spans_point_at_the_words_as_typed():
    line = split("blur  in='a + b'; # and", "%bench")
    assert [w.span.text for w in line.words] == ["blur", "in='a + b'"]
    assert line.words[0].span.column == len("%bench ") + 1


@pytest.mark.parametrize(
    ("line", "at", "says"),
    [
        ("N=4 in='photo", "'", "not closed"),
        ("N=(4", "N=(4", "')' is missing"),
        ("in=a[f(1", "in=a[f(1", "')' is missing"),
    ],
)
def test_what_is_not_closed_is_refused_where_it_begins(line, at, says):
    with pytest.raises(PolynbError, match="is") as caught:
        split(line, "%bench")
    assert says in caught.value.message
    assert caught.value.span.text == at
