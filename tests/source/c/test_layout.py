"""Long lines are broken at spaces, and nothing else changes."""

from polynb.source.c.print.layout import WIDTH, laid_out


def test_short_lines_stay():
    assert laid_out(["a = b;", "  c = d;  // S"]) == "a = b;\n  c = d;  // S\n"


def test_sums_are_broken_before_their_operators_outside_of_parentheses():
    product = "(" + " + ".join(f"in[i + {k}]" for k in range(4)) + ") / (in[i] / 1.5)"
    line = f"  out[i] = {' + '.join([product] * 4)};  // S4"
    first, *rest = laid_out([line]).splitlines()
    assert first == f"  out[i] = {product}"
    assert rest == [f"      + {product}"] * 2 + [f"      + {product};  // S4"]


def test_only_spaces_become_line_ends():
    line = "    x = f(" + ", ".join(f"a{k} * (b{k} - c[{k}])" for k in range(60)) + ");  // S"
    text = laid_out([line])
    assert text.split() == line.split()
    assert max(len(x) for x in text.splitlines()) <= WIDTH + len("  // S")


def test_what_has_no_spaces_is_left_alone():
    line = "x" * 300 + " = 1;"
    assert laid_out([line]).split() == line.split()
    pragma = "#pragma " + "omp " * 60
    assert laid_out([pragma]) == pragma + "\n"


def test_a_line_that_is_indented_beyond_the_width_ends():
    """It was broken again and again at a space of its indentation."""
    line = " " * (WIDTH + 2) + "A[i] = " + " + ".join(f"B[i + {k}]" for k in range(20)) + ";"
    assert laid_out([line]).split() == line.split()
