"""Lab 11, the project: claim an erratum, and prove it by a program; make a pipeline fast."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.errata import ReadingTask
from polynb.labs.tasks.times import TimeTask
from polynb.labs.variants import Draws

COPIED: Final = """param N;  temp tmp;
for i = 0 to N do
  tmp[i] = A[i]; // R
done
"""


def _claim(draws: Draws) -> Content:
    del draws  # all have the same paper
    turns = "for j = 0 to N do\n  A[j] = 0; // S\n  B[j] = tmp[j]; // T\n  A[j] = 1; // U\ndone"
    apart = (
        "for a = 0 to N do\n  A[a] = 0; // S\ndone\nfor j = 0 to N do\n  B[j] = tmp[j]; // T\ndone"
        "\nfor b = 0 to N do\n  A[b] = 1; // U\ndone"
    )
    mixed = (
        "for a = 0 to N do\n  A[a] = 0; // S\ndone\n"
        "for j = 0 to N do\n  B[j] = tmp[j]; // T\n  A[j] = A[j] + 1; // U\ndone"
    )
    only = "for j = 0 to N do\n  A[j] = 0; // S\n  B[j] = tmp[j]; // T\ndone"
    late = "for j = 0 to N do\n  B[j] = tmp[j]; // T\n  A[j] = 0; // S\n  A[j] = 1; // U\ndone"
    early = "for j = 0 to N do\n  A[j] = 0; // S\n  A[j] = 1; // U\n  B[j] = tmp[j]; // T\ndone"
    twice = "for j = 0 to N do\n  B[j] = tmp[j]; // T\n  C[j] = tmp[j] + 1; // U\ndone"
    return Content(
        text="CC'18, section 3.2, defines the overwritten reloads: OR(r) := { j | ∀ l. (l, j) ∈ "
        "PIW(r) ∧ θ(l) ≪ θ(j) }. Somebody reads it so: j is overwritten if all writes l that are "
        "in PIW with j come before j. Claim that this cannot be meant, and prove it: write a "
        "program of at most four statements of which propagation, read so, makes another one.",
        task=ReadingTask("all in PIW", 4),
        hints=(
            "One write that comes before the reload spoils it. When does the reading not see it?",
            "It asks of all writes. So there has to be another one, that comes later.",
            read(12, "the errata seminar: every, or some?"),
        ),
        right=(COPIED + turns, COPIED + apart, COPIED + mixed),
        misconceptions=(
            Misconception("the paper's Figure 7b is taken to be enough", COPIED + only,
                          "How many writes are there for each j, and do all of them come before?"),
            Misconception("writes that come too late", COPIED + late,
                          "Is any reload overwritten here?"),
            Misconception("both writes come before", COPIED + early,
                          "Does the reading see these?"),
            Misconception("several reads are taken for several writes", COPIED + twice,
                          "Who overwrites A?"),
            Misconception("there is nothing to propagate",
                          "param N;\nfor j = 0 to N do\n  A[j] = 0; // S\n  A[j] = 1; // U\ndone",
                          "Which temporary would go?"),
            Misconception("a large program", COPIED + turns.replace(
                "for j = 0 to N do\n", "for j = 0 to N do\n  C[j] = 0;\n"),
                "Which statement can be left out?"),
        ),
    )  # fmt: skip


def _fast(draws: Draws) -> Content:
    f = draws.integer("factor", 2, 9)
    first = f"t[i][j] = A[i][j] + {f} * A[i][j+1] + A[i][j+2]; // X"
    second = f"B[i][j] = t[i][j] + {f} * t[i+1][j] + t[i+2][j]; // Y"
    head = "param N;  input A[N+2][N+2];  temp t[N+2][N+2];"

    def nests(order: str, one: str, two: str) -> str:
        made = [head]
        for last, statement in (("N+1", one), ("N-1", two)):
            ends = {"i": last, "j": "N-1"}
            outer, inner = (f"for {x} = 0 to {ends[x]} do" for x in order)
            made += [outer, f"  {inner}", f"    {statement}", "  done", "done"]
        return "\n".join(made)

    def sums(row: str) -> str:
        return f"(A[{row}][j] + {f} * A[{row}][j+1] + A[{row}][j+2])"

    slow = nests("ji", first, second)
    whole = f"B[i][j] = {sums('i')} + {f} * {sums('i+1')} + {sums('i+2')}; // Y"

    def alone(outer: str, inner: str) -> str:
        loops = f"for {outer} = 0 to N-1 do\n  for {inner} = 0 to N-1 do"
        return f"param N;  input A[N+2][N+2];\n{loops}\n    {whole}\n  done\ndone"

    fused = (
        f"{head}\nfor i = 0 to N+1 do\n  for j = 0 to N-1 do\n    {first}\n  done\n"
        f"  if i >= 2 then for j = 0 to N-1 do\n"
        f"    B[i-2][j] = t[i-2][j] + {f} * t[i-1][j] + t[i][j]; // Y\n  done fi\ndone"
    )
    return Content(
        text="Two stages of a blur. Make it fast, by whichever of the papers, in whichever order: "
        "it has to compute the same, and the interval of the ratio has to lie above 2 (on one "
        "thread, N = 1200).",
        program=slow,
        task=TimeTask(slow, (("N", 1200),), seconds=1.0),
        hints=(
            "What stops it? Look at memory: which array lies between input and output, and which "
            "way do the loops go through all of them?",
            "Two things are in the way. Each of them alone is worth something; ask `pn.trace` of "
            "`to_c()` which one is worth more.",
            read(12, "what stops you?"),
        ),
        right=(nests("ij", first, second), alone("i", "j"), fused),
        misconceptions=(
            Misconception("nothing is changed", slow, "Was a difference seen?"),
            Misconception("memory is removed, and the walk through the rest stays as it is",
                          alone("j", "i"), "How far apart are two cells of A that are read "
                          "one after the other?"),
            Misconception("the second stage is left out", nests("ij", first, "B[i][j] = t[i][j];"),
                          "Is the result the same?"),
            Misconception("the border is left out",
                          nests("ij", first, second).replace("i = 0 to N-1", "i = 1 to N-1"),
                          "What is in B[0][0]?"),
            Misconception("the formula is turned round, which rounds otherwise",
                          nests("ij", first, f"B[i][j] = t[i+2][j] + {f} * t[i+1][j] + t[i][j];"),
                          "Is (a + b) + c the same as (c + b) + a, in floating point?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab11.claim", "claim an erratum", _claim, points=4, transfer=True),
    Template("lab11.fast", "make it fast", _fast, points=4, seconds=90.0, transfer=True),
)
