"""Kernels: what they take, what they allocate, what they refuse; compiled and run."""

from dataclasses import replace

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.codegen.kernel import kernel_arrays
from polynb.codegen.lower import Target, kernel_source
from polynb.codegen.text import to_c
from polynb.errors import PolynbError
from polynb.schedules import privatize
from polynb.schedules.bands import with_schedule
from polynb.scop.build import build
from polynb.scop.schedule import Mark, Private


def copy(make, *declarations, target="B", source="A", parameters="N", **options):
    i, n, b, a = make.it("i"), make.par("N"), make.arr(target), make.arr(source)
    loop = make.loop(i, 0, n, make.assign(b[i], a[i]))
    return make.scop(parameters, *declarations, loop, **options)


def test_a_small_private_array_stays_on_the_stack():
    scop = pn.parse("param N; temp t[8]; for i = 0 to N do for j = 0 to 7 do t[j] = A[i][j]; done "
                    "for j = 0 to 7 do B[i][j] = t[7-j]; done done")  # fmt: skip
    arrays = kernel_arrays(privatize(scop, ("t",)))
    assert not arrays.private
    assert not arrays.heap


def test_each_thread_has_a_copy_of_a_large_private_array():
    scop = pn.parse(
        "param N; temp t[80000]; for i = 0 to N do for j = 0 to 79999 do t[j] = A[i][j]; done "
        "for j = 0 to 79999 do B[i][j] = t[79999-j]; done done"
    )
    band = scop.schedule
    scop = with_schedule(scop, replace(band, child=Mark(Private(("t",)), band.child)))
    for threads, extents in ((1, "80000"), (2, "nthreads > 1 ? nthreads : 1, 80000")):
        made = kernel_source(scop, Target(threads=threads))
        assert f"allocate(8, (const int64_t[]){{{extents}}}, {threads});" in made.text
        assert made.private == ({"t"} if threads > 1 else set())


def test_a_temporary_is_allocated_once_with_cells_of_its_type():
    text = (
        "param N; input {0} A[N+1]; temp {0} t[N+1]; output {0} B[N+1]; "
        "for i = 0 to N do t[i] = A[i]; done for i = 0 to N do B[i] = t[N-i]; done"
    )
    for type, size in (("float", 4), ("double", 8)):
        made = kernel_source(pn.parse(text.format(type)), Target(threads=2)).text
        assert f"void *t = allocate({size}, (const int64_t[]){{max(N + 1, 1)}}, 1);" in made


# -- arguments --------------------------------------------------------------------------------


def test_arguments_are_all_arrays_but_temporaries_that_are_written_first(figure1):
    source = kernel_source(build(figure1))
    assert source.parameters == ("N",)
    assert [a.name for a in source.arguments] == ["in", "out"]
    assert [a.name for a in source.temporaries] == ["tmp", "s"]
    assert source.entry == "kernel"
    assert "int kernel(const int64_t *parameters, void **arrays, int" in source.text


def test_a_temporary_that_is_read_before_it_is_written_is_an_argument(make, compiled):
    i, n, t, b = make.it("i"), make.par("N"), make.arr("t"), make.arr("B")
    scop = make.scop(
        "N",
        make.declare("temp t"),
        make.loop(i, 1, n, make.assign(t[i], t[i - 1] + 1.0), make.assign(b[i], t[i])),
        assume=[n >= 1],
    )
    source = kernel_source(scop)
    assert [a.name for a in source.arguments] == ["t", "B"]
    result = compiled(source)({"N": 4}, {"t": np.full(5, 10.0), "B": np.zeros(5)})
    assert list(result["B"][1:]) == [11.0, 12.0, 13.0, 14.0]


def test_scalars(make, compiled):
    """Input scalars, live-out scalars, temporary scalars, and an accumulator."""
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    alpha, total, t = make.arr("alpha"), make.arr("total"), make.arr("t")
    scop = make.scop(
        "N",
        make.declare("input float alpha"),
        make.declare("inout total"),
        make.declare("temp t"),
        make.loop(i, 0, n, make.assign(t, a[i] * alpha), make.assign(total, total + t), step=1),
    )
    kernel = compiled(kernel_source(scop))
    memory = {"alpha": np.float32(0.5), "total": np.float64(1.0), "A": np.arange(4.0)}
    assert kernel({"N": 3}, memory)["total"] == 4.0


