"""Lab 9: find a target for a scalar's values, name the conflict."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.storing import StorageTask
from polynb.labs.variants import Draws
from polynb.words import counted

SUMS: Final = """param N;  temp t[N+1];
for i = 0 to N do
  t[i] = 0; // S
  for k = 0 to N do
    t[i] = t[i] + B[i][k]; // T
  done
  C[{cell}] = t[i]; // U
done"""


def _target(draws: Draws) -> Content:
    cell, other = draws.choice("cell", (("i", "N - i"), ("N-i", "i")))
    program = SUMS.format(cell=cell)
    name = "N - i" if cell == "N-i" else "i"
    return Content(
        text="Each sum has a cell t[i] of its own, and is stored to C at the end. C's cell is free "
        "until then. Write where t can live: a relation from the cells of t to those of C, so that "
        "t needs no memory any more.",
        program=program,
        task=StorageTask(program, "t", "C"),
        hints=(
            "Which cell of C does U(0) write? What is in it before, that anybody needs?",
            "The value of t[i] goes to that cell in the end: it may as well be there from the "
            "beginning.",
            read(10, "a target: the cell that the scalar is stored to"),
        ),
        right=(
            f"[N] -> {{ t[i] -> C[{name}] }}",
            f"[N] -> {{ t[i] -> C[x] : x = {name} and 0 <= i <= N }}",
            f"[N] -> {{ t[k] -> C[{name.replace('i', 'k')}] : k >= 0 }}",
        ),
        misconceptions=(
            Misconception("all values share the cell that is stored first",
                          f"[N] -> {{ t[i] -> C[{'N' if cell == 'N-i' else 0}] }}",
                          "What has to be in that cell when the second sum begins?"),
            Misconception("the cell from the other end", f"[N] -> {{ t[i] -> C[{other}] }}",
                          "Who has stored something there before?"),
            Misconception("the cell beside it", f"[N] -> {{ t[i] -> C[{name} + 1] }}",
                          "Is there such a cell for every i?"),
            Misconception("another array", "{ t[i] -> B[i] }",
                          "Is B free while the sum is made?"),
            Misconception("the relation is turned around", f"[N] -> {{ C[i] -> t[{name}] }}",
                          "Which of the two is to move?"),
        ),
    )  # fmt: skip


def _conflict(draws: Draws) -> Content:
    program = SUMS.format(cell="i")
    c = draws.integer("shift", 1, 2)
    storage = f"[N] -> {{ t[i] -> C[i - {c}] : i >= {c}; t[i] -> C[i + N + 1 - {c}] : i < {c} }}"
    # t[i] lives where an earlier sum was stored, and overwrites it.
    return Content(
        text=f"Somebody lets t[i] live in C[i - {c}] (and the first {counted(c, 'cell')} at the "
        "end of C), for N >= 2. That is refused: a value that is needed would be overwritten. "
        "Name the conflict: `write` is the instance whose value has to remain in a cell of C, "
        "`other` writes a value of t to the same cell afterwards.",
        program=program,
        task=RefusalTask(program, "live-out", storage=storage),
        hints=(
            "When is C[0] stored for good? Who writes something of t to that cell afterwards?",
            f"The value of t[{c}] is to live in C[0].",
            read(10, "occupied: what is in a cell, and for how long"),
        ),
        right=(
            f"write U(0), other S({c}), N = {c + 1}",
            f"N = {c + 3}, write U(1), other T({c + 1}, 0)",
            f"other T({c + 2}, 3), write U(2), N = {c + 4}",
        ),
        misconceptions=(
            Misconception("no two statements write to C, so it is taken to be fine", "legal",
                          f"Where does t[{c}] live?"),
            Misconception("its own sum is taken to be in the way", f"write U({c}), other S({c}), "
                          f"N = {c + 1}", "Where does U store it?"),
            Misconception("the other one comes before", f"write U({c}), other S(0), N = {c + 3}",
                          "Which of the two runs first?"),
            Misconception("the roles are exchanged", f"write S({c}), other U(0), N = {c + 1}",
                          "Which value has to remain in C?"),
            Misconception("an instance that does not run", f"write U(0), other S({c}), N = {c - 1}",
                          f"Does S({c}) run?"),
        ),
    )  # fmt: skip


def _window(draws: Draws) -> Content:
    c = draws.integer("reach", 1, 3)
    program = f"""param N;  temp t[N+{c + 1}], w[{c + 1}];
