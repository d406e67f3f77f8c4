"""Lab 4: predict a refusal, and name the witness."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.variants import Draws

FLOW: Final = (
    "If it is refused, name two instances and a size: `write` is the instance that writes a value, "
    "`read` the one that needs it and would not come after it."
)
RANGE: Final = (
    "If it is refused, name three instances and a size: `write` writes a value, `read` is to read "
    "it, and `other` would overwrite it in between."
)


def _backwards(draws: Draws) -> Content:
    c = draws.integer("distance", 1, 3)
    program = f"param N;\nfor i = {c} to N do\n  A[i] = A[i-{c}] + 1; // S\ndone"
    order = "{ S[i] -> [-i] }"
    return Content(
        text=f"May this loop run backwards, in the order {order}? {FLOW}",
        program=program,
        task=RefusalTask(program, "flow", order),
        hints=(
            "Which instances read a value that another instance has written?",
            f"S({c}) writes A[{c}]. Who reads that, and does it run at all for your N?",
            read(4, "a witness is a pair that an order turns around"),
        ),
        right=(
            f"write S({c}), read S({2 * c}), N = {2 * c}",
            f"N = {2 * c + 4}; read S({2 * c + 1}); write S({c + 1})",
            f"write: S[{c + 2}], read: S[{2 * c + 2}], N = {2 * c + 2}",
        ),
        misconceptions=(
            Misconception("only what stands in the text is compared", "legal",
                          "Which value does the first instance need that runs now?"),
            Misconception("a value that was there before is taken to be written",
                          f"write S(0), read S({c}), N = {c}", "Does S(0) run?"),
            Misconception("the roles are exchanged",
                          f"write S({2 * c}), read S({c}), N = {2 * c}",
                          "Which of the two writes what the other one reads?"),
            Misconception("the size is too small for the instances",
                          f"write S({c}), read S({2 * c}), N = {2 * c - 1}",
                          "For this N, which is the last instance?"),
            Misconception("two instances that have nothing to do with each other",
                          f"write S({c}), read S({2 * c + 1}), N = {2 * c + 1}",
                          "Which cell would join the two?"),
        ),
    )  # fmt: skip


def _exchanged(draws: Draws) -> Content:
    c = draws.integer("slope", 1, 2)
    program = f"""param N;
for i = 1 to N do
  for j = 0 to N do
    A[i][j] = A[i-1][j+{c}] + 1; // S
  done
done"""
    order = "{ S[i, j] -> [j, i] }"
    return Content(
        text=f"May the two loops be exchanged, {order}? {FLOW}",
        program=program,
        task=RefusalTask(program, "flow", order),
        hints=(
            "From a write to its read, how do i and j change?",
            f"i grows by 1, and j falls by {c}. Which of the two is compared first after the "
            "exchange?",
            read(4, "an exchange refuses arrows that point down in the inner loop"),
        ),
        right=(
            f"write S(1, {c}), read S(2, 0), N = {max(c, 2)}",
            f"write S(2, {c + 1}), read S(3, 1), N = 4",
            f"N = 7, read S(7, 2) and write S(6, {c + 2})",
        ),
        misconceptions=(
            Misconception("an exchange is taken to be always allowed", "legal",
                          "Write down the order of the instances that S(2, 0) depends on."),
            Misconception("the cell that is read is taken for the instance that wrote it, at the "
                          "border", f"write S(0, {c}), read S(1, 0), N = {max(c, 2)}",
                          "Does the loop over i begin at 0?"),
            Misconception("the slope is turned around",
                          f"write S(1, 0), read S(2, {c}), N = {max(c, 2)}",
                          "Which cell does your `read` read?"),
            Misconception("a pair of neighbours, whatever is read",
                          f"write S(1, 0), read S(2, 0), N = {max(c, 2)}",
                          "Which cell does your `read` read?"),
            Misconception("the instances do not run for this size",
                          f"write S(1, {c}), read S(2, 0), N = 1", "Does S(2, 0) run for N = 1?"),
        ),
    )  # fmt: skip


def _fine(draws: Draws) -> Content:
    a, b = draws.integer("rows", 1, 2), draws.integer("columns", 0, 2)
    cell = f"A[i-{a}][j-{b}]" if b else f"A[i-{a}][j]"
    program = f"""param N;
