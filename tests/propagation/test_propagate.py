"""What propagation decides, and why."""

import pickle

import islpy
import pytest

import polynb as pn
from polynb import isl
from polynb.propagation.steps import ArrayKept, ReloadTested, StatementSplit
from polynb.run.oracle import equivalent
from polynb.scop.access import inconsistency
from polynb.source.tree import Cast, walk


def test_a_live_out_array_says_what_would_help() -> None:
    text = "param N; for i = 0 to N do t[i] = a[i]; b[i] = t[i]; done"
    d = pn.propagate(pn.parse(text))
    assert d.why("t") == (
        "t is kept: it may be used later. Add `temp t;` or `--temp t` if it is not."
    )
    text = "void f(int n, double a[n], double b[n], double t[n]) { for (int i = 0; i < n; i++) "
    d = pn.propagate(pn.parse(text + "{ t[i] = a[i]; b[i] = t[i]; } }"))  # C has no `temp`
    assert d.why("t") == "t is kept: it may be used later. Add `--temp t` if it is not."


def test_arrays_and_keep_choose_what_is_tried() -> None:
    text = "param N; temp s, t; for i = 0 to N do s = a[i]; t = s; b[i] = t; done"
    scop = pn.parse(text)
    only = pn.propagate(scop, arrays=["s"]).result
    assert "s" not in only.arrays
    assert "t" in only.arrays
    kept = pn.propagate(scop, keep=["s"]).result
    assert "s" in kept.arrays
    assert "t" not in kept.arrays
    with pytest.raises(pn.PolynbError, match="no array 'u'"):
        pn.propagate(scop, keep=["u"])


def test_the_result_may_be_propagated_again() -> None:
    scop = pn.gallery.load("fig1")
    first = pn.propagate(scop, arrays=["s"])
    second = pn.propagate(first)
    assert second.stages == (scop, first.result, second.result)
    assert "tmp" not in second.result.arrays


def test_an_exhausted_budget_changes_nothing_and_says_so() -> None:
    d = pn.propagate(pn.gallery.load("fig1"), max_operations=10)
    assert [s.name for s in d.result.statements] == [s.name for s in d.before.statements]
    assert "operations" in d.why("tmp")
    assert "tmp" not in pn.propagate(pn.gallery.load("fig1")).result.arrays


def test_an_array_that_a_guard_reads_stays() -> None:
    """Its statement is no place for the expression: whether it runs, the array decides."""
    text = (
        "param N; input A; output B; temp t[N+1]; for i = 0 to N do S: t[i] = A[i] - 0.5; "
        "if t[i] > 0 then T: B[i] = t[i] * 2; fi done"
    )
    d = pn.propagate(pn.parse(text))
    assert "t" in d.result.arrays
    assert "whether T runs depends on data" in d.why("t")
    assert equivalent(d)


def test_what_is_read_beside_an_element_that_data_chooses() -> None:
    """Only what chooses the element is out of reach."""
    head = "param N; input int64 ix[N+1]; input A, C; temp int64 t[N+1]; output B; "
    loop = "for i = 0 to N do S: t[i] = ix[i]; T: B[i] = {0}; done"
    beside = pn.propagate(pn.parse(head + loop.format("t[i] + C[ix[i]]")))
    assert "t" not in beside.result.arrays
    assert equivalent(beside)
    chooses = pn.propagate(pn.parse(head + loop.format("C[t[i]]")))
    assert "T uses it to choose an element of C" in chooses.why("t")


def test_parts_of_edges() -> None:
    text = (
        "param N, M; temp t; for i = 0 to N do t[i] = a[i]; done "
        "for k = 0 to M do a[k] = 0; done for j = 0 to N do b[j] = t[j]; done"
    )
    scop = pn.parse(text, assume="0 <= M && M < N")
    whole = pn.propagate(scop)
    assert "t is kept" in whole.why("t")
    partly = pn.propagate(scop, partial=True)
    split = [s for s in partly.steps if isinstance(s, StatementSplit)]
    assert len(split[0].pieces) == 2
    writer = next(s for s in partly.result.statements if s.write.array == "t")
    expected = isl.read_set("[N, M] -> { S0[i] : 0 <= i <= M }")
    assert writer.domain.intersect_params(scop.context).is_equal(
        expected.intersect_params(scop.context)
    )
    assert equivalent(partly, N=[1, 5], M=[0, 2, 3])


