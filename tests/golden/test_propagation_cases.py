"""Worked cases of expression propagation: edges, propagation dependences, what blocks them, what
becomes of every temporary, and the statements that are left."""

import ast
import json
import operator
import re
from pathlib import Path

import pytest

import polynb as pn
from polynb import isl
from polynb.propagation import reload_test
from polynb.run.oracle import equivalent
from polynb.source import tree as syntax

CASES = json.loads(Path(__file__).with_name("propagation_cases.json").read_text("utf-8"))["cases"]
EDGES = [(case, edge) for case in CASES for edge in case["edges"]]


def by_id(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda c: f"{c['id']}-{c['name']}")


def parsed(case):
    return pn.parse("\n".join(case["program"]), "scop")


def key(edge):
    """Works for the edges of the cases and of polynb."""
    if not isinstance(edge, dict):
        edge = {k: getattr(edge, k) for k in ("source", "target", "read", "array")}
    return edge["source"], edge["target"], edge["read"], edge["array"]


def flow_edges(dependences):
    return {key(e): e for e in dependences.edges if e.kind == "raw"}


@by_id(CASES)
def test_the_flow_edges_are_those_listed(case):
    assert set(flow_edges(pn.analyze(parsed(case)))) == {key(e) for e in case["edges"]}


@pytest.mark.parametrize(
    ("case", "listed"),
    EDGES,
    ids=[f"{c['id']}-{e['source']}-{e['target']}-{e['read']}" for c, e in EDGES],
)
def test_an_edge_and_its_reload_test(case, listed):
    scop = parsed(case)
    dependences = pn.analyze(scop)
    edge = flow_edges(dependences)[key(listed)]
    test = reload_test(dependences, edge)

    def equal(ours, text):
        return allowed(ours).is_equal(allowed(isl.read_map(text)))

    def allowed(relation):
        return relation.intersect_params(scop.context)

    match listed["status"]:
        case "full" | "whole" as status:
            assert equal(edge.relation, listed["propagation"])
            assert equal(test.propagation, listed["propagation"])
            reached = allowed(test.propagation).range()
            domain = scop.by_name[edge.target].domain.intersect_params(scop.context)
            assert domain.is_subset(reached) == (status == "full")
        case "part":
            assert equal(test.propagation, listed["propagation"])
            assert test.propagation.is_strict_subset(edge.relation)
        case "none":
            assert equal(edge.relation, listed["raw"])
            assert allowed(test.propagation).is_empty()
    assert_blocked_by(scop, edge, test, listed.get("blocked_by", {}))


def assert_blocked_by(scop, edge, test, listed):
    """The writes between the source and the reload, operand by operand."""
    target = scop.by_name[edge.target].schedule
    found = {}
    for operand in test.operands:
        for name, writes in operand.piw.items():
            before = writes.intersect(scop.by_name[name].schedule.lex_lt_map(target))
            if not before.is_empty():
                found.setdefault(str(operand.read), []).append(before.domain())
    assert set(found) == set(listed)
    for operand, text in listed.items():
        (writes,) = found[operand]
        assert writes.is_equal(isl.read_set(text))


@by_id(CASES)
def test_what_becomes_of_each_temporary(case):
    scop = parsed(case)
    derivation = pn.propagate(scop)
    found = {a: o for a, o in outcomes(derivation).items() if a in scop.temporaries}
    assert found == {a: r["outcome"] for a, r in case["arrays"].items()}
    if "propagated" not in outcomes(derivation).values():
        assert [s.name for s in derivation.result.statements] == [s.name for s in scop.statements]


@pytest.mark.parametrize(
    ("case", "listed"),
    [(case, order) for case in CASES for order in case.get("orders", ())],
    ids=lambda x: "-".join(x["order"]) if "order" in x else x["id"],
)
def test_the_order_matters(case, listed):
    def in_that_order(_, candidates):
        return next(a for a in listed["order"] if a in candidates)

    derivation = pn.propagate(parsed(case), order=in_that_order)
    assert outcomes(derivation) == listed["outcome"]


@by_id(CASES)
def test_what_is_computed_stays_the_same(case):
    scop = parsed(case)
    values = {p: [0, 1, 4] for p in scop.parameters}
    for partial in (False, True):
        assert equivalent(pn.propagate(scop, partial=partial), parameters=values)


def outcomes(derivation):
    said = {"ArrayPropagated": "propagated", "ArrayKept": "kept"}
    return {
        step.array: said[type(step).__name__]
        for step in derivation.steps
        if type(step).__name__ in said
    }


@by_id([c for c in CASES if "pieces" in c])
def test_the_statements_that_are_left(case):
    result = pn.propagate(parsed(case)).result
    found = [p for s in result.statements if (p := piece(s, case["at"]))]
    assert sorted(found) == sorted(
        (p["statement"], p["instances"], *p["first"], *p["last"], *listed_assignment(p))
        for p in case["pieces"]
    )


def piece(statement, values):
    """Origin, number of instances, the first, the last, and the first one's assignment."""
    points = isl.points(statement.domain, values)
    if not points:
        return None
    known = values | dict(zip(statement.iterators, points[0], strict=True))
    sides = statement.write.node, statement.expression
    return statement.origin, len(points), *points[0], *points[-1], *(term(e, known) for e in sides)


def listed_assignment(listed):
    left, right = re.sub(r"\bin\b", "in_", listed["first_instance"]).split(" = ")
    return python_term(left), python_term(right)


# -- both kinds of expression as text, integer arithmetic carried out ---------------------------

INTEGERS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "floord": operator.floordiv,
    "mod": operator.mod,
}
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def combine(op, left, right):
    try:
        return str(INTEGERS[op](int(left), int(right)))
    except (KeyError, ValueError):
        return f"({left} {op} {right})"


def term(e, known):
    """The value of an expression of polynb at an instance; the cases know no types, so casts
    are left out."""
    match e:
        case syntax.Number(value=v):
            return str(v)
        case syntax.Parameter(name=n) | syntax.Iterator(name=n):
            return str(known[n])
        case syntax.Access(array=a, subscripts=s):
            return a + "".join(f"[{term(x, known)}]" for x in s)
        case syntax.Binary(op=op, left=a, right=b):
            return combine(op, term(a, known), term(b, known))
        case syntax.Unary(op="-", operand=x):
            return combine("-", "0", term(x, known))
        case syntax.Call(function=f, arguments=arguments):
            return f"{f}({', '.join(term(x, known) for x in arguments)})"
        case syntax.Cast(operand=x) | syntax.Let(value=x):
            return term(x, known)
    raise AssertionError(f"{e} is in no case")


def python_term(text):
    return _python_term(ast.parse(text, mode="eval").body)


def _python_term(e):
    match e:
        case ast.Constant(value=v):
            return str(v)
        case ast.Name(id=n):
            return "in" if n == "in_" else n
        case ast.Subscript(value=a, slice=s):
            return f"{_python_term(a)}[{_python_term(s)}]"
        case ast.BinOp(op=op, left=a, right=b):
            return combine(SIGNS[type(op)], _python_term(a), _python_term(b))
        case ast.Call(func=f, args=arguments):
            return f"{_python_term(f)}({', '.join(map(_python_term, arguments))})"
    raise AssertionError(ast.dump(e))
