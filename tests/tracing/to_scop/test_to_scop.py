"""A traced program as a Scop: expressions, arrays, passes that run on it, and what is refused."""

import numpy as np
import pytest

import polynb as pn
from polynb.source import tree as syntax
from polynb.tracing.to_scop.cells import solved
from polynb.tracing.to_scop.subscripts import expression_tree

GEMM = """
void gemm(int n, double alpha, double A[n][n+1], double B[n+1][n], double C[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0.0;
      for (int k = 0; k <= n; k++)
        s += alpha * A[i][k] * B[k][j];
      C[i][j] = s + C[i][j] * 0.5;
    }
}
"""


def calls(scop: pn.Scop) -> set[str]:
    """The functions of a Scop's expressions."""
    nodes = (e for s in scop.statements for e in syntax.walk(s.expression))
    return {e.function for e in nodes if isinstance(e, syntax.Call)}


@pytest.fixture(scope="module")
def gemm() -> pn.Scop:
    return pn.trace(GEMM, n=7).to_scop()


def test_arrays_have_the_shape_of_the_text(gemm) -> None:
    shapes = {n: [str(e) for e in a.extents] for n, a in gemm.arrays.items()}
    assert shapes == {
        "s": [], "alpha": [],
        "A": ["{ [(7)] }", "{ [(8)] }"], "B": ["{ [(8)] }", "{ [(7)] }"],
        "C": ["{ [(7)] }", "{ [(7)] }"],
    }  # fmt: skip
    roles = {n: a.role for n, a in gemm.arrays.items()}
    assert roles == {"s": "temp", "alpha": "input", "A": "input", "B": "input", "C": "inout"}


def test_what_a_trace_cannot_know_is_said(gemm) -> None:
    assert any("other inputs" in text for text in gemm.observed)
    assert "as one run showed them" in repr(gemm)


def test_expressions_are_the_texts(gemm) -> None:
    assert calls(gemm) == set()
    assert "s + alpha * A[ci][ck] * B[ck][cj]" in str(gemm)
    assert "C[ci][cj] = s + C[ci][cj] * 0.5" in str(gemm)


def test_it_computes_what_the_program_computes(gemm) -> None:
    rng = np.random.default_rng(1)
    a, b, c = rng.random((7, 8)), rng.random((8, 7)), rng.random((7, 7))
    found = pn.compile(gemm)(alpha=2.0, A=a, B=b, C=c)["C"]
    assert np.allclose(found, 2.0 * a @ b + 0.5 * c)


def test_passes_run_on_it(gemm) -> None:
    faster = pn.reorder(gemm)
    assert pn.equivalent(faster)
    assert pn.check(faster)
    without = pn.remove_scalars(gemm)
    assert pn.equivalent(without)


def test_propagation_runs_on_it() -> None:
    text = """
    void f(int n, double A[n], double t[n], double B[n]) {
      for (int i = 0; i < n; i++) t[i] = 2 * A[i];
      for (int j = 0; j < n; j++) B[j] = t[n - 1 - j] + 1;
    }
    """
    scop = pn.trace(text, n=9).to_scop()
    assert calls(scop) == set()
    assert pn.equivalent(pn.propagate(scop))


def test_a_function_that_is_called_is_not_known() -> None:
    text = """
    double half(double x) { return x > 1 ? x / 2 : x; }
    void f(int n, double A[n]) { for (int i = 1; i < n; i++) A[i] = half(A[i - 1]) + A[i]; }
    """
    scop = pn.trace(text, n=6).to_scop()
    (s,) = scop.statements
    assert len(s.reads) == 2
    assert len(calls(scop)) == 1
    (edge,) = [e for e in pn.analyze(scop).edges if e.kind == "raw"]
    assert len(pn.isl.pairs(edge.relation, {})) == 4


def test_a_pointer_that_moves_and_malloc() -> None:
    text = """
    #include <stdlib.h>
    int main(void) {
      int n = 6; double *x = malloc(n * sizeof(double)), *p = x;
      for (int i = 0; i < n; i++) *p++ = 1.5;
      for (int i = 1; i < n; i++) x[i] = x[i] + x[i - 1];
      return 0;
    }
    """
    scop = pn.trace(text).to_scop()
    assert {n: a.dimensions for n, a in scop.arrays.items()} == {"x": 1}
    assert len(scop.statements) == 2