def test_storing_in_a_narrower_type_becomes_a_cast() -> None:
    text = (
        "param N; input double a; temp float t; for i = 0 to N do t[i] = a[i] * a[i]; done "
        "for i = 0 to N do b[i] = t[i] + 1; done"
    )
    d = pn.propagate(pn.parse(text))
    (s,) = d.result.statements
    assert [x.type.name for x in walk(s.expression) if isinstance(x, Cast)] == ["float"]
    assert equivalent(d)


def test_integer_division_through_a_floating_temporary_stays_floating() -> None:
    text = "param N; temp t; for i = 0 to N do t = i; b[i] = t / 2; done"
    d = pn.propagate(pn.parse(text))
    assert "t" not in d.result.arrays
    assert equivalent(d)


def test_nothing_is_propagated_into_or_out_of_data_dependent_accesses() -> None:
    """t is kept: it chooses an element; lut is kept: an element of it is chosen. u is neither."""
    text = (
        "param N; temp int64 t; temp u, lut; for i = 0 to N do t[i] = a[i]; lut[i] = 2 * i; done "
        "for i = 0 to N do u[i] = lut[t[i]]; done for i = 0 to N do b[i] = u[i]; done"
    )
    d = pn.propagate(pn.parse(text))
    assert "choose an element of lut" in d.why("t")
    assert "depends on data" in d.why("lut")
    assert "u" not in d.result.arrays
    assert equivalent(d)


def test_a_value_found_by_data_is_read_again_only_if_nothing_of_its_array_changes() -> None:
    text = (
        "param N; temp u; inout lut; for i = 0 to N do u[i] = lut[idx[i]]; done "
        "lut[0] = 7; for i = 0 to N do b[i] = u[i]; done"
    )
    d = pn.propagate(pn.parse(text))
    assert "S1() overwrites lut[0], which S0(0) reads, before S2(0)" in d.why("u")
    same = pn.propagate(pn.parse(text.replace("lut[0] = 7", "idx2[0] = 7")))
    assert "u" not in same.result.arrays
    assert equivalent(same)


def test_flow_inside_an_array_is_followed_sources_first() -> None:
    text = (
        "param N, p; temp x; for i = 0 to N do x = A[i]; if p == 1 then x = x + 3; fi "
        "B[i] = x; done"
    )
    d = pn.propagate(pn.parse(text))
    assert "x" not in d.result.arrays
    assert equivalent(d, N=[0, 3], p=[0, 1])


def test_every_step_has_a_sentence_and_pickles() -> None:
    for name in ("fig1", "fig5", "fig7a", "fig7b", "fig9a"):
        d = pickle.loads(pickle.dumps(pn.propagate(pn.gallery.load(name), partial=True)))
        for step in d.steps:
            assert str(step)[-1] in ".`"


def test_every_rejection_carries_a_witness_that_an_enumeration_confirms() -> None:
    d = pn.propagate(pn.gallery.load("fig7b"))
    kept = next(s for s in d.steps if isinstance(s, ArrayKept))
    assert kept.test is not None
    w = kept.test.witness
    assert w is not None
    reader, writer, target = (d.before.by_name[n] for n in w.statements)
    read = {
        c for i, c in isl.pairs(reader.reads[0].relation, w.parameters) if i == w["source"].point
    }
    written = {
        c for i, c in isl.pairs(writer.write.relation, w.parameters) if i == w["writer"].point
    }
    assert read == written
    times = [
        dict(isl.pairs(s.schedule.intersect_domain(s.domain), w.parameters))[i.point]
        for s, i in zip((reader, writer, target), w.instances.values(), strict=True)
    ]
    assert times[0] <= times[1] < times[2]


