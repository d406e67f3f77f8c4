"""The order that is chosen, and that a program is left alone."""

import pickle
import time

import pytest

import polynb as pn
from polynb import isl
from polynb.optimising import algorithm
from polynb.optimising.pictures import IN_ROWS, IN_STRIPS
from polynb.optimising.steps import (
    FormChosen,
    InRegisters,
    InVain,
    LeftAlone,
    NoOrder,
    OrderChosen,
    Permuted,
    Tiled,
    TiledInWaves,
    WithoutSums,
)
from polynb.schedules.bands import all_bands

PRODUCT = """param N;
for i = 0 to N-1 do for j = 0 to N-1 do
  C[i][j] = 0; // I
  for k = 0 to N-1 do C[i][j] = C[i][j] + A[i][k] * B[k][j]; done // S
done done"""


def steps(d: pn.Derivation, kind: type) -> list:
    return [s for s in d.steps if isinstance(s, kind)]


@pytest.mark.long
def test_a_product_goes_along_rows() -> None:
    d = pn.optimise(pn.parse(PRODUCT))
    lines = [line.strip() for line in str(d.result).splitlines()]
    inner = next(k for k, line in enumerate(lines) if line.startswith("C[i][j] = C[i][j] +"))
    assert lines[inner - 1].startswith("for j")
    (chosen,) = steps(d, OrderChosen)
    assert chosen.gain > 2
    assert chosen.verdict
    assert str(pn.equivalent(d)).startswith("the same")


def test_what_is_good_already_is_left_alone() -> None:
    scop = pn.parse("param N; for i = 0 to N do for j = 0 to N do B[i][j] = 2 * A[i][j]; done done")
    d = pn.optimise(scop)
    assert d.result is scop
    (left,) = steps(d, LeftAlone)
    assert str(left).startswith("The program stays as it is")
    assert not steps(d, OrderChosen)


def test_sizes_decide() -> None:
    """A matrix that is read by columns and fits into the first cache is as good as one by rows."""
    text = "param N; for i = 0 to N-1 do for j = 0 to N-1 do B[i] = B[i] + A[j][i]; done done"
    assert steps(pn.optimise(pn.parse(text), {"N": 3000}), OrderChosen)
    with pytest.raises(pn.PolynbError, match="M"):
        pn.optimise(pn.parse(text), {"M": 3})


def test_a_budget_that_is_used_up_leaves_the_program() -> None:
    scop = pn.parse(PRODUCT)
    with pn.budget(2000):
        d = pn.optimise(scop)
    assert d.result is scop
    assert "Nothing was changed" in str(d.steps[-1]) or steps(d, NoOrder)


@pytest.mark.parametrize("name", ["lu", "mvt", "covariance", "trmm", "cholesky"])
def test_results_are_proved_the_same(name: str) -> None:
    scop = pn.gallery.load(name)
    d = pn.optimise(scop)
    assert pn.check(d)
    assert str(pn.equivalent(d)).startswith("the same")


def test_decisions_are_steps() -> None:
    d = pn.optimise(pn.gallery.load("floyd_warshall"))
    (tiled, *_) = steps(d, Tiled)
    assert tiled.size == 64
    assert tiled.gain > 2
    found = steps(pn.optimise(pn.gallery.load("covariance")), Permuted)
    assert found
    assert all(sorted(p.loops) == sorted(p.before) and p.gain > 1 for p in found)


@pytest.mark.long
def test_stencils_over_time_run_in_waves() -> None:
    scop = pn.gallery.load("jacobi_2d")
    d = pn.optimise(scop)
    (waves,) = steps(d, TiledInWaves)
    assert waves.sizes == (16, 64, 256)
    assert steps(d, OrderChosen)[0].gain > 1.5
    sizes = dict.fromkeys(scop.parameters, 9)
    assert pn.equivalent(d, **sizes)


def test_what_is_too_hard_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algorithm, "OPERATIONS", 1000)
    scop = pn.parse(PRODUCT)
    d = pn.optimise(scop)
    assert d.result is scop
    assert [type(s) for s in d.steps] == [NoOrder, LeftAlone]


@pytest.mark.long
def test_an_order_takes_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """isl's code generator would take minutes for one of these, and few of isl's operations."""
    monkeypatch.setattr(algorithm, "SECONDS", 1.0)
    text = """void f(int n, double A[42][41], double B[42][42][41]) {
      for (int i = 1; i < (n < n ? n : n); i++)
        for (int j = 0; j < n + 2; j++)
          for (int k = 0; k <= i; k++) {
            A[k + 1][i] -= B[k][i][k] * A[i - 1][k] < A[i + 2][k] * 0.1
              ? B[k][i][k] * A[i - 1][k] : A[i + 2][k] * 0.1;
            B[1][j][i - 1] += -A[j][i] / 3;
          }
    }"""
    scop = pn.parse(text, "c")
    begun = time.monotonic()
    d = pn.optimise(scop)
    assert time.monotonic() - begun < 30
    assert d.result is scop
    assert [s for s in steps(d, NoOrder) if "used up its 1 seconds" in s.reason]


