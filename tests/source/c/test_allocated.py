"""Large private arrays in C to read."""

from dataclasses import replace

import polynb as pn
from polynb.source.c.print.printer import print_function
from polynb.source.tree import Declaration, For
from polynb.source.types import FLOAT

TEXT = """param N, M; input float a[N][M]; output float o[N][M]; temp float t[M];
for y = 0 to M - 1 do t[y] = a[0][y]; done
for y = 0 to M - 1 do o[0][y] = t[y]; done
for x = 1 to N - 1 do
  for y = 0 to M - 1 do t[y] = a[x][y]; done
  for y = 0 to M - 1 do o[x][y] = t[y]; done
done"""


def printed(kinds):
    """With t private to the loops over x, and over y in it, that run so."""
    program = pn.parse(TEXT).program

    def private(loop, *kinds):
        body = tuple(private(s, *kinds[1:]) if isinstance(s, For) else s for s in loop.body)
        own = () if kinds[0] == "sequential" else ("t",)
        return replace(loop, body=body, kind=kinds[0], private=own)

    *first, loop = program.body
    body = (*first, private(loop, *kinds))
    typed = tuple(replace(d, type=FLOAT) for d in program.declarations)
    assert all(isinstance(d, Declaration) for d in typed)
    return print_function(replace(program, declarations=typed, body=body), {"t"})


def test_a_run_outside_of_the_loop_has_an_array_of_its_own():
    lines = printed(("parallel", "sequential")).splitlines()
    loop = next(k for k, x in enumerate(lines) if "int64_t x" in x)
    assert [x.strip() for x in lines].count("float *t = malloc(sizeof(float[M]));") == 2
    assert "malloc" in lines[loop + 1]
    assert [x for x in lines if "free" in x] == ["    free(t);", "  free(t);"]


def test_loops_inside_share_the_array_of_the_one_around():
    text = printed(("parallel", "vector"))
    assert text.count("malloc(") == 2
    assert "private(" not in text
    assert "simd" not in text  # lanes would share it
