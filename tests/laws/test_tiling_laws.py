"""Permuting, tiling, interchanging and privatising loops of random programs: whatever they do, the
program computes the same, and so does the text that is printed of it. POLYNB_LAWS is the number of
programs (2 unless it is set)."""

import os
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from random_scops import random_program
from shares import COUNTS

from polynb import isl
from polynb.codegen.scan import scan
from polynb.legality.carried import loops_within
from polynb.run.oracle import equivalent
from polynb.schedules import interchange, permutable_bands, privatize, tile
from polynb.schedules.bands import all_bands, replaced, with_schedule
from polynb.schedules.tiled_dependences import dependences
from polynb.scop.parsing import parse
from polynb.source.scoplang.printer import print_program

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "2"))
FIRST = 2  # what 0 and 1 compute does not change with any order of their loops
SIZES = (1, 2, 3, 7, 50)

counted = COUNTS["tiling"]


def nests(seed: int) -> str:
    """A program of nests of two and three loops over one array, with uniform dependences, bounds
    that depend on other loops, and a scalar."""
    random = Random(seed)
    deep = random.choice([2, 2, 3])
    names = "ijk"[:deep]
    lines = ["param N; assume N >= 0;", f"inout double A{'[2*N+9]' * deep};", "temp double t;"]
    lines += [f"output double B{'[2*N+9]' * deep};"]
    for _ in range(random.randint(1, 2)):
        for n, name in enumerate(names):
            low = random.choice(["1", "2", *names[:n]])
            high = random.choice(["N", "N", "N+2", *(f"{x}+2" for x in names[:n])])
            step = random.choice(["", "", "", " by 2"])
            lines.append(f"for {name} = {low} to {high}{step} do")
        if random.random() < 0.4:
            lines.append(f"t = {_cell(random, names)} * 2.0;")
        else:
            lines.append("t = 1.5;")
        here = "".join(f"[{x}]" for x in names)
        lines.append(f"A{here} = {_cell(random, names)} + t * {_cell(random, names)};")
        if random.random() < 0.5:
            lines.append(f"B{here} = A{here} + t;")
        lines += ["done"] * deep
    return "\n".join(lines) + "\n"


def _cell(random: Random, names: str) -> str:
    """A cell at a distance that is mostly one loop nests can be permuted with."""
    sign = random.choice([-1, -1, -1, 1])
    shifts = [random.choice([0, 0, sign, random.choice([-1, 1])]) for _ in names]
    return "A" + "".join(
        f"[{x}{s:+d}]" if s else f"[{x}]" for x, s in zip(names, shifts, strict=True)
    )


def values(scop):
    return {"N": [0, 1, 3], "M": [0, 2]} if len(scop.parameters) > 1 else {"N": [0, 1, 2, 5]}


def check(before, after, what):
    """Its order, what is generated for people and for compilers, and small texts parsed again."""
    answer = equivalent(before, after, values(before))
    assert answer, f"{what}\n{answer}\n{before}\n{after}"
    for vectors in (False, True):
        program = scan(after, vectors=vectors)
        if program.body:
            generated = replace(
                after, program=program
            )  # the oracle runs a program as it is written
            answer = equivalent(generated, before, values(before))
            assert answer, f"{what}, generated\n{answer}\n{before}\n{print_program(program)}"
            counted["generated"] += 1
    again = parsed(str(after))
    if again is not None:
        answer = equivalent(before, again, values(before))
        assert answer, f"{what}, printed and parsed again\n{answer}\n{before}\n{after}"
        counted["parsed again"] += 1


def parsed(text):
    """The program of a text; None if it takes long to find out which temporaries are read before
    they are written, as it may with many tiles of several shapes."""
    with suppress(isl.BudgetExhausted), isl.budget(300_000):
        return parse(text, "scop")
    return None


def programs(seed: int):
    yield "random", parse(random_program(seed), "scop")
    yield "nests", parse(nests(seed), "scop")


@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
@pytest.mark.long
def test_tiling_keeps_what_a_program_computes(seed):
    random = Random(seed)
    for kind, scop in programs(seed):
        banded = permutable_bands(privatize(scop) if random.random() < 0.7 else scop)
        counted[f"{kind}: programs"] += 1
        check(scop, banded, "permutable bands")
        options = {"separate": random.random() < 0.4, "shift": random.random() < 0.4}
        deep = [b for b in all_bands(banded.schedule) if b.depth > 1]
        if deep:
            counted[f"{kind}: tiled"] += 1
            sizes = random.choice(SIZES)
            check(scop, tile(banded, sizes, **options), f"tiles of {sizes}, {options}")
        bands = all_bands(banded.schedule)
        if bands:
            number = random.randrange(len(bands))
            sizes = tuple(random.choice(SIZES) for _ in range(bands[number].depth))
            tiled = tile(banded, sizes, band=number, **options)
            check(scop, tiled, f"tiles of {sizes} of band {number}, {options}")
            inner = tile(tile(banded, 7, band=number), 2, band=number + 1, **options)
            check(scop, inner, f"tiles in tiles of band {number}, {options}")


@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
def test_interchange_keeps_what_a_program_computes(seed):
    random = Random(seed)
    for kind, scop in programs(seed):
        banded = permutable_bands(privatize(scop))
        for number, band in enumerate(all_bands(banded.schedule)):
            order = random.sample(range(band.depth), band.depth)
            if order != sorted(order):
                counted[f"{kind}: interchanged"] += 1
                check(scop, interchange(banded, order, band=number), f"{number}: {order}")


@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
def test_loops_that_carry_nothing_may_run_backwards(seed):
    """What may run in parallel may run in the opposite order too."""
    for kind, scop in programs(seed):
        banded = permutable_bands(privatize(scop))
        for loop in loops_within(banded, dependences(banded).edges):
            if loop.carried is not None:
                counted[f"{kind}: carries"] += 1
                continue
            counted[f"{kind}: carries nothing"] += 1
            turned = backwards(banded, loop.band, loop.member)
            answer = equivalent(scop, turned, values(scop))
            assert answer, f"{answer}\n{scop}\n{turned}"


def backwards(scop, band, k):
    """The program with one loop the other way round."""
    dims = [f"t{n}" for n in range(band.depth)]
    turned = [f"-{t}" if n == k else t for n, t in enumerate(dims)]
    change = isl.Map(f"{{ [{', '.join(dims)}] -> [{', '.join(turned)}] }}")
    members = {name: m.apply_range(change) for name, m in band.members.items()}
    return with_schedule(scop, replaced(scop.schedule, [(band, replace(band, members=members))]))
