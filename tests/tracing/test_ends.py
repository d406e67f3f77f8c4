"""However a traced program ends, what was folded until then is there, and this process lives."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import polynb as pn
from polynb import isl
from polynb.tracing import running

pytestmark = pytest.mark.long
COS = "double cos(double);\n"  # no more than some hundred million a second
FILL = "int a[10]; for (int i = 0; i < 10; i++)\n a[i] = i;\n"


def stores(folding) -> int:
    """Of the program's own: not what the library keeps, as of `signal`."""
    own = [n for n, i in folding.instructions.items() if i.kind == "store" and not i.state]
    return sum(folding[n].entries for n in own)


@pytest.mark.parametrize(
    ("last", "number", "word"),
    [
        ("int *p = 0; a[0] = *p;", 11, "segmentation"),
        ("int z = a[0]; a[1] = 7 / z;", 8, "floating point"),
        ("abort();", 6, "aborted"),
    ],
)
def test_a_crash_says_its_line(last, number, word):
    folding = pn.trace(f"#include <stdlib.h>\nint main(void) {{ {FILL}\n{last}\nreturn 0; }}")
    assert folding.run.ended.startswith(f"signal {number} at line ")
    assert word in folding.run.ended
    assert not folding.run.complete
    assert stores(folding) == 10
    if word == "segmentation":
        assert "at line 5 " in folding.run.ended


def test_an_endless_loop_is_stopped():
    started = time.monotonic()
    folding = pn.trace(
        f"int main(void) {{ {FILL} for (unsigned k = 0; ; k++) a[k % 10] = 1; }}", seconds=0.5
    )
    assert time.monotonic() - started < 20
    assert folding.run.ended == "time limit"
    assert stores(folding) > 10


def test_a_loop_without_events_and_a_sleep_are_stopped():
    folding = pn.trace(f"int main(void) {{ {FILL} for (;;) ; }}", seconds=0.3)
    assert (folding.run.ended, stores(folding)) == ("time limit", 10)
    folding = pn.trace(
        f"#include <poll.h>\nint main(void) {{ {FILL} for (;;) poll(0, 0, 100000); }}".replace(
            "#include <poll.h>\n", "int poll(void *, unsigned long, int);\n"
        ),
        seconds=0.3,
    )
    assert (folding.run.ended, stores(folding)) == ("time limit", 10)


SYSTEM = """#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
"""


@pytest.mark.parametrize(
    "first",
    [
        "signal(SIGALRM, SIG_IGN);",
        "alarm(0);",
        "signal(SIGALRM, SIG_IGN); signal(SIGTERM, SIG_IGN);",
    ],
)
def test_the_time_limit_is_not_the_programs_alarm(first):
    text = f"{SYSTEM}int main(void) {{ {FILL} {first} for (;;) pause(); }}"
    folding = pn.trace(text, seconds=0.3)
    assert (folding.run.ended, stores(folding)) == ("time limit", 10)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (
            "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); for (;;) a[0]++;",
            "it went on 1.5 s after its limit of 0.3 s",
        ),
        ('char b[50]; sprintf(b, "kill -9 %d", getpid()); system(b);', "signal 9 ended it"),
        ('execl("/bin/echo", "echo", (char *) 0);', "another program may have taken its place"),
    ],
)
def test_what_left_nothing_says_why(last, said):
    text = f"{SYSTEM}int main(void) {{ {FILL} {last} return 0; }}"
    with pytest.raises(pn.PolynbError, match="without what it found"):
        pn.trace(text, seconds=0.3)  # compiles it
    started = time.monotonic()
    with pytest.raises(pn.PolynbError) as error:
        pn.trace(text, seconds=0.3)
    assert time.monotonic() - started < 10
    assert said in (error.value.reason or "")


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        ("kill(getpid(), SIGKILL);", "signal 9 at line 7 (killed)"),
        ("raise(SIGTERM);", "signal 15 at line 7 (terminated)"),
        ("alarm(1); for (;;) pause();", "signal 14 at line 7 (alarm clock)"),
        ("for (int k = 0; k < 1024; k++) close(k);", "exit 0"),
        (
            "for (int k = 0; k < 1024; k++) close(k); for (int k = 0; k < 9; k++) dup(null());",
            "exit 0",
        ),
        ("_exit(9);", "exit 9"),
    ],
)
def test_signals_and_descriptors_of_its_own(last, ended):
    null = '#include <fcntl.h>\nint null(void) { return open("/dev/null", O_RDWR); }\n'
    text = f"{SYSTEM}{null}int main(void) {{ {FILL.replace(chr(10), ' ')} {last} return 0; }}"
    folding = pn.trace(text, seconds=20.0)
    assert folding.run.ended == ended
    assert stores(folding) >= 10


