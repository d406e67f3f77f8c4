"""Tables: aligned where they are printed, tables in a notebook, plain values for pandas."""

import pytest

import polynb as pn
from polynb.show import mimebundle
from polynb.tuning import Row, Sweep, Table
from polynb.tuning.results import INTERVAL

TABLE = Table(
    ("program", "why", "ratio"),
    [("harris", "<b> & co", 1.25), ("b", "", None)],
    left="why",
    notes=("two rows",),
)


def test_it_is_aligned_where_it_is_printed():
    assert str(TABLE).splitlines() == [
        "program  why       ratio",
        "harris   <b> & co   1.25",
        "b",
        "two rows",
    ]


def test_a_notebook_shows_a_table_with_everything_escaped():
    shown = mimebundle(TABLE)
    assert shown["text/plain"] == str(TABLE)
    markup = shown["text/html"]
    assert "<table" in markup
    assert "&lt;b&gt; &amp; co" in markup
    assert "two rows" in markup
    assert "<caption" not in markup  # it has none
    assert "<caption" in mimebundle(Table(("a",), [("x",)], caption="All"))["text/html"]


def test_numbers_are_flush_right_and_long_texts_are_broken_into_lines():
    markup = mimebundle(Table(("a", "why", "n"), [("x", 70 * "y", 3)], left="why"))["text/html"]
    cells = markup.partition("<tbody")[2].split("<td")[1:]
    assert ["text-align:right" in c for c in cells] == [False, False, True]
    assert ["white-space:nowrap" in c for c in cells] == [True, False, True]


def test_its_values_stay_what_they_are():
    assert TABLE.rows[0] == ("harris", "<b> & co", 1.25)
    assert TABLE.head == ("program", "why", "ratio")


def test_a_row_of_another_length_is_refused():
    with pytest.raises(pn.PolynbError, match="a row has 1 cells and the head 2"):
        Table(("a", "b"), [("x",)])


def test_an_empty_table_has_its_notes():
    empty = Table(("a", "b"), [], notes=("nothing",))
    assert str(empty) == "nothing"
    assert "<table" not in mimebundle(empty)["text/html"]


def test_a_sweep_is_a_table_in_a_notebook():
    found = Sweep((Row("one", {"ratio": 1.5}), Row("two", error="it failed")))
    markup = mimebundle(found)["text/html"]
    assert "<table" in markup
    assert "two failed: it failed" in markup


def test_a_ratio_has_its_interval_beside_it():
    values = {"ratio": 1.25, INTERVAL: [1.18, 1.31]}
    found = Sweep((Row("one", values), Row("two", {"ratio": 1.5, INTERVAL: None})))
    table = found.table()
    assert table.head == ("", "ratio")
    assert table.cells == (("one", "1.25 (1.18 – 1.31)"), ("two", "1.5"))
