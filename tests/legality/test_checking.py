"""`pn.check`: what it calls legal, what it refuses, with a witness that can be verified by hand."""

import pytest

from polynb import gallery
from polynb.errors import PolynbError
from polynb.legality import check
from polynb.propagation import propagate
from polynb.scop import Instance, parse
from polynb.scop.schedule import Leaf

IDENTITY = "S1[i,j] -> [{0}]; S2[i,j] -> [{1}]; S3[i,j] -> [{2}]; S4[i,j] -> [{3}]"


@pytest.fixture
def listing1():
    return gallery.load("lrr_listing1")


def order(*times):
    return "{ " + IDENTITY.format(*times) + " }"


FUSED = order("j,i,0", "j,i,1", "i,j,2", "i,j,3")


def test_false_dependences_may_be_turned_around(listing1):
    verdict = check(listing1, FUSED)
    assert verdict
    assert verdict.legal
    assert {v.edge.array for v in verdict.ignored} == {"t"}
    assert "no live ranges overlap" in str(verdict)


def test_the_order_it_has(listing1):
    assert check(listing1, listing1)
    assert not check(listing1, listing1).ignored


def witness(verdict, kind):
    (found,) = [c for c in verdict.conflicts if c.kind == kind][:1]
    return found


def test_flow(listing1):
    conflict = witness(check(listing1, order("j,i,1", "j,i,0", "i,j,2", "i,j,3")), "flow")
    w = conflict.witness
    assert (w["write"].statement, w["read"].statement) == ("S1", "S2")


def test_a_write_within_a_live_range(listing1):
    """S2 shifted by one: S3 writes t in between (the facts' negative control)."""
    verdict = check(listing1, order("j,i,0", "j,i + 1,1", "i,j,2", "i,j,3"))
    assert not verdict
    conflict = witness(verdict, "live range")
    write, read, other = (conflict.witness[role] for role in ("write", "read", "other"))
    assert (write.statement, read.statement) == ("S1", "S2")
    assert sum(write.point) == sum(read.point) == sum(other.point)
    assert str(conflict) in str(verdict)


def test_two_live_ranges_at_one_time(listing1):
    """The parallel formula of the 2010 paper misses these: it compares times, not instances."""
    verdict = check(listing1, order("i+j,0,0", "i+j,0,1", "i+j,1,2", "i+j,1,3"))
    assert witness(verdict, "live range")


def test_a_write_at_the_very_time_of_the_read():
    """T[i] reads at the time at which S[i + 1] writes: which comes first is open."""
    scop = parse(
        "param N; temp t; output B; assume N >= 3; for i = 0 to N do S: t = A[i]; T: B[i] = t; done"
    )
    verdict = check(scop, "[N] -> { S[i] -> [i]; T[i] -> [i + 1] }")
    found = witness(verdict, "live range").witness
    write, read, other = (found[role] for role in ("write", "read", "other"))
    assert (write.statement, read.statement, other.statement) == ("S", "T", "S")
    assert write.point == read.point != other.point == (read.point[0] + 1,)
    assert check(scop, "[N] -> { S[i] -> [i, 0]; T[i] -> [i, 1] }")


def test_what_is_assumed_of_parameters_counts():
    """Z and Y come behind the loop: of five iterations, and not of more."""
    text = (
        "param N; assume {0}; temp t; Z: t = 0; Y: C = t; "
        "for i = 0 to N do S: t = A[i]; R: B[i] = t; done"
    )
    order = "{ Z[] -> [5, 0]; Y[] -> [5, 1]; S[i] -> [i, 0]; R[i] -> [i, 1] }"
    verdict = check(parse(text.format("N <= 4")), order)
    assert verdict
    assert {v.edge.array for v in verdict.ignored} == {"t"}
    assert witness(check(parse(text.format("N >= 0")), order), "live range")


def test_what_is_read_from_before():
    scop = parse("param N; inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done")
    verdict = check(scop, "{ S[i] -> [i,1]; T[i] -> [i,0] }")
    found = witness(verdict, "live-in").witness
    assert found.instances == {"read": Instance("S", (0,)), "other": Instance("T", (0,))}
    assert check(scop, "{ S[i] -> [0,i]; T[i] -> [1,-i] }")


