"""What `prove` proves, refutes, and leaves open."""

from dataclasses import replace

import pytest
from cases import beside
from programs import DIFFERENT, FORM, PRODUCER, SAME, SUM, TABLE, UNKNOWN, WHOLE

from polynb import isl
from polynb.errors import PolynbError
from polynb.legality import check
from polynb.proofs import equivalent as equivalent_in_public, prove
from polynb.propagation import propagate
from polynb.run.oracle import equivalent
from polynb.schedules.bands import with_schedule
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
from polynb.violations.trees import as_tree

CASES = beside(__file__)


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_is_proved(name):
    before, after = map(parse, SAME[name])
    assert str(prove(before, after)) == "the same: proved for every N"
    assert equivalent(before, after)  # the oracle says so too


@pytest.mark.parametrize("name", SAME)
def test_and_the_other_way_round(name):
    after, before = map(parse, SAME[name])
    assert prove(before, after)


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_different_is_refuted_where_it_differs(name):
    before, after = map(parse, DIFFERENT[name])
    proof = prove(before, after)
    assert not proof
    assert proof.answer == "different"
    if proof.difference.before is None:  # no array of that name, or kind
        return
    assert proof.difference.numbers.before != proof.difference.numbers.after
    values = proof.difference.witness.parameters
    assert str(equivalent(before, after, values).difference) == str(proof.difference)


def test_a_difference_is_shown_at_the_smallest_size():
    before = "param N; assume N >= 2; for i = 0 to N do B[i] = 1; done"
    proof = prove(parse(before), parse(before.replace("= 1", "= 2")))
    assert proof.difference.witness.parameters == {"N": 2}


@pytest.mark.parametrize("name", FORM)
def test_what_never_differs_in_a_bit_is_not_refuted(name):
    before, after = map(parse, FORM[name])
    for found in (prove(before, after), equivalent(before, after)):
        assert not found
        assert found.answer == "the same but for form"
        assert "none differ, in 64 tries" in str(found)


def test_of_programs_that_leave_nothing_it_is_said():
    twice = "param N; temp B; for i = 0 to N do B[i] = 2 * A[i]; done"
    found = prove(parse(twice), parse(twice.replace("2", "3")))
    assert found
    assert "all that they write is temporary" in str(found)
    kept = parse(twice.replace("temp", "output"))
    assert "temporary" not in str(prove(kept, kept))


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_says_why(name):
    (before, after), reason = UNKNOWN[name]
    proof = prove(parse(before), parse(after))
    assert proof.answer == "not known"
    assert not proof
    assert reason in str(proof)


@pytest.mark.parametrize("run", [prove, equivalent])
def test_a_cell_that_one_program_writes_and_the_other_leaves_alone_is_a_difference(run):
    copy = "param N; for i = 0 to N do B[i] = A[i]; done"
    cleared = copy.replace("done", "A[i] = 0; done")
    for before, after in ((copy, cleared), (cleared, copy)):
        found = run(parse(before), parse(after))
        assert found.answer == "different"
        assert found.difference.array == "A"
    scratch = copy.replace("done", "T[i] = 0; done")
    assert run(parse(copy), parse(scratch)).difference.array == "T"

    assert run(parse(scratch), parse(copy)).difference.array == "T"
    assert run(parse(copy), parse(f"temp T; {scratch}"))
    assert run(parse(f"temp T; {scratch}"), parse(scratch))
    assert "T is a temporary of the program after" in str(
        run(parse(scratch), parse(f"temp T; {scratch}"))
    )


def test_arrays_of_another_kind_are_told():
    found = prove(parse(WHOLE), parse(WHOLE.replace("output int32", "output int64")))
    assert str(found) == (
        "different: B is an array of 1 dimension of int32 before, "
        "and an array of 1 dimension of int64 after"
    )


@pytest.mark.parametrize(("one", "other"), [("", ""), ("input A[10];", "input A[10][10];")])
def test_what_is_read_of_other_dimensions_is_told(one, other):
    text = "{} for i = 0 to 9 do out[i] = {}; done"
    found = prove(parse(text.format(one, "A[i]")), parse(text.format(other, "A[i][0]")))
    assert str(found).startswith("different: A is an array of 1 dimension of double before")


def test_types_that_differ_are_told_with_where_they_do():
    found = prove(*map(parse, FORM["another type"]))
    assert "where:  (A[0] - 2), which is int32, has become" in str(found)


def test_where_the_program_after_is_for_fewer_sizes_it_is_told_for_which():
    found = prove(parse(PRODUCER), parse(PRODUCER.replace("N >= 2", "N >= 3")))
    assert not found
    assert found.answer == "the same where both are defined"
    assert found.scope == "proved for every N >= 3 (the program after is for no others)"
    turned = prove(parse(PRODUCER.replace("N >= 2", "N >= 3")), parse(PRODUCER))
    assert turned  # what is for more sizes may take its place
    assert turned.answer == "the same where both are defined"
    assert turned.scope == "proved for every N >= 3 (the program before is for no others)"
    found = prove(parse(PRODUCER), parse(PRODUCER.replace("N >= 2", "N < 2")))
    assert "for other parameter values" in str(found)


def test_all_is_said_that_a_program_is_not_for():
    before = "param N; assume N >= 2; input A[12]; output B; B = A[0]; if N < 12 then B = A[N]; fi"
    after = "param N; assume N >= 3; input A[12]; output B; B = A[N];"
    assert prove(parse(before), parse(after)).scope == (
        "proved for every N, 3 <= N <= 11 (the program after is for no others; "
        "elsewhere the program after reads A[12], out of bounds, for N = 12)"
    )


def test_a_write_out_of_bounds_is_called_one():
    before = "param N; assume N >= 1; output B[12]; if N < 12 then B[N] = 1; fi"
    after = "param N; assume N >= 1; output B[12]; B[N] = 1;"
    assert (
        "elsewhere the program after writes B[12], out of bounds"
        in prove(parse(before), parse(after)).scope
    )


