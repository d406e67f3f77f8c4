"""What sentences say about measured figures, the stored figures say, too.

A sentence is here word by word. Who measures again and gets other figures has to write another
sentence, and who changes the sentence has to look at the figures.
"""

import itertools
import re

import pytest

import polynb as pn
from polynb import isl, labs
from polynb.dependences import live_ranges
from polynb.evaluation import errata
from polynb.evaluation.paper import PAPER
from polynb.optimising.algorithm import GAIN

from .conftest import NOTEBOOKS, read, shown


def speeds(text):
    """label -> (ratio, from, to), of a Timing or a Sweep as text; of one that was stored before
    there were intervals, the ratio alone, three times."""
    found = {}
    for line in text.splitlines():
        row = re.match(
            r"(\S.*?)(?:  .*?)? +(\d+(?:\.\d+)?)(?:  +| \()(\d+\.\d\d) – (\d+\.\d\d)", line
        )
        if row:
            found[row[1].strip()] = tuple(float(x) for x in row.groups()[1:])
        elif row := re.match(r"(\S.*?)  .* - .*  +(\d+\.\d\d)  +[\d.]+ [kM]?B$", line):
            found[row[1].strip()] = (float(row[2]),) * 3
    return found


def test_speeds_are_read_from_both_kinds_of_tables():
    timing = "        median  half of them within  ratio  95 % interval  arrays\n"
    timing += "a        20 ms        19 ms - 21 ms   1.00                 253 MB\n"
    timing += "a, b     7 ms          7 ms - 8 ms   2.74    2.60 – 2.90  101 MB\n"
    assert speeds(timing) == {"a": (1, 1, 1), "a, b": (2.74, 2.6, 2.9)}
    assert speeds("a  20 ms  19 ms - 21 ms   1.29  12.5 MB") == {"a": (1.29, 1.29, 1.29)}
    assert speeds("      ratio  n\n16  1.25 (1.18 – 1.31)  0\n") == {"16": (1.25, 1.18, 1.31)}


MEASURING, PROPAGATION, LIMITS = "05_measuring", "06_propagation", "07_limits_of_propagation"
PIPELINES, FIGURES = "pipelines", "figures_measured"
RANGES, BANDS, SCALARS = "08_live_ranges", "09_bands", "10_scalars"
INSTANCES, ORDER, DEPENDENCES, LEGALITY = (
    "01_instances", "02_order", "03_dependences", "04_legality")  # fmt: skip
FOLDED, FIVE = "11_folding", "12_which_of_the_five"
REORDERED, PROOF = "live_range_reordering", "proof"


def of(name, cell, label):
    """The speed of a variant: its ratio, and the ends of the interval."""
    return speeds(shown(name, cell))[label]


def said(name, cell, sentence):
    """A sentence stands in a cell, however its lines are broken."""
    (text,) = (c.source for c in read(name).cells if c.id == cell)
    return sentence in re.sub(r"\s+", " ", text)


def test_lesson_5_fresh_memory_is_what_the_system_takes():
    assert said(MEASURING, "heaps-read", "the gain with fresh memory is clearly larger.")
    rows = {row[0]: [float(x) for x in row[-1].split(" – ")] for row in table(MEASURING, "heaps")}
    assert rows["fresh"][0] > 1.5 * rows["kept"][1]
    assert said(MEASURING, "touch-read", "The first turn measures the system;")
    touched = [row[1:] for row in table(MEASURING, "touch")]
    times = [float(ms.removesuffix(" ms")) for ms, _ in touched]
    assert times[0] > 3 * max(times[1:])
    assert int(touched[0][1]) > 100 * max(int(faults) for _, faults in touched[1:])
    assert 15_625 * 4096 == 8 * 8_000_000


