"""Verdicts on pairs of C programs against gcc: nothing is called the same that differs for any
arguments, and hardly anything different of which no bit does.

POLYNB_C_PAIRS is the number of pairs (8 unless it is set), POLYNB_C_PAIRS_FIRST the first seed.
gcc compiles both texts as they are; sizes go to 200, and beyond 2^31 divided by the constants.
"""

import os
import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from c_pairs import ARRAYS, pair
from shares import COUNTS

import polynb as pn

PAIRS = int(os.environ.get("POLYNB_C_PAIRS", "8"))
FIRST = int(os.environ.get("POLYNB_C_PAIRS_FIRST", "0"))
BATCH = 16
TRIES = 24
MORE = 200
SECONDS = 300
RUNNER = Path(__file__).with_name("c_pair_runner.py")
FLAGS = [
    *("-std=c99", "-O1", "-ffp-contract=off", "-w", "-fPIC"),
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,float-cast-overflow",
]
CHECKS = ("add", "sub", "mul", "negate", "divrem")
# A call ends where it touches what is out of bounds, or where the processor cannot divide.
NOTICED = f"""#include <setjmp.h>
#include <signal.h>
int noticed;
static sigjmp_buf start;
static void ended(int signal) {{ noticed = 1; siglongjmp(start, 1); }}
void called(void f(long{", void *" * len(ARRAYS)}), long n, void *{", void *".join(ARRAYS)}) {{
  signal(SIGSEGV, ended);
  signal(SIGFPE, ended);
  if (!sigsetjmp(start, 1)) f(n, {", ".join(ARRAYS)});
}}
""" + "".join(
    f"void __ubsan_handle_{name}(void *d, unsigned long a, unsigned long b) {{ noticed = 1; }}\n"
    for name in (*(f"{c}_overflow" for c in CHECKS), "shift_out_of_bounds", "float_cast_overflow")
)
counted = COUNTS["C pairs"]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def read(text: str) -> pn.Scop | None:
    try:
        return pn.parse(text)
    except pn.PolynbError:  # a subscript that is always out of bounds, say
        return None


def verdicts(first: int) -> dict[int, tuple[str, str, str, list[int], pn.Proof]]:
    found = {}
    for seed in range(first, min(first + BATCH, FIRST + PAIRS)):
        kinds, f, g, sizes = pair(seed)
        scops = read(f), read(g)
        if scops[0] is None or scops[1] is None:
            counted["not read"] += 1
            continue
        proof = pn.prove(*scops, seconds=10)
        witness = proof.difference.witness.parameters if proof.difference is not None else {}
        found[seed] = kinds, f, g, sorted({*sizes, *witness.values()}), proof
    return found


def tries(n: int, proof: pn.Proof) -> int:
    """On how many contents both run: more, where numbers are said to differ."""
    if proof.difference is not None and n in proof.difference.witness.parameters.values():
        return MORE
    return TRIES if n <= 200 else 4


def claimed(proof: pn.Proof, n: int) -> bool:
    """Whether a proof that is for fewer sizes than the first program is for this one."""
    sizes = re.match(r"n [<>]?= -?\d+(?: and n [<>]?= -?\d+)*", proof.condition)
    return sizes is None or all(
        {"<": n <= int(x), ">": n >= int(x), "": n == int(x)}[sign]
        for sign, x in re.findall(r"n ([<>]?)= (-?\d+)", sizes[0])
    )


def mentioned(text: str) -> list[float]:
    """The numbers in a text, and those next to them."""
    found = {float(x) for x in re.findall(r"(?<![\w.])\d+\.?\d*", text)}
    return sorted({s * x + d for x in found for s in (1, -1) for d in (0, 1, 0.25)})


def run(pairs, folder: Path) -> dict[int, list[tuple[int, ...]]]:
    """For each pair and size: in how many tries bits differed where both are defined, where only
    one is, and in how many both are."""
    renamed = [
        f.replace("void f(", f"void f{seed}(") + g.replace("void g(", f"void g{seed}(")
        for seed, (_, f, g, _, _) in pairs.items()
    ]
    source, object_, library = (folder / f"pairs.{x}" for x in ("c", "o", "so"))
    source.write_text("#include <math.h>\n" + "".join(renamed))
    (folder / "noticed.c").write_text(NOTICED)
    subprocess.run(["gcc", *FLAGS, "-c", source, "-o", object_], check=True)
    linked = ["gcc", "-w", "-fPIC", "-shared", object_, folder / "noticed.c", "-o", library, "-lm"]
    subprocess.run(linked, check=True)
    calls = [
        (str(seed), n, ARRAYS, mentioned(p[1] + p[2]), tries(n, p[4]))
        for seed, p in pairs.items()
        for n in p[3]
    ]
    done = subprocess.run(
        [sys.executable, RUNNER],
        input=pickle.dumps((str(library), calls)),
        stdout=subprocess.PIPE,
        check=True,
        timeout=SECONDS,
    )
    found: dict[int, list[tuple[int, ...]]] = {seed: [] for seed in pairs}
    for line in done.stdout.decode().splitlines():
        seed, *numbers = map(int, line.split())
        found[seed].append(tuple(numbers))
    return found


@pytest.mark.parametrize("first", range(FIRST, FIRST + PAIRS, BATCH))
@pytest.mark.long
def test_what_is_called_the_same_has_the_same_bits(first, tmp_path):
    pairs = verdicts(first)
    runs = run(pairs, tmp_path)
    wrong = []
    for seed, (kinds, f, g, _, proof) in pairs.items():
        differs = [n for n, both, _, _ in runs[seed] if both]
        in_one = [n for n, _, one, _ in runs[seed] if one]
        at = differs or (in_one if proof.answer == "the same" else [])
        if proof.one_sided:
            at = [n for n in at if claimed(proof, n)]
        counted["pairs"] += 1
        counted[proof.answer] += 1
        if proof.scope and at:
            wrong.append(f"seed {seed} ({kinds}), n = {at}: {proof}\n{f}{g}")
        if proof.answer == "different" and not (differs or in_one):
            counted["different, and no bits"] += 1
            print(f"seed {seed} ({kinds}): no bits\n{proof}\n{f}{g}")
        counted["not seen, and bits differ"] += not proof and not proof.difference and bool(differs)
    assert not wrong, "\n".join(wrong)


def test_the_engine_makes_pairs_of_all_kinds():
    kinds = Counter(kind for seed in range(300) for kind in pair(seed)[0].split(" and "))
    assert len(kinds) >= 20
    assert min(kinds.values()) >= 2
