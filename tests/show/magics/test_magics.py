"""%%scop, %%propagate, %%bench and their line forms, as a notebook runs them."""

import pytest

import polynb as pn
from polynb import isl
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.run import Timing
from polynb.scop import Scop
from polynb.tuning import Roofline, Search


@pytest.fixture
def run(shell, texts):
    """Run a cell (`$blur` stands for a program); what it gave, or the error it raised."""

    def call(cell):
        for name, text in texts.items():
            cell = cell.replace(f"${name}", text)
        result = shell.run_cell(cell)
        result.raise_error()
        return result.result

    return call


def refused(run, cell, *said, at=None):
    with pytest.raises(PolynbError) as caught:
        run(cell)
    error = caught.value
    for text in said:
        assert text in str(error)
    assert error.span is not None
    assert error.hint
    if at is not None:
        assert error.span.text == at
    return error


# -- what they give ------------------------------------------------------------------------


def test_a_cell_binds_its_name_and_gives_the_object(run, shell):
    result = run("%%scop blur\n$blur")
    assert isinstance(result, Scop)
    assert shell.user_ns["blur"] is result
    assert result.name == "blur"
    assert result.temporaries == ("t",)


def test_a_cell_without_a_name_binds_nothing(run, shell):
    before = set(shell.user_ns)
    assert isinstance(run("%%scop\n$blur"), Scop)
    assert {n for n in set(shell.user_ns) - before if not n.startswith("_")} == set()


def test_quiet_cells_show_nothing_and_bind(run, shell):
    assert run("%%scop blur --quiet\n$blur") is None
    assert isinstance(shell.user_ns["blur"], Scop)


def test_line_forms_return_their_result_and_leave_the_argument(run, shell):
    run("%%scop blur\n$blur")
    scop = shell.user_ns["blur"]
    run("fast = %propagate blur")
    assert isinstance(shell.user_ns["fast"], Derivation)
    assert shell.user_ns["blur"] is scop
    assert run("%scop fast.before") is scop
    assert run("%scop 'blur';") is scop
    assert run("%scop blur  # as it was") is scop
    assert run("%scop gallery:fig1").name == "fig1"
    assert run("%scop fast") is shell.user_ns["fast"].result


def test_names_in_braces_are_not_expanded(run, shell):
    shell.user_ns["i"] = 7
    refused(run, "%scop {i}", "{i}", at="{i}")


@pytest.mark.long
def test_propagate_takes_the_keywords_of_the_library(run):
    run("%%scop blur\n$blur")
    kept = run("%propagate blur --keep t")
    assert "t" in kept.result.arrays
    assert "t" not in run("%propagate blur --arrays t").result.arrays
    run("%%scop open_end\n$kept")
    assert "t" in run("%propagate open_end").result.arrays
    assert "t" not in run("%propagate open_end --temp t").result.arrays
    through = run("%propagate open_end --live-out").result
    assert [a.array for a in through.by_name[through.statements[-1].name].reads] == ["in", "in"]
    assert run("%propagate blur --assume 'N >= 5'").before.context.is_subset(
        run("%scop blur").context
    )


def test_propagate_cells_bind_a_derivation(run, shell):
    result = run("%%propagate fast --temp t\n$kept")
    assert isinstance(result, Derivation)
    assert shell.user_ns["fast"] is result
    assert "t" not in result.result.arrays


def test_explain_shows_every_step_about_an_array(run, capsys):
    run("%%propagate fast --explain t --quiet\n$blur")
    shown = capsys.readouterr().out
    assert shown.startswith("Why t is removed.")
    assert "1. Try to propagate t: it is the only one left." in shown


def test_a_name_may_be_bound_again_to_what_is_ours(run, shell):
    run("%%scop x\n$blur")
    run("%%propagate x\n$blur")
    assert isinstance(shell.user_ns["x"], Derivation)
    for _ in range(2):
        run("%%play x\n$blur")


