"""The loops that the cost model sees, and what it says of them."""

import pytest

import polynb as pn
from polynb.optimising.algorithm import looked_at
from polynb.optimising.counted import CountedLoop, CountedStatement, work
from polynb.optimising.estimate import estimate
from polynb.optimising.machines import CACHES
from polynb.optimising.nests import nests
from polynb.optimising.orders import costs_of, in_waves, outer_band
from polynb.optimising.traffic import LINE, Traffic
from polynb.schedules import permutable_bands, tile

PRODUCT = """param N;
for i = 0 to N-1 do for {0} = 0 to N-1 do for {1} = 0 to N-1 do
  C[i][j] = C[i][j] + A[i][k] * B[k][j]; // S
done done done"""
COPY = "param N; for i = 0 to N-1 do for j = 0 to N-1 do B[i][j] = A[{}]; done done"


def of(text: str, **sizes: int) -> tuple[CountedLoop | CountedStatement, ...]:
    scop = pn.parse(text)
    return nests(scop, pn.analyze(scop).edges, sizes)


def chain(part: CountedLoop | CountedStatement) -> list[CountedLoop]:
    """The loops of a perfect nest, from the outermost in."""
    return [] if isinstance(part, CountedStatement) else [part, *chain(part.body[0])]


def cost(text: str, **sizes: int) -> float:
    scop = pn.parse(text)
    return estimate(nests(scop, pn.analyze(scop).edges, sizes)).alone


def test_loops_carry_what_dependences_say() -> None:
    (nest,) = of(PRODUCT.format("j", "k"), N=300)
    assert [(x.iterator, x.free, x.trips) for x in chain(nest)] == [
        ("i", True, 300),
        ("j", True, 300),
        ("k", False, 300),
    ]


def test_a_loop_carries_only_what_is_between_its_own_statements() -> None:
    """Of two statements that share a loop in the schedule and have loops apart in the code."""
    found = of("param N; for i = 0 to N do A[i] = B[i]; done for i = 1 to N do C[i] = A[i-1]; done")
    assert [x.free for part in found for x in chain(part)] == [True, True]


@pytest.mark.parametrize(
    ("body", "ahead"),
    [
        ("A[i] = A[i] + A[i+1];", True),
        ("A[i] = A[i] + A[i-1];", False),
        ("B[i] = A[i+1]; A[i] = C[i];", True),
        ("A[i] = C[i]; B[i] = A[i+1];", False),
        ("B[i] = A[i+1]; A[i] = B[i]; A[i] = A[i] + 1;", True),
        ("A[i] = C[i]; A[i+1] = B[i];", False),
        ("for k = 1 to 2 do C[k][i] = C[k-1][i+1]; done", False),
    ],
)
def test_vectors_read_before_they_write(body: str, ahead: bool) -> None:
    """As gcc does, which makes vectors of just those loops."""
    (loop,) = of(f"param N; for i = 1 to N do {body} done")
    assert (loop.free, loop.ahead) == (False, ahead)


def test_trips_are_means() -> None:
    (nest,) = of("param N; for i = 0 to N-1 do for j = 0 to i do A[i][j] = 0; done done", N=101)
    assert [x.trips for x in chain(nest)] == [101, 51]
    (nest,) = of("param N; for i = 0 to 99 by 10 do A[i] = 0; done")
    assert [x.trips for x in chain(nest)] == [10]


@pytest.mark.parametrize(
    ("place", "lines"),
    [("i][j", 300 * 300 / 8), ("j][i", 300 * 300 / 8), ("0][j", 300 / 8), ("i][0", 300)],
)
def test_lines_that_fit_are_brought_once(place: str, lines: float) -> None:
    """300 columns of lines fit into the second cache, and come into it once."""
    (nest,) = of(COPY.format(place), N=300)
    own = 300 * 300 / 8
    assert sum(Traffic(nest).brought(1 << 20)) == pytest.approx(own + lines, rel=0.1)


def test_lines_that_do_not_fit_are_brought_for_each_cell() -> None:
    (nest,) = of(COPY.format("j][i"), N=3000)
    _, across = Traffic(nest).brought(1 << 15)
    assert 0 <= across - 3000 * 3000 < 3000  # and where rows of B begin


