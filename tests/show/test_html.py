"""Markup that is safe and says what it was given."""

import base64
import re

import pytest

from polynb.show.draw.svg import Svg, number
from polynb.show.html import Html, details, element, image, join, program, table


def test_text_is_escaped_and_markup_is_not():
    inner = element("b", '<script>alert(1)</script> & "quotes"')
    assert inner == "<b>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;</b>"
    assert element("p", inner, " < ") == f"<p>{inner} &lt; </p>"


def test_attributes_are_escaped():
    assert element("p", title='"><script>') == '<p title="&quot;&gt;&lt;script&gt;"></p>'


def test_joining_escapes_parts_and_separator():
    assert join(["<", Html("<br>")], "&") == "&lt;&amp;<br>"


def test_a_table_has_a_caption_and_scoped_headers():
    made = table("Things", ("a", "b"), [("<1>", "2")])
    assert ">Things</caption>" in made
    assert made.count('scope="col"') == 2
    assert "&lt;1&gt;" in made


def cells(markup):
    return re.findall(r"<td style=\"([^\"]*)\">(.*?)</td>", markup)


def test_a_figure_and_its_interval_stay_whole_and_are_parted_where_there_is_no_room():
    made = table("", ("a", "b"), [("x", "7 ms, 1.31 (1.25 – 1.37)"), ("y", "1 ms – 2 ms")], (1,))
    (_, x), (style, ratio), _, (_, span) = cells(made)
    assert x == "x"
    assert "nowrap" not in style
    assert re.findall(r"nowrap\">([^<]+)</span>", ratio) == ["7 ms,", "1.31", "(1.25 – 1.37)"]
    assert re.findall(r"nowrap\">([^<]+)</span>", span) == ["1 ms –", "2 ms"]


def test_a_sentence_takes_what_room_there_is():
    made = table("", ("a", "why"), [("a_name", "because of this"), ("b", "no")], wrap=(1,))
    assert ["nowrap" in style for style, _ in cells(made)] == [True, False, True, False]


def test_many_columns_are_set_in_a_smaller_type_and_names_are_broken():
    few = table("", ["a_b"] * 6, [["c_d"] * 6])
    many = table("", ["a_b"] * 7, [["c_d"] * 7])
    assert "font-size:14px" in few
    assert few.count("_<wbr>") == 6
    assert "font-size:12px" in many
    assert many.count("_<wbr>") == 14
    assert "font-size:12px" in table("", ["a"] * 6, [["b"] * 6], wrap=[1])


def test_an_arrow_is_not_broken():
    made = table("", ("map",), [("S[i] -> T[i] in all its long length",)])
    assert 'S[i] <span style="white-space:nowrap">-&gt;</span> T[i]' in made
    told = table("", ("a",), [(element("b", "x", title="a -> b"),)])
    assert 'title="a -&gt; b"' in told


def test_details_are_folded():
    assert "<details" in details("more", "x")
    assert "open" not in details("more", "x")


def test_an_image_holds_the_svg_and_its_text():
    svg = Svg(20, 10)
    svg.text(1, 9, "a < b & c")
    made = image(str(svg), 'alt "text"', 20)
    assert "<svg" not in made
    data = made.partition("base64,")[2].partition('"')[0]
    assert base64.b64decode(data).decode() == str(svg)
    assert "a &lt; b &amp; c" in str(svg)
    assert 'alt="alt &quot;text&quot;"' in made


def test_numbers_are_short():
    assert [number(x) for x in (1.0, -0.04, 2.55, 100, 0.25)] == ["1", "0", "2.5", "100", "0.2"]
    assert number(0.25, 2) == "0.25"


def test_lines_that_are_broken_go_on_under_the_programs_own_text():
    """After marks and numbers, what counts is where the program's line begins."""
    shown = str(
        program(["∥    12        1,000" + " " * 5 + "for (;;)", " " * 21 + "a;"], margin=21)
    )
    indents = [float(x) for x in re.findall(r"text-indent:-([\d.]+)em", shown)]
    assert indents == pytest.approx([0.6 * (21 + 4 + 6), 0.6 * (21 + 6)], abs=0.05)
