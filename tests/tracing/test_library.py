"""What the C library's functions read and write is seen, and what is not known is not claimed."""

from __future__ import annotations

import pytest

import polynb as pn

HEADERS = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n"
DATA = r"""
char a[12][16], b[12][16], total[256], line[] = "1,2,3,4", form[] = "%d", *p, q[4] = "a";
int v[12], w[12];
double x = 1.5;
int own(void) { return 3; }
int (*f[2])(void) = {rand, own};
int compare(const void *l, const void *r) { return *(const int *) l - *(const int *) r; }
void fresh(void) {
  for (int k = 0; k < 12; k++) { sprintf(a[k], "%d", 10 + k); strcpy(b[k], "x"); v[k] = k; }
}
"""


def reports(*inside: str):
    """The reports on loops with these bodies, one after the other in one program."""
    loops = [f"fresh(); for (int i = 1; i < 11; i++) {{ {text} }}" for text in inside]
    text = f"{HEADERS}{DATA}int main(void) {{\n" + "\n".join([*loops, "return 0; }"])
    folding = pn.trace(text)
    assert folding.run.ended == "exit 0", folding.run.ended
    first = text.split("\n").index(loops[0]) + 1
    found = {r.loop.line: r for r in folding.feedback().loops}
    return [found[first + k] for k in range(len(loops))]


def test_values_that_go_through_the_library_are_carried():
    bodies = (
        "strcpy(a[i + 1], a[i]);",
        "stpcpy(a[i + 1], a[i]);",
        "strncpy(a[i + 1], a[i], 8);",
        "strcat(total, a[i]);",
        "memcpy(a[i + 1], a[i], 4);",
        "memmove(v + i + 1, v + i, sizeof *v);",
        'sprintf(a[i + 1], "%s", a[i]);',
        'snprintf(a[i + 1], 8, "%.*s!", 3, a[i]);',
        'sscanf(a[i], "%15s", a[i + 1]);',
        'int x; sscanf(a[i], "%d", &x); sprintf(a[i + 1], "%d", x + 1);',
        'v[i + 1] = atoi(a[i]); sprintf(a[i + 1], "%d", v[i + 1]);',
        "char *end; v[i] = strtol(a[i], &end, 10); *end = 0; strcpy(a[i + 1], a[i]);",
        "qsort(v, i + 1, sizeof *v, compare);",
        "memset(a[i], '1', 3); a[i + 1][0] = a[i - 1][0];",
        "v[i + 1] = strlen(a[i]); memset(a[i + 1], 'x', v[i + 1]);",
        "if (strcmp(a[i], a[i - 1]) > 0) a[i][0]++; else a[i][0]--;",
        "v[i] = strchr(a[i], '1') ? 1 : 0; a[i + 1][0]++; a[i + 1][1]++;",
        "free(p); p = strdup(q); q[0] = p[0] + 1;",
        "double whole; v[i] = (int) modf(x, &whole); x = whole + 1.5;",
    )
    for inside, report in zip(bodies, reports(*bodies), strict=True):
        assert not report.parallel, inside
        assert all(c.exact for c in report.carried), "none of it is assumed"


def test_what_iterations_do_to_rows_of_their_own_is_parallel():
    bodies = (
        "strcpy(a[i], b[i]);",
        'sprintf(a[i], "%d %s", i, b[i]);',
        'sscanf(a[i], "%d", &v[i]);',
        "v[i] = strlen(a[i]);",
        "v[i] = atoi(a[i]) + abs(v[i]);",
        "v[i] = strcmp(a[i], b[i]);",
        "v[i] = (int) (1000 * sin(v[i]) + pow(v[i], 0.5));",
        "memset(b[i], 0, 16); memcpy(a[i], b[i], 16);",
        "char *p = strdup(a[i]); p[0] = 'x'; v[i] = p[1]; free(p);",
        "qsort(a[i], 2, 1, compare);",
        "v[i] = f[1]();",
    )
    found = {b: r.verdict for b, r in zip(bodies, reports(*bodies), strict=True)}
    assert found == dict.fromkeys(bodies, "parallel")


def test_the_librarys_own_state_is_carried_and_named():
    said = {
        "v[i] = rand();": "not parallel: carries the state of rand",
        "v[i] = (int) (100 * drand48());": "not parallel: carries the state of drand48",
        'printf("%d\\n", v[i]);': "not parallel: carries the order of printf",
        "puts(a[i]);": "not parallel: carries the order of puts",
        "putc('x', stdout);": "not parallel: carries the order of putc",
        "v[i] = getchar();": "not parallel: carries the order of getchar",
        'strtok(i == 1 ? line : 0, ",");': "not parallel: carries the state of strtok",
        'FILE *f = fopen("/dev/null", "w"); fprintf(f, "%d", v[i]); fclose(f);': (
            "not parallel: carries the order of fopen"
        ),
        "v[i] = f[0]();": "not known to be parallel: it calls f[0]() (line",
        "sprintf(a[i], form, i);": "not known to be parallel: it calls sprintf(a[i], form, i)",
    }
    for report, text in zip(reports(*said), said.values(), strict=True):
        assert report.verdict.startswith(text)
        assert not report.parallel


UNKNOWN = """#include <stdlib.h>
char a[12][16]; int v[12], w[12];
int main(void) {
  for (int i = 1; i < 11; i++)
    v[i] = a64l(a[i]);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++)
      w[i] += a64l(a[j]);
  return 0;
}"""


def test_a_call_of_which_nothing_is_known_is_named_with_its_line():
    folding = pn.trace(UNKNOWN)
    feedback = folding.feedback()
    verdict = feedback.loops[0].verdict
    said = "not known to be parallel: it calls a64l(a[i]) (line 5); their texts would tell"
    assert verdict == said
    assert not feedback.nests[0].parallel
    with pytest.raises(pn.PolynbError, match="a64l"):
        folding.to_scop()


def test_loops_around_such_a_call_are_not_interchanged():
    (nest,) = [n for n in pn.trace(UNKNOWN).feedback().nests if len(n.loops) == 2]
    assert nest.bands == ((0, 0), (1, 1))
    assert nest.searched is None or nest.searched.width < 2
    assert not [s for s in nest.suggestions if s.transformation != "vectorise"]


def test_all_writers_of_a_copy_count_not_only_the_first():
    text = f"""{HEADERS}int a[200], b[200];
int main(void) {{
  for (int t = 0; t < 5; t++) {{
    for (int i = 0; i < 100; i++) a[i] = t;
    memcpy(b, a, sizeof a);
    for (int i = 100; i < 200; i++) a[i] = t;
  }}
  return 0;
}}"""
    outer = pn.trace(text).feedback().loops[0]
    assert not outer.parallel


def test_what_a_copy_overwrites_is_found_where_copies_overlap():
    (report,) = reports("memcpy(w + i - 1, v, 2 * sizeof *v);")
    assert report.parallel
    assert any("a copy of what w + i - 1 overwrites" in p for p in report.privatised)
