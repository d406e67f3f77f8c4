"""Options and values of magics are checked as the library's arguments are, and say the same."""

import pytest

import polynb as pn
from polynb.errors import PolynbError

VALUES = ("2**70", "True", "None", "1.5", "'x'", "[4]")
LINES = [
    *(f"%propagate blur --cache-lines {n}" for n in ("-1", "0", "1e9", "1.5", "few", "9" * 30)),
    *("%propagate blur --order t,t", "%propagate blur --order ''", "%propagate blur --order nope"),
    *("%propagate blur --keep nope", "%propagate blur --arrays nope"),
    *("%propagate blur --recurrences nope", "%propagate blur --explain nope"),
    *(f"%reorder blur --tile {n}" for n in ("0", "-1", "x", "1.5", "32,0", "9" * 30)),
    *(f"%reorder blur --interchange {n}" for n in ("x", "0,x", "-1", "0,,1")),
    *("%reorder blur --privatize nope", "%reorder blur --preset nope"),
    *(f"%bench blur N=4 --threads {n}" for n in ("0", "-1", "1e9", "2.5", "x", "1000000000000")),
    *(f"%bench blur N=4 --rounds {n}" for n in ("0", "-1", "1e9", "x", "1000000000000")),
    *(f"%bench blur --rounds 1 N={v}" for v in VALUES),
    *(f"%step fast N={v}" for v in VALUES),
    *("%bench blur --rounds 1 N=-5",),
    *("%step fast Q=3", "%bench blur N=4 Q=3", "%bench blur N=4 in='x'", "%bench blur N=4 in=None"),
]  # fmt: skip


@pytest.fixture(scope="module")
def programs(texts):
    blur = pn.parse(texts["blur"])
    return {"blur": blur, "fast": pn.propagate(blur)}


@pytest.mark.parametrize("line", LINES)
def test_a_wrong_line_is_refused_at_a_word(shell, programs, line):
    shell.user_ns.update(programs)
    with pytest.raises(PolynbError) as caught:
        shell.run_cell(line).raise_error()
    assert caught.value.span is not None
    assert caught.value.hint


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("%propagate blur --cache-lines -1", lambda s: pn.propagate(s, cache_lines=-1)),
        ("%reorder blur --tile 0", lambda s: pn.reorder(s, tile=0)),
        ("%bench blur N=4 --threads 0", lambda s: pn.measure(s, N=4, threads=0)),
        ("%bench blur N=2**70", lambda s: pn.measure(s, N=2**70)),
        ("%bench blur N=4 --threads 1e9", lambda s: pn.measure(s, N=4, threads="1e9")),
    ],
)
def test_a_magic_says_what_the_library_says(shell, programs, line, call):
    shell.user_ns.update(programs)
    with pytest.raises(PolynbError) as magic:
        shell.run_cell(line).raise_error()
    with pytest.raises(PolynbError) as library:
        call(programs["blur"])
    assert magic.value.message == library.value.message