@pytest.mark.parametrize("value", ["[1, 2]", "3", "lambda: 0"])
def test_a_name_that_holds_something_foreign_is_refused(run, shell, value):
    run(f"mine = {value}")
    held = shell.user_ns["mine"]
    refused(run, "%%scop mine\n$blur", "already holds something else", "del mine", at="mine")
    assert shell.user_ns["mine"] is held


@pytest.mark.parametrize("name", ["sum", "for", "2x", "a-b", "get_ipython"])
def test_names_that_cannot_be_bound_are_refused(run, name):
    refused(run, f"%%scop {name}\n$blur", at=name)


def test_an_error_leaves_the_old_value(run, shell):
    run("%%scop blur\n$blur")
    old = shell.user_ns["blur"]
    refused(run, "%%scop blur\nparam N; for i = 0 to N*N do A[i] = 1; done")
    refused(run, "%%propagate blur --keep nothing\n$blur", at="nothing")
    refused(run, "%%propagate blur --explain nothing\n$blur", at="nothing")
    assert shell.user_ns["blur"] is old


# -- what they refuse ----------------------------------------------------------------------


@pytest.mark.parametrize("magic", ["scop", "propagate", "bench"])
@pytest.mark.parametrize("body", ["", "\n", "\n   \n\n", "\n// nothing but words\n"])
def test_cells_without_a_program_are_refused(run, magic, body):
    refused(run, f"%%{magic} x{body}")


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("%propagate blur --kep t", "--keep", "--kep"),
        ("%propagate blur --cache-lime 4", "no option --cache-lime", "--cache-lime"),
        ("%propagate blur --cache-lines few", "'few'", "few"),
        ("%propagate blur --order zz", "no order and no array 'zz'", "zz"),
        ("%propagate blur --keep", "--keep: expected one argument", "--keep"),
        ("%propagate blur --keep zz", "'zz'", "zz"),
        ("%propagate blr", "blur", "blr"),
        ("%propagate blur fast", "takes one program", "fast"),
        ("%propagate", "takes one program", "%propagate"),
        ("%propagate blur.before", "no 'before'", "blur.before"),
        ("%propagate gallery:haris", "harris", "gallery:haris"),
        ("%scop one", "not a program", "one"),
        ("%scop blur --language c", "parsed already", "--language"),
        ("%scop blur --temp zz", "zz", "zz"),
        ("%bench blur N=4 --heap fesh", "fresh", "fesh"),
        ("%bench blur N=4 --rounds many", "many", "many"),
        ("%bench blur N=4 --rounds 0", "rounds", None),
        ("%bench blur N=4 in=foto", "foto", "in=foto"),
        ("%bench blur N=4 in=1/0", "ZeroDivisionError", "in=1/0"),
        ("%bench blur N=4 N=5", "twice", "N=5"),
        ("%bench blur N=4 Q=5", "'Q'", "Q=5"),
        ("%bench blur N = 4 --rounds 1", "write N=4", "N = 4"),
        ("%bench blur N =4", "write N=4", "N =4"),
        ("%bench blur N= 4", "write N=4", "N= 4"),
        ("%bench blur N=", "write N=100", "N="),
        ("%bench blur N=4 in = 'a b'", "write in='a b'", "in = 'a b'"),
        ("%%bench x N = 4\n$blur", "write N=4", "N = 4"),
        ("%bench blur N=(4", "is missing", "N=(4"),
        ("%%scop a b\nx", "one name", "b"),
        ("%%scop a --assume N >= 2\nx", "--assume 'N >= 2'", ">="),
        ("%%scop a --temp s, t --quiet\nx", "--temp 's, t'", "t"),
    ],
)
def test_lines_are_refused_at_the_word_at_fault(run, line, said, at):
    run("%%scop blur\n$blur")
    run("one = 1")
    refused(run, line, said, at=at)