def test_a_verdict_takes_seconds_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object) -> None:
        raise isl.BudgetExhausted("the check used up its 15 seconds")

    monkeypatch.setattr(algorithm, "check", too_long)
    scop = pn.parse(PRODUCT)
    d = pn.optimise(scop)
    assert d.result is scop
    assert "used up" in str(d.steps[-2])
    assert (
        str(d.steps[-1])
        == "The program stays as it is: no legal order was found that is faster by the model."
    )


def test_loops_are_called_differently() -> None:
    """Of statements with unequal loops, too; and nothing is said of an order that never was."""
    text = """void f(int n, double a[n][n]) {
      for (int k = 0; k < n; k++)
        for (int j = k + 1; j < n; j++) {
          a[k][j] = a[k][j] / 2;
          for (int i = k + 1; i < n; i++) a[i][j] -= a[i][k] * a[k][j];
        }
    }"""
    found = steps(pn.optimise(pn.parse(text, "c")), Permuted)
    assert {(p.loops, p.before) for p in found} == {(("k", "i", "j"), ("k", "j", "i"))}
    assert "in the order k, i, j rather than k, j, i" in str(found[0])


@pytest.mark.long
def test_conditions_in_innermost_loops_are_no_gain() -> None:
    """What they decide of seldom runs, and is asked for each time."""
    text = """void f(int steps, int n, double a[2 * n][n], double b[n][n]) {
      for (int s = 0; s < steps; s++)
        for (int i = 0; i < n; i++)
          for (int j = 2; j < n - 2; j++) {
            for (int k = 2; k < n - 2; k++)
              b[j][k + 1] = a[j][k] < b[j][k - 1] ? a[j][k] : b[j][k - 1];
            a[2 * i][j + 1] = 1;
          }
    }"""
    scop = pn.parse(text, "c")
    assert pn.optimise(scop, {"steps": 10, "n": 150}).result is scop


@pytest.mark.long
def test_tiles_that_do_not_fit_are_not_tried() -> None:
    """The orders of a program with tiles of its own are looked at for all that."""
    d = pn.optimise(pn.optimise(pn.parse(PRODUCT), {"N": 3000}).result)
    assert not [s for s in steps(d, NoOrder) if "tiles" in s.reason]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("for s = 0 to T do for i = 0 to N do for j = 0 to N do d[i][j] = j; done done done", "S0"),
        ("for i = 0 to N do for j = 0 to i do for k = 0 to j do a[j][k] = i; done done done", "S0"),
        ("for i = 0 to N do for j = 0 to N do a[i+1] = i < T ? a[1+i] : a[i+1]; done done", "S0"),
    ],
)
def test_what_is_overwritten_again_and_again_is_left_alone(text: str, statement: str) -> None:
    """A compiler leaves it out; the model would count it."""
    scop = pn.parse(f"param T, N; {text}")
    d = pn.optimise(scop)
    assert d.result is scop
    (left,) = steps(d, InVain)
    assert left.statements == (statement,)
    assert f"most of what {statement} writes is overwritten" in str(left)


@pytest.mark.parametrize(
    "text",
    [
        PRODUCT,
        "param N, T; for t = 0 to T do for i = 1 to N do A[i] = A[i-1] + A[i+1]; done done",
        f"{PRODUCT} for i = 0 to N-1 do d[i] = d[i]; done",  # once each
        # Nobody reads t[0], which is written once.
        "param N; temp t[N+1]; output b[N+1]; t[0] = 0; for i = 1 to N do t[i] = a[i]; done "
        "for i = 1 to N do b[i] = t[i]; done",
        # What is left has a remainder, and as many loops.
        "param N; for i = 0 to N do a[i] = 1; done for i = 0 to N by 2 do a[i] = 2; done",
    ],
)
def test_other_repeated_writes_are_for_somebody(text: str) -> None:
    assert not steps(pn.optimise(pn.parse(text)), InVain)


LONG = pytest.param("camera_pipe", marks=pytest.mark.long)


