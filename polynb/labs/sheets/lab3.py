"""Lab 3: write relations (accesses; dependences through memory, and of values)."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.sets import SetTask
from polynb.labs.variants import Draws


def _reads(draws: Draws) -> Content:
    a, b = draws.integer("factor", 2, 3), draws.integer("offset", 1, 3)
    run = "1 <= i <= N"
    return Content(
        text="Write the relation of what S reads: from each instance to each cell of A.",
        program=f"param N;\nfor i = 1 to N do\n  B[i] = A[{a}*i] + A[i+{b}]; // S\ndone",
        task=SetTask(f"[N] -> {{ S[i] -> A[{a}i] : {run}; S[i] -> A[i + {b}] : {run} }}",
                     arrays=("A",)),
        hints=(
            "Which cells does S(1) read? And S(2)?",
            "An instance may be related to several cells: write one part for each, with `;` "
            "between them.",
            read(3, "accesses are relations from instances to cells"),
        ),
        right=(
            f"[N] -> {{ S[i] -> A[{a}i] : {run}; S[i] -> A[i + {b}] : {run} }}",
            f"[N] -> {{ S[i] -> A[x] : {run} and (x = {a}i or x = i + {b}) }}",
            f"[N] -> {{ S[i] -> A[y] : 0 < i and i < N + 1 and y - i = {b}; "
            f"S[k] -> A[z] : 1 <= k <= N and z = {a}k }}",
        ),
        misconceptions=(
            Misconception("the first read only", f"[N] -> {{ S[i] -> A[{a}i] : {run} }}",
                          "How many cells does one instance read?"),
            Misconception("the write is taken for a read",
                          f"[N] -> {{ S[i] -> A[i] : {run} }}", "Which array is read?"),
            Misconception("the relation is turned around",
                          f"[N] -> {{ A[i] -> S[i] : {run} }}", "Who reads whom?"),
            Misconception("the sign of the offset is turned around",
                          f"[N] -> {{ S[i] -> A[{a}i] : {run}; S[i] -> A[i - {b}] : {run} }}",
                          "Which cell does S(1) read?"),
            Misconception("the bounds are forgotten",
                          f"{{ S[i] -> A[{a}i]; S[i] -> A[i + {b}] }}",
                          "Does S(0) run?"),
        ),
    )  # fmt: skip


def _carried(draws: Draws) -> Content:
    c = draws.integer("distance", 1, 3)
    return Content(
        text="Each instance reads what an earlier one wrote. Write the flow dependences: from the "
        "instance that writes a value to the one that reads it.",
        program=f"param N;\nfor i = {c} to N do\n  A[i] = A[i-{c}] + 1; // S\ndone",
        task=SetTask(f"[N] -> {{ S[i] -> S[i + {c}] : {c} <= i and i + {c} <= N }}"),
        hints=(
            f"Which instance writes A[{c}]? Which one reads it?",
            "An arrow is there only if both its ends run.",
            read(3, "flow dependences go from the write to the read"),
        ),
        right=(
            f"[N] -> {{ S[i] -> S[i + {c}] : {c} <= i and i + {c} <= N }}",
            f"[N] -> {{ S[h] -> S[i] : h = i - {c} and {2 * c} <= i <= N }}",
            f"[N] -> {{ S[i] -> S[j] : j - i = {c} and i >= {c} and N >= j }}",
        ),
        misconceptions=(
            Misconception("the arrow points from the read to the write",
                          f"[N] -> {{ S[i] -> S[i - {c}] : {2 * c} <= i <= N }}",
                          "Which of the two runs first?"),
            Misconception("what was there before is taken to be written by an instance",
                          f"[N] -> {{ S[i] -> S[i + {c}] : 0 <= i and i + {c} <= N }}",
                          "Who writes A[0]?"),
            Misconception("the last instance is taken to have a reader",
                          f"[N] -> {{ S[i] -> S[i + {c}] : {c} <= i <= N }}",
                          "Does the instance that would read A[N] run?"),
            Misconception("every later instance is taken to read the value",
                          f"[N] -> {{ S[i] -> S[j] : {c} <= i < j <= N and j >= i + {c} }}",
                          "How many cells does one instance read?"),
            Misconception("the distance is taken to be 1, always, or one too many",
                          f"[N] -> {{ S[i] -> S[i + {c + 1}] : {c} <= i and i + {c + 1} <= N }}",
                          "Which subscript is read?"),
        ),
    )  # fmt: skip


SCALAR: Final = """param N;  temp t;
for i = 0 to N do
  t = {expression}; // S
  B[i] = t; // T
