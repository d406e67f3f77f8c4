"""`pn.transform`: each move has a verdict, and an illegal one a witness that is true."""

import pickle
import re

import numpy as np
import pytest
from running import Run, is_true, runs_at_once

import polynb as pn
from polynb import gallery
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.scop.schedule import Band, walk
from polynb.violations import hints, ways
from polynb.violations.steps import Moved, NotReached
from polynb.violations.ways import candidates

STENCIL = """param N; assume N >= 2; inout A[N+2][N+2];
for i = 1 to N do for j = 1 to N do S: A[i][j] = A[i-1][j+1] + A[i-1][j]; done done"""
CHAIN = """param N; input A[N+1]; temp t[N+1]; output B[N+1];
for i = 0 to N do S: t[i] = f(A[i]); done
for i = 0 to N do T: B[i] = t[N-i]; done"""
AHEAD = (
    CHAIN.replace("t[N-i]", "t[i+1]")
    .replace("T: B", "if i < N then T: B")
    .replace("t[i+1]; done", "t[i+1]; fi done")
)
SCALAR = """param N; input A[N+1][N+1]; temp t; output B[N+1][N+1], C[N+1][N+1];
for i = 0 to N do for j = 0 to N do
  S: t = A[i][j] * 2; T: B[i][j] = t + 1; U: C[j][i] = t - 1;
done done"""
SUM = """param N; input A[N+1][N+1]; inout s[N+1];
for i = 0 to N do for j = 0 to N do S: s[i] = s[i] + A[i][j]; done done"""

LEGAL = {
    "wavefront": (STENCIL, "skew j by 2*i\ninterchange i j\nvectorize i"),
    "tiles": (STENCIL, "skew j by i\ntile i j by 3, 2"),
    "privatized": (SCALAR, "privatize t\nparallel i\nvectorize j"),
    "expanded": (SCALAR, "expand t\ndistribute j\ninterchange U.i U.j\nparallel U.j"),
    "interchange with a scalar": (
        SCALAR,
        "interchange i j\nprivatize t\nparallel j\nunroll i by 3",
    ),
    "reverse, fuse": (CHAIN, "reverse T.i\nshift T by N\nfuse S T"),
    "shift": (AHEAD, "shift T by 1\nfuse"),
    "sum": (SUM, "interchange i j\nparallel i\nunroll-and-jam j by 2"),
    "peel": (SUM, "peel first 1 of j\npeel last 1 of j\nparallel i"),
    "schedule": (SUM, "schedule { S[i, j] ->   # by columns\n [j, i] }\nvectorize i"),
}

ILLEGAL = {
    "interchange": (STENCIL, "interchange i j"),
    "reverse": (STENCIL, "reverse i"),
    "tile": (STENCIL, "tile i j by 2"),
    "unroll-and-jam": (STENCIL, "unroll-and-jam i by 2"),
    "fuse": (CHAIN, "fuse"),
    "shift": (AHEAD, "shift T by 1\nfuse\nshift S by 1"),
    "distribute": (SCALAR, "distribute j"),
    "schedule": (SCALAR, "schedule { S[i,j] -> [j,i,1]; T[i,j] -> [j,i,0]; U[i,j] -> [j,i,2] }"),
    "reverse a sum": (SUM, "reverse j"),
    "live-in": ("param N; inout A[N+2]; for i=0 to N do S: A[i] = A[i+1]; done", "reverse i"),
    "live-out": ("param N; output A; for i=0 to N do S: A = i; done", "reverse i"),
    "skew": (STENCIL, "skew i by j"),
}  # fmt: skip

CARRIED = {
    "parallel": (STENCIL, "parallel i", "S"),
    "vectorize": (SUM, "vectorize j", "S"),
    "parallel scalar": (SCALAR, "parallel i", "t"),
    "parallel tiles": (STENCIL, "skew j by i\ntile i j by 2\nparallel jj", "A"),
    "moved": (SUM, "parallel i\nskew i by j", "s"),
}


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_chain_computes_the_same(name):
    text, script = LEGAL[name]
    scop = pn.parse(text)
    chain = pn.transform(scop, script)
    assert chain.legal, [str(s) for s in chain.steps]
    assert chain.verdict
    assert equivalent(scop, chain)
    assert equivalent(scop, pn.parse(str(chain.result)))
    expanded = "expand" in script
    for n in () if expanded else range(2, 5):
        assert Run(scop, {"N": n}).same_values(Run(chain.result, {"N": n}))


