"""A Scop from a researcher's own sets."""

import islpy
import pytest

import polynb as pn
from polynb import isl
from polynb.run.oracle import equivalent

DOMAIN = "[N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }"
SCHEDULE = "{ S[i] -> [0, i]; T[i] -> [1, i] }"
READS = "{ S[i] -> A[i]; T[i] -> t[N - 1 - i] }".replace("{", "[N] -> {")
WRITES = "{ S[i] -> t[i]; T[i] -> B[i] }"


def test_propagation_of_own_sets() -> None:
    scop = pn.Scop.from_isl(DOMAIN, SCHEDULE, READS, WRITES, temp=["t"])
    d = pn.propagate(scop)
    (s,) = d.result.statements
    assert s.name == "T"
    expected = isl.read_map("[N] -> { T[i] -> A[N - 1 - i] : 0 <= i < N }")
    assert s.reads[0].relation.is_equal(expected)
    assert equivalent(d)


def test_islpy_objects_and_schedule_trees() -> None:
    domain = islpy.UnionSet(DOMAIN)
    tree = islpy.Schedule(
        '{ domain: "[N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }", child: { sequence: ['
        ' { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [(i)] }]" } },'
        ' { filter: "{ T[i] }", child: { schedule: "[{ T[i] -> [(i)] }]" } } ] } }'
    )
    scop = pn.Scop.from_isl(domain, tree, islpy.UnionMap(READS), islpy.UnionMap(WRITES))
    flat = pn.Scop.from_isl(DOMAIN, SCHEDULE, READS, WRITES)
    assert pn.analyze(scop).raw.is_equal(pn.analyze(flat).raw)
    assert equivalent(scop, flat, N=[0, 1, 5])


def test_a_many_valued_access_is_a_may_access() -> None:
    reads = "[N] -> { S[i] -> A[i]; T[i] -> t[j] : 0 <= j <= i }"
    scop = pn.Scop.from_isl(DOMAIN, SCHEDULE, reads, WRITES, temp=["t"])
    assert not scop.by_name["T"].reads[0].must
    assert "t is kept" in pn.propagate(scop).why("t")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((None, SCHEDULE, READS, WRITES), "the domain must be a set .*, not None"),
        ((DOMAIN, 3, READS, WRITES), "the schedule must be a map .*, not 3"),
        ((DOMAIN, SCHEDULE, [READS], WRITES), "the reads must be a map .*, not .'.N"),
        ((DOMAIN, SCHEDULE, READS, islpy.Set("{ [i] }")), "the writes must be a map"),
    ],
)
def test_what_is_no_set_or_map_is_refused_with_an_example(given: tuple, message: str) -> None:
    with pytest.raises(pn.PolynbError, match=message) as caught:
        pn.Scop.from_isl(*given)
    assert "isl text such as" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("context", "message"),
    [
        (5, "the context must be .*not 5"),
        (None, "the context must be .*not None"),
        ("[N] -> { : N", "context, line 1, column 13: the text ends where a comparison"),
        ("[N] -> { S[N] }", "column 10: the context must be a set of parameter values"),
    ],
)
def test_a_context_is_a_set(context: object, message: str) -> None:
    with pytest.raises(pn.PolynbError, match=message):
        pn.Scop.from_isl(DOMAIN, SCHEDULE, READS, WRITES, context=context)
    sets = (islpy.Set("[N] -> { : N > 2 }"), islpy.BasicSet("[N] -> { : N > 2 }"))
    for given in ("[N] -> { : N > 2 }", *sets):
        scop = pn.Scop.from_isl(DOMAIN, SCHEDULE, READS, WRITES, context=given)
        assert scop.context.is_equal(isl.read_set("[N] -> { : N > 2 }").params())


@pytest.mark.parametrize(
    ("schedule", "writes", "message"),
    [
        ("{ S[i] -> [i]; T[i] -> [i] }", WRITES, "same time"),
        ("{ S[i] -> [0, i] }", WRITES, "says nothing of T"),
        ("{ S[i] -> [0, 0]; T[i] -> [1, i] }", WRITES, "same time"),
        (SCHEDULE, "{ S[i] -> t[i] }", "T writes 0 arrays"),
        (
            SCHEDULE,
            "{ S[i] -> t[i]; T[i] -> B[i]; Q[i] -> B[i] }",
            "column 31: .* unknown statement Q",
        ),
        (
            SCHEDULE,
            "{ S[i] -> t[i]; T[i] -> B[i] ",
            "writes, line 1, column 29: the text ends",
        ),
        ("{ S[i, j] -> [0, i]; T[i] -> [1, i] }", WRITES, "column 3: .* 2 dimensions for S"),
        ("{ S[i] -> [0, j]; T[i] -> [1, i] }", WRITES, "exactly one time"),
    ],
)
def test_wrong_sets_are_refused(schedule: str, writes: str, message: str) -> None:
    with pytest.raises(pn.PolynbError, match=message):
        pn.Scop.from_isl(DOMAIN, schedule, READS, writes)


def test_the_reads_of_a_stencil_are_one_for_each_cell() -> None:
    reads = "[N] -> { S[i] -> A[i]; T[i] -> t[i - 1]; T[i] -> t[i]; T[i] -> t[i + 1] }"
    domain = "[N] -> { S[i] : 0 <= i <= N; T[i] : 0 < i < N }"
    scop = pn.Scop.from_isl(domain, SCHEDULE, reads, WRITES, temp="t")
    assert [(r.array, r.must) for r in scop.by_name["T"].reads] == [("t", True)] * 3
    d = pn.propagate(scop)
    assert [s.name for s in d.result.statements] == ["T"]
    assert "t" not in d.result.arrays
    assert equivalent(d)


def test_a_read_of_a_range_of_cells_stays_one_that_may_be_any() -> None:
    reads = "[N] -> { S[i] -> A[i]; T[i] -> t[j] : 0 <= j <= i }"
    scop = pn.Scop.from_isl(DOMAIN, SCHEDULE, reads, WRITES, temp="t")
    assert [(r.array, r.must) for r in scop.by_name["T"].reads] == [("t", False)]


def test_a_schedule_that_gives_times_of_two_lengths_gives_them_all():
    sets = DOMAIN, READS, WRITES
    parts = "{ S[i] -> [0, i] : i < 3; S[i] -> [0, i, 1] : i >= 3; T[i] -> [1, i] }"

    def made(schedule: str) -> pn.Scop:
        return pn.Scop.from_isl(sets[0], schedule, *sets[1:], temp=["t"])

    assert equivalent(made(parts), made(SCHEDULE), N=[0, 1, 5])
    with pytest.raises(pn.PolynbError, match="every instance of S exactly one time"):
        made("{ S[i] -> [0, i]; S[i] -> [0, i, 1]; T[i] -> [1, i] }")