def test_a_derivation_is_compared_with_what_it_was_derived_from():
    assert prove(propagate(parse(PRODUCER)))


def test_a_budget_that_is_used_up_is_an_answer():
    proof = prove(parse(SUM), parse(SUM), max_operations=20)
    assert proof.answer == "not known"
    assert "used up" in str(proof)
    assert prove(parse(SUM), parse(SUM), seconds=1e-6).answer == "not known"


def test_a_budget_around_it_is_no_answer():
    with pytest.raises(isl.BudgetExhausted), isl.budget(20):
        prove(parse(SUM), parse(SUM))


def test_one_program_alone_is_refused():
    with pytest.raises(PolynbError, match="nothing to compare"):
        prove(parse(SUM))


TOGETHER = "param N; assume N >= 1; for i = 0 to N-1 do S: A[i] = 2 * B[i]; done"


def at_times(text: str, times: str) -> Scop:
    """A program whose instances of one time have no order."""
    scop = parse(text)
    return with_schedule(scop, as_tree(scop, times))


def test_instances_without_an_order_that_share_no_cell():
    assert prove(parse(TOGETHER), at_times(TOGETHER, "{ S[i] -> [0] }"))
    in_place = TOGETHER.replace("B[i]", "A[i]")
    assert prove(parse(in_place), at_times(in_place, "{ S[i] -> [0] }"))


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (TOGETHER.replace("A[i]", "A[0]"), "{ S[i] -> [0] }"),
        (TOGETHER.replace("B[i]", "A[i+1]"), "{ S[i] -> [0] }"),
        (TOGETHER.replace("B[i]", "A[x[i]]"), "{ S[i] -> [0] }"),
        (TOGETHER.replace("A[i]", "A[x[i]]"), "{ S[i] -> [0] }"),
        (
            TOGETHER.replace("S:", "T: C[i] = A[x[i]]; S:").replace(
                "param", "input int32 x; param"
            ),
            "{ S[i] -> [i]; T[i] -> [i] }",
        ),
    ],
    ids=["one writes", "reads another's", "reads any", "writes any", "another reads any"],
)
def test_instances_without_an_order_that_may_share_a_cell(text, times):
    proof = prove(parse(text), at_times(text, times))
    assert proof.answer == "not known"
    assert "comes first is not said" in str(proof)


def test_what_kills_allow_is_proved_only_where_nothing_is_left_of_it():
    """An order that kills make legal leaves another content in a killed cell: to be compared if it
    is live-out, and no matter if it is not."""
    text = "param N; output A; output B; for i = 1 to N do S: A = f(i); done T: B = 2;"
    kills = "{ T[] -> A[] }"
    for program, answer in ((text, "different"), (text.replace("output A", "temp A"), "the same")):
        scop = parse(program)
        made = with_schedule(scop, as_tree(scop, "{ S[i] -> [0, -i]; T[] -> [1, 0] }"))
        assert check(scop, made, kills=kills)
        assert prove(scop, made).answer == answer


def in_c(body: str, arguments: str = "int n, int K[n], double A[n], double B[n]") -> Scop:
    return parse(f"#include <assert.h>\nvoid f({arguments}) {{ {body} }}")


def test_what_c_computes_in_fewer_bits_is_the_same_where_both_are_defined():
    wide = in_c("for (int i = 0; i < n; i++) B[i] = (long)i*1000000L;")
    narrow = in_c("for (int i = 0; i < n; i++) B[i] = i*1000000;")
    for pair in ((wide, narrow), (narrow, wide)):
        found = prove(*pair)
        assert not found
        assert str(found) == (
            "the same where both are defined: proved for every n <= 2148 "
            "(i * 1000000 in int32 has to fit)"
        )
        assert str(equivalent_in_public(*pair)) == str(found)
        ran = equivalent_in_public(*pair, n=[5, 2149])
        assert (ran.checked, ran.skipped) == (1, 1)
        with pytest.raises(PolynbError, match=r"i \* 1000000 in int32 has to fit"):
            equivalent_in_public(*pair, n=[2149])
    assert prove(narrow, narrow)  # neither is defined where the other is not
    assert prove(narrow, narrow).answer == "the same where both are defined"
    data = in_c("for (int i = 0; i < n; i++) B[i] = (K[i] & 255) + n;")
    assert prove(data, data).scope == "proved for every n ((K[i] & 255) + n in int32 has to fit)"
    assert prove(data, parse(str(data))).scope == prove(data, data).scope
    copy = in_c("for (int i = 0; i < n - 1; i++) B[i] = A[i];")
    assert prove(parse(str(copy)), copy).condition == "n <= 2147483648 (n - 1 in int32 has to fit)"
    kept = "for (int i = 0; i < 8; i++) { B[i] = (K[i] & 255) + i; A[i] = 1; }"
    overwritten = kept.replace("A[i] = 1;", "A[i] = (K[i] & 255) + 2 * i; A[i] = 1;")
    pair = (in_c(x, "int K[8], double A[8], double B[8]") for x in (overwritten, kept))
    assert prove(*pair).one_sided  # the first is not defined where the second is
    assert prove(narrow, parse(str(narrow)))  # what has more bits may take its place
    assert not prove(parse(str(narrow)), narrow)


@pytest.mark.parametrize(
    ("wide", "narrow"),
    CASES["wherever_it_stands"],
)
def test_wherever_it_stands(wide, narrow):
    loop = "for (int i = 0; i < n; i++) {{ {} }}"
    found = prove(in_c(loop.format(wide)), in_c(loop.format(narrow)))
    assert not found
    assert found.answer != "the same"


