"""The extension as it is committed: what JupyterLab reads of it, and finds."""

import hashlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "widgets" / "labextension" / "built" / "polynb"


@pytest.fixture(scope="module")
def described():
    return json.loads((BUILT / "package.json").read_text("utf-8"))


def test_its_address_changes_with_its_content(described):
    """Servers let browsers keep it for ever."""
    file, _, version = described["jupyterlab"]["_build"]["load"].partition("?v=")
    content = (BUILT / file).read_bytes()
    assert hashlib.sha256(content).hexdigest()[:8] == version


def test_it_is_in_the_wheel_with_the_version_of_the_package(described):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert described["version"] == project["project"]["version"]
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {str(BUILT.relative_to(ROOT)): f"share/jupyter/labextensions/{BUILT.name}"}


@pytest.mark.long
def test_jupyterlab_finds_it(tmp_path):
    pytest.importorskip("jupyterlab")
    share = tmp_path / "share" / "jupyter" / "labextensions"
    share.mkdir(parents=True)
    (share / "polynb").symlink_to(BUILT)
    done = subprocess.run(
        [sys.executable, "-m", "jupyterlab.labextensions", "list"],
        env={**os.environ, "JUPYTER_PATH": str(share.parent), "JUPYTER_CONFIG_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    (line,) = [x for x in (done.stdout + done.stderr).splitlines() if "polynb v" in x]
    assert "enabled" in line
    assert "OK" in line
