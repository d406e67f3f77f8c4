"""The examples of docstrings do what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

import polynb

ROOT = Path(polynb.__file__).parent
MODULES = [
    ".".join(p.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for p in sorted(ROOT.rglob("*.py"))
    if "\n>>> " in (text := p.read_text("utf-8")).replace("    >>> ", ">>> ") and text
]


def test_there_are_examples():
    assert "polynb" in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module(module):
    done = doctest.testmod(importlib.import_module(module))
    assert done.attempted
    assert not done.failed
