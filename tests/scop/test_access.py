"""Relations and nodes change together, and agree."""

import re
from dataclasses import replace

import pytest

import polynb as pn
from polynb import gallery, isl
from polynb.errors import PolynbError
from polynb.recurrences.carry import carry_recurrences, with_recurrences
from polynb.rewriting.remainders import plain_remainders
from polynb.run.oracle import equivalent
from polynb.schedules import contract
from polynb.scop.access import inconsistency, restricted, with_relation
from polynb.source.scoplang.printer import print_expression

LARGE = {"sat", "harris", "camera_pipe", "pyramid_blending", "interpolate", "local_laplacian"}
LARGE |= {"stap", "durbin", "gemm_o1", "2mm_o1", "atax_o1", "mvt_o1", "jacobi_1d_o1"}
SMALL = [n for n in gallery.names() if n not in LARGE]  # at most nine statements


def scop_of(text, temp="t"):
    declared = f"temp {temp}[N + 1]; " if f"{temp}[" in text else ""
    return pn.parse(f"param N; assume N >= 4; {declared}{text}")


def with_statement(scop, s):
    statements = tuple(s if x.name == s.name else x for x in scop.statements)
    return replace(scop, statements=statements, program=None)


def relation(text):
    return isl.read_map(text)


def test_a_read_and_its_node_change_together():
    scop = scop_of("for i = 0 to N do B[i] = A[i] * A[i] + C[i]; done")
    (s,) = scop.statements
    new = with_relation(s, s.reads[1], relation("[N] -> { S0[i] -> D[N - i, 2] }"))
    assert print_expression(new.expression) == "A[i] * D[N-i][2] + C[i]"
    assert [r.array for r in new.reads] == ["A", "D", "C"]
    assert new.reads[0] is s.reads[0]
    assert inconsistency(with_statement(scop, new)) is None


def test_reads_that_share_a_node_change_together():
    scop = scop_of("for i = 0 to N do let e = A[i]; B[i] = e * e; done")
    (s,) = scop.statements
    (read,) = s.reads
    new = with_relation(s, read, relation("{ S0[i] -> A[0] }"))
    assert len(new.reads) == 1
    assert inconsistency(with_statement(scop, new)) is None


def test_a_write_changes_and_reads_in_its_subscripts_go():
    scop = scop_of("for i = 0 to N do t[idx[i]] = A[i]; done")
    (s,) = scop.statements
    assert not s.write.must
    new = with_relation(s, s.write, relation("{ S0[i] -> M[i mod 3] }"), scop.assumed)
    assert print_expression(new.write.node) == "M[mod(i,3)]"
    assert new.write.must
    assert [r.array for r in new.reads] == ["A"]
    assert inconsistency(with_statement(scop, new)) is None


def test_reads_in_subscripts_change_inside_of_their_access():
    scop = scop_of("for i = 0 to N do B[i] = A[idx[i]] + 1; done")
    (s,) = scop.statements
    inner = next(r for r in s.reads if r.array == "idx")
    new = with_relation(s, inner, relation("{ S0[i] -> near[i + 1] }"))
    assert print_expression(new.expression) == "A[near[i+1]] + 1"
    assert not next(r for r in new.reads if r.array == "A").must
    assert inconsistency(with_statement(scop, new)) is None


def test_guards_change_and_a_guarded_write_stays_a_may_write():
    scop = scop_of("for i = 0 to N do if A[i] > 0 then B[i] = 1; fi done")
    (s,) = scop.statements
    new = with_relation(s, s.reads[0], relation("{ S0[i] -> flags[i] }"))
    assert print_expression(new.guard) == "flags[i] > 0"
    new = with_relation(new, new.write, relation("{ S0[i] -> C[i] }"))
    assert not new.write.must
    assert inconsistency(with_statement(scop, new)) is None


def test_pieces_become_a_selection_or_a_minimum():
    scop = scop_of("for i = 0 to N do B[i] = A[i]; done")
    (s,) = scop.statements
    pieces = relation("{ S0[i] -> A[i] : i <= 2; S0[i] -> A[2] : i > 2 }")
    new = with_relation(s, s.reads[0], pieces, scop.assumed)
    assert print_expression(new.expression) == "A[min(2,i)]"
    moved = with_statement(scop, new)
    assert inconsistency(moved) is None
    by_hand = scop_of("for i = 0 to N do B[i] = A[min(2, i)]; done")
    assert equivalent(by_hand, moved)


@pytest.mark.parametrize(
    ("text", "message", "reason"),
    [
        ("{ S0[i] -> A[i] : i < 3 }", "for some instances only", r"S0\(\d+\), N = \d+ has no cell"),
        ("{ S0[i] -> A[x] : i <= x <= i + 1 }", "several cells of A", r"S0\(\d+\).*more than one"),
        ("{ T[i] -> A[i] }", "no relation of S0", ""),
        ("{ S0[i, j] -> A[i] }", "no relation of S0", ""),
        ("{ S0[i] -> [i] }", "names no array", ""),
    ],
)
def test_what_is_no_access_is_refused(text, message, reason):
    (s,) = scop_of("for i = 0 to N do B[i] = A[i]; done").statements
    with pytest.raises(PolynbError, match=message) as caught:
        with_relation(s, s.reads[0], relation(text))
    if reason:
        assert re.search(reason, caught.value.reason)


def test_a_partial_write_is_one_of_a_part_of_the_statement():
    scop = scop_of("for i = 0 to N do B[i] = A[i]; done")
    (s,) = scop.statements
    partial = relation("{ S0[i] -> C[i] : i >= 2 }")
    with pytest.raises(PolynbError, match="for some instances only") as caught:
        with_relation(s, s.write, partial)
    assert "restricted(S0, relation.domain())" in caught.value.hint
    part = restricted(s, s.domain.intersect(partial.domain().align_params(s.domain.get_space())))
    assert with_relation(part, part.write, partial).write.array == "C"


def test_the_access_of_another_statement_is_refused():
    scop = scop_of("for i = 0 to N do B[i] = A[i]; C[i] = A[i]; done")
    s, t = scop.statements
    with pytest.raises(PolynbError, match="S1 has no such access of A"):
        with_relation(t, s.reads[0], relation("{ S1[i] -> A[i] }"))


def test_disagreement_is_found():
    scop = scop_of("for i = 0 to N do B[i] = A[i] + A[0]; done")
    (s,) = scop.statements
    first, second = s.reads
    shifted = replace(first, relation=second.relation)
    wrong = with_statement(scop, replace(s, reads=(shifted, second)))
    assert "is not what its node says" in inconsistency(wrong)
    assert "other reads" in inconsistency(with_statement(scop, replace(s, reads=(first,))))
    other = with_statement(scop, replace(s, write=replace(s.write, array="C")))
    assert inconsistency(other) is not None


@pytest.mark.parametrize("name", SMALL)
def test_every_pass_keeps_one_truth(name):
    scop = gallery.load(name)
    propagated = pn.propagate(scop).result
    made = (
        scop,
        propagated,
        plain_remainders(propagated),
        contract(propagated),
        with_recurrences(propagated),
        carry_recurrences(propagated, form="strips", strip=4).result,
        pn.reorder(scop, contract=True).result,
    )
    for program in made:
        assert inconsistency(program) is None