@pytest.mark.parametrize("name", ILLEGAL)
def test_an_illegal_move_has_a_true_witness(name):
    text, script = ILLEGAL[name]
    scop = pn.parse(text)
    chain = pn.transform(scop, script)
    *before, last = chain.steps
    assert all(s.verdict for s in before)
    assert isinstance(last, Moved)
    assert not last.verdict
    new = {s.name: s.schedule for s in last.program.statements}
    for conflict in last.verdict.order.conflicts:
        assert is_true(conflict, scop, new), conflict
    assert not equivalent(scop, last.program)
    with pytest.raises(PolynbError, match="is illegal") as error:
        pn.compile(chain)
    assert error.value.reason == str(last.verdict.order.conflicts[0])
    for way in last.ways:
        lines = script.splitlines()
        helped = pn.transform(scop, "\n".join([*lines[:-1], str(way), lines[-1]]))
        assert helped.legal
        assert equivalent(helped)


@pytest.mark.parametrize("name", CARRIED)
def test_loops_that_carry_something(name):
    text, script, _ = CARRIED[name]
    chain = pn.transform(pn.parse(text), script)
    (bad,) = [s for s in chain.steps if isinstance(s, Moved) and not s.verdict]
    assert bad.verdict.order
    assert "in another iteration" in str(bad.verdict)
    (found,) = bad.verdict.carried
    values = {"N": max(5, found.witness.parameters["N"])}
    band, k = next(
        (t, k)
        for t in walk(bad.program.schedule)
        if isinstance(t, Band)
        for k, loop in enumerate(t.loops)
        if loop.kind != "sequential"
    )
    assert not runs_at_once(bad.program, band, k, values)


def test_loops_that_carry_nothing_are_let_run():
    chain = pn.transform(pn.parse(STENCIL), LEGAL["wavefront"][1])
    band = next(t for t in walk(chain.result.schedule) if "vector" in getattr(t, "kinds", ()))
    assert runs_at_once(chain.result, band, 0, {"N": 5})


def test_what_would_make_it_legal_is_said():
    (step,) = pn.transform(pn.parse(STENCIL)).interchange("i", "j").steps
    assert [str(w) for w in step.ways] == ["skew j by i", "skew j by 2*i"]
    assert str(step).endswith("; it is legal with `skew j by i` first, or `skew j by 2*i`")
    (step,) = pn.transform(pn.parse(SCALAR)).parallel("i").steps
    assert [str(w) for w in step.ways] == ["privatize t", "expand t"]
    (step,) = pn.transform(pn.parse(SCALAR)).distribute("j").steps
    assert [str(w) for w in step.ways] == ["expand t"]
    (step,) = pn.transform(pn.parse(AHEAD)).fuse().steps
    assert [str(w) for w in step.ways] == ["shift T by 1", "shift T by 2"]
    (step,) = pn.transform(pn.parse(STENCIL)).reverse("i").steps
    assert step.ways == ()


def test_a_search_for_a_way_out_is_bounded_by_operations(monkeypatch):
    monkeypatch.setattr(ways, "OPERATIONS", 1)
    (step,) = pn.transform(pn.parse(STENCIL)).interchange("i", "j").steps
    assert (step.ways, step.verdict.legal) == ((), False)


@pytest.mark.parametrize(
    ("program", "line", "hint"),
    [
        ("gemm", "distribute i at scale", "`distribute i at add`"),
        ("fig9a", "distribute i at S", "`expand s0` first, then `distribute i at T`, or "
         "`expand s1` first, then `distribute i at U`"),
        ("lu", "distribute i at lower", "another move: `distribute i at upper` is not legal here"),
        ("delicm_listing2", "tile i k by 4", "`expand a` and `distribute i` first"),
        ("delicm_listing1", "unroll-and-jam i by 4",
         "`distribute i` first, then `unroll-and-jam S.i by 4`"),
        ("delicm_listing2", "unroll-and-jam i by 4",
         "`expand a` and `distribute i` first, then `unroll-and-jam S.i by 4`"),
        ("fig1", "fuse S0 S1", "`shift S4 by 1` first, then `fuse S0 S4`"),
        ("fig4", "interchange i j", "loops inside one another"),
        ("matmul_fig2", "tile i k by 4", "tile i k and j together"),
    ],
)  # fmt: skip
def test_what_is_proposed_for_a_move_that_cannot_be_made_is_legal(program, line, hint):
    scop = pn.gallery.load(program)
    with pytest.raises(PolynbError) as caught:
        pn.transform(scop, line)
    assert caught.value.hint == hint
    for way in re.split(", or ", hint if hint.startswith("`") else ""):
        lines = [*re.findall("`([^`]+)`", way), *([line] if way.endswith(" first") else [])]
        assert pn.transform(scop, "\n".join(lines)).legal


