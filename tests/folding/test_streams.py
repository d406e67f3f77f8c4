"""Streams that are empty, have no dimension, are malformed or give up; variants by name."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from polynb import PolynbError, isl
from polynb.folding import (
    BOTTOM,
    TOP,
    Folder,
    FoldingError,
    LabelFunction,
    Variant,
    fold,
    variant_of,
)


def test_no_dimension_is_one_point() -> None:
    found = fold(np.zeros((1, 0), int), [5])
    (piece,) = found.pieces
    assert (piece.points, piece.labels) == (1, (LabelFunction((), 5),))
    assert found.relation.is_equal(isl.Map("{ [] -> [5] }"))
    with pytest.raises(FoldingError, match="is there twice") as error:
        fold(np.zeros((2, 0), int), [5, 6])
    assert error.value.folded.pieces == (piece,)


def test_an_empty_stream_has_no_pieces() -> None:
    found = fold(np.zeros((0, 2), int), np.zeros((0, 1), int))
    assert (found.pieces, found.entries, found.affine, found.most_live) == ((), 0, 1.0, 0)
    assert found.domain.is_empty()
    assert found.relation.is_empty()


def test_without_outputs_there_is_the_domain() -> None:
    found = fold([(i, j) for i in range(3) for j in range(4)], names="i, j")
    assert found.label_text(found.pieces[0]) == "N/A"
    assert found.domain.is_equal(isl.Set("{ [i, j] : 0 <= i < 3 and 0 <= j < 4 }"))


ROWS = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([1, 1], r"entry 5, \(1, 1\), is there twice"),
        ([1, 0], r"entry 5, \(1, 0\), comes too late"),
        ([0, 9], r"entry 5, \(0, 9\), comes too late"),
        ([2, 2**48 + 1], r"entry 5, \(2, 281474976710657\), is too far out"),
    ],
)
@pytest.mark.parametrize("variant", ["F", "F_GG,W"])
def test_malformed_entries_are_named_and_what_came_before_is_kept(bad, said, variant) -> None:
    with pytest.raises(FoldingError, match=said) as error:
        fold([*ROWS, bad, [2, 0]], range(7), variant=variant)
    kept = error.value.folded
    assert (kept.entries, kept.rejected) == (5, 1)
    assert sum(p.points for p in kept.pieces) == 5
    rest = fold([*ROWS, bad, [2, 0]], range(7), variant=variant, skip=True)
    assert (rest.entries, rest.rejected) == (6, 1)
    assert "1 entries were refused" in str(rest)


def test_entries_of_other_dimensions_are_named() -> None:
    with pytest.raises(PolynbError, match=r"entry 2, \(1, 0, 3\), has 3 coordinates"):
        fold([[0, 0], [0, 1], [1, 0, 3]])
    folder = Folder(2, 1, widen=True)
    assert folder.add((0, 0), (5,)) == 0
    with pytest.raises(PolynbError, match=r"entry 1, \(1,\) with 1 labels, does not fit"):
        folder.add((1,), (5,))
    with pytest.raises(PolynbError, match=r"with 0 labels, does not fit"):
        folder.add((1, 2))
    assert folder.entries == 1


def test_a_stream_that_gives_up_has_a_box_around_its_points() -> None:
    points = [(2 * i + 1, 3 * j) for i in range(20) for j in range(20)]
    found = fold(points, range(400), variant="F_GG")
    assert found.gave_up
    assert found.most_live == 4 * 2 + 1 + 1
    box = next(p for p in found.pieces if p.approximate)
    assert box.vertices == ((0, 0), (39, 57))
    assert box.labels == (LabelFunction((TOP, TOP)),)
    assert not box.is_affine
    assert found.affine < 1
    assert sum(p.points for p in found.pieces) == 400
    assert "approximate" in str(found)
    assert not fold(points, range(400), variant="F", kind="dependence").gave_up


def test_the_limit_is_4d_plus_1_live_polyhedra() -> None:
    """As many single points in a row as may live, and one more, after which the next gives up."""
    points = [(0, 2 * j) for j in range(11)]
    assert not fold(points[:10], variant="F_GG").gave_up
    assert fold(points, variant="F_GG").gave_up
    assert [variant_of(n, 3).give_up for n in ("F", "F_W", "F_GG", "F_GG,W")] == [
        None,
        None,
        13,
        13,
    ]


def test_instructions_are_widened_in_all_variants_and_dependences_in_two() -> None:
    points, labels = [[j] for j in range(4)], [0, 1, 2, 9]
    pieces = {
        (variant, kind): len(fold(points, labels, variant=variant, kind=kind).pieces)
        for variant in ("F", "F_W", "F_GG", "F_GG,W")
        for kind in ("instruction", "dependence")
    }
    assert pieces == {(v, k): 2 if k == "dependence" and "W" not in v else 1 for v, k in pieces}


def test_labels_of_64_bits_do_not_overflow() -> None:
    far = 2**62
    for kind, count in (("dependence", 2), ("instruction", 1)):
        found = fold([[0], [1]], [-far - 5, far + 7], variant="F", kind=kind)
        assert len(found.pieces) == count, "the coefficient would need more than 64 bits"
    (piece,) = fold([[5], [6]], [0, far]).pieces
    assert piece.labels[0] == LabelFunction((far,), -5 * far)
    assert piece.relation().is_equal(isl.Map(f"{{ [i] -> [{far}i - {5 * far}] : 5 <= i <= 6 }}"))


def test_marks_are_single_objects_and_print_themselves() -> None:
    assert f"{TOP}{BOTTOM}" == "⊤⊥"
    assert pickle.loads(pickle.dumps(TOP)) is TOP
    f = LabelFunction((2, TOP, -1), 7)
    assert str(f) == "2c1 + ⊤c2 + -1c3 + 7".replace("+ -", "- ")
    assert f.difference((3, 4, 5), (1, 4, 9)) == 2 * 2 + 4
    assert f.difference((3, 4, 5), (1, 3, 9)) is None
    with pytest.raises(PolynbError, match="has no value"):
        f((1, 2, 3))
    assert LabelFunction((2, -1), 7)((3, 4)) == 9


def test_a_variant_says_what_is_wrong() -> None:
    with pytest.raises(PolynbError, match="there is no variant 'F_G'"):
        fold(ROWS, variant="F_G")
    with pytest.raises(PolynbError, match="slope must be at most 8"):
        Variant(slope=9)


def test_what_may_have_no_end_is_refused_at_once():
    with pytest.raises(PolynbError, match=r"points is .*generator.*, not an array"):
        fold(((k,) for k in itertools.count()), [1])
    with pytest.raises(PolynbError, match=r"labels is .*, not an array"):
        fold([[0]], itertools.count())
