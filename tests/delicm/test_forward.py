"""Operand tree forwarding: the paper's listing, and what may and may not be forwarded."""

import pytest

import polynb as pn
from polynb import isl
from polynb.delicm.forwarding_steps import Forwarded, NotForwarded
from polynb.delicm.operand_trees import Load, Operation, leaves
from polynb.run.oracle import equivalent
from polynb.scop.access import inconsistency
from polynb.source.scoplang.printer import print_expression


def forwarded(text, **options):
    """The derivation, checked, and the right-hand side of each statement of the result."""
    d = pn.forward_operands(pn.parse(text), **options)
    assert inconsistency(d.result) is None
    answer = equivalent(d)
    assert answer, answer
    again = pn.parse(str(d.result), "scop")
    assert equivalent(d.result, again)
    return d, {s.name: _plain(s.expression) for s in d.result.statements}


def _plain(e):
    return print_expression(e).replace(" ", "")


def refused(text, scalar, **options):
    """Why the read of a scalar stays."""
    d, _ = forwarded(text, **options)
    assert not any(isinstance(s, Forwarded) and s.scalar == scalar for s in d.steps)
    (step,) = (s for s in d.steps if isinstance(s, NotForwarded) and s.scalar == scalar)
    return step.obstacle


LISTING_2 = """
param N, K; temp a;
for i = 0 to N-1 do
  C[i] = 0; // T
  a = A[i]; // T2
  for k = 0 to K-1 do
    C[i] = C[i] + a * B[k]; // S
  done
done
"""
LISTING_6 = LISTING_2.replace("a * B[k]", "A[i] * B[k]")


def test_listing_2_becomes_listing_6():
    d, new = forwarded(LISTING_2)
    six = pn.parse(LISTING_6)
    assert len(d.result.statements) == len(six.statements)
    for mine, s in zip(d.result.statements, six.statements, strict=True):
        assert mine.domain.is_equal(s.domain)
        assert mine.schedule.is_equal(s.schedule)
        assert mine.write.relation.is_equal(s.write.relation)
        assert len(mine.reads) == len(s.reads)
        for r, other in zip(mine.reads, s.reads, strict=True):
            assert r.relation.is_equal(other.relation)
    assert new["S"] == "C[i]+A[i]*B[k]"
    (step,) = d.steps
    assert step.about == ("a", "S")
    assert isinstance(step.tree, Operation)
    assert step.tree.source.name == "T2"
    assert not list(pn.analyze(d.result).flow("a").edges)


def test_a_speculatable_call():
    _, new = forwarded("param N; temp x; for i = 0 to N do S: x = f(i); T: B[i] = x + 1; done")
    assert new["T"] == "f(i)+1"


def test_iterators_are_those_of_the_definition():
    text = """param N; temp x; for i = 0 to N do S: x = 2.0*i + N;
    for j = 0 to i do T: B[j] = x; done done"""
    assert forwarded(text)[1]["T"] == "2.0*i+N"
    text = """param N; assume N >= 1; temp x;
    for i = 0 to N do S: x = f(i); done T: B[0] = x;"""
    assert forwarded(text)[1]["T"] == "f(N)"


def test_a_load_from_its_own_cell():
    _, new = forwarded("param N; temp x; for i = 0 to N do x = A[i]; T: B[i] = x; done")
    assert new["T"] == "A[i]"


WRITE_BETWEEN = """
param N; temp x; inout A[N+1];
for i = 0 to N do
  S: x = A[i];
  {copy}
  W: A[i] = 2*i;
  T: B[i] = x;
done"""


def test_a_load_with_a_write_in_between_is_refused_with_the_witness():
    obstacle = refused(WRITE_BETWEEN.format(copy=""), "x")
    assert obstacle.witness.cell == "A[0]"
    assert [str(obstacle.witness[r]) for r in ("source", "writer", "target")] == [
        "S(0)", "W(0)", "T(0)"
    ]  # fmt: skip
    assert "W(0) overwrites A[0], which S(0) reads, before T(0)" in str(obstacle)


def test_a_load_from_another_array_with_the_same_content():
    d, new = forwarded(WRITE_BETWEEN.format(copy="U: D[i + 1] = A[i];"))
    assert new["T"] == "D[i+1]"
    step = next(s for s in d.steps if s.about == ("x", "T"))
    (load,) = leaves(step.tree)
    assert not load.own
    expected = isl.read_map("[N] -> { T[i] -> D[i + 1] : 0 <= i <= N }")
    assert load.cells.is_equal(expected.intersect_params(d.result.assumed))


def test_an_array_of_another_type_has_not_the_same_content():
    text = WRITE_BETWEEN.format(copy="U: D[i + 1] = A[i];")
    refused("param N; output float D[N+2];" + text.replace("param N;", ""), "x")