NOT_AFFINE = """
void f(int n, int at[n], double A[n], double B[n]) {
  for (int i = 0; i < n; i++) at[i] = i * i % n;
  for (int i = 0; i < n; i++) B[i] = A[at[i]];
}
"""


def test_what_is_not_affine_is_refused_by_name_line_and_reason() -> None:
    with pytest.raises(pn.PolynbError) as refused:
        pn.trace(NOT_AFFINE, n=7).to_scop()
    assert "A[at[i]]" in str(refused.value)
    assert "line 4" in str(refused.value)
    assert "not affine" in str(refused.value)
    assert "streams=True" in str(refused.value)


def test_with_its_stream_it_reads_some_cell() -> None:
    scop = pn.trace(NOT_AFFINE, n=7, streams=True).to_scop()
    (s,) = [s for s in scop.statements if s.write.array == "B"]
    (read,) = [r for r in s.reads if r.array == "A"]
    assert not read.must
    assert len(pn.isl.pairs(read.relation.intersect_domain(s.domain), {})) == 49


def test_strides_of_rows_and_planes() -> None:
    i, j, k = ((1, 0, 0), 0), ((0, 1, 0), 0), ((0, 0, 1), 0)
    assert solved(3, [((i, j, k), ((20, 5, 1), 0))]) == (20, 5, 1)
    assert solved(3, [((i, j, k), ((21, 5, 1), 0))]) is None
    assert solved(2, [((i, i), ((8, 0, 0), 0))]) == (7, 1)
    assert expression_tree("A[i") is None


ROWS = """
#include <stdlib.h>
void layer(double *l1, double *l2, double **conn, int n1, int n2) {
#pragma scop
  for (int j = 1; j <= n2; j++) {
    double sum = 0.0;
    for (int k = 0; k <= n1; k++)
      sum += conn[k][j] * l1[k];
    l2[j] = sum;
  }
#pragma endscop
}
int main(void) {
  int n1 = 12, n2 = 6;
  double *l1 = calloc(n1 + 1, 8), *l2 = calloc(n2 + 1, 8), **conn = malloc((n1 + 1) * 8);
  void **gap = malloc((n1 + 1) * 8);
  for (int k = 0; k <= n1; k++) { conn[k] = calloc(n2 + 1, 8); gap[k] = malloc(40 * (k % 3)); }
  layer(l1, l2, conn, n1, n2);
}
"""


def test_rows_of_malloc_that_are_only_read_are_an_input() -> None:
    """Figure 1: the rows are anywhere; no store touches them, as the entries show."""
    scop = pn.trace(ROWS, streams=True).to_scop()
    assert scop.arrays["conn"].role == "input"
    found = {(e.kind, e.array) for e in pn.analyze(scop).edges if e.kind == "raw"}
    assert found == {("raw", "sum")}
    (s,) = [s for s in scop.statements if len(s.reads) == 3]
    assert {r.array: r.must for r in s.reads} == {"sum": True, "conn": False, "l1": True}


def test_rows_of_malloc_without_entries_are_refused() -> None:
    with pytest.raises(pn.PolynbError, match=r"conn\[k\]\[j\] \(I\d+, line 8\)") as refused:
        pn.trace(ROWS).to_scop()
    assert refused.value.span is not None
    assert refused.value.span.text == "conn[k][j]"


def test_elements_are_what_the_text_declares() -> None:
    scop = pn.trace(
        """#include <stdlib.h>
int a[9], b[9]; short c[9]; unsigned d[9]; float e[9]; long f[9]; double g[9]; unsigned char h[9];
int main(void) {
  int *m = malloc(9 * sizeof *m);
  for (int i = 0; i < 9; i++) {
    a[i] = b[i]; c[i] = 3; d[i] = g[i]; e[i] = e[i]; f[i] = i; h[i] = d[i]; m[i] = rand();
  }
  return 0;
}"""
    ).to_scop()
    types = {name: str(a.type) for name, a in scop.arrays.items()}
    assert types == {
        **{"a": "int32", "b": "int32", "c": "int16", "d": "uint32", "e": "float", "f": "int64"},
        **{"g": "double", "h": "uint8", "m": "int32", "random_state": "int64"},
    }
    kinds = {(e.source, e.target) for e in pn.analyze(scop).flow_edges if e.array == "random_state"}
    assert len(kinds) == 2, "from number to number, and to what takes it"