def test_tiles_bring_what_their_points_touch() -> None:
    scop = pn.parse(COPY.format("j][i"))
    tiled = pn.transform(scop, "tile i j by 32").result
    (nest,) = nests(tiled, pn.analyze(scop).edges, {"N": 3200})
    assert sum(Traffic(nest).brought(CACHES[0][0])) == pytest.approx(2 * 3200 * 100 * 4.9, rel=0.1)


def test_strides_and_chains_cost() -> None:
    along, across = cost(PRODUCT.format("k", "j"), N=500), cost(PRODUCT.format("j", "k"), N=500)
    assert across > 3 * along
    assert cost(COPY.format("j][i"), N=3000) > 2 * cost(COPY.format("i][j"), N=3000)


SUMS = "param N; for i = 1 to N do for j = 0 to 9 do A[0] = 2 * A[0] + B[i]; done done"


@pytest.mark.parametrize(("text", "shared"), [(PRODUCT.format("j", "k"), True), (SUMS, False)])
def test_two_threads_share_what_carries_nothing(text: str, shared: bool) -> None:
    scop = pn.parse(text)
    found = estimate(nests(scop, pn.analyze(scop).edges, {"N": 1000}))
    assert (found.together < 0.7 * found.alone) == shared
    assert found.together <= found.alone


def test_a_line_has_64_bytes() -> None:
    (nest,) = of("param N; for i = 0 to N-1 do A[8*i] = 0; done", N=1000)
    assert sum(Traffic(nest).brought(1 << 15)) == 1000 * 8 * 8 / LINE


def test_tiles_larger_than_what_there_is_have_its_work() -> None:
    """Where the loops around are in the middle, a tile in the middle of them may be empty."""
    text = """param S, N; for s = 0 to S-1 do for i = 1 to N-2 by 2 do for j = 0 to N-1 do
      b[i] = b[i] + a[i] * a[j]; done done done"""
    scop, sizes = pn.parse(text), {"S": 10, "N": 66}
    costs = costs_of(scop, sizes)
    written = costs.whole(scop)
    for order in looked_at(scop, costs).values():
        assert order().estimate.gain(written) < 2


def test_what_never_runs_costs_nothing() -> None:
    text = "param N; for i = 0 to N-1 do for j = i to N-1 do A[i][j] = 0; done done"
    assert of(text, N=0) == ()


def test_what_does_not_run_in_the_middle_runs_elsewhere() -> None:
    text = """param N; for i = 0 to N-1 do B[i] = 0;
      for j = 4*i to N-1 do A[i][j] = 0; done done"""
    (nest,) = of(text, N=1000)
    assert [n for n, times in work([nest]).items() if times] == ["S0", "S1"]


def test_triangles_have_no_more_lines_than_rows() -> None:
    """Subscripts that go along together do not take all pairs of their values."""
    text = """param N; for i = 0 to N-1 do for j = i to N-1 do for k = j to N-1 do
      A[i][j][k] = 0; done done done"""
    (nest,) = of(text, N=200)
    rows = 200 * 200 / 2
    assert sum(Traffic(nest).brought(float("inf"))) < rows * (1 + 70 / 8)


def test_sums_of_integers_are_there_at_once() -> None:
    text = "param N; {} for i = 1 to N-1 do A[i] = A[i-1] + 1; done"
    assert cost(text.format("inout int32 A[N];"), N=1000) < cost(text.format(""), N=1000) / 1.5


def test_tiles_of_loops_downwards_are_places_of_their_own() -> None:
    """Such a loop begins at the least of its bounds, one of which is its tile's."""
    text = "param N; for i = 0 to N-1 do for j = {} do A[i][j] = A[i][j] + B[i][j]; done done"
    lines = []
    for bounds in ("0 to N-1", "N-1 to 0 by -1"):
        scop = pn.parse(text.format(bounds))
        parts = nests(tile(permutable_bands(scop), 64), pn.analyze(scop).edges, {"N": 1000})
        lines.append(sum(sum(Traffic(p).brought(float("inf"))) for p in parts))
    assert lines[1] == pytest.approx(lines[0], rel=0.1)


