"""Streams in files: what any tracer may write, and what is wrong with what it wrote."""

from __future__ import annotations

import numpy as np
import pytest

import polynb as pn
from polynb.tracing import StreamsError, read_streams, write_streams

SMALL = """# polynb streams 1
stream I1: cj, ck -> address
stream I4: cj, ck ->
stream I1 -> I4: cj, ck -> cj', ck'
I1: 0 0 -> 12   # the first
I1 -> I4: 0 0 -> 0 0
I4: 0 0 ->
I1: 0 1 -> 20
I4: 0 1 ->
I1 -> I4: 0 1 -> 0 1
"""
PROGRAM = """
int main(void) {
  int A[8][8], s = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j <= i; j++) A[i][j] = i * j;
  for (int i = 0; i < 8; i++) s += A[i][i];
  return s & 1;
}
"""


def test_a_small_file(tmp_path):
    file = tmp_path / "small.txt"
    file.write_text(SMALL)
    folding = read_streams(file)
    assert folding.instructions["I1"].kind == "load"
    assert folding["I1"].relation.is_equal(
        pn.isl.Map("{ I1[cj, ck] -> [8ck + 12] : cj = 0 and 0 <= ck <= 1 }")
    )
    assert folding["I1", "I4"].relation.is_equal(
        pn.isl.Map("{ [cj, ck] -> [cj, ck] : cj = 0 and 0 <= ck <= 1 }")
    )


@pytest.mark.parametrize("name", ["streams.txt", "streams.npz"])
def test_what_is_written_is_read_again(name, tmp_path):
    folding = pn.trace(PROGRAM, streams=True)
    again = read_streams(write_streams(folding, tmp_path / name))
    assert set(again.executed) == set(folding.executed)
    assert set(again.dependences) == set(folding.dependences)
    for key in (*folding.executed, *folding.dependences):
        assert again[key].pieces == folding[key].pieces
        assert again[key].stream == folding[key].stream


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("I1: 0 x -> 3", "line 11: no entry is"),
        ("I1: 0 2", "line 11: no entry is"),
        ("I1: 0 2 3 -> 4", "I1 has 2 coordinates, and this entry 3"),
        ("I1: 0 2 -> 4 5", "I1 has 1 labels, and this entry 2"),
        ("I2: 0 2 -> 4", "the stream I2 is not declared"),
        ("stream I1: i -> value", "declared twice"),
        ("stream I7: i, -j -> value", "'-j' is no name"),
        ("stream what ever", "no stream is declared"),
        ("I1: 0 1 -> 20", "line 11"),
        ("I1: 0 0 -> 20", "line 11"),
        ("I1: 0 2 -> 99999999999999999999", "does not fit 64 bits"),
        ("\x00\xff", "no entry is"),
    ],
)
def test_a_malformed_line_keeps_what_was_folded(line, said, tmp_path):
    file = tmp_path / "streams.txt"
    file.write_text(SMALL + line + "\nI1: 0 7 -> 1\n")
    with pytest.raises(StreamsError, match=said) as caught:
        read_streams(file)
    folding = caught.value.folding
    assert not folding.run.complete
    assert folding["I1"].entries == 2
    assert folding["I1", "I4"].entries == 2


def test_out_of_order_can_be_left_out(tmp_path):
    file = tmp_path / "streams.txt"
    file.write_text(SMALL + "I1: 0 0 -> 5\nI1: 0 2 -> 28\n")
    folding = read_streams(file, skip=True)
    assert (folding["I1"].entries, folding["I1"].rejected) == (3, 1)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"I1/points": np.zeros((2, 1))}, r"integers"),
        ({"I1/points": np.arange(3), "I1/labels": np.arange(2)}, "2 labels of 3 points"),
        ({"I 1/points": np.arange(3)}, "no name of a stream"),
        ({"I1/points": np.arange(3)[::-1]}, "comes too late"),
        ({"I1/points": np.arange(3), "I1/names": np.array(["a", "b"])}, "1 names are needed"),
    ],
)
def test_malformed_arrays(arrays, said, tmp_path):
    file = tmp_path / "streams.npz"
    np.savez(file, **arrays)
    with pytest.raises(StreamsError, match=said):
        read_streams(file)


def test_files_that_are_none(tmp_path):
    (tmp_path / "x.npz").write_text("no archive")
    for name in ("x.npz", "missing.txt"):
        with pytest.raises(pn.PolynbError):
            read_streams(tmp_path / name)
    for wrong in ("a\0b.npz", "a\0b", "\ud800", 5):
        with pytest.raises(pn.PolynbError, match="path must be"):
            read_streams(wrong)
    with pytest.raises(pn.PolynbError, match="kept no entries"):
        write_streams(pn.trace("int main(void) { return 0; }"), tmp_path / "y.txt")


ARRAYS = {
    "labels that do not fit": (
        {"I1/points": np.arange(2), "I1/labels": np.array([1, 2**63], np.uint64)},
        "I1/labels holds 9223372036854775808, which does not fit 64 bits with a sign",
    ),
    "no points": ({"I1/labels": np.arange(2)}, "it belongs to no stream: `I1/points` is none"),
    "nothing": ({}, "no stream is in it"),
    "names that are none": (
        {"I1/points": np.arange(2), "I1/names": np.array("i")},
        "1 names are needed",
    ),
    "many dimensions": ({"I1/points": np.zeros((1, 99), int)}, "99 numbers in each entry"),
}


@pytest.mark.parametrize(("arrays", "said"), ARRAYS.values(), ids=ARRAYS)
def test_arrays_that_are_no_streams(arrays, said, tmp_path):
    np.savez(tmp_path / "wrong.npz", **arrays)
    with pytest.raises(StreamsError, match=said):
        read_streams(tmp_path / "wrong.npz")


def test_a_damaged_archive_is_read_or_complained_of(tmp_path):
    good = tmp_path / "good.npz"
    points = np.argwhere(np.tri(6))
    np.savez(good, **{"I1/points": points, "I1/labels": points.sum(axis=1)})
    whole, file, refused = good.read_bytes(), tmp_path / "damaged.npz", 0
    draw = np.random.default_rng(7)
    for k in range(150):
        data = bytearray(whole[: draw.integers(len(whole))] if k % 3 == 0 else whole)
        for at in draw.integers(max(len(data), 1), size=4 * bool(data)):
            data[at] = draw.integers(256)
        file.write_bytes(data)
        try:
            read_streams(file)
        except pn.PolynbError:
            refused += 1
    assert refused > 50
    np.save(tmp_path / "one.npy", points)
    (tmp_path / "one.npy").rename(file)
    with pytest.raises(pn.PolynbError, match="is no NumPy file"):
        read_streams(file)
