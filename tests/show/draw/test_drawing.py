"""pn.draw: any set, any map."""

import io
import subprocess
import sys

import islpy
import pytest
from matplotlib import image

from polynb import gallery
from polynb.dependences import analyze, live_ranges
from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.show.draw.drawing import draw
from polynb.show.draw.plots import hull

SETS = [
    "[N] -> { S[i] : 0 <= i < N }",
    "[N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i }",
    "{ A[i, j, k] : 0 <= i, j, k < 3 }",
    "{ [] }",
    "{ [i, j] : i >= j }",
    "{ [[i] -> [j]] : 0 <= i, j < 3 }",
]
MAPS = [
    "[N] -> { S[i] -> T[j] : 0 <= i < N and j = 2i }",
    "[N] -> { S[i] -> S[i + 1] : 0 <= i < N }",
    "[N] -> { S[i, j] -> S[i + 1, j + 1] : 0 <= i, j < N }",
    "{ S[i] -> A[i, j] : 0 <= i < 4 and 0 <= j < 3 }",
    "{ S[i, j, k] -> S[i, j, k + 1] : 0 <= i, j, k < 2 }",
    "{ S[i] -> S[i] : 0 <= i < 3 }",
    "{ [S[i] -> A[j]] -> T[k] : 0 <= i, j, k < 2 }",
    "{ [i] -> [i, i + 1] : 0 <= i < 3 }",
    "{ S[i, j] -> S[i] : 0 <= i, j < 3 }",
]


def points_of(ax):
    """The points that were plotted as markers."""
    return {
        tuple(map(float, p))
        for line in ax.lines
        if line.get_marker() not in ("None", None, "")
        for p in line.get_xydata()
    }


@pytest.mark.parametrize("text", SETS)
@pytest.mark.parametrize("kind", [islpy.Set, islpy.UnionSet])
def test_sets_are_drawn(text, kind):
    figure = draw(kind(text))
    assert figure._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("text", MAPS)
@pytest.mark.parametrize("kind", [islpy.Map, islpy.UnionMap])
def test_maps_are_drawn(text, kind):
    figure = draw(kind(text))
    assert figure._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("text", [SETS[1], MAPS[1], "{ S[i] : 0 <= i < 3; T[j] : j = 1 }"])
def test_texts_are_drawn(text):
    assert draw(text, N=3).axes if "N" in text else draw(text).axes


@pytest.mark.parametrize(
    ("function", "points"),
    [
        (
            islpy.PwAff("{ [i] -> [2i] : 0 <= i < 3; [i] -> [0] : 3 <= i < 5 }"),
            {(0, 0), (1, 2), (2, 4), (3, 0), (4, 0)},
        ),
        (islpy.PwAff("[N] -> { S[i] -> [N - i] : 0 <= i < N }"), {(0, 2), (1, 1)}),
    ],
)
def test_a_function_is_drawn_as_its_graph(function, points):
    (ax,) = draw(function, **({"N": 2} if function.dim(islpy.dim_type.param) else {})).axes
    assert points_of(ax) == points
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("i", "value")


@pytest.mark.parametrize(
    "function",
    [
        islpy.Aff("{ [i] -> [i + 1] }"),
        islpy.PwAff("{ [i, j] -> [i + j] : 0 <= i, j < 3 }"),
        islpy.PwAff("[N] -> { [(N + 1)] }"),
        islpy.MultiAff("{ [i] -> [i, i + 1] }"),
        islpy.PwMultiAff("{ S[i] -> T[i + 1] : 0 <= i < 3 }"),
        islpy.MultiPwAff("{ [i] -> [(i + 1), (2i)] }"),
    ],
)
def test_functions_of_all_kinds_are_drawn(function):
    assert draw(function).axes


def test_a_point_is_drawn():
    (ax,) = draw(islpy.Set("{ S[2, 3] }").sample_point()).axes
    assert points_of(ax) == {(2, 3)}


def test_basic_sets_and_maps_are_drawn():
    assert draw(islpy.BasicSet("{ [i] : 0 <= i < 3 }")).axes
    assert draw(islpy.BasicMap("{ S[i] -> T[i] : 0 <= i < 3 }")).axes


def test_exactly_the_points_are_drawn():
    (ax,) = draw(islpy.Set("[N] -> { S[i, j] : 0 <= i < N and j = 2i }"), parameters={"N": 3}).axes
    assert points_of(ax) == {(0, 0), (1, 2), (2, 4)}
    assert ax.get_title(loc="left") == "N = 3"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("i", "j")


def test_one_arrow_for_each_pair():
    (ax,) = draw(islpy.Map("{ S[i, j] -> S[i + 1, j] : 0 <= i < 3 and 0 <= j < 2 }")).axes
    assert sum(type(p).__name__ == "FancyArrowPatch" for p in ax.patches) == 6


def test_tuples_have_markers_of_their_own():
    (ax,) = draw(islpy.UnionSet("{ S[i, j] : 0 <= i, j < 2; T[i, j] : i = 3 and j = 3 }")).axes
    assert len({line.get_marker() for line in ax.lines}) == 2
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["S", "T"]


@pytest.mark.parametrize("text", ["{ [i, j] : i > 0 and i < 0 }", "{ S[i] : false }"])
def test_an_empty_set_says_so(text):
    (ax,) = draw(islpy.Set(text)).axes
    assert "empty" in [t.get_text() for t in ax.texts]


