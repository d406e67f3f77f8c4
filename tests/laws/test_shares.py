"""What must be a good share, is asked of enough, and only of enough."""

from shares import SHARES, SOME, Share, missed


def test_a_share_that_is_too_small_is_said():
    share = Share("merged", "programs", 0.5)
    assert share.missed({"merged": 10, "programs": 20}) is None
    assert share.missed({"merged": 9, "programs": 20}) == "merged: only 9 of 20 programs"
    assert share.missed({"merged": 0, "programs": 19}) is None  # too few to tell
    assert share.missed({}) is None


def test_a_share_that_is_too_large_is_said():
    share = Share("given up", "programs", most=0.1)
    assert share.missed({"given up": 2, "programs": 20}) is None
    assert "more than 10%" in share.missed({"given up": 3, "programs": 20})


def test_some_is_at_least_one():
    share = Share("refused", "programs", SOME)
    assert share.missed({"refused": 1, "programs": 5000}) is None
    assert share.missed({"refused": 0, "programs": 50}) is not None


def test_every_law_is_asked():
    for law, shares in SHARES.items():
        for share in shares:
            found = list(missed({law: {share.of: 1000}}))
            assert any(f"{law} laws: {share.what}:" in x for x in found) == bool(share.least)
