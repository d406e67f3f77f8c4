"""%%transform, as a notebook runs it: a verdict a line, a caret for every complaint."""

import json
from importlib.resources import files

import jsonschema
import pytest
from IPython.core.completer import CompletionContext

from polynb.errors import PolynbError, edited
from polynb.run.oracle import equivalent
from polynb.show.trace.builder import trace
from polynb.violations import Transformation

from .test_magics import refused, run  # noqa: F401

STENCIL = """param N; assume N >= 2; inout A[N+2][N+2];
for i = 1 to N do for j = 1 to N do S: A[i][j] = A[i-1][j+1] + A[i-1][j]; done done"""
SCALAR = """param N; assume N >= 1; temp t; output B[N+1][N+1];
for i = 0 to N do for j = 0 to N do S: t = A[i][j] * 2; T: B[i][j] = t + 1; done done"""


@pytest.fixture
def texts(texts):
    return {**texts, "stencil": STENCIL, "scalar": SCALAR}


@pytest.fixture
def stencil(run, shell):  # noqa: F811
    shell.user_ns.pop("fast", None)
    run("%%scop stencil\n$stencil")
    return run


def test_a_cell_binds_a_chain(stencil, shell):
    result = stencil("%%transform fast --from stencil\nskew j by i\n\ninterchange i j  # wave\n")
    assert isinstance(result, Transformation)
    assert shell.user_ns["fast"] is result
    assert result.legal
    assert result.before is shell.user_ns["stencil"]
    assert stencil("%%transform --from fast\nreverse i").before is result.result
    assert stencil("%%transform quiet --from=gallery:gemm --quiet\nreverse i") is None
    assert shell.user_ns["quiet"].script == "reverse i"


def test_an_illegal_line_is_shown_with_what_would_make_it_legal(stencil, shell):
    result = stencil("%%transform fast --from stencil\ninterchange i j\ntile i j by 4\n")
    assert shell.user_ns["fast"] is result
    assert not result.legal
    plain = result._repr_mimebundle_()
    text = plain["text/plain"]
    assert text.startswith('Move 1, "interchange i j", is illegal: S(2, 1) needs what S(1, 2)')
    assert "✗ interchange i j: illegal" in text
    assert "· tile i j by 4: not looked at" in text
    assert 'legal with "skew j by i" first' in text
    assert "next: print(fast.reached)" in text
    assert "✗ illegal" in plain["text/html"]
    with pytest.raises(PolynbError, match="`interchange i j` is illegal"):
        stencil("%bench fast N=8")


def test_what_comes_after_an_illegal_chain_is_shown(stencil, shell):
    """What a program is called is looked for among all variables, of which one has no result."""
    stencil("%%transform fast --from stencil\ninterchange i j")
    found = stencil("%%scop\nparam N; for i = 0 to N do A[i] = 0; done")
    assert "A[i] = 0" in found._repr_mimebundle_()["text/plain"]


@pytest.mark.long
def test_a_cell_may_begin_with_passes(stencil, shell):
    stencil("%%scop scalar\n$scalar")
    result = stencil("%%transform fast --from scalar\npropagate\ninterchange i j")
    assert result.script == "propagate\ninterchange i j"
    assert result.legal
    assert "t" not in result.result.arrays
    plain = result._repr_mimebundle_()["text/plain"]
    assert plain.startswith('The move is legal, after "propagate".')
    alone = stencil("%%transform --from scalar\nremove_scalars\npropagate windows=8")
    plain = alone._repr_mimebundle_()["text/plain"]
    assert plain.startswith(
        'No move: this is the program after "remove_scalars" and "propagate windows=8".'
    )
    refused(stencil, "%%transform --from scalar\npropagate windw=3", "propagate has no 'windw'",
            "windows=", at="windw=3")  # fmt: skip


def test_before_and_after_side_by_side(stencil):
    result = stencil("%%transform fast --from stencil\nskew j by i\ntile i j by 8, 4\n")
    plain = result._repr_mimebundle_()["text/plain"]
    assert plain.startswith("Both moves are legal.")
    assert "for ii" in plain
    assert "✓ tile i j by 8, 4: legal" in plain
    assert "next: %bench fast N=" in plain


