"""Formulas and the programs that Figure 6 makes of them."""

import re
from itertools import product

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.propagation.cnf import Formula, Literal, read_formula
from polynb.propagation.sat import encode, solve

X, Y, Z = (Literal(v) for v in "xyz")
NOT_Y = Literal("y", False)
EXAMPLE = Formula(((X, NOT_Y), (Y, Z)))
SPELLINGS = [
    "(x or not y) and (y or z)",
    "(x OR NOT y) AND (y OR z)",
    "(x | !y) & (y | z)",
    "(x||~y)&&(y||z)",
    "(x ∨ ¬y) ∧ (y ∨ z)",
    r"((x \/ -y)) /\ ((y) \/ not not z)",
    "(x or not y or x) and (y or (z or y))",
]


def assignments(formula):
    names = formula.variables
    return [dict(zip(names, v, strict=True)) for v in product((False, True), repeat=len(names))]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings_of_one_formula(text):
    assert read_formula(text) == EXAMPLE


def test_single_literals_are_clauses():
    assert read_formula("x and not y and (y or z)") == Formula(((X,), (NOT_Y,), (Y, Z)))
    assert read_formula("x or not y") == Formula(((X, NOT_Y),))
    assert read_formula("order") == Formula(((Literal("order"),),))


def test_clauses_and_dimacs_are_the_same():
    clauses = [[1, -2], [2, 3]]
    dimacs = "c a comment\np cnf 3 2\n1 -2 0 2\n3 0\n"
    assert read_formula(clauses) == read_formula(dimacs) == read_formula(dimacs + "%\n0\n")
    assert read_formula([["x", "not y"], ("y", "z")]) == EXAMPLE
    assert str(read_formula(clauses)) == "(x1 or not x2) and (x2 or x3)"
    assert read_formula(EXAMPLE) is EXAMPLE


@pytest.mark.parametrize(
    ("given", "message", "under"),
    [
        ("x or (y and z)", "not in conjunctive normal form", "(y and z)"),
        ("not (x or y)", "not in conjunctive normal form", "(x or y)"),
        ("x and or y", "`or` where a variable", "or"),
        ("(x or y", "the formula ends where `)`", ""),
        ("x y", "`y` where `and`, `or` or the end", "y"),
        ("x + y", "`+` where", "+"),
        ("", "the formula ends where a variable", ""),
        ("p cnf 2 1\n1 3 0", "no variable 3", "3"),
        ("p cnf 2 1\n1 x 0", "x is no literal", "x"),
        ("1 0\np cnf 2 1", "before the header", "1"),
        ("p cnf 2", "malformed header", "p cnf 2"),
    ],
)
def test_what_is_no_formula_is_refused_at_its_place(given, message, under):
    with pytest.raises(PolynbError, match=re.escape(message)) as caught:
        read_formula(given)
    assert caught.value.span.text == under


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("p cnf 2 3\n1 0\n2 0", "promises 3 clauses, and there are 2"),
        ([[0]], "0 is no literal"),
        ([["x and y"]], "'x and y' is no literal"),
        (5, "a formula is needed, not 5"),
        ([1, 2], "a formula is needed"),
    ],
)
def test_other_things_are_refused(given, message):
    with pytest.raises(PolynbError, match=message) as caught:
        read_formula(given)
    assert caught.value.hint


def test_the_program_has_the_shape_of_figure_6():
    scop = pn.parse(encode(EXAMPLE))
    assert scop.parameters == ("A_x", "A_y", "A_z", "wit_1", "wit_2")
    assert scop.temporaries == ("UNSAT",)  # the only one
    labels = [s.name for s in scop.statements]
    order = ["pos_x_true", "neg_y_false", "C1", "C2", "W1_1", "F2_2", "U", "K1", "K2", "R"]
    assert sorted(order, key=labels.index) == order
    assert all(s.affine for s in scop.statements)


def test_the_text_grows_linearly():
    def size(n):
        return len(encode([[k, -k - 1, k + 2] for k in range(1, n)]).splitlines())

    assert size(41) - size(21) == size(61) - size(41)


@pytest.mark.long
def test_names_of_variables_meet_no_others():
    answer = solve("(out or not UNSAT) and (UNSAT or False) and (A_x or not pos_x) and (for)")
    assert answer.satisfiable
    assert len(answer.assignments) == 4 * 3  # out, UNSAT, False: 4; A_x, pos_x: 3; for: 1


@pytest.mark.parametrize("text", ["(x or not y) and (y or z)", "(x or y) and not x and (z or y)"])
def test_the_program_computes_the_formula(text):
    """Where False is zero everywhere, `out` is zero exactly if the formula does not hold."""
    formula = read_formula(text)
    scop = pn.parse(encode(formula))
    kernel = pn.compile(scop, threads=1)
    false = np.zeros(len({l for c in formula.clauses for l in c}))
    for a in assignments(formula):
        values = {p: int(a[p[2:]]) if p.startswith("A_") else 1 for p in scop.parameters}
        out = kernel({"False": false}, **values)["out"]
        assert bool(out) == formula.holds(a)