for i = {a} to N do
  for j = {b} to N do
    A[i][j] = {cell} + 1; // S
  done
done"""
    order = "{ S[i, j] -> [j, i] }"
    return Content(
        text=f"And these two, may they be exchanged, {order}? {FLOW} If it is allowed, answer "
        "“legal”.",
        program=program,
        task=RefusalTask(program, None, order, asked="flow"),
        hints=(
            "From a write to its read, how do i and j change?",
            "Does either of them ever fall?",
            read(4, "an exchange refuses arrows that point down in the inner loop"),
        ),
        right=("legal", "Legal.", " LEGAL "),
        misconceptions=(
            Misconception("every dependence is taken to forbid an exchange",
                          f"write S({a}, {b}), read S({2 * a}, {2 * b}), N = 9",
                          "Which of the two runs first after the exchange?"),
            Misconception("the roles are exchanged to get a witness",
                          f"write S({2 * a}, {2 * b}), read S({a}, {b}), N = 9",
                          "Which cell does your `read` read?"),
            Misconception("an instance that does not run", "write S(0, 0), read S(9, 9), N = 3",
                          "Does S(9, 9) run for N = 3?"),
            Misconception("two instances that have nothing to do with each other",
                          f"write S({a}, {b + 1}), read S({a + 1}, {b}), N = 9",
                          "Which cell would join the two?"),
            Misconception("the cell of the subscript is taken for an instance",
                          f"write S(0, 0), read S({a}, {b}), N = 9", "Does S(0, 0) run?"),
        ),
    )  # fmt: skip


def _one_cell(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    program = f"""param N;  temp t;
for i = 0 to N do
  t = {factor} * A[i]; // S
  B[i] = t; // T
done"""
    order = "{ S[i] -> [0, i]; T[i] -> [1, i] }"
    return Content(
        text=f"May the loop be split into two, first all S and then all T, {order}? {RANGE}",
        program=program,
        task=RefusalTask(program, "live range", order),
        hints=(
            "What is in t when T(0) runs in the new order?",
            "Each S writes the same cell. Take two iterations.",
            read(4, "a live range lasts from a write to its last read"),
        ),
        right=(
            "write S(0), read T(0), other S(1), N = 1",
            "N = 4, other S(4), read T(2), write S(2)",
            "write S(1); read T(1); other S(3); N = 3",
        ),
        misconceptions=(
            Misconception("S still runs before T, so it is taken to be legal", "legal",
                          "What does T(0) get?"),
            Misconception("the overwriting instance comes before the write",
                          "write S(1), read T(1), other S(0), N = 1",
                          "When does your `other` run in the new order?"),
            Misconception("the read belongs to another write",
                          "write S(0), read T(1), other S(1), N = 1",
                          "Whose value does T(1) get as the program stands?"),
            Misconception("a read is taken to overwrite",
                          "write S(0), read T(0), other T(1), N = 1",
                          "Which cell does T(1) write?"),
            Misconception("one iteration is taken to be enough",
                          "write S(0), read T(0), other S(1), N = 0", "Does S(1) run for N = 0?"),
        ),
    )  # fmt: skip


def _too_early(draws: Draws) -> Content:
    c = draws.integer("distance", 0, 2)
    cell = f"A[i+{c}]" if c else "A[i]"
    program = f"""param N;
for i = 0 to N do
  B[i] = {cell}; // S
done
for i = 0 to N do
  A[i] = 0; // T
