"""Scanned programs: their shapes, their names, and what they compute."""

import itertools
import time
from dataclasses import replace

import islpy
import pytest

from polynb.codegen.lower import kernel_source
from polynb.codegen.scan import scan
from polynb.errors import PolynbError
from polynb.scop.build import build
from polynb.scop.schedule import Band, Leaf, Loop, Mark, Named
from polynb.source import tree as t
from polynb.source.c.print.expressions import print_expression
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32, INT64


def lines(scop):
    """The body of the scanned program, one line per statement."""
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    return list(_lines(scan(scop).body, types))


def _lines(body, types):
    def text(e):
        # in_ is how C writes `in` where it is a keyword; it is none.
        return print_expression(e, types)

    for s in body:
        match s:
            case t.For():
                by = f" by {s.step}" if s.step != 1 else ""
                kind = "" if s.kind == "sequential" else f" {s.kind}"
                yield f"for {s.iterator} = {text(s.lower)} to {text(s.upper)}{by}{kind}"
                yield from (f"  {x}" for x in _lines(s.body, types))
            case t.If():
                yield f"if {text(s.condition)}"
                yield from (f"  {x}" for x in _lines(s.then, types))
                if s.otherwise:
                    yield "else"
                    yield from (f"  {x}" for x in _lines(s.otherwise, types))
            case t.Assign():
                yield f"{s.label}: {text(s.target)} = {text(s.value)}"


# -- shapes -----------------------------------------------------------------------------------


def test_figure1_prints_without_conditions_that_the_assumption_implies(figure1):
    assert lines(build(figure1)) == [
        "for i = 0 to N",
        "  S0: s = in[i] / 1.5",
        "  if i == 0",
        "    S1: tmp[0] = (2 * in[0] + in[1]) / s",
        "  else",
        "    if i < N",
        "      S3: tmp[i] = (in[i - 1] + in[i] + in[i + 1]) / s",
        "S2: tmp[N] = (in[N - 1] + 2 * in[N]) / s",
        "for i = 1 to N - 1",
        "  S4: out[i] = tmp[i - 1] + tmp[i] + tmp[i + 1]",
    ]


def test_pieces_come_out_as_in_figure_2(make):
    """Three pieces of one loop: the first, the middle and the last iteration."""
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    first = make.assign(b[i], 2 * a[i - 1] + a[i], "first")
    middle = make.assign(b[i], a[i - 1] + a[i], "middle")
    last = make.assign(b[i], a[i - 1] + 2 * a[i], "last")
    body = make.when(i == 1, [first], [make.when(i == n - 1, [last], [middle])])
    assert lines(make.scop("N", make.loop(i, 1, n - 1, body), assume=[n >= 3])) == [
        "first: B[1] = 2 * A[0] + A[1]",
        "for i = 2 to N - 2",
        "  middle: B[i] = A[i - 1] + A[i]",
        "last: B[N - 1] = A[N - 2] + 2 * A[N - 1]",
    ]