@pytest.mark.parametrize(
    "loop",
    [
        "for ({} i = 0; i < n - 1; i++) B[i] = A[i];",
        "for ({} i = n - 1; i >= 0; i--) B[i] = A[i];",
        "for ({} i = 0; i + 1 < n; i++) B[i] = A[i];",
        "for (int i = 0; i < n; i++) for ({} j = i + 1; j < n - i; j++) B[j] = A[i];",
        "for (int i = 0; i < n; i++) for ({} j = n; j > i + 1; j--) B[i] = A[j - 1];",
        "for (int i = 0; i < n; i++) for ({} j = 0; j <= i; j++) B[i] = A[j];",
        "for ({} i = 0; i + 1 < n; i += 3) B[i] = A[i];",
        "for ({} i = n - 1; i >= 0; i -= 2) B[i] = A[i];",
        "for ({} i = 0; i < n && i < 20; i += 2) B[i] = A[i];",
    ],
)
def test_sizes_around_others_go_without_saying(loop):
    pair = in_c(loop.format("int")), in_c(loop.format("long"))
    assert str(prove(*pair)) == "the same: proved for every n"


def test_the_type_of_a_parameter_is_what_c_declares():
    text = "for (long i = 0; i < n; i++) B[i] = 1;"
    wide, narrow = in_c(text, "long n, double B[n]"), in_c(text, "int n, double B[n]")
    assert prove(wide, narrow).scope == (
        "proved for every n, -2147483648 <= n <= 2147483647 (the program after is for no others)"
    )
    assert str(prove(narrow, wide)) == "the same: proved for every n"
    assert str(prove(narrow, narrow)) == "the same: proved for every n"


def test_a_loop_that_wraps_around_is_for_fewer_sizes():
    """For n = -1, the second one writes to B[0], some four thousand million times."""
    loop = in_c("for (int i = 0; i < n; i++) B[0] = 1;", "int n, double B[1]")
    wraps = in_c("for (unsigned i = 0; i < n; i++) B[0] = 1;", "int n, double B[1]")
    found = prove(loop, wraps)
    assert not found
    assert found.scope == "proved for every n >= 0 (the program after is for no others)"
    assert prove(wraps, loop).scope == (
        "proved for every n >= 0 (the program before is for no others)"
    )


@pytest.mark.parametrize(
    ("counter", "size", "most"),
    [("char", "int", 127), ("unsigned char", "int", 255), ("int", "long", 2147483647)],
)
def test_a_counter_has_the_width_that_c_declares(counter, size, most):
    loop = "for ({} i = 0; i < n; i++) B[i] = i;"
    wide = in_c(loop.format("long"), f"{size} n, double B[n]")
    narrow = in_c(loop.format(counter), f"{size} n, double B[n]")
    found = prove(wide, narrow)
    assert not found
    assert found.scope == f"proved for every n <= {most} (the program after is for no others)"
    assert prove(narrow, narrow).answer == "the same"


@pytest.mark.parametrize(("head", "size", "most"), CASES["a_loop_steps_beyond_its_type"])
def test_a_loop_steps_beyond_its_type(head, size, most):
    """The last increment counts, and what is compared after it: i next to 2^31, plus 2."""
    arguments, body = f"{size} n, double A[1]", "A[0] = i;"
    narrow = in_c(f"for ({head}) {body}", arguments)
    wide = in_c(f"for ({head.replace(head.split(' i ')[0], 'long')}) {body}", arguments)
    found = prove(narrow, wide)
    assert found.scope == f"proved for every n <= {most} (the program before is for no others)"
    assert not prove(wide, narrow)
    assert str(prove(narrow, narrow)) == "the same: proved for every n"


def test_nothing_is_proved_of_a_loop_that_never_ends():
    head = "for ({} i = 0; i < 2147483647; i += 2) A[0] = i;"
    narrow, wide = (in_c(head.format(t), "double A[1]") for t in ("int", "long"))
    assert str(prove(narrow, narrow)) == "not known: a loop of the program before never ends"
    assert prove(wide, narrow).answer == "not known"


def test_sizes_for_which_loops_end_are_those_of_all_parameters():
    pair = (
        in_c(f"for ({t} i = 0; i + m < n; i++) A[0] = i;", "int n, int m, double A[1]")
        for t in ("int", "long")
    )
    assert prove(*pair).condition.startswith("m >= -2147483647 + n (")


def test_what_leaves_early_is_proved_for_the_other_sizes():
    loop = "for (int i = 0; i < n; i++) B[i] = A[i];"
    found = prove(in_c(f"if (n < 5) return; {loop}"), in_c(loop))
    assert found
    assert found.scope == "proved for every n >= 5 (the program before is for no others)"


@pytest.mark.parametrize("never", ["n > 3000000000L", "n < -3000000000L"])
def test_nothing_is_wrong_with_a_program_for_no_sizes(never):
    scop = in_c(f"assert({never}); for (int i = 0; i < n; i++) B[i] = A[i];")
    assert prove(scop, scop).answer == "the same"


def test_what_is_hoisted_is_the_same_where_something_runs():
    loop = in_c("for (int i = 0; i < n; i++) B[i] = (A[0]+1.0)*i;")
    hoisted = in_c("double c = A[0]+1.0; for (int i = 0; i < n; i++) B[i] = c*i;")
    assert str(prove(loop, hoisted)) == (
        "the same where both are defined: proved for every n >= 1 "
        "(elsewhere the program after reads A[0], out of bounds, for n = 0)"
    )
    assert str(prove(hoisted, loop)) == (
        "the same where both are defined: proved for every n >= 1 "
        "(elsewhere the program before reads A[0], out of bounds, for n = 0)"
    )
    for said in ("assert(n >= 1);", "if (n < 1) return;"):
        again = in_c(f"{said} for (int i = 0; i < n; i++) B[i] = (A[0]+1.0)*i;")
        assert str(prove(again, hoisted)) == "the same: proved for every n"
        assert "every n >= 1 (the program after is for no others)" in str(prove(loop, again))