def test_what_is_proposed_is_not_judged_for_long(monkeypatch):
    monkeypatch.setattr(hints, "OPERATIONS", 1)
    with pytest.raises(PolynbError) as caught:
        pn.transform(pn.gallery.load("fig9a"), "distribute i at S")
    assert caught.value.hint.count("`distribute i at") == 3


def test_what_was_private_has_to_stay_it():
    scop = pn.parse(SCALAR)
    chain = pn.transform(scop).privatize("t").distribute("j", at="U")
    assert not chain.legal  # U would read what the last S wrote
    chain = pn.transform(scop).privatize("t").interchange("i", "j").tile("j", "i", by=2)
    assert chain.parallel("jj").legal


def test_what_is_private_no_more_is_illegal_in_whatever_order():
    """One iteration has no live ranges that could overlap."""
    scop = pn.parse(
        "param N; assume N == 0; input A[N+1]; temp t; output B[N+1];"
        "for i = 0 to N do S: t = A[i]; T: B[i] = t; done"
    )
    verdict = pn.transform(scop, "privatize t\ndistribute i").steps[-1].verdict
    assert verdict.order.legal
    assert not verdict.legal


def test_a_chain_in_python():
    scop = gallery.load("gemm")
    start = pn.transform(scop)
    chain = start.distribute("i").tile("add.i", "add.j", "k", by=(2, 3, 4)).parallel("ii")
    assert start.steps == ()
    assert start.result is scop
    assert chain.legal
    assert chain.before is scop
    assert chain.stages == (scop, chain.result)
    assert chain.script.splitlines() == [
        "distribute i",
        "tile add.i add.j k by 2, 3, 4",
        "parallel ii",
    ]
    again = pn.transform(scop, chain.script)
    assert str(again.result) == str(chain.result)
    assert equivalent(chain, ni=[3], nj=[4], nk=[5])
    assert pn.check(chain)


def test_after_an_illegal_move_nothing_is_looked_at():
    chain = pn.transform(pn.parse(STENCIL)).skew("j", "i").reverse("i").tile("i", "j", by=4)
    assert not chain.legal
    assert not chain.verdict
    assert isinstance(chain.steps[2], NotReached)
    assert str(chain.steps[2]).startswith("· tile i j by 4: not looked at")
    with pytest.raises(PolynbError, match="`reverse i` is illegal"):
        _ = chain.result
    mended = chain.undo(2)
    assert mended.legal
    assert mended.script == "skew j by i"
    assert mended.tile("i", "j", by=4).legal
    assert chain.undo(99).result is chain.before
    assert chain.stages == (chain.before,)
    assert mended.stages == (chain.before, mended.result)
    assert repr(chain).endswith("3 moves, illegal>")


def test_an_illegal_chain_is_no_program_to_compare():
    """Who asks all derivations of a notebook, as the display of timings does, gets an answer."""
    chain = pn.transform(pn.parse(STENCIL)).skew("j", "i")
    assert chain.rewrites
    assert not chain.reverse("i").rewrites


def test_it_pickles():
    chain = pn.transform(pn.parse(SCALAR)).privatize("t").parallel("i").reverse("j")
    again = pickle.loads(pickle.dumps(chain))
    assert str(again.result) == str(chain.result)
    assert [str(s) for s in again.steps] == [str(s) for s in chain.steps]
    assert again.interchange("i", "j").moves[-1] == chain.interchange("i", "j").moves[-1]


def test_it_starts_from_what_a_pass_made():
    d = pn.reorder(gallery.load("lrr_listing1"))
    chain = pn.transform(d).reverse("i")
    assert chain.before is d.result
    assert chain.stages[0] is d.before
    assert pn.transform(chain).reverse("i").legal


