"""Loading, completing, unloading."""

import time

import pytest
from IPython.core.completer import provisionalcompleter

from polynb import show
from polynb.show.magics.progress import Progress, progress_html, time_left


@pytest.fixture
def complete(shell, blur):
    shell.user_ns["blur"] = blur
    shell.user_ns["bluff"] = 3

    def call(text):
        with provisionalcompleter():
            return [c.text for c in shell.Completer.completions(text, len(text))]

    return call


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%propagate blur --ke", ["--keep"]),
        ("%%propagate x --live", ["--live-out"]),
        ("%%scop x --language ", ["auto", "c", "scop"]),
        ("%bench blur --heap f", ["fresh"]),
        ("%bench blur --heap=f", ["fresh"]),
        ("fast = %propagate bl", ["blur"]),
        ("%scop gallery:har", ["harris"]),
        ("%%bench x --apply ", ["delicm", "optimise", "propagate", "reorder"]),
    ],
)
def test_completions(complete, text, expected):
    assert sorted(complete(text)) == expected


CELL = """
param N, M;
temp double t[N+1], u;
for i = 0 to N do // v[i] = 1
  t[i] = A[i] * 2; u = t[i];
  B[i] = u;
done"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%propagate blur --keep ", ["t"]),
        ("%propagate blur --arrays=", ["t"]),
        ("%propagate gallery:fig7a --order ", ["first_write", "potential", "tmp"]),
        ("%propagate blur --order t", ["t"]),
        ("%propagate blur --cache-lines ", ["none"]),
        ("%propagate blur --explain o", ["out"]),
        ("%propagate blur --keep t,", []),
        ("fast = %propagate gallery:fig1 --keep tmp,", ["s"]),
        ("%propagate gallery:fig1 --explain tm", ["tmp"]),
        ("%propagate gallery:nothing --keep ", []),
        ("%bench blur N", ["N="]),
        ("%bench blur N=100 i", ["in="]),
        ("%bench blur N=", []),
        ("%bench gallery:harris --threads 2 R", ["R="]),
        ("%propagate blur N", []),
    ],
)
def test_names_of_the_programs_on_the_line_are_completed(complete, text, expected):
    offered = complete(text)
    if expected == []:
        assert not {"", "t", "u", "s", "tmp", "N="} & set(offered)
    else:
        assert sorted(offered) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%%propagate x --keep ", {"t", "u"}),
        ("%%propagate x --explain ", {"t", "u", "B"}),
        ("%%bench x ", {"N=", "M=", "A="}),
    ],
)
def test_names_of_an_unfinished_cell_are_completed(shell, line, expected):
    cell = line + CELL + "\nfor j = 0 to"
    with provisionalcompleter():
        offered = {c.text for c in shell.Completer.completions(cell, len(line))}
    assert offered == expected


def test_options_are_offered(complete):
    offered = set(complete("%propagate blur --"))
    assert {"--arrays", "--keep", "--partial", "--live-out", "--explain", "--temp"} <= offered
    assert {"--cache-lines", "--order", "--recurrences"} <= offered


PROGRAM = """%%scop x
param Nodes;  input tan[Nodes+1];
define square(v) = v*v;
for iter = 0 to Nodes do  // see Stmt
  let total = tan[iter];
  First: temporary[iter] = total;  // Stmt
  @