@pytest.mark.parametrize(
    ("before", "after"),
    CASES["what_ieee_makes_the_same_is_proved"],
)
def test_what_ieee_makes_the_same_is_proved(before, after):
    pair = [in_c(f"for (int i = 0; i < n; i++) B[i] = {x};") for x in (before, after)]
    assert str(prove(*pair)).startswith("the same: proved for every n")
    assert equivalent(*pair)


@pytest.mark.parametrize(
    ("branches", "selection"),
    [
        ("if (A[i] > 0) B[i] = 1; else B[i] = A[i]*2;", "A[i] > 0 ? 1 : A[i]*2"),
        ("if (A[i] > 0) B[i] = 1; if (A[i] > 0) B[i] = 3;", "A[i] > 0 ? 3 : B[i]"),
        ("B[i] = 2; if (!(A[i] > 0)) B[i] = 1;", "0 < A[i] ? 2 : 1"),
    ],
)
def test_conditions_as_selections(branches, selection):
    before, after = looped(branches), looped(f"B[i] = {selection};")
    assert str(prove(before, after)) == "the same: proved for every n"
    dead = "= 3;" in branches  # what is overwritten
    assert bool(prove(looped(branches.replace("= 1;", "= 5;")), after)) == dead


def test_a_condition_that_changes_in_between_is_two():
    text = "if (A[i] > 0) B[i] = 1; CHANGE if (!(A[i] > 0)) B[i] = 2;"
    after = looped("B[i] = A[i] > 0 ? 1 : 2; A[i] = -A[i];")
    assert prove(looped(text.replace("CHANGE", "A[i] = -A[i];")), after).answer == "different"
    first = looped("A[i] = -A[i]; B[i] = A[i] > 0 ? 1 : 2;")
    assert prove(looped(text.replace("CHANGE", "A[i] = -A[i];")), first).answer == "different"
    kept = looped(text.replace("CHANGE", "") + "A[i] = -A[i];")
    assert prove(kept, after)


def looped(text: str) -> Scop:
    return in_c(f"for (int i = 0; i < n; i++) {{ {text} }}")


def test_a_conversion_that_loses_is_not_passed_over():
    head = "param N; input int32 A[N+1]; output uint8 B[N+1]; for i = 0 to N do S: B[i] = "
    direct = parse(f"{head}uint8(A[i]); done")
    for through in ("double", "float"):
        assert not prove(parse(f"{head}uint8({through}(A[i])); done"), direct)
    kept = head.replace("int32 A", "int8 A").replace("uint8 B", "int8 B")
    assert prove(parse(f"{kept}int8(float(A[i])); done"), parse(f"{kept}A[i]; done"))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("B[i] + 0.1f", "B[i] + 0.1", "1.1000000014901161 before, 1.1 after"),
        ("16777217.0f * B[i]", "16777217.0 * B[i]", "16777216.0 before, 16777217.0 after"),
    ],
)
def test_a_float_literal_is_another_number_than_a_double_one(before, after, shown):
    pair = looped(f"B[i] = {before};"), looped(f"B[i] = {after};")
    for compared in (prove, equivalent):
        assert shown in str(compared(*pair))


@pytest.mark.parametrize("number", ["(-2 ^ 2)", "(-1 | -3)", "(-5 & -2)"])
def test_a_negative_number_that_becomes_unsigned_wraps(number):
    head = "void f(int n, unsigned U[n], long L[n]) { for (int i = 0; i < n; i++) L[i] = "
    texts = (f"{head}{x}; }}" for x in (f"U[i] + {number}", f"{number} + U[i]", f"U[i] - {number}"))
    sum_, turned, difference = (parse(x, "c") for x in texts)
    assert prove(sum_, turned)
    assert prove(sum_, difference).answer == "different"


@pytest.mark.parametrize("kind", ["double", "float", "unsigned"])
@pytest.mark.parametrize(("inside", "same"), [("-A[i]", True), ("A[i] - B[i]", False)])
def test_the_negative_of_a_difference_is_not_what_is_subtracted_from(kind, inside, same):
    arrays = f"int n, {kind} A[n], {kind} B[n]"
    negated, plain = (
        in_c(f"for (int i = 0; i < n; i++) A[i] = {x};", arrays) for x in (f"-({inside})", "A[i]")
    )
    for answer in (prove(negated, plain), equivalent(negated, plain)):
        assert answer.answer == ("the same" if same else "different")


def of_each(value: str, head: str = "param N; assume N <= 9; output B;") -> Scop:
    return parse(f"{head} for i = 0 to N do B[i] = {value}; done")


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("-uint32(i)", "-uint32(i)", True),
        ("-uint32(i)", "-i", False),  # 1 becomes 2^32 - 1
        ("!i", "i == 0", True),
        ("!i", "i != 0", False),
        ("!A[i]", "A[i] == 0", True),
        ("A[i] && C[i]", "A[i] != 0 && C[i] != 0", True),
        ("A[i] && C[i]", "A[i] != 1 && C[i] != 1", False),
    ],
)
def test_truths_and_negations(before, after, same):
    assert bool(prove(of_each(before), of_each(after))) == same


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("A[p[i]][q[i]]", "A[p[i]][q[i]]", True),
        ("A[p[i]][q[i]]", "A[q[i]][p[i]]", False),
        ("A[p[i]][i] * 2", "A[i][i] * 2", False),
        ("A[i][i] * 2", "A[p[i]][i] * 2", False),
    ],
)
def test_cells_that_data_decides(before, after, same):
    head = "param N; input int64 p, q; output B;"
    first, second = of_each(before, head), of_each(after, head)
    assert bool(prove(first, second)) == same
    inner = str(second).replace("B[i] =", "for j = 0 to 0 do B[i+j] =").replace("done", "done done")
    assert bool(prove(first, parse(inner))) == same