def test_lesson_5_the_roof_has_a_slope_and_a_flat_part():
    assert said(MEASURING, "polynomials-read", "From 2 to 19 operations the time hardly grows:")
    assert said(MEASURING, "polynomials-read", "In the last rows the operations are the limit.")
    ms = {int(row[0]): float(row[2].removesuffix(" ms")) for row in table(MEASURING, "polynomials")}
    assert ms[19] < 1.2 * ms[2]
    assert ms[67] > 1.5 * ms[19]
    assert said(MEASURING, "roofline-read", "The cross lies far below.")
    peak = re.search(r"([\d.]+) GB/s", shown(MEASURING, "roofline"))
    taken = re.search(r"([\d.]+) ms for ([\d.]+) million", shown(MEASURING, "columns"))
    reached = 16 * float(taken[2]) * 1e6 / (float(taken[1]) / 1e3) / 1e9
    assert reached < float(peak[1]) / 3


def test_lesson_5_the_shown_measurement_of_nothing():
    assert said(MEASURING, "bootstrap-read", "The second one is wider:")
    assert said(MEASURING, "intervals-read", "all eight contained 1, which was luck:")
    assert "8 of 8 contain 1" in shown(MEASURING, "intervals")
    hand, ours = (
        [float(x) for x in re.findall(r"\d\.\d+", line)]
        for line in shown(MEASURING, "bootstrap").splitlines()[:2]
    )
    assert ours[0] < hand[0] < hand[1] < ours[1]


def test_lessons_1_to_3_count_what_their_cells_show():
    assert said(INSTANCES, "figure1-read", "S1 and S2 have one instance each,")
    have = {row[0]: row[-1] for row in table(INSTANCES, "figure1-sets")}
    assert have == {"S0": "6", "S1": "1", "S2": "1", "S3": "4", "S4": "4"}
    assert said(ORDER, "watched", "On the left S(2, 2):")
    assert said(ORDER, "watched", "On the right S(1, 1):")
    sixth = [line.partition(": ")[2].split("; ")[5] for line in shown(ORDER, "first").splitlines()]
    assert sixth == ["S(2, 2)", "S(1, 1)"]
    assert said(ORDER, "waves-read", "Five on the left:")
    assert said(ORDER, "waves-read", "Nine on the right.")
    assert [line.count("; ") + 1 for line in shown(ORDER, "waves").splitlines()] == [5, 9]
    assert said(DEPENDENCES, "shared-read", "Ten, if you count all pairs")
    assert "10 arrows" in shown(DEPENDENCES, "shared")
    assert said(DEPENDENCES, "values-read", "Four: each T reads")
    assert "4 arrows" in shown(DEPENDENCES, "values")


def test_the_model_leaves_alone_what_is_said():
    assert said(MEASURING, "model-read", f"below {GAIN} it leaves a program alone")
    assert any(f"less than a factor of {GAIN}," in c.source for c in read("fast").cells)


def test_lesson_6_blur_computes_half_as_much_again():
    assert said(PROPAGATION, "freedom-read", "adds and halves three times in an iteration instead")
    step = re.sub(r"\[.*?\]", "[]", shown(PROPAGATION, "first"))  # without sums in subscripts
    before = "".join(re.findall(r"− +\w+\[\] = (.*?);", step))
    (after,) = re.findall(r"\+ +out\[\] = (.*?);", step)
    assert (before.count(" + "), before.count("/ 2")) == (2, 2)
    assert (after.count(" + "), after.count("/ 2")) == (3, 3)


def test_lesson_6_counts_what_its_cells_show():
    assert said(PROPAGATION, "propagate-read", "So S4 is split into three **pieces**")
    assert "5 statements became 3." in shown(PROPAGATION, "propagate")
    assert said(PROPAGATION, "unsharp-run", "All three go. One statement is left")
    assert shown(PROPAGATION, "unsharp-propagate").count(" is removed, and with it ") == 3
    assert said(PROPAGATION, "harris-read", "All ten.")
    harris = shown(PROPAGATION, "harris-propagate")
    assert harris == "11 statements before, 1 after\nleft: none\n"
    assert said(PROPAGATION, "harris-read", "(Table 4: 82.12 ms, then 7.29 ms)")
    printed = PAPER["harris"]
    assert (printed.naive_ms, printed.propagated_ms) == (82.12, 7.29)
    assert f"{82.12 / 7.29:.1f}" == "11.3"


