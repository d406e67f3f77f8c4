"""Wrong programs: what the error says, and the very characters that it points at."""

import pytest

from polynb.errors import PolynbError, Source
from polynb.source.scoplang.parser import parse_scop

# The text, with ‹ and › around what the caret must be under; what the message must say; what
# the hint must say.
WRONG = [
    # -- something is missing
    ("for i = 0 to 9 do A[i] = B[i]‹› done", "`;` is missing after `]`", "ends with `;`"),
    ("A[0] = B[0]‹› // S\nC[0] = 1;", "`;` is missing after `]`", "ends with `;`"),
    ("param N‹›", "`;` is missing after `N`", "ends with `;`"),
    ("param N ‹M›;", "a comma is missing before `M`", "`N, M`"),
    (
        "A[0] = 1;\nfor i = 0 to 9 do\n  A[i] = 1;‹›\n",
        "the `for` in line 2 is not closed",
        "`done`",
    ),
    (
        "for i = 0 to 9 do\nif i > 1 then\nx = 1;\n‹done›",
        "the `if` in line 2 is not closed",
        "`fi`",
    ),
    ("if a then x = 1;\nelse if b then x = 2;\nfi‹›", "the `if` in line 1 is not closed", "fi fi"),
    ("if a then for i = 0 to 9 do x = 1; ‹fi›", "`done` is missing before `fi`", "`done`"),
    ("for i = 0 to 9‹›\n  A[i] = 1; done", "`do` is missing after `9`", "for i = 0 to N do"),
    ("for i = 0 ‹9› do A[i] = 1; done", "`to` or an operator is missing before `9`", "`to`"),
    ("A[0] = (1 + 2‹›\n;", "`)` is missing after `2`", "`)`"),
    (
        "param N; for i = 0 to N do if i == N+1‹:› A[i] = i; fi done",
        "`then` or a statement is missing before `:`",
        "a condition is `if i == 0 then ... fi`",
    ),
    ("A[0‹=› 1;", "`]` is missing before `=`", "`]`"),
    ("A[0] = b ? 1‹;›", "`:` is missing before `;`", "`:`"),
    ("A[0] = 1 + ‹;›", "an expression is missing after `+`, before `;`", "a number"),
    ("A[0] = a * ‹/› b;", "an expression is missing after `*`, before `/`", "a number"),
    ("A[0] = 1 ‹)›;", "this `)` has no `(`", "leave it out"),
    ("A[‹]›[0] = 1;", "an expression is missing after `[`", "a number"),
    ("A[0] = a ‹b›;", "`;` or an operator is missing before `b`", "`*`"),
    ("A[0] = 2‹i›;", "`;` or an operator is missing before `i`", "`2*i`"),
    ("x ‹1›;", "`=` is missing before `1`", "an assignment is"),
    ("let e = 1; ‹for› i = 0 to 9 do done", "an assignment is missing after the `let`", "let"),
    ("param ‹7›N;", "a name is missing after `param`, before `7`", "names begin with"),
    ("param N; for i = 0 to N‹›//2 do\n x = 1; done", "`do` is missing", "begins a comment"),
    # -- something is too much
    ("for i = 0 to 9 do done ‹done›", "this `done` has no `for`", "leave it out"),
    ("x = 1; ‹fi›", "this `fi` has no `if`", "leave it out"),
    ("if a then else x = 1; ‹else› fi", "the `if` in line 1 has an `else` already", "else if"),
    ("‹then› x = 1;", "a statement is missing before `then`", "statements are"),
    ("if a then ‹param› N; fi", "declarations are not allowed inside", "before line 1"),
    # -- habits from other languages
    ("A[0] ‹+=› 1;", "there is no `+=`", "`A[0] = A[0] + 1;`"),
    ("i‹++›;", "there is no `++`", "write it out"),
    ("if a ‹=› 1 then x = 1; fi", "`=` assigns", "`==`"),
    ("param N; assume N ‹=› 1;", "`=` assigns", "`==`"),
    ("for ‹(›i = 0; i < 9; i++) A[i] = 1;", "a name is missing after `for`", 'language="c"'),
    (
        "param N; for ‹(›i = 0; i < N; i++) A[i] = 1;",
        "a name is missing",
        "--language c) has no `param`",
    ),
    ("for i = 0 to 9 do ‹{› A[i] = 1; }", "the character { is not part", "do ... done"),
    ("‹#›pragma scop", "the character # is not part", "pragma scop"),
    ("input ‹int› A[3]; x = 1;", "there is no type int", "write int32"),
    ("‹long› x; x = 1;", "there is no type long", "write int64"),
    ("temp ‹quad› x; x = 1;", "there is no type quad", "one of: float, double"),
    ("input float s, ‹float› A; x = 1;", "the type of a declaration is said once", "float x;"),
    # -- characters
    ('A[‹"›0"] = 1;', 'the character " is not part', "quotes"),
    ("x = ‹'›y';", "the character ' is not part", "quote"),
    ("x‹\\›y = 1;", "the character \\ is not part", "leave it out"),
    ("x = 1; ‹}› int main() { system(); }", "the character } is not part", "language"),
    ("x = ‹é›;", "the character é is not part", "write it with these"),
    # -- names
    ("x = ‹temp›[1];", "`temp` is a reserved word", "temp_"),
    ("‹input›[0] = 1;", "`input` is a reserved word", "input_"),
    ("‹mod› = 1;", "`mod` is a reserved word", "mod_"),
    ("x = ‹min› + 1;", "`min` is a reserved word", "min(a, b)"),
    ("param ‹double›;", "`double` is a reserved word", "double_"),
    ("for ‹to› = 0 to 9 do done", "`to` is a reserved word", "to_"),
    ("param N, M, ‹N›;", "the parameter N is declared twice", "leave out"),
    ("temp s;\ntemp t, ‹s›;", "s is declared twice", "one declaration"),
    ("input A[3]; output ‹A›[3];", "A is declared twice", "inout"),
    ("x = N; param ‹N›;", "N is an array or a scalar (line 1) and cannot be a parameter", "front"),
    ("param N; temp ‹N›;", "N is a parameter (line 1) and cannot be an array", "another name"),
    ("param N; ‹N› = 1;", "N is a parameter and cannot be assigned to", "another name"),
    ("for i = 0 to 9 do ‹i› = 1; done", "i is the iterator of a loop and cannot", "another name"),
    ("let e = 1; ‹e› = 2;", "e is the name of a `let` and cannot be assigned to", "another name"),
    ("param N; for ‹N› = 0 to 9 do done", "N is a parameter (line 1) and cannot be an iter", ""),
    ("A[0] = 1; for ‹A› = 0 to 9 do done", "A is an array or a scalar (line 1) and", ""),
    (
        "for i = 0 to 9 do\nfor ‹i› = 0 to 9 do done done",
        "i is the iterator of an enclosing loop already",
        "`i2`",
    ),
    ("for i = 0 to 9 do done x = ‹i›;", "i is an iterator (line 1) and cannot be an", "value"),
    ("for i = 0 to ‹i› do done", "i is an iterator (line 1) and cannot be an array", "loop"),
    ("param N; x = ‹N›[0];", "N is a parameter (line 1) and cannot be an array", ""),
    ("x = f(1); y = ‹f[1]›;", "f is a function (line 1) and cannot be an array", "A[i]"),
    ("x = f[1]; y = ‹f›(1);", "f is an array or a scalar (line 1) and cannot be a func", "f(i)"),
    ("A[0][1] = 1;\nx = ‹A[0]›;", "A has 1 subscript here, but 2 subscripts in line 1", "A[...]["),
    ("input A[3][4];\nx = ‹A›;", "A has no subscripts here, but 2 subscripts in line 1", "A["),
    ("let e = 1; let ‹e› = 2; x = e;", "two `let e`", "another name"),
    ("let e = 1; x = e; y = ‹e›;", "e is the name of a `let` (line 1) and cannot be", "repeat it"),
    ("for i = 0 to 9 do let e = i/2; x = A[‹e›]; done", "e cannot be used here", "floord"),
    # -- functions
    ("define f(x) = ‹f›(x);", "the function f calls itself", "a loop"),
    ("define f(x) = x + ‹y›;", "y has no meaning in the definition of f", "one of: x"),
    ("define f(x) = ‹A›[x];", "A has no meaning in the definition of f", "one of: x"),
    ("define f(x, ‹x›) = x;", "x is an argument already", "another name"),
    ("param x; define f(‹x›) = x;", "x is a parameter of the program", "another name"),
    ("define f(x) = x; define ‹f›(x) = 1;", "the function f is defined twice", "another name"),
    ("y = f(1); define ‹f›(x) = 1;", "f is defined after its first use", "before line 1"),
    ("define f(x, y) = x; z = ‹f(1)›;", "f takes 2 arguments, not 1", "f(x, y)"),
    ("x = ‹floord(1, 2, 3)›;", "floord takes 2 arguments, not 3", "floord(a, b)"),
    ("x = ‹max(1)›;", "max takes 2 arguments, not 1", "max(a, b)"),
    ("x = 1 + ‹1e400›;", "the number 1e400 is too large", "`1.0/0.0` where infinity is meant"),
    ("x = ‹1e39f›;", "the number 1e39f is too large", "a double: `1e39`"),
    ("x = ‹sqrt(y, 2)›;", "sqrt takes 1 argument, not 2", "sqrt(x)"),
    ("x = ‹pow(y)›;", "pow takes 2 arguments, not 1", "pow(x, y)"),
    ("x = ‹fmaf(y, 2)›;", "fmaf takes 3 arguments, not 2", "fmaf(x, y, z)"),
    ("x = ‹uint8(1, 2)›;", "uint8 takes 1 argument, not 2", "uint8(x)"),
    # -- places
    ("param N; assume ‹M› > 0;", "M has no meaning in an assumption", "one of: N"),
    ("assume ‹M› > 0;", "M has no meaning in an assumption", "param M;"),
    ("param N; temp A[‹n›];", "n has no meaning in an extent", "did you mean N?"),
    ("param N; for i = 0 to 9 by ‹N› do done", "the step must be an integer constant", "by 2"),
    ("if 0 <= i ‹<=› 9 then x = 1; fi", "comparisons cannot be chained", "0 <= i && i <= 9`"),
    ("x = a ‹==› b < c;", "comparisons cannot be chained", "`a == b && b < c`"),
    ("x = a == ‹not› b;", "`not` binds looser than `==`", "parentheses"),
    # -- labels
    ("S: x = 1; T: y = 1;\n‹S›: z = 1;", "the label S is used twice", "`S2`"),
    ("S: x = 1;\ny = 1; // ‹S›", "the label S is used twice", "line 1"),
    ("S: x = 1; // ‹T›", "this statement has two labels, S and T", "keep one"),
    ("x = 1 // S\n+ 1; // ‹T›", "this statement has two labels, S and T", "keep one"),
    # -- numbers
    ("x = ‹007›;", "the number 007 is malformed", "`7`"),
    ("x = ‹1LLL›;", "the number 1LLL is malformed", "L, U and UL"),
    ("x = ‹9223372036854775808›;", "too large", "9223372036854775808.0"),
]


