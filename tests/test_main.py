"""`python -m polynb`: what there is to run."""

import subprocess
import sys

import pytest

from polynb.__main__ import commands, main


def test_help_tells_every_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    asked = capsys.readouterr().out
    for name in ("table1", "figure11", "figure12", "peers", "scalars", "table5"):
        assert f"  {name} " in asked
    assert "%load_ext polynb" in asked
    assert main([]) == 0
    assert capsys.readouterr().out == asked
    assert set(commands()) == {"table1", "table5", "figure11", "figure12", "peers", "scalars"}


def test_a_command_runs_with_its_own_arguments(capsys):
    assert main(["table1", "unsharp_mask"]) == 0
    assert "unsharp_mask" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["figure11", "--help"])
    assert "--limits" in capsys.readouterr().out


def test_it_is_a_module_that_runs():
    command = [sys.executable, "-m", "polynb", "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "table1" in done.stderr
