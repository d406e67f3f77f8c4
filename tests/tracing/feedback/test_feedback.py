"""Feedback on foldings made by hand: Tables 3 and 4 of the paper, and what they say of backprop."""

from dataclasses import replace

import pytest
from hand_made import folding

import polynb as pn
from polynb import PolynbError
from polynb.tracing import Folding, Instruction, LoopOf
from polynb.tracing.feedback import feedback, induction_variables, pruned
from polynb.tracing.feedback.loops import called

N1, N2 = 42, 16
LOOPS = (LoopOf("cj", "j", "layer", 1), LoopOf("ck", "k", "layer", 3, "cj"))
ROWS = [67, 71, 77, 80, 90, 93, 99]
"""Where the rows of conn begin, for j = 1: not affine."""


def backprop() -> Folding:
    """The streams of Tables 1 and 2, with the rows of `conn` anywhere in memory."""

    def made(name, kind, text, loops, order, outputs=(), line=4):
        return Instruction(
            name, kind, line, 1, text, loops, "layer", (), outputs, 1, order, "", (order,)
        )

    both = ("cj", "ck")
    instructions = [
        made("M2", "move", "sum = 0.0", ("cj",), 1, line=2),
        made("I1", "load", "conn[k]", both, 2, ("address",)),
        made("I2", "load", "conn[k][j]", both, 3, ("address",)),
        made("I3", "load", "l1[k]", both, 4, ("address",)),
        made("I4", "float", "sum += conn[k][j] * l1[k]", both, 5),
        made("I5", "integer", "k++", both, 6, ("value",), line=3),
        made("I7", "store", "l2[j]", ("cj",), 7, ("address",), line=5),
        made("I6", "integer", "j++", ("cj",), 8, ("value",), line=1),
    ]
    iv = [(j, k) for j in range(N2) for k in range(N1 + 1)]
    row = [ROWS[k % 7] + 50 * (k // 7) for k in range(N1 + 1)]
    executed = {
        "M2": [((j,), ()) for j in range(N2)],
        "I1": [(p, (p[1] + 12,)) for p in iv],
        "I2": [(p, (p[0] + row[p[1]],)) for p in iv],
        "I3": [(p, (p[1] + 407,)) for p in iv],
        "I4": [(p, ()) for p in iv],
        "I5": [(p, (p[1] + 1,)) for p in iv],
        "I6": [((j,), (j + 2,)) for j in range(N2)],
        "I7": [((j,), (j + 600,)) for j in range(N2)],
    }
    later = [(j, k) for j, k in iv if k]
    dependences = {
        ("I1", "I2"): [(p, p) for p in iv],
        ("I2", "I4"): [(p, p) for p in iv],
        ("I4", "I4"): [((j, k), (j, k - 1)) for j, k in later],
        ("I5", "I5"): [((j, k), (j, k - 1)) for j, k in later],
        ("I5", "I1"): [((j, k), (j, k - 1)) for j, k in later],
        ("I6", "I6"): [((j,), (j - 1,)) for j in range(1, N2)],
        ("I6", "I2"): [((j, k), (j - 1,)) for j, k in iv if j],
        ("I4", "I7"): [((j,), (j, N1)) for j in range(N2)],
        ("M2", "I4"): [((j, 0), (j,)) for j in range(N2)],
    }
    return folding(instructions, executed, dependences, LOOPS)


def test_tables_3_and_4() -> None:
    f = backprop()
    texts = {name: found.label_text(found.pieces[0]) for name, found in f.executed.items()}
    assert [texts[f"I{k}"] for k in range(1, 7)] == [
        "0cj + 1ck + 12", "1cj + ⊤ck + 67", "0cj + 1ck + 407", "N/A", "0cj + 1ck + 1", "1cj + 2",
    ]  # fmt: skip
    assert f["I4", "I4"].label_text(f["I4", "I4"].pieces[0]) == "cj' = cj + 0ck, ck' = 0cj + ck - 1"


def test_induction_variables_go_with_their_dependences() -> None:
    f = backprop()
    assert [*induction_variables(f)] == ["I5", "I6"]
    assert str(induction_variables(f)["I6"]) == "I6 (j++, line 1) is 1cj + 2"
    found = pruned(f)
    assert {(r.source, r.destination, r.at) for r in found.removed} == {
        ("I5", "I5", "I5"), ("I5", "I1", "I5"), ("I6", "I6", "I6"), ("I6", "I2", "I6"),
    }  # fmt: skip
    assert not {"I5", "I6"} & {n for pair in found.kept for n in pair}


def test_an_integer_with_a_top_is_no_induction_variable() -> None:
    i = Instruction("I1", "integer", 1, 1, "x = y", ("ci",), "f", (), ("value",), 4)
    entries = [((c,), (c * c,)) for c in range(5)]
    f = folding([i], {"I1": entries}, {}, [LoopOf("ci", "i", "f", 1)])
    assert not induction_variables(f)


def test_backprop() -> None:
    """Section 2.2: stride 1 along the outer loop, no dependence along it; interchange, with an
    array expansion of sum and a loop over j to fill l2; vectorise and tile."""
    found = feedback(backprop())
    (nest,) = found.nests
    assert found.optim == nest.optim == "T 2D, P, V"
    assert nest.parallel == ("j",)
    assert nest.bands == ((0, 1),)
    strides = {a.instruction.text: a.strides for a in nest.accesses}
    assert strides == {"conn[k]": (0, 1), "conn[k][j]": (1, None), "l1[k]": (0, 1)}
    by_kind = {s.transformation: s for s in found.suggestions}
    assert [*by_kind] == ["parallelise", "interchange", "vectorise", "tile"]
    interchange = by_kind["interchange"]
    assert interchange.loops == ("j", "k")
    assert interchange.lines == (1, 3)
    assert "an array expansion of sum along j" in interchange.needs
    assert "loops over j of their own for what stands outside of k" in interchange.needs
    assert "conn[k][j] moves by one element along j" in interchange.why
    assert "sum" in by_kind["parallelise"].needs[0]


def test_loops_and_lines() -> None:
    found = feedback(backprop())
    (outer,) = found.loops
    (inner,) = outer.children
    assert (outer.operations, outer.own) == (5 * 688 + 3 * 16, 3 * 16)
    assert inner.operations == inner.own == 5 * 688
    assert outer.verdict == "parallel"
    said = "not parallel: carries I4 -> I4, from (0, 0) to (0, 1); a reduction into sum"
    assert inner.verdict == said
    lines = {x.line: x for x in found.lines}
    assert lines[4].executed == 4 * 688
    assert "conn[k][j]: 1 along j, irregular along k" in lines[4].strides
    assert lines[1].verdict == "parallel"
    assert "conn[k][j]" in str(found)
    assert "T 2D, P, V" in str(found)
    assert "induction variables (I5 and I6) were removed" in str(found)


def one_loop(entries, kind="store") -> Folding:
    """A store of A[...] in each of ten iterations, at these addresses of 8 bytes."""
    i = Instruction("I1", kind, 2, 1, "A[i]", ("ci",), "f", (), ("address",), 8, 1, "", (1,))
    executed = {"I1": [((c,), (entries(c),)) for c in range(10)]}
    return folding([i], executed, {}, [LoopOf("ci", "i", "f", 1)])


@pytest.mark.parametrize(
    ("addresses", "stride", "reused"),
    [
        (lambda c: 8 * c, 1, 0),
        (lambda c: 800 - 8 * c, -1, 0),
        (lambda c: 16 * c, 2, 0),
        (lambda c: 64, 0, 1),
        (lambda c: 4 * c, None, 1),
    ],
)
def test_strides_and_reused_memory(addresses, stride, reused) -> None:
    (nest,) = feedback(one_loop(addresses)).nests
    assert nest.accesses[0].strides == (stride,)
    assert len(nest.loops[0].reused) == reused
    assert nest.parallel == ("i",)
    assert nest.loops[0].privatised == (("a copy of what A[i] overwrites",) if reused else ())
    vector = [s for s in nest.suggestions if s.transformation == "vectorise"]
    assert bool(vector) == (stride in (1, -1))


def test_nothing_is_called_parallel_where_something_was_not_seen() -> None:
    seen = one_loop(lambda c: 8 * c)
    assert feedback(seen).nests[0].parallel == ("i",)
    blind = replace(seen, run=replace(seen.run, unseen="threads cannot be followed"))
    found = feedback(blind)
    assert found.nests[0].parallel == ()
    assert found.loops[0].verdict == "not known to be parallel: threads cannot be followed"
    assert found.suggestions == ()
    assert any("threads cannot be followed" in d for d in found.doubts)


def test_what_may_meet_is_said() -> None:
    (nest,) = feedback(one_loop(lambda c: 8 * (c * c % 7))).nests
    (reuse,) = nest.loops[0].reused
    assert not reuse.sure
    assert str(reuse) == "perhaps output I1 -> I1 (A[i])"
    assert "is not affine" in str(feedback(one_loop(lambda c: 8 * (c * c % 7))))


def test_a_skewed_band_is_searched() -> None:
    """A stencil in time: (1, -1) forbids tiling as it is, and another schedule allows it."""
    both = ("ct", "ci")
    i = Instruction("I1", "float", 3, 1, "x", both, "f", (), (), 8, 1, "", (1,))
    iv = [(t, x) for t in range(4) for x in range(6)]
    dependence = [((t, x), (t - 1, x + 1)) for t, x in iv if t and x + 1 < 6]
    loops = [LoopOf("ct", "t", "f", 1), LoopOf("ci", "i", "f", 2, "ct")]
    f = folding([i], {"I1": [(p, ()) for p in iv]}, {("I1", "I1"): dependence}, loops)
    (nest,) = feedback(f).nests
    assert nest.bands == ((0, 0), (1, 1))
    assert nest.searched.width == 2
    assert nest.tilable == 2
    assert nest.parallel == ("i",)
    assert any(s.transformation == "skew and tile" for s in nest.suggestions)


def test_another_thing_is_refused() -> None:
    with pytest.raises(PolynbError, match="folding"):
        feedback("int main(void) { }")


FIGURE_1 = """
#include <stdlib.h>
double squash(double x) { return 1.0 / (1.0 + x * x); }
void layer(double *l1, double *l2, double **conn, int n1, int n2) {
  int j, k;
  double sum;
#pragma scop
  for (j = 1; j <= n2; j++) {
    sum = 0.0;
    for (k = 0; k <= n1; k++)
      sum += conn[k][j] * l1[k];
    l2[j] = squash(sum);
  }
#pragma endscop
}
int main(void) {
  int n1 = 42, n2 = 16, k, j;
  double *l1 = malloc((n1 + 1) * sizeof(double)), *l2 = malloc((n2 + 1) * sizeof(double));
  double **conn = malloc((n1 + 1) * sizeof(double *));
  void **gap = malloc((n1 + 1) * sizeof(void *));
  for (k = 0; k <= n1; k++) {
    conn[k] = malloc((n2 + 1) * sizeof(double));
    gap[k] = malloc(40 * (k % 3));
    l1[k] = k;
    for (j = 0; j <= n2; j++) conn[k][j] = k + j;
  }
  layer(l1, l2, conn, n1, n2);
  return 0;
}
"""


@pytest.mark.long
def test_backprop_that_runs() -> None:
    """Figure 1 with rows of malloc: what was found in Tables 3 and 4 is found in a real run."""
    found = feedback(pn.trace(FIGURE_1))
    (nest,) = found.nests
    assert nest.optim == "T 2D, P, V"
    strides = {a.instruction.text: a.strides for a in nest.accesses}
    assert strides == {"conn[k]": (0, 1), "conn[k][j]": (1, None), "l1[k]": (0, 1)}
    (interchange,) = (s for s in nest.suggestions if s.transformation == "interchange")
    assert interchange.lines == (8, 10)
    assert "an array expansion of sum along j" in interchange.needs
    assert {v.instruction.text for v in found.variables} == {"j = 1", "j++", "k = 0", "k++"}


CALLED_TWICE = """
double a[20], b[20];
void scale(double *x, double f) { for (int i = 0; i < 20; i++) x[i] = f * x[i]; }
void sweep(double *x) { for (int i = 1; i < 20; i++) x[i] = x[i - 1] + x[i]; }
int main(void) {
  for (int t = 0; t < 3; t++) { scale(a, 2.0); scale(b, 0.5); sweep(a); }
  return 0;
}
"""


def test_a_function_called_from_two_places_has_two_loops() -> None:
    """The loop of `scale` is parallel in both calls, the one around them carries, `sweep`'s too."""
    found = feedback(pn.trace(CALLED_TWICE))
    (outer,) = found.loops
    assert [c.loop.function for c in outer.children] == ["scale", "scale", "sweep"]
    assert [c.parallel for c in outer.children] == [True, True, False]
    assert not outer.parallel
    assert outer.operations == sum(c.operations for c in outer.children) + outer.own


def test_a_run_that_crashed_is_said() -> None:
    found = pn.trace("int main(void) { int *p = 0; for (int i = 0; i < 5; i++) p[i] = i; }")
    assert "did not end by itself" in str(feedback(found))


FDTD_LIKE = """
void f(int t, int n, double a[n], double b[n]) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n; i++) a[i] = b[i] + b[i - 1];
    for (int i = 0; i < n - 1; i++) b[i] = a[i] + a[i + 1];
  }
}
"""


def test_a_loop_around_two_that_depend_on_each_other_is_in_no_band_with_them() -> None:
    """Each inner loop alone has no dependence on itself, and both together do."""
    found = feedback(pn.trace(FDTD_LIKE, t=4, n=9))
    assert [n.bands for n in found.nests] == [((0, 0), (1, 1))] * 2
    assert [n.parallel for n in found.nests] == [("i",), ("i",)]
    assert all(n.searched is not None and n.searched.width == 2 for n in found.nests)
    assert {s.transformation for s in found.suggestions} == {
        "parallelise", "vectorise", "skew and tile",
    }  # fmt: skip


def told(text: str):
    found = feedback(pn.trace(text))
    return {loop.loop.line: loop for root in found.loops for loop in root.walk()}, found.nests


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 10; i++)\n if (i % 2) s = s * 3 + 1;",  # each value in its own piece
        "for (int i = 0; i < 10; i++) a[i] = 1;\n for (int i = 0; i < 10; i++) s += a[i];",
        "for (int i = 0; i < 2; i++) s = s * s + a[i];",  # two points are always on a line
    ],
)
def test_what_is_affine_by_chance_is_no_induction_variable(body: str) -> None:
    loops, _ = told(f"static int a[10];\nint main(void) {{ int s = 3;\n {body}\n return s; }}")
    assert loops[max(loops)].carried