def marked(text):
    """The text without its marks, and the range between them."""
    start = text.index("‹")
    end = text.index("›") - 1
    return text.replace("‹", "").replace("›", ""), start, end


@pytest.mark.parametrize(("text", "message", "hint"), WRONG)
def test_a_wrong_program(text, message, hint):
    text, start, end = marked(text)
    with pytest.raises(PolynbError) as caught:
        parse_scop(text)
    error = caught.value
    assert message in error.message
    assert (error.span.start, error.span.end) == (start, end)
    assert error.hint
    assert hint in f"{error.hint} {error.reason}"


PASTED = [
    ("x = a ‹−› b;", "x = a - b;"),
    ("for i = 0 to N‹–›1 do done", "for i = 0 to N-1 do done"),
    ("if a ‹≤› 1 && b ≥ 2 then x = 1; fi", "if a <= 1 && b >= 2 then x = 1; fi"),
    ("if a ‹≠› 1 then x = 1; fi", "if a != 1 then x = 1; fi"),
    ("x = 2‹×›y · z ÷ 3;", "x = 2*y * z / 3;"),
    ("x =‹\u00a0›1;", "x = 1;"),
    ("x = 1; ‹ﬁ›", "x = 1; fi"),
    ("T‹′›: x = 1;", "T_: x = 1;"),
    ("A[‹“›i”] = 1;", "A[i] = 1;"),
    ("A[‹‘›i’] = 1;", "A[i] = 1;"),
    ("x ‹＝› 1；", "x = 1;"),
]