def test_what_does_not_fit_is_another_number():
    assert not prove(*(of_each(x, "param N; output B;") for x in ("uint8(i)", "i")))


def test_what_no_conversion_loses_is_what_it_was():
    head = "param N; input float A; output float B;"
    assert prove(of_each("float(double(A[i]))", head), of_each("A[i]", head))
    head = "param N; input int32 A; output float B;"  # float does not hold it: rounded once, still
    assert prove(of_each("float(double(A[i]))", head), of_each("float(A[i])", head))


def test_what_is_not_known_says_for_which_size():
    found = prove(of_each("-uint32(i)"), of_each("-i"))
    assert found.reason.startswith("for N = 0: S0(0) before and S0(0) after are not seen")


def test_only_what_a_table_holds_need_be_the_same_in_a_larger_one():
    larger = TABLE.replace("256", "300").replace("255", "299")
    assert prove(parse(TABLE), parse(larger))


def test_a_model_that_knows_a_cell_that_data_decides_is_not_believed():
    """Both would be said to read all cells of A at once, which are the same cells."""
    scop = parse("param N; assume N >= 1; for i = 0 to N-1 do S: B[i] = A[int64(K[i])]; done")
    (s,) = scop.statements
    sure = replace(s, reads=tuple(replace(a, must=True) for a in s.reads))
    sure = replace(scop, statements=(sure,))
    assert str(prove(sure, sure)) == "not known: which cell of A S accesses is not known"


def test_reads_of_one_cell_are_one_value() -> None:
    head = "param N; input float g[N+1]; output float o[N+1]; for i = 0 to N do o[i] = "
    before = parse(f"{head} g[i] > 0 ? 2*g[i] : 2*g[i]; done")
    assert str(prove(before, parse(f"{head} 2*g[i]; done"))).startswith("the same: proved")
    other = parse(f"{head} g[i] > 0 ? 2*g[i] : 2*g[N-i]; done")
    assert not prove(other, parse(f"{head} 2*g[i]; done"))


LOOKED_UP = """param N; assume N >= 1; input int32 k[N]; input double w[256], A[N+1][256];
output double B[N]; temp double t[256];
for i = 0 to N-1 do
  for v = 0 to 255 do t[v] = A[i][v] + w[v] * (A[i+1][v] - A[i][v]); done
  B[i] = 3 * t[k[i]] + w[0] * t[k[i]];
done"""
VALUE = "(A[i][k[i]] + w[k[i]] * (A[i+1][k[i]] - A[i][k[i]]))"
COMPUTED = f"""param N; assume N >= 1; input int32 k[N]; input double w[256], A[N+1][256];
output double B[N];
for i = 0 to N-1 do B[i] = 3 * {VALUE} + w[0] * {VALUE}; done"""


def test_what_is_looked_up_in_a_table_is_what_the_table_was_computed_from():
    for pair in ((COMPUTED, LOOKED_UP), (LOOKED_UP, COMPUTED)):
        assert str(prove(*map(parse, pair))) == "the same: proved for every N"


@pytest.mark.parametrize(
    ("of", "wrong"),
    [
        ("v = 0 to 255", "v = 0 to 254"),
        ("v = 0 to 255", "v = 0 to i"),
        ("t[v] =", "t[255-v] ="),
        ("w[v]", "w[255-v]"),
        ("w[v]", "w[0]"),
        ("A[i+1][v] -", "A[i][v] -"),
        ("3 * t[k[i]]", "3 * t[k[0]]"),
        ("  B[i]", "  t[7] = 1; B[i]"),
        ("for v = 0", "for v = 0 to 255 do t[v] = 1; done if w[0] > 0 then for v = 0"),
    ],
)
@pytest.mark.long
def test_and_nothing_else(of, wrong):
    text = LOOKED_UP.replace(of, wrong, 1)
    text = text.replace("done\n  B", "done fi\n  B") if " then " in wrong else text
    assert text != LOOKED_UP
    assert not prove(parse(COMPUTED), parse(text))


PLACED = """param n; assume n >= 1; input int32 x[n]; input float w[100]; output float o[4][n];
temp float t[50]; for k = 0 to 49 do t[k] = w[2*k] * 3.0f; done
for i = 0 to n-1 do for c = 0 to 3 do
  o[c][i] = t[min(max(x[i], 0), 10) - 3*c + 9] + 1.0f;
done done"""
ENTRIES = """param n; assume n >= 1; input int32 x[n]; input float w[100]; output float o[4][n];
temp float t[50], T[11][4]; for k = 0 to 49 do t[k] = w[2*k] * 3.0f; done
for k = 0 to 10 do for c = 0 to 3 do T[k][c] = t[k - 3*c + 9]; done done
for i = 0 to n-1 do for c = 0 to 3 do o[c][i] = T[min(max(x[i], 0), 10)][c] + 1.0f; done done"""


@pytest.mark.parametrize(
    ("of", "same"),
    [
        ("t[k - 3*c + 9]", "t[9 + k - 3*c]"),
        ("10)][c]", "10) + 2 - 2][c]"),
        ("T[min(max(x[i], 0), 10)]", "T[int64(min(max(x[i], 0), 10))]"),
        ("+ 1.0f", "+ 1.0f"),
    ],
)
def test_a_cell_as_far_from_a_place_that_data_decides(of, same):
    assert of in ENTRIES
    other = parse(ENTRIES.replace(of, same))
    for pair in ((parse(PLACED), other), (other, parse(PLACED))):
        assert str(prove(*pair)) == "the same: proved for every n"


