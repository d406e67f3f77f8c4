"""What the steps of a proof say of expressions, and of obligations that bring nothing new."""

import pytest

import polynb as pn
from polynb import isl
from polynb.proofs.comparing import Obligation
from polynb.proofs.nodes import Nodes
from polynb.proofs.recording import Recorder
from polynb.proofs.sides import side
from polynb.proofs.steps import Compared
from polynb.source.types import DOUBLE

HEAD = """param N; assume N >= 3; input double A[N+1], B[N+1], M[N+1][N+1]; input int32 K[N+1];
inout double o[N+1]; for i = 0 to N do """
WORDS = [
    ("o[i] = 2.5;", "2.5"),
    ("o[i] = -A[i];", "-A[i]"),
    ("o[i] = A[i] + B[i];", "(A[i] + B[i])"),
    ("o[i] = A[i] + B[i] * A[0];", "(A[i] + (B[i] * A[0]))"),
    ("o[i] = exp(A[i]);", "exp(A[i])"),
    ("o[i] = pow(A[i], B[i]);", "pow(A[i], B[i])"),
    ("o[i] = f(i);", "f(i)"),
    ("o[i] = f(2*i - N);", "f(-N + 2i)"),
    ("o[i] = f(i < 2 ? 0 : i);", "f(...)"),
    ("o[i] = K[i];", "(double)K[i]"),
    ("o[i] = f(M[i][0]);", "f(M[i][0])"),
    ("o[i] = A[i] > B[i] ? A[i] : 2.5;", "((B[i] < A[i]) ? A[i] : 2.5)"),
    ("o[i] = i == N ? A[i] : B[i];", "([N] -> { S0[i = N] } ? A[i] : B[i])"),
    ("o[i] = A[K[i]];", "load(A[i1], (int64)K[i])"),
    ("o[K[i]] = A[i];", "store(o[], (int64)K[i], A[i])"),
]


def words(body: str) -> set[str]:
    scop = pn.parse(f"{HEAD}{body} done")
    return {s.first for s in pn.prove(scop, scop).steps if isinstance(s, Compared)}


@pytest.mark.parametrize(("body", "said"), WORDS)
def test_an_expression_is_in_words(body: str, said: str) -> None:
    assert said in words(body)


def test_what_was_there_before_is_so_at_first() -> None:
    assert {"A[i]", "A[i] at first"} <= words("o[i] = 2 * A[i];")


def test_pairs_are_numbered_from_one_and_reads_are_told_from_what_is_computed() -> None:
    scop = pn.parse(f"{HEAD}o[i] = A[i] > B[i] ? A[i] : 2.5; done")
    pairs = [s for s in pn.prove(scop, scop).steps if isinstance(s, Compared)]
    assert {s.number for s in pairs} == set(range(1, len({s.first for s in pairs}) + 1))
    accesses = {s.first: s.accesses for s in pairs}
    assert accesses["A[i]"] == (("S0", 0), ("S0", 0))
    assert accesses["B[i]"] == (("S0", 1), ("S0", 1))
    assert accesses["2.5"] == (("S0", None), ("S0", None))


def test_what_is_done_is_said() -> None:
    scop = pn.parse(f"{HEAD}o[i] = i == N ? -A[i] : B[i]; done")
    done = {s.first: s.done for s in pn.prove(scop, scop).steps if isinstance(s, Compared)}
    assert done["([N] -> { S0[i = N] } ? -A[i] : B[i])"] == "picked"
    assert done["-A[i]"] == "operands"
    assert done["A[i]"] == "looked through"
    assert done["A[i] at first"] == "inputs"


def test_what_follows_from_nothing_names_no_pairs() -> None:
    scop = pn.parse(f"{HEAD}o[i] = A[i]; done")
    (last,) = (s for s in pn.prove(scop, scop).steps if "at first" in str(s))
    assert str(last).endswith(": nothing is left to show.")


def test_the_types_of_parameters_go_without_saying() -> None:
    scop = pn.parse("void f(int n, double B[n]) { for (int i = 0; i < n; i++) B[i] = 1; }")
    step = next(s for s in pn.prove(scop, scop).steps if isinstance(s, Compared))
    assert "n" in str(step.relation)
    assert "2147483647" not in str(step.relation)


@pytest.mark.parametrize(("circle", "done"), [(True, "closed"), (False, "assumed")])
def test_what_is_known_is_assumed_in_a_circle_and_has_been_shown_elsewhere(circle, done) -> None:
    nodes = Nodes("S", isl.read_set("{ S[i] }"))
    leaf = side(nodes.number(2.5, DOUBLE))
    same = nodes.domain.identity()
    record = Recorder()
    record.known(Obligation(leaf, leaf, same), same, circle)
    (step,) = record.steps
    assert step.done == done
