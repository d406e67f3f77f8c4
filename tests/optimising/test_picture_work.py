"""What there is to do in a pipeline's forms, and which of them are not worth it."""

import sys
import time
from pathlib import Path
from typing import Any

import pytest

import polynb as pn
from polynb.gallery.pipelines import local_laplacian
from polynb.isl import budgets
from polynb.optimising import pictures
from polynb.optimising.picture_work import PictureWork, large_sizes, picture_work
from polynb.optimising.steps import FormChosen

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))
from random_pipelines import random_pipeline

COPY = """param N; input float a[2*N+2][32*N+2]; output float o[N][N];
for i = 0 to N-1 do for j = 0 to N-1 do o[i][j] = READ + 1; done done"""


@pytest.mark.parametrize(
    ("read", "operations", "cells"),
    [
        ("a[i][j]", 1, 1),
        ("a[i][2*j]", 1 + 4, 2),
        ("a[j][i]", 3 + 8, 1),
        ("a[i][j/2]", 3 + 8, 1),
        ("a[i][j] + a[i+1][j+1] + a[i+2][j]", 3, 1),
        ("a[2*i][j] + a[2*i+1][j] + a[2*i+2][j+1]", 3, 2),
        ("a[2*i][32*j] + a[2*i+1][j]", 2 + 4, 16 + 1),
    ],
)
def test_operations_and_bytes(read: str, operations: int, cells: int) -> None:
    """What is written comes first, and goes: 8 bytes. Of each row that is read, a line comes whole;
    the same one, in several iterations, comes once."""
    scop = pn.parse(COPY.replace("READ", read))
    work = picture_work(scop, large_sizes(scop, {}))
    assert work is not None
    assert (work.operations, work.bytes) == (operations * 10**6, (8 + 4 * cells) * 10**6)
    assert work.sizes == {"N": 1000}


def test_what_stays_in_a_cache_is_no_traffic() -> None:
    work = picture_work(pn.parse(COPY.replace("READ", "a[i][j]")), {"N": 30})
    assert work is not None
    assert work.bytes == 0


@pytest.mark.parametrize("seed", [1047, 1073, 30134, 30256, 32047, 33254])
@pytest.mark.long
def test_other_pipelines_stay_as_they_are(seed: int) -> None:
    """They were measured to be slower in their forms: where cells are picked out of each row again
    and again, where a strip has rows of each plane of a volume, on one thread, where much is
    computed again for a little less traffic, where a copy is most of that anyway, and where each
    stage reads every other cell of the same rows."""
    d = pn.optimise(pn.parse(random_pipeline(seed)))
    assert not [s for s in d.steps if isinstance(s, FormChosen)]


def test_memory_is_less_of_a_limit_on_one_thread() -> None:
    """200 operations and 40 bytes instead of 100 and 100."""
    before, after = (PictureWork(n, b, {}) for n, b in ((100, 100), (200, 40)))
    assert after.gain(before) == 300 / 280
    assert after.gain_alone(before) == 200 / 240


@pytest.mark.long
def test_strips_that_would_save_little_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of local Laplacian most is read where data decides, and so computed before all strips; what
    is left for them is a tenth of what goes through memory, and takes half a minute to be found."""
    scop = pn.parse(local_laplacian.program(levels=4))
    monkeypatch.setattr(pictures, "propagate", lambda scop, **options: pytest.fail(str(options)))
    work = picture_work(scop, large_sizes(scop, {}))
    assert work is not None
    assert pictures._Forms(scop, work).in_rows() is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["harris", "bilateral_grid"])
def test_how_busy_the_machine_is_decides_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stops a form is what isl has to do for it: of the same program, the same is chosen where
    each takes two minutes, of the five that a person waits."""
    scop, lost, known = pn.gallery.load(name), [0.0], time.monotonic
    expected = pn.optimise(scop)

    def late(*args: Any, **options: Any) -> Any:
        lost[0] += 120.0
        return pn.propagate(*args, **options)

    monkeypatch.setattr(budgets.time, "monotonic", lambda: known() + lost[0])
    monkeypatch.setattr(pictures, "propagate", late)
    found = pn.optimise(scop)
    assert lost[0]
    assert list(map(str, found.steps)) == list(map(str, expected.steps))
    assert str(found.result) == str(expected.result)


def test_rows_are_looked_at_where_they_are_long() -> None:
    """A thousand cells of four rows would stay in a cache."""
    text = """param N; input int32 k[N]; input a[N]; output b[N]; temp t[4][N];
    for p = 0 to 3 do for i = 0 to N-1 do t[p][i] = a[i] * p; done done
    for i = 0 to N-1 do b[i] = t[k[i]][i]; done"""
    d = pn.optimise(pn.parse(text))
    (chosen,) = (s for s in d.steps if isinstance(s, FormChosen))
    assert chosen.written.sizes["N"] * 4 >= 1_000_000
    assert "t" not in d.result.arrays
    assert not [
        s for s in pn.optimise(pn.parse(text), {"N": 1000}).steps if isinstance(s, FormChosen)
    ]