def test_what_remains_afterwards():
    scop = parse("param N; for i=0 to N do S: A[0] = B[i]; done T: A[0] = A[0] + 1;")
    verdict = check(scop, "{ S[i] -> [0,-i]; T[] -> [1,0] }")
    assert not verdict
    dead = parse("param N; output A; for i=0 to N do S: A[0] = B[i]; done T: A[0] = 1;")
    assert check(dead, "{ S[i] -> [0,-i]; T[] -> [1,0] }")
    verdict = check(dead, "{ S[i] -> [0,i]; T[] -> [-1,0] }")
    assert witness(verdict, "live-out").witness["write"] == Instance("T")


def test_a_dead_write_does_not_overlap_by_itself_but_overwrites():
    """The 2010 paper forgets dead writes: D's value is read by nobody, but D destroys S's."""
    scop = parse("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; D: t = 0; done")
    assert check(scop, "{ S[i] -> [i,1]; R[i] -> [i,2]; D[i] -> [i,0] }")
    verdict = check(scop, "{ S[i] -> [i,0]; R[i] -> [i,2]; D[i] -> [i,1] }")
    assert witness(verdict, "live range").witness["other"].statement == "D"


def test_reads_in_another_order_keep_their_value():
    """The last read of the old order is the first of the new one: the value must live as long."""
    scop = parse(
        "param N; temp t[1]; for i=0 to N do S: t[0] = A[i]; P: B[i] = t[0]; Q: C[i] = t[0]; done"
    )
    assert check(scop, "{ S[i] -> [i,0]; Q[i] -> [i,1]; P[i] -> [i,2] }")
    verdict = check(scop, "{ S[i] -> [i,0]; Q[i] -> [i,1]; P[i] -> [i+1,1] }")
    assert witness(verdict, "live range").witness["read"].statement == "P"


def test_data_dependent_writes_stay_in_order():
    scop = parse(
        "param N; temp t; Z: t = 0; for i=0 to N do if A[i] > 0 then S: t = A[i]; fi done\n"
        "R: B[0] = t;"
    )
    assert check(scop, "{ Z[] -> [0,0]; S[i] -> [1,i]; R[] -> [2,0] }")
    assert not check(scop, "{ Z[] -> [0,0]; S[i] -> [1,-i]; R[] -> [2,0] }")
    assert not check(scop, "{ Z[] -> [1,100]; S[i] -> [1,i]; R[] -> [2,0] }")


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        ("{ S1[i,j] -> [i,j] }", "says nothing of S2, S3, S4"),
        ("{ S1[i,j] -> [i,j]; S9[i] -> [i,0] }", "column 21: .* an unknown statement S9"),
        (order("i,j", "i,j", "i,j", "i,j").replace("S1[i,j] -> [i,j]", "S1[i,0] -> [i,0]"),
         r"leaves out S1\(0, 1\)"),
        (order("i,j", "i,j", "i,j", "i,j").replace("S1[i,j] -> [i,j]", "S1[i,j] -> [i,k]"),
         "several times"),
        (order("i,j", "i,j", "i,j", "i,j").replace("}", "; S1[i,j] -> [9,i,j,0,0,1] }"),
         "runs instances of S1 several times"),
        ("nonsense", "column 1: `nonsense` where `{` is expected"),
        ("nonsense", r"try: { S\[i, j\] -> \[j, i\] }; with parameters, "),
        (order("i,j", "i,j", "i,j", "i,j").replace("S1[i,j]", "S1[i]"),
         r"column \d+: the schedule has 1 dimension for S1, which has 2"),
        ("{ S1[i,j] -> [i,j}", "column 18: `}` where `,` or `]` is expected"),
        ("{ S1[i,j] -> [j, n - i] }", "column 18: n is no parameter"),
        (3, "the schedule must be a map"),
    ],
)  # fmt: skip
def test_schedules_that_are_none(listing1, schedule, said):
    with pytest.raises(PolynbError, match=said):
        check(listing1, schedule)


def test_a_tree_without_names_is_of_one_statement():
    one = "param N; for i = 0 to N do S: A[0] = i; done"
    with pytest.raises(PolynbError, match="says nothing of S, T"):
        check(parse(one.replace("done", "T: B[0] = i; done")), Leaf())


def test_parts_of_a_statement_may_have_times_of_different_lengths():
    scop = parse("param N; inout x; for i=0 to N do S: x = f(x, A[i]); done")
    assert check(scop, "{ S[i] -> [0, i] : i < 3; S[i] -> [i] : i >= 3 }")
    assert check(scop, "{ S[i] -> [0, i] : i >= 3; S[i] -> A[i - 3] : i < 3 }")
    assert not check(scop, "{ S[i] -> [0, i] : i < 3; S[i] -> [-i] : i >= 3 }")