@pytest.mark.parametrize(
    ("of", "wrong"),
    [
        ("k - 3*c + 9", "k - 3*c + 10"),
        ("k - 3*c + 9", "k - 2*c + 9"),
        ("10)][c]", "10)][3-c]"),
        ("10)][c]", "10)][0]"),
        ("max(x[i], 0)", "max(x[i], 1)"),
        ("T[min(max(x[i], 0), 10)]", "T[10 - min(max(x[i], 0), 10)]"),
        ("k = 0 to 10 do", "k = 0 to 9 do"),
        ("k = 0 to 10 do", "k = 1 to 10 do"),
        ("x[i], 0), 10)][c]", "x[i], 0), 9) + 1][c]"),
    ],
)
def test_and_no_other_cell(of, wrong):
    assert of in ENTRIES
    other = parse(ENTRIES.replace(of, wrong))
    assert not prove(parse(PLACED), other)
    assert not prove(other, parse(PLACED))


@pytest.mark.parametrize("added", ["+ 2", "+ 0", "+ i", "- 1"])
@pytest.mark.parametrize("role", ["inout", "input"])
def test_another_cell_of_what_data_has_filled(added, role):
    """Where data decides what is written, too, a cell is a whole row, and its place is all there is
    to tell cells apart."""
    fill = "for i = 0 to n-1 do h[min(max(k[i], 1), 5)] = i; done"
    text = f"""param n; assume n >= 2; input int32 k[n]; {role} double h[n+9]; output double o[n];
    {fill if role == "inout" else ""}
    for i = 0 to n-1 do o[i] = h[min(max(k[i], 1), 5) + 1]; done"""
    assert not prove(parse(text), parse(text.replace("5) + 1", f"5) {added}")))
    assert role == "inout" or prove(parse(text), parse(text.replace("5) + 1", "5) + 2 - 1")))


def test_no_place_that_may_wrap():
    """Unsigned, the place may be beyond the table by two billion, or not."""
    before = PLACED.replace("int32", "uint32").replace(
        "min(max(x[i], 0), 10) - 3*c + 9", "x[i] - 3"
    )
    after = before.replace("x[i] - 3", "x[i] + 1").replace("t[k] = w[2*k]", "t[k] = w[2*k - 8]")
    assert not prove(parse(before), parse(after.replace("k = 0 to 49", "k = 4 to 49")))


def test_what_a_table_was_computed_from_that_is_the_same_for_all_of_it():
    """w[0], read where the table is computed, and handed on by a scalar; which may change."""
    head = (
        "param N; assume N >= 1; input int32 k[N]; input double w[4], A[N][4]; output double B[N]; "
    )
    computed = head + "for i = 0 to N-1 do B[i] = A[i][k[i]] * w[0]; done"
    looked_up = (
        f"{head} temp double t[4], s; s = w[0]; for i = 0 to N-1 do "
        "for v = 0 to 3 do t[v] = A[i][v] * {0}; {1} done B[i] = t[k[i]]; done"
    )
    for value in ("w[0]", "s"):
        table = parse(looked_up.format(value, ""))
        assert str(prove(parse(computed), table)) == "the same: proved for every N"
        assert prove(table, parse(computed))
    changed = looked_up.format("s", "if v == 2 then s = w[1]; fi")
    assert not prove(parse(computed), parse(changed))
    long = [text.replace("4]", "40]").replace("3 do", "39 do") for text in (computed, changed)]
    said = str(prove(*map(parse, long)))
    assert "{w[0], w[0], w[0], w[1], w[1], w[1], ..., w[1]}[int64(k[0])]" in said


COPY = "param N; input float A[N+1]; output float B[N+1]; for i = 0 to N do B[i] = A[i]; done"
TIMES = """param N; input float A[N+1]; output float B[N+1]; temp float t[N+1], u[N+1];
for i = 0 to N do t[i] = i < 3 ? 1 : 1; done
for i = 0 to N do u[i] = t[N-i]; done
for i = 0 to N do B[i] = A[i] * u[i]; done"""
ENDLESS = """param N; input float A[N+1]; output float B[N+1]; temp float t[N+1];
t[0] = 1; for i = 1 to N do t[i] = t[i-1]; done for i = 0 to N do B[i] = A[i] * t[i]; done"""


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (TIMES, True),
        (TIMES.replace("1 : 1", "1 : 2"), False),
        (TIMES.replace("t[N-i]", "i == 0 ? A[0] : t[i]"), False),
        (TIMES.replace("u[i] = t[N-i]", "u[i] = 2 * t[N-i]"), False),
        (ENDLESS, False),  # is not followed to its end
    ],
)
def test_a_one_is_one_behind_copies(text, holds):
    """Random pipeline 20065."""
    pair = [parse(COPY), parse(text)]
    assert bool(prove(*pair)) == bool(prove(*reversed(pair))) == holds


ZEROS = """param N; input float A[N+1]; output float B[N+1]; temp float t[N+1];
for i = 0 to min(N, 2) do t[i] = {}; done for i = 3 to N do t[i] = {}; done
for i = 0 to N do B[i] = A[i] {} t[i]; done"""


@pytest.mark.parametrize("first", ["0.0", "-0.0"])
@pytest.mark.parametrize("second", ["0.0", "-0.0"])
@pytest.mark.parametrize("op", ["+", "-"])
def test_a_zero_and_a_negative_one_are_two_numbers(op, first, second):
    """-0.0 + 0.0 is 0.0."""
    pair = [parse(COPY), parse(ZEROS.format(first, second, op))]
    holds = first == second == {"+": "-0.0", "-": "0.0"}[op]
    assert bool(prove(*pair)) == bool(prove(*reversed(pair))) == holds


def test_one_of_two_numbers_is_neither():
    text = "param N; input A[N+1]; output B[N+1]; for i = 0 to N do B[i] = {}; done"
    for chosen in ("A[i] * (i < 3 ? 1 : 2)", "A[i] * (i < 3 ? 2 : 1)"):
        assert not prove(parse(text.format("A[i]")), parse(text.format(chosen)))


