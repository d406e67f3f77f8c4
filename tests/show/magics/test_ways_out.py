"""The lines that errors and displays propose in a notebook. What follows each of them is tested as
well (followed_hints.py): they are typed when the test has ended."""

import pytest

import polynb as pn
from polynb.errors import edited

BLUR = """param N; temp tmp;
for i = 0 to N do tmp[i] = A[i]; done
for i = 0 to N do B[i] = tmp[i]; done
"""
TYPO = BLUR.replace("= tmp", "= tnp")


@pytest.fixture
def shown(shell):
    """What a cell displays, as plain text."""

    def run(cell):
        result = shell.run_cell(cell)
        result.raise_error()
        return result.result._repr_mimebundle_()["text/plain"]

    return run


@pytest.fixture
def refused(shell):
    def run(cell):
        with pytest.raises(pn.PolynbError) as caught:
            shell.run_cell(cell).raise_error()
        return caught.value

    return run


@pytest.mark.parametrize("magic", ["%%scop", "%%propagate", "%%reorder"])
@pytest.mark.long
def test_a_mistyped_name_is_asked_about(shown, magic):
    said = shown(f"{magic} blur\n{TYPO}")
    assert "tnp is read and never written (line 4): did you mean tmp?" in said
    assert "did you mean" not in shown(f"{magic} blur\n{BLUR}")


@pytest.mark.parametrize("magic", ["%%scop", "%%propagate", "%%reorder", "%%delicm"])
def test_a_success_that_leaves_nothing_is_asked_about(shown, magic):
    said = shown(f"{magic} x\nparam N; temp out;\nfor i = 0 to N do out[i] = in[i]; done\n")
    assert "no result is left (line 2): is it the result? If so, do not call it temporary" in said


@pytest.mark.parametrize(
    "cell", ["%%transform fast --from p\nreverse S0.i", "%compare p", "%play p", "%delicm p",
             "pn.analyze(p)"]
)  # fmt: skip
def test_what_is_made_of_a_program_asks_as_well(shell, shown, cell):
    shell.user_ns.update(pn=pn, p=pn.parse(TYPO.replace("tnp", "tt").replace("tmp", "t")))
    said = shown(cell)
    assert "tt is read and never written (line 3): did you mean t?" in said


def test_a_timing_asks_as_well(shell):
    shell.run_cell(f"%%bench times N=100 --rounds 1\n{TYPO}").raise_error()
    assert any("did you mean tmp?" in w for w in shell.user_ns["times"].warnings)


def test_a_page_asks_as_well(shell):
    shell.run_cell(f"%%propagate blur\n{TYPO}").raise_error()
    page = shell.user_ns["blur"]._repr_mimebundle_()["text/html"]
    assert "did you mean tmp?" in page


@pytest.mark.parametrize("magic", ["scop", "propagate", "reorder", "delicm"])
@pytest.mark.long
def test_a_program_says_above_its_code_what_it_took_for_inputs(shown, magic):
    short = "param N; temp t; for i = 0 to N do t[i] = A[i]; B[i] = t[i] * r[i]; done"
    said = shown(f"%%{magic} x\n{short}")
    assert "\n  taken as given: A and r\n" in said
    assert said.index("taken as given") < said.index("for i = 0 to N")
    assert "taken as given: A\n" in shown(f"%%{magic} x\n{BLUR}")
    declared = BLUR.replace("temp tmp;", "temp tmp; input A;")
    assert "taken as given" not in shown(f"%%{magic} x\n{declared}")


def test_it_says_so_as_well_where_there_is_no_short_way_to_say_what_is_computed(shell):
    said = shell.run_cell("%%scop x\nparam N; for i = 0 to N do B[i] = f(A[i]); done").result
    for text in said._repr_mimebundle_().values():
        assert "taken as given: A" in str(text)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("A[i*i] = A[i];", "S0 may write any cell of A: the subscript is not affine."),
        ("A[i*N] = B[idx[i]];", "S0 may read any cell of B: the subscript depends on data."),
        ("A[i*N] = B[idx[i]];", "WAW A: S0 → S0 (may: a subscript is not affine)"),
        ("A[idx[i]] = 1;", "WAW A: S0 → S0 (may: depends on data)"),
    ],
)
def test_why_an_access_is_not_known_is_true(shown, statement, why):
    assert why in shown(f"%%scop x\nparam N; for i = 0 to N do {statement} done")