def test_a_counter_that_begins_with_what_was_loaded_is_one() -> None:
    """Rows of a sparse matrix: neither loop is sequential for its counter's sake."""
    loops, _ = told(
        "int row[6] = {0, 2, 7, 8, 8, 11}; double a[11], y[5];\nint main(void) {\n"
        " for (int i = 0; i < 5; i++)\n  for (int k = row[i]; k < row[i + 1]; k++)\n"
        "   y[i] += a[k];\n return 0; }"
    )
    assert loops[3].parallel
    assert all("y[i]" in str(r) for r in loops[4].reused)


def test_values_from_outside_that_are_not_made_inside() -> None:
    """`s` is set before the inner loop, and stored after it: i and k may still be interchanged."""
    _, (nest,) = told(
        "double a[9][9], o[9];\nint main(void) {\n for (int i = 0; i < 9; i++) {\n"
        "  double s = a[i][0];\n  for (int k = 0; k < 9; k++) s += a[i][k];\n  o[i] = s; }\n"
        " return 0; }"
    )
    assert nest.bands == ((0, 1),)


@pytest.mark.parametrize(
    ("statement", "needed"),
    [
        ("a[i][j] = a[i+1][j-1] * 2;", "a copy of what a[i][j] overwrites"),
        ("a[0][i+j] = b[j];", "a copy of what a[0][i+j] overwrites"),
        ("a[i][j] = a[i+1][j+1] * 2;", None),
    ],
)
def test_tiling_says_what_it_would_overwrite_too_early(statement: str, needed) -> None:
    _, (nest,) = told(
        f"double a[12][20], b[12];\nint main(void) {{\n for (int i = 0; i < 9; i++)\n"
        f"  for (int j = 1; j < 9; j++) {statement}\n return 0; }}"
    )
    (tile,) = [s for s in nest.suggestions if s.transformation == "tile"]
    assert tile.needs == (() if needed is None else (needed,))