def test_lesson_6_figure_1_gains_less_than_a_blur():
    assert said(PROPAGATION, "bench-read", "Figure 1 gains clearly less than `blur`.")
    first = of(PROPAGATION, "bench-figure1", "smooth")
    assert first[2] < of(PROPAGATION, "bench-blur", "blur")[1]


def test_lesson_6_propagation_can_cost_freedom():
    assert said(PROPAGATION, "freedom-read", "there *is* a new constraint")
    before, after = shown(PROPAGATION, "freedom").splitlines()
    assert before.startswith("before: legal")
    assert after.startswith("after:  illegal: S(0) would overwrite A before T(0)")


def test_lesson_7_counts_what_its_cells_show():
    assert said(LIMITS, "first-read", "who begins with `b` is left with two scalars")
    left = [line.partition("left: ")[2] for line in shown(LIMITS, "first").splitlines()]
    assert left == ["b", "b", "a and c", "a and c", "b", "b"]
    assert said(LIMITS, "limits-read", "with 10 more of them stay than with 9.")
    stay = {row[0]: int(row[1]) for row in table(LIMITS, "limits")}
    assert (stay["9"], stay["10"], stay["12"], stay["32"]) == (3, 4, 0, 0)
    assert said(LIMITS, "growth-read", "the time grows by a large factor with almost every")
    seconds = [float(row[-1]) for row in table(LIMITS, "growth")]
    assert sum(b > 1.4 * a for a, b in itertools.pairwise(seconds)) >= 3
    assert said(LIMITS, "growth-read", "The program grows by about ten statements a clause")
    statements = [int(row[1]) for row in table(LIMITS, "growth")]
    assert all(8 <= b - a <= 10 for a, b in itertools.pairwise(statements))
    assert said(LIMITS, "figure-9b-read", "and `Out` is written: five lines.")
    assert "V would need 5 cache lines per iteration" in shown(LIMITS, "figure-9b")
    assert said(LIMITS, "figure-9b-read", "Harris (lesson 6) has ten temporaries.")
    assert len(pn.gallery.load("harris").temporaries) == 10
    assert said(LIMITS, "recurrences-read", "Three calls, then one, with three scalars")
    calls, handed_on = shown(LIMITS, "recurrences").split("done", 1)
    assert calls.count("f(") == 3
    assert handed_on.partition("for j")[2].count("f(") == 1
    assert "temp t0, t1, t2;" in handed_on
    assert said(LIMITS, "exercise-4-solution", "and one more: 5, 17 and 65.")
    assert [row[1:] for row in table(LIMITS, "exercise-4")] == [["3", "5"], ["9", "17"]]


def test_pipelines_what_strips_give():
    assert said(PIPELINES, "grid-rows-read", "Filling the buffer is less work: 33 columns with 12")
    assert 33 * 12 == 396 < 4 * 256 == 1024
    assert said(PIPELINES, "grid-rows-read", "with the strips, the program was faster still.")
    assert of(PIPELINES, "grid-rows-time", "in strips")[1] > 1.05
    assert said(
        PIPELINES,
        "grid-rows-read",
        "propagation alone has saved two fifths of the memory here, and",
    )
    assert 1 < of(PIPELINES, "grid-rows-time", "propagated")[1] < 1.3


def test_pipelines_the_fewest_arrays_are_the_slowest():
    assert said(PIPELINES, "camera-price-read", "the fewest arrays made the slowest program")
    assert of(PIPELINES, "camera-price", "the paper's heuristics")[2] < 1
    assert of(PIPELINES, "camera-price", "propagated")[1] > 1


