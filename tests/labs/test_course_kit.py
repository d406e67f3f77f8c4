"""A teacher's own exercises: from a new folder to a graded class, and a page that tells how."""

import csv
import dataclasses
import json
import re
from pathlib import Path

import pytest

from polynb import labs
from polynb.errors import PolynbError
from polynb.labs import catalogue, folders
from polynb.labs.__main__ import main
from polynb.labs.catalogue import lab_name, lab_names
from polynb.labs.copies import read, student
from polynb.labs.folders import merged
from polynb.labs.grading import grade
from polynb.labs.grading.cells import earned
from polynb.labs.parts import PARTS
from polynb.labs.tasks.kinds import ASKED, TASKS
from polynb.labs.trying import tried

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "notebooks" / "labs" / "your_own.md").read_text("utf-8")
EVEN, BLOCKS = re.findall(r"```toml\n(title.*?)```", PAGE, re.S)
(CHECKER,) = re.findall(r"```python\n(def judge.*?)```", PAGE, re.S)


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """No folders but those that a test takes; what a command sets is gone afterwards."""
    monkeypatch.setenv(folders.VARIABLE, "")
    monkeypatch.setattr(folders, "_used", [])


@pytest.fixture
def own(tmp_path):
    """A new lab, with the page's second exercise in it."""
    assert main(["new", str(tmp_path / "loops")]) == 0
    lab = tmp_path / "loops" / "exercises" / "loops"
    (lab / "lab.toml").write_text('title = "loops"\nexercises = ["even", "blocks"]\n')
    (lab / "blocks.toml").write_text(BLOCKS, "utf-8")
    (lab / "blocks.py").write_text(CHECKER, "utf-8")
    return lab.parent


