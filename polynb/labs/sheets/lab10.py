"""Lab 10: fold by hand; find a slow loop in a trace, mend it; what a trace cannot know."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.labels import Entries, LabelTask, point_text
from polynb.labs.tasks.programs import ProgramTask
from polynb.labs.tasks.slices import SliceTask
from polynb.labs.tasks.traces import InputTask, SlowTask, StepsByOne
from polynb.labs.variants import Draws

DIMENSIONS: Final = ("cj", "ck")


def stream(entries: Entries) -> str:
    """A line for each row: `(0, 0): 5   (0, 1): 8`."""
    rows: dict[int, list[str]] = {}
    for point, label in entries:
        rows.setdefault(point[0], []).append(f"{point_text(point)}: {label}")
    return "\n".join("   ".join(row) for row in rows.values())


def _numbers(draws: Draws) -> tuple[int, int, int, int]:
    base, outer = draws.integer("base", 11, 60), draws.integer("outer", 2, 6)
    return base, outer, draws.integer("inner", 2, 5), draws.integer("more", 1, 4)


def _fold(draws: Draws) -> Content:
    b, s, t, e = _numbers(draws)
    gaps = (0, t, 2 * t + e)
    entries = tuple(((j, k), b + s * j + gaps[k]) for j in range(3) for k in range(3))
    return Content(
        text="These labels arrive for the iteration vectors (cj, ck), row by row. Fold them: which "
        "label function remains in the end? Write ⊤ (or T) where nothing is linear.",
        program=stream(entries),
        task=LabelTask(DIMENSIONS, entries, (("", len(entries)),)),
        hints=(
            "Look at one dimension at a time: by how much does the label grow from (0, 0) to "
            "(1, 0)? And from (0, 1) to (1, 1)?",
            "A coefficient is a number only if all steps along its loop agree. The constant is "
            "the label of the first point.",
            read(11, "what is left of a stream; ⊤, and what is still known beside it"),
        ),
        right=(f"{s}cj + ⊤ck + {b}", f"{b} + {s}*cj + T ck", f"top*ck + {s} cj + {b}"),
        misconceptions=(
            Misconception("the first step along ck is taken for all", f"{s}cj + {t}ck + {b}",
                          "And the step from (0, 1) to (0, 2)?"),
            Misconception("one ⊤ is taken to spoil everything", f"⊤cj + ⊤ck + {b}",
                          "By how much do labels grow from one row to the next?"),
            Misconception("the two loops are exchanged", f"⊤cj + {s}ck + {b}",
                          "Which of the two numbers of (0, 1) is ck?"),
            Misconception("the first label is left out", f"{s}cj + ⊤ck", "What is f(0, 0)?"),
            Misconception("steps of another size are averaged",
                          f"{s}cj + {(2 * t + e) // 2}ck + {b}",
                          "What label would that give at (0, 1), and at (0, 2)?"),
            Misconception("a row is taken for one step", f"{s + 2 * t + e}cj + ⊤ck + {b}",
                          "Compare (0, 0) with (1, 0), not with (0, 2)."),
        ),
    )  # fmt: skip


def _known(draws: Draws) -> Content:
    b, s, t, _ = _numbers(draws)
    late = draws.integer("late", 1, 3)
    labels = {(j, k): b + s * j + t * k for j in range(2) for k in range(3)}
    labels[1, 2] += late  # the last step along ck is another one
    entries = tuple(labels.items())
    moments = (("one", 1), ("two", 2), ("row", 3), ("all", 6))
    first, inner = f"⊥cj + ⊥ck + {b}", f"⊥cj + {t}ck + {b}"
    right = {"one": first, "two": inner, "row": inner, "all": f"⊤cj + ⊤ck + {b}"}
    spelled = {
        "one": f"? cj + ? ck + {b}",
        "two": f"{b} + {t}*ck + ?*cj",
        "row": f"bottom cj + {t} ck + {b}",
        "all": f"T cj + T ck + {b}",
    }
    turned = {n: f"{b} + {x.partition(' + ')[2].rpartition(' + ')[0]} + {x.partition(' + ')[0]}"
              for n, x in right.items()}  # fmt: skip
    everywhere = dict.fromkeys(right, right["all"])
    return Content(
        text="What is known while entries arrive? Write the label function of the first polyhedron "
        "when one entry has arrived, two, the first row, and all of them. ⊥ (or ?) stands where "
        "nothing is known yet, ⊤ (or T) where steps do not agree.",
        program=stream(entries),
        task=LabelTask(DIMENSIONS, entries, moments),
        hints=(
            "A coefficient needs two points that differ in its dimension. Which points have "
            "arrived?",
            "In the end compare all steps of the second row with those of the first: which is "
            "another one, and which two directions does it touch?",
            read(11, "how it is folded: ⊥, then a number, then ⊤"),
        ),
        right=(right, spelled, turned),
        misconceptions=(
            Misconception("nothing is known is taken for zero",
                          {**right, "one": f"0cj + 0ck + {b}", "two": f"0cj + {t}ck + {b}",
                           "row": f"0cj + {t}ck + {b}"},
                          "Which two points show that the label stays along cj?"),
            Misconception("⊥ and ⊤ are exchanged",
                          {n: x.translate({ord("⊥"): "⊤", ord("⊤"): "⊥"})
                           for n, x in right.items()},
                          "Which sign says that nothing has been seen yet?"),
            Misconception("a number is taken to stay for good",
                          {**right, "all": f"{s}cj + {t}ck + {b}"},
                          "What does that give at (1, 2)?"),
            Misconception("only the inner loop is taken to suffer",
                          {**right, "all": f"{s}cj + ⊤ck + {b}"},
                          "By how much does the label grow from (0, 2) to (1, 2)?"),
            Misconception("what is known in the end is taken to be known at once", everywhere,
                          "Which entry has arrived when there is one?"),
            Misconception("the first row is taken to determine cj",
                          {**right, "row": f"{s}cj + {t}ck + {b}"},
                          "Has any entry with cj = 1 arrived?"),
        ),
    )  # fmt: skip


def _refuses(draws: Draws) -> Content:
    a, b = draws.integer("first", 0, 3), draws.integer("second", 0, 3)
    j, k = f"{a} <= j <= {a + 1}", f"{b} <= k <= {b + 1}"
    return Content(
        text=f"Three loops. At i = 0 the loops over j and k run over a square of four points, j = "
        f"{a}, {a + 1} and k = {b}, {b + 1}. Write the points of the slice at i = 1, inside of the "
        "same square, so that it is one polyhedron, and is yet not absorbed by the first slice "
        "(Figure 7).",
        task=SliceTask((a, b)),
        hints=(
            "Which shapes are one polyhedron? A rectangle; and what else has edges of slope 0, 1 "
            "or -1?",
            "Draw the square below and a triangle above, and connect their corners. Is each side "
            "between them flat?",
            read(11, "a slice that is complete is absorbed only if the shape fits"),
        ),
        right=(
            f"{{ S[{a}, {b}]; S[{a}, {b + 1}]; S[{a + 1}, {b}] }}",
            f"{{ S[j, k] : {j} and {k} and k - {b} <= j - {a} }}",
            f"{{ S[x, y] : x >= {a} and y <= {b + 1} and y - x >= {b - a} }}",
        ),
        misconceptions=(
            Misconception("the same square: that is what is absorbed",
                          f"{{ S[j, k] : {j} and {k} }}", "What are both slices together?"),
            Misconception("fewer points are taken to be enough",
                          f"{{ S[{a}, k] : {k} }}",
                          "Connect the corners: is the wedge flat on all sides?"),
            Misconception("the other edge is taken to be different",
                          f"{{ S[j, {b + 1}] : {j} }}",
                          "Is a wedge that leans the other way less flat?"),
            Misconception("the slice is moved away",
                          f"{{ S[j, k] : {a + 3} <= j <= {a + 4} and {k} }}",
                          "Is it inside the square?"),
            Misconception("an empty slice", f"{{ S[j, k] : {j} and k < {b} and k > {b} }}",
                          "Which instances are there at i = 1?"),
            Misconception("a condition is left out", "{ S[j, k] : k <= j }",
                          "How many points has this set?"),
        ),
    )  # fmt: skip


SLOW: Final = """#include <stdlib.h>
void kernel(int n, int w, double *a, double *b, double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[i * w + j] * x[j];
  for (int k = 0; k < n; k++)
    x[k] = x[k] + y[{scale} * k];
  for (int p = 0; p < n; p++)
    for (int q = 0; q < n; q++)
      y[p] += {access} * x[q];
}
int main(void) {
  int n = {n}, w = {w};
  double *a = calloc(n * w, sizeof(double)), *b = calloc(n * w, sizeof(double));
  double *x = calloc(n, sizeof(double)), *y = calloc({scale} * n, sizeof(double));
  kernel(n, w, a, b, x, y);
}"""


def _slow(draws: Draws) -> Content:
    n, w = draws.integer("rows", 8, 12), draws.integer("width", 20, 40)
    scale = draws.integer("scale", 2, 5)
    first = draws.integer("which", 0, 1)
    program = SLOW
    if first:  # the slow nest is the first one
        program = program.replace("a[i * w + j]", "b[j * w + i]").replace(
            "{access}", "a[p * w + q]"
        )
    else:
        program = program.replace("{access}", "b[q * w + p]")
    program = program.replace("{scale}", str(scale)).replace("{n}", str(n)).replace("{w}", str(w))
    line, loop, inner = (5, "i", "j") if first else (10, "p", "q")
    right = {"line": line, "stride": w, "loop": loop}
    return Content(
        text="Trace this program, `run = pn.trace(slow.program, only=\"kernel\")`, and ask "
        "`pn.feedback(run)`. Which access is slow: it has the largest stride along the innermost "
        "loop around it? Give its line, that stride (in elements), and the loop along which the "
        "same access moves by one.",
        program=program,
        task=SlowTask(program, "kernel", ("i", "j", "k", "p", "q")),
        hints=(
            "In the table, a nest has its strides: along each loop, in elements.",
            "The innermost loop is the last one of a nest: look for the largest number there.",
            read(11, "strides, and which loop should be inside"),
        ),
        right=(
            right,
            {"loop": f" {loop.upper()} ", "line": float(line), "stride": float(w)},
            {"stride": w, "loop": loop, "line": line * 1.0},
        ),
        misconceptions=(
            Misconception("any stride that is not 1", {"line": 7, "stride": scale, "loop": "k"},
                          "How many elements does the slowest one move by?"),
            Misconception("strides are taken in bytes", {**right, "stride": 8 * w},
                          "How many bytes has a double?"),
            Misconception("the innermost loop is named, along which it is slow",
                          {**right, "loop": inner},
                          "Along which loop is the next element in memory?"),
            Misconception("the row's length is taken for the loop's", {**right, "stride": n},
                          "How far apart do two rows begin?"),
            Misconception("the other nest", {**right, "line": 10 if first else 5,
                                             "loop": "p" if first else "i"},
                          "Along its innermost loop, how far does it move?"),
        ),
    )  # fmt: skip


def _mend(draws: Draws) -> Content:
    f = draws.integer("factor", 2, 9)
    program = f"""param N;
