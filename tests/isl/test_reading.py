"""Texts in isl's notation: a mistake is told where it is."""

import pytest

from polynb import isl
from polynb.errors import PolynbError


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (isl.read_set, "{ S[i] : i even }", "set, line 1, column 12: `even` where a comparison"),
        (isl.read_map, "{ S[i] -> T[i] : i < N }", "column 22: N is no parameter"),
        (isl.read_union_set, "{ S[i] : i > 0; T[i] -> U[i] }", "this is no set"),
        (isl.read_union_map, "{ S[i] -> T[i", "`,` or `]` is expected"),
        (isl.read_map, "{ S[i] -> [-i; 1] }", "`;` where `,` or `]` is expected"),
        (isl.read_set, "{ S[i] : i > 0 } and i < 5", "`and` where the end is expected"),
    ],
)
def test_what_is_mistyped_is_told_where(read, text, said):
    with pytest.raises(PolynbError) as caught:
        read(text)
    assert said in str(caught.value)
