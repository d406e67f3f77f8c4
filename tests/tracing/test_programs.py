"""C programs as they are: traced, they do what they do otherwise, and their streams are streams."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from pycparser import c_ast

import polynb as pn
from polynb.errors import Source
from polynb.run.compilers import find
from polynb.tracing.instrument.text import parsed

EVERYTHING = Path(__file__).parent / "programs" / "everything.c"


@pytest.fixture(scope="module")
def everything():
    return pn.trace(EVERYTHING, streams=True)


def test_it_prints_what_it_prints_untraced(everything, tmp_path):
    built = tmp_path / "program"
    subprocess.run([*find(None).command, "-w", EVERYTHING, "-o", built], check=True)
    expected = subprocess.run([built], capture_output=True, text=True, check=False)
    assert everything.run.output == expected.stdout
    assert everything.run.ended == f"exit {expected.returncode}" == "exit 3"


def test_vectors_of_an_instruction_come_in_order_and_once(everything):
    for name, (points, _) in everything.streams.items():
        rows = [tuple(p) for p in points.tolist()]
        assert rows == sorted(rows)
        if isinstance(name, str):
            assert len(set(rows)) == len(rows), name
            assert everything[name].rejected == 0
    assert sum(len(p) for p, _ in everything.streams.values()) == everything.run.events


RECURSION = """int a[5] = {3, 1, 4, 1, 5};
int sum(int n) { if (n == 0) return 0; return a[n] + sum(n - 1); }
int main(void) { return sum(4); }"""


def test_every_dependence_is_on_an_instance_that_was_there(everything):
    for folding in everything, pn.trace(RECURSION, streams=True):
        ran = {
            name: {tuple(p) for p in points.tolist()}
            for name, (points, _) in folding.streams.items()
            if isinstance(name, str)
        }
        for key, (points, labels) in folding.streams.items():
            if not isinstance(key, str):
                source, target = key
                assert {tuple(p) for p in points.tolist()} <= ran[target]
                assert {tuple(p) for p in labels.tolist()} <= ran[source]


def test_recursion_counts_entries_and_returns():
    folding = pn.trace(
        "int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); } int main(void) { return sum(4); }",
        streams=True,
    )
    (recursion,) = (x for x in folding.loops if x.recursion)
    assert recursion.function == "sum"
    (added,) = (n for n, i in folding.instructions.items() if i.text.startswith("n == 0"))
    # Entered with n = 4 ... 0 as 0 ... 4; each return counts, too, before `n + ...` is computed.
    points, labels = folding.streams[added]
    assert points.tolist() == [[4], [5], [6], [7], [8]]
    assert labels.tolist() == [[0], [1], [3], [6], [10]]
    assert folding.streams[added, added][1].tolist() == [[4], [5], [6], [7]]


def test_each_call_has_a_context_of_its_own():
    folding = pn.trace(
        """
int A[8];
void set(int from, int to) { for (int i = from; i < to; i++) A[i] = i; }
int main(void) {
  set(0, 3);
  for (int k = 0; k < 2; k++) set(3, 3 + k);
  return 0;
}
"""
    )
    stores = {n: i for n, i in folding.instructions.items() if i.kind == "store"}
    assert [i.loops for i in stores.values()] == [("ci",), ("ck", "ci")]
    assert [[c.line for c in i.place] for i in stores.values()] == [[5], [6]]
    first, second = stores
    assert second == f"{first}.2"
    assert (
        folding[second].domain.is_equal(
            pn.isl.Set("{ [ck, ci] : ck = 1 and ci = 0 }").set_tuple_name(
                folding[second].domain.get_tuple_name() or ""
            )
        )
        or folding[second].entries == 1
    )


def test_a_callback_of_the_library_keeps_vectors_apart():
    folding = pn.trace(EVERYTHING, streams=True, only="control")
    (x,) = (n for n, i in folding.instructions.items() if i.text.startswith("*(const int *) a"))
    points, _ = folding.streams[x]
    assert len(points) > 10
    assert points.tolist() == [[k] for k in range(len(points))]


def test_memory_that_is_copied_keeps_its_writers():
    folding = pn.trace(
        """
#include <stdlib.h>
#include <string.h>
int main(void) {
  int *a = malloc(4 * sizeof(int)), b[4], s = 0;
  for (int i = 0; i < 4; i++) a[i] = i;
  a = realloc(a, 4000000);
  memcpy(b, a, 4 * sizeof(int));
  for (int j = 0; j < 4; j++) s += b[j] + a[j];
  return s;
}
""",
        streams=True,
    )
    by_text = {(i.text, i.kind): n for n, i in folding.instructions.items()}
    stored, copied = by_text["a[i]", "store"], by_text["b", "store"]
    assert folding.streams[stored, by_text["a[j]", "load"]][1].tolist() == [[0], [1], [2], [3]]
    assert folding.streams[copied, by_text["b[j]", "load"]][1].shape == (4, 0)
    moved = folding.streams[stored, by_text["a", "load"]]
    assert moved[1].tolist() == [[0], [1], [2], [3]]


def test_what_was_freed_is_nobodys():
    folding = pn.trace(
        """
