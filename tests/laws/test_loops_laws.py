"""Transformations of loops on random programs: whatever they do, the program computes the same,
and they must do something. POLYNB_LAWS is the number of programs (5 unless it is set)."""

import os
from functools import cache
from random import Random

import pytest
from random_scops import random_program
from shares import COUNTS

from polynb.codegen.scan import scan
from polynb.propagation import propagate
from polynb.recurrences import Carried, NotCarried, carry_recurrences
from polynb.rewriting.remainders import plain_remainders
from polynb.run.oracle import equivalent
from polynb.schedules.merging import NotMerged, merge_writes
from polynb.scop.parsing import parse

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "5"))
OPERATIONS = 1_000_000

counted = COUNTS["loops"]


def stencils(seed: int) -> str:
    """A program of stencils on stencils, most of whose loops have recurrences once the
    temporaries are propagated: with strides, loops that count down, gaps, conditions, rows that
    depend on the outer iterator, and writes that get in the way."""
    random = Random(seed)
    rows = random.random() < 0.6
    lines = ["param N, M;", "input double A[N+M+40][N+M+40];", "input double B[N+M+40];"]
    levels = random.randint(1, 3)
    i = "[i]" if rows else ""
    lines += [f"temp double t{k}{'[N+M+40]' * (1 + rows)};" for k in range(levels)]
    lines += [f"output double out{'[N+M+40]' * (1 + rows)};"]
    margin = 4 * levels
    source = "A[i][j{}]" if rows else "B[j{}]"
    for level in range(levels):
        target = f"t{level}{i}[j]"
        value = _stencil(random, source)
        lines += _nest(rows, f"0 to M+{margin + 6}", "", [f"{target} = {value};"])
        source = f"t{level}{i}[j{{}}]"
    value = _stencil(random, source)
    first = random.choice(["8", "9", "i+8" if rows else "10"])
    last = random.choice([f"M+{random.randint(6, 9)}", "M+N+6" if rows else "N+7"])
    span, step = f"{first} to {last}", random.choice(["", "", "", " by 2", " by 3"])
    if random.random() < 0.2:
        span, step = f"{last} to {first}", step.replace("by ", "by -") or " by -1"
    body = [f"out{i}[j] = {value};"]
    if random.random() < 0.15:
        written = "A[i][j+{}]" if rows else "B[j+{}]"
        lines = [x.replace("input", "inout") for x in lines]
        body.append(f"{written.format(random.randint(0, 6))} = 1.0;")
    if random.random() < 0.2:
        body = ["if j != 9 then" if random.random() < 0.5 else "if j <= N+9 then", *body, "fi"]
    lines += _nest(rows, span, step, body)
    return "\n".join(lines) + "\n"


def _stencil(random: Random, source: str) -> str:
    offsets = sorted(random.sample(range(-3, 4), random.randint(2, 4)))
    reads = [source.format(f"{o:+d}" if o else "") for o in offsets]
    terms = [random.choice(["{}", "2.5 * {}", "{} * {}", "f({})"]) for _ in reads]
    text = " + ".join(t.format(*([r] * t.count("{}"))) for t, r in zip(terms, reads, strict=True))
    return f"({text} > 1 ? {text} : {reads[0]})" if random.random() < 0.1 else text


def _nest(rows: bool, span: str, step: str, body: list[str]) -> list[str]:
    lines = [f"for j = {span.replace('0 to', '3 to')}{step} do", *body, "done"]
    return ["for i = 0 to N do", *lines, "done"] if rows else lines


def values(scop):
    return {"N": [0, 1, 4], "M": [0, 2, 3]} if len(scop.parameters) > 1 else {"N": [0, 1, 2, 5]}


def check(before, after, why, *texts):
    answer = equivalent(before, after, values(before))
    assert answer, "\n".join([why, str(answer), *map(str, texts)])


@cache
def programs(seed: int):
    """Programs as written, and one whose temporaries are propagated."""
    plain = parse(random_program(seed), "scop")
    scop = parse(stencils(seed), "scop")
    propagated = propagate(scop, max_operations=OPERATIONS).result
    return ("random", plain, plain), ("stencils", scop, propagated)


def printed_too(before, after, seed):
    """Whether the text of what became of a program means the same."""
    if seed % 4 == 0 and scan(after).body:
        check(before, parse(str(after), "scop"), "printed and parsed again", after)


@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.long
def test_recurrences_keep_what_a_program_computes(seed):
    for kind, scop, before in programs(seed):
        strips = carry_recurrences(before, form="strips", least=1, strip=3)
        check(scop, strips.result, "with recurrences in strips", before, strips.result)
        counted[f"{kind}: recurrences in strips"] += strips.result is not before
        printed_too(scop, strips.result, seed)
        d = carry_recurrences(before, least=1)
        check(scop, d.result, "with recurrences", before, d.result)
        kinds = [type(s) for s in d.steps]
        counted[f"{kind}: recurrences"] += Carried in kinds
        counted[f"{kind}: recurrences refused"] += NotCarried in kinds
        counted[f"{kind}: orders above one"] += any(
            len(group) > 2 for s in d.steps if isinstance(s, Carried) for group in s.scalars
        )
        printed_too(scop, d.result, seed)
    counted["programs"] += 1


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_merging_writes_keeps_what_a_program_computes(seed):
    for kind, scop, before in programs(seed):
        d = merge_writes(before)
        check(scop, d.result, "with merged writes", before, d.result)
        counted[f"{kind}: merged"] += d.result is not before
        counted[f"{kind}: merging refused"] += any(isinstance(s, NotMerged) for s in d.steps)
        printed_too(scop, d.result, seed)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_known_remainders_keep_what_a_program_computes(seed):
    for kind, scop, before in programs(seed):
        result = plain_remainders(before)
        check(scop, result, "without known remainders", before, result)
        counted[f"{kind}: remainders known"] += result is not before


@pytest.mark.long
def test_overlapping_pieces_that_isl_does_not_come_to_an_end_with(monkeypatch):
    """It would call itself until the stack is used up; made disjoint, they take no time."""
    monkeypatch.setattr("polynb.codegen.isl_loops.BUDGET", 1_000_000)
    scop = parse(random_program(995), "scop")
    result = propagate(scop, partial=True, live_out=True, max_operations=1_000_000).result
    again = parse(str(result), "scop")
    assert equivalent(again, result, {"N": [0, 3, 5], "M": [0, 2, 4]})
