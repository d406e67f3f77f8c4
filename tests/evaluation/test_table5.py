"""Table 5's command: rows from traced programs; the suite itself is not here."""

import shutil
from pathlib import Path

import pytest

from polynb.errors import PolynbError
from polynb.evaluation import table5
from polynb.evaluation.table5_paper import PAPER
from polynb.tracing.programs import RunCommand, RunLimits, build, tools, trace

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not here")

NEST = """
#include <stdlib.h>
int main(int n, char **v) {
    int *a = calloc(64 * n, 4), *b = malloc(4 * 64 * n);
    for (int i = 0; i < 64; i++) b[i] = (0 * rand() + 37 * i) % 64;
    for (int t = 0; t < 4; t++)
        for (int i = 1; i < 64; i++)
            a[i] += a[i - 1] + a[b[i]];
    return a[5];
}
"""


def test_every_program_of_the_paper_has_a_row_or_a_reason() -> None:
    named = {p.name for p in table5.PROGRAMS}
    assert len(named) == len(table5.PROGRAMS) == 17
    assert named | set(table5.LEFT_OUT) == set(PAPER)
    assert PAPER["lud"].dependences["F_W"].affine == 98
    assert PAPER["bfs"].instructions["F_GG,W"].live == "367"
    assert all(row.dependences["F"].affine == 100 for row in PAPER.values())


@pytest.mark.parametrize("program", table5.PROGRAMS, ids=lambda p: p.name)
def test_inputs_are_generated_where_arguments_name_them(
    program: table5.SuiteProgram, tmp_path: Path
) -> None:
    directory = table5.lay_out(program, tmp_path)
    for argument in program.arguments:
        if argument.startswith("../"):
            assert (directory / argument).is_file()
    assert program.files() == program.files(), "the same every time"


def test_the_records_of_nn_have_places_where_it_reads_them() -> None:
    for line in table5.records(50, 3).splitlines():
        assert len(line) == 48
        latitude, longitude = line[27:33].split()[0], line[32:39].split()[0]
        assert 7 <= float(latitude) <= 63
        assert 0 <= float(longitude) <= 358


@pytest.mark.long
@needs_gcc
def test_a_row_by_all_four_variants(tmp_path: Path) -> None:
    (tmp_path / "nest.c").write_text(NEST)
    compilers = tools(tmp_path)
    built = build([tmp_path / "nest.c"], tmp_path / "nest", compilers)
    traced = trace(RunCommand(built), variants=table5.VARIANTS)
    row = table5.row_of("nw", traced)
    # a[i], a[i-1], b[i], a[b[i]] read and a[i] written 252 times; 64 written once; main reads one;
    # what rand keeps is not the program's
    assert row.instruction_entries == 5 * 252 + 64 + 1
    assert row.dependences["F"].affine == 1.0
    assert row.dependences["F_W"].affine < 1.0
    assert row.dependences["F_W"].polyhedra < row.dependences["F"].polyhedra
    assert row.dependences["F_GG"].polyhedra <= row.dependences["F"].polyhedra
    text = table5.table([row])
    assert "217M + 111M" in text
    assert text.splitlines()[1].startswith("nw ")


@needs_gcc
@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not here")
@pytest.mark.long
def test_dependences_through_local_variables_count_too_where_they_are_seen(tmp_path: Path) -> None:
    (tmp_path / "nw").mkdir()
    (tmp_path / "nw" / "nest.c").write_text(NEST)
    program, limits = table5.SuiteProgram("nw", ["nest.c"], []), RunLimits(20, 0, 2**31)
    plain, all_ = (table5.measured(program, tmp_path, limits, scalars=s) for s in (False, True))
    assert all_.dependence_entries > 2 * plain.dependence_entries
    assert all_.dependences["F_W"].affine > plain.dependences["F_W"].affine


def test_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(PolynbError, match="is no Rodinia"):
        table5.main([str(tmp_path)])
    (tmp_path / "backprop").mkdir()
    with pytest.raises(PolynbError, match="no program harris"):
        table5.main([str(tmp_path), "harris"])


@needs_gcc
def test_a_program_that_is_missing_fails_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "backprop").mkdir()
    assert table5.main([str(tmp_path), "nw", "leukocyte"]) == 1
    said = capsys.readouterr().err
    assert "needle.cpp is not there" in said
    assert "leukocyte is left out" in said
