"""The page from a program to the C of its kernel, stage by stage."""

import pickle
from dataclasses import replace

import pytest

import polynb as pn
from polynb.codegen.kernel import kernel_arrays
from polynb.codegen.lower import (
    READERS,
    SEVERAL,
    Target,
    bodies,
    kernel_source,
    loops_of,
    lower,
    parallel_loops,
    truncates,
)
from polynb.errors import PolynbError
from polynb.schedules import with_storage
from polynb.schedules.privatizing import privatize
from polynb.scop.schedule import Band, walk
from polynb.source.tree import For, walk as nodes

CHANNELS = """
param R, C; input A; output B; temp t;
for c = 0 to 2 do for x = 1 to R do for y = 1 to C do
  t[c][x][y] = A[c][x][y] * 2.0;
  B[c][x][y] = t[c][x][y] + 1.0;
done done done
"""
AGAIN = """
param n, m; inout X[m]; output Z[m];
for r = 0 to n-1 do
  for s = 0 to m-1 do Z[s] = X[m-1-s] + r; done
  for s = 0 to m-1 do X[s] = Z[s]; done
done
"""
EVEN = "param N; for y = 0 to N by 2 do A[y] = B[y / 2]; done"


def loops(body):
    for s in body:
        if isinstance(s, For):
            yield s
            yield from loops(s.body)


def test_one_thread_has_no_pragma_and_no_choice():
    lowered = lower(pn.parse(CHANNELS), Target(threads=1))
    assert lowered.loops == ()
    assert "#pragma" not in lowered.source.text
    assert "omp" not in lowered.source.text
    assert lowered.source.parameters == ("R", "C")
    assert [a.name for a in lowered.source.arguments] == ["A", "B"]
    assert [a.name for a in lowered.source.temporaries] == ["t"]


def test_two_threads_share_out_what_the_choice_says():
    scop = pn.parse(CHANNELS)
    balanced = lower(scop, Target(threads=2))
    assert [(v.name, v.parallel) for v in balanced.loops] == [("c", False), ("x", True)]
    assert "collapse(2) num_threads(threads) schedule(guided)" in balanced.source.text
    assert "kernel_threads" in balanced.source.text  # and one version for one thread
    outermost = lower(scop, Target(threads=2, parallel="outermost"))
    assert [(v.name, v.parallel) for v in outermost.loops] == [("c", True)]
    assert "num_threads(threads) schedule(static)" in outermost.source.text
    assert "kernel_threads" not in outermost.source.text
    none = lower(scop, Target(threads=2, parallel="none"))
    assert "#pragma" not in none.source.text
    assert {v.why for v in none.loops} == {"none is asked for"}


def test_sizes_are_what_loops_are_chosen_for():
    scop = pn.parse(CHANNELS)
    narrow = lower(scop, Target(threads=8, sizes={"R": 3, "C": 800}))
    assert [v.name for v in narrow.loops if v.parallel] == ["y"]
    wide = lower(scop, Target(threads=8, sizes={"R": 800, "C": 3}))
    assert [v.name for v in wide.loops if v.parallel] == ["x"]
    assert [v.trips for v in wide.loops][:2] == [3, 800]


def test_arrays_that_data_places_are_declared_independent():
    scop = pn.parse("param N; input int32 p[N+1]; for i = 0 to N do A[p[i]] = B[i]; done")
    assert not any(v.parallel for v in lower(scop, SEVERAL).loops)
    declared = lower(scop, replace(SEVERAL, independent=("A",)))
    assert [v.parallel for v in declared.loops] == [True]
    with pytest.raises(PolynbError, match="no array 'C'"):
        lower(scop, replace(SEVERAL, independent=("C",)))


def test_marked_temporaries_are_contracted_before_loops_are_chosen():
    scop = pn.parse(CHANNELS)
    marked = privatize(scop, ["t"])
    lowered = lower(marked, SEVERAL)
    assert marked.arrays["t"].extents
    assert lowered.scop.arrays["t"].extents == ()
    assert [v.name for v in lowered.loops if v.parallel] == ["x"]
    assert "double t = 0;" in lowered.source.text  # of each thread: in the function of a part