def test_two_dimensional_temporaries_are_allocated(make, compiled):
    i, j, n, m = make.it("i"), make.it("j"), make.par("N"), make.par("M")
    a, t = make.arr("A"), make.arr("t")
    scop = make.scop(
        "N M",
        make.declare("temp int16 t"),
        make.declare("inout int16 A"),
        make.loop(i, 0, n, make.loop(j, 0, m, make.assign(t[i, j], a[i, j]))),
        make.loop(i, 0, n, make.loop(j, 0, m, make.assign(a[i, j], t[n - i, m - j]))),
        assume=[n >= 0, m >= 0],
    )
    kernel = compiled(kernel_source(scop))
    a = np.arange(12, dtype=np.int16).reshape(3, 4)
    assert np.array_equal(kernel({"N": 2, "M": 3}, {"A": a})["A"], a[::-1, ::-1])


def test_no_memory_is_reported(make, compiled):
    i, n, t, b = make.it("i"), make.par("N"), make.arr("t"), make.arr("B")
    scop = make.scop(
        "N",
        make.declare("temp t", n, n),
        make.loop(i, 0, 0, make.assign(t[i, i], 1.0), make.assign(b[i], t[i, i])),
        assume=[n >= 1],
    )
    kernel = compiled(kernel_source(scop))
    assert kernel({"N": 3}, {"B": np.zeros(1)})["B"][0] == 1.0
    for huge in (2**40, 2**31, 2**33):
        with pytest.raises(AssertionError):
            kernel({"N": huge}, {"B": np.zeros(1)})


def test_empty_arrays_are_harmless(make, compiled):
    """Inner extents that are not positive for some parameter values, without any assumption."""
    i, j, n, m = make.it("i"), make.it("j"), make.par("N"), make.par("M")
    a, t = make.arr("A"), make.arr("t")
    scop = make.scop(
        "N M",
        make.declare("temp t"),
        make.loop(i, 0, n, make.loop(j, 0, m, make.assign(t[i, j], 1.0))),
        make.loop(i, 0, n, make.loop(j, 0, m, make.assign(a[i, j], t[i, j]))),
    )
    kernel = compiled(
        kernel_source(scop), "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"
    )
    for n, m in ((-1, -5), (3, -1), (-1, 3), (2, 3)):
        shape = (max(n + 1, 0), max(m + 1, 0))
        assert np.array_equal(kernel({"N": n, "M": m}, {"A": np.zeros(shape)})["A"], np.ones(shape))


def test_programs_without_parameters_or_arguments_compile(make, compile_c):
    i, t = make.it("i"), make.arr("t")
    scop = make.scop("", make.declare("temp t"), make.loop(i, 0, 3, make.assign(t[i], i)))
    source = kernel_source(scop)
    assert source.arguments == ()
    compile_c(source.text)


def test_a_temporary_of_unknown_size_is_refused(make):
    t, b = make.arr("t"), make.arr("B")
    scop = make.scop("N", make.declare("temp t"), make.assign(t[0], 1.0), make.assign(b[0], t[0]))
    unknown = replace(scop.arrays["t"], extents=(None,))
    with pytest.raises(PolynbError, match="nothing bounds dimension 1 of t"):
        kernel_source(replace(scop, arrays={**scop.arrays, "t": unknown}))


# -- names ------------------------------------------------------------------------------------


def test_names_that_c_uses_itself(make, compiled):
    scop = copy(make, target="int", source="kernel", parameters="N main sqrt")
    source = kernel_source(scop)
    result = compiled(source)(
        {"N": 2, "main": 0, "sqrt": 1}, {"int": np.zeros(3), "kernel": np.arange(3.0)}
    )
    assert list(result["int"]) == [0.0, 1.0, 2.0]


def test_names_do_not_collide_with_those_of_the_kernel(make, compiled):
    names = ["parameters", "arrays", "threads", "nthreads", "kernel_body", "failed", "allocate"]
    i, n = make.it("i"), make.par("N")
    loops = [
        make.loop(i, 0, n, make.assign(make.arr(t)[i], make.arr(a)[i]))
        for a, t in zip(names, [*names[1:], "out"], strict=True)
    ]
    temporaries = [make.declare(f"temp {x}") for x in names[1:]]
    kernel = compiled(kernel_source(make.scop("N", *temporaries, *loops, assume=[n >= 0])))
    memory = {"parameters": np.arange(3.0), "out": np.zeros(3)}
    assert list(kernel({"N": 2}, memory)["out"]) == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("name", ["a b", 'x"y', "1x", "", "ü", "x;system(1)", "a\nb", "x*/y"])
