"""How a proof is shown: in the words of all verdicts, and with what was compared."""

import re
from html import unescape

import pytest

import polynb as pn
from polynb.show.displays.derivation import sameness
from polynb.show.displays.proof import display

COPY = "param N; for i = 0 to N do B[i] = A[i]; done"


def shown(before: str, after: str) -> tuple[str, str]:
    proof = pn.prove(pn.parse(before), pn.parse(after))
    shown = display(proof)
    return shown.plain, unescape(re.sub(r"<[^>]*>", "", shown.html))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            COPY,
            COPY.replace("A[i]", "A[i] * 1.0"),
            "the same: proved for every N. Both programs leave the same in every cell that either "
            "writes, but for those of temporaries.",
        ),
        (
            COPY,
            COPY.replace("param N;", "param N; assume N >= 1;"),
            "the same where both are defined: proved for every N >= 1 (the program after is for no "
            "others). Both programs",
        ),
        (COPY, COPY.replace("done", "A[i] = 0; done"), "different: the programs do not leave"),
        (
            COPY.replace("A[i]", "2 * A[i]"),
            COPY.replace("A[i]", "(A[i] + A[i])"),
            "the same but for form: what is left is computed in another way",
        ),
    ],
)
def test_it_says_what_was_compared(before, after, said):
    text, html = shown(before, after)
    assert html.startswith(said)
    assert text.startswith(said.partition(":")[0])


def test_the_line_of_a_derivation_has_the_same_words(monkeypatch):
    c = pn.parse(
        "void f(int n, double B[n]) { double t; for (int i = 0; i < n; i++) "
        "{ t = i*1000000; B[i] = t; } }"
    )
    assert sameness(pn.propagate(c)) == (
        "It computes the same where both are defined: proved for every n <= 2148 "
        "(i * 1000000 in int32 has to fit)."
    )
    assert c.to_c().startswith("// With 64 bits, where the text has fewer: i * 1000000 in int32.\n")
    assert not pn.parse(COPY).to_c().startswith("//")
