"""The tokens of a C text, and where each of them was written."""

import pytest

from polynb.errors import PolynbError, Source
from polynb.source.c.read.tokens import preprocess


def tokens(text):
    """(token, what stands at its place), of all tokens."""
    return [(t.text, t.span.text) for t in preprocess(Source(text))]


def test_tokens_keep_their_places_under_any_line_end():
    text = "a\t= b; // c\r\n/* d\r\n */ e +=\r  f ;  \n\u00a0g"
    found = preprocess(Source(text))
    assert [t.text for t in found] == ["a", "=", "b", ";", "e", "+=", "f", ";", "g"]
    assert all(t.span.text == t.text for t in found)
    assert (found[4].span.line, found[4].span.column) == (3, 5)


def test_a_macros_tokens_stand_at_its_use_and_its_arguments_at_themselves():
    text = "#define N 100\n#define F(a, b) ((a) < N ? (b) : -1)\nx = F(i, N);"
    use = "F(i, N)"
    assert tokens(text) == [
        *(("x", "x"), ("=", "="), ("(", use), ("(", use), ("i", "i"), (")", use), ("<", use)),
        *(("100", use), ("?", use), ("(", use), ("100", "N"), (")", use), (":", use)),
        *(("-", use), ("1", use), (")", use), (";", ";")),
    ]


def test_tokens_of_macros_do_not_run_together():
    assert [t for t, _ in tokens("#define M -1\nx = -M;")] == ["x", "=", "-", "-", "1", ";"]


@pytest.mark.parametrize(
    "token",
    [
        *("1.", ".5e-3f", "1.5E+3", "2LL", "0x1Fu", "0x1p-3", "<<=", ">>=", "^=", "->", "..."),
        *("'a'", "'\\''", '"a\\"b"', "x1_", "&&", "++"),
    ],
)
def test_one_token(token):
    assert tokens(f"a {token} b") == [("a", "a"), (token, token), ("b", "b")]


def test_a_suffix_pasted_to_a_number():
    text = "#define FLOAT(x) x##f\ndouble a = FLOAT(1.0) + FLOAT(2.5e-3);"
    words = [t.text for t in preprocess(Source(text))]
    assert words == ["double", "a", "=", "1.0f", "+", "2.5e-3f", ";"]


def test_pasted_and_variadic_macros():
    text = "#define JOIN(a, b) a##b\n#define ALL(...) f(__VA_ARGS__)\nJOIN(x, 1) ALL(a, b)"
    assert [t for t, _ in tokens(text)] == ["x1", "f", "(", "a", ",", "b", ")"]


def test_continued_lines():
    text = "#define SUM(a) \\\n    ((a) + \\\n 1)\nx = SUM(y) \\\n + 2;"
    assert "".join(t for t, _ in tokens(text)) == "x=((y)+1)+2;"


def test_conditions():
    text = "#define N 3\n#if N > 2 && defined(N)\na\n#else\nb\n#endif\n#ifndef N\nd\n#endif"
    assert tokens(text) == [("a", "a")]


def test_only_the_scops_pragmas_are_kept():
    text = "#pragma omp for\n  #  pragma  scop\nx\n#pragma once\n#pragma\n#pragma endscop // end"
    found = preprocess(Source(text))
    assert [(t.kind, t.text) for t in found] == [
        ("pragma", "scop"),
        ("name", "x"),
        ("pragma", "endscop"),
    ]
    assert found[0].span.text == "#  pragma  scop"


def test_headers_in_code_that_is_left_out_do_not_matter():
    assert tokens('#if 0\n#include "no.h"\n#endif\n#include <stdio.h>\nx') == [("x", "x")]


def test_a_text_may_redefine_what_headers_define():
    assert [t for t, _ in tokens("#define M_PI 3\nM_PI")] == ["3"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("M_PI", "3.14159265358979323846"),
        ("#ifndef M_PI\n#define M_PI 3\n#endif\nM_PI", "3"),
        ("#undef M_PI\nM_PI", "M_PI"),
        ("#if !defined(M_PI)\n#define M_PI 3\n#endif\nM_PI", "3"),
        ("#include <float.h>\n#ifdef M_PI\n4\n#endif\n5", "5"),
        ("#if INT_MAX > 5\n4\n#endif\n5", "5"),
        ("#include <math.h>\n#ifndef M_PI\n#define M_PI 3\n#endif\nM_PI", "3.14159265358979323846"),
        ("#define M_PI 3\n#include <math.h>\nM_PI", "3.14159265358979323846"),
        ("#include <limits.h>\n#if INT_MAX > 5\n4\n#endif", "4"),
    ],
)
def test_a_header_defines_its_constants_where_it_is_included(text, value):
    assert [t.text for t in preprocess(Source(text))] == [value]


def doubling(levels):
    steps = "".join(f"#define A{k + 1} A{k}+A{k}\n" for k in range(levels))
    return f"#define A0 1\n{steps}int x = A{levels};"


@pytest.mark.long
def test_macros_that_double_again_and_again_are_refused():
    assert len(preprocess(Source(doubling(8)))) == 4 + 2**9 - 1
    for levels in (16, 25, 200):
        with pytest.raises(PolynbError, match="expand to too much") as caught:
            preprocess(Source(doubling(levels)))
        assert caught.value.span.text.startswith("A")
