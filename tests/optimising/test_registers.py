"""Iterations that run together in innermost loops: what is expected, and what comes of it."""

import pytest

import polynb as pn
from polynb import run
from polynb.codegen import to_text
from polynb.optimising.counted import CountedLoop, CountedStatement, work
from polynb.optimising.estimate import estimate
from polynb.optimising.nests import nests
from polynb.optimising.registers import bands_of_blocks, blocks, in_registers, together
from polynb.optimising.steps import InRegisters, OrderChosen
from polynb.schedules import permutable_bands

PRODUCT = """param N; for i = 0 to N-1 do for k = 0 to N-1 do for j = 0 to N-1 do
  C[i][j] = C[i][j] + A[i][k] * B[k][j]; // S
done done done"""
DOTS = """param N; assume N >= 1; for i = 0 to N-1 do for j = 0 to N-1 do
  q[i] = q[i] + A[i][j] * p[j]; // S
done done"""


BOTH = """param N; for i = 0 to N-1 do
  q[i] = 0; // S
  for j = 0 to N-1 do
    s[j] = s[j] + r[i] * A[i][j]; // T
    q[i] = q[i] + A[i][j] * p[j]; // U
  done
done"""

SHORT_SUM = """param N; assume N >= 1; inout D;
for i = 0 to N-1 do for j = 0 to N-1 do for l = 0 to N-1 do for k = 0 to 3 do
  D[i][j][l] = D[i][j][l] + A[j][k][l] * B[k][l]; // S
done done done done"""

SUMS_OF_ROWS = """param N; assume N >= 1; inout B;
for i = 0 to N-1 do for j = 0 to N-1 do for k = 0 to N-1 do
  B[i][2*j] = B[i][2*j] + C[i][j][k] * D[j][k]; // S
done done done"""
UPDATES = """param N; assume N >= 1; inout OWN B[N][N]; input double C[N][N];
for i = 0 to N-1 do for j = 0 to N-1 do for k = 0 to N-1 do
  B[i][k] = B[i][k] + C[i][j]; // S
done done done"""

APART = """param N; assume N >= 1; inout A;
for i = 0 to N-1 do for j = 0 to N-1 do for k = 0 to N-1 do
  A[j][k] = A[j][k] + B[j][k]; // S
done done done"""


def permutable(text: str) -> pn.Scop:
    return permutable_bands(pn.parse(text))


def innermost(part: CountedLoop | CountedStatement) -> CountedLoop:
    assert isinstance(part, CountedLoop)
    return part if part.innermost else innermost(part.body[0])


def of(scop: pn.Scop) -> tuple[CountedLoop | CountedStatement, ...]:
    return nests(scop, pn.analyze(scop).edges, {"N": 400})


def test_the_loops_of_a_band_but_the_last_may_have_iterations_together() -> None:
    ((number, band, around),) = bands_of_blocks(permutable(PRODUCT))
    assert (number, around) == (0, 0)
    assert list(blocks(band)) == [(0,), (1,), (0, 1), (1, 0)]


@pytest.mark.parametrize(("block", "loads"), [((0,), 5), ((1,), 5), ((0, 1), 8)])
def test_what_iterations_share_is_loaded_once(block: tuple[int, ...], loads: int) -> None:
    """Of C and B, where A's cells are the same in all iterations of the innermost loop."""
    scop = permutable(PRODUCT)
    (nest,) = of(scop)
    loop = innermost(together(nest, block, work([nest])))
    assert len(loop.body) == 4 ** len(block)
    cells = {
        (r.array, r.forms)
        for x in loop.body
        if isinstance(x, CountedStatement)
        for r in x.references
        if not r.written and r.stride("j") != 0
    }
    assert len(cells) == loads
    assert work([together(nest, block, work([nest]))]) == work([nest])


@pytest.mark.parametrize("block", [(0,), (1,)])
def test_what_is_expected_is_what_is_generated(block: tuple[int, ...]) -> None:
    scop = permutable(PRODUCT)
    (nest,) = of(scop)
    expected = together(nest, block, work([nest]))
    new = in_registers(scop, 0, block)
    assert expected is not None
    assert new is not None
    assert estimate(of(new)).alone == pytest.approx(estimate([expected]).alone, rel=0.1)


