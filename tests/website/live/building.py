"""What live pages load, made once for a run of the tests."""

import fcntl
import gzip
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polynb.site.live.packing import SUFFIX

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


def unpacked(live, to):
    """The same, as Node reads it: what pages unpack is unpacked."""
    for path in live.iterdir():
        if path.suffix == SUFFIX:
            (to / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        else:
            shutil.copy(path, to)
    return to
