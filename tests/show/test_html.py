"""Markup that is safe and says what it was given."""

import base64

from polynb.show.draw.svg import Svg, number
from polynb.show.html import Html, details, element, image, join, table


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