def test_what_rows_fix_is_not_spread_over_columns() -> None:
    """A diagonal has a line for each row, and a triangle, counted from its diagonal or from its
    first column, as many."""
    text = "param N; for i = 0 to N-1 do for j = {} do A[i][{}] = A[i][{}] + 1; done done"
    (diagonal,) = of(text.format("i to N-1", "i", "i"), N=1000)
    assert sum(Traffic(diagonal).brought(float("inf"))) == pytest.approx(1000, rel=0.01)
    lines = [
        sum(
            sum(Traffic(p).brought(float("inf")))
            for p in of(text.format(f"{a} to N-1", b, b), N=1000)
        )
        for a, b in (("i", "j"), ("0", "i+j"))
    ]
    assert lines[0] == pytest.approx(1000 * 500 / 8, rel=0.1)
    assert lines[1] == pytest.approx(1000 * 1000 / 8, rel=0.1)


def test_code_that_is_there_several_times_is_no_error_of_trip_counts() -> None:
    """Tiles of loops of different steps in one: each copy is counted, and all are short."""
    text = """void f(int n, int m, int a[n+1], int b[n+m+1][2*n+1][1], int c[n+1][n+1][m+1]) {
      for (int i = 2; i < m - 2; i++) for (int j = 0; j < n; j++)
        b[i][j][0] = (b[i][j][0] + c[j][j][i] * a[j]) % 1000;
      for (int i = 0; i < n; i++) for (int j = 1; j < n; j++)
        b[i][j+j][0] = (b[i][j+j][0] + a[j] * a[j-1]) % 1000;
    }"""
    scop = pn.parse(text)
    costs = costs_of(scop, {"n": 450, "m": 450})
    written = costs.whole(scop)
    assert all(order().estimate.gain(written) < 1.4 for order in looked_at(scop, costs).values())


def test_tiles_that_begin_where_they_end_run_once() -> None:
    """Sizes are whole numbers: of the 99.99... whose cube is a million, a loop from 256 down to 256
    had no iteration."""
    scop = pn.parse(
        """param N; for i = 1 to N-1 by 2 do for j = N-1 to 0 by -1 do for k = N-3 to 2 by -1 do
          a[i][j][k] = a[i][j][k] + a[i-1][j][k] + a[i][j][N-3-k]; done done done"""
    )
    (band,) = filter(None, [outer_band(pn.reorder(scop).result)])
    tiles = in_waves(scop, band, (16, 64, 256))
    costs = costs_of(scop, {})
    assert 0.2 < costs.of(tiles).alone / costs.of(scop).alone < 5


def waited(update: str, type_: str = "double") -> float:
    """Cycles from one iteration to the next."""
    arrays = f"{type_} a[2 * n + 1], {type_} b[n]"
    scop = pn.parse(f"void f(int n, {arrays}) {{ for (int i = 1; i < n; i++) {update}; }}")
    (loop,) = nests(scop, pn.analyze(scop).edges, {"n": 1000})
    return estimate([loop]).alone / 1000


def test_iterations_wait_for_what_they_update_and_for_nothing_else() -> None:
    """What is read before it is overwritten waits for nobody; what stands beside the value that is
    updated is computed meanwhile."""
    assert waited("a[0] = a[0] + b[i] * b[i] * b[i]") == pytest.approx(4, rel=0.2)
    assert waited("a[0] = (a[0] + b[i]) * b[i]") == pytest.approx(8, rel=0.2)
    assert waited("a[2 * i] = a[2 * i] + a[2 * i + 2]") < 4
    assert waited("a[i] = a[n - i] - a[i]") < 4 < waited("a[i] = a[i - 1] - a[i]")
    assert waited("a[0] = (a[0] + b[i]) % 1000", "int") > waited("a[0] = a[0] + b[i]", "int") + 5


def test_cells_of_other_rows_do_not_stop_vectors() -> None:
    text = """void f(int n, double a[n][n]) { for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) a[i][j] = a[i][j] + {}; }"""
    other, own = (cost(text.replace("{}", x), n=500) for x in ("a[k][j] * a[k][i]", "a[i][k]"))
    assert other < own


