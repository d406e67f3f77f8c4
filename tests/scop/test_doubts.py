"""What is asked about names, and what is not."""

import pytest
from cases import beside

import polynb as pn

CASES = beside(__file__)

TYPO = """param N; temp tmp;
for i = 0 to N do tmp[i] = A[i]; done
for i = 0 to N do B[i] = tnp[i]; done
"""


def asked(text: str, language: str = "auto") -> list[tuple[str, str]]:
    return [(d.name, d.meant) for d in pn.parse(text, language).doubts]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TYPO, [("tnp", "tmp")]),
        (TYPO.replace("tnp", "tpm"), [("tpm", "tmp")]),
        (TYPO.replace("tnp", "Tmp"), [("Tmp", "tmp")]),
        (TYPO.replace("tnp[i]", "tnp[i] + tnp[i+1]"), [("tnp", "tmp")]),  # tmp is for nobody
        (TYPO.replace("tmp[i] =", "tpm[i] =").replace("tnp", "tmp"), [("tpm", "tmp")]),
        ("param N, alpha; x = N; y = x * alhpa;", [("alhpa", "alpha")]),
        ("input imgae[9]; for i = 0 to 8 do B[i] = image[i]; done", [("imgae", "image")]),
        ("x = sqtr(A[0]);", [("sqtr", "sqrt")]),
        ("x = sqtr(A[0]) + sqtr(A[1]); y = sqtr(x);", [("sqtr", "sqrt")]),  # once
        ("define blur(x) = x; y = blru(A[0]);", [("blru", "blur")]),
    ],
)
def test_a_name_that_looks_like_another_is_asked_about(text, found):
    assert asked(text) == found


@pytest.mark.parametrize(
    "text",
    [
        TYPO.replace("tnp", "tmp"),
        TYPO.replace("temp tmp;", "temp tmp; input tnp;").replace("= tnp[i]", "= tmp[i] + tnp[i]"),
        TYPO.replace("temp tmp;", "temp tmp; double tnp;").replace("= tnp[i]", "= tmp[i] + tnp[i]"),
        TYPO.replace("tnp[i]", "tmp[i] + tnp"),  # a scalar is not an array mistyped
        "for i = 0 to 9 do out[i] = in0[i] + in1[i] + in2[i]; done",
        "for i = 0 to 9 do out[i] = red[i] + rad[i]; done",  # both are read once
        "for i = 0 to 9 do C[i] = A[i] + B[i]; done",
        "temp t; for i = 0 to 9 do t[i] = A[i]; done for j = 0 to 9 do B[j] = t[j] * s[j]; done",
        "y = blur(A[0]);",
        TYPO.replace("B[i] = tnp", "B[i] = tmp") + "for i = 0 to N do tnp[i] = 0; done",
        "x = sin(y) + cos(y) + tan(z);",
    ],
)
def test_nothing_is_asked_about_names_that_are_meant(text):
    assert asked(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    CASES["what_is_odd_without_another_name_is_asked_about"],
)  # fmt: skip
def test_what_is_odd_without_another_name_is_asked_about(text, found):
    (doubt,) = pn.parse(text).doubts
    assert found in str(doubt)


@pytest.mark.parametrize(
    "text",
    CASES["what_is_usual_is_not_asked_about"],
)  # fmt: skip
def test_what_is_usual_is_not_asked_about(text):
    assert asked(text) == []


def test_a_double_where_an_integer_must_be_is_declared_once():
    text = "temp a; for i = 0 to 9 do a[i] = i; done for i = 0 to 9 do B[a[i]] = 1; done"
    with pytest.raises(pn.PolynbError, match="is not an integer") as caught:
        pn.parse(text)
    assert caught.value.hint == "an integer type, as in `temp int64 a;`"
    pn.parse(text.replace("temp a;", "temp int64 a;"))


def test_a_dead_local_of_c_may_be_what_a_compiler_left():
    loop = "for (int i = 0; i < 9; i++) {{ t = A[i]; {} }}"
    text = f"void f(double A[9], double B[9]) {{{{ double t; {loop} }}}}"
    assert asked(text.format("B[i] = 1;"), "c") == []
    assert asked(text.format(""), "c") == [("B", ""), ("t", "")]