@pytest.mark.parametrize("name", ["wavefront", "privatized", "expanded", "peel", "shift"])
def test_compiled_it_computes_the_same(name):
    text, script = LEGAL[name]
    scop = pn.parse(text.replace("f(", "2*("))
    chain = pn.transform(scop, script)
    n = 37
    random = np.random.default_rng(7)
    size = {"A": (n + 2, n + 2) if text is STENCIL else (n + 1, n + 1), "s": (n + 1,)}
    given = {
        a.name: random.random((n + 1,) if text is LEGAL["shift"][0] else size[a.name])
        for a in scop.arrays.values()
        if a.live_in
    }
    before = pn.compile(scop, threads=1, flags="-O0")(given, N=n)
    after = pn.compile(chain, threads=2)(given, N=n)
    for name, value in before.items() if isinstance(before, dict) else [("", before)]:
        got = after[name] if isinstance(after, dict) else after
        assert np.array_equal(value, got)


def test_loops_that_a_move_is_about_are_tried_first():
    scop = gallery.load("seidel_2d")
    step = pn.transform(scop).interchange("i", "j").steps[0]
    tried = candidates(scop, step.move, step.verdict)
    assert str(next(tried)) == "skew j by i"
    assert pn.transform(scop).skew("j", "i").interchange("i", "j").legal


SUMS = """param N; input A[N+1]; temp t[N+1]; output B[N+1];
for i = 0 to N do for j = 0 to N do S: t[i] = t[i] + A[j]; done done
for i = 0 to N do for j = 0 to N do T: B[i] = t[N-i]; done done"""
DEEP = """param N; assume N >= 2; inout A[N+2][N+2]; output B[N+1];
for t = 0 to N do for i = 1 to N do for j = 1 to N do
  S: A[i][j] = A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1];
done done done
for k = 0 to N do T: B[k] = 1; done"""
FORK = """param N; assume N >= 2; inout A[N+1][N+1], B[N+1][N+1];
for i = 1 to N do
  for j = 1 to N do for k = 1 to N do S: A[i][j] = A[i][j-1] + k; done done
  for j = 1 to N do T: B[i][j] = B[i-1][j] + 1; done
done"""
SHIFTS = ["1", "0, 1", "2", "0, 2", "-1", "0, -1", "1, 1"]


@pytest.mark.parametrize(
    ("text", "line", "tried"),
    [
        (SUMS, line, ["expand t", *(f"shift T by {s}" for s in SHIFTS),
                      "interchange T.i T.j", "reverse T.i", "reverse T.j"])
        for line in ("fuse", "fuse S T", "fuse S.i T.i")
    ] + [
        (CHAIN, "fuse", ["expand t", "shift T by 1", "shift T by 2", "shift T by -1",
                         "reverse T.i"]),
    ] + [
        (CHAIN + "\nfor i = 0 to N do U: C[i] = A[i]; done", "fuse S T",
         ["expand t", "shift T by 1", "shift T by 2", "shift T by -1", "reverse T.i"]),
    ] + [
        (DEEP, "interchange t i", [
            "skew i by t", "skew j by i", "skew j by t", "skew i by -t", "skew j by -i",
            "skew j by -t", "skew i by 2*t", "skew j by 2*i", "skew j by 2*t",
            "reverse t", "reverse i", "reverse j"]),
        (FORK, "reverse S.j", [
            *(f"skew {inner} by {times}{outer}" for times in ("", "-", "2*")
              for inner, outer in (("S.j", "i"), ("k", "j"), ("T.j", "i"), ("k", "i"))),
            "reverse i", "reverse k", "reverse T.j"]),
    ] + [
        (STENCIL, line, ["skew j by i", "skew j by -i", "skew j by 2*i", *reversals])
        for line, reversals in (
            ("tile i j by 2", ["reverse i", "reverse j"]),
            ("interchange i j", ["reverse i", "reverse j"]),
            ("reverse i", ["reverse j"]),
        )
    ],
)  # fmt: skip
def test_what_is_tried_to_make_a_move_legal(text, line, tried):
    scop = pn.parse(text)
    step = pn.transform(scop, line).steps[0]
    assert [str(m) for m in candidates(scop, step.move, step.verdict)] == tried


def test_what_loops_carry_is_not_asked_in_an_illegal_order():
    script = "skew j by 2*i\ninterchange i j\nparallel i\nskew j by -2*i"
    verdict = pn.transform(pn.parse(STENCIL), script).steps[-1].verdict
    assert not verdict.order
    assert not verdict.carried


def test_a_verdict_knows_what_was_asked_and_has_repairs():
    scop = pn.parse("param N; temp t; for i=0 to N do S: t = A[i]; T: B[i] = t; done")
    chain = pn.transform(scop).distribute("i")
    (repair,) = chain.verdict.order.repairs[:1]
    assert repair.kind == "expand"
    assert equivalent(scop, repair.apply(), N=[0, 3])