def test_updates_of_a_cell_follow_each_other() -> None:
    """Between them a compiler would store it, and load it again: what is stored to in another row
    may be this cell, for all it knows."""
    scop = permutable(PRODUCT)
    (nest,) = of(scop)
    rows, sums = (estimate([together(nest, b, work([nest]))]).alone for b in [(1, 0), (0, 1)])
    assert rows / sums > 1.2
    text = str(in_registers(scop, 0, (0, 1)))
    first = text.splitlines().index(next(x for x in text.splitlines() if "C[i+" in x))
    assert [x.split("=")[0].strip() for x in text.splitlines()[first - 4 : first + 4]] == [
        *["C[i][j]"] * 4,
        *["C[i+1][j]"] * 4,
    ]


def test_the_cells_of_a_triangle_are_in_their_rows() -> None:
    """A loop that begins where the one around it is, is not further on in the next iteration of
    that: of four rows and four updates of each there are four cells."""
    text = """param N; assume N >= 9; for k = 0 to N-1 do for i = k+1 to N-1 do for j = 0 to N-1 do
      C[i][j] = C[i][j] + A[i][k] * B[k][j]; // S
    done done done"""
    (nest,) = of(permutable(text))
    loop = innermost(together(nest, [1, 0], work([nest])))
    cells = [x.references[0].forms for x in loop.body if isinstance(x, CountedStatement)]
    assert [cells.count(c) for c in dict.fromkeys(cells)] == [4] * 4
    assert cells == sorted(cells, key=cells.index)


def test_short_loops_have_too_much_in_no_block() -> None:
    short = PRODUCT.replace("k = 0 to N-1", "k = 0 to 9")
    (nest,) = of(permutable(short))
    assert together(nest, [1], work([nest])) is None
    assert together(nest, [0], work([nest])) is not None


def test_what_compilers_unroll_is_not_too_much_for_them() -> None:
    """Four of k are in the innermost loop already: 64 statements were left in a loop of their own,
    without vectors (random nest 22059: 0.9 to 1.0 times as fast as written; 2.2 with 16)."""
    (nest,) = of(permutable(SHORT_SUM))
    assert len(innermost(nest).body) == 4
    together_once = together(nest, [0], work([nest]))
    assert together_once is not None
    assert len(innermost(together_once).body) == 16
    assert together(nest, [0, 1], work([nest])) is None


def test_loops_of_other_statements_are_no_blocks() -> None:
    """As many loops are around them (random nest 9263: a short one ran together, and all of a long
    one was expected to)."""
    sums = DOTS.removeprefix("param N; assume N >= 1; ").replace("// S", "// T")
    first, second = of(pn.parse(f"{PRODUCT} {sums}"))
    members = work([first])
    assert together(first, [0], members) != first
    assert together(second, [0], members) is second


def test_the_outer_loop_of_an_imperfect_nest_may_have_iterations_together() -> None:
    """PolyBench's bicg goes through its matrix once so."""
    scop = permutable(BOTH)
    ((number, band, around),) = bands_of_blocks(scop)
    assert (number, around, list(blocks(band))) == (0, 0, [(0,)])
    made = pn.optimise(scop)
    assert ("i",) in [s.loops for s in made.steps if isinstance(s, InRegisters)]
    assert to_text(made.result).count("for j") == 2  # in blocks, and in what is left


@pytest.mark.parametrize("size", [1, 4, 7, 9])
@pytest.mark.parametrize("inner", ["N-1", "N-2", "5"])
def test_imperfect_nests_compute_the_same(inner: str, size: int) -> None:
    scop = permutable(BOTH.replace("j = 0 to N-1", f"j = 0 to {inner}"))
    new = in_registers(scop, 0, (0,))
    assert new is not None
    assert pn.check(scop, new)
    assert run.equivalent(scop, new, {"N": size})


def test_loops_that_differ_inside_are_in_no_block() -> None:
    """Each of its iterations would have to be asked whether it runs."""
    assert in_registers(permutable(BOTH.replace("j = 0 to N-1", "j = i to N-1")), 0, (0,)) is None


@pytest.mark.long
def test_what_is_in_no_block_may_have_to_run_before() -> None:
    """Of a sum that begins in part of a block."""
    scop = permutable(PRODUCT.replace("j = 0 to N-1", "j = i to k"))
    new = in_registers(scop, 0, (0, 1))
    assert new is not None
    assert not pn.check(scop, new)
    assert pn.equivalent(scop, pn.optimise(scop, {"N": 900}))