#include <stdlib.h>
int main(void) {
  int s = 0;
  for (int i = 0; i < 3; i++) {
    int *p = calloc(4, sizeof(int));
    s += p[0];
    p[0] = i;
    free(p);
  }
  return s;
}
"""
    )
    (load,) = (n for n, i in folding.instructions.items() if i.kind == "load")
    (store,) = (n for n, i in folding.instructions.items() if i.kind == "store")
    assert (store, load) not in folding.dependences
    assert folding.run.ended == "exit 0"


def test_only_the_region_is_recorded():
    folding = pn.trace(
        """
int main(void) {
  int A[10], s = 0;
  for (int i = 0; i < 10; i++) A[i] = i;
#pragma scop
  for (int i = 0; i < 10; i++) s += A[i];
#pragma endscop
  return s;
}
"""
    )
    assert [i.line for i in folding.instructions.values()] == [6] * len(folding.instructions)
    assert all(s in folding.instructions for pair in folding.dependences for s in pair)
    assert folding.run.ended == "exit 45"


def test_a_bare_nest_and_seeded_arrays():
    bare = pn.trace("int A[10], i;\nfor (i = 0; i < 10; i++)\n  A[i] = 2 * i;\n")
    assert bare["I1"].entries == 10
    text = """
double f(int n, double A[n][n]) {
  double s = 0;
  for (int i = 0; i < n; i++) s += A[i][i];
  return s;
}
"""
    first, again = (pn.trace(text, n=5, streams=True) for _ in range(2))
    (load,) = (n for n, i in first.instructions.items() if i.kind == "load")
    strides = [np.diff(f.streams[load][1][:, 0]).tolist() for f in (first, again)]
    assert strides == [[48] * 4] * 2


def test_seeded_arrays_have_the_elements_that_are_declared():
    folding = pn.trace(
        """
#include <stdint.h>
#include <stdio.h>
void f(int n, uint8_t a[n], int16_t b[n], float c[n], double d[2 * n], uint64_t e[n]) {
  int bad = 0;
  for (int i = 0; i < n; i++)
    bad += a[i] > 99 || b[i] < 0 || b[i] > 99 || c[i] < 0.5 || c[i] > 1.5 || d[2 * i] < 0.5 ||
           d[2 * i + 1] > 1.5 || e[i] > 99;
  printf("%d", bad);
}
""",
        n=1000,
    )
    assert (folding.run.output, folding.run.ended) == ("0", "exit 0")
    sizes = {b.name: b.size for b in folding.blocks if b.line}
    assert sizes == {"a": 1000, "b": 2000, "c": 4000, "d": 16000, "e": 8000}


def test_neighbouring_bytes_have_writers_of_their_own():
    folding = pn.trace(
        """
#include <stdint.h>
uint8_t a[64];
int main(void) {
  for (int i = 0; i < 64; i++) a[i] = i;
  int s = 0;
  for (int j = 0; j < 64; j++) s += a[63 - j];
  return s & 1;
}
""",
        variant="F",
    )
    (load,) = (n for n, i in folding.instructions.items() if i.kind == "load")
    (store,) = (n for n, i in folding.instructions.items() if i.kind == "store")
    reverse = pn.isl.Map("{ [cj] -> [63 - cj] : 0 <= cj <= 63 }")
    assert folding[store, load].relation.is_equal(reverse)


def test_arguments_reach_main():
    folding = pn.trace(
        "#include <stdio.h>\nint main(int argc, char **argv) { return puts(argv[1]) < 0; }",
        arguments=["a b"],
    )
    assert folding.run.output == "a b\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("int main(void) { char s[5] = {'a', [3] = 'd'}; return s[3]; }", 100),
        (
            "enum { A, B = 3 }; int main(void) { int a[B] = {[A] = 1, [B - 1] = 2}; return a[2]; }",
            2,
        ),
        (
            "struct S { int a[4]; double d; };\n"
            "int main(void) { struct S z = (struct S){.d = 2.5, .a = {1, [2] = 4}};\n"
            "return z.a[2]; }",
            4,
        ),
        (
            "int inc(int x) { return x + 1; }\n"
            "int main(void) { int (*f)(int) = inc; return (*f)(5); }",
            6,
        ),
        (
            "int inc(int x) { return x + 1; }\nint (*t[1])(int) = {inc};\n"
            "int main(void) { return (*t[0])(5) + (**t)(1); }",
            8,
        ),
        (
            "int inc(int x) { return x + 1; }\nint ap(int f(int)) { return (*f)(3); }\n"
            "int main(void) { return ap(inc); }",
            4,
        ),
    ],
)
def test_designators_and_functions_called_by_their_pointers(text: str, code: int) -> None:
    assert pn.trace(text).run.ended == f"exit {code}"


def test_a_node_that_is_gone_lends_its_place_to_no_other():
    """A variable in memory is stored with a node that is made for that: its text was another's."""
    grammar = parsed(Source("int a;\nint b;\nint main(void) { return a; }", "text")).grammar
    declared = [d.type for d in grammar.file.ext if isinstance(d, c_ast.Decl)][-2:]
    for _ in range(20):
        for d in declared:
            assert grammar.places.span(c_ast.ID(d.declname, d.coord)).text == d.declname