def test_a_schedule_is_needed(listing1):
    with pytest.raises(PolynbError, match="a schedule to check is needed"):
        check(listing1)


def test_a_spent_budget(listing1):
    with pytest.raises(PolynbError, match="operation budget"):
        check(listing1, FUSED, max_operations=100)


def test_what_propagation_made_is_no_order():
    """`check` is about orders of the same instances; a witness would be of something else."""
    scop = parse(
        "param N; temp t; for i = 0 to N do S: t[i] = A[i]; done\n"
        "for i = 0 to N do T: B[i] = t[i]; done"
    )
    d = propagate(scop)
    for wrong in (lambda: check(d), lambda: check(scop, d), lambda: check(scop, d.result)):
        with pytest.raises(PolynbError, match="differ in more than their order: in S") as caught:
            wrong()
        assert "orders of the same instances" in caught.value.reason
        assert "pn.equivalent" in caught.value.hint
    assert check(d.result, d.result)


def test_of_many_statements_that_differ_some_are_named():
    text = "for i = 0 to 9 do " + "".join(f"S{k}: B{k}[i] = {{}}; " for k in range(20)) + "done"
    with pytest.raises(PolynbError) as caught:
        check(parse(text.format(*["A[i]"] * 20)), parse(text.format(*["C[i]"] * 20)))
    assert caught.value.message.endswith("in S0, S1, S2, S3, S4, S5, S6, S7 and 12 more")


def test_the_same_statements_of_other_instances_are_no_order():
    text = "param N; for i = {} to N do S: B[i] = {}[i]; done"
    scop = parse(text.format(0, "A"))
    assert check(scop, parse(text.format(0, "A")))
    assert check(scop, parse(text.format(0, "A").replace("A[i]", "A[i+1-1]")))
    assert check(scop, parse(text.format(0, "A").replace("i", "k").replace("kn", "in")))
    others = [text.format(0, "A").replace("A[i]", x) for x in ("A[N-i]", "2*A[i]", "A[i][0]")]
    others.append(text.format(0, "A").replace("B[i]", "B[0]"))
    for other in (text.format(1, "A"), text.format(0, "C"), *others):
        with pytest.raises(PolynbError, match="more than their order: in S"):
            check(scop, parse(other))


def test_a_conflict_says_both_live_ranges():
    scop = parse("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done")
    (conflict,) = check(scop, "{ S[i] -> [0,i]; R[i] -> [1,i] }").conflicts
    pair = conflict.pair
    assert (pair.kind, pair.array, pair.cell, conflict.exact) == ("live range", "t", "t", True)
    assert str(pair.first) == "from S(0) to R(0)"
    assert str(pair.second) == "from S(1) to R(1)"
    assert pair.times == {
        "write": (0, 0), "read": (1, 0), "other write": (0, 1), "other read": (1, 1),
    }  # fmt: skip
    assert pair.instances["other write"] == conflict.witness["other"]


def test_a_value_that_is_read_twice_is_overwritten_once():
    scop = parse("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t * t; done")
    conflicts = check(scop, "{ S[i] -> [0,i]; R[i] -> [1,i] }").conflicts
    assert [c.kind for c in conflicts] == ["live range"]


def test_the_other_value_may_remain_or_be_dead():
    scop = parse("param N; inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done")
    (conflict,) = check(scop, "{ S[i] -> [i,1]; T[i] -> [i,0] }").conflicts
    assert conflict.pair.cell == "A[0]"
    assert str(conflict.pair.first) == "from before the program to S(0)"
    assert str(conflict.pair.second) == "from T(0) to the end of the program"
    dead = parse("param N; output A; for i=0 to N do S: A[0] = B[i]; done")
    (conflict,) = check(dead, "{ S[i] -> [-i] }").conflicts
    assert str(conflict.pair.second) == "from S(0), read by nothing"


def test_a_conflict_says_who_reads_last():
    text = "param N; temp t; for i = 0 to N do S: t = A[i];"
    scop = parse(f"{text} for j = 0 to 2 do R: B[i][j] = t; done done")
    for times, last in (("[1,i,j]", "R(1, 2)"), ("[1,i,-j]", "R(1, 0)")):
        (conflict, *_) = check(scop, f"{{ S[i] -> [0,i,0]; R[i,j] -> {times} }}").conflicts
        assert str(conflict.pair.second) == f"from S(1) to {last}"


