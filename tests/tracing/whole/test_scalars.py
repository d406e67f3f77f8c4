"""With clang, local variables are seen: sums carry, counters do not; and the memory that programs
touch is what gcc's code touches, at the same iterations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from polynb import feedback
from polynb.tracing.feedback import induction_variables
from polynb.tracing.programs import HookedCompilers, RunCommand, RunLimits, build, trace
from polynb.tracing.programs.nests import carried_loops

SOURCES = Path(__file__).parent.parent / "programs"

SUMS = """
#include <stdlib.h>
double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) { /* dot */
        double both = a[k] * b[k];
        sum += both;
    }
    return sum;
}
int main(int count, char **arguments) {
    int n = 20 * count;
    double *a = malloc(8 * n), *b = malloc(8 * n), small[4] = {0};
    for (int i = 0; i < n; i++) { /* fill */
        double x = i * 0.3;
        a[i] = x * x;
        b[i] = 1 / (x + 1);
    }
    int last = 1;
    for (int t = 0; t < 3; t++) { /* times */
        for (int j = 0; j < 4; j++) /* small */
            small[j] += dot(a, b, n - t - j);
        last = last * 7 % 5;
    }
    return small[1] > small[3] && last;
}
"""


@pytest.fixture
def sums(clang: HookedCompilers, tmp_path: Path) -> Any:
    (tmp_path / "sums.c").write_text(SUMS)
    built = build([tmp_path / "sums.c"], tmp_path / "sums", clang)
    return trace(RunCommand(built), scalars=True).folding()


def loops_at(folding: Any, mark: str) -> str:
    line = SUMS.split(f"/* {mark} */")[0].count("\n") + 1
    (found,) = [o.name for o in folding.loops if o.line == line]
    return str(found)


def test_sums_carry_and_counters_and_temporaries_do_not(sums: Any) -> None:
    carried = carried_loops(sums)
    assert loops_at(sums, "dot") in carried  # sum
    assert loops_at(sums, "times") in carried  # small[j], last
    assert loops_at(sums, "fill") not in carried  # x is new in each iteration, i is affine
    assert loops_at(sums, "small") not in carried


def test_feedback_knows_counters_and_keeps_sums(sums: Any) -> None:
    loops = {r.loop.name: r for root in feedback(sums).loops for r in root.walk()}
    assert loops[loops_at(sums, "fill")].verdict == "parallel"
    assert loops[loops_at(sums, "dot")].verdict.startswith("not parallel: carries")
    assert not loops[loops_at(sums, "fill")].unseen


def test_counters_are_induction_variables(sums: Any) -> None:
    loop = loops_at(sums, "fill")
    known = induction_variables(sums).values()
    values = {text for v in known if v.instruction.loops == (loop,) for text in v.functions}
    assert f"1{loop}" in values  # i itself


def test_arrays_of_a_function_stay_memory(sums: Any) -> None:
    line = SUMS.split("small[j] +=")[0].count("\n") + 1
    stores = [i for i in sums.instructions.values() if i.line == line and i.kind == "store"]
    assert [i.outputs for i in stores] == [("address",)]
    (label,) = sums.executed[stores[0].name].pieces[0].labels
    assert label.coefficients == (0, 8)


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("rows", ["fill", "update", "sum"]),
        ("recursion", ["leaf", "ping", "pong", "descend"]),
        ("pointers", ["call"]),
        ("exits", ["setup", "mark"]),
        ("walks", ["link", "copy"]),
        ("heat", ["stencil", "back", "partial"]),
        pytest.param("vectors", ["result", "turn", "afterwards"], marks=pytest.mark.long),
        ("jumps", ["result", "finish"]),
    ],
)
def test_what_is_written_is_what_gccs_code_writes(
    program: Callable[..., Any], clang: HookedCompilers, tmp_path: Path, name: str, marks: list[str]
) -> None:
    sources = [p for p in sorted((SOURCES / name).iterdir()) if p.suffix in (".c", ".cpp")]
    built = build(sources, tmp_path / name, clang)
    traced = trace(RunCommand(built, (), tmp_path), limits=RunLimits(60), raw=True, scalars=True)
    ours, theirs = program(name), type(program(name))(name, traced)
    assert traced.head.rejected == 0
    assert traced.facts.output == ours.traced.facts.output
    for mark in marks:
        (store,) = ours.accesses(mark, "store")
        other = theirs.access(mark, "store")
        assert theirs.around(other) == ours.around(store)
        assert theirs.points(other) == ours.points(store)


SWAPS = """
int a[12] = {3, 1, 4, 1, 5}, b[12];
void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
int main(void) {
    int u[2] = {0};
    for (int i = 0; i < 12; i++) {
        u[0] = a[i]; u[1] = b[i]; swap(&u[0], &u[1]);
        b[i] = u[0];
    }
    return b[3];
}
"""


def test_what_a_loop_overwrites_is_named(clang: HookedCompilers, tmp_path: Path) -> None:
    (tmp_path / "swaps.c").write_text(SWAPS)
    built = build([tmp_path / "swaps.c"], tmp_path / "swaps", clang)
    (loop,) = feedback(trace(RunCommand(built), scalars=True).folding()).loops
    assert loop.besides == "it needs a copy of what u[0], u[1], *p and *q overwrites"