@pytest.mark.parametrize(
    ("of", "another"),
    [
        ("(i < 3 ? 1 : 2) + 1", "(i < 3 ? 2 : 3)"),
        ("f((i < 3 ? 1 : 2))", "i < 3 ? f(1) : f(2)"),
        ("i == 3 ? f(i) : f(0)", "i == 3 ? f(3) : f(0)"),
        ("A[i]*(A[i]/(A[i]-1)) + A[i]*(A[i]/(A[i]-2))",
         "A[i]*(A[i]/(A[i]-2)) + A[i]*(A[i]/(A[i]-1))"),
        ("s[K[i]] + A[i]*3", "A[i]*3 + A[K[i]]*2"),
    ],
)  # fmt: skip
def test_one_expression_as_another_one(of, another):
    head = "param N; assume N >= 1; input double A[N+1]; input int32 K[N+1]; output double B[N+1]; "
    table = "temp double s[N+1]; for j = 0 to N do s[j] = A[j] * 2; done "
    before = parse(f"{head}{table if 's[' in of else ''}for i = 0 to N do B[i] = {of}; done")
    after = parse(f"{head}for i = 0 to N do B[i] = {another}; done")
    assert str(prove(before, after)) == "the same: proved for every N"


def test_what_is_guessed_of_cells_that_nobody_reads_is_no_difference():
    """Of nine cells all are guessed first: the one that differs is not read."""
    text = """param N; assume N >= 50; input A[N+1]; output B[N+1]; temp t[N+1];
    for i = 0 to N do t[i] = A[i] + {}; done for i = 0 to N do if {} then B[i] = t[i]; fi done"""
    cells = " || ".join(f"i == {k}" for k in (0, 2, 5, 9, 14, 20, 27, 35, 44))
    before, after = (parse(text.format(x, cells)) for x in ("i", "(i == 3 ? 7 : i)"))
    assert str(prove(before, after)) == "the same: proved for every N"


CHOSEN = """param N; assume N >= 3; input float a[N]; input int32 k[N]; output float b[N];
temp float r[40], t[8][N];
for i = 0 to 39 do r[i] = a[0] / (i + 1); done
for c = 0 to 7 do for i = 0 to N-1 do
  if i == 0 then t[c][i] = 3; else
  let v = min(max(int32(a[i]), 0), 9); t[c][i] = c / 7.0f - a[i] * r[v - 4*c + 28]; fi
done done
for i = 0 to N-1 do let j = min(max(k[i], 0), 7); b[i] = a[i] * t[j][i]; done"""
AT_ONCE = """param N; assume N >= 3; input float a[N]; input int32 k[N]; output float b[N];
temp float r[40];
for i = 0 to 39 do r[i] = a[0] / (i + 1); done
for i = 0 to N-1 do
  if i == 0 then b[i] = a[i] * 3; else
  let j = min(max(k[i], 0), 7); let v = min(max(int32(a[i]), 0), 9);
  b[i] = a[i] * (j / 7.0f - a[i] * r[v - 4*int64(j) + 28]); fi
done"""


def test_what_is_chosen_from_planes_is_what_the_planes_were_computed_from():
    """In each instance the row over the planes has one writer, though not the same in all, and the
    writer in turn picks by data."""
    proof = prove(parse(CHOSEN), parse(AT_ONCE))
    assert str(proof) == "the same: proved for every N"
    said = "".join(map(str, proof.explained().steps))
    assert "r[i1] of S2_reads_r and r[i1] of S2_reads_r, on" in said


@pytest.mark.parametrize(
    ("of", "wrong"),
    [
        ("c = 0 to 7", "c = 0 to 6"),
        ("t[8][N]", "t[9][N]"),
        ("= c / 7.0f", "= (c + 1) / 7.0f"),
        ("t[c][i] = 3", "t[c][i] = c"),
        ("4*c", "3*c"),
        ("4*c", "4*c*c"),
        ("r[i] = a[0]", "r[i] = a[1]"),
        ("39 do r[i] = a[0]", "39 do if i > 7 then r[i] = 1; fi if i <= 7 then r[i] = a[0]"),
        ("to 7 do for i", "to 7 do r[c] = 0; for i"),
        ("t[j][i]", "t[j][0]"),
    ],
)
def test_and_of_other_planes_it_is_not(of, wrong):
    text = CHOSEN.replace(of, wrong, 1)
    text = text.replace("(i + 1); done", "(i + 1); fi done") if " then " in wrong else text
    assert text != CHOSEN
    assert not prove(parse(text), parse(AT_ONCE))


PASSED_ON = """param N; assume N >= 1; input int32 k[N]; input double w[4], A[N][{size}];
output double B[N]; {s} double s[N]; temp double t[{size}];
for i = 0 to N-1 do for v = 0 to {size}-1 do {written} {table}; done B[i] = {value}; done"""


@pytest.mark.parametrize(
    ("size", "role", "written"),
    [
        (4, "temp", "if v <= 1 then s[i] = w[0]; else s[i] = w[1]; fi"),
        (2, "temp", "if v == 0 then s[i] = w[0]; else s[i] = w[1]; fi"),
        (2, "inout", "if v == 1 then s[i] = w[1]; fi"),
        (4, "temp", "s[i] = w[v];"),
    ],
    ids=["twice each", "once each", "from before", "one writer"],
)
def test_what_changes_as_a_table_is_computed_is_as_it_was_for_each_place(size, role, written):
    said = [("t[v] = A[i][v] * s[i]", "t[k[i]]"), ("t[v] = s[i]", "A[i][k[i]] * t[k[i]]")]
    pair = [
        parse(PASSED_ON.format(size=size, s=role, written=written, table=table, value=value))
        for table, value in said
    ]
    assert str(prove(*pair)) == str(prove(*reversed(pair))) == "the same: proved for every N"
    assert prove(*pair).explained().steps