def test_a_set_without_ends_is_cut_and_says_so():
    (ax,) = draw(islpy.Set("{ S[i, j] : i >= j }")).axes
    assert "only a part of S" in ax.get_title(loc="left")


def test_programs_and_dependences_are_drawn(blur):
    for thing in (blur, analyze(blur), propagate(blur)):
        (ax,) = draw(thing).axes
        assert any("add" in t.get_text() or "halve" in t.get_text() for t in ax.texts)
    (ax,) = draw(blur, parameters={"N": 3}).axes
    assert "N = 3" in ax.get_title(loc="left")


def test_given_axes_are_used_and_returned():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert draw(islpy.Set("{ [i, j] : 0 <= i, j < 3 }"), ax=ax) is ax
    assert len(points_of(ax)) == 9
    with pytest.raises(PolynbError, match="three dimensions"):
        draw(islpy.Set("{ [i, j, k] : 0 <= i, j, k < 3 }"), ax=ax)


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (islpy.Set("{ S[a, b, c, d] : a = 0 }"), "4 dimensions"),
        (islpy.Map("{ S[i] -> A[a, b, c, d] }"), "4 dimensions"),
        (islpy.Set("[N] -> { : N > 3 }"), "parameter values alone"),
        (3, "int cannot be drawn"),
        ("{ S[i", "column 6: the text ends where"),
        ("gallery:fig1", "`gallery` where `{` is expected"),
        (islpy.Aff("{ [i, j, k] -> [i + j + k] }"), "4 dimensions"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_way_out(thing, said):
    with pytest.raises(PolynbError, match=said) as caught:
        draw(thing)
    assert caught.value.hint


def test_unknown_and_odd_parameters_are_refused(blur):
    with pytest.raises(PolynbError, match="no parameter 'M'"):
        draw(islpy.Set("[N] -> { [i] : 0 <= i < N }"), parameters={"M": 3})
    with pytest.raises(PolynbError, match="must be an integer"):
        draw(blur, parameters={"N": 2.5})
    with pytest.raises(PolynbError, match="no parameter 'M'"):
        draw(blur, M=3)


def test_values_are_given_by_name(blur):
    (ax,) = draw(blur, N=3).axes
    assert "N = 3" in ax.get_title(loc="left")
    (ax,) = draw("[N, ax] -> { [i] : ax <= i < N }", parameters={"ax": 1}, N=4).axes
    assert set(ax.get_title(loc="left").split(", ")) == {"N = 4", "ax = 1"}


def test_the_hull_has_the_corners_only():
    square = [(x, y) for x in range(4) for y in range(3)]
    assert set(hull(square)) == {(0, 0), (3, 0), (3, 2), (0, 2)}
    assert hull([(0, 0), (1, 1), (2, 2)]) in ([(0, 0), (2, 2)], [(0, 0), (2, 2), (0, 0)])


def test_no_backend_is_chosen():
    program = (
        "import sys, islpy; from polynb.show.draw.drawing import draw\n"
        "repr(draw(islpy.Set('{ [i] : 0 <= i < 3 }')))\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_live_ranges_are_drawn_with_the_false_dependences_between_them():
    figure = draw(live_ranges(gallery.load("lrr_listing1")), n=3)
    drawn = [t.get_text() for a in figure.axes for t in a.texts]
    assert {"S1[i, j]", "S2[i, j]", "S3[i, j]", "S4[i, j]"} <= set(drawn)


@pytest.mark.parametrize(
    "x",
    [
        "{ S[i, j] : 0 <= j <= i < 6 }",
        "{ S[i, j, k] : 0 <= i <= j <= k < 4 }",
        "{ [i] -> [i + 1] : 0 <= i < 3 }",
    ],
)
def test_pictures_are_readable_on_light_and_dark_pages(x):
    """Nothing is behind them, and nothing in them is black or white."""
    png = draw(x)._repr_mimebundle_()["image/png"]
    pixels = image.imread(io.BytesIO(png))
    assert pixels[0, 0, 3] == 0
    seen = pixels[pixels[..., 3] > 0.9][:, :3].mean(axis=1)
    assert len(seen) > 100
    assert seen.min() > 0.2
    assert seen.max() < 0.8


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    for name in [n for n in sys.modules if n.startswith(("matplotlib", "polynb.show.draw.plots"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("polynb.show.draw.plots", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PolynbError, match=r"need matplotlib[^$]*pip install matplotlib"):
        draw("{ [i] : 0 <= i < 4 }")


def test_what_is_shaded_has_no_holes_that_the_set_has():
    """Each polyhedron is shaded by itself; very many are shaded as one."""
    figure = draw("[N] -> { S[i] : 0 <= i <= N and i != 3 }", N=6)
    bands = [line.get_xdata() for line in figure.axes[0].lines if line.get_linewidth() == 7]
    assert sorted(map(list, bands)) == [[0, 2], [4, 6]]
    figure = draw("[N] -> { S[i, j] : 0 <= i, j <= N and i != 3 }", N=6)
    assert len(figure.axes[0].patches) == 2
    many = " or ".join(f"i = {k * k}" for k in range(45))
    assert len(draw(f"{{ S[i, j] : 0 <= j <= 1 and ({many}) }}").axes[0].patches) == 1
