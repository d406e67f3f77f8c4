"""Answers that were once judged wrongly: wrong ones with full points, and right ones without."""

import contextlib
import re
from itertools import product

import pytest

from polynb import labs

from .replays import replay_claim


def of(name):
    return labs.exercise(name, student="")


def body(text):
    return text.replace("param N;", "").strip()


def another_witness(exercise):
    """One as good as the right one, with another `other`."""
    k, n = map(int, re.findall(r"other S\((\d+)\), .*N = (\d+)", exercise._right[0])[0])
    for i, j in product(range(n), repeat=2):
        text = f"source R({i}), other S({k - 1}), target T({j}), N = {n}"
        with contextlib.suppress(AssertionError, KeyError):
            replay_claim(exercise._task, text)
            return text
    raise AssertionError("there is none")


DESTROYED = "\nfor k = 0 to N-1 do for l = 0 to N-1 do A[k][l] = 0; done done"
WRONG = {
    "one loop that holds nine": (
        "lab6.by_hand",
        lambda e: f"param N;\nfor z = 0 to 0 do\n{(body(e._right[0]) + chr(10)) * 9}done",
        "the nest has 10 loops; 1 would do",
    ),
    "an input is called a temporary, and destroyed": (
        "lab11.mend",
        lambda e: e._right[0].replace("param N;", "param N;  temp A;") + DESTROYED,
        "A[0][0] differs",
    ),
    "it is mended up to the size that is folded": (
        "lab11.mend",
        lambda e: f"param N;\nif N >= 8 then\n{body(e.program)}\nelse\n{body(e._right[0])}\nfi",
        "for N = 8: A moves by [1, 0] along j, the innermost loop",
    ),
    "it is mended up to a size at which nobody runs it": (
        "lab11.mend",
        lambda e: f"param N;\nif N >= 9999 then\n{body(e.program)}\nelse\n{body(e._right[0])}\nfi",
        "for N = 9999",
    ),
    "right up to 40": (
        "lab8.cells",
        lambda e: lambda N: e._task.right(N) if N <= 40 else 0,
        "not for a larger one",
    ),
    "right for the sizes that are shown": (
        "lab8.cells",
        lambda e: lambda N: e._task.right(N) * (2 if N > 5 else 1),
        "not for a larger one",
    ),
    "a second number": (
        "lab2.wavefront",
        lambda e: e._right[0].replace("] }", ", 0] }"),
        "the times have 2 numbers, not 1",
    ),
    "T waits longer than it has to, in the transposed order": (
        "lab9.transposed",
        lambda e: e._right[2].replace(", 1] }", " + 1, 1] }"),
        "runs between what T(0, 0) waits for",
    ),
    "a witness, and not the one that was asked for": (
        "lab6.witness",
        another_witness,
        " is to be S(",
    ),
    "a parameter of its own that counts": (
        "lab1.triangle",
        lambda e: e._right[0].replace("[N]", "[N, M]").replace("0 <= i", "M <= i"),
        "M is no parameter",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_not_right(case):
    name, made, said = WRONG[case]
    found = labs.check(of(name), made(of(name)))
    assert found.points <= found.of / 2
    assert said in str(found)


def counting(exercise):
    """Instance by instance, which takes long far away."""
    return lambda N: sum(1 for _ in range(exercise._task.right(N)))


def recursive(exercise):
    """One size after the other, of which Python allows a thousand."""
    right = exercise._task.right

    def cells(N):
        return right(N) if N <= 1 else cells(N - 1) + right(N) - right(N - 1)

    return cells


TILED = """param N;
for i = 0 to N-1 do s[i] = 0; done
for ii = 0 to N-1 by 4 do for j = 0 to N-1 do for i = ii to min(ii+3, N-1) do
  {}
done done done"""
RIGHT = {
    "S is transposed, not T": (
        "lab9.transposed",
        lambda e: e._right[2],
    ),
    "tiles, of which the last may be one element wide": (
        "lab11.mend",
        lambda e: TILED.format(re.search(r"s\[i\] = s.*;", e.program)[0]),
    ),
    "a function that counts, and is slow far away": ("lab8.cells", counting),
    "a function that calls itself, and may not do so often": ("lab8.cells", recursive),
    "a parameter that says nothing": (
        "lab1.triangle",
        lambda e: e._right[0].replace("[N]", "[N, M]"),
    ),
    "a list": ("lab11.breaks", lambda e: [int(x) for x in e._right[0].split(", ")]),
    "a tuple": ("lab11.breaks", lambda e: tuple(int(x) for x in e._right[0].split(", "))),
    "coefficients behind": ("lab11.fold", lambda e: behind(e, "cj*{} + ck*⊤ + {}")),
    "coefficients behind, with a dot": ("lab11.fold", lambda e: behind(e, "{1} + cj·{0} + ck · T")),
}


def behind(exercise, form):
    outer, base = (part.rpartition(" ")[2] for part in exercise._right[0].split("cj + ⊤ck + "))
    return form.format(outer, base)


@pytest.mark.parametrize("case", RIGHT)
@pytest.mark.long
def test_what_is_right_is_not_wrong(case):
    name, made = RIGHT[case]
    found = labs.check(of(name), made(of(name)))
    assert found, str(found)


@pytest.mark.long
def test_a_function_that_is_slow_everywhere_is_no_answer():
    """Only far away it may be, where a right one that counts would be."""

    def endless(N):
        while True:
            pass

    assert labs.check(of("lab8.cells"), endless).points == 0


def test_a_term_has_one_coefficient():
    found = labs.check(of("lab11.fold"), "2*cj*3 + ⊤ck + 5")
    assert found.points == 0
    assert "a term has one coefficient" in str(found)


def test_the_labels_of_another_stream_are_worth_nothing():
    """Though they disagree in the same places."""
    theirs = [int(x) + 1 for x in of("lab11.known")._right[0].split(", ")]
    found = labs.check(of("lab11.known"), theirs)
    assert found.points == 0
    assert "after 2 labels" in str(found)
