"""What the grammar has no place for is taken, or refused at its place with a way out."""

from __future__ import annotations

import pytest

import polynb as pn


def test_attributes_varargs_and_complex_numbers_are_taken():
    folding = pn.trace(
        """#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
__attribute__((noinline, const)) static int twice(int x __attribute__((unused))) { return 2 * x; }
int a[8] __attribute__((aligned(32)));
struct pair { int x, y; };
double sum(int n, ...) {
  va_list rest;
  double s = 0;
  va_start(rest, n);
  for (int i = 0; i < n; i++) s += va_arg(rest, double);
  s += va_arg(rest, struct pair).y;
  int *last = va_arg(rest, int *);
  va_end(rest);
  return s + *last;
}
int main(void) {
  double complex z = 1 + 2 * I;
  struct pair p = {1, 7};
  for (int i = 0; i < 8; i++) a[i] = __extension__ twice(i);
  printf("%g %g", sum(3, 1.5, 2.5, 3.0, p, &a[5]), cimag(z));
  return 0;
}"""
    )
    assert (folding.run.ended, folding.run.output) == ("exit 0", "24 2")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("#include <pthread.h>", "<pthread.h>"),
        ('#include "mine.h"', '"mine.h"'),
        ("int a[9] = {[1 ... 3] = 2};", "..."),
        ("struct s { char c; int d; } __attribute__((packed));", "packed"),
        ("typedef int v4 __attribute__((vector_size(16)));", "vector_size"),
        ("int f(void) { return ({ 1; }); }", "("),
        ("int f(int x) { return x ?: 4; }", "?"),
        ('void f(void) { asm volatile("nop"); }', "asm"),
        ("int f(void) { typeof(1) x = 3; return x; }", "typeof"),
        ("#include <setjmp.h>\njmp_buf env;", "jmp_buf"),
    ],
)
def test_refusals_have_a_place_and_a_way_out(text, place):
    with pytest.raises(pn.PolynbError) as error:
        pn.trace(f"{text}\nint main(void) {{ return 0; }}")
    assert error.value.span is not None
    assert error.value.span.text == place
    assert "python -m polynb.tracing program.c" in (error.value.hint or "")


@pytest.mark.parametrize("text", ["int main( { return 0; }", "int f(void) { return (1 + 2; }"])
def test_a_forgotten_parenthesis_is_no_syntax_of_gcc_s(text):
    with pytest.raises(pn.PolynbError, match=r"never closed|cannot close") as error:
        pn.trace(text)
    assert "gcc" not in str(error.value)


def test_half_of_a_character_is_refused_wherever_it_stands():
    with pytest.raises(pn.PolynbError, match=r"half of a character, U\+D800"):
        pn.trace("int main(void) { char c = '\ud800'; return c; }")
