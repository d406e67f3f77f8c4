"""What a C function needs after its loops (CC'18, section 5.1), and what it says about it."""

import pytest

from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.scop.parsing import parse

LOOPS = """
for (int i = 0; i < n; i++) t[i] = A[i];
for (int i = 0; i < n; i++) B[i] = t[i];
"""
HEAP = "double *t = (double *) malloc(n * sizeof(double));"


def role(before="", after="", argument="", loops=LOOPS):
    """The role of t and why, where the function does something before and after the loops."""
    argument = f", {argument}" if argument else ""
    scop = parse(
        f"#include <stdlib.h>\nvoid f(int n, double A[n], double B[n]{argument}) {{ {before}\n"
        f"#pragma scop\n{loops}\n#pragma endscop\n{after} }}",
        "c",
    )
    return scop.arrays["t"].role, scop.arrays["t"].why.split(";")[0]


FREED = "freed right after the loops"
KILLED = "killed by __pencil_kill"
LOCAL = "local, and not used after the loops"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ({"before": HEAP, "after": "free(t);"}, FREED),
        ({"before": HEAP, "after": "int k; ; free((void *) B); free(t); t = NULL;"}, FREED),
        ({"before": "double *t; t = get(n);", "after": "free(t);"}, FREED),
        ({"before": "double *t = get(n);", "after": "free(t); show(B);"}, FREED),
        ({"argument": "double *t", "after": "free(t);"}, FREED),
        ({"before": f"{HEAP} keep = t;", "after": "free(t);"}, FREED),
        ({"before": HEAP}, LOCAL),
        ({"before": f"{HEAP} init(n, t);", "after": "show(B); free(t);"}, LOCAL),
        ({"before": "double t[n];"}, LOCAL),
        ({"before": "double t[n], *m = malloc(sizeof(t)), k = t[0];"}, LOCAL),
        ({"argument": "double t[n]", "after": "__pencil_kill(B, t);"}, KILLED),
        ({"argument": "double t[n]", "after": "__pencil_kill(t); show(t);"}, KILLED),
        ({"argument": "double t[n]", "loops": f"{LOOPS}__pencil_kill(t);"}, KILLED),
        (
            {"argument": "double t[n]", "loops": f"__pencil_kill(t);{LOOPS}__pencil_kill(t);"},
            KILLED,
        ),
        (
            {"argument": "double t[n]", "loops": f"{LOOPS}__pencil_kill(t);", "after": "show(t);"},
            KILLED,
        ),
    ],
)
def test_what_nobody_can_read_afterwards_is_a_temporary(code, why):
    assert role(**code) == ("temp", why)


@pytest.mark.parametrize(
    "code",
    [
        {"argument": "double t[n]"},
        {"before": HEAP, "after": "show(t); free(t);"},
        {"before": f"{HEAP} keep = t;", "after": "show(B); free(t);"},
        {"before": f"{HEAP} double *copy = n > 3 ? t : A;", "after": "show(copy);"},
        {"before": "double t[n]; keep(&t);"},
        {"before": "double *t = get(n);"},
        {"argument": "double *t", "after": "if (n > 3) free(t);"},
        {"argument": "double *t", "after": "show(); free(t);"},
        {"argument": "double *t", "after": "free(t + 1);"},
        {"argument": "double *t", "after": "if (n > 3) return; free(t);"},
        {"argument": "double t[n]", "after": "show(t); __pencil_kill(t);"},
        {"argument": "double t[n]", "loops": f"__pencil_kill(t);{LOOPS}"},
        {"before": "static double t[100];"},
    ],
)
def test_what_somebody_may_read_afterwards_is_live_out(code):
    assert role(**code)[0] == "output"


def test_a_free_behind_a_condition_or_a_block_around_the_region_is_still_next():
    around = "{{ if (n > 3) {{ {} }} }} free(t);"
    region = f"\n#pragma scop\n{LOOPS}\n#pragma endscop\n"
    text = "void f(int n, double A[n], double B[n], double *t) { " + around.format(region) + " }"
    assert parse(text, "c").arrays["t"].role == "temp"
    looped = text.replace("if (n > 3)", "for (int k = 0; k < n; k++)")
    assert parse(looped, "c").arrays["t"].role == "output"  # the next k may read it


def test_a_whole_function_may_allocate_and_free():
    text = f"void f(int n, double A[n], double B[n]) {{ {HEAP} {LOOPS} free(t); }}"
    scop = parse(text, "c")
    assert (scop.arrays["t"].role, scop.arrays["t"].why.split(";")[0]) == ("temp", FREED)
    assert "t" not in propagate(scop).result.arrays
    returned = text.replace("void f", "double f").replace("free(t);", "free(t); return B[0];")
    assert parse(returned, "c").arrays["t"].role == "temp"
    killed = text.replace(f"{HEAP} ", "").replace("B[n])", "B[n], double t[n])")
    assert parse(killed.replace("free(t)", "__pencil_kill(t)"), "c").arrays["t"].role == "temp"


def test_a_bare_nest_can_kill():
    text = f"double A[10], B[10], t[10];\n{LOOPS}"
    assert parse(text, "c").arrays["t"].role == "output"
    scop = parse(f"{text}__pencil_kill(t);", "c")
    assert scop.arrays["t"].role == "temp"
    assert scop.arrays["B"].role == "output"


def test_an_inner_array_of_the_same_name_is_another_one():
    loops = "{ double t[n]; t[0] = A[0]; B[0] = t[0]; }\n" + LOOPS
    scop = parse(
        f"void f(int n, double A[n], double B[n], double t[n]) {{\n#pragma scop\n{loops}\n"
        "#pragma endscop\n }",
        "c",
    )
    assert [a.role for n, a in scop.arrays.items() if n.startswith("t")] == ["output", "temp"]


@pytest.mark.parametrize(
    ("loops", "message", "under"),
    [
        (
            "for (int i = 0; i < n; i++) { t[i] = A[i]; __pencil_kill(t); }",
            "inside a loop or a condition",
            "__pencil_kill(t)",
        ),
        (f"{LOOPS}__pencil_kill(t);{LOOPS}", "t is killed between two uses", "t"),
        (f"{LOOPS}__pencil_kill(t[0]);", "takes names of arrays", "t[0]"),
        (f"{LOOPS}__pencil_kill(tt);", "tt is not declared", "tt"),
        (f"{LOOPS}__pencil_kill(unused);", "unused is killed, and nothing here uses it", "unused"),
    ],
)
def test_other_kills_are_refused_at_their_place(loops, message, under):
    with pytest.raises(PolynbError, match=message) as caught:
        role(argument="double t[n], double *unused", loops=loops)
    assert caught.value.span.text == under
    assert caught.value.hint


def test_memory_that_calloc_cleared_is_no_whole_functions_own():
    with pytest.raises(PolynbError, match="t is a pointer"):
        parse("void f(int n, double A[n]) { double *t = calloc(n, 8); A[0] = t[0]; }", "c")