def test_the_stages_are_those_of_the_page():
    scop = pn.parse(CHANNELS)
    chosen, verdicts = parallel_loops(scop, SEVERAL)
    kinds = [b.kinds for b in walk(chosen.schedule) if isinstance(b, Band)]
    assert kinds[:2] == [("collapsed",), ("parallel",)]
    assert parallel_loops(scop, Target()) == (scop, ())
    arrays = kernel_arrays(chosen)
    assert [d.name for d in arrays.declarations] == ["A", "B", "t"]
    assert [a.name for a in arrays.heap] == ["t"]
    program = loops_of(chosen, arrays.declarations, SEVERAL)
    assert [s.kind for s in loops(program.body)] == ["collapsed", "parallel", "sequential"]
    made = bodies(program, SEVERAL)
    assert made.shared is not None
    assert {s.kind for s in loops(made.body.body)} == {"sequential"}
    assert bodies(program, replace(SEVERAL, parallel="outermost")).body is program
    lowered = lower(scop, SEVERAL)
    assert lowered.loops == verdicts
    assert kernel_source(chosen, SEVERAL).text == lowered.source.text


def test_a_reader_gets_loops_as_written_and_a_compiler_gets_quotients():
    scop = pn.parse(EVEN)
    (read,) = loops(loops_of(scop, (), READERS).body)
    (compiled,) = loops(loops_of(scop, (), SEVERAL).body)
    assert (read.step, compiled.step) == (2, 1)
    assert "y += 2" in scop.to_c()
    subscripts = [x for x in nodes(compiled.body[0].value) if getattr(x, "op", "") == "floord"]
    assert not subscripts


def test_a_remainder_that_is_known_keeps_its_type():
    """Two integers of 32 bits would overflow sooner."""
    head = "param N; input int32 A; output int64 B; for i = 1 to N by 2 do"
    scop = pn.parse(f"{head} B[i] = A[i] + mod(i, 2) + C[i/2]; done")
    assert "A[2 * t0 + 1] + (int64_t)1 +" in lower(scop, SEVERAL).source.text


def test_a_division_of_no_sum_stays_beside_one_that_vanishes():
    text = "param N; for i = 0 to N by 2 do for j = 0 to N do"
    scop = pn.parse(f"{text} B[i][j] = C[mod(K[j], 3)] + A[i/2]; done done")
    assert "mod(K[j], 3)" in lower(scop, SEVERAL).source.text


@pytest.mark.usefixtures("openmp")
def test_compile_lowers_and_its_kernel_pickles():
    scop = pn.parse(AGAIN)
    kernel = pn.compile(scop, threads=2, sizes={"n": 3, "m": 9})
    target = Target(threads=2, sizes={"n": 3, "m": 9})
    lowered = lower(scop, target)
    assert kernel.source == lowered.source.text
    assert kernel.loops == lowered.loops
    again = pickle.loads(pickle.dumps(kernel))
    assert (again.source, again.loops) == (kernel.source, kernel.loops)
    assert again(n=3, m=9, X=range(9))["Z"].tolist() == kernel(n=3, m=9, X=range(9))["Z"].tolist()
    assert pickle.loads(pickle.dumps(target)) == target


def test_the_entry_has_a_name():
    source = lower(pn.parse(EVEN), Target(entry="even")).source
    assert source.entry == "even"
    assert "int even(const int64_t *parameters" in source.text
    with pytest.raises(PolynbError, match="main cannot be"):
        lower(pn.parse(EVEN), Target(entry="main"))


def test_what_is_lowered_is_the_program_over_its_memory():
    text = "param N; temp t; for i = 0 to N do t[i] = A[i]; B[i] = t[i] + 1; done"
    stored = with_storage(pn.parse(text), "t", "{ t[i] -> w[i mod 2] }")
    lowered = lower(stored, Target(threads=1))
    assert [a.name for a in lowered.source.temporaries] == ["w"]


@pytest.mark.parametrize(
    ("given", "text", "expected"),
    [
        ("", "B[i] = A[i] / 2 + i;", False),
        ("", "B[i] = float(A[i]) + sqrt(A[i]);", False),
        ("output int32 C[N];", "B[i] = A[i]; C[i] = A[i];", True),
        ("", "B[i] = int32(A[i]) + 1.0;", True),
        ("", "B[i] = 1.0 + llabs(i);", True),
        ("define g(x) = int32(x) + 1.0;", "B[i] = g(A[i]);", True),
    ],
)
def test_where_a_floating_value_may_become_an_integer(given, text, expected):
    assert truncates(pn.parse(f"param N; {given} for i = 0 to N-1 do {text} done")) is expected
