"""Lab 5: beat the time; noise first."""

from __future__ import annotations

from typing import Any, Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.times import TimeTask
from polynb.labs.tasks.values import ValuesTask
from polynb.labs.variants import Draws

SEEN: Final = ("faster", "slower", "no difference seen")


def _intervals(draws: Draws) -> Content:
    a, b = draws.integer("a", 2, 9), draws.integer("b", 2, 9)
    rows = {
        "P": (f"1.0{a + 4 if a < 6 else a}", f"0.9{b}", "1.21", SEEN[2]),
        "Q": (f"1.0{a}", "1.01", f"1.1{b}", SEEN[0]),
        "R": (f"0.8{a}", f"0.7{b}", "0.96", SEEN[1]),
        "S": (f"1.4{b}", "0.97", f"2.3{a}", SEEN[2]),
    }
    table = "; ".join(f"{n}: {m} ({low} – {high})" for n, (m, low, high, _) in rows.items())
    right = {n: r[3] for n, r in rows.items()}
    by_median = {n: SEEN[0] if float(r[0]) > 1 else SEEN[1] for n, r in rows.items()}
    close = {n: SEEN[2] if abs(float(r[0]) - 1) < 0.1 else v for (n, r), v in
             zip(rows.items(), by_median.values(), strict=True)}  # fmt: skip
    return Content(
        text="Four programs were timed against a reference. For each of them stands how many times "
        f"faster it was, and in parentheses the 95 % interval: {table}. What was seen of each?",
        task=ValuesTask(right, SEEN),
        hints=(
            "Is the value 1 possible, after what the interval says?",
            "The first number alone decides nothing, however large it is.",
            read(5, "an interval that contains 1 shows no difference"),
        ),
        right=(
            right,
            dict(reversed(right.items())),
            {n: v.upper() for n, v in right.items()},
        ),
        misconceptions=(
            Misconception("the first number decides", by_median,
                          "How often would S come out above 1 if you timed it again?"),
            Misconception("what is near to 1 is no difference, what is far is one", close,
                          "Is Q's interval on one side of 1?"),
            Misconception("nothing is ever sure", dict.fromkeys(rows, SEEN[2]),
                          "Can Q be slower, after its interval?"),
            Misconception("times are taken for ratios",
                          right | {"Q": SEEN[1], "R": SEEN[0]},
                          "Is a ratio of 0.8 less time, or more?"),
            Misconception("a wide interval is taken to be a large gain",
                          right | {"S": SEEN[0]}, "Is 1 inside of S's interval?"),
        ),
    )  # fmt: skip


def _noise(draws: Draws) -> Content:
    options = ("no difference seen", "faster", "slower", "an error")
    size = draws.integer("millions", 3, 6)
    return Content(
        text="Before you believe a difference, measure where there is none. Predict: what does "
        "`pn.measure` most often say of a program that is timed against itself, with "
        f"N = {size}_000_000? Try it, several times.",
        program="param N;\nfor i = 0 to N do\n  B[i] = A[i] / 2; // S\ndone",
        task=ValuesTask({"": options[0]}, options),
        hints=(
            "Both kernels do the same work. What could make one of them look faster?",
            'pn.measure({"a": x.scop, "b": x.scop}, N=1_000_000), where x is this exercise',
            read(5, "what noise is, and how it is told from a difference"),
        ),
        right=("no difference seen", "No difference seen", " no difference seen "),
        misconceptions=(
            Misconception("the first one is taken to warm up the second", "faster",
                          "In which order do the rounds run the two?"),
            Misconception("the second one is taken to find the cache full", "slower",
                          "In which order do the rounds run the two?"),
            Misconception("the same program twice is taken to be refused", "an error",
                          "What is compared, texts or times?"),
            Misconception("no answer that can be chosen", "equal", "Are two times ever equal?"),
            Misconception("a number", 1.0, "Does a measurement give one number?"),
        ),
    )  # fmt: skip


