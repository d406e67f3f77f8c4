"""Row windows on random pipelines: whatever is computed in strips is right, and something is.
A quarter of POLYNB_LAWS is the number of pipelines (4 unless it is set)."""

import os

import pytest
from random_pipelines import random_pipeline
from shares import COUNTS

from polynb.propagation import propagate
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse
from polynb.windows import InStrips, Windowed

PIPELINES = int(os.environ.get("POLYNB_LAWS", "16")) // 4
OPTIONS = ({}, {"arrays": ()}, {"heuristics": ()}, {"partial": True})
counted = COUNTS["windows"]


@pytest.mark.parametrize("seed", range(PIPELINES))
def test_a_pipeline_in_windows_of_rows_computes_the_same(seed):
    before = parse(random_pipeline(seed))
    options = OPTIONS[seed % len(OPTIONS)]
    derivation = propagate(before, windows=1 + seed % 5, max_operations=2_000_000, **options)
    counted["pipelines"] += 1
    counted["in strips"] += any(isinstance(s, InStrips) for s in derivation.steps)
    counted["windows"] += sum(isinstance(s, Windowed) for s in derivation.steps)
    answer = equivalent(before, derivation.result, {"N": [1, 2]}, limit=1_000_000)
    assert answer, f"{answer}\n{options}\n{before}\n{derivation.result}"