@pytest.mark.parametrize("size", [1, 3, 4, 7, 8, 13])
@pytest.mark.parametrize("text", [PRODUCT, PRODUCT.replace("j = 0 to N-1", "j = 0 to i")])
def test_blocks_and_the_rest_compute_the_same(text: str, size: int) -> None:
    scop = permutable(text)
    new = in_registers(scop, 0, (0, 1))
    assert new is not None
    assert pn.check(scop, new)
    assert run.equivalent(scop, new, {"N": size})


def test_sums_that_wait_for_each_other_are_several() -> None:
    """Four sums at once take as long as one of them."""
    (nest,) = of(permutable(DOTS))
    before, after = estimate([nest]).alone, estimate([together(nest, [0], work([nest]))]).alone
    assert before / after > 2.5
    (nest,) = of(permutable(DOTS.replace("q[i]", "q[0]")))
    before, after = estimate([nest]).alone, estimate([together(nest, [0], work([nest]))]).alone
    assert before / after < 1.2


def test_sums_in_several_rows_wait_for_each_other() -> None:
    """A compiler that cannot tell that rows are apart loads and stores each sum in each iteration:
    random nests 11047 and 12383 were slower for it. Sums in one row are in registers."""
    gains = []
    for cell, term in (("Q[i][0]", "p[j]"), ("Q[0][i]", "Q[1][j]"), ("Q[0][i]", "p[j]")):
        (nest,) = of(permutable(DOTS.replace("q[i]", cell).replace("p[j]", term)))
        gains.append(estimate([nest]).alone / estimate([together(nest, [0], work([nest]))]).alone)
    assert max(gains[:2]) < 1.2
    assert gains[2] > 2.5


def test_sums_in_several_rows_are_loaded_and_stored_each_time() -> None:
    """Random nest 23094: 4 x 4 sums, of 4 rows, took 1.4 times as long as 4 of one row."""
    (nest,) = of(permutable(SUMS_OF_ROWS))
    row, rows = (together(nest, block, work([nest])) for block in ([1], [0, 1]))
    assert row is not None
    assert rows is not None
    assert estimate([rows]).operations > estimate([row]).operations


def test_what_is_converted_is_no_faster_for_being_in_a_register() -> None:
    """Random nest 23429, in which four by four ran together, was 0.8 times as fast as written."""
    gains = []
    for own in ("double", "float"):
        (nest,) = of(permutable(UPDATES.replace("OWN", own)))
        jammed = together(nest, [0, 1], work([nest]))
        assert jammed is not None
        gains.append(estimate([nest]).alone / estimate([jammed]).alone)
    assert gains[0] > 1.5
    assert gains[1] < 1.25


def test_cells_that_are_updated_apart_are_left_to_the_compiler() -> None:
    """Random nest 24496: a vector that waits until what was stored one by one is there; together,
    rows or sweeps took two to three times as long as written."""
    for subscript, left in (("2*k", True), ("k", False)):
        (nest,) = of(permutable(APART.replace("[k]", f"[{subscript}]")))
        assert (together(nest, [0], work([nest])) is None) is left


def test_sums_of_integers_are_left_to_the_compiler() -> None:
    (nest,) = of(permutable(DOTS.replace("assume", "inout int32 q[N]; assume")))
    assert together(nest, [0], work([nest])) is None


def test_statements_that_never_run_may_be_in_the_band() -> None:
    """Its filters name them all the same."""
    text = """param N; assume N >= 9; for i = 0 to N-1 do for j = 0 to N-1 do
      A[i][j] = B[j]; // S
      if i > N then C[i][j] = A[i][j]; fi // T
    done done"""
    scop = permutable(text)
    for number, band, _ in bands_of_blocks(scop):
        new = in_registers(scop, number, next(blocks(band)))
        assert new is not None
        assert pn.check(scop, new)


def test_full_blocks_have_no_conditions_and_compute_the_same() -> None:
    scop = pn.parse(DOTS)
    d = pn.optimise(scop, sizes={"N": 700})
    found = [s.loops for s in d.steps if isinstance(s, InRegisters)]
    assert set(found) == {("i",)}
    assert any(isinstance(s, OrderChosen) for s in d.steps)
    text = to_text(d.result)
    first = text.index("done")
    assert "if" not in text[text.rindex("for", 0, first) : first]
    assert pn.equivalent(scop, d.result)
