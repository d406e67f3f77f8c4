"""Lab 8: build a band; force a reset."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.asking import ResetTask
from polynb.labs.tasks.schedules import Apart, InOrder, NeverAgainst, ScheduleTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.values import ValuesTask
from polynb.labs.variants import Draws


def _stencil(left: int, right: int) -> str:
    return f"""param T, N;
for t = 1 to T do
  for i = {left} to N - {right} do
    A[t][i] = A[t-1][i-{left}] + A[t-1][i] + A[t-1][i+{right}]; // S
  done
done"""


def _distances(draws: Draws) -> Content:
    left, right = draws.integer("left", 1, 2), draws.integer("right", 1, 3)
    same, back, ahead = (
        f"{{ S[t, i] -> S[t + 1, i{s}] }}" for s in ("", f" - {right}", f" + {left}")
    )
    inside = "1 <= t < T"
    where = {
        back: f"{inside} and {left + right} <= i <= N - {right}",
        same: f"{inside} and {left} <= i <= N - {right}",
        ahead: f"{inside} and {left} <= i <= N - {left + right}",
    }
    parts = [f"{k[2:-2]} : {v}" for k, v in where.items()]
    reference = f"[T, N] -> {{ {'; '.join(parts)} }}"
    by_distance = (
        f"[T, N] -> {{ S[t, i] -> S[u, k] : u = t + 1 and (k = i or k = i + {left} or "
        f"k = i - {right}) and {inside} and {left} <= i <= N - {right} and "
        f"{left} <= k <= N - {right} }}"
    )
    return Content(
        text="A stencil in time. Write its flow dependences, all three.",
        program=_stencil(left, right),
        task=SetTask(reference),
        hints=(
            "Who reads what S(t, i) writes? Three instances of the next t.",
            f"The read A[t-1][i+{right}] of S(t + 1, k) is A[t][i] for k = i - {right}.",
            read(9, "dependences as distances"),
        ),
        right=(
            reference,
            by_distance,
            f"[T, N] -> {{ {'; '.join(reversed(parts))} }}",
        ),
        misconceptions=(
            Misconception("the signs of the subscripts are taken for those of the distances",
                          f"[T, N] -> {{ S[t, i] -> S[t + 1, i + {right}] : {inside} and "
                          f"{left} <= i <= N - {2 * right}; S[t, i] -> S[t + 1, i - {left}] : "
                          f"{inside} and {2 * left} <= i <= N - {right}; {parts[1]} }}",
                          "Which S reads A[1][5]?") if left != right else
            Misconception("a neighbour of the same time is taken to be read",
                          f"[T, N] -> {{ S[t, i] -> S[t, i + 1] : 1 <= t <= T and "
                          f"{left} <= i < N - {right} }}", "Which t is read?"),
            Misconception("only the middle is seen", f"[T, N] -> {{ {parts[1]} }}",
                          "How many cells does S read?"),
            Misconception("the borders are forgotten",
                          f"[T, N] -> {{ {'; '.join(k[2:-2] + ' : ' + inside for k in where)} }}",
                          "Does S(1, 0) run?"),
            Misconception("the last t is taken to have readers",
                          reference.replace("1 <= t < T", "1 <= t <= T"),
                          "Who reads what S(T, i) writes?"),
            Misconception("the arrows are turned around",
                          f"[T, N] -> {{ S[t, i] -> S[t - 1, i] : 2 <= t <= T and "
                          f"{left} <= i <= N - {right} }}", "Which of the two runs first?"),
        ),
    )  # fmt: skip


def _flow(left: int, right: int) -> str:
    distances = (f" - {right}", "", f" + {left}")
    return "{ " + "; ".join(f"S[t, i] -> S[t + 1, i{d}]" for d in distances) + " }"


def _band(draws: Draws) -> Content:
    left, right = draws.integer("left", 1, 2), draws.integer("right", 1, 3)
    program = _stencil(left, right)
    task = ScheduleTask(
        program, (NeverAgainst(_flow(left, right)), Apart("{ S[t, i] -> S[u, k] }")), 2
    )
    return Content(
        text="Build a band: give each instance a time of two numbers, neither of which ever "
        "becomes smaller along a dependence. (Then its loops may be exchanged and tiled.) No "
        "two instances have the same time.",
        program=program,
        task=task,
        hints=(
            "Which numbers become smaller along a dependence, if the time is (t, i)?",
            f"From S(t, i) to S(t + 1, i - {right}), i falls by {right}. What could be added to it "
            "that grows?",
            read(9, "permutable bands, and skewing"),
        ),
        right=(
            f"{{ S[t, i] -> [t, i + {right}t] }}",
            f"{{ S[t, i] -> [i + {right}t, t] }}",
            f"{{ S[t, i] -> [t, {right + 1}t + i - 3] }}",
        ),
        misconceptions=(
            Misconception("the order is left as it is", "{ S[t, i] -> [t, i] }",
                          f"Where does the value go that S(1, {left + right}) writes?"),
            Misconception("skewed in the wrong direction", f"{{ S[t, i] -> [t, i - {right}t] }}",
                          "Does the second number grow or fall?"),
            Misconception("skewed too little", f"{{ S[t, i] -> [t, i + {right - 1}t] }}",
                          "How far does i fall along a dependence?"),
            Misconception("a number that says nothing", "{ S[t, i] -> [t, 0] }",
                          "Which instances have equal times?"),
            Misconception("three numbers, so that all is in order",
                          f"{{ S[t, i] -> [t, i + {right}t, i] }}",
                          "How wide is the band? Does the third number fall?"),
        ),
    )  # fmt: skip


def _factor(draws: Draws) -> Content:
    left, right = draws.integer("left", 1, 5), draws.integer("right", 2, 6)
    return Content(
        text="Two bands for one stencil: the members (t, i + f·t), with the smallest whole "
        "number f, and (t, f·t - i), the same from the right to the left. What is f in each?",
        program=_stencil(left, right),
        task=ValuesTask({"i + f*t": right, "f*t - i": left}),
        hints=(
            "Write down the distances of the three dependences, (1, ?).",
            "Along each distance, the member grows by f plus or minus something: that must not be "
            "negative.",
            read(9, "skewing: how much is enough"),
        ),
        right=(
            {"i + f*t": right, "f*t - i": left},
            {"f*t - i": left, "i + f*t": right},
            {"i + f*t": float(right), "f*t - i": float(left)},
        ),
        misconceptions=(
            Misconception("the two sides are exchanged",
                          {"i + f*t": left + (left == right), "f*t - i": right},
                          "Which distance is negative?"),
            Misconception("skewing by 1 is taken to do always", {"i + f*t": 1, "f*t - i": left + 1},
                          "How far does i fall?"),
            Misconception("the whole width of the stencil",
                          dict.fromkeys(("i + f*t", "f*t - i"), left + right),
                          "Is a smaller one enough?"),
            Misconception("one more than needed", {"i + f*t": right + 1, "f*t - i": left + 1},
                          "May a distance be zero in one member?"),
            Misconception("no skewing", {"i + f*t": 0, "f*t - i": 0},
                          "Is any distance negative?"),
        ),
    )  # fmt: skip


def _reset(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    text = """param N;  temp t;
for i = 0 to N do
  t = {0} * A[i]; // S
  B[i] = t; // T
