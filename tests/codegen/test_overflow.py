"""Orders of one's own with numbers that C's loops do not run over."""

import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules.bands import with_schedule
from polynb.scop.schedule import Band, Leaf, Loop

TEXT = "param N; output double A[N]; for i = 0 to N-1 do S: A[i] = i + 1; done"


def timed(time):
    """The program with S in the order of a time of its iterations."""
    member = isl.read_map(f"[N] -> {{ S[i] -> [{time}] }}")
    loops = (Loop(),) * member.dim(isl.OUT)
    return with_schedule(pn.parse(TEXT), Band({"S": member}, Leaf(), loops=loops))


@pytest.mark.parametrize(
    "time",
    [
        "i + 9223372036854775806",
        "-i - 9223372036854775806",
        "i + 92233720368547758060",
        "i + 4611686018427387904",
        "9223372036854775807i",
        "i + 9223372036854775806 N",
        "floor((i + 9223372036854775806) / 4), i",
    ],
)
def test_times_that_overflow_are_refused_with_the_statement(time):
    """The loop from 2^63 - 2 ran once, and the one from 10 times as much wrote anywhere."""
    scop = timed(time)
    for work in (lambda: pn.compile(scop, threads=1), scop.to_c):
        with pytest.raises(PolynbError, match="the loops of S cannot be written in C") as error:
            work()
        assert "overflow" in error.value.reason


@pytest.mark.parametrize("time", ["i + 4611686018427387903", "-i - 10**12", "5000000000000i"])
def test_far_times_that_fit_are_run(time):
    scop = timed(time.replace("10**12", str(10**12)))
    assert pn.compile(scop, threads=1)(N=5)["A"].tolist() == [1, 2, 3, 4, 5]


def test_a_far_parameter_is_no_far_time():
    """Which of two orders it is says N: their times are -i and i."""
    member = "[N] -> { S[i] -> [i] : N < 5 * 10**18; S[i] -> [-i] : N >= 5 * 10**18 }"
    member = isl.read_map(member.replace("5 * 10**18", str(5 * 10**18)))
    scop = with_schedule(pn.parse(TEXT), Band({"S": member}, Leaf(), loops=(Loop(),)))
    assert "if (N >= 5000000000000000000)" in scop.to_c()
