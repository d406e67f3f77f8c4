"""Higher-order recurrences (CC'18, section 5.4)."""

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.lower import kernel_source
from polynb.dependences import analyze
from polynb.recurrences import NotCarried, carry_recurrences, with_recurrences
from polynb.rewriting.splitting import with_statements
from polynb.run.oracle import equivalent
from polynb.schedules.parallel import choose_loops
from polynb.scop.schedule import Band, walk

FIGURE_10B = """\
if N >= 2 then
  t0 = f(int64(0)); // T_t0_first
  t1 = f(int64(1)); // T_t1_first
  for j = 1 to N-1 do
    t2 = f(j + 1); // T_t2
    Out[j] = t0 + t1 + t2; // T
    t0 = t1; // T_t0_next
    t1 = t2; // T_t1_next
  done
fi"""


def threaded(scop):
    """Its C for threads, whatever compiler is here."""
    return kernel_source(choose_loops(scop, analyze(scop))[0]).text


def carried(text, **options):
    return carry_recurrences(pn.parse(text), **options)


def orders(d):
    return [len(group) - 1 for s in d.steps for group in getattr(s, "scalars", ())]


def test_figure10():
    """As printed but for t2, which must be f(j + 1)."""
    d = pn.propagate(pn.gallery.load("fig10"))
    result = with_recurrences(d)
    assert str(result).split("\n\n")[1] == FIGURE_10B
    assert equivalent(d.before, result)


def test_unsharp_mask_blurs_each_column_once():
    d = carry_recurrences(pn.propagate(pn.gallery.load("unsharp_mask")))
    assert orders(d) == [4]
    assert equivalent(d, R=[1, 2, 4], C=[1, 2, 6])


def test_harris_has_a_gradient_of_each_direction_and_row():
    d = carry_recurrences(pn.propagate(pn.gallery.load("harris")))
    assert orders(d) == [2] * 6
    assert equivalent(d, R=[3, 5], C=[3, 6])


ON_OTHERS = """
param N; input double A[N+8]; temp double h[N+8], g[N+8];
for j = 1 to N+6 do h[j] = f(A[j]) * 2.0; done
for j = 2 to N+5 do g[j] = sqrt(h[j-1]) / (h[j] + h[j+1]); done
for j = 3 to N+4 do B[j] = g[j-1] + g[j] * g[j+1]; done
"""


def test_recurrences_on_recurrences():
    d = carry_recurrences(pn.propagate(pn.parse(ON_OTHERS)))
    assert orders(d) == [2, 2]  # h, of which g is made, and g
    text = str(d.result)
    assert text.count("f(A[j+2])") == 1
    assert "sqrt(t0) / (t1 + t2)" in text
    assert equivalent(d)


def test_values_that_no_copy_has_are_passed_on():
    d = carried("param N; for j = 1 to N do B[j] = sqrt(A[j-1]) + sqrt(A[j+2]); done", least=1)
    assert orders(d) == [3]
    assert equivalent(d)
    # sqrt(A[2]) is not computed for N = 1: if it could fail there, it must not be.
    whole = "param N; input int32 A[N+3]; for j = 1 to N do B[j] = 7/A[j-1] + 7/A[j+2]; done"
    assert not carried(whole, least=1).steps
    assert carried(whole.replace("j-1", "j+1"), least=1).steps


@pytest.mark.parametrize(
    ("span", "first", "last"),
    [("1 to N by 2", "A[j-1]", "A[j+3]"), ("N to 1 by -1", "A[j+2]", "A[j-1]")],
)
def test_strides_and_loops_that_count_down(span, first, last):
    body = f"B[j] = f({first}) + f({last});"
    d = carried(f"param N; for j = {span} do {body} done")
    assert orders(d) == [2] if "by 2" in span else [3]
    new = f"f({last})" if "by 2" in span else "f(A[j-1])"
    assert new in str(d.result)
    assert equivalent(d)
    odd = carried("param N; for j = 1 to N by 2 do B[j] = f(A[j]) + f(A[j+1]); done")
    assert not odd.steps


