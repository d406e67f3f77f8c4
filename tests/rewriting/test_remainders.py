"""Floor divisions whose remainder the domain knows."""

import polynb as pn
from polynb.recurrences import carry_recurrences
from polynb.rewriting.remainders import plain_remainders
from polynb.run.oracle import equivalent

EVEN = "param N; for j = 2 to 2*N by 2 do B[j] = A[{}] + 1.0; done"


def body(subscript):
    scop = pn.parse(EVEN.format(subscript))
    plain = plain_remainders(scop)
    assert equivalent(scop, plain)
    return str(plain).split("A[")[-1].split("]")[0]


def test_even_and_odd_iterations():
    assert body("2*(j/2) + 1") == "j+1"
    assert body("2*((j+1)/2)") == "j"
    assert body("j + (j+3) % 2") == "j+1"
    assert body("4*((j-1)/2)") == "2*j-4"


def test_what_is_no_integer_combination_stays():
    assert body("j/2") == "floord(j,2)"
    assert body("2*(j/4)") == "2*floord(j,4)"  # j may be 2 or 0 modulo 4


def test_a_program_without_divisions_stays_the_same_object():
    scop = pn.parse("param N; for j = 1 to N do B[j] = A[j-1]; done")
    assert plain_remainders(scop) is scop


def test_guards_and_written_subscripts():
    scop = pn.parse("""
    param N; input int32 p[2*N+4];
    for j = 2 to 2*N by 2 do
      if p[2*(j/2)] > 0 then B[2*(j/2) + 1] = A[p[2*(j/2)]]; fi
    done
    """)
    plain = plain_remainders(scop)
    assert "floord" not in str(plain)
    assert equivalent(scop, plain)


def test_recurrences_see_through_them():
    d = carry_recurrences(
        pn.parse("param N; for j = 2 to 2*N by 2 do B[j] = f(A[j]) + f(A[2*(j/2) + 2]); done")
    )
    assert len(d.steps[0].scalars) == 1
    assert equivalent(d)
