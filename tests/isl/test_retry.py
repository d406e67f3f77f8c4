"""Where isl fails by a defect of its own, the same thing is asked for in another way.

The failures are staged: they come and go with the versions of isl.
"""

from collections.abc import Callable

import islpy
import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.isl import retry as isl_retry

DEFECT = (
    "call to isl_{} failed: original tableau does not correspond to original basic map "
    "in /project/isl/isl_coalesce.c:2866"
)
STRIDED = """param N; inout A[2*N+8];
for i = 0 to N by 3 do for j = i to N do
  if (i + j) % 2 == 1 then A[i + j] = A[i + j] + A[j/2] * 2; else A[j] = 1; fi
done done"""


def failing(name: str, where: Callable[[], bool], calls: list[str]) -> Callable:
    def call(self, *args):
        calls.append(name)
        if where():
            raise islpy.Error(DEFECT.format(name))
        return original(self, *args)

    kind, method = {"ast": ("AstBuild", "node_from_schedule")}.get(
        name, ("ScheduleConstraints", "compute_schedule")
    )
    original = getattr(getattr(isl, kind), method)
    return call


def bounded() -> bool:
    return bool(isl.CONTEXT.get_coalesce_bounded_wrapping())


def results(program) -> list[float]:
    return pn.compile(program, threads=1)(N=7, A=np.arange(22.0))["A"].tolist()


@pytest.mark.parametrize("kind", [isl.Set, isl.Map, isl.UnionSet, isl.UnionMap, isl.PwAff])
def test_what_cannot_be_merged_stays_as_it_is(kind, monkeypatch) -> None:
    def merge(self):
        raise islpy.Error(DEFECT.format("map_coalesce"))

    monkeypatch.setattr(kind, "coalesce", merge)
    text = "{ S[i] : i = 0 or i = 1 }" if "Set" in kind.__name__ else "{ S[i] -> [i] }"
    text = "{ S[i] -> [(i)] }" if kind is isl.PwAff else text
    x = kind(text)
    assert isl.coalesced(x) is x


def test_other_failures_of_merging_are_told() -> None:
    parts = " or ".join(f"(i = {k}j and j mod {k} = 1 and i <= {9 * k})" for k in range(2, 7))
    s = isl.read_set(f"{{ [i, j] : {parts} }}")
    with pytest.raises(isl.BudgetExhausted), isl.budget(1):
        isl.coalesced(s)


def test_code_is_generated_with_another_way_of_merging(monkeypatch) -> None:
    scop, calls = pn.parse(STRIDED), []
    expected = results(scop)
    call = failing("ast", bounded, calls)
    monkeypatch.setattr(isl.AstBuild, "node_from_schedule", call)
    before = bounded()
    again = pn.parse(STRIDED)
    assert results(again) == expected
    assert len(calls) > 1
    assert bounded() == before  # the options are restored


def test_isl_schedules_with_another_way_of_merging(monkeypatch) -> None:
    calls = []
    call = failing("schedule", bounded, calls)
    monkeypatch.setattr(isl.ScheduleConstraints, "compute_schedule", call)
    d = pn.reorder(pn.parse(STRIDED), scheduler="isl")
    assert len(calls) > 1
    assert results(d) == results(pn.parse(STRIDED))


def test_where_every_way_fails_the_error_says_so(monkeypatch) -> None:
    calls = []
    call = failing("ast", lambda: True, calls)
    monkeypatch.setattr(isl.AstBuild, "node_from_schedule", call)
    with pytest.raises(pn.PolynbError, match="original tableau") as caught:
        pn.compile(pn.parse(STRIDED))
    assert caught.value.reason == ("it failed by a defect of its own, in every way that was tried")
    assert "fewer strides" in caught.value.hint
    assert len(calls) <= 4 * (1 + len(isl_retry.WAYS))


def test_what_is_no_defect_is_asked_for_once() -> None:
    calls = []

    @isl.guarded
    def refused() -> None:
        calls.append(1)
        isl.Set("{ [i : }")

    with pytest.raises(isl.IslError, match="syntax error"):
        refused()
    assert len(calls) == 1
