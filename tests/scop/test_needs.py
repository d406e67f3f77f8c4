"""What a kernel needs beyond what the analysis needs."""

import pytest

import polynb as pn
from polynb.errors import Source, Span
from polynb.scop.needs import needs
from polynb.source.functions import definition

CALL = "param N; for i = 0 to N do B[i] = blur(A[i], A[i+1]); done"
SIZE = "param N; for i = 0 to N do B[i] = A[idx[i]]; done"


def test_a_function_that_nothing_defines():
    (need,) = needs(pn.parse(CALL))
    assert need.written == "define blur(x, y) = ...;"
    assert not needs(pn.parse(need.written.replace("...", "x + y") + CALL))


def test_an_array_that_nothing_sizes():
    (need,) = needs(pn.parse(SIZE))
    assert need.written == "input A[N];"
    with_size = pn.parse(SIZE.replace("for", f"{need.written} for"))
    assert not needs(with_size)
    pn.measure(with_size, N=100, rounds=1, threads=1)


def test_programs_of_the_gallery_need_nothing_that_keeps_them_from_running():
    for name in ("jacobi_1d", "harris", "lrr_listing1"):
        assert not needs(pn.gallery.load(name))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x = f(1);", "define f(x, y) = ...;"),
        ("for (i = 0; i < n; i++) A[i] = f(i, i);", "double f(double x, double y) { return ...; }"),
    ],
)
def test_a_definition_is_written_in_the_language_of_the_program(text, written):
    assert definition("f", 2, Span(Source(text), 0, 1)) == written


def test_a_definition_in_c_is_one():
    text = "void g(int n, double A[n], double B[n]) { for (int i = 0; i < n; i++) B[i] = f(A[i]); }"
    scop = pn.parse(text)
    (need,) = needs(scop)
    assert not needs(pn.parse(f"{need.written.replace('...', '2 * x')}\n{text}"))