@pytest.mark.parametrize(
    ("line", "said", "at", "hint"),
    [
        ("interchang i j", "there is no move 'interchang'", "interchang", "interchange"),
        ("skw j by i", "there is no move 'skw'", "skw", None),
        ("interchange i", "interchange takes the name of a loop here", "", "`interchange i j`"),
        ("interchange i j k", "interchange takes nothing more here", "k", "`interchange i j`"),
        ("interchange i k", "there is no loop 'k'", "k", "`i` and `j`"),
        ("tile i j", "tile takes `by` here", "", "`tile i j by 32`"),
        ("tile i j by x", "tile takes a number here", "x", "`tile i j by 32`"),
        ("tile i j by 0", "tile takes a number of at least 2 here", "0", "`tile i j by 32`"),
        ("tile i j by 4, 4, 4", "3 sizes for 2 loops", "tile i j by 4, 4, 4", "2 sizes"),
        ("skew j by 2*", "skew takes a loop, or 2*i, here", "2*", "`skew j by i`"),
        ("skew j by i*j", "skew takes a loop", "i*j", "`skew j by i`"),
        ("skew j by 2*k", "there is no loop 'k'", "2*k", "`i` and `j`"),
        ("shift X by 1", "there is no statement 'X'", "X", "`S`, say"),
        ("shift S by M", "'M' is no distance", "M", "N - 1"),
        ("shift S by 1 2", "shift takes nothing more here", "2", "`shift S by 1`"),
        ("skew j by i 2", "skew takes a loop, or 2*i, here", "i", "`skew j by i`"),
        ("fuse S", "fuse takes the name of a loop here", "", "`fuse S T`"),
        ("fuse", "no two loops of equal depth", "fuse", "without this line"),
        ("undo", "there is no move 'undo'", "undo", "without this line"),
        ("privatize A", "'A' cannot be private", "A", None),
        ("expand q", "there is no array 'q'", "q", None),
        ("peel first 2", "peel takes the name of a loop here", "", None),
        ("peel first 0 of i", "peel takes a number of at least 1 here", "0", "`peel first 1"),
        ("{ S[i,j] -> [j,i] }", "a schedule of one's own begins with a word", "{", "`schedule {"),
        ("unroll i", "cannot be unrolled", "unroll i", "tile it"),
        ("schedule", "schedule takes a schedule here", "schedule", "`schedule {"),
        ("schedule { S[i,j] -> [i] }", "the same time", "S[i,j]", "one of the iterators"),
        ("schedule { T[i,j] -> [i,j] }", "an unknown statement T", "T[i,j]", "S"),
        ("schedule { S[i,j] -> [i,j }", "`}` where `,` or `]` is expected", "}", None),
        ("schedule { S[i,0] -> [i,0] }", "leaves out S(", "schedule { S[i,0] -> [i,0] }", None),
    ],
)
def test_a_caret_at_what_is_wrong(stencil, shell, line, said, at, hint):
    before = shell.user_ns.get("fast")
    with pytest.raises(PolynbError) as caught:
        stencil(f"%%transform fast --from stencil\n# a comment\n{line}  # here\n")
    error = caught.value
    assert said in str(error)
    assert error.span is not None
    assert error.span.line == 3
    assert error.span.text == at
    assert hint is None or hint in error.hint
    assert shell.user_ns.get("fast") is before


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("%%transform fast\nreverse i", "%%transform needs a program", "%%transform"),
        ("%%transform fast --from nope\nreverse i", "there is no program 'nope'", "nope"),
        ("%%transform a b --from stencil\nreverse i", "binds one name", "b"),
        ("%%transform fast --from stencil\n", "the cell is empty", "%%transform"),
        ("%%transform fast --from stencil", "the cell is empty", "%%transform"),
        ("%transform stencil", "has what is to be done in a cell", "%transform"),
        ("%%transform fast --form stencil\nreverse i", "no option --form", "--form"),
        ("%bench stencil N=4 --apply transform", "there is no pass 'transform'", "transform"),
    ],
)
def test_lines_that_are_wrong(stencil, line, said, at):
    refused(stencil, line, said, at=at)


