"""Threads are woken only for loops that have enough work for them."""

import re
from fractions import Fraction

import numpy as np
import pytest

import polynb as pn
from polynb.codegen import waking
from polynb.codegen.affine_bounds import Affine
from polynb.codegen.lower import Target, kernel_source
from polynb.codegen.work import Product
from polynb.dependences import analyze
from polynb.run.kernel import compile
from polynb.run.oracle import equivalent
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse

WORTH = waking.WORTH  # tests may have changed it when they run

AGAIN = """
param n, m; inout X[m]; input A[m]; output Z[m];
for r = 0 to n-1 do
  for s = 0 to m-1 do Z[s] = X[m-1-s] * A[s]; done
  for s = 0 to m-1 do X[s] = Z[s] + 1.0; done
done
"""
ELIMINATION = """
param n; inout A[n][n];
for k = 0 to n-1 do for i = k+1 to n-1 do for j = k+1 to n-1 do
  A[i][j] = A[i][j] - A[i][k] * A[k][j];
done done done
"""


@pytest.fixture(autouse=True)
def _worth(monkeypatch):
    monkeypatch.setattr(waking, "WORTH", WORTH)


def text_of(text, **options):
    scop = parse(text)
    return kernel_source(
        choose_loops(scop, analyze(scop), choice="outermost")[0], Target(threads=2, **options)
    ).text


def conditions(text):
    return re.findall(r"if \((.*>= .*)\)(?: \{)?\n", text)


def test_it_is_decided_once_outside_of_sequential_loops():
    text = text_of(AGAIN)
    first, second, outside = conditions(text)
    assert (first, second) == ("4.0 * m >= 8000000", "3.0 * m >= 8000000")
    assert outside == "4.0 * m >= 8000000"
    assert text.count("#pragma omp parallel for num_threads(threads)") == 2
    _, _, body = text.partition("static void kernel_body(")
    assert "in_parallel" not in body
    alone = kernel_source(parse(AGAIN), Target()).text.partition("static void kernel_body(")[2]
    loops = alone[alone.index("  for (") : alone.index("\n}\n")]
    assert loops in body  # as it is without threads


def test_what_is_parallel_in_a_program_is_one_loop_where_there_is_one_thread():
    scop = parse("param n; input A[n]; output B[n]; for i = 0 to n-1 do B[i] = A[i]; done")
    scop = pn.transform(scop, "parallel i").result
    alone, shared = (kernel_source(scop, Target(threads=n)).text for n in (1, 2))
    assert alone.count("for (int64_t i") == 1
    assert shared.count("for (int64_t i") > 1


def test_work_that_changes_is_decided_inside_too():
    inside, outside = conditions(text_of(ELIMINATION))
    assert outside == "6.0 * (n - 1) * (n - 1) >= 8000000"
    assert inside == "6.0 * (n - k - 1) * (n - k - 1) >= 8000000"


def test_loops_that_run_once_have_clauses_if_others_may_have_enough():
    text = text_of("""
    param n; for i = 0 to n do A[i] = i; done
    for i = 0 to n do for j = 0 to n do B[i][j] = A[j]; done done
    """)
    assert conditions(text) == ["2.0 * (n + 1) * (n + 1) >= 8000000"]
    clauses = re.findall(r"schedule\(guided\) if\((.*)\)", text)
    assert clauses == ["1.0 * (n + 1) >= 8000000", "2.0 * (n + 1) * (n + 1) >= 8000000"]


def test_what_is_shorter_decides_how_much_work_there_is():
    text = "param n, m; for s = 0 to min(n, m)-1 do Z[s] = s; done"
    assert conditions(text_of(text)) == ["1.0 * min(n, m) >= 8000000"]


def test_two_negative_trip_counts_are_no_work():
    text = """
    param n, p, q;
    for k = 1 to n-1 do
      C[k] = C[k-1] + 1;
      for i = k to p do for j = k to q do B[i][j] = B[i][j] + k; done done
    done
    """
    inside, outside = conditions(text_of(text))
    assert outside == "3.0 * p * q >= 8000000"
    assert inside == "3.0 * max(p - k + 1, 0) * max(q - k + 1, 0) >= 8000000"


def test_what_is_known_is_not_asked():
    constant = "param n; for r = 0 to n do for s = 0 to M do A[s] = A[s] + r; done done"
    little = text_of(constant.replace("M", "30000"))
    assert "if (" not in little
    assert "#pragma" not in little
    much = text_of(constant.replace("M", "30000000"))
    assert "if (" not in much.replace("if (first < 0) __builtin_unreachable();", "")
    assert much.count("#pragma") == 1


def test_always_has_one_version_only():
    text = text_of(AGAIN, parallel="outermost")
    assert not conditions(text)
    assert text.count("for (int64_t s") == 2


@pytest.mark.parametrize("choice", ["trip-count", "outermost"])
@pytest.mark.usefixtures("openmp")
def test_the_choice_of_the_paper_does_not_ask(choice):
    """CC'18, section 5.2, decides by trip counts alone."""
    assert not conditions(compile(parse(AGAIN), threads=2, parallel=choice).source)


