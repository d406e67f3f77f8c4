"""A program always becomes the same text: in each process, whatever the order of hashes, wherever
memory lies, and however busy the machine is."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

SHOW = """
import sys
sys.path.insert(0, {folder!r})
from random_scops import random_program
import polynb as pn
for seed, run in ((187, pn.propagate), (192, pn.reorder)):
    print(run(pn.parse(random_program(seed))).result)
"""


def shown(seed: int) -> str:
    code = SHOW.format(folder=str(Path(__file__).parent))
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_a_program_becomes_the_same_text_in_every_process() -> None:
    """Two programs that did not: the parts of a set were merged by chance, and conditions of a
    schedule took a second, or were given up after four. Four at once keep the machine busy."""
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(shown, range(4)))) == 1
