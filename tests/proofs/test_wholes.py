"""Whole numbers, and what they decide, in proofs: by the rules of C, and nothing by their form."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb import isl
from polynb.proofs.nodes import Nodes
from polynb.proofs.recording import _text
from polynb.proofs.wholes import computed, number
from polynb.scop.parsing import parse
from polynb.source.types import DOUBLE, INT32

HEAD = "param N; assume N >= 1; input A[N+1], B[N+1], C[N+1]; output o[N+1]; for i = 0 to N do "


def of(body: str) -> pn.Scop:
    return parse(f"{HEAD}{body} done")


SAME = [
    # C's division truncates
    ("o[i] = (i - N) / 2;", "if i < N then o[i] = -((N - i) / 2); else o[i] = 0; fi"),
    ("o[i] = (i - N) % 3;", "o[i] = (i - N) - 3 * ((i - N) / 3);"),
    ("o[i] = (i - N) % 3;", "o[i] = (i - N) - ((i - N) / 3) * 3;"),
    ("o[i] = floord(i - N, 2);", "o[i] = -((N - i + 1) / 2);"),
    # conditions of iterators alone pick what is computed
    ("o[i] = i == N ? A[i] : B[i];", "if i == N then o[i] = A[i]; else o[i] = B[i]; fi"),
    ("if i == N then o[i] = A[i]; else o[i] = B[i]; fi", "o[i] = i == N ? A[i] : B[i];"),
    ("o[i] = i != N ? A[i] : B[i];", "if i == N then o[i] = B[i]; else o[i] = A[i]; fi"),
    # functions of whole numbers, and of others
    ("o[i] = max(i, 3);", "if i < 3 then o[i] = 3; else o[i] = i; fi"),
    ("o[i] = max(A[i], B[i]);", "if i < 3 then S: o[i] = max(A[i], B[i]); else "
     "T: o[i] = max(A[i], B[i]); fi"),
]  # fmt: skip
OTHERS = [
    ("o[i] = (i - N) / 2;", "o[i] = floord(i - N, 2);"),
    ("o[i] = i == N ? A[i] : B[i];", "if i == N then o[i] = A[i]; else o[i] = C[i]; fi"),
    ("if i == N then o[i] = A[i]; else o[i] = C[i]; fi", "o[i] = i == N ? A[i] : B[i];"),
    ("o[i] = i == N ? A[i] : B[i];", "o[i] = i != N ? A[i] : B[i];"),
    ("o[i] = max(i, 3);", "o[i] = min(i, 3);"),
    ("o[i] = !(A[i] > 0) ? 1 : 2;", "o[i] = !(A[i] > 5) ? 1 : 2;"),
    (
        "o[i] = A[i] > 0 && B[i] > 0 ? 1 : 2;",
        "o[i] = A[i] > 0 && B[i] > 0 && C[i] > 0 ? 1 : 2;",
    ),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_the_same_is_proved(before: str, after: str) -> None:
    assert pn.prove(of(before), of(after))


@pytest.mark.parametrize(("before", "after"), OTHERS)
def test_what_differs_is_not(before: str, after: str) -> None:
    assert not pn.prove(of(before), of(after))


def test_an_access_that_its_model_says_otherwise_proves_nothing() -> None:
    """The text of both programs is the same; the model of one has other cells."""
    scop = of("o[i] = A[i];")
    (s,) = scop.statements
    other = (
        s.reads[0]
        .relation.subtract(s.reads[0].relation)
        .union(of("o[i] = A[N - i];").statements[0].reads[0].relation)
    )
    changed = replace(s, reads=(replace(s.reads[0], relation=other),))
    found = pn.prove(scop, replace(scop, statements=(changed,), program=None))
    assert not found
    assert "other cells of A than its model says" in str(found)


CHAIN = """param N; assume N >= 6; input A; temp t[2*N+1]; output o;
for j = 0 to 2*N do
  if j == 0 then S0: t[0] = A[0]; else {0} fi
done
R: o[0] = t[2*N];"""


@pytest.mark.parametrize(
    "other",
    [
        "if j == N + 3 then T: t[j] = t[j-5] + 1; else S: t[j] = t[j-1] + 1; fi",
        "S: t[j] = t[max(j-5, 0)] + 1;",
        "S: t[j] = t[max(j-2, 0)] + 1;",
        "if j % 2 == 0 then T: t[j] = t[j-2] + 1; else S: t[j] = t[j-1] + 1; fi",
    ],
)
def test_a_recurrence_is_followed_to_its_end(other: str) -> None:
    """What later rounds ask is asked, whatever was guessed from the first ones."""
    assert not pn.prove(parse(CHAIN.format("S: t[j] = t[j-1] + 1;")), parse(CHAIN.format(other)))


def test_an_operator_of_one_operand_is_said() -> None:
    nodes = Nodes("S", isl.read_set("{ S[i] }"))
    negative = nodes.make("-", DOUBLE, (nodes.make("float", DOUBLE, (), (2.5).hex()),))
    assert _text(negative, ["2.5"]) == "-2.5"
    assert _text(nodes.make("+", DOUBLE, (negative, negative)), ["-2.5", "-2.5"]) == "(-2.5 + -2.5)"


def test_results_of_other_shapes_are_not_compared() -> None:
    text = "param N; output o[N+1]{0}; for i = 0 to N do o[i]{1} = 1; done"
    assert not pn.prove(parse(text.format("", "")), parse(text.format("[N+1]", "[0]")))


@pytest.mark.parametrize(
    ("op", "other", "value"),
    [
        ("<<", 1, "{ S[i] -> [(14)] }"),
        ("^", 2, "{ S[i] -> [(5)] }"),
        ("%", 4, "{ S[i] -> [(3)] }"),
        ("/", 0, "None"),  # C leaves it undefined
    ],
)
def test_numbers_are_computed_as_c_does(op: str, other: int, value: str) -> None:
    space = isl.read_set("{ S[i] }").get_space()
    assert str(computed(op, number(7, space), number(other, space), INT32)) == value


@pytest.mark.parametrize(
    ("op", "value"), [("/", 3), ("%", 1), ("<<", None), ("&", None), ("^", None)]
)
def test_of_what_is_no_number_only_divisions_are_computed(op: str, value: int | None) -> None:
    set_ = isl.read_set("{ S[i] : i = 7 }")
    space = set_.get_space()
    iterator = isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), isl.SET, 0).to_pw_aff()
    found = computed(op, iterator, number(2, space), INT32)
    at_7 = found and isl.Map.from_pw_aff(found).intersect_domain(set_).range()
    assert (at_7 and at_7.dim_min_val(0).to_python()) == value


def test_numbers_beyond_64_bits_are_no_whole_ones() -> None:
    nodes = Nodes("S", isl.read_set("{ S[i] }"))
    assert nodes.number(2.0**62, DOUBLE).op == "convert"
    assert nodes.number(2.0**63, DOUBLE).op == "float"