def test_errors_in_the_cell_count_its_lines_as_the_reader_sees_them(run):
    error = refused(run, "%%scop x\nparam N;\nfor i = 0 to N*N do A[i] = 1; done")
    assert error.span.line == 3
    assert str(error).startswith("cell, line 3, column")


def test_errors_are_shown_as_they_are(shell, capsys):
    shell.run_cell("%scop nothing")
    said = capsys.readouterr()
    shown = said.out + said.err
    assert "PolynbError: cell, line 1, column 7: there is no program 'nothing'" in shown
    assert "^^^^^^^" in shown
    assert "Traceback" not in shown


def test_help_lists_the_options(one_shell):
    for name, option in (("scop", "--temp"), ("propagate", "--explain"), ("bench", "--heap")):
        magic = one_shell.find_line_magic(name)
        assert option in magic.__doc__
        assert "CC'18" in one_shell.find_line_magic("propagate").__doc__


# -- timing ----------------------------------------------------------------------------------


def test_bench_without_a_size_proposes_one(run):
    run("%%scop blur\n$blur")
    error = refused(run, "%bench blur --rounds 2", "N has no value", "64 MB", at="%bench")
    size = int(error.hint.partition("N=")[2].split()[0])
    assert 0.7 * 64e6 < 3 * 8 * size < 1.05 * 64e6


def test_bench_compares_a_derivation_with_its_baseline(run, shell):
    numpy = pytest.importorskip("numpy")
    run("%%scop blur\n$blur")
    run("fast = %propagate blur")
    shell.user_ns["photo"] = numpy.linspace(0, 1, 402).reshape(2, 201)
    timing = (
        run("r = %bench blur fast N=2*100 in=photo[0, :] --rounds 3 --threads 1")
        or (shell.user_ns["r"])
    )
    assert isinstance(timing, Timing)
    assert timing.labels == ("blur", "fast")
    assert timing.rounds == 3
    assert timing.parameters == {"N": 200}
    assert timing.data == "given"


def test_bench_says_what_limits_programs(run, monkeypatch):
    monkeypatch.setattr("polynb.tuning.roofs.last_level_cache", lambda: 2**16)
    run("%%scop blur\n$blur")
    found = run("%bench blur N=1000 --rounds 1 --threads 1 --roofline")
    assert isinstance(found, Roofline)
    assert [p.label for p in found.kernels] == ["blur"]
    assert found.timing.parameters == {"N": 1000}
    run("%%bench r N=100 --rounds 1 --threads 1 --roofline --quiet\n$blur")
    refused(run, "%bench r N=4", "r holds 'Roofline', not a program", "%%scop r", at="r")


@pytest.mark.long
def test_bench_looks_for_what_is_fastest(run):
    run("%%scop blur\n$blur")
    found = run("%bench blur N=300 --tune 1 --threads 1 --quiet")
    assert isinstance(found, Search)
    assert found.sweep.rows[0].name == "as it is"
    assert found.original.name == "blur"
    refused(run, "%bench blur N=9 --tune --rounds 3", "--tune does not go with --rounds",
            "without --rounds", at="--rounds")  # fmt: skip
    refused(run, "%bench blur --tune", "N has no value", "%bench blur --tune N=", at="%bench")
    refused(run, "%bench blur N=9 --tune 0", "tune must be positive", "--tune 2.0, say", at="0")
    assert isinstance(run("%bench blur N=9 --tune 0.001 --quiet"), Search)  # as it is, at least


@pytest.mark.long
def test_a_name_is_no_number_of_an_option(run, shell):
    run("%%propagate --windows fast\n$blur")
    assert "fast" in shell.user_ns
    assert run("r = %propagate --windows fast") is None
    assert isinstance(run("%bench --tune fast N=9 --tune=0.001 --quiet"), Search)


