"""The pipelines of image pyramids as text: the counts of Table 1 (columns N), types, labels."""

import pytest

from polynb import gallery
from polynb.source import tree as syntax

pytestmark = pytest.mark.long
NAMES = ["pyramid_blending", "interpolate", "local_laplacian"]


def counts(scop):
    """Arrays, loops, statements and accesses; scalars are not counted."""
    touched = [a.array for s in scop.statements for a in (s.write, *s.reads)]
    return (
        sum(a.dimensions > 0 for a in scop.arrays.values()),
        loops(scop.program.body),
        len(scop.statements),
        sum(scop.arrays[a].dimensions > 0 for a in touched),
    )


def loops(body):
    total = 0
    for s in body:
        match s:
            case syntax.For(body=inner):
                total += 1 + loops(inner)
            case syntax.If(then=a, otherwise=b):
                total += loops(a) + loops(b)
    return total


def test_two_have_the_counts_of_table_1():
    assert counts(gallery.load("pyramid_blending")) == (43, 123, 58, 272)
    assert counts(gallery.load("interpolate")) == (39, 186, 182, 294)


def test_local_laplacian_has_the_arrays_of_table_1_and_nearly_its_statements():
    """PolyMage's has 461 loops, 814 statements and 1533 accesses: its frames overlap the pictures
    by two pixels, and what holds in both is written once more."""
    assert counts(gallery.load("local_laplacian")) == (69, 403, 768, 1053)


@pytest.mark.parametrize("name", NAMES)
def test_all_temporaries_are_in_single_precision(name):
    scop = gallery.load(name)
    assert {str(scop.arrays[t].type) for t in scop.temporaries} == {"float"}


def test_local_laplacian_reads_where_data_say_and_nothing_else_is_not_affine():
    scop = gallery.load("local_laplacian")
    unknown = {(s.name, a.array) for s in scop.statements for a in s.reads if not a.must}
    details = {(f"B{i}", f"L{i}") for i in range(7)}
    assert unknown == {("P0", "remap"), ("B7", "P7"), *details}
    assert all(s.affine for n in NAMES[:2] for s in gallery.load(n).statements)