def test_loops_are_called_as_the_source_names_them():
    """An inner one that counts with the iterator of an outer one keeps its own name."""
    loops = {"ci": LoopOf("ci", "i", "f", 1), "ci2": LoopOf("ci2", "i", "g", 5)}
    loops["cw"] = LoopOf("cw", "", "f", 3)
    assert called(loops, ("ci", "ci2", "cw")) == ("i", "ci2", "cw")
    assert called(loops, ("ci2", "cw")) == ("i", "cw")


EACH = """\
int o[12], n = 1, last;
void never(void) { for (int i = 0; i < 5; i++) o[i] = 1; }
void each(int v[3], int m) {
  for (int i = 0; i < 3; i++)
    o[i + m] = v[i] + 1;
}
int main(int argc, char **argv) {
  for (int i = 0; i < n; i++)
    o[i] = i;
  for (int i = 1; i < 12; i++)
    o[i] = o[i - 1] + 1;
  int t = 0;
  for (int i = 0; i < 12; i++) {
    t = o[i] * 2;
    o[i] = t;
  }
  for (int i = 0; i < 12; i++)
    if (o[i] > 90) last = last + i;
  if (argc > 8) never();
  each(o, 6);
  each(o, 1);
  o[2] = t;
  return 0;
}
"""


def test_each_loop_has_one_of_three_verdicts_and_its_own_doubts() -> None:
    found = pn.trace(EACH).feedback()
    rows = {(row[1], row[3]): row[4] for row in found.table().rows}
    verdicts = dict(rows.keys())
    assert verdicts[2].startswith("not known to be parallel: nothing of it ran; a run that enters")
    assert verdicts[8].startswith("not known to be parallel: it had no second iteration; a run")
    assert verdicts[10].startswith("not parallel: carries")
    assert "`last` (line 18) is on a way that this run did not take; one that" in verdicts[17]
    (besides,) = (text for (line, _), text in rows.items() if line == 13)
    assert verdicts[13] == "parallel"
    assert "it needs a copy of t for each iteration" in besides
    assert "the last iteration's value of t (line 14) after it (line 22; OpenMP: last" in besides
    assert [d for d in found.doubts if "one run" not in d] == []


def test_a_line_is_as_bad_as_the_worst_of_its_contexts() -> None:
    found = pn.trace(EACH).feedback()
    grades = [r.grade for r in found.loops if r.loop.line == 4]
    assert sorted(grades) == ["not parallel", "parallel"]
    (line,) = (x for x in found.lines if x.line == 4)
    assert line.verdict.startswith("not parallel")


def test_loops_that_were_not_recorded_are_not_said_to_have_not_run() -> None:
    found = pn.trace(EACH, only="each").feedback()
    assert [r.loop.line for r in found.loops] == [4, 4]
    untold = {r.loop.line: r.verdict for r in found.untold}
    assert untold[8].startswith("not known to be parallel: it is outside of what was recorded")
