"""The value of each read and write, against programs that are executed on tags. POLYNB_LAWS is the
number of random ones of each kind (6 unless it is set)."""

import importlib
import os
import sys
from pathlib import Path

import pytest

import polynb as pn
from polynb import isl
from polynb.delicm.values import cells_with, read_values, same_content, values, written_values
from polynb.source.tree import Access

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))
from random_scops import random_program
from reusing_scops import reusing_program
from tagged_runs import tagged_run

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "6"))

LISTING_2 = """
param N, K; assume N >= 1; temp a; inout C[N];
for i = 0 to N-1 do
  T: C[i] = 0;
  T2: a = A[i];
  for k = 0 to K-1 do
    S: C[i] = C[i] + a*B[k];
  done
done
"""


def of(text):
    scop = pn.parse(text)
    found = values(pn.analyze(scop))
    return scop, found


def same(union, text):
    assert union.is_equal(isl.read_union_map(text)), str(union)


def test_listing_2():
    scop, found = of(LISTING_2)
    where = "[N, K] -> { %s : 0 <= i < N and 0 <= k < K }"
    same(found.written["T2"], "[N] -> { T2[i] -> Init_A[i] : 0 <= i < N }")
    same(found.written["T"], "[N] -> { T[i] -> Const_0_double[] : 0 <= i < N }")
    same(found.written["S"], where % "S[i,k] -> Val_S[i,k]")
    same(found.read("S", 1), where % "S[i,k] -> Init_A[i]")
    s = scop.by_name["S"]
    cells = same_content(found, s, found.read("S", 1), ["B", "C", "A"])
    assert cells.is_equal(isl.read_map(where % "S[i,k] -> A[i]").intersect_params(scop.assumed))


def test_constants_are_what_is_stored():
    _scop, found = (
        of("""param N; temp float f, g; temp double z, m, w; temp int32 a, b; temp int8 c;
    F: f = 0.1; G: g = 0.1f; Z: z = 0.0; M: m = -0.0; W: w = 0.1; A: a = 3; B: b = 3.7; C: c = 300;
    D: B[0] = f + g + z + m + w + a + b + c;""")
    )
    names = {
        s: next(isl.tuple_name(m, isl.OUT) for m in isl.maps(found.written[s])) for s in "FGZMWABC"
    }
    assert len(set(names.values())) == len(names)
    assert names["Z"] == "Const_0p0_double"
    assert names["M"] == "Const_m0p0_double"
    assert names["A"] == "Const_3_int32"
    assert names["C"] == "Val_C"  # out of range: up to the compiler


def test_a_conversion_is_a_new_value():
    _, found = of("""param N; input double A[N]; temp float t; temp double u, v;
    for i = 0 to N-1 do T: t = A[i]; U: u = t; V: v = A[i]; B[i] = u + v; done""")
    same(found.written["T"], "[N] -> { T[i] -> Val_T[i] : 0 <= i < N }")
    same(found.written["U"], "[N] -> { U[i] -> Val_U[i] : 0 <= i < N }")
    same(found.written["V"], "[N] -> { V[i] -> Init_A[i] : 0 <= i < N }")


def test_copies_that_feed_themselves_keep_their_own_values():
    """The two scalars are swapped again and again; what copies them elsewhere is followed."""
    _, found = of("""param N; temp t; inout x, y; inout B[N];
    for i = 0 to N-1 do T: t = x; X: x = y; Y: y = t; U: B[i] = y; done""")
    for name in "TXY":
        same(found.written[name], f"[N] -> {{ {name}[i] -> Val_{name}[i] : 0 <= i < N }}")
    same(found.written["U"], "[N] -> { U[i] -> Val_Y[i] : 0 <= i < N }")


def test_what_may_be_written_is_unknown():
    _, found = of("""param N; input int32 idx[N]; inout A[N], B[N], D[N];
    for i = 0 to N-1 do S: A[idx[i]] = B[i]; done
    for i = 0 to N-1 do if B[i] > 0 then G: D[i] = 1; fi done
    for i = 0 to N-1 do T: B[i] = A[i]; done
    for i = 0 to N-1 do U: B[i] = D[i]; done""")
    assert found.written["S"].is_empty()
    assert found.written["G"].is_empty()
    assert found.read("T", 0).is_empty()
    assert found.read("U", 0).is_empty()
    same(found.written["T"], "[N] -> { T[i] -> Val_T[i] : 0 <= i < N }")
    scop = found.scop
    wanted = isl.read_union_map("[N] -> { U[i] -> Init_A[i] : 0 <= i < N }")
    assert cells_with(found, scop.by_name["U"], wanted, "A").is_empty()
    wanted = isl.read_union_map("[N] -> { S[i] -> Init_A[i] : 0 <= i < N }")
    cells = cells_with(found, scop.by_name["S"], wanted, "A")
    assert cells.is_equal(isl.read_map("[N] -> { S[i] -> A[i] : i = 0 and N > 0 }"))