def _bytes(draws: Draws) -> Content:
    n, arrays = draws.integer("millions", 2, 6), draws.choice("inputs", (1, 2, 4))
    inputs = " + ".join(f"{chr(65 + k)}[i]" for k in range(arrays))
    out = chr(65 + arrays)
    total = (arrays + 1) * 8 * n
    return Content(
        text=f"Each array holds {n} million numbers of 8 bytes, more than any cache has. How many "
        "megabytes (millions of bytes) have to pass between memory and processor, at least, once "
        "for each array? How many operations (in millions) are done? And how many bytes is that "
        "for each operation?",
        program=f"param N;\nfor i = 0 to N-1 do\n  {out}[i] = ({inputs}) * 0.5; // S\ndone",
        task=ValuesTask({"megabytes": total, "operations": arrays * n,
                         "bytes per operation": total // (arrays * n)}),
        hints=(
            "How many arrays are there? What is written counts as well.",
            "Additions and multiplications are operations; subscripts are not counted.",
            read(5, "the roofline: bytes, operations, and which of them is the limit"),
        ),
        right=_numbers(total, arrays * n),
        misconceptions=(
            Misconception("what is written is forgotten",
                          {"megabytes": arrays * 8 * n, "operations": arrays * n,
                           "bytes per operation": 8}, "Where does the result go?"),
            Misconception("numbers are counted, not bytes",
                          {"megabytes": (arrays + 1) * n, "operations": arrays * n,
                           "bytes per operation": 1}, "How many bytes has a number?"),
            Misconception("the multiplication is forgotten",
                          {"megabytes": total, "operations": (arrays - 1) * n,
                           "bytes per operation": total}, "How many operations does S do?"),
            Misconception("kilobytes", {"megabytes": total * 1000, "operations": arrays * n,
                                        "bytes per operation": 1}, "What is a megabyte?"),
            Misconception("one iteration", {"megabytes": (arrays + 1) * 8, "operations": arrays,
                                            "bytes per operation": 0},
                          "How often does S run?"),
        ),
    )  # fmt: skip


def _numbers(total: int, operations: int) -> tuple[Any, ...]:
    exact = {"megabytes": total, "operations": operations,
             "bytes per operation": total // operations}  # fmt: skip
    return exact, dict(reversed(exact.items())), {k: float(v) for k, v in exact.items()}


def _beat(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    body = f"B[i][j] = {factor} * A[i][j]; // S"
    loops = "param N;\nfor {} = 0 to N-1 do\n  for {} = 0 to N-1 do\n    {}\n  done\ndone"
    slow, fast = loops.format("j", "i", body), loops.format("i", "j", body)
    return Content(
        text="This program is right, and slow. Make it faster, so that the interval of the ratio "
        "lies above 2 (on one thread, N = 1200).",
        program=slow,
        task=TimeTask(slow, (("N", 1200),), seconds=1.0),
        hints=(
            "In which order does the program walk through the cells of A, which lie row by row?",
            "Neighbours in memory differ in the last subscript: which loop should be the inner "
            "one?",
            read(5, "a cache line holds eight numbers; use them all while you have them"),
        ),
        right=(
            fast,
            fast.replace("[i]", "[r]").replace("for i", "for r"),
            loops.format("i", "j", f"B[N-1-i][j] = {factor} * A[N-1-i][j]; // S"),
        ),
        misconceptions=(
            Misconception("nothing is changed", slow, "Was a difference seen?"),
            Misconception("the walk is turned around, not exchanged",
                          loops.format("j", "i", f"B[N-1-i][j] = {factor} * A[N-1-i][j]; // S"),
                          "How far apart are two cells that are visited one after the other?"),
            Misconception("half of the work is left out",
                          loops.format("i", "j", body).replace("j = 0 to", "j = 1 to"),
                          "Is the result the same?"),
            Misconception("another program that is fast",
                          f"param N;\nfor i = 0 to N-1 do\n  B[i][0] = {factor} * A[i][0];\ndone",
                          "Is the result the same?"),
            Misconception("a multiplication is taken to be a sum, but rounding is not that kind",
                          loops.format("i", "j", "B[i][j] = A[i][j]" + " + A[i][j]" * (factor - 1)
                                       + ";"),
                          "Is a sum of several numbers rounded as often as a product?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab5.noise", "where there is no difference", _noise, points=1),
    Template("lab5.intervals", "what was seen", _intervals),
    Template("lab5.bytes", "bytes and operations", _bytes),
    Template("lab5.beat", "beat the time", _beat, points=3, seconds=90.0, transfer=True),
)
