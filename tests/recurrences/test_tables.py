"""Repeated values in tables: which, where, and that kernels compute the same."""

import numpy as np
import pytest

import polynb as pn
from polynb.dependences import analyze
from polynb.recurrences import Carried, NotCarried, Tabulated, carry_recurrences
from polynb.recurrences.functions import Quotient, RepeatedFunctions
from polynb.run.oracle import equivalent
from polynb.schedules import privatize
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse
from tests.run.interpreter import run

COARSE = """
param N, M; assume N >= 1; assume M >= 1;
input double A[N+1][M+2], w; output double B[N][8*M];
for x = 0 to N-1 do for y = 0 to 8*M-1 do
  B[x][y] = (A[x][y/8] + w * (A[x+1][y/8] - A[x][y/8]))
    * (A[x][y/8+1] + w * (A[x+1][y/8+1] - A[x][y/8+1]));
done done
"""
DECIDED = """
param N; assume N >= 1;
input double A[N+1][12], w; input int32 at[N][1000]; output double B[N][1000];
for x = 0 to N-1 do for y = 0 to 999 do
  B[x][y] = A[x][at[x][y]] + w * (A[x+1][at[x][y]] - A[x][at[x][y]]);
done done
"""


def strips(text, **options):
    return carry_recurrences(parse(text), form="strips", **options)


def functions_of(text):
    (s,) = parse(text).statements
    functions = RepeatedFunctions(s.iterators[-1])
    return s.expression, functions


def test_a_function_of_a_division_is_one_function():
    product, functions = functions_of(COARSE)
    left, right = (functions.of(e) for e in (product.left, product.right))
    assert left.function == right.function
    assert left.arguments != right.arguments
    found = [functions.quotient(a) for (a,) in (left.arguments, right.arguments)]
    assert found == [Quotient(8, 0), Quotient(8, 8)]
    assert functions.of(product).arguments == (*left.arguments, *right.arguments)


def test_what_the_iterator_is_a_part_of_is_no_function():
    text = COARSE.replace("w *", "(y % 8) *")
    product, functions = functions_of(text)
    assert functions.of(product) is None
    assert not strips(text).steps


def test_values_on_a_coarser_grid():
    d = strips(COARSE)
    (step,) = d.steps
    assert isinstance(step, Tabulated)
    assert str(step) == "S0 looks up a repeated part in b0, filled for a strip of y at a time."
    text = str(d.result)
    assert "b0[k0-32*y_strip] = A[x][k0] + w * (A[x+1][k0] - A[x][k0]); // S0_b0" in text
    value = "b0[floord(y,8)-32*y_strip] * b0[floord(y,8)-32*y_strip+1]"
    assert value in " ".join(text.split())
    assert [str(e) for e in d.result.arrays["b0"].extents] == ["[N, M] -> { [(33)] }"]
    assert equivalent(d, N=[1, 2], M=[1, 5, 40])


def test_places_that_data_decides():
    d = strips(DECIDED)
    assert [type(s) for s in d.steps] == [Tabulated]
    text = str(d.result)
    assert "for k0 = 0 to 11 do" in text
    assert "b0[at[x][y]]" in text
    assert not strips(DECIDED.replace("[12]", "[100]")).steps  # too many cells
    assert not strips(DECIDED.replace("[12]", "[N]")).steps  # nobody knows how many


def test_only_what_is_surely_read_bounds_what_data_decides():
    """The subscript may be beyond A's 12 cells where A is not read."""
    text = DECIDED.replace("[12], w", "[12], D[N][20], w").replace(
        "A[x][at[x][y]] + w * (A[x+1][at[x][y]] - A[x][at[x][y]])",
        "w > 0 ? 2 * A[x][at[x][y]] + w : 3 * D[x][at[x][y]] + w",
    )
    scop, d = parse(text), strips(text)
    given = {"A": np.ones((3, 12)), "D": np.arange(40.0).reshape(2, 20), "w": -1.0}
    given["at"] = np.full((2, 1000), 17, np.int32)
    before, after = (run(x, given, N=2)["B"] for x in (scop, d.result))
    assert np.array_equal(before, after)


def test_a_type_is_part_of_a_function():
    text = COARSE.replace("input double A[N+1][M+2], w", "input int32 A[N+1][M+2], w")
    text = text.replace(
        "(A[x][y/8] + w * (A[x+1][y/8] - A[x][y/8]))\n    * (A[x][y/8+1]"
        " + w * (A[x+1][y/8+1] - A[x][y/8+1]))",
        "A[x][y/8] * w * 100000 + A[x][y/8+1] * w * 100000L",
    )
    assert "100000L" in text
    d = strips(text)
    assert [a.type.name for n, a in sorted(d.result.arrays.items()) if n.startswith("b")] == [
        "int32",
        "int64",
    ]


