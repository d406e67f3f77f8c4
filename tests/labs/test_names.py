"""Whose a submission is: one name written in several ways, folders as Moodle calls them, and what a
teacher says of the rest."""

import json
import unicodedata

import pytest

from polynb import labs
from polynb.errors import PolynbError
from polynb.labs.grading import grade
from polynb.labs.grading.names import line_for, read_names, student_of
from polynb.labs.grading.submissions import submissions
from polynb.labs.variants import one_spelling

from .classroom import LAB, NAMES, notebook, rightly

ACCENTED = "José Núñez"


def handed_in(folder, called, student):
    (folder / called).mkdir(parents=True)
    text = json.dumps(notebook(student, rightly(student)))
    (folder / called / LAB.name).write_text(text)
    return folder


def points(grades):
    return sum(g.points for g in grades)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("name", [ACCENTED, "ADA", " ada  lovelace ", "Ǆemal", "İpek"])
def test_a_name_has_the_same_numbers_however_it_is_written(name, form):
    written = unicodedata.normalize(form, name)
    if form in ("NFC", "NFD") or written == name:
        assert one_spelling(written) == one_spelling(name)
        for exercise in NAMES:
            assert (
                str(labs.exercise(exercise, student=written)).partition("\n")[2]
                == str(labs.exercise(exercise, student=name)).partition("\n")[2]
            )


@pytest.mark.long
def test_macos_writes_accents_as_signs_of_their_own(tmp_path):
    folder = handed_in(tmp_path, unicodedata.normalize("NFD", ACCENTED), ACCENTED)
    grades = grade([folder])
    assert points(grades) == 10
    assert not any(g.troubles for g in grades)


@pytest.mark.parametrize(
    ("called", "student"),
    [
        ("Ada Lovelace_123_assignsubmission_file", "Ada Lovelace"),
        ("Ada Lovelace_123_assignsubmission_file_", "Ada Lovelace"),
        ("Ada Lovelace_123_assignsubmission_file_lab_01_sets", "Ada Lovelace"),
        ("Ada_L_123_assignsubmission_onlinetext", "Ada_L"),
        ("ada", "ada"),
        ("ada_17", "ada_17"),
    ],
)
def test_whose_a_folder_is(called, student):
    assert student_of(called, {}) == student
    assert student_of(called, {one_spelling(called): "Grace"}) == "Grace"


@pytest.mark.long
def test_moodles_folders_are_graded(tmp_path):
    folder = handed_in(tmp_path, "Ada Lovelace_123_assignsubmission_file", "ada lovelace")
    grades = grade([folder])
    assert points(grades) == 10
    assert {g.student for g in grades} == {"Ada Lovelace"}


@pytest.mark.long
def test_another_name_is_a_question_until_it_is_answered(tmp_path):
    handed_in(tmp_path, "folder 17", "Lovelace, Ada")
    asked = grade([tmp_path])
    assert {g.points for g in asked} == {None}
    line = line_for("folder 17", "Lovelace, Ada")
    assert line == 'folder 17,"Lovelace, Ada"'
    assert all(line in g.said for g in asked)
    (tmp_path / "names.csv").write_text(f"\ufeffsubmission,student\n{line}\n", encoding="utf-8")
    assert points(grade([tmp_path], names=read_names(tmp_path / "names.csv"))) == 10


@pytest.mark.long
def test_a_notebook_without_a_name_is_a_question(tmp_path):
    """Its answers are those of the notebooks with solutions."""
    handed_in(tmp_path, "ada", "")
    assert {g.points for g in grade([tmp_path])} == {None}
    assert points(grade([tmp_path], same=True)) == 10


@pytest.mark.long
def test_two_of_one_name_have_numbers_at_moodle(tmp_path):
    for number in (1, 2):
        handed_in(tmp_path, f"Ada Lovelace_{number}_assignsubmission_file", "Ada Lovelace")
    grades = grade([tmp_path])
    assert [g.student for g in grades[:: len(NAMES)]] == ["Ada Lovelace (1)", "Ada Lovelace (2)"]
    assert points(grades) == 20


def test_two_notebooks_of_one_student_are_questions_told_at_once(tmp_path):
    handed_in(tmp_path, "ada", "ada")
    handed_in(tmp_path, "ADA", "ada")
    handed_in(tmp_path, "grace", "grace")
    (tmp_path / "grace" / "other.ipynb").write_text(json.dumps(notebook("", {}) | {"cells": []}))
    (tmp_path / "grace" / "copy lab1.ipynb").write_text("{}")
    with pytest.raises(PolynbError, match="nothing is graded yet: 3 questions") as refused:
        submissions([tmp_path])
    said = str(refused.value)
    assert "ADA has two notebooks for lab1" in said or "ada has two notebooks for lab1" in said
    assert "grace has two notebooks for lab1" in said
    assert "which lab is" in said


@pytest.mark.long
def test_several_without_a_name_are_answered_in_one_file(tmp_path):
    """They have the numbers of the notebooks with solutions, and the names of their folders."""
    called = "Ada Lovelace_7_assignsubmission_file", "grace"
    for each in called:
        handed_in(tmp_path, each, "")
    lines = "".join(f"{line_for(each, '')}\n" for each in called)
    (tmp_path / "names.csv").write_text(f"submission,student\n{lines}")
    grades = grade([tmp_path], names=read_names(tmp_path / "names.csv"))
    assert {g.student for g in grades} == {"Ada Lovelace", "grace"}
    assert points(grades) == 20


def test_what_macos_and_jupyter_leave_is_nobodys(tmp_path):
    handed_in(tmp_path, "ada", "ada")
    for left in ("__MACOSX/ada", "ada/.ipynb_checkpoints", ".trash"):
        (tmp_path / left).mkdir(parents=True)
        (tmp_path / left / LAB.name).write_text("{}")
    (tmp_path / "ada" / f"._{LAB.name}").write_text("{}")
    assert [s.student for s in submissions([tmp_path])] == ["ada"]


@pytest.mark.long
def test_a_folder_without_a_notebook_has_no_answers(tmp_path):
    handed_in(tmp_path, "ada", "ada")
    (tmp_path / "grace").mkdir()
    (tmp_path / "grace" / "homework.pdf").write_text("")
    found = {g.student: g for g in grade([tmp_path])}
    assert found["grace"].points == 0
    assert found["grace"].troubles == ("there is no notebook in it",)


@pytest.mark.parametrize(
    "text", ["", "folder,name\na,b\n", "submission,student\na\n", "submission,student\na,b\na,c\n"]
)
def test_other_files_are_no_names(tmp_path, text):
    path = tmp_path / "names.csv"
    path.write_text(text)
    with pytest.raises(PolynbError):
        read_names(path)
    with pytest.raises(PolynbError):
        read_names(tmp_path / "nowhere.csv")


def test_a_file_that_is_no_notebook_is_said_to_be_none(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / LAB.name).write_text("<html>please log in</html>")
    (found,) = submissions([tmp_path])
    assert found.trouble == f"no notebook that can be read: {LAB.name} is no notebook"
