"""Conditions that are the same in all iterations of a loop in vectors: around loops."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import polynb as pn
from polynb.codegen.guards import with_guards_outside
from polynb.run.compilers import FEW_MASKS, find
from polynb.schedules.privatizing import privatize
from polynb.source.tree import For, If

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))
from random_pipelines import random_pipeline

HEAD = """param N, M; input a[4*N+4], b[4*N+4]; output o[4*N+4], p[4*N+4], q[2];
for x = 0 to M do for t = 0 to N do """
GROUP = "o[2*t] = a[2*t] > 1 ? b[2*t] : 2; o[2*t+1] = a[2*t] > 1 ? b[2*t+1] : 2; "


def inside(body: str, kind: str = "vector") -> str:
    """What is in the loop over x, if the one over t is of a kind: `t(…)` for a loop over t, `if(…)`
    for a condition, and how many assignments there are."""
    program = pn.parse(f"{HEAD}{body} done done").program
    (over_x,) = program.body
    (over_t,) = over_x.body
    over_x = replace(over_x, body=(replace(over_t, kind=kind),))
    (found,) = with_guards_outside(replace(program, body=(over_x,))).body
    return shape(found.body)


def shape(body) -> str:
    parts, assigned = [], 0
    for s in body:
        match s:
            case For(iterator=i):
                parts.append(f"{i}({shape(s.body)})")
            case If(then=a, otherwise=b):
                parts.append(f"if({shape(a)})" + f" else({shape(b)})" * bool(b))
            case _:
                assigned += 1
    return " ".join([*parts, *[str(assigned)] * bool(assigned)])


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (GROUP, "t(2)"),
        (GROUP + "if x >= 3 then p[t] = 1; fi", "t(2) if(t(1))"),
        (GROUP + "if x >= 3 then p[t] = 1; else p[t] = 2; fi", "t(2) if(t(1)) else(t(1))"),
        (
            "p[t] = 0; if x >= 1 then p[t] = 1; if x >= 2 then p[t] = 2; fi fi " + GROUP,
            "t(1) if(t(1) if(t(1))) t(2)",
        ),
        (GROUP + "if t >= 3 then p[t] = 1; fi", "t(if(1) 2)"),
        (GROUP + "if a[x] > 1 then p[t] = 1; fi", "t(if(1) 2)"),
        (
            GROUP + "q[0] = a[t]; if x >= 3 then p[t] = q[0]; fi",
            "t(if(1) 3)",
        ),  # handed on in a cell
        ("p[t] = a[t]; if x >= 3 then o[t] = 1; fi", "t(if(1) 1)"),  # may have masks
        (GROUP + "if M / (x - 1) > 3 then p[t] = 1; fi", "t(if(1) 2)"),  # N may be -1
        (
            GROUP + "if x >= 3 then p[t] = 1; fi if x >= 4 then p[t] = 2; fi",
            "t(2) if(t(1)) if(t(1))",
        ),
        (GROUP + "if x >= 3 then for c = 0 to 1 do p[2*t+c] = 1; done fi", "t(2) if(t(c(1)))"),
    ],
)
def test_what_is_under_a_condition_has_a_loop_of_its_own(body: str, found: str) -> None:
    assert inside(body) == found


def test_only_what_runs_in_vectors_runs_in_any_order() -> None:
    assert inside(GROUP + "if x >= 3 then p[t] = 1; fi", "sequential") == "t(if(1) 2)"


HANDED_ON = """param N, M; assume N >= 1 and N <= 20;
input float a[84], b[84]; output float o[84], p[84]; temp float w[42];
for t = 0 to N do
  w[2*t] = a[t]; w[2*t+1] = b[t];
  o[2*t] = a[2*t] > 1 ? b[2*t] : 2; o[2*t+1] = a[2*t] > 1 ? b[2*t+1] : 2;
  if M * M >= 9 then p[t] = w[2*t] + w[2*t+1]; fi
done"""


@pytest.mark.parametrize("private", [(), ("w",)])
def test_what_each_iteration_has_for_itself_stays_with_it(private: tuple[str, ...]) -> None:
    before = pn.parse(HANDED_ON)
    own = privatize(before, private) if private else before
    after = pn.transform(own).vectorize("t").result
    pn.measure([before, after], {"N": 17, "M": 3}, rounds=1)  # the same results, bit for bit


def test_a_condition_of_no_iterations_is_not_evaluated() -> None:
    text = """param N, M; input float a[84], b[84]; output float o[84], p[84];
    for t = 0 to N - 1 do
      o[2*t] = a[2*t] > 1 ? b[2*t] : 2; o[2*t+1] = a[2*t] > 1 ? b[2*t+1] : 2;
      if M / N > 3 then p[t] = 1; fi
    done"""
    k = pn.compile(pn.transform(pn.parse(text)).vectorize("t").result)
    for n, written in ((0, 0), (4, 4)):
        filled = {x: [2.0] * 84 for x in ("a", "b", "o", "p")}
        assert (k(filled, N=n, M=16).p == 1).sum() == written


@pytest.mark.skipif("POLYNB_LARGE" not in os.environ, reason="takes long: with POLYNB_LARGE only")
@pytest.mark.long
def test_a_volume_in_strips_runs_in_vectors_without_masks() -> None:
    if find(None).name != "gcc":
        pytest.skip("only gcc is asked")
    flags = pn.compile(pn.optimise(pn.parse(random_pipeline(32263))).result).flags
    assert set(FEW_MASKS) <= set(flags)