def write(folder, **files):
    """TOML files, `lab1__triangle` is lab1/triangle.toml."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    labs.use(folder)


def test_the_page_shows_the_file_that_new_writes(own):
    assert (own / "loops" / "even.toml").read_text("utf-8") == EVEN
    assert len(EVEN.splitlines()) <= 35


def test_what_new_makes_is_as_it_should_be(own, capsys):
    assert main(["try", "--exercises", str(own)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"loops\.even: 2 right answers, 1 wrong one, \d+ variants", said)
    assert "loops.blocks: 1 right answer, 0 wrong ones" in said


@pytest.mark.long
def test_there_are_as_many_variants_as_the_page_says(own):
    labs.use(own)
    (said,) = re.findall(r"(\d+) variants", EVEN)
    made = {labs.exercise("loops.even", student=str(k)).program for k in range(1000)}
    assert len(made) == int(said)


def test_the_notebook_of_new_is_a_lab(own, monkeypatch):
    notebook = read(own.parent / "loops.ipynb")
    monkeypatch.chdir(own.parent)
    known = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], known)
    assert labs.check(known["even"], known["even_answer"])
    given = json.dumps(student(notebook))
    assert "SOLUTION" not in given
    assert known["even_answer"] not in given


@pytest.mark.parametrize("name", ["3rd", "a-b", ""])
def test_new_refuses_what_cannot_be_a_lab(tmp_path, name):
    assert main(["new", str(tmp_path / name)]) == 2


def test_new_leaves_what_is_there(tmp_path, capsys):
    (tmp_path / "loops").mkdir()
    assert main(["new", str(tmp_path / "loops")]) == 2
    assert "is there already" in capsys.readouterr().err


# -- exercises of one's own, as the library's ----------------------------------------------------


def test_an_exercise_of_ones_own_is_one(own):
    with pytest.raises(PolynbError, match="there is no exercise") as error:
        labs.exercise("loops.even")
    assert 'labs.use("folder")' in str(error.value)
    labs.use(own)
    even = labs.exercise("loops.even", student="ada")
    assert even.lab == "loops"
    assert even.program != labs.exercise("loops.even", student="grace").program
    assert even.then == "labs.exercise(\"loops.blocks\", student='ada')"
    assert str(labs.hint(even, 3)) == "hint 3 of 3: the notes of this week: sets with a stride"
    assert labs.exercises("loops") == ("loops.even", "loops.blocks")
    assert labs.exercises(1) == labs.exercises("lab1")
    assert lab_names()[-1] == "loops"
    assert not labs.check(even, even.misconceptions[0].answer)


def test_a_file_is_read_anew(own):
    labs.use(own)
    before = labs.exercise("loops.even")
    file = own / "loops" / "even.toml"
    file.write_text(file.read_text("utf-8").replace("points = 2", "points = 5"), "utf-8")
    assert (before.points, labs.exercise("loops.even").points) == (2, 5)


def test_an_own_checker_judges(own):
    labs.use(own)
    blocks = labs.exercise("loops.blocks", student="ada")
    size = blocks._task.given["size"]
    assert labs.check(blocks, blocks._right[0])
    assert labs.check(blocks, 1).points == 1
    found = labs.check(blocks, size - 1)
    assert (found.points, str(found).splitlines()[1].strip()) == (
        0.5,
        f"{size} cells do not make blocks of {size - 1}: 1 are left over",
    )
    assert labs.check(blocks, "many").points == 0
    assert labs.check(blocks, object()).points == 0


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("judge = 1", "has no function `judge`"),
        ("def judge(answer, size): return 1", "gave 1"),
        ("def judge(answer, size): return 2, ''", "gave (2, '')"),
        ("def judge(answer, size): return 1 / 0", "ZeroDivisionError"),
        ("def judge(answer): return 1, ''", "TypeError"),
    ],
)
def test_a_checker_that_is_none_gives_no_points(own, code, said):
    (own / "loops" / "blocks.py").write_text(code)
    labs.use(own)
    found = labs.check("loops.blocks", 3)
    assert found.points == 0
    assert said in str(found)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title =", "titel =", "loops.even: title is missing"),
        ("points = 2", "points = '2'", "loops.even: points must be a number from 1"),
        ("points = 2", "point = 2", "loops.even: point is unknown"),
        ("least = 1, most = 9", "least = 9, most = 1", "loops.even: draws must be"),
        ("least = 1, most = 9", "from = 9", "loops.even: draws must be"),
        ("ask =", "asks =", "loops.even: misconceptions must be"),
        ("read = ", "read = 3 # ", "loops.even: read must be"),
        ("points = 2", "hints = ", "even.toml cannot be read"),
        ('answer = "set"', 'answer = "sett"', "loops.even: there is no task 'sett'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(own, old, new, said):
    file = own / "loops" / "even.toml"
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    labs.use(own)
    with pytest.raises(PolynbError) as error:
        labs.exercise("loops.even")
    assert said in str(error.value)


def test_a_lab_that_lists_nothing_and_a_file_that_is_not_there(own):
    labs.use(own)
    (own / "loops" / "lab.toml").write_text('exercises = ["odd"]')
    with pytest.raises(PolynbError, match=r"there is no file loops/odd\.toml"):
        labs.exercise("loops.odd")
    (own / "loops" / "lab.toml").write_text('exercises = "even"')
    with pytest.raises(PolynbError, match=r"loops/lab\.toml lists no exercises"):
        labs.exercises("loops")
    with pytest.raises(PolynbError, match="there is no folder"):
        labs.use(own / "not")


def test_try_says_what_is_not_as_it_should_be(own, capsys):
    file = own / "loops" / "even.toml"
    text = file.read_text("utf-8").replace("k >= 0 and i <= N", "k >= 0 and i < N")
    file.write_text(text.replace("S[i] : $first <= i <= N }", "$same }") + LET, "utf-8")
    assert main(["try", "--exercises", str(own), "loops.even"]) == 2
    told = capsys.readouterr()
    assert "student '': right answer 2" in told.out
    assert "student '': right, though 'the step is forgotten'" in told.out
    assert "2 things to mend" in told.err


LET = """
[let]
same = "S[i] : $first <= i <= N and (i - $first) mod $step = 0"
"""


# -- the library's exercises, changed and translated ---------------------------------------------


def test_a_translation_is_a_file_with_texts(tmp_path):
    before = labs.exercise("lab1.triangle", student="ada")
    write(
        tmp_path,
        lab1__triangle='title = "ein Dreieck"\nhints = ["Wo beginnt j?"]\n'
        'read = { what = "Dreiecke" }\n[[misconceptions]]\nname = "ein Quadrat"\nask = "Warum?"\n',
        lessons='1 = "Instanzen"\nread = "Lies Lektion $lesson, „$title“: $what."\n',
    )
    made = labs.exercise("lab1.triangle", student="ada")
    assert made.title == "ein Dreieck"
    assert made.hints == ("Wo beginnt j?", "Lies Lektion 1, „Instanzen“: Dreiecke.")
    assert made.misconceptions[0].name == "ein Quadrat"
    assert made.misconceptions[0].answer == before.misconceptions[0].answer
    assert made.misconceptions[1:] == before.misconceptions[1:]
    assert (made.text, made.program, made._right) == (before.text, before.program, before._right)
    assert labs.exercise("lab1.hole").title != "ein Dreieck"


def test_a_lab_of_the_library_has_other_exercises_and_points(tmp_path):
    write(
        tmp_path,
        lab1__lab='exercises = ["even", "count"]',
        lab1__even=EVEN,
        lab1__count="points = 7",
    )
    assert labs.exercises(1) == ("lab1.even", "lab1.count")
    assert labs.exercise("lab1.count").points == 7
    assert labs.exercises(2)[0] == "lab2.interchange"


def test_of_several_folders_the_first_counts_most(tmp_path):
    write(tmp_path / "a", lab1__count="points = 7")
    write(tmp_path / "b", lab1__count='points = 8\ntitle = "other"')
    labs.use(tmp_path / "a", tmp_path / "b")
    assert labs.exercise("lab1.count").points == 7
    assert labs.exercise("lab1.count").title == "other"


def test_what_stands_over_what():
    assert merged({"a": {"c": 1, "d": 2}}, {"a": {"d": 3}}) == {"a": {"c": 1, "d": 3}}
    assert merged({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}
    assert merged([{"a": 1}, {"a": 2}], [{"b": 3}]) == [{"a": 1, "b": 3}, {"a": 2}]
    assert merged([{"a": 1}], [{}, {"a": 2}]) == [{"a": 1}, {"a": 2}]
    assert merged(["x", "y"], ["z"]) == ["z"]


def test_where_folders_are_named_for_all_a_notebook_says_nothing(tmp_path, monkeypatch):
    write(tmp_path / "teacher", lab1__count="points = 7")
    write(tmp_path / "student", lab1__count="points = 9")
    monkeypatch.setenv(folders.VARIABLE, str(tmp_path / "teacher"))
    labs.use(tmp_path / "student")
    labs.use("nowhere")
    assert labs.exercise("lab1.count").points == 7


def test_labs_have_names():
    assert lab_name(3) == lab_name("3") == lab_name("lab3") == "lab3"
    for other in (0, "99", True, "loops", None):
        with pytest.raises(PolynbError, match="lab must be"):
            lab_name(other)


# -- a class -------------------------------------------------------------------------------------


def handed_in(folder, own, name, answers, called="loops.ipynb"):
    labs.use(own)
    cells = "\n".join(f"{n}_answer = {a!r}" for n, a in answers.items())
    made = student(read(own.parent / "loops.ipynb"))
    setup = made["cells"][1]
    setup["source"] = setup["source"].replace('ME = ""', f"ME = {name!r}")
    made["cells"][3]["source"] = cells
    (folder / name).mkdir(parents=True)
    (folder / name / called).write_text(json.dumps(made))
    labs.use()


@pytest.mark.long
def test_a_class_is_graded_by_the_teachers_files(own, tmp_path, capsys):
    labs.use(own)
    right = {
        n: {e: labs.exercise(f"loops.{e}", student=n)._right[0] for e in ("even", "blocks")}
        for n in ("ada", "grace")
    }
    class_ = tmp_path / "class"
    handed_in(class_, own, "ada", right["ada"], "Untitled.ipynb")
    handed_in(class_, own, "grace", {"even": right["grace"]["even"], "blocks": 1})
    handed_in(class_, own, "edsger", right["ada"])
    (class_ / "nobody").mkdir()
    out = tmp_path / "wide.csv"
    assert main(["grade", str(class_), "--exercises", str(own), "--wide", str(out)]) == 0
    told = capsys.readouterr().out
    assert "PolynbError" not in told, "labs.use finds the files"
    rows = {r["student"]: r for r in csv.DictReader(out.read_text().splitlines())}
    assert " ".join(rows["ada"]) == "student loops.even loops.blocks loops loops of odd"
    assert [rows[n]["loops"] for n in ("ada", "grace", "nobody")] == ["4", "3", "0"]
    assert float(rows["edsger"]["loops"]) < 4
    assert rows["nobody"]["odd"] == "there is no notebook in it"
    assert rows["ada"]["odd"] == ""


@pytest.mark.long
def test_a_graders_cell_knows_the_folder_of_its_notebook(own):
    labs.use(own)
    answer = labs.exercise("loops.even", student="ada")._right[1]
    assert earned("loops.even", answer, "ada").points == 2


@pytest.mark.long
def test_a_student_cannot_put_other_files_in_place(own, tmp_path):
    class_ = tmp_path / "class"
    handed_in(class_, own, "mallory", {"even": "{ S[i] : i = 0 }"})
    cheat = 'title="x"\ntext="x"\nhints=["x"]\nread="x"\nright=["{ S[i] : i = 0 }"]\n'
    lab = class_ / "mallory" / "exercises" / "loops"
    lab.mkdir(parents=True)
    (lab / "even.toml").write_text(f'{cheat}[task]\nanswer="set"\nreference="$solution"')
    (lab / "lab.toml").write_text('exercises = ["even"]')
    labs.use(own)
    found = grade([class_])
    assert [g.points for g in found] == [0, 0]
    assert not found[0].troubles, "its notebook has found the teacher's files"


def test_try_counts_what_it_tried(own):
    labs.use(own)
    said, complaints = tried("loops.even")
    assert "2 right answers, 1 wrong one" in said
    assert not complaints


# -- what the page says of kinds -----------------------------------------------------------------

KINDS = dict(re.findall(r'^\| `"([\w ]+)"` \| [^|]* \| ([^|]*) \|$', PAGE, re.M))


def test_the_page_names_kinds_and_fields_that_there_are():
    assert set(KINDS) == {"set", "values", "function", "order", "program", "own checker"}
    for kind, fields in KINDS.items():
        known = {f.name for f in dataclasses.fields(TASKS[kind])}
        assert set(re.findall(r"`(\w+)`", fields)) <= known, kind
    (asked,) = re.findall(r"^`asked` is a list: .*$", PAGE, re.M)
    named = set(re.findall(r'`"([a-z ]+)"`', asked)) | set(re.findall(r'kind = "([a-z ]+)"', asked))
    assert len(named) == 8
    assert named <= set(ASKED)


def test_the_page_names_every_part_of_a_file():
    table = PAGE.partition("## What stands in the file")[2].partition("\n\n## ")[0]
    first = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert {p for cell in first for p in re.findall(r"`[\[]*(\w+)[\]]*`", cell)} == set(PARTS)


WITHOUT_PYTHON = {
    "values": """
