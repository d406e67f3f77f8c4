"""`python -m polynb.tracing`: sources, makefiles, reports."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polynb.errors import PolynbError
from polynb.tracing.__main__ import main

SOURCES = Path(__file__).parent.parent / "programs"

MAKEFILE = """\
prog: main.o heat.o
\tgcc -fopenmp -O3 -o $@ $^ -lm
%.o: %.c heat.h
\t$(CC) -fopenmp -O3 -funroll-loops -march=native -c $<
"""


def test_sources(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows, found = SOURCES / "rows", tmp_path / "found.json"
    assert main([str(rows / "main.c"), str(rows / "rows.c"), "--json", str(found), "--", "12"]) == 0
    said = capsys.readouterr()
    assert "main 12: exit 0, 2,173 entries" in said.out
    assert "column_sums, rows.c:20, called in line 12" in said.out
    assert "Of what functions keep in registers" in said.out
    assert "second run" in said.err
    told = json.loads(found.read_text())
    assert told["entries"] == 2173
    assert {nest["operations"] for nest in told["nests"]} >= {576, 396, 288}
    nest = next(n for n in told["nests"] if n["operations"] == 576)
    assert len(nest["loops"]) == 2
    assert nest["carry_nothing"] == nest["loops"][:1]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
def test_a_makefile(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (SOURCES / "heat").iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "Makefile").write_text(MAKEFILE)
    monkeypatch.chdir(tmp_path)
    assert main(["--build", "make prog CC={cc}", "./prog", "--rows", "2"]) == 0
    said = capsys.readouterr().out
    assert "exit 0, 6,194 entries" in said
    assert "step, heat.c:8, called in line 12" in said
    assert "... and" in said
    again = subprocess.run(["./prog"], capture_output=True, text=True, check=True)
    assert again.stdout.endswith(" 1\n")  # what was built runs on its own, too


@pytest.mark.long
def test_c_plus_plus_with_flags(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SOURCES / "vectors" / name) for name in ("main.cpp", "grid.cpp")]
    assert main([*files, "--flags", "-DUNUSED -std=c++17", "--variant", "F"]) == 0
    assert "Grid::after(Rule const&) const, grid.cpp:20" in capsys.readouterr().out


def test_feedback_sees_what_is_between_nests(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SOURCES / "heat" / name) for name in ("main.c", "heat.c")]
    assert main([*files, "--feedback", "1", "--rows", "1"]) == 0
    said = capsys.readouterr().out
    line = (SOURCES / "heat" / "main.c").read_text().split("/* time */")[0].count("\n") + 1
    assert f"(main, main.c:{line}): 3,500 operations" in said
    assert f"parallelise ct2 (line {line})" not in said  # one step gives to the next
    assert "parallelise i (line 6)" in said


def test_flags_that_begin_with_a_dash_and_doubts(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SOURCES / "rows" / name) for name in ("main.c", "rows.c")]
    assert main([files[0], "--flags", "-pthread", "--feedback", "1", files[1], "--", "6"]) == 0
    said = capsys.readouterr().out
    assert "this holds of one run" in said
    assert "): parallel" in said
    assert "a reduction into sums[j]" in said
    assert "a reduction into a[i][j]" not in said  # `a[i][j] += a[i - 1][j]`


ROUNDS = """\
int o[12], n = 1;
void never(void) {
  for (int i = 0; i < 5; i++)
    o[i] = 1;
}
int main(int argc, char **argv) {
  for (int i = 0; i < 12; i++)
    o[i] = i;
  for (int i = 0; i < n; i++)
    o[i] = 3;
  if (argc > 8) never();
  do
    n--;
  while (n > 3);
  return o[4];
}
"""


@pytest.mark.parametrize("scalars", [[], ["--scalars"]])
def test_loops_that_did_not_run_twice_are_named(
    scalars: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if scalars and shutil.which("clang") is None:
        pytest.skip("clang is not here: it alone shows local variables")
    (tmp_path / "rounds.c").write_text(ROUNDS)
    assert main([str(tmp_path / "rounds.c"), "--feedback", *scalars]) == 0
    said = capsys.readouterr().out
    assert said.count("nothing of it was seen") == 2  # of a `do` that runs once, too
    assert "not known: i (rounds.c:3): nothing of it was seen: it did not run" in said
    assert "i (line 7): parallel\n" in said
    assert "i (line 9): not known to be parallel: it had no second iteration" in said
    assert "parallelise i (line 9)" not in said
    assert re.search(r"ci2 \(line 9\) +-  ", said)


def test_what_a_failed_build_said_is_shown() -> None:
    with pytest.raises(PolynbError) as found:
        main(["--build", "echo 'no input file: grid.txt'; exit 2", "./prog"])
    assert "no input file: grid.txt" in str(found.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["./prog"], "no C or C++ source"),
        (["--build", "false", "./prog"], "the build failed"),
        (["nothing.c"], "did not build"),
    ],
)
def test_what_cannot_be_built(arguments: list[str], message: str) -> None:
    with pytest.raises(PolynbError, match=message.replace("+", r"\+")):
        main(arguments)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "--build" in capsys.readouterr().out