for i = 0 to N-1 do
  s[i] = 0; // R
  for j = 0 to N-1 do
    s[i] = s[i] + {f} * A[j][i]; // S
  done
done"""

    def sums(i: str, j: str, value: str) -> str:
        return (
            f"param N;\nfor {i} = 0 to N-1 do\n  s[{i}] = 0;\ndone\nfor {j} = 0 to N-1 do\n"
            f"  for {i} = 0 to N-1 do\n    {value}\n  done\ndone"
        )

    right = sums("i", "j", f"s[i] = s[i] + {f} * A[j][i];")
    at_once = f"""param N;
for b = 0 to N-1 do
  for a = 0 to N-1 do
    if b == 0 then s[a] = 0; fi
    s[a] = s[a] + {f} * A[b][a];
  done
done"""
    copied = f"""param N;  temp At[N][N];
for i = 0 to N-1 do for j = 0 to N-1 do At[i][j] = A[j][i]; done done
for i = 0 to N-1 do
  s[i] = 0;
  for j = 0 to N-1 do s[i] = s[i] + {f} * At[i][j]; done
done"""
    return Content(
        text="A[j][i] jumps from row to row. Mend it: write a program with the same results, in "
        "which no access moves by more than one element along its innermost loop. It is proved "
        "or run to be the same, then its C is traced and folded again.",
        program=program,
        task=ProgramTask(program, (StepsByOne(7),)),
        hints=(
            "Which of the two loops should be inside?",
            "`s[i] = 0` stands between the loops. Give it a loop of its own, then exchange.",
            read(11, "does it pay: the interchange, by hand"),
        ),
        right=(right, sums("x", "y", f"s[x] = s[x] + {f} * A[y][x];"), at_once),
        misconceptions=(
            Misconception("nothing is changed", program, "By how much does A[j][i] move along j?"),
            Misconception("the subscripts are exchanged, not the loops",
                          program.replace("A[j][i]", "A[i][j]"), "Are these the same sums?"),
            Misconception("a copy is made, which jumps itself", copied,
                          "How does the loop that makes the copy read A?"),
            Misconception("the loops are exchanged, and each sum is begun anew",
                          f"param N;\nfor j = 0 to N-1 do\n  for i = 0 to N-1 do\n    s[i] = 0;\n"
                          f"    s[i] = s[i] + {f} * A[j][i];\n  done\ndone",
                          "How often is s[0] set to 0?"),
            Misconception("only the loop's direction is turned",
                          program.replace("A[j][i]", "A[N-1-j][i]"),
                          "In which order are the numbers added, and how far apart are they?"),
            Misconception("the sum is never begun",
                          program.replace("  s[i] = 0; // R\n", ""), "What was in s before?"),
        ),
    )  # fmt: skip


KINDS: Final = {
    "a[i] = a[p[i]] + 1.0;": "reads",
    "a[p[i]] = a[i] + 1.0;": "writes",
    "a[p[i]] += 1.0;": "adds",
}
LENGTH: Final = 6


def _breaks(draws: Draws) -> Content:
    body, kind = draws.choice("body", tuple(KINDS.items()))
    program = f"""void kernel(int n, double *a, int *p) {{
  for (int i = 0; i < n; i++)
    {body}
}}
int main(void) {{
  double a[{LENGTH}] = {{0}};
  int p[{LENGTH}] = {{{{numbers}}}};
  kernel({LENGTH}, a, p);
}}"""
    identity = ", ".join(map(str, range(LENGTH)))
    earlier = ("0, 0, 1, 2, 3, 4", "[0, 0, 0, 0, 0, 0]", "0, 1, 2, 3, 4, 0")
    later = ("1, 2, 3, 4, 5, 5", "(5, 5, 5, 5, 5, 5)", "0, 1, 2, 3, 5, 5")
    right = {"reads": earlier, "writes": later, "adds": (earlier[0], later[1], "0, 1, 2, 2, 4, 5")}
    # Nothing is carried: each iteration has its own cell, or reads before the other one writes.
    reversed_ = ", ".join(str(LENGTH - 1 - k) for k in range(LENGTH))
    harmless = {"reads": later[0], "writes": earlier[0], "adds": reversed_}[kind]
    swapped = {"reads": "0, 1, 2, 3, 5, 5", "writes": "0, 0, 2, 3, 4, 5",
               "adds": "1, 0, 3, 2, 5, 4"}[kind]  # fmt: skip
    return Content(
        text=f"With p = {identity} a trace found that the loop carries no flow dependence: "
        "“parallel”. That is a claim that a trace cannot support for other inputs. Break it: give "
        f"{LENGTH} numbers for p with which an iteration uses a value that another iteration has "
        "written. It is run and folded with yours.",
        program=program.replace("{numbers}", identity),
        task=InputTask(program, LENGTH),
        hints=(
            "Which cell does an iteration write, and which does it read?",
            "A value flows from an earlier iteration to a later one: the later one has to read "
            "the cell that the earlier one has written.",
            read(11, "what a trace cannot know"),
        ),
        right=right[kind],
        misconceptions=(
            Misconception("the input of the trace", identity, "What did the trace say of it?"),
            Misconception("a dependence is taken to be a flow dependence, whoever comes first",
                          harmless, "Does the read come before the write, or after it?"),
            Misconception("any two iterations that meet are taken to hand on a value", swapped,
                          "Which of the two runs first, and what does it do with the cell?"),
            Misconception("a number outside of the array", "0, 1, 2, 3, 4, 6",
                          f"How many cells has an array of {LENGTH}?"),
            Misconception("too few numbers", "0, 0", f"What is p[{LENGTH - 1}]?"),
            Misconception("a formula", "i / 2", "Which numbers are these?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab10.fold", "fold by hand", _fold),
    Template("lab10.known", "while entries arrive", _known),
    Template("lab10.refuses", "a slice that is refused", _refuses),
    Template("lab10.slow", "find the slow access", _slow),
    Template("lab10.mend", "mend it", _mend),
    Template("lab10.breaks", "what a trace cannot know", _breaks, points=3, transfer=True),
)
