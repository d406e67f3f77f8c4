"""Lab 7: live ranges (what overlaps, what may change places, schedule (13))."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.functions import FunctionTask
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.schedules import InOrder, NeverAgainst, ScheduleTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.variants import Draws

LISTING1: Final = """param N;  temp t[2*N-1];
for i = 0 to N-1 do
  for j = 0 to N-1 do
    t[i+j] = A[i][j]; // S1
    C[i][j] = t[i+j]; // S2
  done
done
for i = 0 to N-1 do
  for j = 0 to N-1 do
    t[i+j] = {factor} * B[i][j]; // S3
    C[j][i] = C[j][i] + t[i+j]; // S4
  done
done"""


def _anti(draws: Draws) -> Content:
    program = f"""param N;  temp t;
for i = 0 to N do
  t = A[i]; // S
  B[i] = {draws.integer("factor", 2, 9)} * t; // T
done"""
    reference = "[N] -> { T[i] -> S[k] : 0 <= i < k <= N }"
    return Content(
        text="Write the order dependences through t (equation 10): from each T that reads the cell "
        "to each S that overwrites it later.",
        program=program,
        task=SetTask(reference),
        hints=(
            "Which S overwrite the cell that T(0) has read?",
            "T(i) is followed by S(i + 1), S(i + 2), ... The S of the same iteration came before.",
            read(8, "what replaces the false dependences: equation 10, all pairs"),
        ),
        right=(
            reference,
            "[N] -> { T[i] -> S[j] : i >= 0 and j >= i + 1 and j <= N }",
            "[N] -> { T[a] -> S[b] : exists d : d = b - a and d > 0 and a >= 0 and N >= b }",
        ),
        misconceptions=(
            Misconception("the flow dependences are written",
                          "[N] -> { S[i] -> T[i] : 0 <= i <= N }", "Which of the two reads?"),
            Misconception("the S of the same iteration is taken to come later",
                          "[N] -> { T[i] -> S[k] : 0 <= i <= k <= N }",
                          "In one iteration, which runs first?"),
            Misconception("time is forgotten",
                          "[N] -> { T[i] -> S[k] : 0 <= i <= N and 0 <= k <= N and i != k }",
                          "Does S(0) run after T(1)?"),
            Misconception("the bound of the later one is forgotten",
                          "[N] -> { T[i] -> S[k] : 0 <= i < k and i <= N }",
                          "Which is the last S?"),
            Misconception("only the next one is taken, as in equation 7",
                          "[N] -> { T[i] -> S[i + 1] : 0 <= i < N }",
                          "If the iterations change places, does S(2) still come after T(0)?"),
            Misconception("the output dependences are written",
                          "[N] -> { S[i] -> S[k] : 0 <= i < k <= N }",
                          "Which statement reads t?"),
        ),
    )  # fmt: skip


def _overlap(draws: Draws) -> Content:
    program = LISTING1.format(factor=draws.integer("factor", 2, 9))
    order = (
        "{ S1[i, j] -> [0, i, j]; S2[i, j] -> [1, i, j]; S3[i, j] -> [2, i, j]; "
        "S4[i, j] -> [3, i, j] }"
    )
    return Content(
        text="Listing 1 of the paper: each value goes through a cell of t, which is used again for "
        f"all i, j of one sum. May each statement get a loop nest of its own, {order}? If not, "
        "find two live ranges that overlap: `write` and `read` are the ends of one of them, and "
        "`other` writes the cell in between. Name a size, too.",
        program=program,
        task=RefusalTask(program, "live range", order),
        hints=(
            "Which instances of S1 write t[1]?",
            "In the new order all S1 run before the first S2: two values would wait in one cell.",
            read(8, "what may be turned around: live ranges that overlap"),
        ),
        right=(
            "write S1(0, 1), read S2(0, 1), other S1(1, 0), N = 2",
            "N = 3, write S1(1, 1), read S2(1, 1), other S1(2, 0)",
            "other S3(1, 1), write S3(0, 2), read S4(0, 2), N = 3",
        ),
        misconceptions=(
            Misconception("S1 still comes before S2, so it is taken to be legal", "legal",
                          "How many values are to wait in t[1] at one time?"),
            Misconception("two values in two cells",
                          "write S1(0, 0), read S2(0, 0), other S1(1, 1), N = 2",
                          "Which cell does each of them write?"),
            Misconception("the other one is written before the range begins",
                          "write S1(1, 0), read S2(1, 0), other S1(0, 1), N = 2",
                          "Which of the two S1 runs last?"),
            Misconception("the other one is written after the range has ended",
                          "write S1(0, 1), read S2(0, 1), other S3(0, 1), N = 2",
                          "When does S3 begin?"),
            Misconception("the size has no two instances of one sum",
                          "write S1(0, 1), read S2(0, 1), other S1(1, 0), N = 1",
                          "Which instances are there for N = 1?"),
        ),
    )  # fmt: skip


# Along these, no number of the time may become smaller: flow, and what is forced, as nothing kills
# t: on each diagonal, the last S3 remains.
LAST: Final = "k + l = i + j and (l = 0 or k = N - 1)"
KEPT: Final = f"""[N] -> {{ S1[i, j] -> S2[i, j]; S3[i, j] -> S4[i, j]; S2[i, j] -> S4[j, i];
    S1[i, j] -> S3[k, l] : {LAST}; S3[i, j] -> S3[k, l] : {LAST} }}"""


def _thirteen(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    program = LISTING1.format(factor=factor).replace("temp t[2*N-1];", "output t[2*N-1];")
    near = "{ S4[j, i] -> S2[k, l] : k >= i and l >= j and k + l > i + j }"
    return Content(
        text="The same program, but t is needed when it has ended. Put both nests into one, and so "
        "that its loops can be exchanged: times of three numbers, of which none becomes smaller "
        "along a flow or a forced dependence. S4(j, i), which adds to C[i][j], is to run before "
        "S2 of any other (k, l) with k >= i and l >= j.",
        program=program,
        task=ScheduleTask(program, (NeverAgainst(KEPT), InOrder(near)), numbers=3),
        hints=(
            "Begin with schedule (12). Which of its two numbers falls, from S3(0, 1) to S3(1, 0), "
            "which writes the last value of t[1]?",
            "Skew that one: what is the same for all instances that use one cell of t?",
            read(8, "schedule (12), and without kills: what is forced"),
        ),
        right=(
            "{ S1[i, j] -> [j, i + j, 0]; S2[i, j] -> [j, i + j, 1]; S3[i, j] -> [i, i + j, 2]; "
            "S4[i, j] -> [i, i + j, 3] }",
            "{ S1[i, j] -> [i + j, j, 0]; S2[i, j] -> [i + j, j, 1]; S3[i, j] -> [i + j, i, 2]; "
            "S4[i, j] -> [i + j, i, 3] }",
            "{ S1[i, j] -> [2j, 3i + 3j, 5]; S2[i, j] -> [2j, 3i + 3j, 6]; "
            "S3[i, j] -> [2i, 3i + 3j, 7]; S4[i, j] -> [2i, 3i + 3j, 8] }",
        ),
        misconceptions=(
            Misconception("schedule (12), which kills allow",
                          "{ S1[i, j] -> [j, i, 0]; S2[i, j] -> [j, i, 1]; S3[i, j] -> [i, j, 2]; "
                          "S4[i, j] -> [i, j, 3] }",
                          "Which S3 writes the last value of t[1], and where is S3(0, 1)?"),
            Misconception("schedule (12), exchanged",
                          "{ S1[i, j] -> [i, j, 0]; S2[i, j] -> [i, j, 1]; S3[i, j] -> [j, i, 2]; "
                          "S4[i, j] -> [j, i, 3] }",
                          "Which S3 writes the last value of t[1]?"),
            Misconception("the order is left as it is",
                          "[N] -> { S1[i, j] -> [i, j, 0]; S2[i, j] -> [i, j, 1]; "
                          "S3[i, j] -> [N + i, j, 2]; S4[i, j] -> [N + i, j, 3] }",
                          "Which S4 runs right after S2(0, 0)?"),
            Misconception("skewed without an exchange",
                          "{ S1[i, j] -> [i, i + j, 0]; S2[i, j] -> [i, i + j, 1]; "
                          "S3[i, j] -> [i, i + j, 2]; S4[i, j] -> [i, i + j, 3] }",
                          "Which cell of C does S4(0, 1) need, and is it there?"),
            Misconception("the live ranges are interleaved",
                          "{ S1[i, j] -> [j, i + j, 0]; S2[i, j] -> [j, i + j, 2]; "
                          "S3[i, j] -> [i, i + j, 1]; S4[i, j] -> [i, i + j, 3] }",
                          "What is in t when S2 reads it?"),
            Misconception("the third number is forgotten",
                          "{ S1[i, j] -> [j, i + j]; S2[i, j] -> [j, i + j]; "
                          "S3[i, j] -> [i, i + j]; S4[i, j] -> [i, i + j] }",
                          "What says that S1(0, 0) comes before S2(0, 0)?"),
        ),
    )  # fmt: skip


def _square(n: int) -> int:
    return n * n


def _diagonals(n: int) -> int:
    return 2 * n - 1


def _cells(draws: Draws) -> Content:
    return Content(
        text="All S1 first, then all S2, and so on: it is legal if t gets more memory. Write a "
        "function of N: how many cells does t need then, at least, so that no two live ranges "
        "meet in one cell?",
        program=LISTING1.format(factor=draws.integer("factor", 2, 9)),
        task=FunctionTask(_square, ("N",), salt="lab7.cells"),
        hints=(
            "How many values wait at the same time, when the last S1 has run and S2 begins?",
            "S3 and S4 come later, and can use the same cells again.",
            read(8, "how many cells an order needs: expansion"),
        ),
        right=(_square, lambda N: N**2, lambda N: sum(N for _ in range(N))),
        misconceptions=(
            Misconception("the memory that the program has is taken to be enough", _diagonals,
                          "How many values wait in t[1]?"),
            Misconception("both nests are added up", lambda N: 2 * N * N,
                          "Are the values of S1 still needed when S3 begins?"),
            Misconception("one row is enough", lambda N: N, "Is S2 run after each row?"),
            Misconception("tried for one size", lambda N: 4, "And for N = 3?"),
            Misconception("half a square: only one side of the diagonal",
                          lambda N: N * (N + 1) // 2, "Which S1 do not run?"),
        ),
    )  # fmt: skip


def _reversed(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    program = f"""param N;  temp t;
for i = 0 to N do
  t = {factor} * A[i]; // S
  B[i] = t; // T