done"""


def _scalar(draws: Draws) -> tuple[str, str, str]:
    """The program, and the relations of memory and of values."""
    program = SCALAR.format(expression=f"{draws.integer('factor', 2, 9)} * A[i]")
    return (
        program,
        "[N] -> { S[i] -> T[k] : 0 <= i <= k <= N }",
        "[N] -> { S[i] -> T[i] : 0 <= i <= N }",
    )


def _through_memory(draws: Draws) -> Content:
    program, memory, value = _scalar(draws)
    return Content(
        text="All iterations use the one cell of t. Write the dependences through memory from S to "
        "T: all pairs in which T reads the cell, at any time after S has written it.",
        program=program,
        task=SetTask(memory),
        hints=(
            "For N = 2, after S(0), which instances of T read t?",
            "Compare two iterations, i of S and k of T: which comes first in time?",
            read(3, "through memory: the same cell, one after the other"),
        ),
        right=(
            memory,
            "[N] -> { S[i] -> T[j] : i >= 0 and j <= N and j - i >= 0 }",
            "[N] -> { S[i] -> T[i] : 0 <= i <= N; S[i] -> T[j] : 0 <= i < j <= N }",
        ),
        misconceptions=(
            Misconception("the values are written down instead", value,
                          "Does T(1) read the cell that S(0) wrote?"),
            Misconception("the first pair of each iteration is left out",
                          "[N] -> { S[i] -> T[k] : 0 <= i < k <= N }",
                          "In one iteration, which of S and T runs first?"),
            Misconception("time is forgotten",
                          "[N] -> { S[i] -> T[k] : 0 <= i <= N and 0 <= k <= N }",
                          "Does S(1) run before T(0)?"),
            Misconception("only the next iteration is seen",
                          "[N] -> { S[i] -> T[k] : 0 <= i <= N and i <= k <= i + 1 and k <= N }",
                          "Does T(2) read the cell that S(0) wrote?"),
            Misconception("the bound of the later one is forgotten",
                          "[N] -> { S[i] -> T[k] : 0 <= i <= k and i <= N }",
                          "Which is the last T that runs?"),
        ),
    )  # fmt: skip


def _of_values(draws: Draws) -> Content:
    program, memory, value = _scalar(draws)
    return Content(
        text="The same program. Now write the dependences of values from S to T: only those pairs "
        "in which T gets the value that this S wrote, as nobody has overwritten it.",
        program=program,
        task=SetTask(value),
        hints=(
            "For N = 2: whose value does T(2) get, and who else wrote that cell before?",
            "The last write before the read is the one that counts.",
            read(3, "of values: the last write before the read"),
        ),
        right=(
            value,
            "[N] -> { S[i] -> T[k] : k = i and 0 <= k <= N }",
            "[N] -> { S[i] -> T[j] : 0 <= i <= j and j <= N and j <= i }",
        ),
        misconceptions=(
            Misconception("memory is taken for values", memory,
                          "Who overwrote the value of S(0) before T(1) runs?"),
            Misconception("the value of the iteration before",
                          "[N] -> { S[i] -> T[i + 1] : 0 <= i < N }",
                          "What runs between S(0) and T(1)?"),
            Misconception("only the last iteration counts", "[N] -> { S[N] -> T[N] : N >= 0 }",
                          "Does T(0) read a value?"),
            Misconception("the first value serves all",
                          "[N] -> { S[0] -> T[k] : 0 <= k <= N }",
                          "What is in t when T(1) reads it?"),
            Misconception("the end is left out", "[N] -> { S[i] -> T[i] : 0 <= i < N }",
                          "Does `to N` include N?"),
        ),
    )  # fmt: skip


def _overwritten(draws: Draws) -> Content:
    step = draws.integer("step", 2, 3)
    both = "0 <= i <= N"
    off, on = f"{both} and i mod {step} > 0", f"{both} and i mod {step} = 0"
    text = f"[N] -> {{ S[i] -> U[i] : {off}; T[i] -> U[i] : {on} }}"
    return Content(
        text="Two loops write A, the second one only some of its cells. Write the dependences of "
        "values to U, from both.",
        program=f"param N;\nfor i = 0 to N do\n  A[i] = 1; // S\ndone\n"
        f"for i = 0 to N by {step} do\n  A[i] = 2; // T\ndone\n"
        "for i = 0 to N do\n  B[i] = A[i]; // U\ndone",
        task=SetTask(text),
        hints=(
            "Which value is in A[0] when U reads it? And in A[1]?",
            "Two parts: the cells that T has overwritten, and those that it has not.",
            read(3, "several writers: the last one before the read"),
        ),
        right=(
            text,
            f"[N] -> {{ T[i] -> U[i] : {on}; S[i] -> U[j] : i = j and {both} and "
            f"i mod {step} != 0 }}",
            f"[N] -> {{ S[i] -> U[i] : {both} and i - {step}*floor(i/{step}) >= 1; "
            f"T[i] -> U[k] : k = i and 0 <= k <= N and k mod {step} = 0 }}",
        ),
        misconceptions=(
            Misconception("every writer counts",
                          f"[N] -> {{ S[i] -> U[i] : {both}; T[i] -> U[i] : {on} }}",
                          "Which of the two values of A[0] does U(0) get?"),
            Misconception("the last loop is taken to have written everything",
                          f"[N] -> {{ T[i] -> U[i] : {both} }}", "Who wrote A[1]?"),
            Misconception("the first writer is taken to win",
                          f"[N] -> {{ S[i] -> U[i] : {both} }}", "Is 1 in B[0] at the end?"),
            Misconception("what remains of the first loop is forgotten",
                          f"[N] -> {{ T[i] -> U[i] : {on} }}", "Where does B[1] come from?"),
            Misconception("the remainders are exchanged",
                          f"[N] -> {{ S[i] -> U[i] : {on}; T[i] -> U[i] : {off} }}",
                          "Does T(1) run?"),
        ),
    )  # fmt: skip


def _sweep(draws: Draws) -> Content:
    left = draws.choice("side", (True, False))
    other = "A[i-1]" if left else "A[i+1]"
    new = (
        "[T, N] -> { S[t, i] -> S[t, i + 1] : 0 <= t < T and 1 <= i < N }"
        if left
        else "[T, N] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < T - 1 and 1 < i <= N }"
    )
    runs = new[new.index("{") + 1 : new.rindex("}")].strip()
    head, _, conditions = runs.partition(" : ")
    source = head.partition(" -> ")[0]
    wrong_way = (
        "[T, N] -> { S[t, i] -> S[t, i - 1] : 0 <= t < T and 1 < i <= N }"
        if left
        else "[T, N] -> { S[t, i] -> S[t - 1, i + 1] : 0 < t < T and 1 <= i < N }"
    )
    after = ("S[t, i] -> S[t + 1, i + 1] : 0 <= t < T - 1 and 1 <= i < N" if left
             else "S[t, i] -> S[t, i - 1] : 0 <= t < T and 1 < i <= N")  # fmt: skip
    return Content(
        text="A sweep in place: A is updated from left to right, T times. Write the flow "
        f"dependences of values that go through the read of {other}.",
        program="param T, N;\nfor t = 0 to T-1 do\n  for i = 1 to N do\n"
        f"    A[i] = {other} / 2; // S\n  done\ndone",
        task=SetTask(new),
        hints=(
            f"Take T = 2 and N = 3, and follow {other} when t = 1, i = 2: who wrote it last?",
            "A neighbour that comes earlier in this sweep is new; one that comes later is still "
            "that of the sweep before.",
            read(3, "in place: new and old neighbours"),
        ),
        right=(
            new,
            (f"[T, N] -> {{ {source} -> S[u, k] : "
             + ("u = t and k = i + 1" if left else "u = t + 1 and k = i - 1")
             + f" and {conditions} }}"),
            ("[T, N] -> { S[t, h] -> S[t, i] : h + 1 = i and 0 <= t < T and 2 <= i <= N }"
             if left else
             "[T, N] -> { S[s, h] -> S[t, i] : t - s = 1 and h = i + 1 and 1 <= t < T "
             "and 1 <= i < N }"),
        ),
        misconceptions=(
            Misconception("old and new neighbours are exchanged", f"[T, N] -> {{ {after} }}",
                          "Has this sweep passed the neighbour already?"),
            Misconception("the arrow points backwards", wrong_way, "Which of the two runs first?"),
            Misconception("the cell itself is taken for its neighbour",
                          "[T, N] -> { S[t, i] -> S[t + 1, i] : 0 <= t < T - 1 and 1 <= i <= N }",
                          "Which cell is read?"),
            Misconception("memory: all earlier writers of the cell",
                          "[T, N] -> { S[t, i] -> S[u, i + 1] : 0 <= t <= u < T and 1 <= i < N }"
                          if left else
                          "[T, N] -> { S[t, i] -> S[u, i - 1] : 0 <= t < u < T and 1 < i <= N }",
                          "Who overwrote the older value?"),
            Misconception("the borders are forgotten",
                          f"[T, N] -> {{ {head} : 0 <= t < T and 1 <= i <= N }}",
                          "Who wrote what is outside of the loop?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab3.reads", "what is read", _reads),
    Template("lab3.carried", "from one iteration to another", _carried),
    Template("lab3.memory", "through memory", _through_memory),
    Template("lab3.values", "of values", _of_values),
    Template("lab3.overwritten", "two writers", _overwritten),
    Template("lab3.sweep", "a sweep in place", _sweep, points=3, transfer=True),
)