@pytest.mark.parametrize(("text", "corrected"), PASTED)
def test_characters_from_a_pdf(text, corrected):
    text, start, end = marked(text)
    with pytest.raises(PolynbError) as caught:
        parse_scop(f"/* − */ y = 0; // ≤\n{text} // −\nz = 0;")
    error = caught.value
    before = len("/* − */ y = 0; // ≤\n")
    assert (error.span.start, error.span.end) == (before + start, before + end)
    assert corrected in error.hint
    assert "PDF" in error.reason


@pytest.mark.parametrize(
    ("text", "line", "column", "blanks"),
    [
        ("x = 1;\r\n\tA[0] = ;\r\n", 2, 9, 4 + 7),
        ("/* 漢字 */ x = ;", 1, 14, 10 + 5),
        ("// α → β\n\t// 漢\n  x = 1 1;", 3, 9, 8),
        ("x = 1;\ry = @;", 2, 5, 4),
    ],
)
def test_carets_survive_tabs_line_ends_and_wide_characters(text, line, column, blanks):
    with pytest.raises(PolynbError) as caught:
        parse_scop(Source(text, "cell"))
    head, shown, below, *_ = str(caught.value).split("\n")
    assert head.startswith(f"cell, line {line}, column {column}: ")
    assert "\t" not in shown
    assert below == f"     | {' ' * blanks}^"


