"""%%fold: a C cell is run, folded, shown and bound; what goes wrong is said at its place."""

import pytest
from IPython.core.completer import provisionalcompleter

import polynb as pn
from polynb.errors import PolynbError

SUMS = """int a[20][30];
int f(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      s += a[i][j];
  return s;
}
"""


def test_a_cell_is_run_folded_and_bound(shell):
    shown = shell.run_cell_magic("fold", "run n=7", SUMS)
    run = shell.user_ns["run"]
    assert run is shown
    assert isinstance(run, pn.tracing.Folding)
    (load,) = [n for n, i in run.instructions.items() if i.text == "a[i][j]"]
    assert run[load].entries == 28
    (piece,) = run[load].pieces
    assert "0 ≤" in piece.polyhedron(["ci", "cj"])
    assert "next: run.feedback()" in run._repr_mimebundle_()["text/plain"]


def test_it_can_be_run_again_under_its_name_and_be_quiet(shell):
    shell.run_cell_magic("fold", "run n=3", SUMS)
    assert shell.run_cell_magic("fold", "run n=4 --quiet --variant F", SUMS) is None
    assert shell.user_ns["run"].variant == "F"


def test_streams_are_kept_if_asked_and_can_be_stepped(shell):
    run = shell.run_cell_magic("fold", "run n=3 --streams", SUMS)
    (load,) = [n for n, i in run.instructions.items() if i.text == "a[i][j]"]
    assert len(run[load].step().trace["steps"]) > 6


def test_a_program_there_is_runs_through_its_c(shell):
    shell.user_ns["scop"] = pn.parse(
        "param N; for i = 0 to N do for j = 0 to i+1 do A[i][j] = B[j] * 2; done done"
    )
    run = shell.run_line_magic("fold", "scop N=6")
    counts = {run[n].entries for n, i in run.instructions.items() if i.kind == "store"}
    assert 35 in counts
    shell.user_ns["text"] = SUMS
    assert shell.run_line_magic("fold", "text n=2").run.complete


@pytest.mark.long
def test_an_endless_loop_keeps_what_was_folded(shell):
    run = shell.run_cell_magic("fold", "run --seconds 0.3", "int main(void) { for (;;) ; }")
    assert run.run.ended == "time limit"
    loop = "int a[9]; int main(void) { for (unsigned i = 0; ; i++) a[i % 9] = 1; }"
    run = shell.run_cell_magic("fold", "run --events 5000", loop)
    assert run.run.ended == "event limit"
    assert sum(f.entries for f in run.executed.values()) > 1000
    assert "did not run to its end" in run._repr_mimebundle_()["text/html"]


def test_a_crash_says_its_line(shell):
    text = "int main(void) {\n  int *p = 0;\n  for (int i = 0; i < 3; i++)\n    *p = i;\n}"
    run = shell.run_cell_magic("fold", "run", text)
    assert run.run.ended.startswith("signal 11 at line 5")  # of the cell


@pytest.mark.parametrize(
    ("line", "cell", "said", "line_number"),
    [
        ("run", "int main(void) {\n  int x = ;\n}", "x|=|;", 3),
        ("run n=3 n=4", SUMS, "given twice", 1),
        ("run other", SUMS, "binds one name", 1),
        ("run --variant G", SUMS, "--variant", 1),
        ("run --sekonds 3", SUMS, "no option --sekonds", 1),
        ("run", "\n", "no program", 1),
        ("len", SUMS, "already holds something else", 1),
    ],
)
def test_errors_are_at_their_place(shell, line, cell, said, line_number):
    with pytest.raises(PolynbError, match=said) as caught:
        shell.run_cell_magic("fold", line, cell)
    assert caught.value.span is not None
    assert caught.value.span.line == line_number
    assert "run" not in shell.user_ns


def test_an_interrupt_ends_the_program_and_binds_nothing(shell, monkeypatch):
    from polynb.tracing.launching import process

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt, match="no variable was changed"):
        shell.run_cell_magic("fold", "run", "int main(void) { for (;;) ; }")
    assert "run" not in shell.user_ns


@pytest.mark.long
def test_progress_is_told_while_it_runs():
    said = []
    pn.trace(
        "int main(void) { for (;;) ; }",
        seconds=0.7,
        progress=lambda what, done, total: said.append((what, done, total)),
    )
    assert said
    assert all(what == "main runs" and 0 <= done <= total == 7 for what, done, total in said)


def test_it_has_help_and_completion(shell, capsys):
    shell.run_line_magic("fold", "--help")
    assert "--seconds" in capsys.readouterr().out
    with provisionalcompleter():
        found = {c.text for c in shell.Completer.completions("%%fold --var", 12)}
    assert "--variant" in found


def test_lines_of_feedback_have_a_colour_and_a_mark(shell):
    run = shell.run_cell_magic("fold", "run n=7", SUMS)
    markup = pn.feedback(run)._repr_mimebundle_()["text/html"]
    assert "rgba(213,94,0" in markup
    assert "×" in markup
    assert "s += a[i][j];" in markup


def test_the_flame_graph_is_as_wide_as_what_was_executed():
    from polynb.show.draw.flame import bars, flame_graph

    run = pn.trace(SUMS, n=7)
    outer, inner = bars(run)
    assert (outer.depth, inner.depth) == (0, 1)
    assert inner.operations < outer.operations <= sum(f.entries for f in run.executed.values())
    assert outer.start <= inner.start
    assert inner.start + inner.width <= outer.start + outer.width + 1e-9
    assert f"(line {inner.line})" in flame_graph(run).alt
    pytest.importorskip("matplotlib")
    assert len(pn.draw(run).axes) == 1


def test_ways_out_are_those_of_the_magic(shell):
    with pytest.raises(PolynbError) as caught:
        shell.run_cell_magic("fold", "run", SUMS)
    assert str(caught.value.hint) == "n=10, say, or --call 'f(...)'"


def test_of_a_whole_run_the_stepper_takes_a_stream(shell):
    shell.run_cell_magic("fold", "run n=3 --streams --quiet", SUMS)
    with pytest.raises(PolynbError, match=r"run is a whole run, of .* streams") as error:
        shell.run_line_magic("step", "run")
    assert error.value.hint.startswith('%step run["')
    stepper = shell.run_line_magic("step", error.value.hint.removeprefix("%step "))
    assert len(stepper.trace["steps"]) > 1


def test_a_size_that_a_function_does_not_have_is_shown_on_the_line(shell):
    with pytest.raises(PolynbError, match="f has no parameter 'm'") as error:
        shell.run_cell_magic("fold", "run m=3", SUMS)
    assert error.value.span.text in ("m", "m=3")


def test_counts_and_times_are_written_out(shell):
    run = shell.run_cell_magic("fold", "run", "int main(void) { int *p = 0; *p = 1; }")
    said = run._repr_mimebundle_()["text/html"]
    assert "1 dependence, 1 entry, 1 polyhedron" in said
    assert str(run).splitlines()[0].endswith((" µs", " ms", " s"))
    assert "e-0" not in str(run).splitlines()[0]


def test_a_run_without_its_entries_says_how_they_are_kept(shell):
    shell.run_cell_magic("fold", "run n=3 --quiet", SUMS)
    with pytest.raises(PolynbError, match="is a whole run") as error:
        shell.run_line_magic("step", "run")
    assert "were not kept" in error.value.reason
    assert "--streams" in error.value.hint
