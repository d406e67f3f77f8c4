"""Shared parts of expressions get names where writing them out would be too long."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb.codegen.literals import substitute
from polynb.codegen.lower import kernel_source
from polynb.codegen.sharing import WRITTEN_OUT, share, tree_size, written_size
from polynb.errors import PolynbError
from polynb.scop.fresh_names import Names
from polynb.source import tree as t
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32

TYPES = Types({"A": DOUBLE, "B": DOUBLE, "n": INT32, "m": INT32, "I": INT32})


def lets(e):
    return [x for x in t.walk(e) if isinstance(x, t.Let)]


def squares(x, depth):
    for _ in range(depth):
        x = t.Binary("*", x, x)
    return x


def cell(name="A", subscript=None):
    return t.Access(name, (subscript or t.Iterator("i"),))


def test_a_chain_of_sixty_squares_is_written_in_its_own_size():
    shared = share(squares(cell(), 60), Names(()), TYPES)
    assert tree_size(shared) > 2**60
    assert written_size(shared) < 60 * 4 + 10
    assert len(lets(shared)) == 59


def test_the_chain_is_small_in_c_and_computes_the_same(make, compiled):
    import numpy as np

    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    deep = squares(make.node(a[i + 1]), 60)
    source = kernel_source(make.scop("N", make.loop(i, 0, n, make.assign(b[i], deep))))
    assert len(source.text) < 6000
    values = np.array([0.0, 1.0, -1.0, 1.0 + 2.0**-52, 0.5])
    memory = {"A": np.concatenate(([7.0], values)), "B": np.zeros(5)}
    expected = values.copy()
    for _ in range(60):
        expected = expected * expected
    assert np.array_equal(compiled(source)({"N": 4}, memory)["B"], expected)


def test_small_expressions_are_written_in_full():
    shared = share(squares(cell(), 5), Names(()), TYPES)
    assert not lets(shared)


def test_the_largest_expression_that_is_written_in_full():
    e = squares(cell(), 5)
    while tree_size(e) < WRITTEN_OUT:
        e = t.Unary("-", e)
    assert not lets(share(e, Names(()), TYPES))
    assert lets(share(t.Unary("-", e), Names(()), TYPES))


def test_names_are_new():
    names = Names(("e0", "A", "e2"))
    found = [x.name for x in lets(share(squares(cell(), 10), names, TYPES))]
    assert sorted(found) == sorted({f"e{k}" for k in range(11)} - {"e0", "e2"})


def test_equal_parts_of_large_expressions_become_one():
    """As after propagation into three neighbours: equal, but not the same nodes."""

    def part(k):
        return t.Binary("*", cell("A", t.Number(k, INT32)), cell("B", t.Number(k, INT32)))

    total = part(0)
    for k in range(60):
        total = t.Binary("+", total, part(k % 3))
    shared = share(total, Names(()), TYPES)
    assert {x.value.left.subscripts[0].value for x in lets(shared)} == {0, 1, 2}


def test_zeros_of_different_sign_are_not_one():
    def zero(sign):
        return t.Binary("/", cell(), t.Number(sign * 0.0, DOUBLE))

    total = zero(1)
    for k in range(60):
        total = t.Binary("+", total, zero(-1 if k % 2 else 1))
    assert len({repr(x.value.right.value) for x in lets(share(total, Names(()), TYPES))}) == 2


def test_cells_and_affine_parts_get_no_names():
    same = cell("A", t.Binary("+", t.Iterator("i"), t.Number(1, INT32)))
    total = same
    for _ in range(80):
        total = t.Binary("+", total, same)
    assert not lets(share(total, Names(()), TYPES))


def test_lets_of_the_text_are_kept_if_they_are_used_twice():
    e = t.Let("half", t.Binary("/", cell(), cell("B")))
    kept = share(t.Binary("*", e, e), Names(()), TYPES)
    assert [x.name for x in lets(kept)] == ["half"]
    single = share(t.Binary("*", e, cell()), Names(()), TYPES)
    assert not lets(single)
    renamed = share(t.Binary("*", e, e), Names(("half",)), TYPES)
    assert [x.name for x in lets(renamed)] == ["half_2"]


def test_lets_of_one_name_and_two_values_are_told_apart():
    x, y = t.Let("e", t.Binary("/", cell(), cell("B"))), t.Let("e", t.Binary("*", cell(), cell()))
    both = t.Binary("-", t.Binary("*", x, x), t.Binary("*", y, y))
    assert {z.name for z in lets(share(both, Names(()), TYPES))} == {"e", "e_2"}


# -- conditions ---------------------------------------------------------------------------------


READ_UNDER_A_CONDITION = """
param N; assume N >= 1; input double A[N+1], B[N+1], c[N+1];
for i = 0 to N do
  let b = B[{subscript}] * 2.0;
  C[i] = A[i] > 0.0 ? b * b : c[i];
