"""Which language a text is in, and texts that hold no program."""

import pytest

import polynb.gallery as gallery
from polynb.errors import PolynbError, Source
from polynb.source.parse import detect, parse_program

SCOP = [
    "param N; A[0] = 1;",
    "A[0] = B[0];",
    "double x; x = 1;",
    "for i = 0 to 9 do A[i] = 0; done",
    "// for (int i = 0; ...)\nfor i = 0 to 9 do A[i] = 0; done",
    "for i = 0 to 9 do { A[i] = 0; } done",
    "input double A[4];\nfor (i = 0 to 3) do B[i] = A[i]; done",
    "if A[0] > 1 then B[0] = 1; fi",
]
C = [
    "for (int i = 0; i < n; i++) A[i] = 0;",
    "// param N;\nfor (i = 0; i < n; i += 1)\n  A[i] = 0;",
    "#define N 100\nvoid f(double A[N]) { A[0] = 1; }",
    "  # pragma scop\n A[0] = 1;\n#pragma endscop",
    "double input[10]; int i; for (i = 0; i < 10; i++) input[i] = 0;",
    "int done = 0;\nwhile (!done) done = f();",
    "{ A[0] = 1; }",
]


@pytest.mark.parametrize("text", SCOP)
def test_scop(text):
    assert detect(text) == "scop"


@pytest.mark.parametrize("text", C)
def test_c(text):
    assert detect(text) == "c"


@pytest.mark.parametrize("name", gallery.names())
def test_the_gallery(name):
    assert detect(gallery.text(name)) == gallery.entry(name).language


def test_the_language_decides_who_reads_the_text():
    assert parse_program("A[0] = 1;").language == "scop"
    c = "void f(int n, double A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }"
    assert parse_program(c).language == "c"
    with pytest.raises(PolynbError, match="this loop is C's"):
        parse_program("for (int i = 0; i < n; i++) A[i] = 0;", "scop")


def test_names_of_the_text_and_of_the_program():
    program = parse_program(Source("A[0] = 1;", "cell 3"), name="blur")
    assert program.name == "blur"
    assert program.source.name == program.body[0].span.source.name == "cell 3"


@pytest.mark.parametrize("text", ["", " \n\t", "// only a comment", "/* one */ // and another\n"])
@pytest.mark.parametrize("language", ["auto", "scop", "c"])
def test_no_program(text, language):
    with pytest.raises(PolynbError, match="there is no program here") as error:
        parse_program(text, language)
    assert error.value.hint


def test_an_unknown_language():
    with pytest.raises(PolynbError, match="no language 'fortran'") as error:
        parse_program("A[0] = 1;", "fortran")
    assert error.value.hint == "one of: auto, scop, c"
