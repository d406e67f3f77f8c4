"""What is read is spelt: texts, notebooks, docstrings and what displays say."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from polynb.site.reference.terms import prose
from polynb.site.sources import found

pytest.importorskip("codespell_lib")
ROOT = Path(__file__).parents[2]
NAMES = "inout,nd,stap"  # of the language and of programs


def texts():
    """The texts by a name that says where they stand."""
    for path in (*ROOT.glob("*.md"), *(ROOT / "notebooks").rglob("*.md")):
        yield path, path.read_text("utf-8")
    for path in found(ROOT):
        yield path, prose(path)
    for path in (ROOT / "polynb").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        said = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        yield path, "\n".join(s for s in said if isinstance(s, str) and " " in s)
    for path in (ROOT / "polynb").rglob("*.toml"):
        yield path, path.read_text("utf-8")
    for path in (ROOT / "polynb" / "show").glob("*.json"):
        yield path, path.read_text("utf-8")


def misspelt(folder):
    command = [sys.executable, "-m", "codespell_lib", "--ignore-words-list", NAMES, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.long
def test_nothing_is_misspelt(tmp_path):
    count = 0
    for path, text in texts():
        (tmp_path / f"{'!'.join(path.relative_to(ROOT).parts)}.txt").write_text(text, "utf-8")
        count += 1
    assert count > 600
    assert misspelt(tmp_path) == ""


def test_a_misspelt_word_is_found(tmp_path):
    (tmp_path / "a.txt").write_text("It is definately wrong.")
    assert "definately ==> definitely" in misspelt(tmp_path)
