"""Which name somebody meant."""

import pytest

from polynb.source.typos import meant


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("tnp", ["tmp", "A"], "tmp"),  # another letter
        ("tpm", ["tmp", "A"], "tmp"),  # two changed over
        ("tm", ["tmp"], None),  # too short to tell
        ("tmpp", ["tmp"], "tmp"),
        ("mage", ["image"], "image"),
        ("Tmp", ["tmp"], "tmp"),
        ("n", ["N"], "N"),
        ("N", ["n", "m"], "n"),
        ("i", ["j"], None),
        ("px", ["py"], None),
        ("in0", ["in1"], None),
        ("tmp2", ["tmp"], None),
        ("intensitiy", ["intensity"], "intensity"),
        ("intenistiy", ["intensity"], "intensity"),  # two letters of a long name
        ("alpha", ["beta", "gamma"], None),
        ("beta1", ["betta1", "beta1"], "betta1"),
        ("tmp", ["tmq", "Tmp"], "Tmp"),
    ],
)
def test_a_name_near_another(name: str, known: list[str], found: str | None) -> None:
    assert meant(name, known) == found


def test_the_nearest_is_meant() -> None:
    assert meant("gradient_x", ["gradient_xy", "gradeint_yx"]) == "gradient_xy"