def test_pipelines_the_pyramids_are_faster_with_the_limit():
    assert said(PIPELINES, "blending-read", "here, too, it pays to keep them")
    ours = of(PIPELINES, "blending-price", "propagated")
    assert ours[1] > of(PIPELINES, "blending-price", "the paper's heuristics")[2]


def test_figures_one_program_is_measured_three_times():
    sentence = "no temporaries are left and there are 26 accesses, in all three"
    assert said(FIGURES, "sweep-read", sentence)
    rows = [x.split() for x in shown(FIGURES, "sweep-run").splitlines()]
    limits = {r[0]: r for r in rows if r and r[0] in ("16", "32", "64")}
    assert {tuple(r[-2:]) for r in limits.values()} == {("0", "26")}
    assert said(FIGURES, "sweep-read", "and the figures are not the same")
    assert len({r[1] for r in limits.values()}) > 1


def test_figures_intervals_are_no_guarantee():
    assert said(FIGURES, "sweep-read", "those of the limits 16 and 32 do not overlap")
    one, other = (of(FIGURES, "sweep-run", n) for n in ("16", "32"))
    assert one[2] < other[1] or other[2] < one[1]


def test_figures_clang_loses_what_propagation_gained():
    sentence = "*propagated, clang* takes more than twice as long as the original"
    assert said(FIGURES, "peers-read", sentence)
    assert of(FIGURES, "peers-run", "propagated, clang")[2] < 0.5
    assert of(FIGURES, "peers-run", "propagated")[1] > 1


def test_the_evaluation_shows_its_noise():
    assert said("evaluation", "noise-read", "a figure of 1.10 beside one of 1.05 says nothing")
    rows = shown("evaluation", "noise").splitlines()[1:]
    apart = [int(line.split()[-1].rstrip("%")) for line in rows]
    assert len(apart) == 7
    assert min(apart) >= 5  # 1.10 / 1.05
    assert said("evaluation", "noise-read", "neither do two programs that are 10 % apart")
    assert sum(a >= 10 for a in apart) >= 3


def test_the_evaluations_best_subsets_are_no_better():
    assert said("evaluation", "table3-text", "Harris's is 1.02 times faster")
    sentence = "the best subset has the higher ratio, the heuristics' choice the shorter time"
    assert said("evaluation", "table3-text", sentence)
    found = {}
    for line in shown("evaluation", "table3").splitlines()[1:]:
        cells = re.findall(r"([\d.]+) ms, ([\d.]+)", line)
        found[line.split()[0]] = [(float(ms), float(ratio)) for ms, ratio in cells]
    chosen, best, _ = found["harris"]
    assert round(best[1] / chosen[1], 2) == 1.02
    chosen, best, _ = found["bilateral_grid"]
    assert best[1] > chosen[1]
    assert chosen[0] < best[0]


def test_the_evaluations_figures_are_those_that_lesson_6_and_the_readme_name():
    rows = {h: shown("evaluation", c).splitlines() for h, c in
            (("kept", "figure13"), ("fresh", "figure13-fresh"))}  # fmt: skip
    columns = {h: re.split(r"  +", lines[0].strip()) for h, lines in rows.items()}
    ratios = {}
    for heap, lines in rows.items():
        (line,) = (x for x in lines if x.startswith("propagated  "))
        cell = re.split(r"  +", line)[1 + columns[heap].index("harris")]
        ratios[heap] = cell.partition(", ")[2]
    assert said(PROPAGATION, "harris-read", f"{float(ratios['kept']):.1f} times with memory")
    assert said(PROPAGATION, "harris-read", f"{float(ratios['fresh']):.1f} times with memory")
    readme = " ".join((NOTEBOOKS.parent / "README.md").read_text().split())
    kept, fresh = f"{float(ratios['kept']):.1f} times", f"{float(ratios['fresh']):.0f} times"
    assert f"{kept} with memory kept between calls, {fresh} as a program that allocates" in readme


