"""What is written to be looked up: nothing is missing, and what it leads to is there."""

import inspect
import io
import re
from pathlib import Path

import pytest

import polynb as pn
from polynb.errors import edited
from polynb.scop import language
from polynb.show.glossary import Definition, definitions
from polynb.site.building import CONFIGURATION
from polynb.site.reference import cell_magics, library, programs, terms
from polynb.site.reference.cell_magics import magics
from polynb.site.sources import anchor, found
from polynb.source.names import ROLES

ROOT = Path(__file__).parents[2]
LESSONS = [p for p in found(ROOT) if p.parent.name == "lessons"]


def test_every_public_name_has_a_page_that_says_what_it_is():
    pages = library.pages()
    assert pages.keys() == {f"{n}.rst" for n in [*pn.__all__, "index"]}
    for name in pn.__all__:
        assert library.first_sentence(getattr(pn, name)).endswith("."), name
        assert pages["index.rst"].count(f":doc:`{name} <{name}>`") == 1
        assert f"polynb.{name}" in pages[f"{name}.rst"]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The library's pages as Sphinx makes them, without the rest of the site."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    folder = tmp_path_factory.mktemp("library")
    for name, text in library.pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = {n: v for n, v in CONFIGURATION.items() if not n.startswith(("nb_", "myst_"))}
    settings["extensions"] = ["sphinx.ext.autodoc"]
    said = io.StringIO()
    places = (folder, None, folder / "out", folder / "kept", "text")
    with docutils_namespace():
        app = Sphinx(*places, confoverrides=settings, status=None, warning=said)
        library.connect(app)
        app.build(force_all=True)
    assert said.getvalue() == ""
    return lambda name: (folder / "out" / f"{name}.txt").read_text("utf-8")


@pytest.mark.long
def test_signatures_are_as_they_are_written(written):
    page = written("propagate")
    assert re.search(r"\npolynb\.propagate\(\n   scop: Scop,\n.*\n\) -> Derivation\n", page, re.S)
    assert "order: Order | str | Sequence[str] = 'potential'" in page
    scop = written("Scop")
    assert "class polynb.Scop\n" in scop
    assert "   statements: tuple[Statement, ...]\n" in scop
    assert re.search(r"\n   to_svg\(", scop)
    assert "property temporaries: tuple[str, ...]\n\n      The arrays" in scop
    assert "_isl." not in scop


def test_every_public_name_and_its_members_are_told(written):
    for name in pn.__all__:
        value, page = getattr(pn, name), written(name)
        if inspect.isclass(value):
            told = [n for n in dir(value) if not n.startswith("_") and not hasattr(Exception, n)]
            assert all(re.search(rf"^   .*\b{n}\b", page, re.M) for n in told), name
        else:
            first = inspect.getdoc(value).partition("`")[0].split()[:4]
            assert " ".join(first) in " ".join(page.split()), name


def test_what_begins_a_docstring():
    def one():
        """Gives `{ S[i] : 0. <= i }`, and more. Not this."""

    assert library.first_sentence(one) == "Gives `{ S[i] : 0. <= i }`, and more."
    assert library.escaped("`a_ *` **b** c_ d|e") == r"`a_ *` \*\*b\*\* c\_ d\|e"


@pytest.fixture(scope="module")
def registered(ip):
    from polynb.show.magics.extension import _ours

    ip.run_line_magic("load_ext", "polynb")
    return {kind: _ours(ip, kind) for kind in ("line", "cell")}


@pytest.fixture(scope="module")
def ip():
    from IPython.core.interactiveshell import InteractiveShell

    return InteractiveShell.instance()


def test_every_magic_is_told_of_with_all_its_options(registered):
    listed = {m.name: m for m in magics()}
    assert listed.keys() == registered["line"].keys() | registered["cell"].keys()
    for name, told in listed.items():
        forms = [f"%%{name}"] * (name in registered["cell"])
        forms += [f"%{name}"] * (name in registered["line"])
        assert list(told.forms) == forms
        parser = (registered["line"].get(name) or registered["cell"][name]).parser
        flags = {o for a in parser._actions for o in a.option_strings}
        assert flags == {w for f, _ in told.options for w in re.findall(r"(?<!\S)--?[\w-]+", f)}
        assert all(said for _, said in told.options), f"{name} has an option without a word"
        assert told.text.strip()