def test_strided_loops_have_a_step(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    assert lines(make.scop("N", make.loop(i, 1, n, make.assign(a[i], i), step=3))) == [
        "for i = 1 to N by 3",
        "  S0: A[i] = i",
    ]


def test_even_and_odd_pieces(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    even = make.when(
        make.binary("mod", i, 2) == 0, [make.assign(a[i], 1.0)], [make.assign(a[i], 2.0)]
    )
    assert lines(make.scop("N", make.loop(i, 0, n, even))) == [
        "for i = 0 to N by 2",
        "  S0: A[i] = 1.0",
        "  if i < N",
        "    S1: A[i + 1] = 2.0",
    ]


def test_loops_that_count_down_do_so_again(make):
    i, n, m, a = make.it("i"), make.par("N"), make.par("M"), make.arr("A")
    down = make.loop(i, n, 0, make.when(i <= m, [make.assign(a[i], a[i + 1])]), step=-1)
    assert lines(make.scop("N M", down)) == [
        "for i = min(N, M) to 0 by -1",
        "  S0: A[i] = A[i + 1]",
    ]
    by_two = make.loop(i, 8, 2, make.assign(a[i], a[i + 1]), step=-2)
    assert lines(make.scop("N", by_two))[0] == "for i = 8 to 2 by -2"


def test_bounds_become_min_and_max(make):
    i, j, n, m, a = make.it("i"), make.it("j"), make.par("N"), make.par("M"), make.arr("A")
    scop = make.scop("N M", make.loop(i, 0, n, make.loop(j, 0, m, make.assign(a[i, j], 0.0))))
    skewed = Band(
        {"S0": islpy.Map("{ S0[i, j] -> [i + j, j] }")},
        Leaf(),
        loops=(Loop(), Loop()),
    )
    assert lines(replace(scop, schedule=skewed, program=None)) == [
        "for t0 = 0 to N + M",
        "  for j = max(0, t0 - N) to min(M, t0)",
        "    S0: A[t0 - j][j] = 0.0",
    ]


def test_loops_of_one_iteration_become_their_body(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    assert lines(make.scop("N", make.loop(i, n, n, make.assign(a[i], 1.0)))) == ["S0: A[N] = 1.0"]


def test_loop_kinds_come_through(make):
    i, j, n, a = make.it("i"), make.it("j"), make.par("N"), make.arr("A")
    nest = make.loop(i, 0, n, make.loop(j, 0, n, make.assign(a[i, j], 0.0), kind="vector"))
    scop = make.scop("N", replace(nest, kind="parallel"))
    assert lines(scop) == [
        "for i = 0 to N parallel",
        "  for j = 0 to N vector",
        "    S0: A[i][j] = 0.0",
    ]


def test_unrolled_members_are_unrolled(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, 2, make.assign(a[i], n)))
    unrolled = replace(scop, schedule=replace(scop.schedule, loops=(Loop("unroll"),)), program=None)
    assert lines(unrolled) == ["S0: A[0] = N", "S0_2: A[1] = N", "S0_3: A[2] = N"]


def test_marks_do_not_disturb(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, n, make.assign(a[i], 1.0)))
    marked = replace(scop, schedule=Mark(Named("tiles"), scop.schedule), program=None)
    assert lines(marked) == lines(scop)


def test_guards_stay_conditions(make):
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    guarded = make.when(b[i] > 0.5, [make.assign(a[i], b[i])])
    assert lines(make.scop("N", make.loop(i, 0, n, guarded))) == [
        "for i = 0 to N",
        "  if B[i] > 0.5",
        "    S0: A[i] = B[i]",
    ]


def test_statements_that_never_run_are_left_out(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    never = make.loop(i, 0, n, make.when(i > n, [make.assign(a[i], 1.0)]))
    once = make.loop(i, 0, n, make.assign(a[i], 2.0))
    assert lines(make.scop("N", never, once)) == ["for i = 0 to N", "  S1: A[i] = 2.0"]


def test_unbounded_domains_are_refused(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, n, make.assign(a[i], 1.0)))
    s = scop.statements[0]
    endless = replace(s, domain=islpy.Set("[N] -> { S0[i] : i >= 0 }"))
    with pytest.raises(PolynbError):
        scan(replace(scop, statements=(endless,)))


# -- names --------------------------------------------------------------------------------------


def test_inner_and_outer_loops_never_share_a_name(make):
    i, j, n, a = make.it("i"), make.it("j"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, n, make.loop(j, 0, n, make.assign(a[i, j], 0.0))))
    # Both loops take values of i first: the diagonal's only free name inside is t0.
    members = {"S0": islpy.Map("{ S0[i, j] -> [i, i + j] }")}
    band = Band(members, Leaf(), loops=(Loop(), Loop()))
    assert [x.split(" =")[0] for x in lines(replace(scop, schedule=band))][:2] == [
        "for i",
        "  for t0",
    ]