for i = 0 to {c - 1} do
  t[i] = A[i]; // R
done
for i = {c} to N+{c} do
  t[i] = A[i]; // S
  B[i-{c}] = t[i] + t[i-{c}]; // T
done"""
    return Content(
        text=f"At any time, T needs only the last few values of t. Let t live in the window w of "
        f"{c + 1} cells, which are used in turn.",
        program=program,
        task=StorageTask(program, "t", "w"),
        hints=(
            "When T(i) runs, which values of t will still be needed? How many are they?",
            "A remainder counts 0, 1, 2, ... and begins again.",
            read(10, "storage as a relation; a window of a few cells"),
        ),
        right=(
            f"{{ t[i] -> w[i mod {c + 1}] }}",
            f"{{ t[i] -> w[x] : 0 <= x <= {c} and (i - x) mod {c + 1} = 0 }}",
            f"{{ t[i] -> w[i - {c + 1}*floor(i/{c + 1})] }}",
        ),
        misconceptions=(
            Misconception("one cell", "{ t[i] -> w[0] }", "How many values does T read?"),
            Misconception("a window that is one too small", f"{{ t[i] -> w[i mod {c}] }}",
                          f"Where is t[i - {c}] when S has written t[i]?"),
            Misconception("no window at all", "{ t[i] -> w[i] }", "How many cells has w?"),
            Misconception("one cell more than needed", f"{{ t[i] -> w[i mod {c + 2}] }}",
                          "Which cell is free when S(i) writes?"),
            Misconception("divided instead of taking the remainder",
                          f"{{ t[i] -> w[floor(i/{c + 1})] }}",
                          "Where do t[0] and t[1] live?"),
        ),
    )  # fmt: skip


def _lifetime(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    program = f"""param N;  temp t;
for i = 0 to N do
  t = {factor} * A[i]; // S
  for k = 0 to i do
    B[i][k] = t; // T
  done
done"""
    reference = "[N] -> { S[i] -> T[i, k] : 0 <= k <= i <= N }"
    last = "[N] -> { S[i] -> T[i, i] : 0 <= i <= N }"
    return Content(
        text="How long does a value of t live? Write the relation from each S to the last T that "
        "reads its value.",
        program=program,
        task=SetTask(last),
        hints=(
            "Which instances read the value of S(2)? In which order?",
            "The inner loop ends with k = i.",
            read(10, "lifetimes: from the write to the last use"),
        ),
        right=(
            last,
            "[N] -> { S[i] -> T[j, k] : j = i and k = i and 0 <= i <= N }",
            "[N] -> { S[i] -> T[i, k] : k >= i and k <= i and i >= 0 and N - i >= 0 }",
        ),
        misconceptions=(
            Misconception("all uses, not the last one", reference, "Which of them is the last?"),
            Misconception("the first use", "[N] -> { S[i] -> T[i, 0] : 0 <= i <= N }",
                          "Is the value needed after T(2, 0)?"),
            Misconception("until the next write", "[N] -> { S[i] -> S[i + 1] : 0 <= i < N }",
                          "Who is the last one to read it?"),
            Misconception("the inner loop is taken to run to N",
                          "[N] -> { S[i] -> T[i, N] : 0 <= i <= N }", "Does T(0, N) run?"),
            Misconception("the end is left out", "[N] -> { S[i] -> T[i, i] : 0 <= i < N }",
                          "Does `to N` include N?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab9.lifetime", "how long a value lives", _lifetime),
    Template("lab9.target", "find a target", _target),
    Template("lab9.conflict", "name the conflict", _conflict),
    Template("lab9.window", "a window", _window, points=3, transfer=True),
)
