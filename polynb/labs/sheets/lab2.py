"""Lab 2: write schedules (interchange, fuse, shift, run at one time)."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.schedules import AtOneTime, InOrder, ScheduleTask
from polynb.labs.variants import Draws


def _interchange(draws: Draws) -> Content:
    down = draws.choice("direction", (False, True))
    j, way = ("-j", "falls") if down else ("j", "rises")
    pairs = f"{{ S[i, j] -> S[k, l] : {'j > l' if down else 'j < l'} }}"
    program = """param N;
for i = 0 to N-1 do
  for j = 0 to N-1 do
    A[i][j] = 2 * B[i][j]; // S
  done
done"""
    return Content(
        text="A schedule gives each instance a time, a list of numbers that are compared like "
        "words in a dictionary. As the program stands, S(i, j) has the time (i, j). Give times in "
        f"which the loop over j is the outer one, and j {way}.",
        program=program,
        task=ScheduleTask(program, (InOrder(pairs),)),
        hints=(
            "Which number of the time decides first?",
            "The first number has to depend on j alone. Which sign makes it grow in the right "
            "direction?",
            read(2, "an order is a map from instances to times"),
        ),
        right=(
            f"{{ S[i, j] -> [{j}, i] }}",
            f"{{ S[i, j] -> [2*({j}) + 1, -i] }}",
            f"{{ S[a, b] -> [{j.replace('j', 'b')}, a, 7] }}",
        ),
        misconceptions=(
            Misconception("the order is left as it is", "{ S[i, j] -> [i, j] }",
                          "Which instance runs second?"),
            Misconception("the names of the dimensions are taken to mean something",
                          "{ S[j, i] -> [j, i] }",
                          "What does the first dimension of S stand for, whatever it is called?"),
            Misconception("the direction is turned around",
                          f"{{ S[i, j] -> [{'j' if down else '-j'}, i] }}",
                          "Which time is earlier, (-1, 0) or (0, 0)?"),
            Misconception("both loops are added up", "{ S[i, j] -> [i + j] }",
                          "Which instances have the time 2?"),
            Misconception("j only decides where i is equal", f"{{ S[i, j] -> [i, {j}, 0] }}",
                          "Compare the times of S(0, 1) and S(1, 0)."),
        ),
    )  # fmt: skip


def _fuse(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 5)
    program = f"""param N;  temp t;
for i = 0 to N do
  t[i] = {factor} * A[i]; // S
done
for i = 0 to N do
  B[i] = t[i] + 1; // T
done"""
    return Content(
        text="Fuse the two loops: T(i) is to run after S(i), and before S of any later i.",
        program=program,
        task=ScheduleTask(program, (InOrder("{ T[i] -> S[k] : i < k }"),)),
        hints=(
            "Write down in which order the first four instances are to run. Then number them.",
            "The first number of both times is i. What tells S(i) and T(i) apart?",
            read(2, "a constant in the time says which statement comes first"),
        ),
        right=(
            "{ S[i] -> [i, 0]; T[i] -> [i, 1] }",
            "{ S[i] -> [2i]; T[i] -> [2i + 1] }",
            "{ T[i] -> [i, 5]; S[i] -> [i, -5] }",
        ),
        misconceptions=(
            Misconception("the order is left as it is", "{ S[i] -> [0, i]; T[i] -> [1, i] }",
                          "When does T(0) run, before or after S(1)?"),
            Misconception("what runs at one time is taken to run in the order of the text",
                          "{ S[i] -> [i]; T[i] -> [i] }",
                          "Does anything say that S(0) comes before T(0)?"),
            Misconception("the use comes before the value", "{ S[i] -> [i, 1]; T[i] -> [i, 0] }",
                          "What is in t[0] when T(0) runs?"),
            Misconception("T is a step early", "{ S[i] -> [i, 0]; T[i] -> [i - 1, 1] }",
                          "Who has written t[1] when T(1) runs?"),
            Misconception("T is a step late", "{ S[i] -> [i, 0]; T[i] -> [i + 1, 1] }",
                          "Which of T(0) and S(1) runs first?"),
        ),
    )  # fmt: skip


def _rows(draws: Draws) -> Content:
    along = draws.choice("along", ("i", "j"))
    across = "j" if along == "i" else "i"
    before = "A[i-1][j]" if along == "i" else "A[i][j-1]"
    pairs = "{ S[i, j] -> S[i, k] }" if along == "i" else "{ S[i, j] -> S[k, j] }"
    program = f"""param N;
for i = 1 to N do
  for j = 1 to N do
    A[i][j] = {before} + 1; // S
  done
