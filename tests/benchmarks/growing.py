"""Programs of any number of statements, or of parameters, which `growth.py` measures."""

from collections.abc import Iterable, Sequence
from itertools import pairwise


def chain(count: int) -> str:
    """Each statement is computed from what the one before it left, in an array of its own."""
    head = f"param N; assume N >= 4; input t0[N]; output t{count}[N];"
    loops = (f"for i = 0 to N - 1 do t{k}[i] = t{k - 1}[i] * 2.0; done" for k in _upto(count))
    return "\n".join([head, *_temporaries((f"t{k}" for k in range(1, count)), "[N]"), *loops])


def stencils(count: int) -> str:
    """As `chain`, but each cell needs its neighbours."""
    head = f"param N; assume N >= {2 * count + 4}; input t0[N]; output t{count}[N];"
    loops = (
        f"for i = {k} to N - 1 - {k} do t{k}[i] = t{k - 1}[i-1] + t{k - 1}[i+1]; done"
        for k in _upto(count)
    )
    return "\n".join([head, *_temporaries((f"t{k}" for k in range(1, count)), "[N]"), *loops])


def in_place(count: int) -> str:
    """Sweeps over one array, whose cells need their neighbours: every statement depends on every
    other one."""
    loops = (f"for i = 1 to N - 2 do a[i] = a[i-1] + {k}.0 * a[i+1]; done" for k in _upto(count))
    return "\n".join(["param N; assume N >= 4; inout a[N];", *loops])


def nests(count: int) -> str:
    """Products of a matrix and the vector before, summed up in scalars: three statements each."""
    count = max(count // 3, 1)
    head = f"param N; assume N >= 4; input A[N][N], x0[N]; output x{count}[N];"
    scalars = f"temp {', '.join(f's{k}' for k in _upto(count))};"
    loops = (
        f"for i = 0 to N - 1 do\n  s{k} = 0.0;\n"
        f"  for j = 0 to N - 1 do s{k} = s{k} + A[i][j] * x{k - 1}[j]; done\n"
        f"  x{k}[i] = s{k};\ndone"
        for k in _upto(count)
    )
    vectors = _temporaries((f"x{k}" for k in range(1, count)), "[N]")
    return "\n".join([head, scalars, *vectors, *loops])


def parameters(count: int) -> str:
    """Eight statements, each in a loop to the least of so many parameters, and a last one to a sum
    of them."""
    names = [f"N{k}" for k in range(count)]
    head = f"param {', '.join(names)};" + "".join(f" assume {n} >= 1;" for n in names)
    last = " + ".join(names)
    least = ", ".join(f"{n} - 1" for n in names)
    loops = [
        f"for i = 0 to min({least}) do t{k}[i] = t{k - 1}[i] + A[i + {names[k % count]}]; done"
        for k in range(1, 9)
    ]
    loops += [f"for i = 0 to {last} - 1 do B[i] = t8[0] + A[i]; done"]
    head += f" input A[2 * ({last})], t0[N0]; output B[{last}];"
    return "\n".join([head, *_temporaries((f"t{k}" for k in range(1, 9)), "[N0]"), *loops])


def sizes(count: int) -> str:
    """So many statements, each with a parameter of its own, none above the one before: twice as
    many are four times as many coefficients, and that is what time is compared with."""
    names = [f"N{k}" for k in range(count + 1)]
    head = f"param {', '.join(names)}; assume {names[-1]} >= 1;"
    head += "".join(f" assume {a} >= {b};" for a, b in pairwise(names))
    head += f" input t0[N0]; output t{count}[N{count}];"
    within = (f"temp t{k}[N{k}];" for k in range(1, count))
    loops = (f"for i = 0 to N{k} - 1 do t{k}[i] = t{k - 1}[i] + 1.0; done" for k in _upto(count))
    return "\n".join([head, *within, *loops])


def _upto(count: int) -> Sequence[int]:
    return range(1, count + 1)


def _temporaries(names: Iterable[str], extents: str) -> list[str]:
    found = ", ".join(f"{n}{extents}" for n in names)
    return [f"temp {found};"] if found else []
