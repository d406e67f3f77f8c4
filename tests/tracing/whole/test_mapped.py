"""Memory that has two addresses: what goes by one is not seen at the other, so where a program
makes such memory, nothing is known of its loops. Other mappings are memory like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from polynb import feedback
from polynb.tracing.programs import HookedCompilers, RunCommand, build, trace

TWICE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
int o[20];
int main(void) {
  int f = memfd_create("a", 0), g = memfd_create("b", 0);
  if (ftruncate(f, 8192) || ftruncate(g, 8192)) return 1;
  int *p, *q;
  MAPPED
  for (int i = 1; i < 20; i++) {
    p[i] = q[i - 1] + i;
    o[i] = q[i];
  }
  return o[9] == 200;
}
"""
RW = "PROT_READ | PROT_WRITE"
FIRST = f"p = mmap(0, 4096, {RW}, MAP_SHARED, f, 0); "


def verdicts(text: str, tools: HookedCompilers, room: Path) -> list[str]:
    source = room / "mapped.c"
    source.write_text(text)
    built = build([source], room / "mapped", tools)
    found = feedback(trace(RunCommand(built, (), room), scalars=tools.scalars).folding())
    return [loop.verdict for loop in found.loops]


@pytest.mark.long
@pytest.mark.parametrize(
    ("mapped", "seen"),
    [
        (FIRST + "q = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 0);", False),
        (FIRST + "q = mmap(0, 8192, PROT_READ, MAP_SHARED, dup(f), 0);", False),
        (f"q = mmap(0, 8192, {RW}, MAP_PRIVATE, f, 0); " + FIRST, False),
        (f"p = mmap(0, 8192, {RW}, MAP_SHARED, f, 0); munmap(p, 4096); p += 1024; "
         "q = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 4096);", False),
        (f"p = mmap(0, 4096, {RW}, MAP_SHARED | MAP_ANONYMOUS, -1, 0); "
         "q = mremap(p, 0, 4096, MREMAP_MAYMOVE);", False),
        ("int s = shmget(IPC_PRIVATE, 4096, 0600); p = shmat(s, 0, 0); "
         "q = shmat(s, 0, SHM_RDONLY); shmctl(s, IPC_RMID, 0);", False),
        (FIRST + "q = (int *) syscall(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, f, 0);", False),
        (FIRST + "q = mmap(0, 4096, PROT_READ, MAP_SHARED, g, 0);", True),
        (FIRST + "q = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 4096);", True),
        (f"p = mmap(0, 4096, {RW}, MAP_PRIVATE, f, 0); "
         f"q = mmap(0, 4096, {RW}, MAP_PRIVATE, f, 0);", True),
        (FIRST + "munmap(p, 4096); p = o; q = mmap(0, 4096, PROT_READ, MAP_SHARED, f, 0);", True),
        (f"p = mmap(0, 4096, {RW}, MAP_SHARED | MAP_ANONYMOUS, -1, 0); "
         f"q = mmap(0, 4096, {RW}, MAP_SHARED | MAP_ANONYMOUS, -1, 0);", True),
        ("int s = shmget(IPC_PRIVATE, 4096, 0600), t = shmget(IPC_PRIVATE, 4096, 0600); "
         "p = shmat(s, 0, 0); q = shmat(t, 0, 0); "
         "shmctl(s, IPC_RMID, 0); shmctl(t, IPC_RMID, 0);", True),
    ],
)  # fmt: skip
def test_what_has_two_addresses_is_not_known(
    compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path, mapped: str, seen: bool
) -> None:
    for tools in (compilers, clang):
        (said,) = verdicts(TWICE.replace("MAPPED", mapped), tools, tmp_path)
        assert (said == "parallel") is seen
        assert seen or "cannot be followed" in said


EACH = """
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
int o[20];
int main(void) {
  int f = memfd_create("a", 0);
  if (ftruncate(f, 4096)) return 1;
  for (int i = 0; i < 20; i++) {
    int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, HOW, 0);
    p[0] += i;
    o[i] = p[0];
    munmap(p, 4096);
  }
  return o[9];
}
"""


@pytest.mark.long
def test_mappings_of_each_iteration(clang: HookedCompilers, tmp_path: Path) -> None:
    (said,) = verdicts(EACH.replace("HOW", "MAP_SHARED, f"), clang, tmp_path)
    assert said.startswith("not parallel: carries ")
    (said,) = verdicts(EACH.replace("HOW", "MAP_PRIVATE | MAP_ANONYMOUS, -1"), clang, tmp_path)
    assert said == "parallel"