def test_a_witness_is_not_certain_where_data_decides():
    scop = parse(
        "param N; temp t; Z: t = 0; for i = 0 to N do if A[i] > 0 then S: t = A[i]; fi done\n"
        "R: B[0] = t;"
    )
    for order in (
        "{ Z[] -> [0,0]; S[i] -> [1,-i]; R[] -> [2,0] }",
        "{ Z[] -> [0,0]; S[i] -> [3,i]; R[] -> [2,0] }",
    ):
        verdict = check(scop, order)
        assert verdict.conflicts
        for c in verdict.conflicts:
            assert not c.exact
            assert "may" in str(c)


def test_a_witness_is_certain_whatever_is_read_beside_it():
    scop = parse("param N; inout A[N+1]; input C[N+1]; input int32 K[N+1]; "
                 "for i = 0 to N do S: B[i] = A[i] + C[K[i]]; T: A[i] = 1; done")  # fmt: skip
    (conflict,) = check(scop, "{ S[i] -> [i,1]; T[i] -> [i,0] }").conflicts
    assert (conflict.kind, conflict.exact) == ("live-in", True)


def test_the_cell_is_one_that_all_of_them_touch():
    """X may write any cell; what S wrote and R reads is in one."""
    scop = parse(
        "param N; input int64 ix; temp t[N+9]; output B; "
        "for i = 0 to N do X: t[ix[i]] = 0; done "
        "for i = 0 to N do S: t[i+3] = A[i]; R: B[i] = t[i+3]; done"
    )
    verdict = check(scop, "{ X[i] -> [i, 1]; S[i] -> [i, 0]; R[i] -> [i, 2] }")
    conflict = witness(verdict, "live range")
    assert conflict.witness["other"].statement == "X"
    assert conflict.pair.cell == f"t[{conflict.witness['write'].point[0] + 3}]"


def test_the_last_read_of_a_value_is_one_of_its_cell():
    """Where data decides what X writes, any U may read it: of the cell in question, one."""
    scop = parse("""
    param N; assume N >= 3; input int32 K[N]; input B[N]; temp A[N]; output C[N]; output D[N];
    for i = 0 to N-1 do W: A[i] = B[i]; done
    for j = 0 to N-1 do T: C[j] = A[j]; done
    for k = 0 to N-1 do X: A[K[k]] = 0; done
    for l = 0 to N-1 do U: D[l] = A[l]; done""")
    verdict = check(scop, "{ W[i] -> [0,i]; X[k] -> [1,k]; T[j] -> [2,j]; U[l] -> [3,l] }")
    (conflict,) = verdict.conflicts
    assert conflict.pair.cell == "A[0]"
    assert str(conflict.pair.second) == "from X(0) to U(0)"


def test_a_write_beside_what_is_read():
    """W may write any cell, X writes another one than T reads."""
    scop = parse(
        "param N; input int64 ix; temp t[9]; output B; X: t[5] = 1; "
        "for i = 0 to N do W: t[ix[i]] = A[i]; done T: B[0] = t[0];"
    )
    assert check(scop, "{ X[] -> [1, 0]; W[i] -> [0, i]; T[] -> [2, 0] }")
    near = parse(str(scop).replace("t[5]", "t[0]"))
    assert not check(near, "{ X[] -> [1, 0]; W[i] -> [0, i]; T[] -> [2, 0] }")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("for i = 0 to N do for j = 0 to N do S: T[i+j] = i - j; done done", ("i", "j")),
        ("for i = 0 to N do S: B[i] = A[I[i]]; done", ("I[i]]", "I[i]+1]")),
        ("for i = 0 to N do S: B[I[i]] = A[i]; done", ("I[i]]", "I[i]+1]")),
        ("for i = 0 to N do S: B[i] = f(A[i]); done", ("x+1", "x+2")),
        ("for i = 0 to N do if f(A[i]) > 0 then S: B[i] = 1; fi done", ("x+1", "x+2")),
        ("for i = 0 to N do if A[i] > 0 then S: B[i] = 1; fi done", ("> 0", "> 1")),
    ],
)
def test_what_computes_something_else_is_no_order(one, other):
    program = f"define f(x) = x+1; param N; input int32 I[N+1]; {one}"
    old, new = other
    if old == "i":  # loops in another order, that are called as they were
        changed = program.replace("for i", "for #").replace("for j", "for i").replace("#", "j")
    else:
        changed = program.replace(old, new)
    assert check(parse(program), parse(program))
    with pytest.raises(PolynbError, match="more than their order: in S"):
        check(parse(program), parse(changed))