def test_a_write_of_the_same_value_is_no_change():
    text = """param N; temp x; for i = 0 to N do S: x = A[i]; U: B[i] = x; W: A[i] = B[i];
    T: C[i] = x; done"""
    assert forwarded(text)[1]["T"] == "A[i]"


def test_the_target_itself_overwrites_the_cell():
    _, new = forwarded("param N; temp x; for i = 0 to N do x = A[i]; T: A[i] = x + 1; done")
    assert new["T"] == "A[i]+1"


def test_through_several_scalars():
    text = """param N; temp x, y, z;
    for i = 0 to N do x = A[i]; y = 2*x; z = f(x, y); T: B[i] = z; done"""
    assert forwarded(text)[1]["T"] == "f(A[i],2*A[i])"


def test_three_uses():
    text = """param N; temp x;
    for i = 0 to N do x = f(i) + A[i]; T: B[i] = x*x + x; done"""
    d, new = forwarded(text)
    assert new["T"] == "(f(i)+A[i])*(f(i)+A[i])+(f(i)+A[i])"
    (step,) = d.steps
    assert step.reads == (0, 1, 2)


@pytest.mark.parametrize("prefer", ["reload", "copy"])
def test_an_operation_that_some_array_has_the_value_of(prefer):
    text = """param N; temp x;
    for i = 0 to N do x = f(i); B[i] = x; T: C[i] = x; done"""
    assert forwarded(text, prefer=prefer)[1]["T"] == {"reload": "B[i]", "copy": "f(i)"}[prefer]


def test_a_read_only_scalar_is_a_leaf():
    _, new = forwarded(
        "param N; input v; temp x; for i = 0 to N do x = v*A[i]; T: B[i] = x + v; done"
    )
    assert new["T"] == "v*A[i]+v"


def test_constants_are_copied_not_loaded():
    _, new = forwarded("param N; temp x; for i = 0 to N do B[i] = 0; x = 0; T: C[i] = x; done")
    assert new["T"] == "0"


def test_conversions_stay():
    text = """param N; input double A[N+1]; temp float x; temp int8 k; output double B[N+1];
    for i = 0 to N do x = A[i] / 3; k = A[i] * 7; T: B[i] = x + k; done"""
    assert forwarded(text)[1]["T"] == "float(A[i]/3)+int8(A[i]*7)"


def test_a_read_that_is_reached_in_part_only():
    text = """param N; temp x; for i = 0 to N do T: B[i] = x; S: x = A[i]; done"""
    obstacle = refused(text, "x")
    assert "not always written" in str(obstacle)
    assert str(obstacle.witness["reader"]) == "T(0)"


PHI = """
param N, K; temp c;
for i = 0 to N-1 do
  T: c = 0;
  for k = 0 to K-1 do
    S: c = c + A[i] * B[k];{copy}
  done
  U: C[i] = {use};
done"""


def test_two_writers_are_refused():
    d, _ = forwarded(PHI.format(copy="", use="c"))
    assert [type(s) for s in d.steps] == [NotForwarded, NotForwarded]
    assert "from T and S" in str(d.steps[0])


def test_two_writers_whose_values_are_in_an_array_are_reloaded():
    """The array has what c had before the last addition, from whichever writer."""
    text = """
param N, K; temp c;
for i = 0 to N-1 do
  T: c = f(i); V: C[i][0] = c;
  for k = 1 to K do
    S: c = c + A[i] * B[k];
    W: C[i][k] = c;
  done
  for k = 0 to K do
    D[i][k] = C[i][k];
  done
done"""
    d, new = forwarded(text)
    assert new["S"] == "C[i][k-1]+A[i]*B[k]"
    step = next(s for s in d.steps if s.about == ("c", "S"))
    assert isinstance(step.tree, Load)
    assert "same content" in str(step)


def test_a_copy_that_is_reloaded_from_elsewhere_says_so():
    text = """param N, K; temp a;
for i = 0 to N-1 do
  T: a = A[i]; V: D[i] = a; X: A[i] = 0;
  for k = 0 to K-1 do
    S: C[i] = C[i] + {use};
  done
done"""
    d, new = forwarded(text.format(use="a * B[k]"))
    assert new["S"] == "C[i]+D[i]*B[k]"
    assert "S loads D[i] instead of a: it has the same content." in d.why("a")
    product = text.replace("a = A[i]", "a = A[i] * E[i]").replace("D[i] = a", "D[i] = A[i]")
    d, _ = forwarded(product.format(use="a"))
    assert "instead of a (D has the content of an operand)." in d.why("a")


def test_indirect_loads():
    text = """param N; input int32 idx[N+1]; {role} A[N+1]; temp int32 t; temp x;
    for i = 0 to N do t = idx[i]; x = A[t]; {write} T: B[i] = x; done"""
    assert forwarded(text.format(role="input", write=""))[1]["T"] == "A[idx[i]]"
    obstacle = refused(text.format(role="inout", write="W: A[i] = 1;"), "x")
    assert "A changes in between" in str(obstacle)


