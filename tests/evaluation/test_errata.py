"""The errata: the notebook has the entries of the table, and readings are really other readings."""

import json
import re
from pathlib import Path

import pytest

import polynb as pn
from polynb import isl
from polynb.dependences import live_ranges
from polynb.evaluation import delicm_readings, folding_readings, graphite_readings, readings
from polynb.evaluation.coverage import REPRODUCTIONS
from polynb.evaluation.errata import ENTRIES, KINDS, table
from polynb.evaluation.paper import PAPER
from polynb.evaluation.published import NoExpansion, NoLostVectors
from polynb.propagation import paper_heuristics
from polynb.reordering import IslOptions, reorder
from polynb.reordering.limit_steps import Repaired
from polynb.run.oracle import equivalent
from polynb.violations import array_dataflow

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def cells(name):
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]


def test_entries_are_numbered_and_of_a_known_kind():
    assert [e.number for e in ENTRIES] == list(range(1, len(ENTRIES) + 1))
    assert {e.kind for e in ENTRIES} == set(KINDS)
    assert {e.paper for e in ENTRIES} == set(REPRODUCTIONS)
    assert [row[0] for row in table().rows] == [e.number for e in ENTRIES]


def test_every_entry_has_a_section_that_says_its_kind():
    text = "\n\n".join(
        "".join(c["source"]) for c in cells("errata") if c["cell_type"] == "markdown"
    )
    found = re.findall(r"^## (\d+)\. (.*)\n\n\*(\w+) · ", text, re.MULTILINE)
    assert found == [(str(e.number), e.title, e.kind) for e in ENTRIES]


def test_cells_are_short():
    code = [c for c in cells("errata") if c["cell_type"] == "code"]
    assert max(len(c["source"]) for c in code) <= 25


# -- CC'18 -----------------------------------------------------------------------------------

TWICE = """param N;  temp tmp;
for i = 0 to N do R: tmp[i] = A[i]; done
for j = 0 to N do S: A[j] = 0; T: B[j] = tmp[j]; U: A[j] = 1; done"""


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("fig7b", {"piw": readings.piw_for_all}),
        ("fig7b", {"overwritten": readings.or_for_all}),
        (TWICE, {"overwritten": readings.or_for_all_in_piw}),
    ],
)
def test_for_all_is_wrong(text, reading):
    scop = pn.parse(pn.gallery.text(text) if text == "fig7b" else text, assume="N >= 1")
    wrong = readings.propagate_with(scop, **reading)
    assert not equivalent(wrong)
    assert equivalent(pn.propagate(scop))
    assert "tmp" in pn.propagate(scop).result.arrays


def test_a_pass_that_runs_meanwhile_reads_as_it_is_meant():
    scop = pn.parse(pn.gallery.text("fig7b"), assume="N >= 1")
    meanwhile = []

    def for_all(war, raw):
        meanwhile.append(pn.propagate(scop).result)
        return readings.piw_for_all(war, raw)

    wrong = readings.propagate_with(scop, piw=for_all)
    assert meanwhile
    assert all("tmp" in other.arrays for other in meanwhile)
    assert "tmp" not in wrong.result.arrays


def test_the_kinder_piw_finds_writes_that_have_nothing_to_do_with_a_target():
    dependences = pn.analyze(
        pn.parse("""param N;  temp t;
        for i = 0 to N do if i % 2 == 0 then R: t[i] = A[i]; fi done
        for k = 0 to N do K: A[k] = 0; done
        for j = 0 to N do T: B[j] = t[j]; done""")
    )
    (edge,) = dependences.flow("t").edges
    test = pn.reload_test(dependences, edge)
    meant, kind = test.operands[0].piw["K"], readings.piw_for_all_that_feed(test)["K"]
    assert meant.is_strict_subset(kind)
    assert {j % 2 for _, (j,) in isl.pairs(kind.subtract(meant), {"N": 4})} == {1}


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("for i = 0 to N do if i <= 1 then A[i] = B[2*i] + 1; else A[i] = 0; fi done", True),
        ("if i == 0 A[i] = 0; fi", False),  # no then
        ("A[0] = 1.5;", False),
        ("A[0] = f(1);", False),
        ("A[i*j] = 0;", False),
    ],
)
def test_what_is_in_the_language_of_figure_3(text, inside):
    assert readings.in_figure_3(text) is inside