NEST = """for (int i = 0; i < size; i++) B[i] = alpha * A[i] + betta;
for (int i = 0; i < size; i++) C[i] = A[i];
beta = 2;
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (NEST, [("betta", "beta")]),
        (NEST.replace("betta", "beta").replace("< size; i++) C", "< szie; i++) C"), []),
        (NEST.replace("betta", "1") + "for (int i = 0; i < szie; i++) D[i] = 1;",
         [("szie", "size")]),
        ("double betta; int szie;\n" + NEST + "for (int i = 0; i < szie; i++) D[i] = 1;", []),
    ],
)  # fmt: skip
def test_a_bare_loop_nest_in_c_declares_little(text, found):
    assert asked(text, "c") == found


def test_a_c_function_declares_everything():
    text = "void f(int n, double tmp[n], double tnp[n]) { for (int i = 0; i < n; i++) tmp[i] = 1; }"
    assert asked(text) == [("tnp", "")]  # which nothing uses
    assert asked(text.replace("= 1;", "= tnp[i];")) == []


def test_a_question_says_the_line_and_how_to_silence_it():
    scop = pn.parse(TYPO)
    assert str(scop.doubts[0]) == (
        "tnp is read and never written (line 3): did you mean tmp? If not, `input tnp;` says so."
    )
    assert "tnp: did you mean tmp?" in repr(scop)
    assert scop.doubts[0].span is not None
    assert scop.doubts[0].span.text == "tnp[i]"


def test_what_silences_a_question_does():
    for text, language in ((TYPO, "scop"), (NEST, "c")):
        (doubt,) = pn.parse(text, language).doubts
        declaration = doubt.otherwise.split("`")[1]
        assert (doubt.name, doubt.meant) not in asked(f"{declaration}\n{text}", language)


@pytest.mark.parametrize(("text", "language"), CASES["what_a_comment_answers"])
def test_a_comment_says_that_it_is_meant(text, language):
    (doubt,) = pn.parse(text.replace("@", ""), language).doubts
    assert "`// is meant` behind it says so" in str(doubt)
    for comment in ("// is meant\n", "/* what is meant:\nthat */"):
        assert asked(text.replace("@", comment), language) == []
    assert asked(text.replace("@", "// is meanwhile\n"), language)
    assert asked(f"// is meant\n{text.replace('@', '')}", language)


@pytest.mark.long
def test_nothing_is_asked_about_the_gallery():
    # Of one half of A is never written, and of the other each iteration over k stores a sum.
    odd = {"fig5": ["A"], "delicm_listing4": ["C"]}
    for name in pn.gallery.names():
        assert [d.name for d in pn.gallery.load(name).doubts] == odd.get(name, []), name


def test_a_temporary_that_nothing_uses_is_refused_where_another_was_meant():
    with pytest.raises(pn.PolynbError, match="there is no array 'tpm'") as caught:
        pn.parse(TYPO.replace("temp tmp", "temp tpm").replace("tnp", "tmp"))
    assert caught.value.hint == "did you mean tmp?"
    assert caught.value.span is not None
    assert caught.value.span.text == "tpm"


@pytest.mark.parametrize("text", ["temp zz; A[0] = B[0];", "temp zz, t; t = 1; A[0] = t;"])
def test_a_temporary_that_nothing_uses_is_asked_about(text):
    scop = pn.parse(text)
    (doubt,) = scop.doubts
    assert str(doubt) == "zz is called temporary, and nothing uses it (line 1): is it needed?"
    assert "zz: is it needed?" in repr(scop)
    assert "zz" not in scop.temporaries


def test_an_option_for_a_temporary_asks_as_well():
    with pytest.raises(pn.PolynbError, match="there is no array 'tpm'") as caught:
        pn.parse(TYPO, temp="tpm")
    assert caught.value.hint == "did you mean tmp?"


def test_a_dead_local_of_c_inside_the_loops_was_meant_to_be_read():
    text = "for (int i = 0; i < n; i++) { double t = a[i]; a[i] = b[i]; b[i] = a[i]; }"
    assert asked(text, "c") == [("t", "")]
    assert asked(text.replace("b[i] = a", "b[i] = t + 0 * a"), "c") == []


@pytest.mark.parametrize(
    ("text", "found"),
    CASES["what_may_be_meant_and_is_odd_is_asked_about"],
)
def test_what_may_be_meant_and_is_odd_is_asked_about(text, found):
    assert asked(text) == [found]


@pytest.mark.parametrize(
    "text",
    CASES["what_is_usual_in_loops_is_not_asked_about"],
)
def test_what_is_usual_in_loops_is_not_asked_about(text):
    assert asked(text) == []


def test_an_array_that_is_too_small_is_declared_with_as_much_as_it_needs_and_no_cases():
    loop = "for k = d+1 to 0 by -1 do y[i] = y[i] + c[k]; done"
    text = f"param n, d; input c[d+1]; for i = 1 to n do y[i] = c[d]; {loop} done"
    another = """param N; input a[N+2]; temp t[N+2]; for i = 0 to N+1 do t[i] = a[i]; done
    for i = 1 to N do o[i] = t[i+2]; done"""  # for N < 1 it needs less
    for program, enough in (text, "c[d+2]"), (another, "t[N+3]"):
        with pytest.raises(pn.PolynbError, match=r"\w is accessed out of bounds") as caught:
            pn.parse(program)
        assert caught.value.hint is not None
        assert f"`{enough}`, which has a cell for each" in caught.value.hint


def test_a_scatter_raises_no_question_and_no_error() -> None:
    scop = pn.parse("""param N; assume N >= 1; input int32 p[N]; input double a[N];
    temp double t[N]; output double b[N];
    for i = 0 to N-1 do t[p[i]] = a[i]; done for i = 0 to N-1 do b[i] = t[i]; done""")
    assert scop.doubts == ()
    assert repr(scop)