done
for {1} = 0 to N do
  C[{1}] = B[{1}] + t; // U
done"""
    local = f"""param N;  temp t;
for i = 0 to N do
  t = {factor} * A[i]; // S
  B[i] = t; // T
done"""
    return Content(
        text="Algorithm 1 keeps live ranges apart only where two of them could meet. Often they "
        "are local to a member of the band, and nothing is lost. Write a program of at most three "
        "statements in which one is not: the band has to be begun again (lines 15 to 17). This "
        "one does not do it. See the steps of `pn.reorder`.",
        program=local,
        task=ResetTask(3),
        hints=(
            "A live range is local if the members so far give both its ends the same numbers.",
            "Let a value of t live on, after its loop, until another loop reads it. Which ranges "
            "does it meet there?",
            read(9, "Algorithm 1, lines 11 to 17: local conditions and resets"),
        ),
        right=(
            text.format(factor, "i"),
            text.format(factor + 1, "k").replace("B[k] + t", "t * B[k]"),
            text.format(factor, "i").replace("A[i]", "A[i] + 1").replace("temp t", "temp t, x"),
        ),
        misconceptions=(
            Misconception("nothing is changed", local, "Which live range leaves its iteration?"),
            Misconception("reused memory is taken to be enough",
                          local.replace("N do", "N do\n for j = 0 to N do")
                          .replace("A[i]", "A[i][j]").replace("B[i]", "B[i][j]")
                          .replace("done", "done done"),
                          "Which live range leaves its iteration?"),
            Misconception("two loops that use t, one after the other",
                          "param N;  temp t;\nfor i = 0 to N do\n  t = A[i]; // S\n"
                          "  B[i] = t; // T\ndone\nfor i = 0 to N do\n  C[i] = B[i]; // U\ndone",
                          "Does a value of t live on after its loop?"),
            Misconception("a dependence from iteration to iteration",
                          "param N;\nfor i = 1 to N do\n  A[i] = A[i-1] + 1; // S\ndone",
                          "Which false dependences are there?"),
            Misconception("an array instead of a scalar",
                          "param N;  temp t[N+1];\nfor i = 0 to N do\n  t[i] = A[i]; // S\ndone\n"
                          "for i = 0 to N do\n  C[i] = t[i]; // U\ndone",
                          "Is a cell of t used twice?"),
        ),
    )  # fmt: skip


def _transposed(draws: Draws) -> Content:
    c = draws.integer("distance", 1, 2)
    program = f"""param N;