done"""
    pairs = "{ S[i] -> S[k] : i > k }"
    return Content(
        text="One cell, and many false dependences from each iteration to the next. Turn all of "
        "them around: let the loop run backwards, legally.",
        program=program,
        task=ScheduleTask(program, (InOrder(pairs),)),
        hints=(
            "The live range from S(i) to T(i) has to stay together. What may change places?",
            "-i comes first; what puts S(i) before T(i)?",
            read(8, "a live range changes places as a whole; exercise 1"),
        ),
        right=(
            "{ S[i] -> [-i, 0]; T[i] -> [-i, 1] }",
            "{ S[i] -> [-2i]; T[i] -> [-2i + 1] }",
            "{ S[i] -> [0, 7 - i, 3]; T[i] -> [0, 7 - i, 5] }",
        ),
        misconceptions=(
            Misconception("everything is turned around, inside of an iteration as well",
                          "{ S[i] -> [-i, 1]; T[i] -> [-i, 0] }",
                          "Which value does T(0) read?"),
            Misconception("only one of the two loops is turned around",
                          "{ S[i] -> [-i, 0]; T[i] -> [i, 1] }",
                          "What is in t when T(1) runs?"),
            Misconception("false dependences are taken to forbid it",
                          "{ S[i] -> [i, 0]; T[i] -> [i, 1] }",
                          "Does the value of one iteration reach another one?"),
            Misconception("S and T in loops of their own",
                          "{ S[i] -> [0, -i]; T[i] -> [1, -i] }",
                          "How many values wait in t?"),
            Misconception("everything at one time", "{ S[i] -> [0]; T[i] -> [1] }",
                          "How many cells has t?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab7.anti", "order dependences", _anti),
    Template("lab7.reversed", "turn them around", _reversed),
    Template("lab7.overlap", "an overlap", _overlap),
    Template("lab7.cells", "what keeping apart costs", _cells),
    Template("lab7.thirteen", "one nest, schedule (13)", _thirteen, points=3, transfer=True),
)
