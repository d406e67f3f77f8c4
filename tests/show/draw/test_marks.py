"""A picture says what it shows: other marks are told from other pixels."""

import io

import pytest
from PIL import Image

import polynb as pn
from polynb import isl
from polynb.show import subplots

ARROWS = "{ S[i] -> T[j] : i = 2j and 1 <= j <= 3 }"
OTHERS = {
    "an arrow less": "{ S[i] -> T[j] : i = 2j and 1 <= j <= 2; S[6] -> T[4] }",
    "arrows elsewhere": "{ S[i] -> T[j] : i = 8 - 2j and 1 <= j <= 3 }",
    "another name": "{ S[i] -> U[j] : i = 2j and 1 <= j <= 3 }",
}


def said(figure):
    return figure._repr_mimebundle_()["text/plain"].rpartition("marks ")[2]


def drawn(text):
    return pn.draw(isl.read_map(text))


def test_the_same_marks_are_the_same_at_any_size():
    large = drawn(ARROWS)
    large.set_dpi(150)
    assert said(drawn(ARROWS)) == said(large)


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_other_marks_are_others(other):
    assert said(drawn(ARROWS)) != said(drawn(other))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_point_counts(d):
    dims = ", ".join("ijk"[:d])
    box = f"{{ S[{dims}] : 0 <= {dims} <= 2 }}"
    less = box.replace("}", f"and i + {dims[-1]} > 0 }}")
    pictures = [pn.draw(isl.read_set(text)) for text in (box, less)]
    assert len({said(p) for p in pictures}) == 2


def test_words_bars_and_colours_count():
    def figure(height=2, title="x", colour="red", label="a"):
        found, axes = subplots(size=(3, 2), described="bars")
        axes.bar([0, 1], [1, height], color=colour, label=label)
        axes.set_title(title)
        axes.legend()
        return said(found)

    others = [figure(3), figure(title="y"), figure(colour="blue"), figure(label="b")]
    assert len({figure(), *others}) == 5
    assert figure() == figure()


def test_the_file_says_it_too():
    bundle = drawn(ARROWS)._repr_mimebundle_()
    assert Image.open(io.BytesIO(bundle["image/png"])).text["Description"] == bundle["text/plain"]
