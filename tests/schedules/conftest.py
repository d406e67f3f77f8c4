"""Programs with permutable bands: the listings of live-range reordering, and a matrix product."""

import shutil
from types import SimpleNamespace

import pytest

from polynb import gallery, isl
from polynb.schedules.bands import with_schedule
from polynb.scop.isl_marks import mark_name
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Mark, Sequence, subtrees

LISTING1 = """param n; assume n >= 1;
input double A[n][n], B[n][n]; output double C[n][n]; temp double {declared};
for i = 0 to n - 1 do for j = 0 to n - 1 do
  {t} = A[i][j];        // S1
  C[i][j] = {t};        // S2
done done
for i = 0 to n - 1 do for j = 0 to n - 1 do
  {t} = B[i][j];        // S3
  C[j][i] = C[j][i] + {t};  // S4
done done
"""


def sequence(*names, child=Leaf()):  # noqa: B008
    return Sequence(tuple(Filter({n: None}, child) for n in names))


def band(members, child=Leaf(), *, permutable=True, coincident=None, kinds=None):  # noqa: B008
    maps = {isl.tuple_name(m, isl.IN): m for m in map(isl.Map, members)}
    depth = next(iter(maps.values())).dim(isl.OUT)
    return Band(
        maps,
        child,
        permutable,
        tuple(map(Loop, kinds or ("sequential",) * depth, coincident or (False,) * depth)),
    )


def fused(scop):
    """Listing 1 in the order (12) of the paper: the nests fused, one of them transposed."""
    transposed = [f"{{ {s}[i, j] -> [j, i] }}" for s in ("S1", "S2")]
    others = [f"{{ {s}[i, j] -> [i, j] }}" for s in ("S3", "S4")]
    inside = sequence("S1", "S2", "S3", "S4")
    return with_schedule(scop, band([*transposed, *others], inside, coincident=(True, True)))


def outline(tree, depth=0):
    """A tree as indented lines: bands with their kinds, marks with their names."""
    match tree:
        case Band():
            said = f"band {' '.join(tree.kinds)}"
        case Mark():
            said = mark_name(tree.what)
        case Filter():
            said = ",".join(tree.domains)
        case _:
            said = type(tree).__name__.lower()
    return [" " * depth + said] + [x for t in subtrees(tree) for x in outline(t, depth + 1)]


@pytest.fixture
def programs():
    """The programs, made anew, and what they are made of."""

    def listing1():
        return fused(parse(LISTING1.format(declared="t[2*n-1]", t="t[i+j]"), "scop"))

    def listing1_scalar():
        return fused(parse(LISTING1.format(declared="t", t="t"), "scop"))

    def gemm(order="i, j, k"):
        """All of the matrix product in one band, each scaling where k = 0."""
        add = f"{{ add[i, j, k] -> [{order}] }}"
        scale = f"{{ scale[i, j] -> [{order.replace('k', '0')}] }}"
        coincident = tuple(x != "k" for x in order.split(", "))
        tree = band([scale, add], sequence("scale", "add"), coincident=coincident)
        return with_schedule(gallery.load("gemm"), tree)

    return SimpleNamespace(
        listing1=listing1,
        listing1_scalar=listing1_scalar,
        gemm=gemm,
        band=band,
        sequence=sequence,
        outline=lambda scop: outline(scop.schedule),
        with_schedule=with_schedule,
    )


@pytest.fixture
def gcc():
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
