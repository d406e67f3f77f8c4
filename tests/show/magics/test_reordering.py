"""%%reorder, %reorder and %bench --apply reorder, as a notebook runs them."""

import pytest
from cases import beside
from IPython.core.completer import provisionalcompleter

from polynb.derivation import Derivation
from polynb.run import Timing
from polynb.scop.isl_marks import mark_name
from polynb.scop.schedule import Band, Mark, walk

from .test_magics import refused, run  # noqa: F401

CASES = beside(__file__)

PRODUCT = """param n; assume n >= 1; input A[n][n], y[n]; temp t; inout x1[n];
for i = 0 to n-1 do for j = 0 to n-1 do
  t = A[i][j] * y[j]; // S1
  x1[i] = x1[i] + t; // S2
done done"""


@pytest.fixture
def texts(texts):
    return {**texts, "product": PRODUCT}


def bands(derivation):
    return [t for t in walk(derivation.result.schedule) if isinstance(t, Band)]


def marks(derivation):
    return [mark_name(t.what) for t in walk(derivation.result.schedule) if isinstance(t, Mark)]


@pytest.mark.long
def test_cells_bind_a_derivation_and_lines_return_one(run, shell):  # noqa: F811
    result = run("%%reorder fast\n$product")
    assert isinstance(result, Derivation)
    assert shell.user_ns["fast"] is result
    assert result.name == "reorder"
    run("again = %reorder fast.before")
    assert [b.permutable for b in bands(shell.user_ns["again"])] == [True]
    assert run("%reorder gallery:taco13_fig12").name == "reorder"


@pytest.mark.long
def test_it_takes_the_keywords_of_the_library(run):  # noqa: F811
    run("%%scop product\n$product")
    assert marks(run("%reorder product")) == ["private@t"]
    assert marks(run("%reorder product --no-privatize")) == []
    assert marks(run("%reorder product --privatize t")) == ["private@t"]
    assert len(bands(run("%reorder product --tile 16"))) == 2
    tiled = run("%reorder product --tile 16,8 --separate")
    assert "full@16,8" in marks(tiled)
    assert all(
        not b.permutable or b.depth == 1 for b in bands(run("%reorder product --preset none"))
    )
    steps = [type(s).__name__ for s in run("%reorder product --scheduler isl").steps]
    assert "Scheduled" in steps
    assert (
        next(type(s).__name__ for s in run("%reorder product --preset gpu").steps) == "Constrained"
    )


@pytest.mark.long
def test_loops_are_interchanged_and_arrays_contracted(run):  # noqa: F811
    turned = run("%reorder gallery:lrr_listing1 --interchange 1,0 --tile 16 --contract")
    assert turned.result.arrays["t"].extents == ()
    text = str(turned.result)
    assert text.index("for ii") < text.index("for jj")


@pytest.mark.parametrize(
    ("line", "said", "at"),
    CASES["lines_are_refused_at_the_word_at_fault"],
)
def test_lines_are_refused_at_the_word_at_fault(run, line, said, at):  # noqa: F811
    run("%%scop product\n$product")
    refused(run, line, said, at=at)


def test_passes_are_timed_one_after_the_other(run):  # noqa: F811
    run("%%scop blur\n$blur")
    run("%%scop product\n$product")
    one = run("%bench product --apply reorder n=8 --rounds 1")
    assert isinstance(one, Timing)
    assert one.labels == ("product.before", "product")
    both = run("%bench blur --apply propagate,reorder N=8 --rounds 1")
    assert both.labels == ("blur.before", "blur.stages[1]", "blur")
    assert run("%bench blur N=8 --rounds 1").labels == ("blur",)
    cell = run("%%bench --apply reorder n=8 --rounds 1\n$product")
    assert cell.labels == ("program.before", "program")


def test_a_label_of_what_was_timed_can_be_typed(run):  # noqa: F811
    run("%%scop blur\n$blur")
    run("first = %propagate blur")
    run("both = %reorder first")
    assert run("%bench both N=8 --rounds 1").labels[1] == "both.stages[1]"
    assert run("%bench both.stages[1] N=8 --rounds 1").labels == ("both.stages[1]",)
    refused(run, "%bench both.stages[9] N=8", "no 'stages[9]'", at="both.stages[9]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%reorder product --preset ", ["cpu", "gpu", "none"]),
        ("%reorder product --sch", ["--scheduler"]),
        ("%reorder product --privatize ", ["t"]),
        ("%bench product --apply propagate,", ["delicm", "optimise", "reorder"]),
        ("%%reorder x --no", ["--no-privatize"]),
    ],
)
def test_completions(run, shell, text, expected):  # noqa: F811
    run("%%scop product\n$product")
    with provisionalcompleter():
        found = [c.text for c in shell.Completer.completions(text, len(text))]
    assert sorted(found) == expected


def test_a_verdict_has_a_display_while_the_extension_is_loaded(run, shell):  # noqa: F811
    run("x = %reorder gallery:lrr_listing1")
    run("import polynb as pn")
    shown, _ = shell.display_formatter.format(run("pn.check(x)"))
    assert shown["text/html"].startswith("<div")
    assert shown["text/plain"].startswith("legal: ")