@pytest.mark.parametrize("name", ["unsharp_mask", "harris", LONG])
def test_a_pipeline_of_pictures_runs_in_rows(name: str) -> None:
    scop = pn.gallery.load(name)
    d = pn.optimise(scop)
    (chosen,) = steps(d, FormChosen)
    assert chosen.form == IN_ROWS
    assert chosen.done.bytes < chosen.written.bytes / 2
    assert "in strips of 32 rows" in str(chosen)
    assert any(a.storage is not None for a in d.result.arrays.values()) or "mod" in str(d.result)
    assert str(pn.prove(scop, d.result)).startswith("the same: proved")


@pytest.mark.long
def test_levels_of_a_pyramid_that_strips_read_whole_run_in_strips_before() -> None:
    """With them as written 165 million bytes go through memory, of 401."""
    scop = pn.gallery.load("pyramid_blending")
    d = pn.optimise(scop)
    (chosen,) = steps(d, FormChosen)
    assert chosen.form == IN_ROWS
    assert chosen.done.bytes < chosen.written.bytes / 3
    assert str(pn.prove(scop, d.result)) == "the same: proved for every R and C"


BLUR = """param h, w; output out; temp bx, s;
for y = 0 to h-1 do for x = 1 to w-2 do bx[y][x] = in[y][x-1] + in[y][x+1]; done done
for y = 1 to h-2 do for x = 1 to w-2 do s[y][x] = bx[y-1][x] + bx[y+1][x]; done done
for y = 1 to h-2 do for x = 1 to w-2 do out[y][x] = in[y][x] - s[y][x]; done done"""
PLANES = """param N; input int32 f[N+1][N+1]; temp t[2][N+1][N+1]; temp u[N+1][N+1];
for y = 0 to N do for x = 0 to N do u[y][x] = a[y][x] * 2; done done
for c = 0 to 1 do for y = 0 to N do for x = 0 to N do t[c][y][x] = u[y][x] * c; done done done
for y = 0 to N do for x = 0 to N do b[y][x] = t[f[y][x]][y][x]; done done"""


@pytest.mark.parametrize(("text", "by_data"), [(BLUR, False), (PLANES, True)])
def test_the_way_there_has_the_options_that_it_needs(text: str, by_data: bool) -> None:
    (chosen,) = steps(pn.optimise(pn.parse(text)), FormChosen)
    assert ("--by-data" in str(chosen)) == by_data
    assert "%%propagate" in str(chosen)
    assert "  " not in str(chosen)


@pytest.mark.long
def test_where_a_histogram_is_no_row_what_is_computed_again_is_kept_for_strips() -> None:
    scop = pn.gallery.load("bilateral_grid")
    d = pn.optimise(scop, {"R": 2560, "C": 1536})
    (chosen,) = steps(d, FormChosen)
    assert chosen.form == IN_STRIPS
    assert chosen.written.sizes == {"R": 2560, "C": 1536}
    assert chosen.written.cost > 1.3 * chosen.done.cost
    # Pixels of one cell of the histogram wait for each other, cells do not.
    assert [(x.statements, x.loops) for x in steps(d, InRegisters)] == [
        (("add_value", "add_one"), ("j",))
    ]
    assert str(pn.prove(scop, d.result)) == "the same: proved for every R and C"


@pytest.mark.parametrize(
    "text",
    [
        # Sums are computed from themselves, and what is read across does not keep pace.
        "temp t[N+1][N+1]; output o[N+1][N+1]; for i = 0 to N do for j = 0 to N do t[i][j] = 0; "
        "for k = 0 to N do t[i][j] = t[i][j] + a[i][k] * b[k][j]; done o[i][j] = t[i][j]; "
        "done done",
        "temp t[N+1][N+1]; output o[N+1][N+1]; for i = 0 to N do for j = 0 to N do "
        "t[i][j] = a[i][j]; done done for i = 0 to N do for j = 0 to N do "
        "o[i][j] = t[j][i] + t[N-j][i]; done done",
    ],
)
@pytest.mark.long
def test_other_programs_do_not(text: str) -> None:
    forms = [s.form for s in steps(pn.optimise(pn.parse(f"param N; {text}")), FormChosen)]
    assert IN_ROWS not in forms


SUMMED = """
void product(int n, float A[n][n], float B[n][n], float C[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
}"""


@pytest.mark.long
def test_sums_in_a_scalar_hold_no_loops_together() -> None:
    d = pn.optimise(pn.parse(SUMMED))
    (without,) = steps(d, WithoutSums)
    assert without.scalars == ("sum",)
    assert "%%delicm" in d.why("sum")
    (chosen,) = steps(d, OrderChosen)
    assert chosen.order.endswith(", without sum")
    assert "sum" not in d.result.arrays
    lines = [line.strip() for line in str(d.result).splitlines()]
    inner = next(k for k, line in enumerate(lines) if line.startswith("C[i][j] = C[i][j] +"))
    assert lines[inner - 1].startswith("for j")
    assert str(pn.prove(d.before, d.result)).startswith("the same")