def test_an_iterator_is_rewritten_without_a_split_where_one_source_reaches_all() -> None:
    text = (
        "param N; temp t; for i = 0 to 50 do t[i] = a[i]; done "
        "for j = 0 to N do b[j] = t[min(j, 50)]; done"
    )
    d = pn.propagate(pn.parse(text))
    (s,) = d.result.statements
    assert not [x for x in d.steps if isinstance(x, StatementSplit)]
    assert s.reads[0].relation.is_equal(
        isl.read_map(
            "[N] -> { S1[j] -> a[x] : 0 <= j <= N and x = j and j <= 50; "
            "S1[j] -> a[50] : 50 < j <= N }"
        )
    )
    assert equivalent(d, N=[0, 3, 49, 52])


def test_the_reload_test_of_a_target_that_overwrites_its_operand() -> None:
    text = (
        "param N; temp t; for i = 0 to N do t[i] = a[i] + 1; done "
        "for j = 0 to N do a[j] = t[j]; done"
    )
    d = pn.propagate(pn.parse(text))
    tested = next(s for s in d.steps if isinstance(s, ReloadTested)).test
    assert tested.complete
    assert not tested.operands[0].piw["S1"].is_empty()
    assert tested.operands[0].overwritten.is_empty()


def test_shared_subexpressions_stay_shared() -> None:
    stages = " ".join(
        f"for i = 0 to N do t{k + 1}[i] = t{k}[i] * t{k}[i] + t{k}[i]; done" for k in range(40)
    )
    temps = ", ".join(f"t{k}" for k in range(1, 40))
    scop = pn.parse(f"param N; temp {temps}; {stages}")
    (s,) = pn.propagate(scop).result.statements
    assert sum(1 for _ in walk(s.expression)) < 200


def test_an_iterator_that_becomes_one_of_several_constants_stays_64_bits_wide():
    scop = pn.parse("""param N; assume N >= 0; output int64 o; temp int64 t;
    for i = 2 to 4 by 2 do
      if i == 2 or N > 3 then t = i * 2000000000; fi
    done
    o = t;""")
    done = pn.propagate(scop)
    assert "t" not in done.result.arrays
    assert equivalent(done)
    assert equivalent(done.result, pn.parse(str(done.result)))


def test_names_may_be_one_text() -> None:
    text = "param N; temp s, t; for i = 0 to N do s = a[i]; t = s; b[i] = t; done"
    scop = pn.parse(text)
    assert "t" in pn.propagate(scop, arrays="s").result.arrays
    kept = pn.propagate(scop, keep="s, t").result
    assert {"s", "t"} <= set(kept.arrays)


@pytest.mark.parametrize("function", [pn.propagate, pn.analyze, pn.compile])
def test_what_is_no_program_is_refused(function) -> None:
    with pytest.raises(pn.PolynbError, match="a program is needed, not str") as caught:
        function("param N;")
    assert "pn.parse" in str(caught.value.hint)


def test_what_is_done_between_two_steps_is_not_limited():
    steps = pn.propagate.steps(pn.gallery.load("fig1"), max_operations=100_000)
    assert [str(s) for s in steps if islpy.DEFAULT_CONTEXT.get_max_operations()] == []


def test_a_budget_may_end_anywhere():
    scop = pn.gallery.load("harris")
    for operations in (1700, 1730, 1830, 2030, 2130, 3000):
        done = pn.propagate(scop, max_operations=operations)
        assert any("used up" in str(s) for s in done.steps)


@pytest.mark.parametrize(("form", "statements"), [(True, 6), ("scalars", 6), ("strips", 2)])
def test_figure_10_with_recurrences(form: bool | str, statements: int) -> None:
    d = pn.propagate(pn.gallery.load("fig10"), recurrences=form)
    assert len(d.result.statements) == statements
    assert sum("f(" in str(s) for s in str(d.result).splitlines()) == (1 if statements == 2 else 3)
    assert equivalent(d, N=[0, 1, 2, 5, 300])


def test_a_form_of_recurrences_that_there_is_not() -> None:
    with pytest.raises(pn.PolynbError, match="no form of recurrences 'rings'"):
        pn.propagate(pn.gallery.load("fig10"), recurrences="rings")


def test_divisions_whose_remainder_is_known_are_not_printed() -> None:
    text = (
        "param N; temp t; for i = 0 to N do t[i] = a[2*i]; done "
        "for j = 0 to N do if mod(j, 2) == 0 then b[j] = t[floord(j, 2)]; fi done"
    )
    assert "floord" not in str(pn.propagate(pn.parse(text)).result)


