"""What live pages load, made once for a run of the tests."""

import fcntl
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def built(tmp_path_factory):
    """The folder: POLYNB_LIVE, if somebody has made it before; else made by the first process."""
    if given := os.environ.get("POLYNB_LIVE"):
        return Path(given)
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip('isl.wasm is compiled by ziglang: pip install -e ".[live]"')
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "polynb-live"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "polynb.zip.xz").is_file():
            command = [sys.executable, "-m", "polynb.site.live", str(folder)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
    return folder