def test_a_sum_that_must_stay_where_it_is_is_not_looked_at_twice() -> None:
    """Its last value is kept by nobody else: there is no cell for it."""
    text = "param N; temp s; for i = 0 to N do s = s + A[i]; B[0] = 2 * s * B[0]; done"
    assert not steps(pn.optimise(pn.parse(text)), WithoutSums)


def test_what_is_updated_with_nothing_else_is_no_sum() -> None:
    """A compiler sees that 1000 times is once, as long as it is one cell: random nest 12276."""
    text = """param N; temp int32 x; inout int32 b[N][N]; for i = 0 to N-1 do for j = 0 to N-1 do
      x = b[i][j]; for k = 0 to N-1 do x = mod(x, 1000); done b[i][j] = x;
    done done"""
    scop = pn.parse(text)
    d = pn.optimise(scop)
    assert d.result is scop
    assert not steps(d, WithoutSums)


def test_what_one_nest_leaves_in_a_cache_is_gone_where_others_need_more() -> None:
    """Each of the two loops alone would fit into the last cache; together they bring b twice."""
    text = """param N; for i = 1 to N-2 do for j = 1 to N-2 do
      c[i-1][j] = a[i][j] * b[i][j]; // S
      b[i][2*j] = 0; // Z
    done done"""
    assert steps(pn.optimise(pn.parse(text)), LeftAlone)


@pytest.mark.long
def test_waves_of_tiles_do_not_lose_where_caches_are_larger() -> None:
    """Or the cells fewer: nobody has said that caches do not hold them."""
    text = """void f(int n, float a[n + 4][n], float b[n][n + 1]) {
      for (int i = n - 1; i >= 0; i--) for (int j = 0; j < 4; j++) for (int k = 4; k < i; k++)
        for (int l = 0; l < n; l++) a[j][l] = a[j][l] + b[k][l + 1] * a[k][l];
    }"""
    d = pn.optimise(pn.parse(text))
    assert any("where caches are larger" in str(s) for s in steps(d, NoOrder))
    assert steps(d, LeftAlone)
    assert steps(pn.optimise(d.before, {"n": 1500}), TiledInWaves)


def test_what_gains_nothing_where_caches_are_larger_is_no_gain() -> None:
    """Random nests 11387 and 12101, of which nothing was gained, or less than nothing."""
    text = """void f(int n, unsigned a[n + 1][n + 1], unsigned b[2 * n + 1][n + 1],
                   unsigned c[n + 1][n + 1]) {
      for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) {
        a[i][j] = b[i + j][j + 1] + c[i][j];
        for (int k = 0; k < j + 1; k += 2) a[i][j] = a[i][j] + c[n - 1 - k][k] * b[j][k];
      }
    }"""
    scop = pn.parse(text)
    d = pn.optimise(scop)
    assert d.result is scop
    assert any("where caches are larger" in str(s) for s in steps(d, NoOrder))


def test_what_gains_little_where_caches_are_larger_is_no_gain() -> None:
    """Random nest 16435: 1.8 times as fast where matrices leave a cache, 0.8 where they stay."""
    text = """void f(int n, int a[n + 1][n + 1], int b[n + 4][2 * n + 4]) {
      for (int i = 1; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < n; k++)
        a[n - 1 - i][k] = (a[n - 1 - i][k] + b[j][k] * b[j][k + k]) % 1000;
      for (int l = n - 1; l >= 0; l--) for (int m = 0; m < 4; m++)
        b[l][m] = (b[l][m] - b[m][l]) % 1000;
    }"""
    scop = pn.parse(text)
    d = pn.optimise(scop)
    assert d.result is scop
    assert any("too little to be sure" in str(s) for s in steps(d, NoOrder))


def test_rows_are_better_than_columns_where_vectors_read_before_they_write() -> None:
    """Measured: 4.4 to 8.4 times as fast; columns with four iterations together 0.5 to 1.2."""
    d = pn.optimise(
        pn.parse("""param N; for i = 0 to N-1 do for j = 0 to N-1 do for k = 0 to N-1 do
        A[i][k][j] = A[i][k][j] + A[i][k][j+1]; done done done""")
    )
    (permuted, *_) = steps(d, Permuted)
    assert permuted.loops[-1] == "j"
    assert not steps(d, InRegisters)
    assert steps(d, OrderChosen)


