"""Lab 6: potential intermediate writes and overwritten reloads by hand; break and repair."""

from __future__ import annotations

from typing import Final

from polynb.labs.exercise import Content, Misconception, Template
from polynb.labs.sheets.lessons import read
from polynb.labs.tasks.asking import AtMost, Goes, Stays
from polynb.labs.tasks.programs import FewCells, Gone, OneNest, ProgramTask
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.variants import Draws

BLOCKED: Final = """param N;  assume N >= {least};  temp tmp;
for i = 0 to N do
  tmp[i] = A[i]; // R
done
for j = {first} to {last} do
  A[{cell}] = 0; // S
  B[j] = tmp[j]; // T
done"""


def blocked(c: int) -> str:
    """Figure 7b with a shift: S(j) overwrites A[j + c]."""
    cell = f"j+{c}" if c > 0 else f"j-{-c}" if c < 0 else "j"
    return BLOCKED.format(
        least=abs(c) + 1,
        first=-c if c < 0 else 0,
        last=f"N-{c}" if c > 0 else "N",
        cell=cell,
    )


def _intermediate(draws: Draws) -> Content:
    c = draws.integer("shift", 1, 3)
    domain = f"[N] -> {{ S[k] -> T[j] : j = k + {c} and 0 <= k and j <= N - {c} }}"
    return Content(
        text="If T computed A[i] itself, instead of reading tmp, it would read A later than R did. "
        "Write the potential intermediate writes: from each instance of S to the instance of T "
        "whose operand it overwrites (after R has read it), whether or not it comes before that T.",
        program=blocked(c),
        task=SetTask(domain, f"[N] -> {{ : N >= {c + 1} }}"),
        hints=(
            "Which cell of A does S(0) overwrite, and which T wants the old value of that cell?",
            "T(j) wants the old A[j], through tmp[j]. Both ends of the pair have to run.",
            read(6, "equation (1), PIW: who overwrites an operand after it was first read"),
        ),
        right=(
            domain,
            f"[N] -> {{ S[k] -> T[k + {c}] : 0 <= k <= N - {2 * c} }}",
            f"[N] -> {{ S[a] -> T[b] : b - a = {c} and a >= 0 and b + {c} <= N }}",
        ),
        misconceptions=(
            Misconception("each S is taken to disturb the T of its own iteration",
                          f"[N] -> {{ S[k] -> T[k] : 0 <= k <= N - {c} }}",
                          "Which cell does S(0) overwrite?"),
            Misconception("the shift is turned around",
                          f"[N] -> {{ S[k] -> T[k - {c}] : {c} <= k <= N - {c} }}",
                          "Which T wants the cell that S(0) overwrites?"),
            Misconception("the loop of T is taken to run to N",
                          f"[N] -> {{ S[k] -> T[k + {c}] : 0 <= k <= N - {c} }}",
                          "Which is the last T?"),
            Misconception("every S is taken to disturb every T",
                          f"[N] -> {{ S[k] -> T[j] : 0 <= k <= N - {c} and 0 <= j <= N - {c} }}",
                          "How many cells does one S overwrite?"),
            Misconception("the pair goes from the read to the write",
                          f"[N] -> {{ T[j] -> S[j - {c}] : {c} <= j <= N - {c} }}",
                          "Which of the two stands first in equation (1)?"),
        ),
    )  # fmt: skip


def _overwritten(draws: Draws) -> Content:
    c = draws.integer("shift", 0, 2)
    end = f"N - {c}" if c else "N"
    program = f"""param N;  assume N >= {c + 1};  temp tmp;
for i = 0 to N do
  tmp[i] = A[i]; // R
done
for j = 0 to {end} do
  A[{end} - j] = 0; // S
  B[j] = tmp[j]; // T
done"""
    half = f"[N] -> {{ T[j] : {end} <= 2j and 0 <= j <= {end} }}"
    return Content(
        text="Here S clears A from the other end. Write the overwritten reloads: the set of those "
        "T that would read A[j] after some S has overwritten it.",
        program=program,
        task=SetTask(half, f"[N] -> {{ : N >= {c + 1} }}"),
        hints=(
            "Take N = 5 and go through the second loop, step by step: which cells of A are still "
            "as they were?",
            f"S(k) overwrites A[{end} - k]. For which k is that A[j], and does S(k) run before "
            "T(j)? In one iteration S comes first.",
            read(6, "equation (2), OR: the reloads that come after an intermediate write"),
        ),
        right=(
            half,
            f"[N] -> {{ T[j] : exists k : k = {end} - j and 0 <= k and k <= j and j <= {end} }}",
            f"[N] -> {{ T[x] : x + x >= {end} and x <= {end} and x >= 0 }}",
        ),
        misconceptions=(
            Misconception("every T is taken to be disturbed",
                          f"[N] -> {{ T[j] : 0 <= j <= {end} }}",
                          "Is A[0] overwritten when T(0) runs?"),
            Misconception("before and after are exchanged",
                          f"[N] -> {{ T[j] : 2j <= {end} and j >= 0 }}",
                          "When is A[0] overwritten, early or late?"),
            Misconception("the middle is forgotten: in one iteration S comes first",
                          f"[N] -> {{ T[j] : {end} < 2j and 0 <= j <= {end} }}",
                          "Which T and which S meet in the middle?"),
            Misconception("only the last one is looked at", f"[N] -> {{ T[j] : j = {end} }}",
                          "And the one before?"),
            Misconception("writes are taken for reloads",
                          f"[N] -> {{ S[j] : {end} <= 2j and 0 <= j <= {end} }}",
                          "Which statement reloads?"),
        ),
    )  # fmt: skip


