"""Where cells run that live pages cannot."""

from pathlib import Path

from polynb.site.live.building import binder_of


def test_the_binder_is_that_of_the_badge():
    text = (Path(__file__).parents[2] / "binder" / "README.md").read_text(encoding="utf-8")
    assert binder_of(text) == "https://mybinder.org/v2/gh/OWNER/REPOSITORY/HEAD"
    assert binder_of("a README without a badge") == ""
