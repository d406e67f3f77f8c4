"""CONTRIBUTING's text on how to add a pass is complete: followed in a copy of the house, it makes a
pass that has its place, its magic and its stepper."""

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import polynb

ROOT = Path(polynb.__file__).parents[1]
BLOCK = re.compile(r"^( *)```(?:python|text)\n *# ([^\n]+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
USED = """
from IPython.testing.globalipapp import start_ipython
shell = start_ipython()
shell.run_line_magic("load_ext", "polynb")
shell.run_cell_magic("mirror", "back", "param N;\\nfor i = 0 to N do A[i] = B[i] + 1; done")
shell.run_cell_magic("mirror", "kept", "param N;\\nfor i = 1 to N do A[i] = A[i-1] + 1; done")
back, kept = shell.user_ns["back"], shell.user_ns["kept"]
import polynb as pn
assert "for i = N to 0 by -1 do" in str(back.result), back.result
assert pn.equivalent(back) and not kept.steps[0].verdict and kept.result is kept.before
assert "The reverse order is legal" in back.to_html() and "illegal" in str(kept.steps[0])
"""


def followed(house: Path) -> None:
    """What the text says, done."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    blocks = [(place, textwrap.dedent(body)) for _, place, body in BLOCK.findall(text)]
    assert len(blocks) == 7
    for place, body in blocks:
        name, _, how = place.partition(", ")
        file = house / name
        if not how:
            file.parent.mkdir(exist_ok=True)
            file.write_text(body)
            continue
        old = file.read_text()
        match how.split():
            case ["after", room]:
                line = re.search(rf"^(    |\| `){room}\b.*\n", old, re.MULTILINE)
                assert line
                indented = line[1] + body if line[1].isspace() else body
                file.write_text(old[: line.end()] + indented + old[line.end() :])
            case ["in", function]:
                assert old.rindex("\ndef ") == old.index(f"\ndef {function}(")  # the last one
                file.write_text(old + textwrap.indent(body, "    "))
            case ["imported"]:
                file.write_text(old.replace("\nfrom polynb", f"\n{body}from polynb", 1))


@pytest.mark.long
def test_a_pass_is_made_by_the_text_alone(tmp_path: Path) -> None:
    for folder in ("polynb", "tests"):
        unneeded = shutil.ignore_patterns("*.npz", "sheets", "golden")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=unneeded)
    for file in ("CONTRIBUTING.md", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, tmp_path)
    followed(tmp_path)

    def run(*arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run("-c", USED)
    chosen = "rooms or knows or itself or convenience"
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_structure.py", "-k", chosen)