def _witness(draws: Draws) -> Content:
    c = draws.integer("shift", 0, 2)
    program = blocked(c)
    return Content(
        text="May T compute A[j] itself, so that tmp can go? If it is refused, name three "
        "instances and a size: `source` reads an operand and stores what it makes of it, "
        "`target` is to compute that itself, and `other` overwrites the operand in between.",
        program=program,
        task=RefusalTask(program, "propagation"),
        hints=(
            "Follow one value: from A to tmp to B. What happens to the cell of A on the way?",
            f"S(0) overwrites A[{c}]. Who wants that cell?",
            read(6, "a witness of a refusal: source, intermediate write, target"),
        ),
        right=(
            f"source R({c}), other S(0), target T({c}), N = {2 * c + 1}",
            f"N = {3 * c + 4}; target T({c + 1}); source R({c + 1}); other S(1)",
            f"source: R[{c + 2}], other: S[2], target: T[{c + 2}], N = {2 * c + 3}",
        ),
        misconceptions=(
            Misconception("values are taken to stay where they are", "legal",
                          "What is in A[0] at the end?"),
            Misconception("the write comes too late",
                          f"source R({c}), other S({c + 1}), target T({c}), N = {3 * c + 4}",
                          "When does your `other` run?"),
            Misconception("the target uses another value",
                          f"source R({c}), other S(0), target T({c + 1}), N = {3 * c + 4}",
                          "Which cell of tmp does your `target` read?"),
            Misconception("source and target are exchanged",
                          f"source T({c}), other S(0), target R({c}), N = {3 * c + 4}",
                          "Which of the two stores into tmp?"),
            Misconception("the size is too small",
                          f"source R({c + 3}), other S(3), target T({c + 3}), N = {c + 2}",
                          "Does R run that often for this N?"),
        ),
    )  # fmt: skip