def test_what_runs_at_exit_is_seen():
    folding = pn.trace(
        f"""{SYSTEM}int a[5];
void bye(void) {{ for (int i = 0; i < 5; i++) a[i] = i; printf("bye"); }}
int main(void) {{ atexit(bye); printf("hi "); for (int i = 0; i < 9; i++) if (i == 4) exit(3); }}"""
    )
    assert (folding.run.ended, folding.run.output) == ("exit 3", "hi bye")
    assert [folding[n].entries for n, i in folding.instructions.items() if i.text == "a[i]"] == [5]


def test_endless_recursion():
    folding = pn.trace("int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }")
    assert folding.run.ended.startswith("stack limit")
    assert folding["I1"].entries > 1000


def test_too_many_entries():
    folding = pn.trace(f"int main(void) {{ {FILL} for (;;) a[0] = 1; }}", events=10_000)
    assert folding.run.ended == "event limit"
    assert 10_000 <= folding.run.events < 10_100


def test_a_run_ends_before_its_clock_of_iterations_begins_anew():
    folding = pn.trace(f"int main(void) {{ {FILL} for (;;) ; }}", seconds=120.0)
    assert (folding.run.ended, stores(folding)) == ("iteration limit", 10)


def test_too_much_memory():
    folding = pn.trace(
        """
#include <stdlib.h>
int main(void) {
  for (;;) {
    char *p = malloc(1 << 20);
    for (int k = 0; k < 1 << 20; k += 64) p[k] = 1;
  }
}
""",
        memory=300_000_000,
    )
    assert folding.run.ended in ("memory limit", "signal 11 at line 6 (segmentation fault)")
    assert stores(folding) > 1000


def test_streams_with_many_pieces_are_given_up():
    text = """
int a[100000];
int main(void) {
  unsigned x = 1;
  int s = 0;
  for (int i = 0; i < 100000; i++)
    if ((x = x * 1103515245u + 12345u) >> 31) s += a[i];
  return s;
}
"""
    bounded, exact = (pn.trace(text, variant=v) for v in ("F_GG,W", "F"))
    (load,) = (n for n, i in exact.instructions.items() if i.text == "a[i]")
    assert len(exact[load].pieces) > 20_000
    (box,) = bounded[load].pieces
    assert bounded[load].gave_up
    assert box.approximate
    assert bounded[load].entries == exact[load].entries == box.points
    (low,), (high,) = box.vertices
    assert low == 0
    assert high == max(v for p in exact[load].pieces for (v,) in p.vertices)


def test_output_is_bounded_and_exit_is_kept():
    folding = pn.trace(
        """
#include <stdio.h>
#include <stdlib.h>
void leave(void) { fprintf(stderr, "oops"); exit(7); }
int main(void) { for (int i = 0; i < 100000; i++) printf("line %d\\n", i); leave(); }
"""
    )
    assert folding.run.ended == "exit 7"
    assert folding.run.output.startswith("line 0\nline 1\n")
    assert "further bytes" in folding.run.output[-40:]
    assert len(folding.run.output) < 25_000
    assert folding.run.errors == "oops"


def test_overwritten_memory_is_no_end_of_ours():
    text = """
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc(16), *q = malloc(16);
  memset(p, 1, 4096);
  free(q); free(p); free(malloc(100000)); p = malloc(24); p[0] = 1;
  return 0;
}
"""
    said = ""
    try:
        folding = pn.trace(text)
    except pn.PolynbError as error:
        said = error.message
    assert "ended without what it found" in said or folding.run.ended


@pytest.mark.parametrize(("end", "said"), [("return 0;", "exit 0"), ("abort();", "signal 6")])
def test_a_program_without_an_instruction_ends_too(end, said):
    folding = pn.trace(f"#include <stdlib.h>\nint main(void) {{ {end} }}")
    assert folding.run.ended.startswith(said)
    assert not folding.instructions