def test_a_program_where_moves_belong_is_bound_first(stencil):
    said = "says what is to be done with a program, and this is one"
    for line in ("%%transform fast", "%%transform fast --from stencil", "%%transform"):
        error = refused(stencil, f"{line}\n$stencil", said, at="%%transform")
        assert edited(error.fix) in ("%%scop fast", "%%scop blur")
        assert edited(error.fix) in error.hint


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("%%transform gallery:gemm", "%%transform faster --from gallery:gemm"),
        ("%%transform stencil", "%%transform faster --from stencil"),
        ("%play gemm", "%play gallery:gemm"),
        ("%scop gem", "%scop gallery:gemm"),
    ],
)
def test_a_program_that_is_named_otherwise_is_named_as_it_should_be(stencil, line, fixed):
    error = refused(stencil, f"{line}\nreverse i" if "%%" in line else line, "program")
    assert edited(error.fix) == fixed
    assert "gallery:gemm" in (error.hint or "") or "stencil" in error.hint


def test_a_schedule_may_have_several_lines(stencil):
    cell = "%%transform w --from stencil\nschedule {\n  S[i, j] -> [2i + j, # wave\n i]\n}\n"
    cell += " vectorize i"
    result = stencil(cell)
    assert result.legal
    assert [m.name for m in result.moves] == ["schedule", "vectorize"]
    with pytest.raises(PolynbError, match="where `,` or `]` is expected") as caught:
        stencil(cell.replace("i]", "i"))
    assert (caught.value.span.line, caught.value.span.text) == (5, "}")


def test_the_stepper_has_a_frame_for_each_line(stencil):
    result = stencil("%%transform fast --from stencil\nskew j by i\nreverse i\nparallel j\n")
    view = stencil("%step fast")
    frames = view.trace["steps"]
    assert [f["kind"] for f in frames] == ["verdict", "Moved", "Moved", "NotReached", "result"]
    skewed, reversed_, _ = frames[1:4]
    assert "other" in skewed
    assert reversed_["witness"]["sentence"] == result.verdict.obstacles[0]
    assert [i["name"] for i in reversed_["witness"]["instances"]] == ["S(1, 2)", "S(2, 1)"]
    schema = json.loads((files("polynb.show.trace") / "trace.schema.json").read_text())
    jsonschema.validate(view.trace, schema)


@pytest.mark.long
def test_traces_of_legal_chains(stencil, run):  # noqa: F811
    run("%%scop scalar\n$scalar")
    chain = run(
        "%%transform c --from scalar\nprivatize t\ntile i j by 2\nparallel ii\nunroll j by 2\n"
    )
    assert chain.legal
    found = trace(chain)
    assert [f["kind"] for f in found["steps"]] == ["verdict", *["Moved"] * 4, "result"]
    assert found["verdict"] == "All 4 moves are legal."
    assert "witness" not in found["steps"][3]
    assert chain.to_html().startswith("<!doctype html>")
    assert equivalent(chain)


def test_names_complete(stencil, shell, run):  # noqa: F811
    run("%%scop scalar\n$scalar")

    found = next(
        m
        for m in shell.Completer.custom_matchers
        if getattr(m, "matcher_identifier", "") == "polynb"
    )

    def words(cell):
        lines = cell.split("\n")
        context = CompletionContext(
            token=lines[-1].split(" ")[-1], full_text=cell, cursor_position=len(lines[-1]),
            cursor_line=len(lines) - 1, limit=None,
        )  # fmt: skip
        return [c.text for c in found(context)["completions"]]

    head = "%%transform fast --from scalar\n"
    assert words(head + "inter") == ["interchange"]
    assert words(head + "unroll") == ["unroll-and-jam"]
    assert words(head + "interchange ") == ["i", "j"]
    assert words(head + "privatize ") == ["t"]
    assert words(head + "shift ") == ["S", "T"]
    assert words(head + "tile i b") == ["by"]
    assert words(head + "tile i j by 4, 8\ninterchange ") == ["ii", "jj", "i", "j"]
    assert words(head + "# tiles\r\n\ntile i j by 4\n\nparallel i") == ["ii"]
    assert words(head + "distribute j\nreverse ") == ["i", "S.j", "T.j"]
    assert words(head + "wait\nreverse q\nstrip-mine j by 4\nreverse ") == ["i", "jj", "j"]
    assert words(head + "reverse \ntile i j by 4") == []
    assert words(head + "expand t\nprivatize ") == ["t"]
    assert words("\n" + head + "tile i j by 4\nunroll j") == ["jj"]
    assert words("%%transform fast --from sca") == ["scalar"]
    assert "gallery:gemm" in words("%%transform fast --from gallery:ge")
    assert words("%%transform fast --f") == ["--from"]
