"""How much work loops are estimated to be, against counting."""

from dataclasses import replace
from fractions import Fraction

import pytest

from polynb.codegen.affine_bounds import Affine, Range, affine, pruned, weighted
from polynb.codegen.scan import scan
from polynb.codegen.work import (
    GATHER,
    Product,
    Work,
    most,
    operations,
    outgrows,
    repeated,
    work_of,
)
from polynb.schedules import permutable_bands, tile
from polynb.scop.parsing import parse
from polynb.source.tree import Binary, Call, If, Iterator, Number, Parameter, walk
from polynb.source.types import INT32


def test_sums_of_forms_are_those_of_two_at_a_time():
    i, n = (
        Affine(((("i", "i"), 2),), 1),
        Affine(((("i", "i"), -1), (("p", "n"), Fraction(1, 2))), 3),
    )
    found = weighted([(i, 1), (n, 2), (i, Fraction(1, 3))], 5)
    assert found == Affine((), 5).plus(i).plus(n, 2).plus(i, Fraction(1, 3))
    assert weighted([(i, 1), (n, 2)]).terms == ((("p", "n"), 1),)


def loops(text: str, **options):
    (first,) = scan(parse("param N, M; " + text)).body
    return first


def value(work: Work, **values: int) -> float:
    """The sum at parameter and iterator values."""

    def at(form):
        return sum(c * values[n[1]] for n, c in form.terms) + form.constant

    total = Fraction(0)
    for t in work:
        product = t.coefficient
        for f in t.factors:
            product *= min(at(o) for o in f)
        total += product
    return float(total)


def test_a_rectangle_is_counted():
    work = work_of((loops("for i = 0 to N-1 do for j = 1 to M do A[i][j] = B[i] + 1; done done"),))
    assert value(work, N=7, M=5) == 3 * 35


def test_a_triangle_is_half_of_its_rectangle():
    work = work_of((loops("for i = 0 to N-1 do for j = 0 to i do A[i][j] = 1; done done"),))
    assert value(work, N=1000, M=0) == 500_000
    down = work_of((loops("for i = 0 to N-1 do for j = i to N-1 do A[i][j] = 1; done done"),))
    assert value(down, N=1000, M=0) == 500_000
    steps = work_of((loops("for i = 0 to N-1 by 4 do for j = i to N-1 do A[i][j] = 1; done done"),))
    assert value(steps, N=1000, M=0) == 125_000


@pytest.mark.parametrize("n", [1, 31, 32, 100, 1000])
def test_tiles_are_what_they_are_tiles_of(n):
    text = "param N; for i = 0 to N-1 do for j = 0 to N-1 do A[i][j] = 2 * B[j][i]; done done"
    (tiled,) = scan(tile(permutable_bands(parse(text)), 32)).body
    assert value(work_of((tiled,)), N=n) == 3 * n * n
    (inner,) = tiled.body  # of one row of tiles
    row = work_of((inner,))
    assert value(row, N=n, ii=0) == 3 * min(n, 32) * n


def test_a_loop_as_long_as_the_step_around_it_is_no_tile_of_it():
    text = "for i = 0 to N-1 by 32 do for j = 0 to min(31, M-1) do A[i][j] = 1; done done"
    assert value(work_of((loops(text),)), N=64, M=5) == 2 * 5


def test_a_sum_keeps_what_others_may_not_outgrow():
    body = "for j = 0 to M-1 do A[i][j] = 1; done B[i] = C[i] + 1;"
    work = work_of((loops(f"for i = 0 to N-1 do {body} done"),))
    assert {len(t.factors) for t in work} == {1, 2}  # 3 operations for each i, 1 for each j
    both = work_of((loops("for i = 0 to N-1 do for j = 0 to M do A[i][j] = D[j]; done "
                          "for j = 0 to M-1 do B[i][j] = C[i] + 1; done done"),))  # fmt: skip
    assert len(both) == 1
    assert value(both, N=10, M=9) == 10 * 10 * 5


def test_the_most_in_any_iteration_around():
    nest = loops("for k = 0 to N-1 do for i = k+1 to N-1 do for j = k+1 to N-1 do "
                 "A[i][j] = A[i][k]; done done done")  # fmt: skip
    inside = work_of(nest.body)
    assert value(inside, N=100, k=89) == 2 * 10 * 10
    assert value(most(inside, [nest]), N=100) == 2 * 99 * 99