def test_the_readmes_table_is_the_evaluations():
    lines = shown("evaluation", "figure13").splitlines()
    columns = re.split(r"  +", lines[0].strip())
    kept = {}
    for line in lines[1:]:
        name, *cells = re.split(r"  +", line.strip())
        kept[name] = [c.split(", ")[1] if ", " in c else "-" for c in cells]
    rows = {}
    for line in (NOTEBOOKS.parent / "README.md").read_text().splitlines():
        if line.startswith("|"):
            name, *cells = (c.strip(" *") for c in line.strip("|").split("|"))
            rows[name] = cells
    assert [n.lower().replace(" ", "_") for n in rows[""]] == columns
    of = {"polynb, propagated": "propagated", "Polly (clang 14)": "Polly, clang",
          "Graphite (gcc 12)": "Graphite, gcc", "Halide, schedules by hand": "Halide"}  # fmt: skip
    for name, label in of.items():
        assert rows[name] == kept[label], name


ROW = re.compile(r"(\w+)? +(\S.*?)  +[\d.]+ m?s +([\d.]+)(?: +([\d.]+) – ([\d.]+))?")


def rows_of_schedulers():
    """(program, schedule) and what its row says, of the table of times."""
    program = ""
    for line in shown(REORDERED, "equation-15-times").splitlines()[1:]:
        if row := ROW.match(line):
            program = row[1] or program
            yield (program, row[2]), row


def intervals():
    return {k: (float(row[4]), float(row[5])) for k, row in rows_of_schedulers() if row[4]}


def test_lesson_8_counts_what_its_cells_show():
    assert said(RANGES, "question", "The six values have changed places; but no two of them")
    both = shown(RANGES, "first")
    assert both.count("6 live ranges of t[2], no overlapping") == 2
    assert said(RANGES, "room", "It has 2n − 1 now.")
    assert said(RANGES, "room-read", "Twice as many")
    assert "2 * (2*n - 1) cells, not 2*n - 1;" in shown(RANGES, "room-shown")
    assert said(RANGES, "live-predict", "With `t` needed afterwards, one of them is still legal.")
    rows = table(RANGES, "live-checked")
    assert [row[2].split(":")[0] for row in rows] == ["legal"] * 3 + ["illegal"]


def test_lesson_9_counts_what_its_tables_show():
    assert said(BANDS, "skewed-read", "`t` and `i + t` are a band, `t` and `i` are not.")
    verdicts = [row[1].split(":")[0] for row in table(BANDS, "skewed")]
    assert verdicts == ["legal", "illegal", "legal", "legal"]
    assert said(BANDS, "step-read", "Both members together are equation (12)")
    assert "2 permutable loops" in shown(BANDS, "step")
    assert said(BANDS, "fig12-read", "So the band is **reset**")
    assert "thrown away" in shown(BANDS, "fig12-steps")


def test_only_reordering_fuses_and_tiles():
    program, found = "", {}  # (program, a letter): nests, in common, bands, can be tiled
    for line in shown(REORDERED, "equation-15-sides").splitlines()[1:]:
        program = re.match(r"\w*", line)[0] or program
        if row := re.search(r"\((\w)\) \S.*?  +(\d) +(\d) +(\S.*?)  +(\S.*)", line):
            found[program, row[1]] = row.groups()[1:]
    assert len(found) == 15
    read = "equation-15-sides-read"
    assert said(REORDERED, read, "Only (c) fuses the two nests of a program completely,")
    two = ("lrr_listing1", "lrr_listing1_scalar", "lrr_listing3")
    whole = {k for k, row in found.items() if k[0] in two and row[0] == "1" and row[1] == row[2]}
    assert whole == {(p, "c") for p in two}
    assert said(REORDERED, read, "wherever there is a scalar, only (c) has something to tile.")
    tiled = {k for k, row in found.items() if row[3].strip() != "-"}
    assert tiled == {(p, "c") for p, _ in found} | {("lrr_listing1", "a"), ("lrr_listing1", "b")}