def test_generated_names_avoid_those_in_use(make):
    i, n, a = make.it("i"), make.par("t0"), make.arr("t1")
    scop = make.scop("t0", make.loop(i, 0, n, make.assign(a[i], 0.0)))
    shifted = Band({"S0": islpy.Map("{ S0[i] -> [i + 1] }")}, Leaf())
    assert lines(replace(scop, schedule=shifted))[0].startswith("for t2 ")


def test_an_iterator_that_an_array_is_named_after_is_replaced(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, n, make.assign(a[i], 0.0)))
    arrays = {**scop.arrays, "i": scop.arrays["A"]}
    assert lines(replace(scop, arrays=arrays))[0] == "for t0 = 0 to N"


def test_labels_are_unique_where_a_statement_is_generated_twice(make):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, 1, make.assign(a[i], n, "S"), kind="unroll"))
    labels = [s.label for s in t.statements(scan(scop).body)]
    assert labels == ["S", "S_2"]


# -- values ---------------------------------------------------------------------------------------


def test_folded_iterators_keep_their_type_in_int32_arithmetic(make):
    """`i * B[0]` is computed in 64 bits; at i = 3 it still must be."""
    i, a, b = make.it("i"), make.arr("A"), make.arr("B")
    scop = make.scop(
        "N",
        make.declare("input int32 B"),
        make.declare("output double A"),
        make.loop(i, 3, 3, make.assign(a[i], i * b[0])),
        make.loop(i, 4, 4, make.assign(a[i], i * 1.5)),
        make.loop(i, 5, 5, make.assign(a[i], i)),
    )
    values = [s.value for s in t.statements(scan(scop).body)]
    types = Types({"A": DOUBLE, "B": INT32})
    assert types.of(values[0]) is INT64
    assert [print_expression(v, types) for v in values] == ["(int64_t)3 * B[0]", "4 * 1.5", "5"]


def test_figure4_simplifies_subscripts_but_no_products(make):
    j, n, b = make.it("j"), make.par("N"), make.arr("B")
    scop = make.scop("N", make.loop(j, 1, n, make.assign(b[2 * j + 1 - 1], (j + 1 + 1) * j)))
    scop = replace(scop, schedule=Band({"S0": islpy.Map("{ S0[j] -> [j + 1] }")}, Leaf()))
    assert lines(scop)[1] == "  S0: B[2 * t0 - 2] = (t0 + 1) * (t0 - 1)"


def test_what_is_not_rewritten_stays_as_it_was_written(make):
    j, n, b = make.it("j"), make.par("N"), make.arr("B")
    loop = make.loop(j, 1, n, make.assign(b[1 + j], (1 + j + 1) * 2.0))
    scop = make.scop("N", loop)
    (assign,) = t.statements(scan(scop).body)
    assert assign.value is loop.body[0].value
    assert assign.target is loop.body[0].target


@pytest.mark.parametrize("n", [3, 4, 9])
def test_figure1_computes_what_its_instances_do(figure1, n, compiled, direct):
    import numpy as np

    scop = build(figure1)
    memory = {
        "in": np.random.default_rng(n).random(n + 1) + 1.0,
        "out": np.zeros(n + 1),
        "tmp": np.zeros(n + 1),
        "s": np.zeros(()),
    }
    expected = direct(scop, {"N": n}, memory)
    kernel = compiled(kernel_source(scop), "-fopenmp")
    assert [a.name for a in kernel.source.arguments] == ["in", "out"]
    result = kernel({"N": n}, memory)
    assert np.array_equal(result["out"], expected["out"])
    assert np.array_equal(result["in"], memory["in"])


# -- speed ----------------------------------------------------------------------------------------


def test_a_hundred_statements_are_scanned_quickly(make):
    i, n = make.it("i"), make.par("N")
    arrays = [make.arr(f"a{k}") for k in range(101)]
    loops = [
        make.loop(i, 1, n, make.assign(b[i], a[i - 1] + a[i]))
        for a, b in itertools.pairwise(arrays)
    ]
    scop = make.scop("N", *loops, assume=[n >= 4])
    start = time.process_time()
    scan(scop)
    assert time.process_time() - start < 0.5