done"""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("temporary[it", {"iter"}),
        ("out[iter-it", {"iter"}),
        ("x = tempo", {"temporary"}),
        ("x = No", {"Nodes"}),
        ("x = ta", {"tan", "tanf", "tanh", "tanhf"}),
        ("x = squ", {"square"}),
        ("x = tot", {"total"}),
        ("x = sq", {"square", "sqrt", "sqrtf"}),
        ("inp", {"input"}),
        ("the", {"then"}),
        ("uint1", {"uint16"}),
        ("x = F", set()),
        ("// as F", set()),
        ("// as St", {"Stmt"}),
        ("x = iter;  // S", {"Stmt"}),
        ("x = 1e", set()),
    ],
)
def test_words_of_a_program_are_completed(shell, typed, expected):
    before, after = PROGRAM.split("@")
    text = before + typed
    with provisionalcompleter():
        offered = list(shell.Completer.completions(text + after, len(text)))
    ours = {c.text for c in offered if c._origin == "polynb"}
    assert ours == expected
    assert not expected or len(ours) == len(offered)  # and nothing of Python's
    assert all(c.text.startswith(text[c.start : c.end]) for c in offered if c.text in ours)


def test_a_program_in_c_has_its_own_words(shell):
    text = "\n%%propagate x --temp u --language c\n#pragma scop\nint weight = 2; fo"
    with provisionalcompleter():
        offered = [c.text for c in shell.Completer.completions(text, len(text))]
    assert offered == ["for"]
    text = text.replace("fo", "x = prag")
    with provisionalcompleter():
        ours = [c for c in shell.Completer.completions(text, len(text)) if c._origin == "polynb"]
    assert not ours


def test_other_lines_are_completed_as_before(complete):
    assert "bluff" in complete("print(bl")
    assert "--keep" not in complete("x = 3 --ke")
    assert "--keep" not in complete("%%propagate x\n--ke")


def test_loading_twice_registers_once_and_unloading_everything(one_shell):
    transformers = len(one_shell.input_transformers_cleanup)
    matchers = len(one_shell.Completer.custom_matchers)
    show.load(one_shell)
    assert len(one_shell.input_transformers_cleanup) == transformers
    assert len(one_shell.Completer.custom_matchers) == matchers
    show.unload(one_shell)
    try:
        assert len(one_shell.input_transformers_cleanup) == transformers - 1
        assert len(one_shell.Completer.custom_matchers) == matchers - 1
        assert one_shell.find_line_magic("scop") is None
        assert one_shell.find_cell_magic("bench") is None
    finally:
        show.load(one_shell)


class Kernel:
    """A shell that looks like a notebook's."""

    kernel = object()


class Handle:
    """A display whose updates are noted."""

    def __init__(self, shown):
        self.shown = shown

    def update(self, bundle, raw):
        self.shown.append(bundle)