done"""
    return Content(
        text="Instances with equal times may run in any order, or in parallel. Give times in which "
        f"all instances with the same {along} run at one time.",
        program=program,
        task=ScheduleTask(program, (AtOneTime(pairs),)),
        hints=(
            f"Along which loop does each value need the one before it? Along {along}.",
            f"{across} must not occur in the time: else its instances have different times.",
            read(2, "equal times, and what they leave open"),
        ),
        right=(
            f"{{ S[i, j] -> [{along}] }}",
            f"{{ S[i, j] -> [3{along} - 2] }}",
            f"{{ S[i, j] -> [0, {along}, 1] }}",
        ),
        misconceptions=(
            Misconception("a parallel loop is taken to need a number of its own",
                          f"{{ S[i, j] -> [{along}, {across}] }}",
                          "Are the times of two neighbours equal?"),
            Misconception("the wrong loop is kept", f"{{ S[i, j] -> [{across}] }}",
                          "Which value would two instances of one time pass on?"),
            Misconception("everything at once", "{ S[i, j] -> [0] }",
                          "Who needs whose value? Can both run at one time?"),
            Misconception("a diagonal", "{ S[i, j] -> [i + j] }",
                          f"Are all instances with {along} = 1 at one time?"),
            Misconception("it runs backwards", f"{{ S[i, j] -> [-{along}] }}",
                          "Which instance has the earliest time now?"),
        ),
    )  # fmt: skip


def _shift(draws: Draws) -> Content:
    c = draws.integer("distance", 1, 3)
    program = f"""param N;  temp t;
for i = 0 to N + {c} do
  t[i] = 2 * A[i]; // S
done
for i = 0 to N do
  B[i] = t[i] + t[i + {c}]; // T
done"""
    return Content(
        text="Fuse these two loops as closely as their values allow: T(i) is to run after the last "
        f"value that it needs, and before S of any i that is more than {c} later.",
        program=program,
        task=ScheduleTask(program, (InOrder(f"{{ T[i] -> S[k] : k > i + {c} }}"),)),
        hints=(
            f"T(0) needs t[0] and t[{c}]. After which instance of S can it run?",
            "The two loops cannot have the same first number: shift one of them.",
            read(2, "shifting a statement against another one"),
        ),
        right=(
            f"{{ S[i] -> [i, 0]; T[i] -> [i + {c}, 1] }}",
            f"{{ S[i] -> [i - {c}, 0]; T[i] -> [i, 1] }}",
            f"{{ S[i] -> [2i]; T[i] -> [2i + {2 * c + 1}] }}",
        ),
        misconceptions=(
            Misconception("fused without a shift", "{ S[i] -> [i, 0]; T[i] -> [i, 1] }",
                          f"Who writes t[{c}], and when?"),
            Misconception("shifted in the wrong direction",
                          f"{{ S[i] -> [i, 0]; T[i] -> [i - {c}, 1] }}",
                          "Is T(0) earlier or later than before?"),
            Misconception("shifted, but T comes first at each step",
                          f"{{ S[i] -> [i, 1]; T[i] -> [i + {c}, 0] }}",
                          f"Which of S({c}) and T(0) runs first?"),
            Misconception("shifted one too far",
                          f"{{ S[i] -> [i, 0]; T[i] -> [i + {c + 1}, 1] }}",
                          f"Has S({c + 1}) to wait for T(0), or the other way round?"),
            Misconception("not fused at all", "{ S[i] -> [0, i]; T[i] -> [1, i] }",
                          "Which instance runs right before T(0)?"),
        ),
    )  # fmt: skip


def _wavefront(draws: Draws) -> Content:
    c = draws.integer("slope", 1, 2)
    program = f"""param N;  assume N >= {c + 3};
for i = 1 to N do
  for j = 1 to N do
    A[i][j] = A[i-1][j+{c}] + A[i][j-1]; // S
  done
done"""
    return Content(
        text="One number is enough. Give each instance a time of a single number, in which S(i, j) "
        f"and S(i - 1, j + {c + 1}) run at one time.",
        program=program,
        task=ScheduleTask(program, (AtOneTime(f"{{ S[i, j] -> S[i - 1, j + {c + 1}] }}"),)),
        hints=(
            f"S(i, j) needs the values of S(i - 1, j + {c}) and S(i, j - 1). Try a·i + b·j: each "
            "of the two has to come out smaller than S(i, j).",
            f"From the first: a > {'b' if c == 1 else f'{c}·b'}. From the second: b > 0. Take the "
            "smallest numbers.",
            read(2, "a wavefront: a time that is a sum"),
        ),
        right=(
            f"{{ S[i, j] -> [{c + 1}i + j] }}",
            f"{{ S[i, j] -> [{2 * c + 2}i + 2j - 5] }}",
            f"{{ S[i, j] -> [j - 1 + {c + 1}*(i - 1)] }}",
        ),
        misconceptions=(
            Misconception("every wavefront is taken to be i + j", "{ S[i, j] -> [i + j] }",
                          f"Which time has S(i - 1, j + {c}), then?"),
            Misconception("the slope is taken for the factor", f"{{ S[i, j] -> [{c}i + j] }}",
                          f"Is the time of S(i - 1, j + {c}) smaller, or equal?"),
            Misconception("the factor stands at the wrong loop", f"{{ S[i, j] -> [i + {c + 1}j] }}",
                          "Compare S(2, 1) with what it needs."),
            Misconception("two numbers keep the order, and nothing runs at one time",
                          "{ S[i, j] -> [i, j] }", "Which two instances have equal times?"),
            Misconception("steeper than needed: right, but others run at one time",
                          f"{{ S[i, j] -> [{c + 2}i + j] }}",
                          "Which instances have the time of S(2, 1)?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab2.interchange", "the inner loop outside", _interchange),
    Template("lab2.fuse", "two loops in one", _fuse),
    Template("lab2.rows", "at one time", _rows),
    Template("lab2.shift", "fuse, with a shift", _shift),
    Template("lab2.wavefront", "a wave through the square", _wavefront, points=3, transfer=True),
)