def test_bench_takes_sizes_from_the_data_it_is_given(run, shell):
    numpy = pytest.importorskip("numpy")
    run("%%scop blur\n$blur")
    shell.user_ns["photo"] = numpy.linspace(0, 1, 43)
    timing = run("%bench blur in=photo --rounds 1 --threads 1")
    assert list(timing.parameters) == ["N"]
    shell.user_ns["photo"] = numpy.ones((2, 2))
    refused(run, "%bench blur in=photo", "must have 1 dimension", at="in=photo")


def test_bench_cells_apply_propagation(run, shell):
    timing = run("%%bench t N=200 --rounds 2\n$blur")
    assert timing.labels == ("t.before", "t")
    assert "random" in timing.data
    assert shell.user_ns["t"] is timing


def test_bench_applies_passes_on_request(run):
    run("%%scop blur\n$blur")
    assert run("%bench blur N=100 --rounds 1").labels == ("blur",)
    assert run("%bench blur N=100 --rounds 1 --apply propagate").labels == ("blur.before", "blur")


def test_an_array_that_may_be_used_later_has_a_next_line_that_removes_it(run, shell):
    """Of a program that stands in the cell, too, and so is no variable."""
    cell = "%%propagate later\nparam N; for i = 0 to N do t[i] = A[i]; B[i] = t[i] + 1; done"
    said = run(cell)._repr_mimebundle_()["text/plain"]
    following = said.splitlines()[-1].removeprefix("next: ")
    assert following == "%propagate later.before --temp t"
    assert "t" not in run(following).result.arrays


def test_an_illegal_chain_does_not_stand_in_the_way_of_others(shell):
    heat = "param N; for t = 1 to N do for i = 1 to N do A[t][i] = A[t-1][i+1]; done done"
    shell.user_ns["tiles"] = pn.transform(pn.parse(heat)).interchange("t", "i")
    assert not shell.user_ns["tiles"].legal
    found = shell.run_cell("%bench prodcut N=9").error_in_exec
    assert "there is no program 'prodcut'" in str(found)
    assert found.span.text == "prodcut"


def test_what_was_not_carried_is_no_array(shell):
    made = shell.run_cell(
        "%%propagate p --recurrences\nparam N;\nfor i = 1 to N do\n"
        "  if C[i] > 0 then B[i] = sqrt(A[i-1]) + sqrt(A[i]); fi\ndone"
    )
    assert made.success
    plain, _ = shell.display_formatter.format(shell.user_ns["p"])
    assert 'why("S0")' in plain["text/plain"]


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("%step p predict=True", "p"),
        ("%fold text memory=100", "memory=100"),
        ("%fold text events=100", "events=100"),
        ("%step run[0]", None),
        ("%step p self=1", None),
    ],
)
def test_words_that_python_has_for_itself(shell, line, at):
    copy = "param N; temp t; for i = 0 to N do t = A[i]; B[i] = t; done"
    shell.user_ns["p"] = pn.propagate(pn.parse(copy))
    text = shell.user_ns["text"] = "int a[9]; for (int i = 0; i < 9; i++) a[i] = i;"
    shell.user_ns["run"] = pn.trace(text)
    found = shell.run_cell(line).error_in_exec
    assert isinstance(found, PolynbError)
    assert at is None or found.span.text == at


def test_an_assumption_may_begin_with_a_sign(shell):
    text = "param N; for i = 0 to N do B[i] = A[i]; done"
    shell.run_cell(f"%%scop --quiet blur --assume '-N <= -2'\n{text}").raise_error()


@pytest.mark.parametrize("condition", ["'-N <= -2'", "'-N<=-2'", '"-N<=-2"'])
def test_without_a_blank_too(shell, condition):
    text = "param N; for i = 0 to N do B[i] = A[i]; done"
    shell.run_cell(f"%%scop --quiet blur --assume {condition}\n{text}").raise_error()
    assert shell.user_ns["blur"].assumed.is_equal(isl.read_set("[N] -> { : N >= 2 }"))