def test_what_tiling_gives_and_costs():
    spread, read = intervals(), "equation-15-times-read"
    assert len(spread) == 12
    sentence = "fused and tiled *with `j` innermost*, is more than three times faster"
    assert said(REORDERED, read, sentence)
    assert spread["lrr_listing1", "(c) exchanged, tiled"][0] > 3
    assert said(REORDERED, read, "in tiles, no difference to the original is seen.")
    low, high = spread["lrr_listing1", "(c) tiled"]
    assert low <= 1 <= high
    assert said(REORDERED, read, "as the scheduler had it, it is slower than the original;")
    assert spread["lrr_listing1", "(c) not tiled"][1] < min(1, low)
    assert said(REORDERED, read, "Contraction gains nothing that can be seen")
    contracted = spread["lrr_listing1", "(c) ... and contracted"]
    assert contracted[0] < spread["lrr_listing1", "(c) exchanged, tiled"][1]
    assert said(REORDERED, read, "(c) is faster, and its interval does not contain 1.")
    assert spread["lrr_listing3", "(c) not tiled"][0] > 1
    assert said(REORDERED, read, "**tiling by 32 makes it about twice as slow**")
    low, high = spread["lrr_listing3", "(c) tiled"]
    assert 0.4 < low < high < 0.6


def test_lesson_10_an_order_is_what_makes_it_fast():
    assert said(SCALARS, "times-read", "makes no difference that can be seen")
    for label in ("scalar form", "live ranges reordered", "DeLICM", "DeLICM, reordered"):
        low, high = of(SCALARS, "times", label)[1:]
        assert low <= 1 <= high
    assert said(SCALARS, "times-read", "the program is **several times faster** (the last row).")
    assert of(SCALARS, "times", "DeLICM, interchanged")[1] > 4


def test_lesson_10_counts_what_its_tables_show():
    assert said(SCALARS, "bands-read", "Listing 1 has two loops that can change places.")
    bands = {row[0]: row[1:] for row in table(SCALARS, "bands-found")}
    assert bands["1"][0] == "2"
    assert "2" not in [row[0] for n, row in bands.items() if n != "1"]
    assert {row[1] for row in bands.values()} == {"2"}
    assert said(SCALARS, "window-read", "A **window** of two cells is enough")
    assert "w[0]: S(1) would overwrite w" in shown(SCALARS, "window")
    assert shown(SCALARS, "window").count("overwrite") == 1


def table(name, cell):
    """The cells of a table that is stored as text, without its head."""
    return [re.split(r" {2,}", line.strip()) for line in shown(name, cell).splitlines()[1:]]


def test_lesson_4_counts_what_its_tables_show():
    assert said(LEGALITY, "sweep-read", "Exchanged, the second arrow runs against time.")
    assert [row[1].split(":")[0] for row in table(LEGALITY, "sweep")] == [
        "illegal",
        "legal",
        "legal",
    ]
    assert said(LEGALITY, "sweep-read", "and there are seven scalars.")
    assert len(pn.gallery.load("matmul_pre").temporaries) == 7
    assert said(LEGALITY, "refused-read", "after PRE, it refused")
    verdicts = {row[0]: row[1:3] for row in table(LEGALITY, "refused")}
    assert verdicts == {
        "Figure 1": ["legal", "legal"],
        "Figure 2": ["illegal", "legal"],
        "Figure 3": ["illegal", "legal"],
    }
    assert said(LEGALITY, "lives-read", "There are twelve ranges, three for each sum;")
    assert shown(LEGALITY, "lives").count("12 live ranges of t, no overlapping") == 2


