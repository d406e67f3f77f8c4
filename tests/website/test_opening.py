"""What the README and the site open on."""

import re
from pathlib import Path

import pytest

import polynb as pn
from polynb.site import opening

pytest.importorskip("anywidget")
ROOT = Path(__file__).parents[2]


def test_the_readmes_picture_is_the_playground_as_it_is_and_small(tmp_path):
    made = tmp_path / "picture.svg"
    assert opening.main([str(made)]) == 0
    assert made.read_text("utf-8") == (ROOT / opening.PICTURE).read_text("utf-8"), (
        "python -m polynb.site.opening"
    )
    assert made.stat().st_size < 20_000
    frames = re.split("<g class=", made.read_text("utf-8"))[1:]
    assert len(frames) == 5
    assert ["✗ illegal" in f for f in frames] == [False, False, True, True, False]
    assert "✓ legal" in frames[4]


@pytest.mark.long
def test_the_readme_opens_on_a_question_and_the_picture():
    text = (ROOT / "README.md").read_text("utf-8")
    _, question, picture, _ = text.split("\n\n", 3)
    assert question.count("?") == 1
    assert f"*{opening.MOVE.split()[0]}*" in question
    assert opening.PICTURE in picture
    opened = opening.with_playground(text, "")
    assert "data-polynb-play" in opened
    assert "Change the program" not in opened
    assert 'href="live/index.html#play=squares' in opening.with_playground(text, "live/")


@pytest.mark.long
def test_what_is_recorded_is_small_and_has_the_move_and_its_repair():
    made = opening.recorded()
    states = made["states"]
    assert eval(made["program"]).name == opening.NAME
    illegal = states[opening.MOVE]["shown"]
    assert not illegal["legal"]
    assert [w["line"] for w in illegal["ways"]] == [opening.REPAIR]
    assert states[f"{opening.REPAIR}\n{opening.MOVE}"]["shown"]["legal"]
    for line in states[""]["looked"]:
        assert states[line]["shown"]["legal"] == (states[""]["looked"][line]["sign"] == "✓")
    assert len(opening.with_playground((ROOT / "README.md").read_text("utf-8"), "")) < 50_000
    chain = pn.transform(eval(made["program"]), f"{opening.REPAIR}\n{opening.MOVE}")
    assert chain.legal
