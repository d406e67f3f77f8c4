"""Worksheets of Moodle and Canvas: each grade goes into the line of its student, or none."""

import csv

import pytest

from polynb.errors import PolynbError
from polynb.labs.__main__ import main
from polynb.labs.grading.gradebooks import filled, read_worksheet, refuse_unfit, wide
from polynb.labs.grading.names import number_of, student_of
from polynb.labs.grading.tables import Grade

from .test_names import handed_in

MOODLE = """\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 17","Ada Lovelace",al@x.edu,"Submitted for grading",,10.00,Yes,-,-,
"Participant 117","Ada Lovelace",al2@x.edu,"Submitted for grading",,10.00,Yes,-,-,
"Participant 18","Grace Hopper",grace@x.edu,"Submitted for grading",,10.00,Yes,-,-,
"Participant 19","Alan Turing",alan@x.edu,"No submission",,10.00,Yes,-,-,
"""
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (4711),Lab 10 (4712)
    Points Possible,,,,,10.0,10.0
"Lovelace, Ada",17,,ada,A,,5
"Hopper, Grace",18,,gh,A,,6
"""
ADA = "Ada Lovelace_17_assignsubmission_file"


def graded(student, *points, called="", lab="lab1", of=5):
    """One grade for each of some points, of as many exercises."""
    return [
        Grade(student, f"{lab}.e{k}", p, of, f"{lab}.e{k}: <{p}> points\n  a & b", (), called)
        for k, p in enumerate(points)
    ]


def sheet(tmp_path, text, column=None):
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8-sig")
    return read_worksheet(path, column)


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def test_the_number_of_the_folder_says_whose_line_it_is(tmp_path):
    moodle = sheet(tmp_path, MOODLE)
    text, left = filled(moodle, graded("Ada Lovelace", 1.5, 4, called=ADA))
    found = rows(text)
    assert [r["Grade"] for r in found] == ["5.5", "", "", ""]
    assert found[0]["Feedback comments"] == (
        "lab1.e0: &lt;1.5&gt; points<br>  a &amp; b<br>lab1.e1: &lt;4&gt; points<br>  a &amp; b"
    )
    assert not left
    before = rows(MOODLE)
    for k, row in enumerate(found):  # everything else is as it was
        assert row | {"Grade": "", "Feedback comments": ""} == before[k]


@pytest.mark.parametrize("student", ["Grace Hopper", "grace", "grace@x.edu", "GRACE  HOPPER"])
def test_else_the_name_does(tmp_path, student):
    text, left = filled(sheet(tmp_path, MOODLE), graded(student, 5, 5))
    assert [r["Grade"] for r in rows(text)] == ["", "", "10", ""]
    assert not left


def test_a_name_that_two_have_or_nobody_is_said(tmp_path):
    both = [*graded("Ada Lovelace", 5, 5), *graded("nobody", 1, 1), *graded("alan", None, None)]
    text, left = filled(sheet(tmp_path, MOODLE), both)
    assert [r["Grade"] for r in rows(text)] == ["", "", "", ""]
    assert [x.partition(":")[0] for x in left] == ["Ada Lovelace", "nobody", "alan"]
    assert "2 lines" in left[0]
    assert "0 lines" in left[1]
    assert "question" in left[2]


def test_canvas_has_a_column_for_each_assignment(tmp_path):
    with pytest.raises(PolynbError, match="which of its columns"):
        sheet(tmp_path, CANVAS)
    with pytest.raises(PolynbError, match="which of its columns"):
        sheet(tmp_path, CANVAS, "Lab 1")  # two begin so
    canvas = sheet(tmp_path, CANVAS, "Lab 1 (")
    called = "lovelaceada_17_990_lab_01_sets"
    both = [*graded("lovelaceada", 5, 5, called=called), *graded("Grace Hopper", 1, 1)]
    text, left = filled(canvas, both)
    assert [r["Lab 1 (4711)"] for r in rows(text)] == ["10.0", "10", "2"]
    assert [r["Lab 10 (4712)"] for r in rows(text)] == ["10.0", "5", "6"]
    assert not left


@pytest.mark.parametrize(("text", "column"), [(MOODLE, None), (CANVAS, "Lab 1 (")])
def test_another_number_of_points_is_refused(tmp_path, text, column):
    found = sheet(tmp_path, text, column)
    refuse_unfit(found, {"lab1"})
    with pytest.raises(PolynbError, match=r"is for 10\.0+ points, and the lab has 11"):
        refuse_unfit(found, {"lab2"})


def test_a_worksheet_is_for_one_lab(tmp_path):
    with pytest.raises(PolynbError, match="for one lab, and these are lab1, lab2"):
        refuse_unfit(sheet(tmp_path, MOODLE), {"lab2", "lab1"})


def test_lines_that_are_no_students_are_left_as_they_are(tmp_path):
    text = 'Identifier,Grade,X\n\nSum\n,,\n"Participant 17",,\n'
    found, left = filled(sheet(tmp_path, text), graded("Ada", 1, called=ADA))
    assert found == "Identifier,Grade,X\nSum,,\nParticipant 17,1,\n"
    assert not left


def test_what_was_odd_is_in_the_feedback(tmp_path):
    odd = [Grade("grace", "lab1.e0", 0, 5, "no answer yet", ("there is no notebook in it",))]
    text, _ = filled(sheet(tmp_path, MOODLE), odd)
    assert rows(text)[2]["Feedback comments"] == "there is no notebook in it<br>no answer yet"


def test_other_separators_and_languages(tmp_path):
    text = "ID;Vollständiger Name;Bewertung\nTeilnehmer/in123;Ada Lovelace;\n"
    german = sheet(tmp_path, text, "Bewertung")
    found, left = filled(german, graded("Ada Lovelace", 5, called="A L_123_assignsubmission_file"))
    assert found == "ID;Vollständiger Name;Bewertung\nTeilnehmer/in123;Ada Lovelace;5\n"
    assert not left


@pytest.mark.parametrize(
    ("called", "student", "number"),
    [
        (ADA, "Ada Lovelace", "17"),
        (f"{ADA}_lab_01_sets", "Ada Lovelace", "17"),
        ("lovelaceada_17_990_lab_01_sets-1", "lovelaceada", "17"),
        ("lovelaceada_LATE_17_990_lab_01_sets", "lovelaceada", "17"),
        ("ada_17", "ada_17", None),
        ("ada", "ada", None),
    ],
)
def test_what_moodle_and_canvas_call_files(called, student, number):
    assert (student_of(called, {}), number_of(called)) == (student, number)


def test_a_student_is_a_line():
    both = [
        *graded("ada", 1, 2.5),
        *graded("=1+1", 1, None),
        *graded("ada", 5, lab="lab2"),
    ]
    assert wide(both).splitlines() == [
        "student,lab1.e0,lab1.e1,lab1,lab1 of,lab2.e0,lab2,lab2 of,odd",
        "ada,1,2.5,3.5,10,5,5,5,",
        "'=1+1,1,,,10,,,,",
    ]


@pytest.mark.long
def test_the_command_fills_a_copy(tmp_path, capsys):
    class_ = handed_in(tmp_path / "class", ADA, "Ada Lovelace")
    path = sheet(tmp_path, MOODLE).path
    before = path.read_bytes()
    asked = ["grade", str(class_), "--into", str(path)]
    assert main(asked) == 0
    assert path.read_bytes() == before
    found = rows((tmp_path / "sheet.graded.csv").read_text())
    assert [r["Grade"] for r in found] == ["10", "", "", ""]
    assert str(tmp_path / "sheet.graded.csv") in capsys.readouterr().out
    path.write_text(MOODLE.replace("10.00", "100.00"))
    assert main(asked) == 2
    assert "set the assignment's maximum to 10" in capsys.readouterr().err
    path.write_text(MOODLE.replace("Grade", "Bewertung"))
    assert main(asked) == 2
    assert "--column" in capsys.readouterr().err


def test_feedback_holds_no_formulas(tmp_path):
    odd = [Grade("grace", "lab1.e0", 0, 5, "=1+1", ("=HYPERLINK(1)",))]
    text, _ = filled(sheet(tmp_path, MOODLE), odd)
    assert rows(text)[2]["Feedback comments"] == "'=HYPERLINK(1)<br>=1+1"