def test_lesson_4_verdicts_and_repairs():
    kinds = {row[0]: row[1] for row in table(LEGALITY, "proposals")}
    assert said(LEGALITY, "proposals-read", "`reverse k` adds up from the other end")
    assert said(LEGALITY, "proposals-read", "The other two mix sums of different cells")
    assert kinds == {
        "reverse j": "legal",
        "reverse k": "flow",
        "distribute j": "live range",
        "interchange i k": "live range",
    }
    assert said(LEGALITY, "script-refused-read", "The tiles are legal. The third line is")
    script = shown(LEGALITY, "script-run")
    assert script.startswith('Move 3, "interchange j k", is illegal')
    assert said(
        LEGALITY, "script-refused-read", "For some moves one more line *before* them is enough."
    )
    ways = ["legal with `expand t` first", "legal with `privatize t` first, or `expand t`"]
    assert [line.partition(": ")[2] for line in shown(LEGALITY, "ways").splitlines()] == ways
    assert said(LEGALITY, "repairs-read", "a box in which each of the 1,100 values has its own")
    assert said(LEGALITY, "repairs-read", "For N = 1000 it is two thousand million cells.")
    rows = table(LEGALITY, "repairs")
    assert rows[-3] == ["10", "1", "10", "2000"]
    assert rows[-1] == ["1000", "1", "1000", "2000000000"]
    n = 10
    matrix = pn.gallery.load("matmul_fig2")
    writes = [s for s in matrix.statements if s.write.array == "t"]
    assert sum(len(list(isl.points(s.domain, {"N": n}))) for s in writes) == 1100


def test_lesson_4_what_is_faster():
    assert said(LEGALITY, "measure-read", "The repaired order was **much faster**")
    assert of(LEGALITY, "measure", "j and k exchanged")[1] > 2


def test_a_proof_has_three_answers():
    assert said(PROOF, "prove-read", "**Not known**: no proof was found, and no difference.")
    answers = {row[0]: row[1] for row in table(PROOF, "prove")}
    assert set(answers.values()) == {"the same", "different", "not known"}
    assert answers["algebra"] == "not known"


def test_a_proof_in_steps():
    assert said(PROOF, "prove-steps-read", "this is the **widening**, at step 12.")
    assert said(PROOF, "prove-steps-read", "**the circle is closed**, at step 18.")
    lines = shown(PROOF, "prove-steps").splitlines()
    steps = lines[lines.index("Recurrences are guessed by their affine hull.") :]
    sums = {k: s for k, s in enumerate(steps, 1) if s.startswith("(3) (t[] + B[k])")}
    assert list(sums) == [4, 8, 12, 13, 18]
    assert "k = -1 + N" in sums[4]
    assert "k = -2 + N" in sums[8]
    assert "k' = 1 + k" in sums[12]
    assert "widened" in sums[12]
    assert "the circle is closed" in sums[18]


def test_lesson_11_what_was_folded():
    assert said(FOLDED, "table3", "run.table()")
    lines = shown(FOLDED, "table3").splitlines()
    (row,) = [line for line in lines if line.startswith("I3 ")]
    assert "8cj + ⊤ck + @conn[k] + 8" in row
    assert said(FOLDED, "table1-read", "688 entries for each instruction of the inner loop.")
    assert row.split()[-1] == "688"
    assert "ck' = 0cj + ck - 1 " in shown(FOLDED, "table4")
    assert "1cj + ⊤ck + 67" in shown(FOLDED, "figure5")
    assert shown(FOLDED, "pruned").startswith("19 dependences; 12 are of induction variables")
    assert said(FOLDED, "figure7-read", "Two, as in the paper's Figure 7.")
    assert len(table(FOLDED, "figure7")) == 3  # two pieces, and what to do next
    pieces = {row[0]: row[2:] for row in table(FOLDED, "shapes")}
    assert said(FOLDED, "shapes-read", "The band is cut off in one corner, and gets two.")
    assert (pieces["triangle"], pieces["diagonal band"]) == (["1", "False"], ["2", "False"])
    assert pieces["half of all, at random"][1] == "True"
    assert said(FOLDED, "shapes-read", "the algorithm **gives up** and keeps a box.")