for i = 0 to N do
  for j = 0 to N do
    A[i][j] = B[i][j] + 1; // S
  done
done
for i = 0 to N-{c} do
  for j = 0 to N do
    C[i][j] = A[j][i+{c}]; // T
  done
done"""
    flow = f"{{ S[i, j] -> T[j - {c}, i] }}"
    near = f"{{ T[i, j] -> S[k, l] : k > j or (k = j and l > i + {c}) }}"
    return Content(
        text="A band over two nests: give both statements times of three numbers. Of the first "
        "two, neither becomes smaller along a dependence; T runs as soon as its value is there, "
        "before any later S.",
        program=program,
        task=ScheduleTask(program, (NeverAgainst(flow, 2), InOrder(near)), numbers=3),
        hints=(
            "Which T reads what S(i, j) writes?",
            f"T(i, j) needs S(j, i + {c}): give it the first two numbers of that, and a third one.",
            read(9, "one band for several statements: exchange and shift one of them"),
        ),
        right=(
            f"{{ S[i, j] -> [i, j, 0]; T[i, j] -> [j, i + {c}, 1] }}",
            f"{{ S[i, j] -> [i, j - {c}, 3]; T[i, j] -> [j, i, 4] }}",
            f"{{ S[i, j] -> [2i, 2j, 0]; T[i, j] -> [2j, 2i + {2 * c}, 1] }}",
        ),
        misconceptions=(
            Misconception("fused as they stand",
                          "{ S[i, j] -> [i, j, 0]; T[i, j] -> [i, j, 1] }",
                          "Is the value there that T(0, 1) reads?"),
            Misconception("exchanged, but not shifted",
                          "{ S[i, j] -> [i, j, 0]; T[i, j] -> [j, i, 1] }",
                          f"Who writes A[0][{c}], and when?"),
            Misconception("shifted in the wrong direction",
                          f"{{ S[i, j] -> [i, j, 0]; T[i, j] -> [j, i - {c}, 1] }}",
                          "Does T come earlier or later than without the shift?"),
            Misconception("one nest after the other",
                          f"{{ S[i, j] -> [i, j, 0]; T[i, j] -> [j + N, i + {c} + N, 1] }}"
                          .replace("{ S", "[N] -> { S"),
                          "How long does a value wait?"),
            Misconception("a step too late",
                          f"{{ S[i, j] -> [i, j, 0]; T[i, j] -> [j, i + {c + 1}, 1] }}",
                          f"What runs between S(0, {c}) and T(0, 0)?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab8.distances", "three dependences", _distances),
    Template("lab8.factor", "how much is enough", _factor),
    Template("lab8.band", "build a band", _band),
    Template("lab8.reset", "force a reset", _reset),
    Template("lab8.transposed", "a band over two nests", _transposed, points=3, transfer=True),
)
