"""Ways that a run did not take, in functions of other files and in those that pointers reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from polynb import feedback
from polynb.tracing.programs import HookedCompilers, RunCommand, RunLimits, build, trace

MAIN = """\
#include "parts.h"
int a[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, o[12];
int main(void) {
  for (int i = 0; i < 12; i++)
    o[i] = CALL;
  return o[3] & 1;
}
"""
PARTS_H = """\
extern int total;
int put(int v); int number(int v); int size(int v); int twice(int v);
typedef int (*op)(int);
op chosen(int k);
static inline int low(int v) { return v < 0 ? total++ : v; }
"""
PARTS_C = """\
#include "parts.h"
int total;
int put(int v) {
  if (v > 100) total = total * 2 + v;
  return v;
}
int number(int v) { return v > 100 ? put(v) : v; }
int size(int v) {
  if (v < 0) return -v;
  return v > 100 ? 100 : v;
}
int twice(int v) { return size(v) + size(-v); }
op chosen(int k) { return k > 100 ? size : k ? put : twice; }
"""
UNKNOWN = ("put(a[i])", "number(a[i])", "low(a[i])", "chosen(1)(a[i])", "a[i] > 100 ? put(3) : 1")
PARALLEL = ("size(a[i])", "twice(a[i])", "chosen(0)(a[i])", "chosen(101)(a[i])")


@pytest.mark.parametrize("call", UNKNOWN + PARALLEL)
def test_functions_of_other_files(
    call: str, compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    texts = {"main.c": MAIN.replace("CALL", call), "parts.h": PARTS_H, "parts.c": PARTS_C}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    sources = [tmp_path / "main.c", tmp_path / "parts.c"]
    for hooked in (compilers, clang):
        built = build(sources, tmp_path / "program", hooked)
        command = RunCommand(built, (), tmp_path)
        traced = trace(command, limits=RunLimits(30), scalars=hooked.scalars)
        (loop,) = feedback(traced.folding()).loops
        if call in PARALLEL:
            assert loop.verdict == "parallel"
        else:
            assert loop.verdict.startswith("not known to be parallel")
            assert loop.verdict.endswith("; one that takes it would tell")


OBJECTS = """\
int total, a[12] = {3, 1, 4}, o[12];
struct Adds {
  int operator()(int v) { if (v > 100) total = total * 2 + v; return v; }
};
struct Base { virtual int go(int v) { return v; } };
struct Bad : Base { int go(int v) override { if (v > 100) total += v * total; return v; } };
template <class F> int use(F f, int v) { return f(v); }
inline int size(int v) { return v < 0 ? -v : v; }
int main() {
  Adds adds;
  auto f = [](int v) { if (v > 100) total = total * 2 + v; return v; };
  Base *b = new Bad;
  for (int i = 0; i < 12; i++)
    o[i] = CALL;
  return o[3] & 1;
}
"""


@pytest.mark.parametrize(
    "call", ["adds(a[i])", "f(a[i])", "b->go(a[i])", "use(adds, a[i])", "size(a[i])"]
)
def test_objects_that_are_called(
    call: str, compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    source = tmp_path / "main.cpp"
    source.write_text(OBJECTS.replace("CALL", call))
    for hooked in (compilers, clang):
        built = build([source], tmp_path / "program", hooked)
        command = RunCommand(built, (), tmp_path)
        traced = trace(command, limits=RunLimits(30), scalars=hooked.scalars)
        (loop,) = feedback(traced.folding()).loops
        if call.startswith("size"):
            assert loop.verdict == "parallel"
        else:
            assert loop.verdict.startswith("not known to be parallel")