def test_new_names_differ_from_iterators():
    text = COARSE.replace("x", "k0").replace("y", "y_strip").replace("input", "input")
    d = strips(text)
    assert [type(s) for s in d.steps] == [Tabulated]
    assert equivalent(d, N=[2], M=[1, 40])


def test_nothing_is_computed_that_may_trap():
    divided = "define g(a, b) = a / b;" + COARSE.replace("double A", "int32 A").replace(
        "A[x][y/8] + w", "g(A[x][y/8], A[x+1][y/8]) + w"
    )
    assert not any("g(A[x][k0]" in str(s.expression) for s in strips(divided).result.statements)


def test_one_unfit_table_leaves_the_others():
    text = COARSE.replace("double B", "double B").replace(
        "input double A", "input int32 D[N][M+2]; input double A"
    )
    text = text.replace("* (A[x][y/8+1]", "+ (1 / D[x][y/8] + 2 * D[x][y/8]) * (A[x][y/8+1]")
    d = strips(text)
    assert any(isinstance(s, Tabulated) for s in d.steps)
    assert "1 / D[x][floord(y,8)]" in str(d.result)


def test_private_arrays_of_others_are_no_strips():
    text = """
    param N; assume N >= 1; input double A[N+1][701], w; temp double T[701];
    output double B[N][601];
    for x = 0 to N-1 do
      for z = 0 to 700 do T[z] = A[x][z] * 2.0; done
      for y = 0 to 600 do B[x][y] = T[y/8] + w * (A[x][y/8] - 2.0 * T[y/8]); done
    done
    """
    d = carry_recurrences(privatize(parse(text), ["T"]), form="strips")
    assert [type(s) for s in d.steps] == [Tabulated]
    assert equivalent(d, N=[1, 2])


def test_a_table_must_save_something():
    shifted = COARSE.replace("y/8", "y/1").replace("[M+2]", "[8*M+2]")
    shifted = shifted.replace("w *", "sqrt(sqrt(w)) *")  # costly, but a shift: strips as ever
    assert [type(s) for s in strips(shifted).steps] == [Carried]
    short = strips(DECIDED, strip=4)  # a table of 12 for 4 iterations
    assert not short.steps


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("input double A", "inout double A"), "S1 writes A in the same loop"),
        (("y = 0 to", "y = 8*M-1 to 0 by -1 //"), "does not count up"),
    ],
)
def test_refusals(change, reason):
    text = COARSE.replace(*change)
    if "inout" in text:
        text = text.replace("done done", "A[x][y/8+1] = 1.0; done done")
    else:
        text = text.replace("// 8*M-1", "")
    d = strips(text)
    (step,) = d.steps
    assert isinstance(step, NotCarried)
    assert reason in str(step)
    assert d.result is d.before


def test_no_table_reads_what_nothing_wrote():
    text = DECIDED.replace("input double A[N+1][12]", "input double w").replace(", w;", ";")
    some = """
    temp double A[N+1][12];
    for x = 0 to N do for k = 1 to 11 do A[x][k] = w * k; done done
    for x = 0 to N-1 do"""
    text = text.replace("for x = 0 to N-1 do", some, 1)
    (step,) = strips(text).steps
    assert "a table would have cells of A that nothing wrote" in str(step)
    (step,) = strips(text.replace("k = 1 to", "k = 0 to")).steps
    assert isinstance(step, Tabulated)


@pytest.mark.usefixtures("openmp")
def test_tables_are_private_to_threads():
    scop, d = parse(COARSE), strips(COARSE)
    rows, *_ = choose_loops(d.result, analyze(d.result))[1]
    assert (rows.name, rows.parallel) == ("x", True)
    kernel, plain = pn.compile(d.result, threads=4), pn.compile(scop, threads=1)
    assert " b0[" in kernel.source.split("static void part(")[1].split("\n}")[0].split("for (")[0]
    a = np.random.default_rng(0).random((102, 92))
    expected = plain(N=101, M=90, A=a, w=0.3)["B"]
    for _ in range(5):
        assert np.array_equal(kernel(N=101, M=90, A=a, w=0.3)["B"], expected)


@pytest.mark.long
def test_the_bilateral_grid_interpolates_rows_once():
    propagated = pn.propagate(pn.gallery.load("bilateral_grid")).result
    d = carry_recurrences(propagated, form="strips")
    (step,) = d.steps
    assert (step.statement, step.tables) == ("normalise", ("b0", "b1"))
    picture = np.random.default_rng(0).random((40 + 52, 300 + 52), dtype=np.float32) * 0.99
    results = [pn.compile(x)(R=40, C=300, img=picture)["filtered"] for x in (propagated, d.result)]
    assert np.array_equal(*results)