def test_the_ratios_of_table_4():
    """The abstract has "6 out of 7" and "up to 2.03"."""
    times = [(r.polymage_ms, r.polymage_gcc_ms, r.polymage_icc_ms) for r in PAPER.values()]
    ratios = [
        [t / r.propagated_ms for t in ts] for ts, r in zip(times, PAPER.values(), strict=True)
    ]
    assert [sum(r > 1 for r in of) for of in zip(*ratios, strict=True)] == [4, 4, 5]
    assert f"{max(map(max, ratios)):.2f}" == "2.14"


def test_heuristics_of_the_published_program():
    gathered = pn.parse("""param N;  input int32 idx[N];  input A[N];  temp t[N];
        for i = 0 to N-1 do t[i] = A[idx[i]]; done
        for j = 0 to N-1 do B[j] = t[j]; done
        for k = 0 to N-1 do C[k] = t[k]; done""")
    expanded = pn.parse("""param N;  temp s;
        for i = 0 to N-1 do s[i] = A[i] / B[i]; done
        for i = 0 to N-1 do for j = 0 to N-1 do out[i][j] = s[i] * C[j]; done done""")
    one_operand = pn.parse(str(expanded).replace("A[i] / B[i]", "A[i]"))

    def left(scop, *heuristics):
        return pn.propagate(scop, heuristics=(*heuristics, *paper_heuristics())).result.temporaries

    assert left(gathered) == left(expanded) == ()
    assert left(gathered, NoLostVectors()) == ("t",)
    assert left(expanded, NoLostVectors()) == ()
    assert left(expanded, NoExpansion()) == ("s",)
    assert left(one_operand, NoExpansion()) == left(gathered, NoExpansion()) == ()


def test_propagation_introduces_the_anti_dependences_of_what_is_read_later():
    """Section 4 has "never [...] introduce new scheduling constraints". With three statements an
    order is legal before, and not after; with loops, what is new are the later pairs of PIW."""
    three = pn.parse("temp t; S: t = A[0]; T: B[0] = t; U: A[0] = 1;")
    found = pn.propagate(three)
    assert found.result.temporaries == ()
    assert equivalent(found)
    assert pn.check(three, "{ S[] -> [0]; U[] -> [1]; T[] -> [2] }")
    verdict = pn.check(found, "{ U[] -> [1]; T[] -> [2] }")
    assert [(c.kind, c.array) for c in verdict.conflicts] == [("live-in", "A")]

    loops = pn.parse("""param N;  temp t;
    for i = 0 to N do S: t[i] = A[i]; done
    for i = 0 to N do T: B[i] = t[i]; U: A[i] = 1; done""")
    dependences = pn.analyze(loops)
    (edge,) = dependences.flow("t").edges
    (read,) = pn.reload_test(dependences, edge).operands
    at = {s.name: s.schedule for s in loops.statements}
    new = read.piw["U"].reverse().intersect(at["T"].lex_lt_map(at["U"]))
    assert new.is_equal(isl.Map("[N] -> { T[i] -> U[i] : 0 <= i <= N }"))
    assert pn.analyze(pn.propagate(loops).result).war.is_equal(new.to_union_map())


def test_one_pair_of_tables_3_and_4_is_not_rounded():
    """Best of harris is the propagated program, which Table 3 has in both rows."""
    harris = PAPER["harris"]
    assert (harris.best_ms, harris.propagated_ms) == (7.2, 7.29)
    assert f"{harris.propagated_ms:.1f}" != f"{harris.best_ms:.1f}"


# -- IMPACT'16 -------------------------------------------------------------------------------


def test_references_are_the_papers():
    ranges = live_ranges(pn.gallery.load("lrr_listing1"))
    names = readings.references_as_printed(ranges)
    assert sorted(set(names.values())) == [f"R{k}" for k in range(8)]
    assert names["S4", None] == "R6"
    shared = readings.reorder_with_shared_references(ranges.scop)
    assert str(shared.result) == str(reorder(ranges.scop).result)
    assert len(set(live_ranges(ranges.scop).references.values())) == 9


