"""The engine's interface: rows, one by one, pieces that are taken as they come, a clean run under
the sanitizers, and the reference where there is no compiler."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from polynb import PolynbError
from polynb.folding import FoldedPiece, Folder, engine, fold, streams
from polynb.folding.engine import library as library_module
from polynb.folding.engine.library import NUMBERS, library
from polynb.folding.engine.streaming import EngineFolder, pieces_of
from polynb.run import compilers


def at(array: np.ndarray):
    return array.ctypes.data_as(NUMBERS)


def new(dims: int, outputs: int, give_up: int = 0) -> EngineFolder:
    return EngineFolder(dims, outputs, widen=True, give_up=give_up)


def stats(folder: EngineFolder) -> tuple[int, ...]:
    return folder.entries, folder.most_live, folder.gave_up, folder.rejected


@pytest.mark.parametrize("give_up", [0, 1, 9])
@pytest.mark.long
def test_rows_and_single_entries_are_the_same_as_arrays(give_up: int) -> None:
    r = np.random.default_rng(1)
    rows = [((i, int(r.integers(3))), r.integers(0, 3, (n, 2))) for i, n in enumerate(
        r.integers(1, 9, 60))]  # fmt: skip
    by_row, by_entry, whole = (new(2, 2, give_up) for _ in range(3))
    points = [(i, j + k) for (i, j), labels in rows for k in range(len(labels))]
    for start, labels in rows:
        first = np.array(start, np.int64)
        code = library().fold_row(by_row._handle, at(first), len(labels), at(labels))
        assert code == 0
    every = np.concatenate([labels for _, labels in rows])
    for point, label in zip(np.array(points), every, strict=True):
        assert library().fold_add(by_entry._handle, at(point), at(label)) == 0
    assert whole.feed(np.array(points), every) == (len(points), 0)
    pieces = whole.finish()
    assert by_row.finish() == by_entry.finish() == pieces
    assert stats(by_row) == stats(by_entry) == stats(whole)


def test_pieces_can_be_taken_while_the_stream_goes_on() -> None:
    folder, found = new(1, 1), []
    small, room = np.zeros(4, np.int64), np.zeros(64, np.int64)
    for k in range(1000):
        point, label = np.array([2 * k]), np.array([k * k])
        assert library().fold_add(folder._handle, at(point), at(label)) == 0
        waiting = library().fold_pieces(folder._handle, at(small), 4)
        assert waiting == (0 if k == 0 else -8)
        if waiting:
            written = library().fold_pieces(folder._handle, at(room), 64)
            found += pieces_of(room[:written].tolist(), 1, 1)
    assert len(found) == 999
    (last,) = folder.finish()
    reference = fold([[2 * k] for k in range(1000)], [k * k for k in range(1000)], variant="F")
    assert (*found, last) == reference.pieces
    assert all(isinstance(p, FoldedPiece) for p in found)


def test_what_cannot_be_folded_is_no_stream() -> None:
    for arguments in ((25, 0, 1, 0, 1), (2, 65, 1, 0, 1), (-1, 0, 1, 0, 1), (1, 1, 1, -1, 1)):
        assert library().fold_new(*arguments) is None
    with pytest.raises(PolynbError, match="no memory"):
        new(25, 1)


def test_long_streams_go_to_the_engine_and_to_the_reference_without_a_compiler(monkeypatch) -> None:
    points = np.argwhere(np.ones((streams.LONG // 10, 10)))
    found = fold(points, points)
    made = []
    monkeypatch.setattr(streams, "Folder", lambda *a, **k: made.append(1) or Folder(*a, **k))
    assert fold(points, points).pieces == found.pieces
    assert not made
    assert fold(points[:99], points[:99]).entries == 99
    assert made == [1]

    def none(requested=None):
        raise PolynbError("there is no C compiler here")

    monkeypatch.setattr(compilers, "find", none)
    library_module.library.cache_clear()
    try:
        assert not engine.available()
        assert fold(points, points).pieces == found.pieces
        assert made == [1, 1]
        with pytest.raises(PolynbError, match="no C compiler"):
            fold(points, points, engine="c")
    finally:
        library_module.library.cache_clear()


def test_labels_that_leave_64_bits_are_seen() -> None:
    step = 2**62 + 3
    labels = np.array([(k * step + 2**63) % 2**64 - 2**63 for k in range(9)], np.int64)
    points = np.arange(9).reshape(-1, 1)
    for kind in ("dependence", "instruction"):
        found = [
            fold(points, labels, kind=kind, variant="F", engine=e).pieces for e in ("python", "c")
        ]
        assert found[0] == found[1]
        assert (len(found[0]) > 1) == (kind == "dependence")


SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover"]
DRIVER = r"""
#include <stdio.h>
int main(void) {
  unsigned state = 1;
  for (int way = 0; way < 24; way++) {
    int dims = 1 + way % 4, outputs = way % 3;
    fold *f = fold_new(dims, outputs, way & 1, way & 2 ? 4 * dims + 1 : 0, 1 + way / 12);
    int64_t iv[4] = {0}, label[2], out[4096], stats[6];
    for (int n = 0; n < 20000; n++) {
      for (int q = 0; q < dims; q++) {
        state = state * 1664525u + 1013904223u;
        if (q == dims - 1) iv[q] += 1 + (state >> 24 < 60);
        else if (state >> 24 < 20) {
          iv[q]++;
          for (int r = q + 1; r < dims; r++) iv[r] = 0;
          break;
        }
      }
      label[0] = 3 * iv[0] + (state >> 28 == 0), label[1] = (int64_t)state * iv[dims - 1];
      fold_add(f, iv, label);
      if (n % 1000 == 0) while (fold_pieces(f, out, 4096) > 0) {}
    }
    if (fold_finish(f)) return 1;
    while (fold_pieces(f, out, 4096) > 0) {}
    fold_stats(f, stats);
    printf("%d %d %ld %ld\n", dims, outputs, (long)stats[0], (long)stats[5]);
    fold_free(f);
  }
  return 0;
}
"""


@pytest.mark.long
def test_it_is_clean_under_the_sanitizers(tmp_path: Path) -> None:
    compiler = compilers.find()
    if compiler.name == "zig":
        pytest.skip("zig has no address sanitizer")
    source, program = tmp_path / "driver.c", tmp_path / "driver"
    source.write_text(engine.text() + DRIVER)
    flags = ["-std=gnu99", "-O1", "-g", "-Wall", "-Wextra", "-Werror", *SANITIZED]
    command = [*compiler.command, *flags, str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    lines = [line.split() for line in ran.stdout.splitlines()]
    assert len(lines) == 24
    assert all(int(entries) > 1000 and rest == "0" for _, _, entries, rest in lines)


def test_the_memory_is_that_of_the_live_polyhedra() -> None:
    """Ten times the rows in the same room, if retired pieces are taken."""
    live = []
    for rows in (100, 1000):
        folder = new(2, 1)
        for i in range(rows):
            labels = np.arange(50, dtype=np.int64)
            start = np.array([2 * i, 0], np.int64)
            assert library().fold_row(folder._handle, at(start), 50, at(labels)) == 0
            room = np.zeros(64, np.int64)
            library().fold_pieces(folder._handle, at(room), 64)
        found = np.zeros(6, np.int64)
        library().fold_stats(ctypes.c_void_p(folder._handle), at(found))
        live.append((int(found[1]), int(found[2]), int(found[5])))
    assert live[0] == live[1]
