"""A copy of any one notebook runs anywhere: it reads nothing beside it, and nothing of the tests.

`POLYNB_LARGE=1 python -m pytest tests/notebooks/test_alone.py` runs all of them so; without it,
the quick ones.
"""

import ast
import os
import re
import shutil
from importlib.util import find_spec

import nbformat
import pytest

nbclient = pytest.importorskip("nbclient")
pytest.importorskip("matplotlib")

from .conftest import PATHS, code_cells, parsed, read  # noqa: E402

pytestmark = pytest.mark.notebook
QUICK = ("evaluation",)
RUN = tuple(PATHS) if os.environ.get("POLYNB_LARGE") else QUICK
FILE = re.compile(r"[\w./-]+\.(json|py|csv|npy|png|jpe?g|svg)")


def test_these_are_the_notebooks():
    assert {"errata", "evaluation", "01_instances"} <= set(PATHS)
    assert set(QUICK) <= set(PATHS)


def is_beside(text):
    """Whether a text names a file or folder where the notebook is, or above it."""
    return bool(re.match(r"\.{1,2}(/|$)", text) or FILE.fullmatch(text))


@pytest.mark.parametrize("name", PATHS)
def test_it_names_no_file_beside_it(name):
    wrong = []
    for cell in code_cells(name):
        nodes = list(ast.walk(parsed(cell)))
        joined = [n.right for n in nodes if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
        for n in nodes:
            text = isinstance(n, ast.Constant) and isinstance(n.value, str)
            if text and n not in joined and is_beside(n.value):
                wrong.append(f"{cell.id}: {n.value!r}")
    assert not wrong


@pytest.mark.parametrize("name", PATHS)
def test_what_it_imports_is_installed_with_polynb(name):
    found = {
        module
        for cell in code_cells(name)
        for node in ast.walk(parsed(cell))
        for module in (
            [a.name for a in node.names] if isinstance(node, ast.Import)
            else [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert "polynb" in {m.partition(".")[0] for m in found}
    assert not [m for m in found if m.partition(".")[0] in ("tests", "conftest")]
    assert not [m for m in found if find_spec(m) is None]


@pytest.mark.parametrize("name", RUN)
def test_a_copy_alone_in_a_folder_runs(name, tmp_path, monkeypatch):
    copy = shutil.copy(PATHS[name], tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(copy, 4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=1800, resources=resources).execute()
    before = [bool(c.get("outputs")) for c in read(name).cells]
    assert [bool(c.get("outputs")) for c in notebook.cells] == before