def _break(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    program = f"""param N;  temp tmp;
for i = 0 to N do
  tmp[i] = {factor} * A[i]; // R
done
for j = 0 to N do
  B[j] = tmp[j]; // T
done"""
    head, tail = program.split("for j = 0 to N do\n")
    broken = f"{head}for j = 0 to N do\n  A[j] = 0; // S\n{tail}"
    before = f"{head}for k = 0 to N do\n  A[k] = 1;\ndone\nfor j = 0 to N do\n{tail}"
    one = f"{head}A[0] = 7;\nfor j = 0 to N do\n{tail}"
    return Content(
        text="Propagation removes tmp from this program. Break it: add one statement, in a loop or "
        "without one, so that tmp has to stay, and B still gets the same values.",
        program=program,
        task=ProgramTask(program, (Stays("tmp"), AtMost(3)), about=("B",)),
        hints=(
            "Who could disturb T, if it read A itself?",
            "Overwrite what R reads, after R has read it and before T would.",
            read(6, "the reload test, and Figure 7b"),
        ),
        right=(broken, before, one),
        misconceptions=(
            Misconception("nothing is changed", program, "What does `%propagate` say of it?"),
            Misconception("an operand is overwritten after all is done",
                          f"{program}\nfor k = 0 to N do\n  A[k] = 0;\ndone",
                          "Does T run before or after this?"),
            Misconception("the operand is overwritten before R reads it",
                          program.replace("for i", "A[0] = 0;\nfor i"),
                          "Is B the same?"),
            Misconception("the temporary is overwritten, not its operand",
                          program.replace("for j", "tmp[0] = 0;\nfor j"),
                          "Is B the same?"),
            Misconception("tmp is simply declared to be needed",
                          program.replace("temp tmp;", ""),
                          "Is tmp still a temporary?"),
            Misconception("something that nobody reads is overwritten",
                          program.replace("for j", "C[0] = 0;\nfor j"),
                          "Which array does R read?"),
        ),
    )  # fmt: skip


def _repair(draws: Draws) -> Content:
    factor = draws.integer("factor", 2, 9)
    program = f"""param N;  temp tmp;
for i = 0 to N do
  tmp[i] = {factor} * A[i]; // R
done
for j = 0 to N do
  A[j] = 0; // S
  B[j] = tmp[j]; // T
done"""
    swapped = program.replace(
        "  A[j] = 0; // S\n  B[j] = tmp[j]; // T", "  B[j] = tmp[j]; // T\n  A[j] = 0; // S"
    )
    apart = (
        program.replace("  A[j] = 0; // S\n", "") + "\nfor k = 0 to N do\n  A[k] = 0; // S\ndone"
    )
    above = f"""param N;  temp tmp;
for i = 0 to N do
  tmp[i] = {factor} * A[i]; // R
  B[i] = tmp[i]; // T
done
for j = 0 to N do
  A[j] = 0; // S
done"""
    return Content(
        text="Here tmp has to stay, since S overwrites what T would read. Repair it: A and B are "
        "to be the same at the end, and `%propagate` is to remove tmp. (Leave tmp in your program; "
        "removing it is what propagation is for.)",
        program=program,
        task=ProgramTask(program, (Goes("tmp"),)),
        hints=(
            "The trouble is the order of two statements. Which two?",
            "T only has to come before the S that overwrites its operand.",
            read(6, "the reload test, and how a witness shows the way out"),
        ),
        right=(swapped, apart, above),
        misconceptions=(
            Misconception("nothing is changed", program, "What is the witness?"),
            Misconception("the assignment that disturbs is left out",
                          program.replace("  A[j] = 0; // S\n", ""), "What is in A at the end?"),
            Misconception("the loop is turned around",
                          program.replace("A[j] = 0", "A[N-j] = 0").replace("B[j] = tmp[j]",
                                                                            "B[N-j] = tmp[N-j]"),
                          "Which of S and T comes first in one iteration?"),
            Misconception("T reads A after all", program.replace("B[j] = tmp[j]",
                                                                 f"B[j] = {factor} * A[j]"),
                          "Is B the same?"),
            Misconception("another temporary takes the place of tmp",
                          program.replace("temp tmp", "temp t").replace("tmp[", "t["),
                          "Why should a new name help?"),
        ),
    )  # fmt: skip


def _by_hand(draws: Draws) -> Content:
    c = draws.integer("reach", 1, 2)
    program = f"""param N;  temp t;
for i = 0 to N + {c} do
  t[i] = A[i] * A[i]; // S
done
for i = 0 to N do
  B[i] = t[i] + t[i + {c}]; // T
done"""
    loop = "param N;\nfor {} = 0 to N do\n  {}\ndone"
    return Content(
        text="Now be the pass yourself: write the program that propagation makes of this one, one "
        "loop and no memory besides A and B. (Formulas are compared as they stand: do not change "
        "the order of operands.)",
        program=program,
        task=ProgramTask(program, (OneNest(), Gone(("t",)), FewCells(
            loop.format("i", f"B[i] = A[i] * A[i] + A[i+{c}] * A[i+{c}];")))),
        hints=(
            f"What is the value of t[i], in terms of A? And of t[i + {c}]?",
            "Put the right-hand side of S where T reads t, with the subscript that T uses.",
            read(6, "propagation: an expression moves to where its value is needed"),
        ),
        right=(
            loop.format("i", f"B[i] = A[i] * A[i] + A[i+{c}] * A[i+{c}];"),
            loop.format("k", f"B[k] = A[k] * A[k] + A[{c}+k] * A[{c}+k]; // T"),
            loop.format("j", f"B[N-j] = (A[N-j] * A[N-j]) + (A[N-j+{c}] * A[N-j+{c}]);"),
        ),
        misconceptions=(
            Misconception("nothing is changed", program, "Is t still there?"),
            Misconception("the same subscript for both reads",
                          loop.format("i", "B[i] = A[i] * A[i] + A[i] * A[i];"),
                          "Which cell of t is the second one?"),
            Misconception("t gets another name, or becomes a scalar",
                          f"param N;  temp s, u;\nfor i = 0 to N do\n  s = A[i] * A[i];\n"
                          f"  u = A[i+{c}] * A[i+{c}];\n  B[i] = s + u;\ndone",
                          "How much memory is there besides A and B?"),
            Misconception("a formula is simplified",
                          loop.format("i", f"B[i] = 2 * A[i] * A[i+{c}];"),
                          "Is a·a + b·b the same as 2·a·b?"),
            Misconception("the value is stored in B, and read again",
                          f"param N;\nfor i = 0 to N + {c} do\n  B[i] = A[i] * A[i];\ndone\n"
                          f"for i = 0 to N do\n  B[i] = B[i] + B[i+{c}];\ndone",
                          "How many cells of B are there, before and after?"),
        ),
    )  # fmt: skip


EXERCISES: Final = (
    Template("lab6.witness", "why tmp stays", _witness),
    Template("lab6.intermediate", "potential intermediate writes", _intermediate),
    Template("lab6.overwritten", "overwritten reloads", _overwritten),
    Template("lab6.break", "break it", _break),
    Template("lab6.repair", "repair it", _repair),
    Template("lab6.by_hand", "be the pass", _by_hand, points=3, transfer=True),
)