def test_a_function_that_nothing_defines_is_told_before_it_is_timed(shown):
    said = shown(f"%%propagate fast\n{BLUR.replace('= A[i]', '= blur(A[i], A[i+1])')}")
    assert "Nothing defines blur: a kernel needs it, as in `define blur(x, y) = ...;`." in said
    assert said.endswith("next: print(fast.result)")


def test_an_array_of_no_size_is_told_before_it_is_timed(shown, refused):
    said = shown(f"%%propagate fast\n{BLUR.replace('= A[i]', '= A[idx[i]]')}")
    assert "Nothing says how large A is: a kernel needs it, as in `input A[N];`." in said
    error = refused("%bench fast N=100 --rounds 1")
    assert "`input A[N];`" in error.hint
    again = edited(error.fix).lstrip("\n")
    assert shown(f"%%propagate fast\n{again}").endswith("next: %bench fast N=1900000")
    shown("%bench fast N=100 --rounds 1")


@pytest.mark.parametrize(
    ("line", "message", "fixed"),
    [
        ("%bench gallery:fig1 M=100", "no parameter or array 'M'", "%bench gallery:fig1 N=100"),
        ("%bench blur n=100", "no parameter or array 'n'", "%bench blur N=100"),
        ("%bench gallery:fig1", "N has no value", "%bench gallery:fig1 N=2600000"),
        ("%bench gallery:harris R=9", "C has no value", None),
        ("%bench blur N = 100", "no blanks around its `=`", "%bench blur N=100"),
        ("%bench gallery:fig_1 N=9", "no program 'fig_1'", "%bench gallery:fig1 N=9"),
        ("%propagate blurr", "no program 'blurr'", "%propagate blur"),
        ("%propagate fast --temp tmp", "declares nothing", "%propagate fast.before --temp tmp"),
        ("%propagate blur --tmp tmp", "no option --tmp", "%propagate blur --temp tmp"),
        ("%reorder gallery:lrr_listing1 --tile 32 64", "a list has no blanks",
         "%reorder gallery:lrr_listing1 --tile 32,64"),
        ("%reorder blur --preset CPU", "invalid choice", "%reorder blur --preset cpu"),
        ("%bench blur N", "N is a parameter, and has no value", "%bench blur N=100"),
        ("%bench blur N=(100", "is missing", "%bench blur N=(100)"),
        ("%%scop my-blur\nA[0] = 1;", "cannot be a variable", "%%scop my_blur"),
        ("%%scop for\nA[0] = 1;", "cannot be a variable", "%%scop for_"),
        ("%%transform y --from blur\nreverse(S0.i)", "no call", "\nreverse S0.i\n"),
    ],
)  # fmt: skip
def test_a_line_is_refused_with_the_line_that_was_meant(shell, refused, line, message, fixed):
    blur = pn.parse(BLUR, name="blur")
    shell.user_ns.update(blur=blur, fast=pn.propagate(blur))
    error = refused(line)
    assert message in error.message
    assert error.fix
    if fixed is not None:
        assert edited(error.fix) == fixed


def test_a_value_that_no_program_has_names_those_there_are(shell, refused):
    shell.user_ns["blur"] = pn.parse(BLUR, name="blur")
    error = refused("%bench blur N=100 rounds=3")
    assert "no parameter or array 'rounds'" in error.message
    assert error.hint == "one of: N, tmp, A, B"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("%reorder blur --tile x", "--tile 2, say"),
        ("%reorder blur --tile 32,", "--tile 1, say"),
        ("%reorder blur --interchange a,b", "--interchange 1, say"),
        ("%propagate blur --cache-lines -1", "--cache-lines 2, say"),
        ("%bench blur --threads 0", "--threads 2, say"),
    ],
)
def test_what_an_option_takes_is_said_as_it_is_typed(shell, refused, shown, line, hint):
    shell.user_ns["blur"] = pn.parse(BLUR, name="blur")
    assert refused(line).hint == hint
    typed = hint.removesuffix(", say")
    again = f"{line.partition(' --')[0]} {typed}"
    if "--threads" in typed:
        again += " N=10 --rounds 1"
    if "--interchange" not in typed:  # of one loop
        shown(again)


