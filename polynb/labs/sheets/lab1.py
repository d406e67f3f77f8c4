"""Lab 1: write sets of instances (a triangle, a hole, a stride)."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.values import ValuesTask
from polynb.labs.variants import Draws


def _triangle(draws: Draws) -> Content:
    c = draws.integer("offset", 0, 2)
    bound = f"i + {c}" if c else "i"
    return Content(
        text=f"Write the set of all instances of S, for every N. (The loops include both ends: "
        f"`for j = 0 to {bound}`.)",
        program=f"param N;\nfor i = 0 to N-1 do\n  for j = 0 to {bound} do\n"
        "    A[i][j] = 1; // S\n  done\ndone",
        task=SetTask(f"[N] -> {{ S[i, j] : 0 <= i < N and 0 <= j <= i + {c} }}"),
        hints=(
            "Write down all instances for N = 2, as pairs (i, j), and look at what they have in "
            "common.",
            "There is one condition for each loop: `0 <= i < N` is the one of the outer loop. Join "
            "them with `and`.",
            read(1, "a set is its dimensions, a colon, and conditions"),
        ),
        right=(
            f"[N] -> {{ S[i, j] : 0 <= i < N and 0 <= j <= i + {c} }}",
            f"[N] -> {{ S[r, s] : r >= 0 and N - 1 >= r and s >= 0 and s - r < {c + 1} }}",
            f"[N] -> {{ S[i, j] : exists k : k = i-j and k >= -{c} and j >= 0 and 0 <= i <= N-1 }}",
        ),
        misconceptions=(
            Misconception(
                "the inner bound is taken to be the outer one",
                "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }",
                "Which values does j take while i is 0?",
            ),
            Misconception(
                "`to` is read as C's `<`",
                f"[N] -> {{ S[i, j] : 0 <= i < N and 0 <= j < i + {c} }}",
                "Does `for j = 0 to 0` run, and how often?",
            ),
            Misconception(
                "the outer loop is read as if it included N",
                f"[N] -> {{ S[i, j] : 0 <= i <= N and 0 <= j <= i + {c} }}",
                "Which is the last i, for N = 1?",
            ),
            Misconception(
                "a set for one size only",
                f"{{ S[i, j] : 0 <= i < 4 and 0 <= j <= i + {c} }}",
                "What does your set say for N = 1?",
            ),
            Misconception(
                "a lower bound is forgotten",
                f"[N] -> {{ S[i, j] : 0 <= i < N and j <= i + {c} }}",
                "Is j = -1 excluded by any of your conditions?",
            ),
        ),
    )


def _hole(draws: Draws) -> Content:
    k = draws.integer("hole", 1, 3)
    return Content(
        text="Write the set of the instances of S. (A condition with `!=` is fine in isl: the set "
        "then has two pieces.)",
        program=f"param N;  assume N >= {k + 2};\nfor i = 0 to N do\n"
        f"  if i != {k} then A[i] = 0; // S\n  fi\ndone",
        task=SetTask(
            f"[N] -> {{ S[i] : 0 <= i <= N and i != {k} }}", f"[N] -> {{ : N >= {k + 2} }}"
        ),
        hints=(
            "Draw the values of i on a line, and strike out the one that does not run.",
            "Join two pieces with `or`, or write one after the other with `;` between them.",
            read(1, "conditions, and sets of several pieces"),
        ),
        right=(
            f"[N] -> {{ S[i] : 0 <= i <= N and i != {k} }}",
            f"[N] -> {{ S[i] : 0 <= i < {k}; S[i] : {k} < i <= N }}",
            f"[N] -> {{ S[i] : 0 <= i <= N and (i <= {k - 1} or i >= {k + 1}) }}",
        ),
        misconceptions=(
            Misconception(
                "a hole in an array is taken for a hole in the loop: all of it runs",
                "[N] -> { S[i] : 0 <= i <= N }",
                "Is the assignment executed for every i of the loop?",
            ),
            Misconception(
                "`or` is taken for `and`",
                f"[N] -> {{ S[i] : 0 <= i < {k} and {k} < i <= N }}",
                f"Is there an i that is smaller and larger than {k}?",
            ),
            Misconception(
                "only the first piece is written",
                f"[N] -> {{ S[i] : 0 <= i < {k} }}",
                f"What runs after i = {k}?",
            ),
            Misconception(
                "the hole is one too wide",
                f"[N] -> {{ S[i] : 0 <= i < {k}; S[i] : {k + 1} < i <= N }}",
                f"Does i = {k + 1} run?",
            ),
            Misconception(
                "the condition is turned around",
                f"[N] -> {{ S[i] : i = {k} }}",
                "Which instances does the `if` let through?",
            ),
        ),
    )


def _stride(draws: Draws) -> Content:
    step, first = draws.integer("step", 2, 4), draws.integer("first", 0, 1)
    mod = f"(i - {first}) mod {step} = 0" if first else f"i mod {step} = 0"
    return Content(
        text=f"The loop takes steps of {step}. Write the set of its instances.",
        program=f"param N;\nfor i = {first} to N by {step} do\n  A[i] = 0; // S\ndone",
        task=SetTask(f"[N] -> {{ S[i] : {first} <= i <= N and {mod} }}"),
        hints=(
            f"For N = 10, which i run? Divide each by {step}: what have the remainders in common?",
            f"`i mod {step} = ...` is a condition; `exists k : i = {step}k + ...` says the same.",
            read(1, "strides are divisions, and `exists` says there is a whole number"),
        ),
        right=(
            f"[N] -> {{ S[i] : {first} <= i <= N and {mod} }}",
            f"[N] -> {{ S[i] : exists k : i = {step}k + {first} and k >= 0 and i <= N }}",
            f"[N] -> {{ S[i] : {first} <= i <= N and "
            f"{step}*floor((i - {first})/{step}) = i - {first} }}",
        ),
        misconceptions=(
            Misconception(
                "the step is forgotten",
                f"[N] -> {{ S[i] : {first} <= i <= N }}",
                f"Does i = {first + 1} run?",
            ),
            Misconception(
                "the number of iterations is taken for the value of i",
                f"[N] -> {{ S[i] : 0 <= i and {step}i <= N }}",
                "Is i in your set the loop's variable, or does it count the iterations?",
            ),
            Misconception(
                "the loop is taken to begin elsewhere",
                f"[N] -> {{ S[i] : {first} <= i <= N and i mod {step} = {1 - first} }}",
                "Which is the first i that runs?",
            ),
            Misconception(
                "the end is excluded",
                f"[N] -> {{ S[i] : {first} <= i < N and {mod} }}",
                "`to` includes its end: when is it one of the values?",
            ),
            Misconception(
                "there is no lower bound",
                f"[N] -> {{ S[i] : i <= N and {mod} }}",
                "Is a negative i excluded?",
            ),
        ),
    )


def _count(draws: Draws) -> Content:
    n = draws.integer("N", 4, 7)
    inner, both = n * (n - 1) // 2, n * n
    return Content(
        text=f"For N = {n}: how many instances has S, and how many has T? Count first, with pencil "
        "and paper; then let `pn.draw(count.scop)` show them.",
        program="param N;\nfor i = 0 to N-1 do\n  for j = 0 to N-1 do\n"
        "    if j < i then A[i][j] = 1; // S\n    fi\n    B[i][j] = 2; // T\n  done\ndone",
        task=ValuesTask({"S": inner, "T": both}),
        hints=(
            "Count the instances of S for i = 0, for i = 1 and for i = 2, and see how it goes on.",
            "S: 0 + 1 + 2 + ..., half of a square without its diagonal. T stands behind the `fi`: "
            "the `if` is not about it.",
            read(1, "each instance is a point of the picture"),
        ),
        right=(
            {"S": inner, "T": both},
            {"T": float(both), "S": float(inner)},
            {"T": both, "S": sum(range(n))},
        ),
        misconceptions=(
            Misconception("the diagonal is counted", {"S": inner + n, "T": both},
                          "Does S(1, 1) run?"),
            Misconception("statements are counted, not instances", {"S": 1, "T": 1},
                          "A statement is text; how often is it executed?"),
            Misconception("N is taken to be included", {"S": (n + 1) * n // 2, "T": (n + 1) ** 2},
                          "Which is the last i?"),
            Misconception("the condition is overlooked", {"S": both, "T": both},
                          "Does S(0, 0) run?"),
            Misconception("the condition is taken to hold for T too", {"S": inner, "T": inner},
                          "Where does the `if` end?"),
        ),
    )  # fmt: skip


def _diamond(draws: Draws) -> Content:
    c = draws.integer("radius", 1, 3)
    space = "[N] -> { S[i, j] : "
    return Content(
        text="A stencil works on the cells of a diamond: those whose distance from the cell (N, N) "
        f"is at most {c}, where the distance is that of a walk along the grid, rows plus columns. "
        "The grid goes on below 0. There is no loop this time. Write the set.",
        task=SetTask(
            f"{space}i + j <= 2N + {c} and i + j >= 2N - {c} and i - j <= {c} and j - i <= {c} }}",
            "[N] -> { : N >= 0 }",
        ),
        hints=(
            f"For N = 0 and a distance of {c}: which cells (i, 0) are in it? Which (i, i)?",
            "A diamond has four sides. Each of them is a condition on i + j or on i - j.",
            read(1, "several conditions cut off several sides"),
        ),
        right=(
            f"{space}i + j <= 2N + {c} and i + j >= 2N - {c} and i - j <= {c} and j - i <= {c} }}",
            f"{space}-{c} <= i + j - 2N <= {c} and -{c} <= i - j <= {c} }}",
            f"{space}exists d : d = i - N and -{c} + d <= j - N <= {c} - d and "
            f"-{c} - d <= j - N <= {c} + d }}",
        ),
        misconceptions=(
            Misconception("a square is taken for the diamond",
                          f"{space}-{c} <= i - N <= {c} and -{c} <= j - N <= {c} }}",
                          "How long is the walk to the square's corner?"),
            Misconception("the middle is taken to be (0, 0)",
                          f"{space}-{c} <= i + j <= {c} and -{c} <= i - j <= {c} }}",
                          "Where is the middle for N = 5?"),
            Misconception("two sides are forgotten", f"{space}-{c} <= i + j - 2N <= {c} }}",
                          "Does your set end anywhere along i = -j?"),
            Misconception("the border is left out",
                          f"{space}-{c} < i + j - 2N < {c} and -{c} < i - j < {c} }}",
                          "At most, or less than?"),
            Misconception("only a quarter is written",
                          f"{space}i >= N and j >= N and i + j <= 2N + {c} }}",
                          "May one walk up and to the left?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab1.count", "count instances", _count, points=1),
    Template("lab1.triangle", "a triangle", _triangle),
    Template("lab1.hole", "a hole", _hole),
    Template("lab1.stride", "a stride", _stride),
    Template("lab1.diamond", "a diamond, without a loop", _diamond, points=3, transfer=True),
)