def test_nothing_but_identifiers_reaches_the_compiler(make, name):
    scop = copy(make)
    s = scop.statements[0]
    read = replace(s.reads[0], array=name, node=replace(s.reads[0].node, array=name))
    array = {"B": scop.arrays["B"], name: replace(scop.arrays["A"], name=name)}
    renamed = replace(s, reads=(read,), expression=read.node)
    for wrong in (
        replace(scop, arrays=array, statements=(renamed,)),
        replace(scop, parameters=(*scop.parameters, name)),
        replace(scop, statements=(replace(s, iterators=(name,)),)),
    ):
        with pytest.raises(PolynbError, match="name"):
            kernel_source(wrong)
        with pytest.raises(PolynbError, match="name"):
            to_c(wrong)
    with pytest.raises(PolynbError, match="name"):
        kernel_source(scop, Target(entry=name))
    with pytest.raises(PolynbError, match="name"):
        to_c(replace(scop, name=name))


def test_labels_are_identifiers_too(make):
    """A label is printed in a comment, which it must not end."""
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    scop = make.scop("N", make.loop(i, 0, n, make.assign(a[i], 1.0, "S")))
    (s,) = scop.statements
    label = "x\nint y;"
    domain = s.domain.set_tuple_name(label)
    members = {label: scop.schedule.members["S"].set_tuple_name(isl.IN, label)}
    wrong = replace(
        scop,
        statements=(replace(s, name=label, domain=domain),),
        schedule=replace(scop.schedule, members=members),
    )
    with pytest.raises(PolynbError, match="name"):
        kernel_source(wrong)


def test_reserved_entries_are_refused(make):
    with pytest.raises(PolynbError, match="main"):
        kernel_source(copy(make), Target(entry="main"))


# -- functions --------------------------------------------------------------------------------


def test_uninterpreted_functions_are_refused_with_a_way_out(make):
    i, n, b = make.it("i"), make.par("N"), make.arr("B")
    scop = make.scop("N", make.loop(i, 0, n, make.assign(b[i], make.call("f", i))))
    with pytest.raises(PolynbError, match="f has no definition") as error:
        kernel_source(scop)
    assert "define f" in str(error.value)


def test_defined_functions_compute_as_if_written_in_place(make, compiled):
    """`f(x) = x*x + c` of a float is computed in float, of a double in double."""
    i, n, x = make.it("i"), make.par("N"), make.arr("x")
    a, b, c, d = (make.arr(k) for k in "ABCD")
    f = make.define("f", "x", x * x + 1)
    g = make.define("g", "x", make.call("f", x) / make.par("N"))
    scop = make.scop(
        "N",
        make.declare("input float A"),
        make.declare("input double B"),
        make.declare("output double C"),
        make.declare("output double D"),
        make.loop(
            i,
            0,
            n,
            make.assign(c[i], make.call("f", a[i])),
            make.assign(d[i], make.call("g", b[i])),
        ),
        functions=[f, g],
        assume=[n >= 1],
    )
    source = kernel_source(scop)
    values = np.random.default_rng(3).random(5)
    memory = {"A": values.astype(np.float32), "B": values, "C": np.zeros(5), "D": np.zeros(5)}
    result = compiled(source)({"N": 4}, memory)
    single = memory["A"] * memory["A"] + np.float32(1)
    assert single.dtype == np.float32
    assert np.array_equal(result["C"], single.astype(np.float64))
    assert np.array_equal(result["D"], (values * values + 1) / 4)


