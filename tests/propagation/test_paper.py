"""Definition 3.1, equations (1) to (3) and Figure 8 of the paper (CC'18), by enumeration."""

import pytest

import polynb as pn
from polynb import isl
from polynb.propagation.heuristics import lines
from polynb.rewriting.substitution import rewrite, rewritten_iterators
from polynb.run.execution import Execution
from polynb.run.oracle import SymbolicMemory
from polynb.run.plans import Planner
from polynb.run.terms import Terms
from polynb.source.scoplang.printer import print_expression

FIGURES = ["fig1", "fig4", "fig5", "fig7a", "fig7b", "fig9a", "fig9b", "fig10"]
SIZES = [3, 4, 7]


class Observed(Execution):
    """Evaluates some expressions just before an instance runs, and keeps what they are."""

    def __init__(self, scop, terms, memory):
        super().__init__(scop, terms, memory, from_tree=False)
        self.wanted = {}  # (statement, point): [(key, expression)]
        self.found = {}

    def _instance(self, statement, point, cells, parameters):
        for key, expression in self.wanted.get((statement.name, point), ()):
            values = {**parameters, **dict(zip(statement.iterators, point, strict=True))}
            plan = self.planner.plan(expression)
            self.found[key] = plan.run(values)[plan.roots[0]]
        super()._instance(statement, point, cells, parameters)


def propagation_expression(scop, edge, dependence):
    """The propagation expression of an edge, as Algorithm 1 makes it from a dependence."""
    source, target = scop.by_name[edge.source], scop.by_name[edge.target]
    known = dependence.range()
    found = rewritten_iterators(dependence, source.iterators, target.iterators, known)
    return rewrite(source.expression, found)


def values_at_both_ends(scop, edge, pairs, expression, **parameters):
    """For each pair (i, j): the source expression at i, the propagation expression at j."""
    terms = Terms()
    memory = SymbolicMemory(scop, terms)
    execution = Observed(scop, terms, memory)
    for i, j in pairs:
        wanted = execution.wanted
        before = wanted.setdefault((edge.source, i), [])
        before.append((("at i", i, j), scop.by_name[edge.source].expression))
        wanted.setdefault((edge.target, j), []).append((("at j", i, j), expression))
    memory.clear(parameters)
    execution.run(parameters)
    return [(execution.found["at i", i, j], execution.found["at j", i, j]) for i, j in pairs]


def reload_tests(name):
    scop = pn.gallery.load(name)
    dependences = pn.analyze(scop)
    return scop, [pn.reload_test(dependences, e) for e in dependences.edges if e.kind == "raw"]


@pytest.mark.parametrize("name", FIGURES)
def test_equation_1_a_propagation_dependence_is_a_part_of_a_raw_dependence(name):
    scop, tests = reload_tests(name)
    assert tests
    for test in tests:
        assert test.propagation.is_subset(test.edge.relation)
        for N in SIZES:
            found = set(isl.pairs(test.propagation.intersect_params(scop.assumed), {"N": N}))
            assert found <= set(isl.pairs(test.edge.relation, {"N": N}))


def test_where_data_decide_what_is_read_no_write_in_between_is_blamed():
    deps = pn.analyze(pn.parse(
        "param N; input int32 K[N+1]; inout A[N+1]; temp t[N+1]; output B[N+1]; "
        "for i = 0 to N do S: t[i] = A[i]; done for i = 0 to N do X: A[i] = 0; done "
        "for i = 0 to N do T: B[i] = t[K[i]]; done"
    ))  # fmt: skip
    (edge,) = deps.flow("t").edges
    test = pn.reload_test(deps, edge)
    assert "depends on data" in test.obstacle
    assert not test.blocked.is_empty()
    assert test.witness is None