def test_progress_is_shown_late_in_place_and_taken_away(monkeypatch):
    shown = []

    def display(bundle, raw, display_id):
        shown.append(bundle)
        return Handle(shown)

    clock = [0.0]
    monkeypatch.setattr("polynb.show.magics.progress.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("IPython.display.display", display)
    with Progress(Kernel()) as progress:
        progress("compile", 0, 3)
        assert shown == []
        clock[0] = 0.6
        progress("compile", 1, 3)
        progress("compile", 2, 3)  # too soon after the last
        clock[0] = 0.9
        progress("time", 4, 20)
        clock[0] = 3.9
        progress("time", 10, 20)
    assert [s.get("text/plain") for s in shown] == [
        *("compile (2 of 3)", "time (5 of 20)", "time (11 of 20), about 5 s left"),
        None,
    ]
    assert "width:50%" in shown[2]["text/html"]


@pytest.mark.parametrize(
    ("environment", "button"),
    [
        ({"JPY_SESSION_NAME": "a.ipynb"}, True),
        ({}, False),
        ({"JPY_SESSION_NAME": "a.ipynb", "VSCODE_PID": "1"}, False),
    ],
)
def test_a_button_stops_the_work_where_one_can(monkeypatch, environment, button):
    for name in ("JPY_SESSION_NAME", "VSCODE_PID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    shown = []
    monkeypatch.setattr("polynb.show.magics.progress.PATIENCE", 0)
    monkeypatch.setattr(
        "IPython.display.display", lambda bundle, **_: shown.append(bundle) or Handle(shown)
    )
    with Progress(Kernel()) as progress:
        progress("time", 4, 20)
        time.sleep(0.25)
        progress("time", 5, 20)
    command = 'data-commandlinker-command="notebook:interrupt-kernel"'
    buttons = [k for k, each in enumerate(shown) if command in each.get("text/html", "")]
    assert buttons == ([1] if button else [])  # what is updated has none: it would go while pressed
    assert shown[-len(buttons) - 1 :] == [{}] * (len(buttons) + 1)
    markup = progress_html("time (5 of 20)", 0.25)
    assert ("interrupt of the kernel" in markup) is not button
    assert "width:25%" in markup


def test_the_time_left_is_told_when_it_is_known():
    assert time_left(5, 10, 2.0) == ", about 4 s left"
    assert time_left(1, 100, 3.0) == ", about 5 min left"
    assert time_left(5, 10, 0.5) == time_left(0, 10, 5) == time_left(5, 0, 5) == ""


def test_a_terminal_has_a_bar_that_goes_away(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr("polynb.show.magics.progress.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress(object()) as progress:
        clock[0] = 1.0
        progress("time", 10, 20)
    first, second, last = capsys.readouterr().err.split("\r")[1:]
    assert first == "[############............] time (11 of 20)"
    assert second == " " * len(first)
    assert last == ""


def test_an_interrupt_is_told_what_was_being_done():
    def work():
        with Progress(object()) as progress:
            progress("compile blur", 0, 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        work()
    assert caught.value.__notes__ == ["compile blur (1 of 2)"]


def test_quiet_and_quick_work_shows_no_progress(capsys):
    with Progress(object(), quiet=True) as progress:
        progress("compile", 0, 3)
    with Progress(object()) as progress:
        progress("compile", 0, 3)
    assert capsys.readouterr() == ("", "")


# -- what there is ---------------------------------------------------------------------------


def test_dir_is_what_there_is_to_use():
    import polynb as pn
    import polynb.recurrences

    assert set(dir(pn)) == {*pn.__all__, "__version__"}
    assert all(hasattr(pn, name) for name in dir(pn))


def test_a_question_mark_shows_how_a_pass_is_called(shell, capsys):
    shell.run_cell("import polynb as pn\npn.propagate?")
    shown = capsys.readouterr().out
    assert "cache_lines" in shown
    assert "Evaluate expressions where" in shown
    for noise in ("P.args", "generator", "Call signature", "Class docstring", "0x"):
        assert noise not in shown
    assert repr(shell.user_ns["pn"].propagate) == "<pass propagate (CC'18)>"


@pytest.mark.parametrize("name", ["scop", "propagate", "reorder", "bench", "step"])
def test_help_is_the_same_however_it_is_asked_for(shell, capsys, name):
    def said(cell):
        shell.run_cell(cell).raise_error()
        return capsys.readouterr().out

    asked = said(f"%{name}?")
    assert f"%{name} [" in asked
    assert "<{" not in asked
    assert "::" not in asked
    for way in (f"%{name} --help", f"%{name} blur -h", f"x = %{name} --help"):
        assert said(way) == asked
    if name != "step":
        for way in (f"%%{name}?", f"%%{name} --help", f"%%{name} -h\nparam N;"):
            assert said(way) == asked


def test_help_within_a_value_is_no_question(shell):
    error = shell.run_cell("%scop gallery:fig1--help").error_in_exec
    assert "fig1--help" in str(error)


def test_an_interrupted_magic_is_one_line_and_changes_nothing(shell, capsys, monkeypatch):
    def interrupted(*arguments, progress, **options):
        progress("time", 3, 20)
        raise KeyboardInterrupt

    monkeypatch.setattr("polynb.run.measure", interrupted)
    shell.user_ns["timing"] = None
    result = shell.run_cell("timing = %bench gallery:fig1 N=100")
    assert isinstance(result.error_in_exec, KeyboardInterrupt)
    shown = capsys.readouterr()
    line = "Interrupted: %bench was interrupted (time (4 of 20)); no variable was changed"
    assert (shown.out + shown.err).strip() == line
    assert shell.user_ns["timing"] is None


def test_kinds_of_completions_are_one_word(shell):
    """JupyterLab breaks two, and writes them over each other."""
    for text in ("%propagate --", "%bench gallery:h", "%reorder gallery:gemm --preset "):
        with provisionalcompleter():
            found = list(shell.Completer.completions(text, len(text)))
        assert found
        assert not [c.type for c in found if " " in c.type]
