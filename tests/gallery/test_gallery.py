import functools
import json
from importlib.resources import files
from pathlib import Path

import pytest

from polynb import gallery, isl
from polynb.errors import PolynbError
from polynb.source import tree as syntax

loaded = functools.cache(gallery.load)
GOLDEN = Path(__file__).parents[1] / "golden" / "propagation_cases.json"
CASES = {c["id"]: c for c in json.loads(GOLDEN.read_text("utf-8"))["cases"]}
FIGURES = {
    "fig1": "P12",
    "fig4": "P02",
    "fig5": "P03",
    "fig7a": "P08",
    "fig7b": "P06",
    "fig9a": "P09",
    "fig9b": "P10",
    "fig10": "P11",
}


def test_the_index_has_every_file_and_every_written_pipeline_once():
    here = files("polynb.gallery")
    present = {f.name for f in here.iterdir() if f.name.endswith((".scop", ".c"))}
    written = {gallery.entry(name).file for name in gallery.names()} - present
    modules = {f.name for f in (here / "pipelines").iterdir() if f.name.endswith(".py")}
    assert {f.replace(".scop", ".py") for f in written} <= modules
    assert sorted(gallery.entry(n).file for n in gallery.names()) == sorted(present | written)


@pytest.mark.parametrize("name", gallery.names())
def test_a_program_loads_and_its_usual_size_is_allowed(name):
    scop = loaded(name)
    sizes = gallery.sizes(name)
    assert set(sizes) == set(scop.parameters)
    for allowed in (scop.context, scop.requires):
        assert not isl.fix_parameters(allowed, sizes).is_empty()


BY_DATA = ("bilateral_grid", "camera_pipe", "local_laplacian", "pencil_histogram")


@pytest.mark.parametrize("name", gallery.names())
def test_statements_are_affine_but_for_tables_and_histograms_and_have_their_own_labels(name):
    scop = loaded(name)
    assert all(s.affine for s in scop.statements) == (name not in BY_DATA)
    for s in syntax.statements(scop.program.body):
        assert s.label in gallery.text(name)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_is_the_program_of_the_worked_case(figure):
    from polynb.scop.parsing import parse

    ours = gallery.load(figure)
    case = parse("\n".join(CASES[FIGURES[figure]]["program"]), "scop")
    assert [s.name for s in ours.statements] == [s.name for s in case.statements]
    assert set(ours.temporaries) == set(case.temporaries)
    for a, b in zip(ours.statements, case.statements, strict=True):
        for mine, other in zip((a.write, *a.reads), (b.write, *b.reads), strict=True):
            other = other.relation.intersect_params(ours.context)
            assert mine.relation.intersect_params(ours.context).is_equal(other)
        assert a.schedule.is_equal(b.schedule)


@pytest.mark.parametrize(
    ("name", "arrays", "loops", "statements", "accesses"),
    [("unsharp_mask", 5, 12, 4, 20), ("harris", 12, 22, 11, 65)],
)
def test_the_pipelines_have_the_counts_of_the_papers_table_1(
    name, arrays, loops, statements, accesses
):
    """The naive versions (columns N); scalars are not counted."""
    scop = gallery.load(name)
    touched = [a.array for s in scop.statements for a in (s.write, *s.reads)]
    assert sum(a.dimensions > 0 for a in scop.arrays.values()) == arrays
    assert count_loops(scop.program.body) == loops
    assert len(scop.statements) == statements
    assert sum(scop.arrays[a].dimensions > 0 for a in touched) == accesses


def count_loops(body):
    total = 0
    for s in body:
        match s:
            case syntax.For(body=inner):
                total += 1 + count_loops(inner)
            case syntax.If(then=a, otherwise=b):
                total += count_loops(a) + count_loops(b)
    return total


def test_the_pipelines_are_in_single_precision():
    for name in ("unsharp_mask", "harris"):
        assert {str(a.type) for a in gallery.load(name).arrays.values()} == {"float"}


def test_options_are_those_of_parse():
    scop = gallery.load("gemm", temp=["C"], assume="ni >= 4")
    assert scop.arrays["C"].role == "temp"
    assert scop.context.is_subset(isl.read_set("[ni] -> { : ni >= 4 }"))


def test_a_scop_has_the_name_of_the_program_or_of_its_function():
    assert [gallery.load(n).name for n in ("fig1", "gemm", "2mm")] == ["fig1", "gemm", "two_mm"]


def test_an_unknown_name_gets_the_nearest_ones():
    with pytest.raises(PolynbError, match="no program 'haris'") as caught:
        gallery.load("haris")
    assert caught.value.hint == "harris"
    with pytest.raises(PolynbError) as caught:
        gallery.text("../errors")
    assert "unsharp_mask" in caught.value.hint


def test_names_with_hyphens():
    assert gallery.text("jacobi-1d") == gallery.text("jacobi_1d")


def test_it_says_what_it_has():
    assert gallery.describe("harris") == (
        "Harris corner detection (Polyhedral Expression Propagation and PolyMage, benchmark 2)"
    )
    shown = repr(gallery).splitlines()
    assert [line.split()[0] for line in shown] == list(gallery.names())
    assert {"load", "names", "text", "sizes", "describe"} <= set(dir(gallery))


def test_sizes_cannot_be_changed_by_a_caller():
    gallery.sizes("harris")["R"] = 0
    assert gallery.sizes("harris") == {"R": 6400, "C": 6400}