BETWEEN = "param N; inout double A[N+4]; for j = 1 to N do {} done"


def test_a_write_in_between_is_refused_with_a_witness():
    d = carried(BETWEEN.format("A[j] = f(A[j-1]) + f(A[j]);"))
    (step,) = d.steps
    assert isinstance(step, NotCarried)
    assert d.result is d.before
    assert str(step) == (
        "S0 has no recurrences: S0 writes A in the same loop (S0(1) before S0(2) reads it, N = 2)."
    )
    other = carried(BETWEEN.format("B[j] = f(A[j-1]) + f(A[j]); A[j] = 0.0;"))
    assert isinstance(other.steps[0], NotCarried)
    first = carried(BETWEEN.format("A[2] = 0.0; B[j] = f(A[j-1]) + f(A[j+1]);"))
    assert isinstance(first.steps[0], NotCarried)


@pytest.mark.parametrize(
    "body",
    [
        "A[j+1] = f(A[j-1]) + f(A[j]);",  # before the value that is passed on is computed
        "A[j-1] = f(A[j]) + f(A[j+1]);",  # after it is read for the last time
        "A[j] = 0.0; B[j] = f(A[j-1]) + f(A[j]);",
    ],
)
def test_writes_that_all_copies_see_are_fine(body):
    d = carried(BETWEEN.format(body))
    assert equivalent(d)
    assert orders(d) == [1]


def test_writes_outside_the_loop_are_fine():
    inner = "for j = 1 to N do B[j] = f(A[j-1]) + f(A[j]); done"
    d = carried(f"param N; for t = 1 to N do {inner} A[t] = t; done")
    assert orders(d) == [1]
    assert equivalent(d)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if j != 4 then B[j] = f(A[j]) + f(A[j+1]); fi", "holes"),
        ("if A[j] > 0 then B[j] = f(A[j]) + f(A[j+1]); fi", "data decides"),
        ("if j < 3 then B[j] = f(A[j]) + f(A[j+1]); fi", "no third iteration"),
    ],
)
def test_loops_without_recurrences(body, reason):
    d = carried(f"param N; for j = 1 to N do {body} done")
    assert reason in str(d.steps[0])
    assert d.result is d.before


def test_only_what_is_computed_for_sure_is_computed_early():
    text = "param N; for j = 1 to N do B[j] = A[j] > 0 ? f(A[j-1]) : f(A[j]); done"
    assert not carried(text).steps
    both = text.replace("B[j] =", "B[j] = f(A[j-1]) + f(A[j+1]) +")
    assert orders(carried(both)) == [2]
    assert equivalent(carried(both))


def test_remainders_of_the_iterator_are_no_shifted_copies():
    text = "param N; for j = 1 to N do B[j] = f(A[j % 3], A[j]) + f(A[(j+1) % 3], A[j+1]); done"
    assert not carried(text).steps


# -- kernels ----------------------------------------------------------------------------------


ROWS = """
param N, M; define f(x) = x * 1.25 - 1; input double A[N+1][M+3];
for i = 0 to N do for j = 0 to M do
  B[i][j] = f(A[i][j]) * f(A[i][j+1]) - f(A[i][j+2]);
done done
"""


def test_loops_around_stay_parallel():
    scop = with_recurrences(pn.parse(ROWS))
    (rows,) = choose_loops(scop, analyze(scop))[1]
    assert (rows.name, rows.parallel) == ("i", True)
    # Without the mark, all iterations share the scalars.
    again = pn.parse(str(scop))
    assert not any(v.parallel for v in choose_loops(again, analyze(again))[1])


