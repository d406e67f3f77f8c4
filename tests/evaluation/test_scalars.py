"""Scalars in the loops of C files."""

import json
from pathlib import Path

import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation import scalars
from polynb.evaluation.scalars import Reads, places, scalar_reads

GALLERY = Path(pn.gallery.__file__).parent

KERNELS = """#include <stdlib.h>
#include "sizes.h"
void marked(double A[N], double B[N], double w) {
  double t, sum = 0;
#pragma scop
  for (int i = 0; i < N; i++) {
    t = A[i] * w;
    sum = sum + t;
    B[i] = t + w;
  }
  B[0] = sum;
#pragma endscop
}
void also_marked(double A[N]) {
#pragma scop
  for (int i = 0; i < N; i++)
    A[i] = 0;
#pragma endscop
}
int main(void) { return 0; }
"""
WHOLE = """
void scaled(int n, float x[n]) {
  for (int i = 0; i < n; i++) {
    float y = x[i];
    x[i] = y * y;
  }
}
void chased(int n, int x[n]) {
  while (n) n = x[n];
}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "kernels.c").write_text(KERNELS)
    (tmp_path / "deep" / "sizes.h").write_text('#include "sizes.h"\n#define N 100\n')
    (tmp_path / "whole.c").write_text(WHOLE)
    (tmp_path / "broken.c").write_text("void f( {")
    (tmp_path / "foreign.c").write_text('#include "other.h"\nvoid f(void) {}')
    (tmp_path / "notes.txt").write_text("no C")
    return tmp_path


def test_reads_count_by_what_becomes_of_their_scalar():
    scop = pn.parse("""param N; temp double t, s; input double w; output double o;
    for i = 0 to N do
      t = A[i] * w;
      B[i] = t + t * w;
      s = s + A[i];
      o = B[i];
      C[i] = o;
    done
    D = s;""")
    # w twice (only read), t twice (removed), s twice (it accumulates), o once (live-out)
    assert scalar_reads(scop) == Reads(all=7, written=5, removed=2)


def test_marked_functions_or_else_all_are_looked_at(folder):
    found = [(p.file, p.function) for p in places(folder)]
    assert found == [
        ("broken.c", None),
        ("deep/kernels.c", "marked"),
        ("deep/kernels.c", "also_marked"),
        ("foreign.c", None),
        ("whole.c", "scaled"),
        ("whole.c", "chased"),
    ]


def test_headers_come_from_where_they_are_looked_for(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("headers")
    (other / "other.h").write_text("#define M 3\n")
    found = {p.file: p.function for p in places(folder, [other])}
    assert found["foreign.c"] == "f"


def test_the_report_counts_everything_and_says_what_was_refused(folder, capsys):
    file = folder / "found.json"
    assert scalars.main([str(folder), "--json", str(file)]) == 0
    rows = {r["name"]: r["values"] for r in json.loads(file.read_text())["rows"]}
    marked = rows["deep/kernels.c: marked"]
    assert {k: marked[k] for k in ("reads", "written", "removed")} == {
        "reads": 6,  # w, sum, t; t, w; sum
        "written": 4,
        "removed": 2,
    }
    assert rows["whole.c: scaled"]["removed"] == 2
    assert rows["deep/kernels.c: also_marked"]["reads"] == 0
    assert {n for n, v in rows.items() if "refused" in v} == {
        *("broken.c", "foreign.c", "whole.c: chased")
    }
    out = capsys.readouterr().out
    assert "6 functions: 3 read (1 of them without scalar reads), 3 refused" in out
    assert "removed: 50 % of all scalar reads, 67 % of those" in out
    assert 'foreign.c: cannot include "other.h"' in out


def test_several_processes_find_the_same(folder, capsys):
    scalars.main([str(folder)])
    alone = capsys.readouterr().out
    scalars.main([str(folder), "--jobs", "2"])
    assert capsys.readouterr().out == alone


@pytest.mark.long
def test_the_gallerys_c_files_are_all_read():
    found = [scalars.examine(p) for p in places(GALLERY)]
    assert len(found) == len(list(GALLERY.glob("*.c")))
    assert all("reads" in values for values in found)
    assert sum(values["removed"] for values in found) > 0


def test_a_folder_that_is_not_there_or_has_no_c_is_refused(tmp_path):
    with pytest.raises(PolynbError, match="no folder"):
        scalars.main([str(tmp_path / "nowhere")])
    with pytest.raises(PolynbError, match="no C files"):
        scalars.main([str(tmp_path)])


def test_what_polynb_fails_on_is_counted_too(folder, monkeypatch, capsys):
    def failing(scop):
        raise RecursionError("too deep")

    monkeypatch.setattr(scalars, "scalar_reads", failing)
    assert scalars.main([str(folder)]) == 0
    out = capsys.readouterr().out
    assert "6 functions: 0 read" in out
    assert "polynb failed: RecursionError: too deep" in out