right = [{ first = "$low", last = "${2 * low}" }]
[task]
answer = "values"
values = "$solution"
""",
    "one_value": """
right = [true]
[task]
answer = "values"
values = { "" = true }
[[misconceptions]]
name = "no"
answer = false
ask = "Why?"
""",
    "words": """
right = ["${item(low - 1, 'up', 'down')}"]
[task]
answer = "values"
values = { "" = "$solution" }
options = ["up", "down", "neither"]
[[misconceptions]]
name = "neither"
answer = "neither"
ask = "Why?"
""",
    "function": """
right = ["$low * N", "N * $low"]
[task]
answer = "function"
right = "$solution"
parameters = ["N"]
salt = "loops.function"
[[misconceptions]]
name = "one too many"
answer = "$low * N + 1"
ask = "Why?"
""",
    "order": """
right = ["{ S[i] -> [i, 0]; T[i] -> [i, 1] }"]
[task]
answer = "order"
asked = [{ kind = "in order", pairs = "{ T[i] -> S[i + $low] }" }]
[[misconceptions]]
name = "as it was"
answer = "{ S[i] -> [0, i]; T[i] -> [1, i] }"
ask = "Why?"
""",
    "program": """
right = ['''
param N;
for i = 0 to N do
  B[i] = A[i] + $low;
done''']
[task]
answer = "program"
asked = [{ kind = "gone", arrays = ["t"] }, { kind = "at most", statements = 1 }]
[[misconceptions]]
name = "another number"
change = { "+ $low" = "+ ${low + 1}" }
ask = "Why?"
""",
}


@pytest.mark.long
@pytest.mark.parametrize("kind", WITHOUT_PYTHON)
def test_kinds_are_used_from_a_file_without_python(tmp_path, kind):
    text = f"""
