import numpy as np
import pytest

from polynb.errors import PolynbError
from polynb.gallery import photographs
from polynb.gallery.photographs import photograph


@pytest.mark.parametrize("size", [(30, 50), (50, 30), (700, 600), (1, 1)])
def test_a_photograph_has_the_size_and_the_range_asked_for(size):
    for picture, shape in ((photograph(*size), (*size, 3)), (photograph(*size, 1), size)):
        assert picture.shape == shape
        assert picture.dtype == np.float32
        assert 0 <= picture.min() <= picture.max() <= 1
        if size != (1, 1):
            assert picture.max() - picture.min() > 0.7


def test_grey_is_the_luma_of_the_colours():
    grey = photograph(40, 60, 1)
    np.testing.assert_allclose(grey, photograph(40, 60) @ [0.299, 0.587, 0.114], atol=0.01)


def test_it_is_not_distorted():
    """A wide picture is the middle of a higher one of the same width."""
    wide, high = photograph(64, 128, 1), photograph(128, 128, 1)
    np.testing.assert_allclose(wide, high[32:96], atol=0.01)


def test_a_picture_that_cannot_be_is_refused():
    said = {
        (0, 5): "rows must be at least 1, not 0",
        (5, 10**9): "columns must be at most 100000",
        ("5", 5): "rows must be an integer",
        (5, 5, 2): "no picture has 2 channels",
    }
    for wrong, message in said.items():
        with pytest.raises(PolynbError, match=message) as caught:
            photograph(*wrong)
        assert caught.value.hint


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(photographs, "find_spec", lambda name: None)
    with pytest.raises(PolynbError, match="not on this machine") as caught:
        photograph(8, 8)
    assert "pip install" in caught.value.hint


def test_without_pillow_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(PolynbError, match="PIL") as caught:
        photograph(8, 8)
    assert "pip install" in caught.value.hint
