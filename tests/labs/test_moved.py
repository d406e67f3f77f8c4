"""Labs have got the numbers of their lessons: who uses an old one is told, and loses no points."""

import json

import pytest

from polynb import labs
from polynb.errors import PolynbError
from polynb.labs.catalogue import built, lab_names, sheet, template
from polynb.labs.copies import read, student
from polynb.labs.grading import grade
from polynb.labs.grading.cells import points_of
from polynb.labs.moved import now_called

from .classroom import LAB

OLD = now_called(lab_names())
BANDS = LAB.with_name("lab_09_bands.ipynb")


def test_labs_7_to_11_are_8_to_12():
    assert len(OLD) == 22
    for before, now in OLD.items():
        assert int(now[3:].partition(".")[0]) == int(before[3:].partition(".")[0]) + 1
        with pytest.raises(PolynbError, match=f"{before} is {now} now") as error:
            labs.exercise(before)
        assert now in error.value.hint


def test_what_is_new_was_never_called_otherwise():
    with pytest.raises(PolynbError, match=r"lab11\.kernel") as error:
        labs.exercise("lab11.kernel")
    assert "is lab12.kernel now" not in str(error.value)


@pytest.mark.parametrize("before", OLD)
def test_the_numbers_are_those_that_students_had(before):
    now = OLD[before]
    shared = sheet(now.partition(".")[0]).get("let", {})
    for who in ("", "ada"):
        had = built(before, template(now), shared, who)
        has = labs.exercise(now, student=who)
        assert (had.text, had.program) == (has.text, has.program)
        assert list(map(str, had._right)) == list(map(str, has._right))


def handed_in(folder, name="lab_08_bands.ipynb"):
    """What somebody hands in who has the copy of last week, in which the lab is number 8."""
    made = student(read(BANDS))
    answers = {n: labs.exercise(n, student="ada")._right[0] for n in labs.exercises(9)}
    for cell in made["cells"]:
        text = "".join(cell["source"]).replace("lab9.", "lab8.").replace('ME = ""', 'ME = "ada"')
        for n, answer in answers.items():
            text = text.replace(f"{n[5:]}_answer = ...", f"{n[5:]}_answer = {answer!r}")
        cell["source"] = text
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / name).write_text(json.dumps(made))
    return folder


@pytest.mark.long
@pytest.mark.parametrize("name", ["lab_08_bands.ipynb", "mine.ipynb"])
def test_an_old_notebook_is_graded_as_the_lab_that_it_is(tmp_path, name):
    found = grade([handed_in(tmp_path, name)])
    assert [g.exercise for g in found] == list(labs.exercises(9))
    assert [g.points for g in found] == [g.of for g in found]


@pytest.mark.long
def test_an_old_number_for_old_notebooks_is_a_question(tmp_path):
    with pytest.raises(PolynbError) as error:
        grade([handed_in(tmp_path)], lab=8)
    assert "has exercises of lab9, by old names: not --lab 8" in error.value.reason
    assert sum(g.points for g in grade([tmp_path], lab=9)) == sum(
        labs.exercise(n).points for n in labs.exercises(9)
    )


def test_a_locked_cell_says_the_new_name():
    with pytest.raises(PolynbError, match=r"lab7\.anti is lab8\.anti now"):
        points_of("lab7.anti", "{ }", "ada")


def test_a_file_of_ones_own_that_would_change_nothing_is_refused(tmp_path):
    own = tmp_path / "lab7" / "anti.toml"
    own.parent.mkdir()
    own.write_text("points = 3\n")
    labs.use(tmp_path)
    try:
        with pytest.raises(PolynbError, match=r"lab7\.anti is lab8\.anti now") as error:
            labs.exercise("lab8.anti")
        assert "lab8/anti.toml" in error.value.hint
        own.parent.rename(tmp_path / "lab8")
        assert labs.exercise("lab8.anti").points == 3
        (tmp_path / "lab7").mkdir()
        own.write_text((tmp_path / "lab8" / "anti.toml").read_text())
        (tmp_path / "lab7" / "lab.toml").write_text('title = "own"\nexercises = ["anti"]\n')
        assert labs.exercise("lab8.anti").points == 3  # a lab of one's own that is called so
    finally:
        labs.use()
