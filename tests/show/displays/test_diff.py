"""Programs side by side."""

from polynb.show.displays.diff import as_text, compared

BEFORE = """for i = 0 to N do
  t[i] = A[i];
done
for i = 0 to N do
  B[i] = t[i];
  C[i] = 1;
done
"""
AFTER = """for i = 0 to N do
    C[i] = 1;
  B[i] = A[i];
done
"""


def test_lines_of_both_are_not_marked_and_the_others_are():
    left, right = compared(BEFORE, AFTER)
    assert [text for _, text in left] == BEFORE.splitlines()
    assert [text for _, text in right] == AFTER.splitlines()
    kept = [text.strip() for sign, text in left if sign == " "]
    assert kept == [text.strip() for sign, text in right if sign == " "]
    assert ("−", "  t[i] = A[i];") in left
    assert ("+", "  B[i] = A[i];") in right


def test_indentation_is_no_change():
    left, right = compared("a\nb", "  a\nb")
    assert {sign for sign, _ in left + right} == {" "}


def test_lines_without_content_do_not_align_unlike_programs():
    left, _ = compared("x = 1;\ndone\nfi", "y = 2;\ndone\nfi\nz = 3;")
    assert ("−", "x = 1;") in left
    left, right = compared("p\ndone\nq\ndone", "r\ndone\ns\ndone")
    assert {s for s, _ in left} == {"−"}
    assert {s for s, _ in right} == {"+"}


def test_one_text_has_every_line_once():
    lines = as_text(BEFORE, AFTER).splitlines()
    assert sum(x.startswith("−") for x in lines) + sum(x.startswith(" ") for x in lines) == 7
    assert sum(x.startswith("+") for x in lines) + sum(x.startswith(" ") for x in lines) == 4