def test_expensive_operations_count_for_more():
    def cost(e):
        return value(work_of((loops(f"for i = 0 to N-1 do A[i] = {e}; done"),)), N=1)

    assert cost("sqrtf(B[i])") == cost("sqrt(B[i])") < cost("expf(B[i])")
    assert cost("fabs(B[i])") == cost("fabsf(B[i])") == cost("-B[i]") < cost("sqrt(B[i])")
    assert cost("1") < cost("B[i]") < cost("B[i] + 1") < cost("B[i] / 3") < cost("exp(B[i])")


def test_work_is_not_known_where_a_bound_is_not_affine():
    loop = loops("for i = 0 to N do A[i] = 1; done")
    square = replace(loop, upper=Binary("*", Parameter("N"), Parameter("N")))
    for body in (square, replace(loop, body=(square,)), If(Parameter("M"), (square,))):
        assert work_of((body,)) is None
    assert work_of((If(Parameter("M"), (loop,)),)) == work_of((loop,))


def test_the_least_in_any_iteration():
    """Of 2*i + 1 - N, for i from M and 3, up to N: the largest of 2*M + 1 - N and 7 - N."""
    i = Affine(((("i", "i"), Fraction(1)),), Fraction(0))
    form = i.times(2).plus(Affine((), Fraction(1))).plus(N, -1)
    values = Range((M, Affine((), Fraction(3))), (N,), 1)
    assert set(values.least(form, "i")) == {
        M.times(2).plus(Affine((), Fraction(1))).plus(N, -1),
        N.times(-1).plus(Affine((), Fraction(7))),
    }


def test_the_larger_of_two_bounds_is_at_most_their_sum():
    loop = loops("for i = 0 to N do A[i] = 1; done")
    loop = replace(loop, upper=Call("max", (Parameter("N"), Parameter("M"))))
    assert value(work_of((loop,)), N=999, M=499) == 1000 + 500


N, M = (
    Affine(((("p", "N"), Fraction(1)),), Fraction(0)),
    Affine(((("p", "M"), Fraction(1)),), Fraction(0)),
)


def test_a_loop_inside_that_never_runs_is_no_work():
    """At most once, for i up to M: only of tiles are those within one those of all of them."""
    zero, one = Affine((), Fraction(0)), Affine((), Fraction(1))
    left = M.plus(Affine(((("i", "i"), Fraction(1)),), Fraction(0)), -1)
    rows = Range((zero,), (N.plus(one, -1),), 1)
    work = (repeated(Product(Fraction(1), ((left, one),)), "i", rows),)
    assert value(work, N=10, M=0) == 0
    assert value(work, N=10, M=7) == 10


def test_a_term_is_at_least_each_of_two_and_less_than_both():
    large = (Product(Fraction(2), ((N,), (M,))),)
    both = (Product(Fraction(2), ((N,),)), Product(Fraction(2), ((M,),)))
    assert outgrows(large, both[:1])
    assert not outgrows(large, both)
    assert outgrows(both, both)


def test_a_form_has_iterators_and_parameters():
    form = Affine(((("i", "i"), Fraction(1)), (("p", "N"), Fraction(2))), Fraction(3))
    named = {(type(x), x.name) for x in walk(form.expression()) if hasattr(x, "name")}
    assert named == {(Iterator, "i"), (Parameter, "N")}


def test_of_a_minimum_two_are_kept_the_simplest():
    both = N.plus(M)
    assert pruned((both, N, M, N.plus(Affine((), Fraction(1))))) == (N, M)


def test_what_is_read_where_data_says_costs_more():
    affine, gathered = (parse(f"param N; B[0] = {x};") for x in ("A[N]", "A[int64(C[N])]"))
    cost = [operations(s.statements[0].expression) for s in (affine, gathered)]
    assert cost[1] - cost[0] == GATHER + 2  # and the access of C, and its conversion


def test_a_function_that_calls_another_one_costs_what_both_do():
    scop = parse("param N; define f(x) = x*x*x; define g(x) = f(x) + f(x); B[0] = g(A[0]);")
    inner, outer = (operations(f.body, scop.functions) for f in scop.functions)
    assert outer > 2 * inner
    assert operations(scop.statements[0].expression, scop.functions) > outer


def test_a_remainder_is_taken_for_its_mean():
    i = Iterator("i")
    assert affine(Binary("mod", i, Number(4, INT32))).constant == Fraction(3, 2)
    assert affine(Binary("floord", i, Number(4, INT32))).constant == Fraction(-3, 4)


def test_the_least_of_forms_that_differ_by_a_constant():
    larger = N.plus(Affine((), Fraction(5)))
    assert pruned([larger, N]) == pruned([N, larger]) == (N,)