done
"""


def guarded(branch):
    test = t.Binary("!=", t.Access("m"), t.Number(0, INT32))
    return t.Select(test, branch, t.Number(0, INT32))


def test_a_division_of_integers_stays_behind_its_condition():
    quotient = t.Binary("/", t.Access("n"), t.Access("m"))
    shared = share(guarded(squares(quotient, 8)), Names(()), TYPES)
    assert not lets(shared)


def test_arithmetic_of_floats_may_be_computed_early():
    both = t.Binary("+", guarded(squares(cell(), 8)), cell())
    assert len(lets(share(both, Names(()), TYPES))) == 7


def test_a_cell_that_is_read_under_a_condition_only_stays_there():
    shared = share(guarded(squares(cell(), 8)), Names(()), TYPES)
    assert not lets(shared)


def test_a_cell_that_is_in_bounds_everywhere_is_read_early():
    """Whether equal nodes were made one on the way, or not."""
    deep = t.Binary("+", squares(cell(), 8), squares(cell(), 8))
    shared = share(guarded(deep), Names(()), TYPES, lambda access: access.array == "A")
    assert len(lets(shared)) == 8
    other = share(guarded(deep), Names(()), TYPES, lambda access: access.array == "B")
    assert not lets(other)


def test_reads_first_is_for_cells_under_conditions_that_are_in_bounds():
    e = t.Binary("+", guarded(t.Binary("*", cell("A"), cell("B"))), cell("B", t.Access("I")))
    e = t.Binary("+", e, t.Access("n"))
    first = share(e, Names(()), TYPES, lambda x: x.array != "B", reads_first=True)
    assert [x.value.array for x in lets(first)] == ["A"]
    assert not lets(share(e, Names(()), TYPES, lambda x: x.array != "B"))


def test_reads_first_is_also_for_cells_that_are_read_in_any_case():
    """Random pipeline 20041: in the branches gcc counts the loop once more, which then runs in no
    vectors, four times slower."""
    one = cell("B")
    e = t.Binary("+", one, guarded(t.Binary("*", one, cell("A"))))
    first = share(e, Names(()), TYPES, lambda x: x.array == "A", reads_first=True)
    assert [x.value.array for x in lets(first)] == ["B", "A"]
    assert not lets(share(t.Binary("+", one, one), Names(()), TYPES, reads_first=True))


def test_kernels_read_first_and_text_does_not():
    scop = pn.parse(READ_UNDER_A_CONDITION.format(subscript="i").replace("b * b", "b"))
    source = kernel_source(scop).text
    assert "= A[i] > 0.0 ? e0 * 2.0 : e1;" in source
    assert "A[i] > 0.0 ? B[i] * 2.0 : c[i]" in str(replace(scop, program=None))


def test_divisions_by_positive_literals_are_computed_early():
    for op, d, early in (("/", 2, 7), ("%", 3, 7), ("/", 0, 0)):
        part = t.Binary(op, t.Access("n"), t.Number(d, INT32))
        both = t.Binary("+", guarded(squares(part, 7)), t.Access("n"))
        assert len(lets(share(both, Names(()), TYPES))) == early


@pytest.mark.parametrize(
    ("subscript", "early"),
    [("i", True), ("N - i", True), ("i + 1", False), ("int64(c[i])", False)],
)
def test_bounds_are_proven_for_all_instances(subscript, early):
    scop = pn.parse(READ_UNDER_A_CONDITION.format(subscript=subscript))
    assert ("const double b = " in kernel_source(scop).text) is early


def test_bounds_are_proven_with_what_is_assumed_of_parameters():
    text = READ_UNDER_A_CONDITION.format(subscript="i + M").replace("param N", "param N, M")
    known = text.replace("N >= 1", "N >= 1 and M == 0")
    assert "const double b = " not in kernel_source(pn.parse(text)).text
    assert "const double b = " in kernel_source(pn.parse(known)).text


def test_what_cannot_be_shared_and_is_too_large_is_refused():
    with pytest.raises(PolynbError, match="too large"):
        share(guarded(squares(cell(), 40)), Names(()), TYPES)


# -- substitution ---------------------------------------------------------------------------------


def test_substitution_visits_a_dag_once_and_keeps_what_does_not_change():
    constant = t.Binary("*", t.Access("n"), t.Access("m"))
    deep = squares(t.Binary("+", cell(), constant), 200)
    new = substitute(deep, {"i": t.Number(3, INT32)})
    assert sum(1 for _ in t.walk(new)) == sum(1 for _ in t.walk(deep))
    assert any(x is constant for x in t.walk(new))
    assert substitute(deep, {"j": t.Number(3, INT32)}) is deep
    assert substitute(deep, {"i": t.Iterator("i")}) is deep


@pytest.mark.parametrize(
    ("other", "first"),
    [
        ("sqrt(a[i] * 3)", True),
        ("a[i] > 0 ? sqrt(a[i] * 3) - 1 : 1 / sqrt(a[i] * 3)", True),
        ("a[i] * 3", False),
        ("a[i] > 0 ? sqrt(a[i] * 3) : 1", False),
    ],
)
def test_what_both_branches_compute_is_computed_in_front_of_them(other, first):
    """gcc then makes vectors of the loop: nothing but a selection is left."""
    branches = f"2 + sqrt(a[i] * 3) : {other}"
    scop = pn.parse(f"output b[9]; for i = 0 to 8 do b[i] = a[i] > 1 ? {branches}; done")
    assert ("= sqrt(" in kernel_source(scop).text) is first
