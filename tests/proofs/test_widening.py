"""What every guess has to cover."""

from __future__ import annotations

import pytest

from polynb import isl
from polynb.proofs.widening import STRATEGIES

ROUNDS = {
    "moved": ("i = 0 and j = 0", "i = 1 and j = 2", "i = 2 and j = 4"),
    "moved, and grown": ("i = 0 and j = 0", "i = 1 and j = 2", "2 <= i <= 3 and j = 4"),
    "for other sizes": (
        "i = 0 and j = 0",
        "N = 7 and i = 0 and j = 0",
        "N = 0 and i = 1 and j = 2",
    ),
    "elsewhere": ("i = 0 and j = 0", "i = 0 and j = 0", "i = 5 and 3 <= j <= 9"),
}


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.parametrize("widen", dict.fromkeys(w for w, _ in STRATEGIES))
def test_a_guess_covers_what_was_asked_for(widen, name):
    known, last, new = (isl.read_map(f"[N] -> {{ S[i] -> T[j] : {x} }}") for x in ROUNDS[name])
    known = known.union(last)
    assert known.union(new).is_subset(widen(known, last, new))