@pytest.mark.parametrize("writer", [random_program, reusing_program])
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_values_are_those_of_an_execution(writer, seed):
    """Equal values are equal tags; and where nothing is uncertain, different tags are different
    values, unless copies feed themselves."""
    scop = pn.parse(writer(seed), "scop")
    found = values(pn.analyze(scop))
    for n in (1, 3):
        sizes = dict.fromkeys(scop.parameters, n)
        if not isl.fix_parameters(scop.context, sizes).is_empty():
            for coin in range(2):
                check_run(scop, found, sizes, coin)


def check_run(scop, found, sizes, coin):
    tags = {}
    of_tags = {}
    ran = tagged_run(scop, sizes, coin)
    written = tables(written_values(found.dependences), sizes)
    reads = tables(read_values(found.dependences, found.written), sizes)
    exact = all(s.affine for s in scop.statements)
    for x in ran:
        s = x.statement
        pairs = [(written[s.name].get(x.point), x.wrote)]
        pairs += [(reads[s.name, k].get(x.point), tag) for k, tag in enumerate(x.reads)]
        for value, tag in pairs:
            assert value is None or tag is not None
            assert value is not None or not exact
            if value is not None:
                assert tags.setdefault(value, tag) == tag, (value, tag)
                of_tags.setdefault(tag, set()).add(value)
    several = [names for names in of_tags.values() if len(names) > 1]
    for names in several:  # only of copies that feed themselves
        made = [name[4:] for name, _ in names if name.startswith("Val_")]
        assert sum(isinstance(scop.by_name[name].expression, Access) for name in made) >= 1
    check_cells(scop, found, sizes, ran, reads, of_tags if exact and not several else None)


def check_cells(scop, found, sizes, ran, reads, of_tags):
    """Where a value is said to be it is; if nothing is uncertain, it is said to be wherever it
    was written or is as it was."""
    for s in scop.statements:
        for k in range(len(s.reads)):
            for array in scop.arrays:
                wanted = found.read(s.name, k)
                cells = cells_with(found, s, wanted, array)
                names = {isl.tuple_name(m, isl.OUT) for m in isl.maps(wanted)}
                assert cells.is_empty() or any(array in found.holders.get(n, ()) for n in names)
                claimed = {}
                for point, cell in isl.pairs(cells, sizes):
                    claimed.setdefault(point, set()).add(cell)
                for x in (x for x in ran if x.statement is s):
                    here = {
                        c for c in claimed.get(x.point, ()) if x.content(array, c) == x.reads[k]
                    }
                    assert here == claimed.get(x.point, set())
                    if of_tags is not None:
                        there = {c for c, t in x.memory.get(array, {}).items() if t == x.reads[k]}
                        assert there <= here, (s.name, k, array, x.point, there, here)


def test_values_are_looked_for_in_arrays_that_may_have_them(monkeypatch):
    """They were in every array for every operand; it was asked what changes it, of all statements:
    a cube of the program."""
    count = 8
    loops = [
        f"for i = 0 to N-1 do s{k} = 0.0;"
        f" for j = 0 to N-1 do s{k} = s{k} + A[i][j] * x{k - 1}[j]; done x{k}[i] = s{k}; done"
        for k in range(1, count + 1)
    ]
    temps = "".join(f" temp s{k};" for k in range(1, count + 1))
    asked = {"destroyers": [], "cells_with": []}
    module = importlib.import_module("polynb.delicm.values")
    for name, calls in asked.items():
        real = getattr(module, name)
        counted = lambda *a, real=real, calls=calls: calls.append(a) or real(*a)  # noqa: E731
        monkeypatch.setattr(module, name, counted)
    pn.forward_operands(pn.parse("\n".join([f"param N; assume N >= 4;{temps}", *loops])))
    assert all(0 < len(calls) <= 3 * count for calls in asked.values())


def tables(unions, sizes):
    """Each relation at these sizes as a dictionary from points to values; single-valued."""
    found = {}
    for key, union in unions.items():
        table = found[key] = {}
        for m in isl.maps(union):
            for point, value in isl.pairs(m, sizes):
                assert point not in table, "an instance with two values"
                table[point] = isl.tuple_name(m, isl.OUT), value
    return found