@pytest.mark.parametrize("name", FIGURES)
def test_equation_2_both_expressions_have_the_same_value(name):
    """At the two ends of each pair of a propagation dependence, whatever the arrays hold."""
    scop, tests = reload_tests(name)
    compared = 0
    for test in tests:
        if test.propagation.is_empty():
            continue
        expression = propagation_expression(scop, test.edge, test.propagation)
        for N in SIZES:
            pairs = isl.pairs(test.propagation.intersect_params(scop.assumed), {"N": N})
            for at_i, at_j in values_at_both_ends(scop, test.edge, pairs, expression, N=N):
                assert at_i is at_j  # equal terms are one object
                compared += 1
    assert compared or name == "fig7b"  # whose only edge cannot be propagated at all


def test_equation_2_does_not_hold_for_the_pairs_that_the_reload_test_removes():
    scop, (test,) = reload_tests("fig7b")
    pairs = isl.pairs(test.blocked, {"N": 4})
    expression = propagation_expression(scop, test.edge, test.edge.relation)
    found = values_at_both_ends(scop, test.edge, pairs, expression, N=4)
    assert len(found) == 5
    assert all(at_i is not at_j for at_i, at_j in found)


def test_definition_3_1_on_figure_4():
    """The two propagation expressions that the paper prints in Figure 4c."""
    scop, tests = reload_tests("fig4")
    printed = ["(2*j+1)*2*j", "2*j*(2*j-1)"]
    assert len(tests) == len(printed)
    for test, text in zip(tests, printed, strict=True):
        ours = propagation_expression(scop, test.edge, test.propagation)
        for (i,), (j,) in isl.pairs(test.propagation, {"N": 6}):
            assert whole(ours, j=j) == eval(text, {"j": j}) == (i + 1) * i


# -- equation (3) --------------------------------------------------------------------------


def whole(expression, **values):
    """The value of an affine expression."""
    plan = Planner({}, terms := Terms(), None).plan(expression)
    return terms.integer(plan.run(values)[plan.roots[0]])


@pytest.mark.parametrize(
    ("dependence", "text"),
    [
        ("[N] -> { S[i] -> T[j] : i = 2j and 1 <= j <= N }", "2 * j"),
        ("[N] -> { S[i] -> T[j] : i = 2j - 1 and 1 <= j <= N }", "2 * j - 1"),
        ("[N] -> { S[i] -> T[j] : i = N - j and 0 <= j <= N }", "N - j"),
        ("[N] -> { S[i] -> T[j] : 2i = j and 0 <= j <= N }", None),
        ("[N] -> { S[i] -> T[j] : i = floor(j/3) and 0 <= j <= N }", None),
        ("[N] -> { S[i] -> T[j] : 0 <= i = j < 3; S[3] -> T[j] : 3 <= j <= N }", None),
    ],
)
def test_equation_3_the_iterator_of_the_source_at_the_target(dependence, text):
    relation = isl.read_map(dependence)
    found = rewritten_iterators(relation, ("i",), ("j",), relation.range())
    printed = print_expression(found["i"])
    assert text is None or printed.replace(" ", "") == text.replace(" ", "")
    pairs = isl.pairs(relation, {"N": 9})
    assert pairs
    for (i,), (j,) in pairs:
        assert whole(found["i"], j=j, N=9) == i


# -- Figure 8 --------------------------------------------------------------------------------


def brought(offset):
    """The lines of an iteration that reads A[i], and then A[i + offset]."""
    scop = pn.parse(
        f"param N; assume N >= 20; for i = 9 to N do o[0] = A[i] + A[i + {offset}]; done"
    )
    (s,) = scop.statements
    return lines(s, {id(r.node) for r in s.reads}, 64, scop.arrays)


def test_figure_8_what_is_assumed_to_be_cached():
    """A line of 8 elements around A[i]: "all accesses between A[i-3] and A[i+3]" hit."""
    hits = [offset for offset in range(-8, 9) if len(brought(offset)) == 1]
    assert hits == [-4, -3, -2, -1, 0, 1, 2, 3]
    (line,) = brought(0)
    cells = isl.pairs(line.cells, {"N": 9})
    assert [cell for _, (cell,) in cells] == list(range(9 - 4, 9 + 4))