def test_what_decides_where_a_statement_writes_stays():
    text = """param N; input int32 idx[N+1]; inout A[N+1]; temp int32 t; temp x;
    for i = 0 to N do t = idx[i]; x = f(i); T: A[t] = x; done"""
    d, new = forwarded(text)
    assert new["T"] == "f(i)"
    assert "choose an element of A" in d.why("t")


def test_a_guarded_statement_keeps_its_scalars():
    text = """param N; input A[N+1]; inout B[N+1]; temp x;
    for i = 0 to N do x = A[i]; if A[i] > 0 then T: B[i] = x; fi done"""
    assert "depends on data" in str(refused(text, "x"))


def test_a_may_write_in_between_is_a_write():
    text = """param N; inout A[N+1]; input P[N+1]; temp x;
    for i = 0 to N do x = A[i]; if P[i] > 0 then W: A[i] = 1; fi T: B[i] = x; done"""
    assert "A changes in between" in str(refused(text, "x"))


def test_a_scalar_that_may_be_written_is_unknown():
    text = """param N; input P[N+1]; temp x;
    for i = 0 to N do x = 1; if P[i] > 0 then W: x = 2; fi T: B[i] = x; done"""
    assert "depends on data" in str(refused(text, "x"))


def test_values_made_of_their_own_earlier_values():
    text = """param N; assume N >= 9; temp a, b; a = f(0);
    for i = 0 to N do b = g(a); a = h(b); done T: B[0] = a;"""
    d, _ = forwarded(text)
    assert "its value is made from its own earlier values" in d.why("T")


def test_only_what_is_asked_for():
    text = "param N; temp x, y; for i = 0 to N do x = A[i]; y = 2*x; T: B[i] = x + y; done"
    d, new = forwarded(text, arrays="y")
    assert new["T"] == "x+2*A[i]"
    assert {s.about for s in d.steps} == {("y", "T")}


def test_live_out_scalars_are_forwarded_and_stay():
    text = "param N; output x; for i = 0 to N do S: x = A[i]; T: B[i] = x; done"
    d, new = forwarded(text)
    assert new["T"] == "A[i]"
    assert "S" in d.result.by_name


def test_a_used_up_budget_is_a_step_and_changes_nothing():
    scop = pn.parse(LISTING_2)
    d = pn.forward_operands(scop, max_operations=3)
    assert d.result is scop
    assert "used up its 3 operations" in d.why("a")


def test_programs_without_scalars_are_left_alone():
    scop = pn.parse("param N; for i = 0 to N do B[i] = A[i]; done")
    d = pn.forward_operands(scop)
    assert d.result is scop
    assert d.steps == ()


def test_scalars_in_array_cells_are_read_there():
    """What a scalar lives in is an array: nothing is left to forward."""
    from polynb.schedules import with_storage

    scop = pn.parse("""param N; temp x; output B[N+1];
    for i = 0 to N do S: x = A[i]; T: B[i] = x; done""")
    d = pn.forward_operands(with_storage(scop, "x", "{ x[] -> w[] }"))
    assert "x" not in d.result.arrays
    assert equivalent(scop, d.result)


@pytest.mark.parametrize(
    ("scalar", "value", "subscript"),
    [
        ("int32", "-3", "t / 2 + i + 2"),
        ("int64", "(i - N) / 2", "t + N"),
        ("int64", "(i - N) % 2", "t + 1"),
    ],
)
def test_what_is_divided_in_a_subscript_is_divided_as_in_c(scalar, value, subscript):
    text = f"""param N; assume N >= 4; temp {scalar} t; temp double A[2*N+2]; output double B[N];
    for i = 0 to 2*N do W: A[i] = 3.0*i + 1; done
    for i = 0 to N-1 do S: t = {value}; T: B[i] = A[{subscript}]; done"""
    scop = pn.parse(text)
    forwarded = pn.forward_operands(scop).result
    assert forwarded.by_name["T"].reads[0].must
    for made in (forwarded, pn.propagate(forwarded).result, pn.simplify(forwarded).result):
        assert equivalent(scop, made, {"N": [4, 5]})


def test_what_is_forwarded_many_times_over_is_said_shortly():
    """Written out it would have 2^30 operands."""
    names = [f"x{k}" for k in range(31)]
    chain = " ".join(f"x{k} = x{k - 1}*(2-x{k - 1});" for k in range(1, 31))
    text = f"param N; temp {', '.join(names)}; for i = 0 to N-1 do x0 = a[i]; {chain}"
    d = pn.forward_operands(pn.parse(f"{text} b[i] = x30; done"))
    assert all(len(str(s)) < 2000 for s in d.steps)
    assert pn.prove(d)
    assert "the same" in str(pn.prove(d).explained().steps[-1])