def test_vectors_are_brought_together() -> None:
    """Although one of the cells is in another row each time: random nest 13862 ran at a fifth of
    its speed with that loop around others, and 16438 at a half with the cells in columns."""
    text = "param N; inout int32 a, b; for i = 0 to N-1 do for j = 0 to N-1 do "
    much = cost(text + "a[i][j] = (a[i][j] + b[j][i]) % 1000; done done", N=300)
    along = cost(text + "a[i][j] = (a[i][j] + b[i][j]) % 1000; done done", N=300)
    across = cost(text + "a[j][i] = (a[j][i] + b[j][i]) % 1000; done done", N=300)
    assert along < much < 3 * along
    assert across > 2 * much
    little = text.replace("int32", "uint32") + "a[i][j] = a[i][j] + b[j][i]; done done"
    assert cost(little, N=90) < 0.75 * cost(little.replace("a[i][j]", "a[j][i]"), N=90)


def test_cells_near_each_other_are_picked_out_of_vectors() -> None:
    """And shared by four rows they are no gain: random nest 16435 was slower for it."""
    text = "param N; for i = 0 to N-1 do for j = 0 to N-1 do A[i][j] = B[i][{}]; done done"
    row, near, far = (cost(text.replace("{}", x), N=60) for x in ("j", "2*j", "64*j"))
    assert row < near < 1.5 * row < far


def test_what_may_be_the_cell_that_is_stored_to_is_loaded_again() -> None:
    """A cell of the array that a loop goes down a column of is in no register, as one of another
    array is; and one that is updated twice is in one until another row is stored to."""
    text = "param N; for k = 0 to N-1 do for i = 0 to N-1 do A[i][k+1] = {}[0][k]; done done"
    other, own = (cost(text.replace("{}", x), N=60) for x in "BA")
    assert own > 1.2 * other
    text = "param N; for i = 1 to N-1 do for j = 0 to N-1 do {} done done"
    row, other = "A[i][j] = A[i][j] + B[j];", "A[i-1][j] = A[i-1][j] + B[j];"
    after, between = (
        cost(text.replace("{}", x), N=60) for x in (2 * row + 2 * other, 2 * (row + other))
    )
    assert after < 0.9 * between


def test_remainders_cost_more_than_what_they_are_brought_with() -> None:
    """So that tiles gain nothing: with them random nest 13629 ran at 0.85 of its speed."""
    text = """void f(int s, int n, int m, int b[m + 1], int c[2 * m + 1][m + 1]) {
      for (int t = 0; t < s; t++)
        for (int i = 0; i < m; i++)
          for (int j = 1; j < m - 1; j++)
            for (int k = m - 3; k >= 2; k--)
              c[j - 1][m - 3 - k] = (k < n - 1 ? b[k] : c[j][k]) % 1000;
    }"""
    scop = pn.parse(text, "c")
    assert pn.optimise(scop).result is scop


HISTOGRAM = """param N; assume N >= 9; input float p[N][N]; temp float h[N][N][16];
for i = 0 to N-9 do for j = 0 to N-9 do for a = 0 to 8 do for b = 0 to 8 do
  h[i][j][int32(p[i+a][j+b])] = h[i][j][int32(p[i+a][j+b])] + 1; // S
done done done done"""


def test_of_cells_that_data_decides_one_waits_for_the_one_before() -> None:
    """And those of other rows do not: a row of a histogram for each of four pixels at a time."""
    alone = cost(HISTOGRAM, N=1000)
    four = "".join(
        f"h[i][j+{k}][int32(p[i+a][j+{k}+b])] = h[i][j+{k}][int32(p[i+a][j+{k}+b])] + 1;"
        for k in range(4)
    )
    text = HISTOGRAM[: HISTOGRAM.index("  h[")] + four + "done done done done"
    assert cost(text.replace("to N-9 do for a", "to N-12 by 4 do for a"), N=1000) < alone / 1.5


def test_data_decides_among_the_cells_that_there_are() -> None:
    """A row of 16 floats is a line; of one without an end each access may be one of its own."""
    (row,) = of(HISTOGRAM, N=1000)
    assert sum(Traffic(row).whole) < 1000 * 1000 * 2
    text = HISTOGRAM.replace("h[N][N][16]", "h[N][N][N]")
    (row,) = of(text, N=1000)
    assert sum(Traffic(row).whole) > 1000 * 1000 * 10