def test_loops_may_be_32_deep():
    def nest(depth):
        loops = "".join(f"for i{k} = 0 to 1 do\n" for k in range(depth))
        return f"{loops} x = 1; {'done ' * depth}"

    parse_scop(nest(32))
    with pytest.raises(PolynbError, match="a huge loop depth") as caught:
        parse_scop(nest(33))
    assert (caught.value.span.line, caught.value.span.text) == (33, "for")


def test_conditionals_may_not_be_endlessly_deep():
    with pytest.raises(PolynbError, match="nested statements") as caught:
        parse_scop("if a then " * 500 + "x = 1;" + "fi " * 500)
    assert caught.value.span.text == "if"


@pytest.mark.parametrize(
    ("opening", "inner", "closing"),
    [("(", "1", ")"), ("f(", "1", ")"), ("A[", "1", "]"), ("a ? b : ", "c", "")],
)
def test_expressions_may_not_be_endlessly_deep(opening, inner, closing):
    with pytest.raises(PolynbError, match="nested too deeply") as caught:
        parse_scop(f"x = {opening * 500}{inner}{closing * 500};")
    assert caught.value.hint


def test_a_subscript_may_not_be_endlessly_long():
    with pytest.raises(PolynbError, match="more than 200 operands"):
        parse_scop(f"x = A[{'1 + ' * 500} 1];")


def error_of(text):
    """The error, None if there is none; any other exception fails the test."""
    try:
        parse_scop(text)
    except PolynbError as error:
        return error
    return None


def test_any_prefix_of_a_program_is_right_or_a_polynb_error():
    text = (
        "param N; assume N >= 3; temp double t[N], s; define f(x) = x*x;\n"
        "for i = 0 to N by 2 do if (i == 0) S: t[i] = f(i)/1.5; // S\n"
        "else if not i < 3 then let e = t[0]; t[1] = e ? e : -e; fi fi done"
    )
    errors = {k: error_of(text[:k]) for k in range(1, len(text) + 1)}
    for k, error in errors.items():
        if error is not None:
            assert 0 <= error.span.start <= error.span.end <= k
            assert error.hint
    right = [text[:k] for k, error in errors.items() if error is None]
    assert {t.strip()[-1] for t in right} == {";", "e"}
    assert right[-1] == text


def test_a_program_with_a_word_left_out_or_doubled_is_right_or_a_polynb_error():
    text = (
        "param N ; temp t [ N ] ; for i = 0 to N do if i == 0 then S : t [ i ] = 1.5 ; "
        "else t [ i ] = min ( i , 2 ) * ( - x ) ; fi done let e = y ; z = e ;"
    )
    words = text.split(" ")
    for k in range(len(words)):
        for changed in (words[:k] + words[k + 1 :], [*words[: k + 1], *words[k:]]):
            error = error_of(" ".join(changed))
            if error is not None:
                assert error.span is not None
                assert error.hint