BITS = """#include <stdio.h>
struct { unsigned n : 2; signed s : 3; _Bool b : 1; } f;
int calls;
int main(void) {
  int k = (f.n = 5), m = (f.s = 7), turns = 0;
  f.b = 0.5;
  printf("%d %d %d;", k, m, f.b);
  f.n = 1;
  while ((f.n += 1)) turns++;
  printf("%d;", turns);
  return ++calls < 3 ? main() : 0;
}"""


def test_bits_hold_what_they_hold_and_main_may_be_called() -> None:
    found = pn.trace(BITS, seconds=9)
    assert (found.run.output, found.run.ended) == ("1 -1 1;2;" * 3, "exit 0")


MAIN_BY_ITS_ADDRESS = """#include <stdio.h>
int main(int argc, char **argv);
static int turns;
static int again(void) { int (*first)(int, char **) = &main; return first(0, 0); }
int main(int argc, char **argv) {
  printf("%d;", turns);
  return ++turns < 3 ? again() : turns;
}"""


def test_main_may_be_declared_and_pointed_to() -> None:
    found = pn.trace(MAIN_BY_ITS_ADDRESS, seconds=9)
    assert (found.run.output, found.run.ended) == ("0;1;2;", "exit 3")


@pytest.mark.parametrize(
    "text",
    [
        """int half(int x) { return x / 2; } int dbl(int x) { return x * 2; } int a[9];
int main(void) { int (*f)(int) = a[0] ? half : dbl;
#pragma scop
for (int i = 0; i < 9; i++) a[i] = f(i);
#pragma endscop
return a[2]; }""",
        """#define NDEBUG
#include <assert.h>
int main(void) { int n = 4; assert(n < 3); return n; }""",
        """#define _GNU_SOURCE
#include <string.h>
#include <stdlib.h>
int main(void) { char *s = malloc(9); strcpy(s, "aXb"); return strcasestr(s, "x") - s + 3; }""",
        """struct node { int *l; }; int inc(int x) { return x + 1; }
int sum(const int *t, int n) { int s = 0; for (int i = 0; i < n; i++) s += t[i]; return s; }
int tower(int n) { int *k = (int[]){n, 1}; return n < 2 ? 1 : tower(n - 1) * k[1] + 0 * k[0]; }
int main(void) { int *keep = 0, total = 0;
for (int *t = (int[]){3, 2, 1, 0}; *t; t++) total += *t;
for (int k = 0; k < 2 && sum((int[]){k, 1, 2}, 3) < 9; k++) {
  struct node n = {.l = (int[2]){[1] = 5}}; const int *c = (const int[]){1, 2, k};
  switch (*(int[]){k}) { case 0: keep = (int[]){7, 8}; total += keep[1]; break;
    default: keep = (int[]){9}; total += *keep; }
  do total += ((int (*[])(int)){inc, inc})[k](k); while (sum((int[]){0}, 1));
  total += n.l[1] + sum(c, 3); }
return total - 38 - tower(3); }""",
    ],
)
def test_it_ends_as_it_does_untraced(text, tmp_path):
    source, built = tmp_path / "p.c", tmp_path / "p"
    source.write_text(text)
    subprocess.run([*find(None).command, "-w", source, "-o", built], check=True)
    assert subprocess.run([built], check=False).returncode == 4
    assert pn.trace(text).run.ended == "exit 4"


def test_what_a_region_calls_by_a_pointer_is_recorded():
    found = pn.trace(
        """int half(int x) { return x / 2; } int a[9];
int main(void) { int (*f)(int) = half;
#pragma scop
for (int i = 0; i < 9; i++) a[i] = f(i);
#pragma endscop
return a[2]; }"""
    )
    assert "half" in {i.function for i in found.instructions.values()}


def test_headers_give_what_the_text_asks_of_them():
    text = """#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <stdlib.h>
int main(void) { char *s = strdup("abc"); return s[2] - 'a'; }"""
    assert pn.trace(text).run.ended == "exit 2"