def test_scalars_are_private_to_threads():
    scop = pn.parse(ROWS)
    data = np.random.default_rng(0).random((301, 205))
    result = with_recurrences(scop)
    part = threaded(result).split("static void part(")[1].split("\n}")[0]
    assert all(f"double {t} = 0;" in part for t in ("t0", "t1", "t2"))
    kernel = pn.compile(result, threads=4)
    expected = pn.compile(scop, threads=1)(N=300, M=202, A=data)["B"]
    for _ in range(5):
        assert np.array_equal(kernel(N=300, M=202, A=data)["B"], expected)


def test_strips_of_values():
    d = carry_recurrences(pn.propagate(pn.gallery.load("fig10")), form="strips")
    assert "b0[j-256*j_strip] = f(j - 1); // T_b0" in str(d.result)
    assert str(d.result).count("f(") == 1
    assert str(d.steps[0]) == (
        "T computes a repeated part once per iteration of j, a strip at a time in b0."
    )
    assert equivalent(d, N=[0, 1, 2, 5, 600])
    (strips,) = choose_loops(d.result, analyze(d.result))[1]
    assert (strips.name, strips.parallel) == ("j_strip", True)
    bands = [t for t in walk(d.result.schedule) if isinstance(t, Band)]
    assert [x.width for t in bands for x in t.loops] == [256, 1, 1]


def test_strips_of_values_made_of_others():
    d = carry_recurrences(pn.propagate(pn.parse(ON_OTHERS)), form="strips", strip=4)
    text = str(d.result)
    assert text.count("for j =") == 3  # h, then g, then B
    assert text.count("f(A") == text.count("sqrt(") == 1
    assert equivalent(d, N=[0, 1, 3, 9])


def test_buffers_of_equal_length_are_filled_together():
    harris = pn.propagate(pn.gallery.load("harris"))
    d = carry_recurrences(harris, form="strips", strip=4)
    assert str(d.result).count("for y =") == 2
    assert equivalent(harris.before, d.result, R=[3, 5], C=[3, 9])


def test_strips_are_refused_where_values_change_or_loops_do_not_count_up():
    changed = carried(BETWEEN.format("A[j+1] = f(A[j-1]) + f(A[j]);"), form="strips")
    assert "S0 writes A in the same loop" in str(changed.steps[0])
    down = carried(
        "param N; for j = N to 1 by -1 do B[j] = f(A[j]) + f(A[j+1]); done", form="strips"
    )
    assert "count up" in str(down.steps[0])
    with pytest.raises(pn.PolynbError, match="form='rows'"):
        carried("param N; for j = 1 to N do B[j] = f(A[j]) + f(A[j+1]); done", form="rows")


def test_buffers_are_private_to_threads():
    scop = pn.parse(ROWS)
    data = np.random.default_rng(0).random((301, 705))
    result = with_recurrences(scop, form="strips")
    assert "double b0[258];" in threaded(result).split("static void part(")[1].split("\n}")[0]
    kernel = pn.compile(result, threads=4)
    expected = pn.compile(scop, threads=1)(N=300, M=702, A=data)["B"]
    for _ in range(5):
        assert np.array_equal(kernel(N=300, M=702, A=data)["B"], expected)


def test_a_mark_that_is_not_true_makes_nothing_private():
    """A scalar that carries a value from one row to the next."""
    scop = with_recurrences(pn.parse(ROWS))
    names = {s.name: s for s in scop.statements}
    first = next(n for n in names if n.endswith("t0_first"))
    # Without what sets t0 at the first iteration, the row before does.
    broken = with_statements(scop, first, ())
    _, verdicts = choose_loops(broken, analyze(broken))
    assert not any(v.parallel for v in verdicts)


def test_what_is_a_row_away_is_not_kept_cell_by_cell():
    text = """param N; assume N >= 1; input double A[4096*N+{0}]; output double B[4096*N];
    for i = 0 to N-1 do for j = 0 to 4095 do
      B[4096*i+j] = sqrt(A[4096*i+j]) + sqrt(A[4096*i+j+{0}]); done done"""
    for distance in (4096, 10**9):
        scop = pn.parse(text.format(distance))
        assert carry_recurrences(scop).result.program is scop.program
