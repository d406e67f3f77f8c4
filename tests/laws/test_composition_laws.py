"""The passes one after the other, in any order, on random programs: the result computes the same,
and so do its tiles. POLYNB_LAWS is the number of programs (12 unless it is set)."""

import os
from random import Random

import pytest
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program
from shares import COUNTS

from polynb.codegen import kernel_source
from polynb.delicm import map_scalars, remove_scalars
from polynb.dependences import analyze
from polynb.isl import BudgetExhausted
from polynb.legality.private import marked_private
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.run.oracle import equivalent
from polynb.schedules import tile
from polynb.schedules.bands import all_bands, several_permutable
from polynb.schedules.contracting import contract_marked
from polynb.schedules.parallel import choose_loops
from polynb.scop.parsing import parse

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "12"))
counted = COUNTS["composition"]


def program(seed):
    return parse((random_program, reusing_program, scalar_program, scalar_program)[seed % 4](seed))


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_passes_in_any_order_compute_the_same(seed):
    scop = program(seed)
    passes = [propagate, remove_scalars, reorder]
    Random(seed).shuffle(passes)
    found = scop
    counted["programs"] += 1
    for run in passes:
        try:
            found = run(found).result
        except BudgetExhausted:
            counted["given up"] += 1
    values = {p: [0, 1, 3] if p == "N" else [0, 2] for p in scop.parameters}
    said = f"{[p.info.name for p in passes]}\n{scop}\n{found}"
    assert equivalent(scop, found, values), said
    wide = [b for b in all_bands(found.schedule) if several_permutable(b)]
    if wide:
        counted["tiled"] += 1
        tiled = tile(found, 2, band=all_bands(found.schedule).index(wide[0]))
        assert equivalent(scop, tiled, values), said


GIVEN = """param N;  assume N >= 1;  temp s[N], c;  inout A[N+1];  inout X[N+1];
for i = 0 to N-1 do s[i] = A[i+1]; done
for i = 0 to N-1 do
  B[i] = s[i]; // T
  A[i] = 0; // U
  c = X[i+1]; // V
  X[i+1] = c; // W
done"""


@pytest.mark.parametrize("run", [propagate, remove_scalars])
def test_a_pass_takes_back_what_loops_were_said_to_be(run):
    """T reads A[i+1] after propagation, which the next iteration overwrites: the loop, parallel
    before, carries a dependence."""
    scop = parse(GIVEN)
    marked = choose_loops(scop, analyze(scop), choice="outermost")[0]
    assert any("parallel" in b.kinds for b in all_bands(marked.schedule))
    found = run(marked).result
    assert found is not marked
    assert not any("parallel" in b.kinds for b in all_bands(found.schedule))


LOCAL = """param N;  assume N >= 1;  temp s, t;
for i = 0 to N-1 do for j = 0 to N-1 do s = A[i][j] * 2.0; C[i][j] = s + A[i][j]; done done
for i = 0 to N-1 do for j = 0 to N-1 do t = C[i][j] * 2.0; D[i][j] = t + 1; done done"""


@pytest.mark.parametrize("run", [propagate, remove_scalars, map_scalars])
def test_scalars_that_are_gone_are_private_no_longer(run):
    tiled = reorder(parse(LOCAL), tile=4).result
    assert marked_private(tiled.schedule) == ("s", "t")
    found = run(tiled).result
    assert not {"s", "t"} <= found.arrays.keys()
    assert set(marked_private(found.schedule)) <= found.arrays.keys()
    kernel_source(contract_marked(found))
    assert widths(found) == widths(tiled) == [4, 4, 1, 1]


def widths(scop):
    return [x.width for b in all_bands(scop.schedule) for x in b.loops]