def test_isl_forgets_a_live_range_of_two_statements():
    """isl's scheduler, asked for a sequence, lets the loop run up: T reads another value. polynb
    sees it, and asks again."""
    domain = isl.read_union_set("[n] -> { S[i] : 0 <= i < n; T[] : n > 0 }")
    live = isl.read_union_map("[n] -> { S[0] -> T[] : n > 0 }")
    order = isl.read_union_map("[n] -> { S[i] -> S[j] : 0 <= j < i < n }")
    asked = isl.ScheduleConstraints.on_domain(domain).set_validity(live)
    times = asked.set_conditional_validity(live, order).compute_schedule().get_map()
    turned = order.subtract(times.lex_lt_union_map(times))
    assert not turned.intersect_range(live.domain()).is_empty()

    scop = pn.parse("""void f(int n, double A[n], double x[1]) {
      double t;
    #pragma scop
      for (int i = n - 1; i >= 0; i--) t = A[i];
      x[0] = t;
    #pragma endscop
    }""")
    derivation = reorder(scop, scheduler="isl", options=IslOptions(serialize_sccs=True))
    assert sum(isinstance(s, Repaired) for s in derivation.steps) == 1
    assert equivalent(derivation)


# -- DeLICM ----------------------------------------------------------------------------------

OPERATION = """param N;  temp a;
for i = 0 to N do T: a = A[i] + 1; S: B[i] = 2 * a; done"""
LOAD = """param N;  temp a;
for i = 0 to N do T: a = A[i]; U: A[i] = 0; S: B[i] = 2 * a; done"""
FORMER = """param N, K;  assume K >= 1;  temp c, d;
for i = 0 to N-1 do
  W: A[i] = 7; T: c = 0; for k = 0 to K-1 do S: c = c + B[k]; done
  E: d = 7; U: A[i] = d + c;
done"""
LATER = """param N;  assume N >= 1;  temp s;
for i = 0 to N do
  if i < N then D: s = B[i]; fi T: A[i] = s * 2; if i < N then U: E[0] = E[0] + s; fi
done"""


def test_what_is_speculatable_is_copied_and_what_is_not_is_not():
    operation, load = pn.parse(OPERATION), pn.parse(LOAD)
    assert delicm_readings.forward_inverted(operation).result is operation
    assert not equivalent(delicm_readings.forward_inverted(load))
    assert pn.forward_operands(operation).result is not operation
    assert pn.forward_operands(load).result is load


@pytest.mark.parametrize("number", [2, 3, 4])
def test_the_papers_own_listings_do_not_show_what_is_the_wrong_way_round(number):
    program = pn.gallery.load(f"delicm_listing{number}")
    as_printed = delicm_readings.forward_inverted(program).result
    assert str(as_printed) == str(pn.forward_operands(program).result)


def test_an_operation_that_asks_about_itself_gets_no_answer():
    (step,) = pn.forward_operands(pn.parse(OPERATION)).steps
    with pytest.raises(RecursionError):
        delicm_readings.can_forward_tree(step.tree, itself=True)
    assert delicm_readings.can_forward_tree(step.tree)
    assert not delicm_readings.can_forward_tree(step.tree, inverted=True)


def test_united_knowledge_has_what_is_not_there_any_more():
    scop = pn.parse(FORMER)
    wrong, right = delicm_readings.map_uniting(scop), pn.map_scalars(scop)
    assert wrong.result.temporaries == ()
    assert not equivalent(wrong)
    assert right.result.temporaries == ("d",)
    assert equivalent(right)


def test_what_is_read_once_more_is_where_the_last_use_says():
    scop = pn.parse(LATER)
    assert delicm_readings.map_by_definition(scop).result.temporaries == ("s",)
    found = pn.map_scalars(scop)
    assert found.result.temporaries == ()
    assert equivalent(found)


def test_the_scalars_of_a_mapped_scalar_are_those_of_its_writes():
    """Line 19 of Listing 5 asks for those of the scalar itself, which has none."""
    chain = pn.parse("""param N, K;  temp c, d;
    for i = 0 to N-1 do
      T: c = 0; for k = 0 to K-1 do S: c = c + B[k]; done D: d = 2 * c; U: A[i] = d;
    done""")
    assert delicm_readings.map_without_adjacent(chain).result.temporaries == ("c",)
    found = pn.map_scalars(chain)
    assert found.result.temporaries == ()
    assert equivalent(found)