done"""
    order = "{ S[i] -> [i, 1]; T[i] -> [i, 0] }"
    if c:
        order = f"{{ S[i] -> [i + {c}, 1]; T[i] -> [i, 0] }}"
    first = f"read S(0), other T({c}), N = {c}"
    return Content(
        text=f"May the two loops be fused like this, {order}? If it is refused, name two instances "
        "and a size: `read` reads what was in A before the program, and `other` would overwrite "
        "that before.",
        program=program,
        task=RefusalTask(program, "live-in", order),
        hints=(
            "Which cell does S(0) read, and who writes that cell?",
            "When do the two run in the new order? Compare both numbers.",
            read(4, "what was there before the program is a value, too"),
        ),
        right=(
            first,
            f"N = 5; other T({c + 1}); read S(1)",
            f"read: S[2], other: T[{c + 2}], N = {c + 4}",
        ),
        misconceptions=(
            Misconception("only values that the program writes are taken to count", "legal",
                          "What is in B at the end?"),
            Misconception("the roles are exchanged", f"read T({c}), other S(0), N = {c}",
                          "Which of the two reads A?"),
            Misconception("another cell is overwritten", f"read S(0), other T({c + 1}), N = 5",
                          "Which cell does S(0) read?"),
            Misconception("an instance that does not run", f"read S(9), other T({c + 9}), N = 3",
                          "Which is the last S for N = 3?"),
            Misconception("a statement that is not there", "read R(0), other T(0), N = 3",
                          "Which statement reads A?"),
        ),
    )  # fmt: skip


def _product(draws: Draws) -> Content:
    alone = draws.choice("loop", ("i", "j"))
    first, second = ("i, j", "i, j, k") if alone == "i" else ("j, i", "j, i, k")
    program = """param N;  temp t;
for i = 0 to N-1 do
  for j = 0 to N-1 do
    t = 0; // S
    for k = 0 to N-1 do
      t = t + B[i][k] * C[k][j]; // T
    done
    A[i][j] = t; // U
  done
done"""
    order = (
        f"{{ S[i, j] -> [0, {first}, 0]; T[i, j, k] -> [1, {second}]; U[i, j] -> [2, {first}, 0] }}"
    )
    return Content(
        text=f"A product of matrices, with one cell t for all sums. May the sums be distributed, "
        f"{order}: first all cells are set to 0, then all is added up, then all is stored? {RANGE}",
        program=program,
        task=RefusalTask(program, "live range", order),
        hints=(
            "How many cells has t? How many sums are there?",
            "S(0, 0) writes a 0. Which instance reads it, and which others write t before that?",
            read(4, "Figure 3 of the 2010 paper: a product of matrices after PRE"),
        ),
        right=(
            "write S(0, 0), read T(0, 0, 0), other S(1, 0), N = 2",
            "N = 3, write S(1, 1), read T(1, 1, 0), other S(2, 2)",
            "write T(0, 0, 1), read U(0, 0), other T(1, 1, 0), N = 2",
        ),
        misconceptions=(
            Misconception("the names differ, so it is taken to be legal", "legal",
                          "What is in t when the first U runs?"),
            Misconception("one sum is taken to disturb itself",
                          "write S(0, 0), read T(0, 0, 1), other T(0, 0, 0), N = 2",
                          "Whose value does T(0, 0, 1) get as the program stands?"),
            Misconception("a size with a single sum",
                          "write S(0, 0), read T(0, 0, 0), other S(1, 0), N = 1",
                          "How many sums are there for N = 1?"),
            Misconception("U is taken to write t",
                          "write S(0, 0), read T(0, 0, 0), other U(0, 0), N = 2",
                          "Which cell does U(0, 0) write?"),
            Misconception("the loops of an instance are counted wrongly",
                          "write S(0, 0), read T(0, 0), other S(0, 1), N = 2",
                          "In how many loops does T stand?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab4.backwards", "backwards", _backwards),
    Template("lab4.exchanged", "exchanged", _exchanged),
    Template("lab4.fine", "exchanged again", _fine, points=1),
    Template("lab4.one_cell", "one cell for all", _one_cell),
    Template("lab4.too_early", "overwritten too early", _too_early),
    Template("lab4.product", "a product of matrices", _product, points=3, transfer=True),
)