title = "x"
text = "x"
hints = ["x"]
read = "x"
program = '''
param N;  temp t[N+1];
for i = 0 to N do
  t[i] = A[i]; // S
done
for i = 0 to N do
  B[i] = t[i] + $low; // T
done
'''
{WITHOUT_PYTHON[kind].partition("[task]")[0]}
[draws]
low = {{ least = 1, most = 2 }}
[task]{WITHOUT_PYTHON[kind].partition("[task]")[2]}
"""
    write(tmp_path, mine__lab=f'exercises = ["{kind}"]', **{f"mine__{kind}": text})
    said, complaints = tried(f"mine.{kind}")
    assert not complaints
    assert "1 right answer" in said or "2 right answers" in said


def test_a_translation_leaves_the_numbers(own):
    """A name draws the same numbers with and without a translation."""
    labs.use(own)
    before = labs.exercise("loops.even", student="ada").program
    write(own.parent / "deutsch", loops__even='text = "Schreibe die Instanzen."')
    labs.use(own.parent / "deutsch", own)
    after = labs.exercise("loops.even", student="ada")
    assert (after.text, after.program) == ("Schreibe die Instanzen.", before)


def test_the_page_has_all_that_an_expression_may_have():
    """Each function with what it gives, and each sign."""
    examples = re.findall(r"(?m)^\| `((\w+)\(.*?\))` \| `(.*?)` \|", PAGE)
    assert {name for _, name, _ in examples} == set(catalogue._FUNCTIONS)
    for text, _, gives in examples:
        assert str(catalogue.computed(text, str)) == gives
    signs = re.search(r"with `([^`]*)`, `a if b > 1 else c`", PAGE)[1].split()
    values = [catalogue.computed(f"7 {sign} 2", str) for sign in signs]
    assert values == [9, 5, 14, 3, 1, False, True, True]
    assert len(signs) == len(catalogue._OPERATORS) - 1  # and the minus before a number