def test_sizes_that_nobody_gave_are_work_for_seconds() -> None:
    """At N = 1000 tiles would gain, after minutes; measured up to 300 they lose."""
    d = pn.optimise(
        pn.parse("""param N; for i = 2 to N-3 do for j = 1 to i do for k = j to N-2 do
        for l = 2 to N-3 do c[i][l] = c[i][l] + d[2*k][l+1] * b[k][N-3-l]; done done done done""")
    )
    (left,) = steps(d, LeftAlone)
    assert not left.order


def test_columns_are_no_way_out_of_chains() -> None:
    """Down the columns nothing waits, by the model; random nests 9009 and 10046 took three times as
    long there."""
    text = """param N; for i = 0 to N-1 do for j = 1 to N-1 do
      d[i][j] = (d[i][j] + d[i+1][j] + d[i][j-1]) / 4;
    done done"""
    scop = pn.parse(text)
    assert pn.optimise(scop).result is scop


@pytest.mark.long
def test_what_was_decided_can_be_sent_elsewhere() -> None:
    d = pn.optimise(pn.gallery.load("gemm"))
    assert [str(s) for s in pickle.loads(pickle.dumps(d)).steps] == [str(s) for s in d.steps]


def test_a_program_of_which_nothing_is_left_stays_so() -> None:
    text = "param N; input a[N]; temp t[N]; for i = 0 to N-1 do t[i] = a[i]; done"
    nothing = pn.propagate(pn.parse(text)).result
    assert not nothing.statements
    assert pn.optimise(nothing).result is nothing


BEYOND_CACHES = """
void f(int n, double a[2 * n + 1][n + 1], double c[n + 1][n + 1]) {
  for (int i = 1; i < n; i++)
    for (int j = 2; j < i; j++)
      for (int k = 1; k < n - 1; k += 2) {
        a[j + 1][n - 2 - k] = a[j][k] + c[j][k];
        c[j][k] = 0;
      }
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      if (j < i + 2)
        c[i][j] = 0.25 * (a[2 * i][j] + a[i][j - 1]);
}
"""


def test_what_gains_beyond_the_caches_alone_is_for_sizes_that_are_given() -> None:
    """Distributed and in tiles it is 1.4 times as fast for n = 1500, and 0.8 times for n = 450: it
    stores in a loop of its own."""
    scop = pn.parse(BEYOND_CACHES, language="c")
    d = pn.optimise(scop)
    assert d.result is scop
    assert any("a cache holds all" in str(s) for s in steps(d, NoOrder))
    assert steps(pn.optimise(scop, {"n": 1500}), OrderChosen)


NO_CODE = """
void f(int n, float a[n + 1][2 * n + 1][2 * n + 1], float b[n + 1], float d[n + 1][2 * n + 1]) {
  for (int i1 = 0; i1 < n; i1++) {
    for (int i2 = 0; i2 < n; i2++) {
      for (int i3 = 0; i3 < n; i3++) {
        a[i1][i2][i3] = 0.25f * (a[i1 + 1][i2][i3] + a[i1][i2][i3] + a[i1][i2 + 1][i3]);
      }
    }
  }
  for (int i4 = 0; i4 < n; i4++) {
    for (int i5 = n - 1; i5 >= 1; i5--) {
      for (int i6 = 1; i6 < n; i6 += 2) {
        a[i4][i5][i6] = a[i4][i5 + i5][i6 - 1] - b[i6];
      }
      a[i4][i5][2 * i5] = 0;
    }
  }
  for (int i7 = 1; i7 < n; i7++) {
    for (int i8 = 1; i8 < n; i8 += 2) {
      a[i7][i8][0] = a[i7][i8][0] + d[i7][i7 + i7];
    }
  }
}
"""


def test_tiles_that_isl_has_no_code_for_are_none() -> None:
    """Their loops began where their own iterators said (random nest 24576)."""
    d = pn.optimise(pn.parse(NO_CODE, language="c"))
    assert not steps(d, NoOrder)


def test_loops_that_are_moved_are_no_longer_parallel_because_somebody_said_so() -> None:
    """What was inside of the loop that carries is now around it."""
    text = """param N; assume N >= 2; input double B[N+1][N+1]; inout double A[N+1][N+1];
for i = 1 to N do for j = 1 to N do A[j][i] = 0.5*A[j-1][i-1] + B[j][i]; done done"""
    moved = pn.optimise(pn.transform(pn.parse(text)).parallel("j"))
    assert steps(moved, OrderChosen)
    kinds = [kind for band in all_bands(moved.result.schedule) for kind in band.kinds]
    assert "parallel" not in kinds
