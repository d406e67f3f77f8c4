"""Tables 1 to 4 of TACO'19 (section 4), from a backprop that runs: rows from malloc, with gaps."""

from __future__ import annotations

import pytest

import polynb as pn
from polynb.folding import TOP

N1, N2 = 42, 16
BACKPROP = """
#include <stdlib.h>

double squash(double x) { return 1.0 / (1.0 + x * x); }

void layerforward(double *l1, double *l2, double **conn, int n1, int n2) {
  double sum;
  int j, k;
  for (j = 1; j <= n2; j++) {
    sum = 0.0;
    for (k = 0; k <= n1; k++)
      sum += conn[k][j] * l1[k];
    STORE
  }
}

int main(void) {
  int n1 = 42, n2 = 16;
  double *l1 = malloc((n1 + 1) * sizeof(double)), *l2 = malloc((n2 + 1) * sizeof(double));
  double **conn = malloc((n1 + 1) * sizeof *conn);
  for (int k = 0; k <= n1; k++) {
    conn[k] = malloc((n2 + 1 + 40 * (k % 3)) * sizeof(double));
    l1[k] = k;
    for (int j = 0; j <= n2; j++) conn[k][j] = k - j;
  }
  layerforward(l1, l2, conn, n1, n2);
  return 0;
}
"""
FIGURE_4 = BACKPROP.replace("STORE", "")
FIGURE_1 = BACKPROP.replace("STORE", "l2[j] = squash(sum);")


@pytest.fixture(scope="module")
def figure_4():
    return pn.trace(FIGURE_4, only="layerforward", streams=True)


def only_piece(folding, key):
    (piece,) = folding[key].pieces
    return piece


def test_the_instructions_are_those_of_figure_4(figure_4):
    found = {n: (i.kind, i.text) for n, i in figure_4.instructions.items() if n[0] == "I"}
    assert found == {
        "I1": ("load", "conn[k]"),
        "I2": ("load", "conn[k][j]"),
        "I3": ("load", "l1[k]"),
        "I4": ("float", "sum += conn[k][j] * l1[k]"),
        "I5": ("integer", "k++"),
        "I6": ("integer", "j++"),
    }


def test_the_streams_are_those_of_table_1(figure_4):
    at = {b.name: b.address for b in figure_4.blocks if b.name in ("conn", "l1")}
    rows = [b.address for b in figure_4.blocks if b.name == "conn[k]"]
    vectors = [[cj, ck] for cj in range(N2) for ck in range(N1 + 1)]
    expected = {
        "I1": lambda cj, ck: [at["conn"] + 8 * ck],
        "I2": lambda cj, ck: [rows[ck] + 8 * (cj + 1)],
        "I3": lambda cj, ck: [at["l1"] + 8 * ck],
        "I4": lambda cj, ck: [],
        "I5": lambda cj, ck: [ck + 1],
    }
    for name, label in expected.items():
        points, labels = figure_4.streams[name]
        assert points.tolist() == vectors
        assert labels.tolist() == [label(*v) for v in vectors]
    points, labels = figure_4.streams["I6"]
    assert points.tolist() == [[cj] for cj in range(N2)]
    assert labels.tolist() == [[cj + 2] for cj in range(N2)]


def test_the_streams_are_those_of_table_2(figure_4):
    same = [[cj, ck] for cj in range(N2) for ck in range(N1 + 1)]
    for pair in (("I1", "I2"), ("I2", "I4")):
        points, labels = figure_4.streams[pair]
        assert points.tolist() == labels.tolist() == same
    points, labels = figure_4.streams["I4", "I4"]
    assert points.tolist() == [v for v in same if v[1] > 0]
    assert labels.tolist() == [[cj, ck - 1] for cj, ck in points.tolist()]


@pytest.mark.parametrize("variant", ["F", "F_W", "F_GG", "F_GG,W"])
def test_table_3(variant):
    folding = pn.trace(FIGURE_4, only="layerforward", variant=variant)
    at = {b.name: b.address for b in folding.blocks if b.name in ("conn", "l1")}
    row = next(b.address for b in folding.blocks if b.name == "conn[k]")
    square = "{ [cj, ck] : 0 <= cj <= 15 and 0 <= ck <= 42 }"
    expected = {
        "I1": (square, (0, 8), at["conn"]),
        "I2": (square, (8, TOP), row + 8),
        "I3": (square, (0, 8), at["l1"]),
        "I4": (square, None, None),
        "I5": (square, (0, 1), 1),
        "I6": ("{ [cj] : 0 <= cj <= 15 }", (1,), 2),
    }
    for name, (polyhedron, coefficients, constant) in expected.items():
        piece = only_piece(folding, name)
        assert piece.domain(folding[name].stream.dimensions).is_equal(pn.isl.Set(polyhedron))
        if coefficients is None:
            assert piece.labels == ()
        else:
            (label,) = piece.labels
            assert (label.coefficients, label.constant) == (coefficients, constant)


def test_table_4():
    folding = pn.trace(FIGURE_4, only="layerforward", variant="F")
    expected = {
        ("I1", "I2"): "{ [cj, ck] -> [cj, ck] : 0 <= cj <= 15 and 0 <= ck <= 42 }",
        ("I2", "I4"): "{ [cj, ck] -> [cj, ck] : 0 <= cj <= 15 and 0 <= ck <= 42 }",
        ("I4", "I4"): "{ [cj, ck] -> [cj, ck - 1] : 0 <= cj <= 15 and 1 <= ck <= 42 }",
    }
    for pair, relation in expected.items():
        assert len(folding[pair].pieces) == 1
        assert folding[pair].relation.is_equal(pn.isl.Map(relation))


def test_it_reads_like_the_tables(figure_4):
    text = str(figure_4)
    assert "8cj + ⊤ck + @conn[k] + 8" in text
    assert "0cj + 8ck + @l1" in text
    assert "cj' = cj + 0ck, ck' = 0cj + ck - 1" in text
    assert "0 ≤ cj ≤ 15, 1 ≤ ck ≤ 42" in text


def test_figure_1_calls_squash_in_a_context_of_its_own():
    folding = pn.trace(FIGURE_1, only="layerforward")
    (squash,) = (i for i in folding.instructions.values() if i.function == "squash")
    assert [c.function for c in squash.place] == ["layerforward", "squash"]
    assert squash.loops == ("cj",)
    (total,) = (i for i in folding.instructions.values() if i.text.startswith("sum +="))
    last = folding[total.name, squash.name].relation
    assert last.is_equal(pn.isl.Map("{ [cj] -> [cj, 42] : 0 <= cj <= 15 }"))
