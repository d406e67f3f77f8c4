"""`python -m polynb.labs`: the versions of a lab's notebook, and the points of submissions."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from polynb.arguments import file, optional
from polynb.errors import PolynbError
from polynb.labs.catalogue import exercises, lab_names
from polynb.labs.copies import COPIES, read, student, write
from polynb.labs.folders import VARIABLE, own_labs
from polynb.labs.grading.formats import nbgrader, write_tests
from polynb.labs.grading.gradebooks import (
    GRADE,
    filled,
    read_worksheet,
    refuse_unfit,
    wide,
)
from polynb.labs.grading.grading import graded
from polynb.labs.grading.isolation import said
from polynb.labs.grading.names import read_names
from polynb.labs.grading.running import GradingLimits
from polynb.labs.grading.submissions import submissions
from polynb.labs.grading.tables import Grade, as_csv, table
from polynb.labs.starting import start
from polynb.labs.trying import try_all
from polynb.labs.variety import PAIRS, STUDENTS, copying_table, variants_table, varieties

HELP: Final = {
    "student": "holes instead of solutions, no outputs",
    "solution": "with solutions, without the marks",
    "slides": "for jupyter nbconvert --to slides",
    "nbgrader": "a student's copy with nbgrader's locked cells",
    "otter": "a student's copy, and tests/ for otter-grader",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked for; 0, or 2 if there is something to mend first."""
    given = _parser().parse_args(arguments)
    own = [str(folder.resolve()) for folder in getattr(given, "own", ())]
    if own:
        os.environ[VARIABLE] = os.pathsep.join(own)
    try:
        given.run(given)
    except PolynbError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m polynb.labs", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, what in (COPIES | {"nbgrader": nbgrader, "otter": student}).items():
        copies = kinds.add_parser(kind, help=HELP[kind])
        copies.add_argument("source", type=Path, help="a notebook, or a folder of them")
        copies.add_argument("target", type=Path, help="a folder, or the notebook to write")
        copies.set_defaults(run=_copy, make=what)
        _takes_exercises(copies)
    graded = kinds.add_parser("grade", help="the points of submissions, found out anew")
    graded.add_argument(
        "submissions",
        type=Path,
        nargs="+",
        help="a folder with a folder for each student, or STUDENT.ipynb",
    )
    graded.add_argument("--lab", help="which lab, if the files' names do not say it")
    graded.add_argument(
        "--same", action="store_true", help="all have the numbers of the solutions (ME is empty)"
    )
    graded.add_argument(
        "--names", type=Path, help="a file of lines submission,student: folder, and name in ME"
    )
    graded.add_argument("--csv", type=Path, help="a line for each student and exercise goes here")
    graded.add_argument("--wide", type=Path, help="a line for each student goes here")
    graded.add_argument(
        "--into", type=Path, help="a worksheet of Moodle or Canvas: grades go into a copy of it"
    )
    graded.add_argument("--column", help=f"of the worksheet, for the grade ({GRADE})")
    _takes_exercises(graded)
    limits = GradingLimits()
    for option, value, use in (
        ("--cell-seconds", limits.cell, "for one cell"),
        ("--seconds", limits.notebook, "for a notebook"),
        ("--memory", limits.memory / 2**30, "for a notebook, in GB"),
    ):
        graded.add_argument(option, type=float, default=value, help=f"{use} (%(default)g)")
    graded.set_defaults(run=_grade)
    varied = kinds.add_parser("variants", help="how many there are, and what copying is worth")
    varied.add_argument("exercises", nargs="*", help="lab1.triangle ... (all)")
    varied.add_argument("--students", type=int, default=STUDENTS, help="in a class (%(default)d)")
    varied.add_argument(
        "--pairs", type=int, default=PAIRS, help="answers that are judged, of each (%(default)d)"
    )
    varied.set_defaults(run=_variants)
    _takes_exercises(varied)
    started = kinds.add_parser("new", help="a lab of your own, with an exercise that works")
    started.add_argument("folder", type=Path, help="its name, and the name of its folder")
    started.set_defaults(run=_start)
    tried = kinds.add_parser("try", help="are right answers right, and wrong ones not?")
    tried.add_argument("exercises", nargs="*", help="loops.even ..., or a lab's name (your own)")
    tried.set_defaults(run=_try)
    _takes_exercises(tried)
    return parser


def _takes_exercises(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--exercises",
        dest="own",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="a folder with exercises of your own",
    )


def _start(given: argparse.Namespace) -> None:
    for path in start(given.folder):
        print(path)


def _try(given: argparse.Namespace) -> None:
    asked = given.exercises or own_labs() or lab_names()
    names = [n for each in asked for n in ([each] if "." in each else exercises(each))]
    for line in try_all(names):
        print(line)


def _variants(given: argparse.Namespace) -> None:
    if given.students < 2 or given.pairs < 1:
        raise PolynbError("nobody copies", hint="--students 2 or more, --pairs 1 or more")
    found = []
    for each in varieties(given.exercises or None, given.students, given.pairs):
        print(each.exercise, file=sys.stderr)
        found.append(each)
    print(copying_table(found), variants_table(found), sep="\n\n")


def _copy(given: argparse.Namespace) -> None:
    for path in write(given.make, given.source, given.target):
        print(path)
        if given.kind == "otter":
            for test in write_tests(read(path), path.parent / "tests"):
                print(test)


def _grade(given: argparse.Namespace) -> None:
    for option, path in (("--csv", given.csv), ("--wide", given.wide)):
        optional(file, option, path)
    memory = int(given.memory * 2**30) if math.isfinite(given.memory) else 0
    limits = GradingLimits(given.cell_seconds, given.seconds, memory)
    names = None if given.names is None else read_names(given.names)
    sheet = None if given.into is None else read_worksheet(given.into, given.column)
    if sheet is not None:
        refuse_unfit(sheet, {s.lab for s in submissions(given.submissions, given.lab, names)})
    print(said(), file=sys.stderr)
    found: list[Grade] = []
    if given.csv is not None:
        given.csv.write_text(as_csv([]), encoding="utf-8")
    for grades in graded(
        given.submissions,
        lab=given.lab,
        same=given.same,
        names=names,
        limits=limits,
        told=lambda s: print(f"{s.student}, {s.lab}", file=sys.stderr),
    ):
        found += grades
        if given.csv is not None:  # at once: what comes next may end this process
            with given.csv.open("a", encoding="utf-8") as out:
                out.write(as_csv(grades, head=False))
    print(table(found))
    if sheet is not None:
        text, left = filled(sheet, found)
        sheet.target.write_text(text, encoding="utf-8")
        print("", sheet.target, *left, sep="\n")
    if given.wide is not None:
        given.wide.write_text(wide(found), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
