"""A scanned program, built again, has the model of the Scop it came from."""

from dataclasses import replace

import islpy
import pytest

from polynb.codegen.declarations import c_declaration, text_declarations, with_positive_extents
from polynb.codegen.scan import scan
from polynb.dependences import analyze
from polynb.schedules.parallel import choose_loops
from polynb.scop.build import build
from polynb.scop.model import Array
from polynb.scop.parsing import parse
from polynb.source.tree import Number
from polynb.source.types import DOUBLE


def described(declarations):
    return {
        d.name: (
            d.role,
            d.type.name if d.type else None,
            None if d.extents is None else len(d.extents),
        )
        for d in declarations
    }


def same_model(a, b):
    assert a.parameters == b.parameters
    assert a.assumed.is_equal(b.assumed)
    assert set(a.arrays) == set(b.arrays)
    for name, x in a.arrays.items():
        y = b.arrays[name]
        assert (x.type, x.role, x.live_in) == (y.type, y.role, y.live_in)
        for e, f in zip(x.extents, y.extents, strict=True):
            assert (e is None) == (f is None)
            assert e is None or a.assumed.is_subset(e.eq_set(f).union(e.domain().complement()))
    for kind in ("reads", "writes"):
        touched = [getattr(s.isl, kind).range().intersect_params(s.assumed) for s in (a, b)]
        assert touched[0].is_equal(touched[1])


def test_figure1_needs_its_temporaries_and_nothing_else(figure1):
    scop = build(figure1)
    assert described(text_declarations(scop)) == {
        "tmp": ("temp", None, None),
        "s": ("temp", None, None),
    }
    same_model(scop, build(scan(scop)))
    same_model(scop, build(scan(choose_loops(scop, analyze(scop), choice="outermost")[0])))


def test_what_the_accesses_imply_is_not_said(make):
    i, n, a, b, c = make.it("i"), make.par("N"), *(make.arr(x) for x in "ABC")
    body = make.loop(i, 0, n, make.assign(b[i], a[i + 1]), make.assign(c[i], c[i] + 1))
    scop = make.scop("N", body)
    assert described(text_declarations(scop)) == {"C": ("inout", None, None)}
    same_model(scop, build(scan(scop)))


def test_types_and_declared_extents_are_said(make):
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    scop = make.scop(
        "N",
        make.declare("input float A"),
        make.declare("output B", n + 7),
        make.loop(i, 0, n, make.assign(b[i], a[i])),
        assume=[n >= 0],
    )
    assert described(text_declarations(scop)) == {
        "A": ("input", "float", None),
        "B": ("output", None, 1),
    }
    same_model(scop, build(scan(scop)))


def test_extents_are_said_once_the_accesses_that_implied_them_are_gone(make):
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    far = make.loop(i, 0, n, make.assign(b[i], a[i + 5], "far"))
    near = make.loop(i, 0, n, make.assign(b[i], a[i], "near"))
    scop = make.scop("N", far, near, assume=[n >= 0])
    left = replace(
        scop,
        statements=scop.statements[1:],
        schedule=scop.schedule.children[1].child,
        program=None,
    )
    assert described(text_declarations(left)) == {"A": ("input", None, 1)}
    same_model(left, build(scan(left)))


def test_arrays_that_nothing_touches_any_more_are_said(make):
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    scop = make.scop(
        "N", make.loop(i, 0, n, make.assign(a[i], 1.0)), make.loop(i, 0, n, make.assign(b[i], 2.0))
    )
    left = replace(
        scop,
        statements=scop.statements[1:],
        schedule=scop.schedule.children[1].child,
        program=None,
    )
    assert described(text_declarations(left)) == {"A": ("output", None, 1)}
    assert set(build(scan(left)).arrays) == {"A", "B"}


def test_what_must_hold_becomes_an_assumption(make):
    """Code is generated for `assumed`: for other values the text must not be run."""
    i, n, a, b = make.it("i"), make.par("N"), make.arr("A"), make.arr("B")
    scop = make.scop("N", make.declare("input A", n), make.loop(i, 0, 3, make.assign(b[i], a[i])))
    assert not scop.requires.plain_is_universe()
    again = build(scan(scop))
    assert again.context.is_equal(scop.assumed)
    same_model(scop, again)


def test_extents_for_c_are_positive():
    anything = islpy.Set("[N] -> { : }")
    size = islpy.PwAff("[N] -> { [(N + 1)] }")
    array = Array("A", DOUBLE, (None, size), "temp")
    plain = c_declaration(array, anything)
    first, second = plain.extents
    assert isinstance(first, Number)
    assert first.value == 0
    assert second.op == "+"
    assert with_positive_extents(plain, array, anything, 2).extents == plain.extents
    first, second = with_positive_extents(plain, array, anything, 0).extents
    assert first.value == 0
    assert second.function == "max"
    known = islpy.Set("[N] -> { : N >= 0 }")
    assert with_positive_extents(plain, array, known, 0).extents == plain.extents


@pytest.mark.parametrize("low", [1, 2, 3])
def test_negative_and_small_extents(make, low):
    """Extents as the accesses imply them, for parameters for which the loop is empty, too."""
    i, n, b = make.it("i"), make.par("N"), make.arr("B")
    scop = make.scop("N", make.loop(i, low, n, make.assign(b[i - low], 1.0)))
    same_model(scop, build(scan(scop)))


def test_extents_that_accesses_do_not_tell_are_declared():
    """Nobody declared them, and data decides which cells are read: a pass knew them."""
    scop = parse("param N; input int64 ix; for i = 0 to N do B[i] = A[ix[i]] + C[i]; done")
    known = replace(scop.arrays["A"], extents=scop.arrays["C"].extents)
    changed = replace(scop, arrays={**scop.arrays, "A": known})
    assert described(text_declarations(scop)).keys() == {"ix"}
    assert described(text_declarations(changed))["A"] == ("input", None, 1)


def test_extents_that_nobody_knows_are_not_declared():
    """Others than its accesses tell, as an array may have that a pass made."""
    scop = parse("param N; for i = 0 to N do for j = 0 to N do B[i][j] = A[i][j]; done done")
    unknown = replace(scop.arrays["A"], extents=(None, scop.arrays["A"].extents[1]))
    changed = replace(scop, arrays={**scop.arrays, "A": unknown})
    assert described(text_declarations(changed)).keys() == set()