def test_min_max_floord_mod(make, compiled):
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    cell = make.binary("floord", i, 3)
    scop = make.scop(
        "N",
        make.loop(
            i,
            0,
            n,
            make.assign(
                b[i], make.call("min", a[cell], make.call("max", a[make.binary("mod", i, 2)], 2.5))
            ),
        ),
        assume=[n >= 3],
    )
    a = np.arange(9.0)
    result = compiled(kernel_source(scop))({"N": 8}, {"A": a, "B": np.zeros(9)})
    expected = [min(a[k // 3], max(a[k % 2], 2.5)) for k in range(9)]
    assert list(result["B"]) == expected


# -- C to read --------------------------------------------------------------------------------


def test_to_c_is_a_function_of_parameters_and_arrays(figure1, compile_c):
    text = to_c(build(figure1))
    assert (
        text
        == """\
#include <assert.h>
#include <stdint.h>

void kernel(int64_t N, double in[N + 1], double out[N]) {
  assert(N >= 3);
  double tmp[N + 1];
  double s;
  for (int64_t i = 0; i <= N; i++) {
    S0: s = in[i] / 1.5;
    if (i == 0) {
      S1: tmp[0] = (2 * in[0] + in[1]) / s;
    } else if (i < N) {
      S3: tmp[i] = (in[i - 1] + in[i] + in[i + 1]) / s;
    }
  }
  S2: tmp[N] = (in[N - 1] + 2 * in[N]) / s;
  for (int64_t i = 1; i < N; i++) {
    S4: out[i] = tmp[i - 1] + tmp[i] + tmp[i + 1];
  }
}
"""
    )
    compile_c(text, "-Wno-unused-label", "-Wno-maybe-uninitialized")


def test_labels_that_statements_get_anyway_are_not_printed(make, compile_c):
    i, n, a = make.it("i"), make.par("N"), make.arr("A")
    own = make.loop(i, 0, n, make.assign(a[i], 1.0, "S0"), make.assign(a[i], 2.0, "S1"))
    assert ":" not in to_c(make.scop("N", own))
    named = make.loop(i, 0, n, make.assign(a[i], 1.0, "int"), make.assign(a[i], 2.0, "S1"))
    text = to_c(make.scop("N", named))
    assert "int_: A[i] = 1.0;" in text
    assert "S1: A[i] = 2.0;" in text
    compile_c(text, "-Wno-unused-label")


def test_long_lines_are_broken(make, compile_c):
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    total = a[i]
    for k in range(1, 40):
        total = total + a[i + k] * 1.5
    text = to_c(make.scop("N", make.loop(i, 0, n, make.assign(b[i], total, "wide"))))
    assert max(map(len, text.splitlines())) <= 100
    assert "wide: B[i] = A[i]" in text
    compile_c(text, "-Wno-unused-label")


def test_subscripts_from_data_are_integers():
    kernel_source(pn.parse("param N; for i = 0 to N do B[i] = A[I[i]]; done"))
    with pytest.raises(PolynbError) as caught:
        pn.parse("param N; input double I; for i = 0 to N do B[i] = A[I[i]]; done")
    assert caught.value.span.text == "I[i]"


HALVES = """
param N; assume N >= 2; input float A[N+1]; output float B[2*N], C[2*N];
for i = 0 to 2*N - 1 do
  if i <= N then B[i] = A[i]; fi
  if i >= 1 then C[i] = A[floord(i, 2)]; fi
done
"""


def test_innermost_loops_of_kernels_have_no_conditions(compiled):
    scop = pn.parse(HALVES)
    source = kernel_source(scop)
    assert "if (" not in source.text.split("kernel(")[0]
    assert "if i " in str(replace(scop, program=None))
    a = np.arange(4, dtype=np.float32)
    memory = {"A": a, "B": np.zeros(6, np.float32), "C": np.zeros(6, np.float32)}
    after = compiled(source)({"N": 3}, memory)
    assert after["B"].tolist() == [0, 1, 2, 3, 0, 0]
    assert after["C"].tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("name", ["main", "malloc", "int"])
def test_an_entry_that_c_uses_itself_is_refused(make, name):
    with pytest.raises(PolynbError, match=name):
        kernel_source(copy(make), Target(entry=name))


@pytest.mark.parametrize(("index", "how"), [("idx[i]", "allocate_zeroed"), ("i", "allocate")])
def test_a_temporary_whose_cells_data_decides_begins_as_zeros(index, how):
    text = f"param N; temp t[N+1]; for i = 0 to N do t[{index}] = A[i]; done"
    scop = pn.parse(f"{text} for i = 0 to N do B[i] = t[i]; done")
    assert f"void *t = {how}(" in kernel_source(scop, Target()).text


@pytest.mark.parametrize(
    ("last", "copied", "how"),
    [
        ("N", "B[i] = t[idx[i]]", "allocate"),
        ("N-1", "B[i] = t[idx[i]]", "allocate_zeroed"),  # t[N] may be read
        ("N", "t[idx[i]] = t[idx[i]] + 1", "allocate"),
        ("N", "t[i] = t[idx[i]]", "allocate"),
    ],
)
def test_nothing_of_which_all_that_may_be_read_was_written_has_to_begin_so(last, copied, how):
    text = f"param N; assume N >= 1; temp t[N+1]; for i = 0 to {last} do t[i] = A[i]; done"
    scop = pn.parse(
        f"{text} for i = 0 to N do {copied}; done for i = 0 to {last} do C[i] = t[i]; done"
    )
    assert f"void *t = {how}(" in kernel_source(scop, Target()).text


def test_what_is_written_later_begins_as_zeros():
    """A cell that data chooses may be one of those that later iterations write."""
    text = "param N; temp t[N+1]; for i = 0 to N do t[i] = A[i]; B[i] = t[idx[i]]; done"
    assert "void *t = allocate_zeroed(" in kernel_source(pn.parse(text), Target()).text


def test_a_text_in_c_has_the_name_that_is_asked_for():
    scop = pn.parse("A[0] = 1;")
    assert "void other(" in to_c(scop, name="other")
    assert "void kernel(" in to_c(scop)