def test_c_to_read_has_a_clause():
    chain = pn.transform(parse("param N; for i = 0 to N do A[i] = B[i] + 1; done"))
    scop = chain.parallel("i").result
    lines = scop.to_c().splitlines()
    (pragma,) = (line for line in lines if "#pragma" in line)
    assert pragma.endswith("schedule(guided) if(3.0 * (N + 1) >= 8000000)"
                           "  // enough operations to wake threads for")  # fmt: skip
    assert equivalent(scop, parse(scop.to_c(), language="c"), N=[0, 3])


def test_a_large_program_is_compiled_once():
    many = waking.MANY
    text = "param n; input A0[n]; " + "".join(
        f"for i = 0 to n-1 do A{k + 1}[i] = A{k}[i] + 1; done " for k in range(many)
    )
    for loops in (many, many - 1):
        source = text_of(text.rpartition("for")[0] if loops < many else text)
        assert ("kernel_threads" in source) is (loops < many)
        assert source.count("#pragma omp parallel for") == loops
        assert source.count(" if(3.0 * n >= 8000000)") == loops * (loops == many)


SHARED = """
param N, M; define f(x) = x * M + N; input double B[N][N]; temp s;
for k = 0 to N-1 do
  s = B[k][0];
  for i = 0 to N-1 do for j = 0 to N-1 do
    let e = f(B[i][j]);
    A[k][i][j] = e * e + s;
  done done
done
"""


@pytest.mark.usefixtures("openmp")
@pytest.mark.parametrize("text", [AGAIN, ELIMINATION, SHARED])
@pytest.mark.parametrize("worth", [1, 2000, 4_000_000])
def test_both_versions_compute_the_same(text, worth, monkeypatch):
    monkeypatch.setattr(waking, "WORTH", worth)
    scop = parse(text)
    several, one = (compile(scop, threads=k) for k in (2, 1))
    generator = np.random.default_rng(0)
    for n in (1, 5, 40):
        values = dict.fromkeys(scop.parameters, n)
        needed = [a for a in one.signature.arrays if one.signature.needs(a)]
        given = {a.name: generator.random((n,) * len(a.extents)) for a in needed}
        assert "in_parallel" in several.source
        for name, result in several(given, **values).items():
            assert np.array_equal(result, one(given, **values)[name], equal_nan=True)


@pytest.mark.usefixtures("openmp")
def test_two_threads_do_not_cost_where_there_is_little_to_do():
    """It took 800 times as long: threads were woken 4000 times."""
    kernels = {str(k): compile(parse(AGAIN), threads=k) for k in (1, 2)}
    timing = pn.measure(kernels, rounds=40, n=2000, m=64)
    one, two = (min(samples) for samples in timing.samples)
    assert two < 10 * one  # the rest is what other processes do beside


@pytest.mark.parametrize("step", [2, 3, 7])
@pytest.mark.parametrize("down", [False, True])
def test_parts_of_a_loop_with_a_stride_hold_its_last_iteration(monkeypatch, step, down):
    monkeypatch.setattr("polynb.codegen.waking.WORTH", 1)
    head = f"int i = n - 1; i >= 0; i -= {step}" if down else f"int i = 0; i < n; i += {step}"
    scop = pn.parse(f"void f(int n, int A[n]) {{ for ({head}) A[i] = i + 1; }}", "c")
    kernel = pn.compile(scop, threads=2)
    assert "turns" in kernel.source
    for n in (1, 2, 8, 150, 151):
        turns = range(n - 1, -1, -step) if down else range(0, n, step)
        expected = [i + 1 if i in turns else 0 for i in range(n)]
        assert kernel(n=n)["A"].tolist() == expected


def test_one_loop_that_is_worth_it_is_enough():
    n = Affine(((("p", "N"), Fraction(1)),), Fraction(0))
    large, open_ = (Product(Fraction(10**9)),), (Product(Fraction(1), ((n,),)),)
    assert waking._asked([large, open_]) == (frozenset({open_}), True)
    assert waking._asked([open_]) == (frozenset({open_}), False)
    assert waking._asked([None, open_]) == (frozenset({open_}), True)


@pytest.mark.parametrize(("first", "known"), [("4", True), ("m", False)])
def test_a_part_knows_where_its_loop_begins(first: str, known: bool) -> None:
    """Else the condition would be asked in each iteration: random nest 14391 took four times as
    long in parts."""
    scop = pn.parse(f"""param n, m; assume m >= 0; inout b[n][n]; input c[n][n], d[n][n+1];
    for i = {first} to n-1 do for j = 1 to n-1 do
      b[i][j] = b[i][j-1] + (i < 1 ? c[i][j] : d[i][j+1]);
    done done""")
    source = pn.compile(scop, threads=2).source
    assert ("if (first < 4) __builtin_unreachable();" in source) is known
    given = {x: np.random.default_rng(3).random((59, 59 + (x == "d"))) for x in "bcd"}
    found, expected = (
        pn.compile(scop, threads=t)({k: v.copy() for k, v in given.items()}, n=59, m=4)["b"]
        for t in (2, 1)
    )
    np.testing.assert_array_equal(found, expected)