def test_an_order_of_loops_is_said_as_it_is_typed(shell, refused, shown):
    error = refused("%reorder gallery:lrr_listing1 --interchange 5,6")
    assert error.hint == "--interchange 1,0, say"
    shown("%reorder gallery:lrr_listing1 --interchange 1,0")
    shell.user_ns["blur"] = pn.parse(BLUR, name="blur")
    assert refused("%reorder blur --interchange 5,6").hint == "leave interchange out"
    with pytest.raises(pn.PolynbError) as caught:
        pn.reorder(pn.gallery.load("lrr_listing1"), interchange=[5, 6])
    assert caught.value.hint == "interchange=[1, 0], say"


def test_rounds_are_looked_at_before_sizes_are_asked_for(shell, refused):
    """The line with sizes failed again, for its rounds."""
    shell.user_ns["blur"] = pn.parse(BLUR, name="blur")
    assert refused("%bench blur --rounds 0").hint == "--rounds 2, say"
    assert refused("%bench blur --rounds 2").hint.startswith("%bench blur --rounds 2 N=")


def test_a_value_behind_a_program_lacks_the_name_of_a_parameter(shell, refused, shown):
    """`blur=3` gives a value to what is no parameter."""
    shell.user_ns["blur"] = pn.parse(BLUR, name="blur")
    error = refused("%bench blur =3 --rounds 1")
    assert "this value has no name" in error.message
    assert error.hint == edited(error.fix) == "%bench blur N=3 --rounds 1"
    shown(error.hint)
    assert refused("%bench blur A =3").hint == "write A=3"
    shell.user_ns["A"] = shell.user_ns["blur"]
    assert refused("%bench blur N =3").hint == "write N=3"


def test_one_name_is_bound_without_what_separates_names(shell, refused):
    assert refused("%%scop blur; other\nA[0] = 1;").hint == "%%scop blur"


MATMUL = """for (int i = 0; i < n; i++)
  for (int j = 0; j < n; j++) {
    C[i][j] = 0;
    for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
  }
"""
JACOBI = """param T, N;
for t = 0 to T do
  for i = 1 to N-1 do B[i] = A[i-1] + A[i+1]; done
  for i = 1 to N-1 do A[i] = B[i]; done
done
"""


def test_what_a_program_is_for_is_not_proposed_as_temporary(shown):
    """A program all of whose arrays are temporary computes nothing."""
    shown(f"%%scop mm\n{MATMUL}")
    assert shown("%propagate mm").endswith("next: fast = %reorder mm")
    assert shown(f"%%propagate jac\n{JACOBI}").endswith("next: %propagate jac.before --temp B")


def test_a_pass_that_finds_nothing_hands_on_to_another(shown):
    shown(f"%%scop mm\n{MATMUL}")
    assert shown("%delicm mm").endswith("next: fast = %reorder mm")
    shown("%%scop fill\nparam N; for i = 0 to N do a[i] = 1; done")
    assert shown("%propagate fill").endswith("next: fast = %reorder fill")


def test_a_script_s_way_out_names_the_program_that_is_there(shown, refused):
    assert "--from gallery:gemm" in refused("%transform mm").hint
    shown(f"%%scop other\n{JACOBI}")
    shown(f"%%scop mm\n{MATMUL}")
    assert refused("%transform mm").hint.startswith("%%transform faster --from mm,")
    assert refused("%%transform t\ninterchange i k").hint == "%%transform faster --from other"


def test_of_times_it_is_said_what_binds_a_program(shell, refused):
    shell.run_cell(f"%%bench blur N=100 --rounds 1\n{BLUR}").raise_error()
    for line in ("%step blur", "%bench blur N=200"):
        error = refused(line)
        assert "%%bench binds the times" in error.reason
        assert error.hint.startswith("`%%scop blur`, which binds a program, or ")


def test_an_interrupted_display_is_one_line_and_the_name_is_bound(shell, monkeypatch):
    def interrupted(x):
        raise KeyboardInterrupt

    monkeypatch.setattr("polynb.show.bundle.static", interrupted)
    shell.run_cell(f"%%scop blur\n{BLUR}")
    assert isinstance(shell.user_ns["blur"], pn.Scop)
    with pytest.raises(KeyboardInterrupt) as caught:
        shell.user_ns["blur"]._repr_mimebundle_()
    assert caught.value._render_traceback_() == [
        "Interrupted: the display was being made; a name that its cell binds is bound"
    ]
