"""Programs that crash, do not end, grow, or run another way the second time: what was folded so far
is kept, and it is said how it ended."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import polynb as pn
from polynb import feedback
from polynb.errors import PolynbError
from polynb.tracing.programs import HookedCompilers, RunCommand, RunLimits, build, running, trace

pytestmark = pytest.mark.long
OVERWRITES = int(os.environ.get("POLYNB_OVERWRITES", "40"))
Written = Callable[..., RunCommand]

CRASH = """
#include <stdlib.h>
int a[100];
int main(int n, char **v) {
    int *p = a;
    for (int k = 0; k < 50; k++) {
        if (k == 30) p = (int *)(long)(n - 1);
        p[k] = k;
    }
    return a[0];
}
"""

ENDLESS = """
volatile int a[64];
int main(void) {
    for (int t = 0; ; t++)
        for (int k = 0; k < 64; k++)
            a[k] = t;
}
"""


def test_a_crash_keeps_what_was_folded(written: Written) -> None:
    traced = trace(written(CRASH))
    assert traced.facts.ended == "signal 11 at text.c:8 (segmentation fault)"
    assert not traced.facts.complete
    (store,) = [i for i in traced.folding().instructions.values() if i.line == 8]
    assert traced.folding().executed[store.name].entries == 31  # the last one crashed
    assert any("did not run to its end" in note for note in traced.notes)


def test_an_endless_program_is_stopped(written: Written) -> None:
    started = time.monotonic()
    traced = trace(written(ENDLESS), limits=RunLimits(seconds=1))
    assert time.monotonic() - started < 20
    assert traced.facts.ended == "time limit"
    (store,) = traced.folding().executed.values()
    assert store.entries > 10_000
    assert len(store.pieces) <= 2  # whole rows, and the row it was in


def test_entries_are_limited(written: Written) -> None:
    traced = trace(written(ENDLESS), limits=RunLimits(seconds=5, entries=200_000))
    assert traced.facts.ended == "event limit"
    assert 200_000 <= traced.facts.events < 400_000


SLEEPS = """#include <signal.h>
#include <unistd.h>
int a;
int main(void) { %s a = 1; for (;;) sleep(100); return a; }
"""


@pytest.mark.parametrize("before", ["", "signal(SIGTERM, SIG_IGN);"])
def test_a_program_that_sleeps_is_stopped(written: Written, before: str) -> None:
    started = time.monotonic()
    traced = trace(written(SLEEPS % before), limits=RunLimits(seconds=1))
    assert time.monotonic() - started < 20
    assert traced.facts.ended == "time limit"
    assert traced.head.entries >= 1


CALLS = """
#include <stdlib.h>
int a[40];
int f(int k) { return k < 2 ? a[k] : f(k - 1) + a[k]; }
int less(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
int main(void) {
    int s = 0;
    for (int i = 0; i < 40; i++) a[i] = i * i % 7;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            if (a[i + j] > 2) s += f(i);
    qsort(a, 40, sizeof *a, less);
    return s & 1;
}
"""


def test_no_number_of_an_overwritten_memory_is_taken_on_trust(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, chance, fates, real = written(CALLS), Random(OVERWRITES), Counter[str](), running.read

    def overwritten(path: Path) -> object:
        if path.exists() and chance.random() < 0.7:
            words = np.fromfile(path, np.int64)
            at = chance.randrange(len(words) - 1)
            old = int(words[at])
            words[at] = chance.choice((-1, 0, 1, old + 1, old ^ 64, 2**62, -(2**63)))
            words.tofile(path)
        return real(path)

    monkeypatch.setattr(running, "read", overwritten)
    for _ in range(OVERWRITES):
        try:
            traced = trace(command, scalars=True)
            feedback = str(pn.feedback(traced.folding()))
            fates["told" if feedback else ""] += 1
        except PolynbError as error:
            fates["said" if error.reason else ""] += 1
    assert min(fates["told"], fates["said"]) > OVERWRITES // 10
    assert len(fates) == 2


def test_a_program_that_blocks_all_signals_is_killed(written: Written) -> None:
    deaf = "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0);"
    started = time.monotonic()
    with pytest.raises(PolynbError, match="left no results") as said:
        trace(written(SLEEPS % deaf), limits=RunLimits(seconds=1))
    assert time.monotonic() - started < 20
    assert "time limit" in str(said.value)


def test_memory_is_limited(written: Written) -> None:
    text = """
#include <stdlib.h>
int *p;
int main(void) {
    for (long n = 0; ; n++) {
        p = malloc(1 << 20);
        for (int k = 0; k < 1 << 18; k++) p[k] = k;
    }
}
"""
    traced = trace(written(text), limits=RunLimits(seconds=30, memory=400 << 20))
    assert traced.facts.ended == "memory limit"
    assert traced.head.entries > 1 << 18


def test_recursion_without_end_is_told(written: Written) -> None:
    text = "int a; int f(int n) { a = n; return f(n + 1) + a; } int main(void) { return f(0); }\n"
    traced = trace(written(text))
    assert traced.facts.ended == "too deep" or traced.facts.ended.startswith("signal 11")
    (folded,) = [f for n, f in traced.folding().executed.items() if n == "I1"]
    assert folded.entries > 1000
    assert len(folded.pieces) == 1  # one context, however deep


def test_another_way_in_the_second_run_is_told(written: Written, tmp_path: Path) -> None:
    text = """
#include <stdio.h>
int a[64];
int main(void) {
    FILE *mark = fopen("mark", "r");
    int second = mark != NULL;
    if (!mark) mark = fopen("mark", "w");
    fclose(mark);
    for (int k = 0; k < 10; k++)
        a[k] = k;
    if (second)
        for (int k = 0; k < 5; k++)
            for (int l = 0; l < 5; l++)
                a[l] += a[k + l];
    for (int k = 0; k < 10; k++)
        a[k] = a[k] + 1;
    return 0;
}
"""
    traced = trace(written(text))
    assert traced.head.unforeseen > 0
    assert any("does not run the same way twice" in note for note in traced.notes)
    entries = [f.entries for f in traced.folding().executed.values()]
    (block,) = [b for b in traced.folding().blocks if b.name == "a"]
    assert block.size == 256
    addresses = [f.pieces[0].labels[0].constant for f in traced.folding().executed.values()]
    assert block.address in addresses
    assert entries.count(10) == 3  # loops that both runs had are whole


def test_threads_and_children_do_not_disturb(written: Written) -> None:
    text = """
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int a[1000];
static void *other(void *p) {
    for (int r = 0; r < 100; r++)
        for (int k = 500; k < 1000; k++) a[k] += k;
    return p;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (int r = 0; r < 100; r++)
        for (int k = 0; k < 500; k++)
            a[k] = k;
    pthread_join(thread, 0);
    if (fork() == 0) {
        for (int k = 0; k < 1000; k++) a[k] = 0;
        return 1;
    }
    int status;
    wait(&status);
    return WEXITSTATUS(status) == 1 ? 0 : 9;
}
"""
    traced = trace(written(text))
    assert traced.facts.ended == "exit 0"
    assert traced.head.rejected == 0
    lines = {i.line for i in traced.folding().instructions.values()}
    assert 16 in lines
    assert not lines & {8, 19}  # of the thread, and of the child
    found = feedback(traced.folding())
    assert traced.folding().run.unseen == "threads (pthread_create, line 13) cannot be followed"
    assert not any(r.parallel for root in found.loops for r in root.walk())


def test_the_heap_lies_as_it_lies_without_tracing(written: Written) -> None:
    text = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *rows[50];
    long apart = 0;
    for (int k = 0; k < 50; k++) { rows[k] = malloc(100); rows[k][0] = 1; }
    for (int k = 1; k < 50; k++) if (rows[k] - rows[k - 1] != 112) apart++;
    printf("%ld\\n", apart);
    return 0;
}
"""
    assert trace(written(text)).facts.output == "0\n"


def test_bytes_of_one_word_have_writers_of_their_own(written: Written) -> None:
    text = """
char a[8];
int sink;
int main(void) {
    for (int t = 0; t < 3; t++) {
        for (int k = 0; k < 8; k += 2)
            a[k] = t; /* even */
        for (int k = 1; k < 8; k += 2)
            a[k] = t; /* odd */
    }
    for (int k = 0; k < 8; k += 2)
        sink += a[k]; /* read */
    return 0;
}
"""
    folding = trace(written(text), raw=True).folding()
    lines = {i.name: i.line for i in folding.instructions.values()}
    flows = {(lines[a], lines[b]) for a, b in folding.dependences}
    assert (7, 12) in flows
    assert (9, 12) not in flows
    ((points, labels),) = [
        folding.streams[a, b] for a, b in folding.dependences if (lines[a], lines[b]) == (7, 12)
    ]
    assert labels.tolist() == [[2, k] for k in range(4)]
    assert points.tolist() == [[k] for k in range(4)]


def test_copies_and_freed_memory(written: Written) -> None:
    text = """
#include <stdlib.h>
#include <string.h>
int main(int n, char **v) {
    int *a = malloc(4 * 10 * n), *b = malloc(4 * 10 * n), sum = 0;
    for (int k = 0; k < 10; k++) a[k] = k;
    memcpy(b, a, 40 * n);
    for (int k = 0; k < 10; k++) sum += b[k];
    free(a);
    int *c = malloc(4 * 10 * n);
    for (int k = 0; k < 10; k++) sum += c[k];
    return sum == 45 && c != a;
}
"""
    folding = trace(written(text)).folding()
    lines = {i.name: i.line for i in folding.instructions.values()}
    flows = {(lines[a], lines[b]) for a, b in folding.dependences}
    assert (6, 7) in flows
    assert (7, 8) in flows
    heap = [(b.line, b.size) for b in folding.blocks if b.name == "malloc"]
    assert heap == [(5, 40), (5, 40), (10, 40)]
    assert not any(target == 11 for _, target in flows)  # what was freed has no writer


def test_vectors_of_more_than_seven_dimensions(written: Written) -> None:
    loops = [f"for (int k{d} = 0; k{d} < 2; k{d}++)" for d in range(9)]
    text = f"int a[2]; int main(void) {{\n{' '.join(loops)} a[k8] += k0;\nreturn a[0]; }}\n"
    folding = trace(written(text), raw=True).folding()
    (flow,) = [d for (s, t), d in folding.dependences.items() if len(d.stream.outputs) == 9
               and len(d.stream.dimensions) == 9]  # fmt: skip
    assert flow.entries == 2**9 - 2
    ((points, labels),) = [folding.streams[k] for k, d in folding.dependences.items() if d is flow]
    numbers = [(int("".join(map(str, p)), 2), int("".join(map(str, s)), 2))
               for p, s in zip(points.tolist(), labels.tolist(), strict=True)]  # fmt: skip
    assert all(consumer == producer + 2 for consumer, producer in numbers)


def test_a_program_that_was_not_built_with_the_hooks(tmp_path: Path) -> None:
    with pytest.raises(PolynbError, match="left no results"):
        trace(RunCommand(Path("/bin/true"), (), tmp_path))


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    with pytest.raises(PolynbError):
        trace(RunCommand(tmp_path / "text"))


def test_a_text_that_does_not_compile(compilers: HookedCompilers, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text("int main(void) { return x; }\n")
    with pytest.raises(PolynbError, match="did not build") as caught:
        build([tmp_path / "bad.c"], tmp_path / "bad", compilers)
    assert "undeclared" in str(caught.value)


def test_input_is_read_twice_and_output_is_kept(written: Written, tmp_path: Path) -> None:
    text = """
#include <stdio.h>
int x[100];
int main(int n, char **v) {
    int k = 0, y;
    while (scanf("%d", &y) == 1) x[k++] = y;
    printf("%d %s\\n", k, v[1]);
    return 7;
}
"""
    (tmp_path / "numbers").write_text("1 2 3 4\n")
    command = written(text, "word")
    given = RunCommand(command.program, command.arguments, tmp_path, tmp_path / "numbers")
    traced = trace(given)
    assert traced.facts.output == "4 word\n"
    assert traced.facts.ended == "exit 7"
    assert traced.facts.command == "text word"