def test_no_number_of_an_overwritten_memory_is_taken_on_trust(monkeypatch):
    text = """
int f(int *a, int k) { return k < 2 ? a[k] : f(a, k - 1) + a[k]; }
int main(void) {
  int a[40], s = 0;
  for (int i = 0; i < 40; i++) a[i] = i * i % 7;
  for (int i = 0; i < 6; i++) for (int j = 0; j <= i; j++) if (a[i + j] > 2) s += f(a, i);
  return s & 1;
}
"""
    chance, fates, launched = Random(7), Counter(), running.launch

    def overwritten(*arguments):
        outcome = launched(*arguments)
        words = outcome.words.copy()
        at = chance.randrange(1, len(words))
        words[at] = chance.choice(
            (-1, 0, 1, int(words[at]) + 1, int(words[at]) ^ 64, 2**62, -(2**63))
        )
        return replace(outcome, words=words)

    monkeypatch.setattr(running, "launch", overwritten)
    for _ in range(100):
        try:
            fates[len(pn.trace(text).instructions) > 0] += 1
        except pn.PolynbError as error:
            fates[error.message] += 1
    assert set(fates) == {True, "the traced program's process ended without what it found"}
    assert min(fates.values()) > 10


def test_an_interrupt_ends_the_program():
    text = f"{COS}int main(void) {{ double x = 1; for (;;) x = cos(x); }}"
    pn.trace(text, seconds=0.1)  # compiles it
    done = threading.Event()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
    threading.Timer(4.0, lambda: done.is_set() or os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            pn.trace(text, seconds=30.0)
    finally:
        done.set()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("int main(void) { return b; }", {}, "'b' undeclared"),
        ("double g(double); int main(void) { return g(1) > 0; }", {}, "g is called, and defined"),
        ("int main(void) { int a = 0; up: a++; if (a < 4) goto up; return a; }", {}, "jumps back"),
        ("int main(void) { goto in; for (;;) { in: return 1; } }", {}, "jumps into a loop"),
        (
            "int main(void) { switch (3) { for (;;) { case 3: return 0; } } }",
            {},
            "stands within a loop",
        ),
        ("int fork(void); int main(void) { return fork(); }", {}, "fork cannot be traced"),
        (
            '#include <stdio.h>\nint main(void) { char t[9]; return !fmemopen(t, 9, "w"); }',
            {},
            "fmemopen cannot be traced",
        ),
        (
            "void *mmap(void *, long, int, int, int, long);\n"
            "int main(void) { return !mmap(0, 4096, 1, 2, 3, 0); }",
            {},
            "mmap cannot be traced",
        ),
        ("int f(int n) { return n; } int g(int n) { return n; }", {}, "several functions"),
        ("int f(int n, int A[n]) { return A[0]; }", {}, "n of f has no value"),
        ("int f(int n, int *A) { return A[0]; }", {"n": 3}, "how large A of f is"),
        ("int f(int n, int A[n]) { return A[0]; }", {"n": 3, "m": 4}, "no parameter 'm'"),
        ("int main(void) { return 0; }", {"n": 3}, "n cannot be given"),
        ("int f(void) { return 0; }", {"call": "g(3)"}, "calls no function of this text"),
        ("int f(void) { return 0; }", {"only": "g"}, "is no function of this text"),
        (
            "int f(n) int n; { return n; }\nint main(void) { return f(1); }",
            {},
            "in the old way",
        ),
        ('#include "mine.h"\nint main(void) { return 0; }', {}, "cannot include"),
    ],
)
def test_what_cannot_be_traced_says_why(text, options, said):
    with pytest.raises(pn.PolynbError, match=said):
        pn.trace(text, **options)


def test_a_run_has_no_more_time_than_the_budget_around():
    text = f"{COS}int main(void) {{ double x = 1; {FILL} for (;;) x = cos(x); }}"
    pn.trace(text, seconds=0.1)  # compiles it
    begun = time.monotonic()
    with pytest.raises(isl.BudgetExhausted, match="the traced program used"), pn.budget(seconds=2):
        pn.trace(text, seconds=60.0)
    assert time.monotonic() - begun < 20
