"""The loops that are marked by hand, in whole programs: with gcc, which shows no registers, and
with clang, which shows local variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from marked import Marked, Verdict, programs, sample, verdicts

from polynb import feedback
from polynb.tracing.model import Folding
from polynb.tracing.programs import HookedCompilers, RunCommand, RunLimits, build, trace
from polynb.tracing.programs.nests import nests

ALL = programs()
TOLD = {
    "chosen: a member that data rarely choose of the library": ("rand is called, perhaps",) * 2,
    "chosen: a local pointer of the library": ("putchar is called, perhaps",) * 2,
    "chosen: comparators in a struct": ("noisy is called, perhaps",) * 2,
    "chosen: functions that data choose once": ("data decide whether",) * 2,
    "chosen: a library function that data choose once": ("goes on with the order of putc",) * 2,
    "chosen: a flag in between": ("the state of rand (line 10)",) * 2,
    "placed: rows of a pointer that is chosen": ("line 11, is parallel: parallel",) * 2,
    "control: jump over": ("parallel", "parallel"),
    "control: a wavefront of which two tests tell the end": ("", "line 6, is parallel: parallel"),
    "control: a second test that the body answers": ("`left` (line 5) is", "not parallel: carries"),
    "untaken: a clamp": ("", "parallel: parallel"),
    "inductions: begun by what is not seen": ("", "line 3, is parallel: parallel"),
    "everyday: rows of their own lengths": ("", "line 4, is parallel: parallel"),
    "everyday: a triangle summed": ("`s`", "a reduction into s"),
    "everyday: how many steps until it is large": ("`k`", "line 4, is parallel: parallel"),
    "everyday: Collatz lengths": ("", "line 3, is parallel: parallel"),
    "edges: bounds in memory that rarely change": ("not known", "not known"),
    "edges: rare stores that are read": ("", "line 39, is parallel: parallel"),
    "edges: steps that change": ("", "line 14, is parallel: parallel"),
    "edges: labels": ("", "line 17, is parallel: parallel"),
    "everyday: conditionally written scalar": ("", "line 14, is parallel: parallel"),
    "locals: previous value": ("`prev` (line 8) is written in it", "carries"),
    "locals: compaction": ("`k` (line 7) is written in it", "carries"),
    "calls: frexp into one place": ("`e`", "parallel"),
    "calls: unnamed arguments of each iteration": ("carries", "carries"),
    "library: random numbers": ("the state of rand", "the state of rand"),
    "library: characters after a seek": ("the order of f", "the order of f"),
    "library: words of a line": ("carries", "carries"),
    "library: copies of rows": ("carries", "carries"),
    "library: errno that is never reset": ("errno", "errno"),
    "library: texts of widths and lengths that are given": ("line 4, is parallel: parallel",) * 2,
    "arrays: copies of structs": ("carries", "carries"),
    "locals: all of them": ("`all`", "a reduction into all"),
    "locals: the smallest, by a pointer": ("carries", "a reduction into *low"),
    "locals: sum": ("`s` (line 7)", "a reduction into s"),
    "data: union and find of pairs that never meet": ("data decide where", "data decide where"),
    "macros: a matrix through macros": ("parallel", "parallel"),
    "macros: macros that hide what is handed on": ("not known", "handed on"),
    "macros: macros that hide rare stores": ("line 15 reads on a way",) * 2,
    "macros: a macro with two meanings": ("the macro ADD",) * 2,
    "macros: a macro that is defined anew": ("parallel", "parallel"),
    "library: what is printed if something is wrong": ("puts (line 6) is called on a way",) * 2,
    "library: memcpy that never runs": ("memcpy (line 9) is called on a way",) * 2,
    "library: a library state that is never asked": ("rand (line 6) is called on a way",) * 2,
    "library: numbers out of texts into places of their own": ("data decide", "parallel"),
    "calls: tables and buffers that a function keeps": ("parallel", "parallel"),
    "untaken: a parameter's cell behind an if without braces": ("line 3 writes on a way",) * 2,
    "untaken: a branch in a function that is called twice, and taken once": ("line 4 writes",) * 2,
    "untaken: stores behind casts and without braces": ("line 4 writes on a way",) * 2,
    "untaken: reads behind casts in arms": ("line 8 reads on a way",) * 2,
    "untaken: a parameter's cell behind an else": ("line 4 writes on a way",) * 2,
    "ways: a store that never runs": ("a way not taken", "a way that this run did not take"),
    "ways: a variable that is never handed on": ("`last`", "a way that this run did not take"),
    "ways: a function that rarely ends the program": ("`exit` (line 4), in valid, may leave it",)
    * 2,
    "ways: a call that never comes": ("bump (line 7) is called on a way",) * 2,
    "untaken: a recurrence in an arm": ("line 4 reads on a way",) * 2,
    "untaken: a recurrence of a local in an arm": ("`y`", "line 5 reads on a way"),
    "untaken: a function in an arm that reads what is written": ("line 2 reads on a way",) * 2,
    "untaken: a branch in a function writes a static": ("line 4 writes on a way",) * 2,
    "untaken: a branch in a function writes through a parameter": ("`t`", "line 3 writes on a way"),
    "untaken: an arm in a function": ("line 2 writes on a way",) * 2,
    "untaken: a branch in a function reads the cell before": ("line 3 reads on a way",) * 2,
    "untaken: a pointer to what is written, in an arm": ("line 4 reads on a way",) * 2,
    "untaken: an arm that reads another array": ("parallel", "parallel"),
    "untaken: a pointer's cell in an arm": ("parallel", "parallel"),
    "handed: a local that a condition hands over": (
        "`t`",
        "`t` is written (line 5) as `a[i] < 100",
    ),
    "handed: a global that a condition hands over": ("data decide whether", "`t` is written"),
    "handed: a field that a condition hands over": ("data decide whether",) * 2,
    "handed: a function that hands over on a condition": ("`t`", "data decide whether"),
    "handed: the last of a row of its own length": ("`last`", "`last` is written (line 6)"),
    "handed: a local whose condition is asked in an and": ("`t`", "`t` is written (line 5)"),
    "handed: a local set in a switch that has no other way": ("`t`", "`t` is written (line 6)"),
    "handed: the last of rows of one length": ("`t`", "parallel"),
    "handed: a setting that does not change": ("`t`", "parallel"),
    "handed: tried until it is good": ("`x`", "parallel"),
    "pointers: a function by a pointer that rarely adds": ("line 3 writes",) * 2,
    "pointers: functions in a table, of which one keeps": ("line 2 writes",) * 2,
    "pointers: methods of records": ("parallel", "parallel"),
    "pointers: functions that data rarely choose": (
        "line 17, is sequential: not known to be parallel: adds is called, perhaps, on a way",
    )
    * 2,
    "pointers: a function that data rarely choose reads what is written": ("line 3 reads on a way",)
    * 2,
    "pointers: methods that data rarely choose": ("adds is called, perhaps, on a way",) * 2,
    "pointers: a function that is given on, and might be another": ("adds is called, perhaps",) * 2,
    "pointers: a function of a function": ("adds is called, perhaps, on a way",) * 2,
    "pointers: functions that data rarely choose, and only compute": ("parallel", "parallel"),
    "pointers: functions by names for types, and casts to others": ("adds is called, perhaps",) * 2,
    "strange: a count beside a recurrence that never runs": ("carries", "carries"),
    "strange: a count beside a value that is handed on": ("carries", "carries"),
    "strange: a count beside a value that a condition hands on": ("carries", "carries"),
    "strange: a count beside a cell that a condition hands on": ("carries", "carries"),
    "strange: a buffer that is filled in part": ("not known", "not known"),
    "strange: a choice that leaves a local": ("`sign`", "line 6 writes on a way"),
    "ways: choices of which one is made": ("parallel", "parallel"),
    "ways: recurrences that look like sums": ("`q`", "carries"),
    "ways: a recurrence in a function": ("carries", "carries"),
    "ways: random numbers added to cells": ("carries", "carries"),
    "ways: sums without spaces, and the larger of two": ("`s`", "a reduction into n"),
    "ways: two counters": ("parallel", "parallel"),
    "library: what compilers have functions for": ("line 10, is parallel: parallel",) * 2,
    "left: the last that was found": ("`last` (line 5) is written", "an output dependence on last"),
    "left: the last that was found, in memory": ("carries an output dependence",) * 2,
    "left: what was found once": ("data decide whether", "data decide whether"),
    "left: a pointer to what was found": ("`found`", "carries an output dependence on found"),
    "left: a function that finds": ("`last`", "carries an output dependence on"),
    "left: a function that gives the last": ("`last`", "parallel: parallel"),
    "left: the last of two ways": ("`last`", "parallel: parallel"),
    "left: the last but what is gone over": ("`last`", "carries an output dependence on last"),
    "left: a value that is used, and kept": ("`v`", "parallel: parallel"),
    "left: cells of two iterations": ("carries an output dependence on b[i",) * 2,
    "left: cells by data that meet": ("carries an output dependence on b[a[i]]",) * 2,
    "left: cells by data that happen to differ": ("data decide where b[p[i]]",) * 2,
    "left: every third iteration": ("carries an output dependence",) * 2,
    "left: but the last iterations": ("carries an output dependence",) * 2,
    "left: rows that get shorter": ("output dependence on b[k]", "output dependence on b[k]"),
    "left: rows of one length": ("line 3, is parallel: parallel",) * 2,
    "left: a switch that is left": ("`last`", "an output dependence on last (line 7), which is"),
    "left: written in some rounds": ("`last`", "an output dependence on last"),
    "left: left for good": ("", "line 6, is parallel: parallel"),
    "left: a round that is left on a way not taken": ("`last`", "an output dependence on last"),
    "left: programs that end at once": ("`quick_exit` (line 10) may leave it",) * 2,
    "everyday: how often the largest changes": ("not parallel: carries",) * 2,
    "everyday: how often the largest stays": ("not parallel: carries",) * 2,
    "everyday: what comes of the largest": ("not parallel: carries",) * 2,
    "everyday: the largest, and sums beside it": ("a reduction into most and n",) * 2,
    "everyday: a running sum that is kept": ("a reduction into s",) * 2,
    "chance: the largest, in what does not hold it": ("not parallel: carries",) * 2,
    "chance: a read on a way not taken, beside what is added to": ("line 9 reads on a way",) * 2,
    "chance: a sum on a way not taken, beside what is added to": ("line 6 reads on a way",) * 2,
    "chance: the largest, in what holds more": ("into number", "a reduction into most"),
    "left: bytes that overlap": ("carries an output dependence on memset",) * 2,
    "left: texts of two lengths": ("output dependence on strcpy",) * 2,
    "left: texts of one length": ("line 4, is parallel: parallel",) * 2,
    "left: fills that get shorter": ("output dependence on memset",) * 2,
    "left: what the last iteration filled of fills that get shorter": ("parallel: parallel",) * 2,
    "left: fills that get shorter, in rows": ("line 5, is sequential: not parallel",) * 2,
    "left: what is found on diagonals": ("line 4, is sequential: not parallel",) * 2,
    "left: cells of one row, written again for each": ("line 4, is parallel: parallel",) * 2,
    "left: locals behind pointers": ("carries an output dependence",) * 2,
    "left: a local buffer that a function fills in part": ("line 9, is sequential: not par",) * 2,
    "left: thirds that are read at exit": ("carries an output dependence on b",) * 2,
    "kept: one file by many streams": ("the order of fflush",) * 2,
    "kept: one screen by many streams": ("line 9, is sequential: not parallel: carries",) * 2,
    "kept: a stream, and what is below it": ("the order of",) * 2,
    "kept: the sign of the gamma function": ("it calls lgamma (line 8)",) * 2,
    "kept: halves of numbers that are added to whole ones": ("`s`", "a reduction into n"),
    "kept: sums of floats, in places of several kinds": ("into r.y", "a reduction into t"),
    "kept: truths that are added to": ("`b`", "not parallel: carries"),
    "kept: a sum, and the largest that it was": ("`k`", "not parallel: carries"),
    "kept: a sum of what is handed on by its own line": ("not parallel: carries",) * 2,
    "kept: searches whose function reads behind casts": ("", "line 9, is parallel: parallel"),
    "kept: words that overlap": ("line 5, is sequential: not parallel: carries",) * 2,
    "chance: fetch and add": ("carries", "carries"),
    "chance: compare and swap": (
        "sequential: not parallel: carries",
        "sequential: not parallel: carries",
    ),
    "chance: a device": ("`port` (line 7) is volatile", "`port` (line 7) is volatile"),
    "chance: a register of a device, and a variable beside it": ("accessed (line 5) is volatile",)
    * 2,
    "chance: beside a volatile field": ("parallel", "parallel"),
    "chance: a sum beside what begins it": ("line 5, is reduction: not parallel: carries",) * 2,
    "chance: rounded steps": ("`s ++` decides whether it goes on", "carries"),
    "chance: a count along a chain": (
        "sequential: not parallel: carries",
        "sequential: not parallel: carries",
    ),
    "library: texts of arguments that are named by their numbers": ("line 4, is parallel: par",)
    * 2,
    "library: wide texts": ("it calls sprintf",) * 2,
    "inductions: counters that double and are halved": ("line 3, is parallel: parallel",) * 2,
    "inductions: a counter that doubles beside a recurrence": ("not parallel: carries",) * 2,
    "inductions: a counter that is multiplied by another factor each time": ("`m`", "carries"),
    "inductions: a counter that doubles, and its body steps": ("not", "carries"),
    "inductions: a counter that doubles, and its bound shrinks": ("`n`", "carries"),
    "left: the last that was found, read on a way not taken": (
        "`last` (line 6) is written",
        "an output dependence on last",
    ),
    "frames: local buffers in a helper": ("line 9, is parallel: parallel",) * 2,
    "frames: recursion with parameters": ("line 20, is parallel: parallel",) * 2,
    "frames: variadic calls": ("line 58, is parallel: parallel",) * 2,
    "frames: wide characters of rows, and of one": ("line 8, is parallel: parallel",) * 2,
    "frames: frames of rows, records and lengths that vary": (
        "line 33, is parallel: parallel",
        "line 39, is parallel: parallel",
    ),
    "steps: steps that outer loops set": ("line 5, is parallel: par", "line 11, is parallel: par"),
    "steps: places that data change, by control alone": ("", "line 4, is parallel: parallel"),
    "unread: a global that is read on a way not taken": ("output dependence on last",) * 2,
    "unread: a global that a function not called reads": ("output dependence on last",) * 2,
    "unread: a static local that the next call reads": ("output dependence on hit",) * 2,
    "unread: members of a record read on a way not taken": ("output dependence on r.at",) * 2,
    "unread: handed to a function that ran for others": ("output dependence on last",) * 2,
    "left: the last of rows of which the last are empty": (
        "`last`",
        "line 4, is sequential: not parallel: carries an output dependence on last",
    ),
    "left: the last of rows of their own lengths": (
        "`last`",
        "line 4, is sequential: not parallel: carries an output dependence on last",
    ),
    "written: a pair without a name, by its address": ("is sequential: not",) * 2,
    "written: a number without a name, by its address": ("is sequential: not",) * 2,
    "written: a call in a pair without a name": ("is sequential: not",) * 2,
    "written: texts in letters of any case": ("is sequential: not",) * 2,
    "written: how far was read": ("is sequential: not",) * 2,
    "written: a letter that is read beside another one": ("is sequential: not",) * 2,
    "written: a function of a function that calls": ("is sequential: not",) * 2,
}
"""What is said of a loop of some of them, by gcc and by clang."""


def judged(program: Marked, compilers: HookedCompilers, room: Path) -> list[Verdict]:
    source = room / f"{abs(hash(program.name))}.c"
    source.write_text(program.text)
    built = build([source], source.with_suffix(""), compilers)
    command = RunCommand(built, (), room)
    traced = trace(command, limits=RunLimits(30), scalars=compilers.scalars)
    assert traced.facts.ended.startswith("exit"), traced.facts.ended
    folding = traced.folding()
    found = verdicts(program, feedback(folding).loops)
    assert not [str(v) for v in found if v.unsound or (v.reduces and v.mark != "reduction")]
    assert not {program.marks.get(x) for x in free(folding)} & {"sequential", "reduction"}
    return found


def free(folding: Folding) -> set[int]:
    """The lines of loops that the command's table says carry nothing."""
    lines = {loop.name: loop.line for loop in folding.loops}
    return {lines[name] for nest in nests(folding) for name in nest.free}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (k % 6 > 0)) for k, n in enumerate(TOLD)]
)
def test_what_a_loop_hands_on_is_told(
    name: str, compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    for hooked, words in zip((compilers, clang), TOLD[name], strict=True):
        said = "; ".join(str(v) for v in judged(ALL[name], hooked, tmp_path))
        assert words in said, said


@pytest.mark.long
@pytest.mark.parametrize("scalars", [False, True])
def test_no_marked_loop_is_called_parallel_that_is_not(
    scalars: bool, compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    hooked = clang if scalars else compilers
    found = [v for program in sample() for v in judged(program, hooked, tmp_path)]
    parallel = [v for v in found if v.mark == "parallel"]
    if not scalars:  # counters and last values in registers, which gcc does not show
        hidden = ("inductions: ", "left: ")
        parallel = [v for v in parallel if not v.program.startswith(hidden)]
    missed = [str(v) for v in parallel if v.missed]
    assert len(found) >= 100
    assert len(missed) <= len(parallel) / (10 if scalars else 6), missed


OLD = """\
#include <stdio.h>
#include <stdlib.h>
float o[12], last;
void usage(name) char *name; { fprintf(stderr, "%s N\\n", name); exit(1); }
float squash(x) float x; { return x / (1 + x * x); }
void layer(v, n)
float *v;
int n;
{
  int i;
  for (i = 0; i < n; i++) {  // parallel
    o[i] = squash(v[i]);
  }
}
void later(v) float *v; { for (;;) { if (*v > 3) last = *v; break; } }
int main(argc, argv) int argc; char **argv; {
  float v[12] = {3, 1, 4, 101};
  if (argc > 5) usage(argv[0]);
  layer(v, 12);
  later(v);
  return 0;
}
"""


def test_functions_in_the_old_way_and_functions_that_do_not_return(
    compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    marked = Marked("the old way", OLD, {11: "parallel"})
    for hooked in (compilers, clang):
        (found,) = judged(marked, hooked, tmp_path)
        assert not found.missed, str(found)


STEPS = """\
#define NEXT(s) ((s) = (s) * 5 + 1)
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define RARE(v) ((v) > 90 ? (void)(total += (v)) : (void)0)
"""
STEPPING = """\
#include "steps.h"
int a[12] = {3, 1, 4, 1, 5}, o[12], total;
int main(void) {
  EACH(i, 12) {  // parallel
    o[i] = a[i] * 2;
  }
  for (int i = 0; i < 12; i++) {  // sequential
    o[i] = total;
    RARE(a[i]);
  }
  unsigned s = 1;
  for (int i = 0; i < 12; i++)  // sequential
    o[i] = NEXT(s) & 15;
  return o[3] & 1;
}
"""


def test_macros_of_headers_are_read(
    compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    (tmp_path / "steps.h").write_text(STEPS)
    marks = {4: "parallel", 7: "sequential", 12: "sequential"}
    marked = Marked("macros of a header", STEPPING, marks)
    for hooked in (compilers, clang):
        first, rare, last = judged(marked, hooked, tmp_path)
        assert not first.missed, str(first)
        assert rare.said[0].startswith("not known"), str(rare)
        assert last.said, str(last)


TABLE = """\
int plain(int), adds(int);
int (*table[2])(int) = {plain, adds};
"""
CHOOSING = """\
extern int (*table[2])(int);
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
int main(void) {
  for (int i = 0; i < 8; i++)
    o[i] = table[a[i] > 90](a[i]);
  return o[2];
}
"""
MEMBERS = """\
int total, a[8] = {1, 2, 3}, o[8];
int plain(int v) { return v; }
int adds(int v) { return total += v; }
struct Op { int (*run)(int); } ops[8];
int main() {
  for (int i = 0; i < 8; i++) ops[i].run = plain;
  if (a[0] > 90) ops[1].run = adds;
  for (int i = 0; i < 8; i++)
    o[i] = ops[i].run(a[i]);
  return o[2];
}
"""


NAMED = """\
typedef int (*Op)(int);
int total, a[8] = {1, 2, 3}, o[8];
static int plain(int v) { return v; }
static int adds(int v) { return total = total * 2 + v; }
struct Rule { Op op; } rules[2] = {{plain}, {adds}};
int main() {
  for (int i = 0; i < 8; i++)
    o[i] = rules[a[i] > 90].op(a[i]);
  return o[2];
}
"""


@pytest.mark.parametrize(
    "texts",
    [{"main.c": CHOOSING, "table.c": TABLE}, {"main.cpp": MEMBERS}, {"main.cpp": NAMED}],
    ids=["file", "C++", "named types"],
)
def test_functions_of_tables_in_other_files_and_of_members_in_cpp_are_told(
    texts: dict[str, str], compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    for hooked in (compilers, clang):
        built = build([tmp_path / name for name in texts], tmp_path / "program", hooked)
        traced = trace(RunCommand(built, (), tmp_path), scalars=hooked.scalars)
        last = feedback(traced.folding()).loops[-1]
        assert "adds is called, perhaps, on a way" in last.verdict, last.verdict


SHAPES = """\
int total, a[8] = {1, 2, 3}, b[8] = {1, 2, 3, 99}, o[8];
struct Shape { virtual int area(int v) { return v; } virtual ~Shape() {} };
struct Odd : Shape { int area(int v) override { return total = total * 2 + v; } };
struct Twice : Shape { int area(int v) override { return 2 * v; } };
struct Calm { virtual int length(int v) const { return v + 1; } } calm;
Shape plain; Odd odd; Twice twice;
Shape *shapes[2] = {&plain, &odd};
Calm *calms = &calm;
int main() {
  for (int i = 0; i < 8; i++)
    o[i] = shapes[a[i] > 90]->area(a[i]);
  for (int i = 0; i < 8; i++)
    o[i] = shapes[b[i] > 90]->area(b[i]);
  for (int i = 0; i < 8; i++)
    o[i] = calms->length(a[i]);
  return o[2] + twice.area(2);
}
"""


def test_methods_that_objects_choose_never_or_once_are_told(
    compilers: HookedCompilers, clang: HookedCompilers, tmp_path: Path
) -> None:
    (tmp_path / "main.cpp").write_text(SHAPES)
    for hooked in (compilers, clang):
        built = build([tmp_path / "main.cpp"], tmp_path / "program", hooked)
        traced = trace(RunCommand(built, (), tmp_path), scalars=hooked.scalars)
        said = {x.loop.line: x.verdict for x in feedback(traced.folding()).loops}
        assert "another area (line 3) is called, perhaps, on a way" in said[10]
        assert "data decide whether" in said[12]
        assert said[14] == "parallel"