def test_listing_4_is_another_program_where_its_loop_does_not_run():
    first, fourth = (pn.gallery.load(f"delicm_listing{k}") for k in (1, 4))
    assert not equivalent(first, fourth, K=0)
    assert equivalent(first, fourth, K=[1, 2, 3])


# -- GRAPHITE --------------------------------------------------------------------------------


def test_from_the_outermost_level_inwards_a_read_gets_the_value_of_an_iteration_before():
    scop = pn.parse("param N; temp t; for i = 0 to N do S: t = A[i]; R: B[i] = t; done")
    (wrong,) = graphite_readings.dataflow_outermost_first(scop)
    (right,) = array_dataflow(scop)
    assert right.relation.is_equal(pn.analyze(scop).flow_edges[0].relation)
    before = isl.Map("[N] -> { S[i] -> R[i + 1] : 0 <= i < N }")
    assert before.is_subset(wrong.relation)


def test_sources_in_another_order_give_a_read_the_value_that_is_overwritten():
    """Of two sources at one level; where there is one source of a level, the order is no matter."""
    twice = pn.parse(
        "param N; temp t; for i = 0 to N do S: t = A[i]; T: t = B[i]; R: C[i] = t; done"
    )
    assert [e.source for e in graphite_readings.dataflow_ascending(twice)] == ["S"]
    assert [e.source for e in array_dataflow(twice)] == ["T"]
    once = pn.gallery.load("matmul_fig1")
    found, known = graphite_readings.dataflow_ascending(once), array_dataflow(once)
    assert [(e.source, e.target) for e in found] == [(e.source, e.target) for e in known]
    assert all(a.relation.is_equal(b.relation) for a, b in zip(found, known, strict=True))


# -- TACO'19 ---------------------------------------------------------------------------------


def test_foldings_as_printed_are_others_and_leave_the_program_as_it_is():
    square = [(i, j) for i in range(6) for j in range(6)]
    rows = [i for i, _ in square]
    first = folding_readings.fold_with(square, folder=folding_readings.PointFirst)
    merged = folding_readings.fold_with(square, rows, along=folding_readings.merge_as_printed)
    assert (len(first.pieces), len(merged.pieces)) == (3, 6)
    assert len(pn.fold(square, rows, kind="dependence", variant="F").pieces) == 1
    assert len(folding_readings.fold_with(square, rows).pieces) == 1


def test_a_diagonal_as_printed_gives_a_label_that_never_was():
    stream = {(0, 2, 1): -1, (0, 2, 2): -2, (1, 1, 2): -2, (1, 2, 1): -2}
    entries = list(stream), list(stream.values())
    inside = folding_readings.inside_as_printed
    (wrong,) = folding_readings.fold_with(*entries, inside=inside).pieces
    assert wrong.labels[0]((1, 2, 1)) == -1
    right = folding_readings.fold_with(*entries)
    assert right.is_affine
    assert len(right.pieces) > 1


def test_rows_compared_where_they_begin_claim_what_is_not():
    nine = [(i, j) for i in range(3) for j in range(3)]
    labels = [0, 4, 10, 1, 5, 30, 2, 9, 12]
    agreement = folding_readings.agreement_of_anchors
    wrong = folding_readings.fold_with(nine, labels, kind="instruction", agreement=agreement)
    assert wrong.pieces[0].labels[0].difference((1, 2), (0, 2)) == 1
    right = pn.fold(nine, labels).pieces[0].labels[0]
    assert right.difference((1, 2), (0, 2)) is None


def test_the_contribution_is_taken_at_the_initial_point():
    """Line 12 of Algorithm 3 takes the coefficient that is never known."""
    two = folding_readings.Known(7, [4], [0])
    third = folding_readings.Known(15, [None], [2])
    assert folding_readings.extends(two, third, 0)
    assert not folding_readings.extends(two, third._replace(remaining=16), 0)
    with pytest.raises(TypeError):
        folding_readings.extends(two, third, 0, printed=True)