def test_lesson_11_what_it_is_worth():
    assert said(FOLDED, "measured-read", "function was **much faster**")
    assert of(FOLDED, "measured", "interchanged")[1] > 2
    assert "proved for every n1 and n2" in shown(FOLDED, "by-hand")
    apart, together = shown(FOLDED, "scatter").splitlines()
    assert apart.startswith("index[i] = i: not known to be parallel: data decide where")
    assert together.startswith("index[i] = i / 2: not parallel: carries ")
    assert said(FOLDED, "search-read", "Neither says 20.")
    assert shown(FOLDED, "search").splitlines() == [
        "x = 15: 0 ≤ ci ≤ 15",
        "x = 3: 0 ≤ ci ≤ 3",
        "not parallel: a[i] == x (line 4) decides whether it goes on",
    ]
    assert shown(FOLDED, "library").splitlines() == [
        "sqrt(i): parallel loops: i",
        "rand(): parallel loops: none",
    ]


def test_lesson_12_which_paper_helps_which_program():
    found = {row[0]: row[1:] for row in table(FIVE, "side-by-side")}  # temporaries, permutable
    assert list(found) == ["product", "figure1", "listing3", "fibonacci"]
    assert said(FIVE, "product-read", "they put two loops into a permutable band, where there was")
    assert found["product"] == ["1, 1", "1, 1", "1, 2", "1, 1"]
    assert said(FIVE, "figure1-read", "all memory between input and output is gone.")
    assert found["figure1"] == ["2, 1", "0, 1", "2, 1", "1, 1"]
    assert said(FIVE, "listing3-read", "and both loops can be interchanged.")
    assert found["listing3"] == ["1, 1", "1, 1", "1, 1", "0, 2"]
    assert said(FIVE, "fibonacci-read", "None. Each value is made of the two before it")
    assert set(found["fibonacci"]) == {"1, 1"}
    assert said(FIVE, "seminar", "has almost fifty of them.")
    assert len(errata.ENTRIES) == 48
    assert shown(FIVE, "composed").endswith("k outside: legal: every dependence is respected\n")


# -- what the papers call their places, and what is known besides -----------------------------


PLACES = {
    "lab4.product": "Figure 2 of the 2010 paper: a product of matrices after PRE.",
    "lab6.intermediate": "PIW (section 3.2 of the paper):",
    "lab6.overwritten": "OR (section 3.2 of the paper):",
}


@pytest.mark.parametrize("name", PLACES)
def test_places_in_the_papers_are_called_as_the_papers_call_them(name):
    """PIW and OR have no numbers (equations 1 and 2 are Definition 3.1); the product after PRE is
    Figure 2 of the 2010 paper, and Figure 3 its GIMPLE."""
    assert PLACES[name] in labs.exercise(name, student="ada").hints[-1]


def test_lesson_7_better_methods_than_trying_are_known():
    assert said(LIMITS, "puzzle", "needs only a *polynomial* number")


def test_lesson_8_says_all_that_is_forced():
    for part in (
        "what remains after it must be written last",
        "what was there before must be",
        "a read may get its value from *several* writes",
    ):
        assert said(RANGES, "order", part)
    ranges = live_ranges(pn.gallery.load("lrr_listing1"))
    assert ranges.before_live_out
    assert not ranges.after_live_in
    assert not ranges.same_sink


def test_lesson_12_what_stops_you_agrees_with_the_four_programs():
    """The product and Listing 3 make values of their own earlier ones, and two papers help."""
    assert not said(FIVE, "stops", "| a value is made of its own earlier value | none |")
    assert said(FIVE, "stops", "| the values themselves: each is made of the one before, and there")
