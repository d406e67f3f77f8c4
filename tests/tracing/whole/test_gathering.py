"""What is handed on in a line that adds to something else is no reduction into that."""

from __future__ import annotations

from pathlib import Path

import pytest

from polynb import feedback
from polynb.tracing.programs import HookedCompilers, RunCommand, build, trace

PROGRAM = """\
#include <stdatomic.h>
{before}
int a[12] = {{3, 1, 4, 1, 5, 9}}, o[12];
int main(void) {{
  for (int i = 0; i < 12; i++)
    o[{at}] += {value};
  return o[3] & 1;
}}
"""


@pytest.mark.parametrize(
    ("before", "at", "value", "reduces"),
    [
        ("_Atomic int t;", "i", "atomic_fetch_add(&t, i)", False),
        ("static int t;\n#define NEXT (t = t * 3 + 1)", "i", "NEXT", False),
        ("int plain(int x) { return x * 2; }", "a[i] & 3", "plain(i)", True),
        ("#define TWICE(x) ((x) * 2)", "0", "TWICE(a[i])", True),
    ],
    ids=["an atomic operation", "a macro that hides one", "a function", "a macro"],
)
def test_only_what_is_handed_on_is_gathered(
    before: str, at: str, value: str, reduces: bool,
    compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path,
) -> None:  # fmt: skip
    (tmp_path / "text.c").write_text(PROGRAM.format(before=before, at=at, value=value))
    for hooked in (compilers, clang):
        built = build([tmp_path / "text.c"], tmp_path / "text", hooked)
        (loop,) = feedback(trace(RunCommand(built), scalars=hooked.scalars).folding()).loops
        assert loop.verdict.startswith("not parallel: carries")
        assert loop.gathered == ((f"o[{at}]",) if reduces else ()), hooked