PLACES = """param N; assume N >= 1; input int32 p[N], q[N]; input double w[8], V[1][8];
inout double h[8], t[8][8]; output double B[N];
for i = 0 to N-1 do h[p[i]] = 2; done {} for i = 0 to N-1 do B[i] = {}; done"""
SQUARE = "for u = 0 to 7 do for v = 0 to 7 do t[u][v] = {}; done done"
PLANES = "for i = 0 to N-1 do for c = 0 to 7 do t[0][c] = c * {}; done B[i] = t[0][q[i]]; done"


@pytest.mark.parametrize(
    ("table", "value", "other"),
    [
        (SQUARE.format("v"), "t[p[i]][q[i]]", "p[i]"),
        (SQUARE.format("u"), "t[p[i]][q[i]]", "q[i]"),
        ("", "h[q[i]]", "2 * h[q[i]]"),
        ("for v = 0 to 3 do h[v] = 5; done", "h[q[i]]", "5"),
        ("for v = 0 to 3 do t[0][v] = 5; done", "t[0][q[i]]", "5"),
    ],
)
def test_and_what_is_looked_up_by_two_places_or_was_perhaps_not_written(table, value, other):
    before, after = PLACES.format(table, value), PLACES.format(table, other)
    assert not prove(parse(before), parse(after))
    assert not prove(parse(after), parse(before))


@pytest.mark.parametrize("chosen", ["V[p[i]][q[i]]", "h[p[i]]"])
def test_nor_what_is_chosen_so_in_a_plane(chosen):
    planes = PLANES.format(chosen)
    after = planes.replace("B[i] = t[0][q[i]]", "B[i] = q[i] * V[0][p[i]]")
    for pair in ((planes, after), (after, planes)):
        assert not prove(*(parse(PLACES.format(x, "B[i]")) for x in pair))


def test_temporaries_may_change_their_names():
    text = """param N; input A[N+1]; output B[N+1]; temp t[N+1], u[N+1];
    for i = 0 to N do t[i] = {} * A[i]; u[i] = {} * A[i]; done
    for i = 0 to N do B[i] = t[i] + u[i]; done"""
    before, after = parse(text.format(2, 3)), parse(text.format(3, 2))
    assert str(prove(before, after)) == "the same: proved for every N"


READS_ONE = """param N; assume N >= 1; input double A[N+1]; temp double t[N+1];
output double B[N+1];
t[0] = 1; for i = 1 to N do t[i] = A[i]; done
for i = 0 to N do B[i] = t[i] * A[i]; done"""


def test_a_product_with_a_one_that_is_read_is_its_other_factor():
    """As where a border of ones is propagated: there, `1 * x` is x at once."""
    after = "B[0] = A[0]; for i = 1 to N do B[i] = A[i] * A[i]; done"
    head = "param N; assume N >= 1; input double A[N+1]; output double B[N+1];"
    assert str(prove(parse(READS_ONE), parse(head + after))) == "the same: proved for every N"
    assert prove(parse(head + after), parse(READS_ONE))
    for wrong in ("t[0] = 2", "t[0] = A[0]"):
        assert not prove(parse(READS_ONE.replace("t[0] = 1", wrong)), parse(head + after))
    nought = READS_ONE.replace("t[0] = 1", "t[0] = 0").replace("t[i] * A", "t[i] + A")
    assert not prove(parse(nought), parse((head + after).replace("*", "+")))  # -0 + 0 is 0


def test_what_data_selects_has_to_be_there_in_both() -> None:
    text = "param n; input int32 x[n]; input float w[{}]; for i = 0 to n-1 do o[i] = w[x[i]]; done"
    large, small = (parse(text.format(size)) for size in (8, 4))
    assert prove(large, large).answer == "the same"
    fewer, more = prove(large, small), prove(small, large)
    assert fewer.answer == more.answer == "the same where both are defined"
    assert "w[x[i]] has to be a cell in both" in str(fewer)
    assert not fewer
    assert more
    rows = text.replace("float w[{}]", "float w[n][{}]").replace("w[x[i]]", "w[i][x[i]]")
    assert not prove(*(parse(rows.format(size)) for size in (8, 4)))
    affine = [parse(text.replace("x[i]]", "2]").format(size)) for size in (8, 4)]
    assert prove(*affine).answer == "the same"


def test_an_array_may_be_called_as_the_end_of_another_one() -> None:
    text = """param N; assume N >= 1; input double x[N]; output double A[N], A_end[N];
    for i = 0 to N-1 do A[i] = x[i]; A_end[i] = 2*x[i]; done"""
    assert prove(parse(text), parse(text))


KEPT = """param N; assume N >= 1; input float A[N], B[N]; output float C[N];{}
for i = 0 to N-1 do {} done"""


@pytest.mark.parametrize("condition", ["A[i] > 1", "A[i] > B[i] && B[i] < 2", "B[i] == 3"])
def test_a_condition_that_is_kept_as_1_or_0_is_that_condition(condition: str) -> None:
    plain = parse(KEPT.format("", f"C[i] = {condition} ? A[i] : B[i];"))
    kept = f"k[i] = {condition};", " temp int32 k[N];"
    same, other = (
        parse(KEPT.format(kept[1], f"{kept[0]} C[i] = k[i] ? {arms};"))
        for arms in ("A[i] : B[i]", "B[i] : A[i]")
    )
    assert str(prove(plain, same)).startswith("the same: proved")
    assert str(prove(same, plain)).startswith("the same: proved")
    assert not prove(plain, other)


@pytest.mark.parametrize("number", ["P[i] - Q[i]", "P[i] & 1", "P[i]"])
def test_a_number_that_is_kept_is_asked_for_like_itself(number: str) -> None:
    arrays = " input int32 P[N], Q[N];"
    plain = parse(KEPT.format(arrays, f"C[i] = {number} ? A[i] : B[i];"))
    kept = f"k[i] = {number}; C[i] = k[i] ? A[i] : B[i];"
    same = parse(KEPT.format(f"{arrays} temp int32 k[N];", kept))
    assert str(prove(plain, same)).startswith("the same: proved")