def test_a_witness_may_be_of_a_later_operand():
    """At N = 0 nothing writes A in between, and something C."""
    scop = pn.parse(
        "param N; temp t; for i = 0 to N do S: t[i] = A[i] + C[i]; done "
        "for i = 1 to N do V: A[i] = 0; done for i = 0 to N do W: C[i] = 0; done "
        "for i = 0 to N do R: B[i] = t[i]; done"
    )
    ranges = pn.analyze(scop)
    (edge,) = (e for e in ranges.edges if e.kind == "raw")
    found = [pn.reload_test(ranges, edge).witness_at({"N": n}).cell for n in (0, 1)]
    assert found == ["C[0]", "A[1]"]


CHOSEN = """param N; assume N >= 3; input float a[N+1], f[N]; output float b[N]; temp float t[8][N];
for c = 0 to 7 do for i = 0 to N-1 do
  if i == 0 then t[c][i] = 3; else t[c][i] = a[i] * (c / 7.0f) + a[i+1]; fi
done done
for i = 0 to N-1 do
  let k = min(max(int32(f[i]), 0), 6);
  b[i] = t[k][i] + 2.0f * t[k+1][i];
done"""


def test_of_planes_that_data_chooses_from_only_the_chosen_ones_are_evaluated() -> None:
    scop = pn.parse(CHOSEN)
    assert "depends on data" in pn.propagate(scop).why("t")
    d = pn.propagate(scop, by_data=True)
    assert list(d.result.arrays) == ["a", "f", "b"]
    assert "a[i] * ((int64_t)k / 7.0f) + a[i + 1]" in d.result.to_c()
    assert inconsistency(d.result) is None
    assert equivalent(d)
    assert str(pn.prove(d)) == "the same: proved for every N"


@pytest.mark.parametrize(
    ("of", "other"),
    [
        ("c = 0 to 7 do for", "c = 0 to 6 do for"),  # a plane is not written
        ("float t[8]", "float t[9]"),  # or may not be
        ("i == 0", "c <= i"),  # which statement wrote it depends on the plane
        ("let k", "t[3][N-1] = 0; let k"),  # a cell of it changes
        ("let k", "a[i+1] = 0; let k"),  # or what it was computed from
    ],
)
def test_but_where_one_statement_wrote_all_of_them(of: str, other: str) -> None:
    text = CHOSEN.replace("input float a[N+1],", "inout float a[N+1]; input float")
    d = pn.propagate(pn.parse(text), by_data=True)
    assert "t" not in d.result.arrays
    d = pn.propagate(pn.parse(text.replace(of, other)), by_data=True)
    assert "t" in d.result.arrays


def test_what_data_chooses_among_is_kept_with_the_reason_that_by_data_leaves() -> None:
    text = "param N; input int32 k[N]; temp t; for i = 0 to N-1 by 2 do t[i] = a[i]; done "
    text += "for i = 1 to N-1 by 2 do t[i] = c[i]; done for i = 0 to N-1 do b[i] = t[k[i]]; done"
    paper = "which S0 writes what S2 reads depends on data"
    more = ", and not surely all cells that S2 may read hold what S0 wrote"
    assert pn.propagate(pn.parse(text)).why("t").endswith(f"{paper}.")
    assert pn.propagate(pn.parse(text), by_data=True).why("t").endswith(f"{paper}{more}.")


@pytest.mark.parametrize("change", ["t[m[i]][i] = 7;", "if a[i] > 1 then t[2][i] = 7; fi"])
def test_what_may_have_been_overwritten_is_not_chosen_from(change):
    """Where data decides whether a cell changes, or which one, its first writer is not the only
    one, although each cell may hold what that wrote."""
    text = f"""param N; input int32 k[N], m[N]; input a[N]; output b[N]; temp t[4][N];
    for p = 0 to 3 do for i = 0 to N-1 do t[p][i] = a[i] * p; done done
    for i = 0 to N-1 do {change} done
    for i = 0 to N-1 do b[i] = t[k[i]][i]; done"""
    d = pn.propagate(pn.parse(text), by_data=True, partial=True, heuristics=())
    assert str(d.result) == str(d.before)
