"""nbval on a notebook with the stepper in it: it passes as it was run, and fails if it says
something else, in its text or in its pictures."""

import copy
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from polynb.show.trace.saved import MIME

pytestmark = pytest.mark.notebook
nbval_plugin = pytest.importorskip("nbval.plugin")
pytest.importorskip("anywidget")
nbclient = pytest.importorskip("nbclient")

TESTS = Path(__file__).parents[1]
NOTEBOOKS = TESTS.parent / "notebooks"
TURNED = {
    "It computes the same": "It does not compute the same",
    "are removed": "are kept",
    "is removed": "is kept",
    "legal": "illegal",
}
CELLS = (
    "%load_ext polynb",
    "%%propagate fast\nparam N;  temp t;\nfor i = 0 to N do t[i] = A[i]; done\n"
    "for i = 0 to N do B[i] = t[i]; done",
    "%step fast N=3",
    "%%scop shown\nparam N;\nfor i = 1 to N do B[i] = B[i-1]; done",
)


@pytest.fixture(scope="module")
def notebook():
    cells = [nbformat.v4.new_code_cell(c) for c in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    found = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbclient.NotebookClient(found, timeout=120).execute()
    return found


def passes(notebook, folder):
    nbformat.write(notebook, folder / "stepped.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q"]
    command += ["-p", "no:cacheprovider", "--nbval-sanitize-with", str(TESTS / "sanitize.cfg")]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [*command, "stepped.ipynb"], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.returncode == 0


def outputs(notebook):
    return [o for c in notebook.cells for o in c.get("outputs", ()) if "data" in o]


def test_it_has_the_trace_the_static_page_and_the_text(notebook):
    """And what `%step` shows is a widget as well."""
    without = {MIME, "text/html", "text/plain"}
    found = [set(output.data) for output in outputs(notebook)]
    assert found == [without, without | {"application/vnd.jupyter.widget-view+json"}, without]


def test_it_passes_as_it_was_run(notebook, tmp_path):
    assert passes(notebook, tmp_path)


def test_another_sentence_fails(notebook, tmp_path):
    broken = copy.deepcopy(notebook)
    data = outputs(broken)[0].data
    assert "2 statements became 1" in data["text/plain"]
    data["text/plain"] = data["text/plain"].replace("became 1", "became 2")
    assert not passes(broken, tmp_path)


def said(sentence, notebook):
    """The notebook whose display says this of what was propagated."""
    found = copy.deepcopy(notebook)
    data = outputs(found)[0].data
    for kind in ("text/plain", "text/html"):
        data[kind], times = re.subn(r"It computes the same[^<\n]*", sentence, data[kind])
        assert times == 1
    return found


def test_how_a_verdict_is_known_may_differ_and_the_verdict_may_not(notebook, tmp_path):
    """In the time that a display has, one machine proves what another one checks."""
    assert passes(said("It computes the same, checked for N = 0, 1.", notebook), tmp_path)
    for turned in (
        "It does not compute the same: for N = 0, B[0] is another.",
        "It computes the same but for form, checked for N = 0, 1.",
        "Whether it computes the same is not known: a subscript is not affine.",
    ):
        assert not passes(said(turned, notebook), tmp_path), turned


def test_every_stored_verdict_would_fail_if_it_were_turned_around():
    """As nbval compares texts, without running anything."""
    patterns = nbval_plugin.get_sanitize_patterns((TESTS / "sanitize.cfg").read_text("utf-8"))

    def compared(text):
        for pattern, replaced in patterns:
            text = re.sub(pattern, replaced, text)
        return text

    turned = 0
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        for output in outputs(nbformat.read(path, 4)):
            for text in filter(lambda t: isinstance(t, str), output.data.values()):
                for yes, no in TURNED.items():
                    if yes in text:
                        assert compared(text) != compared(text.replace(yes, no)), path.name
                        turned += 1
    assert turned >= 20


def test_other_bytes_of_the_same_trace_pass_and_another_trace_fails(notebook, tmp_path):
    """Compressed bytes depend on zlib's version."""
    broken = copy.deepcopy(notebook)
    data = outputs(broken)[0].data
    name, version, key, packed = data[MIME].split(" ")
    data[MIME] = f"{name} {version} {key} {packed[:-8]}AAAAAAA="
    assert passes(broken, tmp_path)
    data[MIME] = f"{name} {version} {'0' * 8} {packed}"
    assert not passes(broken, tmp_path)


def test_another_picture_fails(notebook, tmp_path):
    broken = copy.deepcopy(notebook)
    data = outputs(broken)[2].data
    picture = re.search(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]+", data["text/html"])[0]
    data["text/html"] = data["text/html"].replace(picture, picture[:-8] + "AAAAAAA=")
    assert not passes(broken, tmp_path)