@pytest.mark.long
@pytest.mark.parametrize("magic", [m.name for m in magics()])
def test_every_magic_tells_of_an_example_that_runs(shell, magic):
    (told,) = (m for m in magics() if m.name == magic)
    _, _, example = inspect.cleandoc(told.text).partition("example:\n\n")
    cell = inspect.cleandoc(example)
    assert re.search(rf"%%?{magic}\b", cell)
    cell = f"{cell} --rounds 1" if magic == "bench" else cell
    result = shell.run_cell(cell)
    result.raise_error()
    assert result.result is not None
    assert "⚠" not in repr(result.result)
    assert "did you mean" not in result.result._repr_mimebundle_()["text/plain"]


def test_the_page_of_the_language_is_what_the_parser_has():
    assert (ROOT / language.PLACE).read_text("utf-8") == language.page(), (
        f"python -m polynb.scop.language {language.PLACE}"
    )


def test_what_the_page_of_the_language_says_holds():
    assert language.MEANS.keys() == set(ROLES)
    scop = pn.parse(language.EXAMPLE)
    assert not scop.doubts
    assert scop.statements[0].name == "halve"
    assert [a.name for a in scop.arrays.values() if a.role == "temp"] == ["t"]
    known = pn.parse("param N; for i = 0 to N do B[2*i+N] = A[floord(i,2)] + A[i%2+i/3]; done")
    assert known.statements[0].affine
    assert pn.parse("for i = 0 to 9 do B[i] = A[idx[i]]; done").arrays["idx"].type.name == "int64"
    values = pn.compile(pn.parse("B[0] = 1 / 2; B[1] = 1 / 2.0;"))()
    assert list(values["B"]) == [0, 0.5]


@pytest.mark.parametrize("text", language.REFUSED)
def test_what_the_page_says_to_write_is_a_program(text):
    """What is to be written instead, step by step where there are several mistakes."""
    said, way = language.answer(text)
    assert said
    assert way
    for _ in range(3):
        try:
            pn.parse(text, "scop")
        except pn.PolynbError as error:
            if not error.fix:
                return
            text = edited(error.fix)
    pn.parse(text, "scop")


def test_every_magic_has_an_example_from_a_lesson():
    page = cell_magics.page(LESSONS, "../notebooks/lessons")
    cells = {c["id"]: c for c in page["cells"]}
    for told in magics():
        example = cells[f"{told.name}-cell"]
        assert re.search(rf"%%?{told.name}\b", "".join(example["source"]))
        assert example["outputs"]
        link = re.search(r"\]\((.+?)\)", cells[f"{told.name}-example"]["source"])[1]
        assert (ROOT / "reference" / link).resolve().is_file()


def test_a_program_of_the_gallery_has_its_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(pn.gallery, "names", lambda: ("fig4", "camera_pipe"))
    monkeypatch.setattr(programs, "STATEMENTS", 30)
    programs.write(tmp_path)
    page = (tmp_path / "gallery.md").read_text()
    for name in ("fig4", "camera_pipe"):
        assert f"## {name}\n" in page
        assert (tmp_path / "gallery" / f"{name}.svg").read_text().startswith("<svg")
    assert "A[i] = (i+1)*i; // S" in page
    assert "The first 30 of 41 statements" in page
    assert len(re.findall(r":alt: Iteration spaces: \w+", page)) == 2


@pytest.fixture(scope="module")
def glossary():
    return terms.page(LESSONS, "../notebooks/lessons")


@pytest.fixture(scope="module")
def texts():
    return {p: terms.prose(p) for p in LESSONS}


@pytest.mark.parametrize("definition", definitions(), ids=lambda d: d.term)
def test_every_term_has_its_paper_and_a_lesson_that_has_it(definition, glossary, texts):
    assert any(name in definition.source for name in terms.papers())
    lesson = terms.lesson_of(definition, texts)
    assert lesson is not None
    assert re.search("|".join(definition.forms), texts[lesson], re.IGNORECASE)
    assert f"\n{definition.term}\n  {definition.means} (" in glossary
    assert f"](../notebooks/lessons/{lesson.name})" in glossary


def test_the_lesson_of_a_term_is_the_one_that_introduces_it():
    term = Definition("zone", ("zones", "zone"), "A time.", "DeLICM")
    first, second = Path("01.ipynb"), Path("02.ipynb")
    assert terms.lesson_of(term, {first: "The zone.", second: "A *zone* is"}) == second
    assert terms.lesson_of(term, {first: "**Zones** are", second: "A *zone* is"}) == first
    assert terms.lesson_of(term, {first: "Ozone", second: "the zones"}) == second
    assert terms.lesson_of(term, {first: "Ozone", second: "zoned, a-zone-b"}) is None


def test_names_of_headings():
    assert anchor("36.-In-which-order-sources-are-tried") == "36-in-which-order-sources-are-tried"
    assert anchor("labs") == "labs"
