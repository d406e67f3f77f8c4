"""Nests that are alike are decided once, and as each by itself is."""

from itertools import count

import pytest

import polynb as pn
from polynb.dependences import analyze
from polynb.optimising import orders
from polynb.optimising.algorithm import APART, looked_at
from polynb.optimising.alike import likeness
from polynb.optimising.apart import nests_apart
from polynb.optimising.orders import costs_of

PRODUCT = """
void f(int n, int m, int l, double A[n][m], double B[m][l], double C[n][l], double D[l][m],
       double E[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < l; j++) {
      C[i][j] = 0;
      for (int k = 0; k < m; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      E[i][j] = 0;
      for (int k = 0; k < l; k++)
        E[i][j] += C[i][k] * D[k][j];
    }
}"""


WAVES = """
void f(int n, int cells, double A[cells], double B[cells]) {
  for (int t = 0; t < n; t++)
    for (int i = 1; i < cells - 1; i++)
      A[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
  for (int t = 0; t < n; t++)
    for (int i = 1; i < cells - 1; i++)
      B[i] = 0.33 * (B[i - 1] + B[i] + B[i + 1]);
}"""
SKEWED = "its own loops in skewed tiles"


def texts(program, sizes=None):
    scop = pn.parse(program, language="c")
    edges, own = analyze(scop).edges, sizes or {}
    return [
        likeness(nest, [e for e in edges if e.source in nest.by_name and e.target in nest.by_name],
                 [own], nest.schedule)
        for nest in nests_apart(scop)
    ]  # fmt: skip


@pytest.mark.parametrize(("program", "order"), [(PRODUCT, APART), (WAVES, SKEWED)])
def test_each_is_decided_as_by_itself(program, order, monkeypatch):
    scop = pn.parse(program, language="c")
    sizes = {n: 4_000_000 if n == "cells" else 1000 for n in scop.parameters}
    seen = []

    def counting(*args):
        seen[-1] += 1
        return nests(*args)

    def decided():
        seen.append(0)
        found = looked_at(scop, costs_of(scop, sizes))[order]()
        times = [str(s.schedule) for s in found.scop.statements]
        return [str(s) for s in found.decisions], times, found.estimate

    nests = orders.nests
    monkeypatch.setattr(orders, "nests", counting)
    with_others = decided()
    assert len(with_others[0]) > 1
    numbers = count()
    monkeypatch.setattr(orders, "likeness", lambda *_: str(next(numbers)))
    assert decided() == with_others
    assert seen[0] < 0.7 * seen[1]


def test_names_do_not_matter():
    first, second = texts(PRODUCT)
    assert first == second


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("E[i][j] = 0", "E[i][j] = 1"),
        ("E[i][j] += C[i][k] * D[k][j]", "E[i][j] += C[i][k] + D[k][j]"),
        ("E[i][j] += C[i][k] * D[k][j]", "E[i][j] += C[k][i] * D[k][j]"),
        ("E[i][j] += C[i][k] * D[k][j]", "E[i][j] += C[i][k] * C[i][k]"),
        ("double E[n][m]", "float E[n][m]"),
        ("double D[l][m]", "double D[l][m + 1]"),
        ("k < l", "k < l - 1"),
        ("j < m; j++", "j < m; j += 2"),
    ],
)
def test_everything_else_does(old, new):
    assert old in PRODUCT
    first, second = texts(PRODUCT.replace(old, new))
    assert first != second


def test_sizes_matter():
    first, second = texts(PRODUCT, {"n": 10, "m": 20, "l": 30})
    assert first != second
    first, second = texts(PRODUCT, {"n": 10, "m": 30, "l": 30})
    assert first == second


def test_whether_somebody_wants_what_a_nest_writes_matters():
    scop = pn.parse(
        "param N; temp T; for i = 0 to N do T[i] = A[i]; done for i = 0 to N do B[i] = T[i]; done"
    )
    first, second = nests_apart(scop)
    said = [likeness(n, [], [], n.schedule) for n in (first, second)]
    assert said[0] != said[1]
