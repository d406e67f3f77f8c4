"""Tables of repeated values on random programs: the program computes the same, bit for bit.

Programs look up functions of divisions of the innermost iterator, and of subscripts that data
decides; they are run by the interpreter, because the oracle takes a cell that data decides as one
term with its array. POLYNB_LAWS is the number of programs (5 unless it is set)."""

import os
import re
from random import Random

import numpy as np
import pytest
from shares import COUNTS

from polynb.recurrences import NotCarried, Tabulated, carry_recurrences
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse
from tests.run.interpreter import run

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "5"))
FEW = 2
STRIP = 24

counted = COUNTS["tables"]


def lookups(seed: int) -> tuple[str, bool]:
    """A program, and whether data decides any subscript."""
    random = Random(seed)
    divisor, data = random.choice([1, 2, 3, 4, 4]), random.random() < 0.6
    kept = random.random() < 0.4  # the table's source is a temporary
    source = "T" if kept else "A"
    arguments = [_division(random, divisor) for _ in range(random.randint(1, 4))]
    values = []
    for k in arguments:
        for m in ["at[j]", "at[j+1]"][: random.randint(1, 2)] if data else ["1"]:
            values.append(_blend(random.choice(["w", "A[i][0][0]"]), source, k, m))
    if data and random.random() < 0.3:  # at other cells than A has
        values.append(
            "(at[j] > 1 ? w * D[i][at[j]] + 2.0 * D[i+1][at[j]] : w * A[i][3][at[j]] + w)"
        )
        values[:-1] = [f"(at[j] > 1 || at[j+1] > 1 ? 0.5 : {v})" for v in values[:-1]]
    if random.random() < 0.3:
        k = arguments[0]
        values.append(f"g(I[i][{k}], I[i+1][{k}]) * {random.choice(['1000L', '3'])}")
        values.append(f"I[i][{k}] * I[i+1][{k}] * {random.choice(['1000L', '1000'])}")
    low, high = random.randint(-2, 6), random.choice(["M + 9", "N + M + 12", "i + M + 5"])
    lines = [
        "param N, M; assume N >= 1; assume M >= 1; input double w; define g(a, b) = a / (b + 1);",
        f"input double A[N+2][N+M+40][{FEW}], D[N+2][{FEW + 2}];",
        "input int32 at[N+M+40], I[N+2][N+M+40];",
        f"temp double T[N+2][N+M+40][{FEW}]; output double out[N+2][N+M+40], more[N+2][N+M+40];",
    ]
    if kept:
        first, last = random.choice([(0, "N+M+39"), (0, "N+M+39"), (4, "M+6")])
        lines += [
            f"for i = 0 to N+1 do for k = {first} to {last} do for m = 0 to {FEW - 1} do",
            "  T[i][k][m] = A[i][k][m] * 0.5;",
            "done done done",
        ]
    body = [f"out[i][j+4] = {' + '.join(values)};"]
    if random.random() < 0.2:
        body.append(f"more[i][j+4] = {' - '.join(values)} - 1.0;")
    if random.random() < 0.2:
        lines = [x.replace("input double A", "inout double A") for x in lines]
        body.append(f"A[i][j+{random.randint(4, 9)}][{random.randint(0, 1)}] = 1.5;")
    if random.random() < 0.2:
        body = [f"if {random.choice(['j != 7', 'j <= N+5', 'at[j+4] > 0'])} then", *body, "fi"]
    step = random.choice(["", "", "", "", " by 2"])
    lines += [f"for i = 0 to N do for j = {low} to {high}{step} do", *body, "done done"]
    text = "\n".join(lines).replace("at[j", "at[j+4") + "\n"
    if random.random() < 0.2:
        text = re.sub(r"\bi\b", random.choice(["k0", "k1", "j_strip"]), text)
    return text, data


def _division(random: Random, divisor: int) -> str:
    shift, further = random.randint(-3, 5), random.randint(3, 5)
    return f"floord(j + {shift}, {divisor}) + {further}" if divisor > 1 else f"j + {shift + 5}"


def _blend(weight: str, array: str, k: str, m: str) -> str:
    here, below = f"{array}[i][{k}][{m}]", f"{array}[i+1][{k}][{m}]"
    return f"({here} + {weight} * ({below} - {here}))"


def content(n, m, cells, seed):
    numbers = np.random.default_rng(seed)
    size = n + m + 40
    at = numbers.integers(0, cells, size)
    return {
        "A": numbers.random((n + 2, size, FEW)),
        "D": numbers.random((n + 2, FEW + 2)),
        "I": numbers.integers(0, 2000, (n + 2, size)).astype(np.int32),
        "at": at.astype(np.int32),
        "T": numbers.random((n + 2, size, FEW)),  # read where nothing wrote, if data says so
        "w": 0.25,
    }


@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.long
def test_tables_keep_what_a_program_computes(seed):
    text, data = lookups(seed)
    scop = parse(text, "scop")
    d = carry_recurrences(scop, form="strips", strip=STRIP)
    kinds = {type(s) for s in d.steps}
    counted["programs"] += 1
    counted["tables"] += Tabulated in kinds
    counted["refused"] += NotCarried in kinds
    counted["tables that data decides in"] += Tabulated in kinds and data
    for n, m in [(1, 1), (2, 3), (2, 40)]:
        drawn = content(n, m, FEW + 2 if "D[" in text.partition("for")[2] else FEW, seed)
        given = {k: v for k, v in drawn.items() if k != "T" or scop.arrays["T"].live_in}
        before, after = (run(x, given, N=n, M=m) for x in (scop, d.result))
        for name, array in before.items():
            assert np.array_equal(array, after[name]), f"{name}\n{text}\n{d.result}"
    if not data:
        answer = equivalent(scop, d.result, {"N": [1, 2], "M": [1, 30]})
        assert answer, f"{answer}\n{text}\n{d.result}"
