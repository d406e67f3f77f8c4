"""Of every exercise: right answers in at least five unusual forms, which are right, and at least
eight answers that are worth less: a classmate's (wrong beyond doubt, by plainly.py), nothing, one
of another type, one for small sizes only, and what hopes to be taken for right."""

import functools
import re
from collections import OrderedDict
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

import polynb as pn
from polynb import isl, labs
from polynb.labs.tasks.formulas import FormulaTask
from polynb.labs.tasks.functions import FunctionTask
from polynb.labs.tasks.labelling import StreamTask
from polynb.labs.tasks.labels import LabelTask
from polynb.labs.tasks.own_programs import OwnProgram
from polynb.labs.tasks.programs import ProgramTask
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.removing import RemovalTask
from polynb.labs.tasks.schedules import ScheduleTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.slices import SliceTask
from polynb.labs.tasks.storing import StorageTask
from polynb.labs.tasks.times import TimeTask
from polynb.labs.tasks.traces import InputTask

from . import plainly

SLOW = (ProgramTask, OwnProgram, InputTask)
"""Kinds whose answers are proved, run or traced; those that are timed are among the slow, too."""


def first(e):
    return e._right[0]


# -- right ones --------------------------------------------------------------------------------


def union(text):
    """A text as isl's object."""
    return (isl.UnionMap if "->" in text.partition("{")[2] else isl.UnionSet)(text)


def halves(e):
    """Said once for even sizes, and once for odd ones."""
    whole = union(first(e))
    odd, even = (
        whole.intersect_params(isl.Set(f"[N] -> {{ : N mod 2 = {k} }}").params()) for k in (1, 0)
    )
    return str(odd.union(even))


def both(e):
    """Two texts for one set, one behind the other."""
    one, other = (r.partition("{")[2].rpartition("}")[0] for r in e._right[:2])
    return f"{first(e).partition('{')[0]}{{{one}; {other}}}"


def spread(e):
    return first(e).replace(" ", "\n   ")


def stretched(e):
    """Times that are three times as large."""
    found = isl.UnionMap("{ }")
    for m in isl.maps(union(first(e))):
        names = [f"t{k}" for k in range(m.dim(isl.OUT))]
        to = isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(f'3{n} + 7' for n in names)}] }}")
        found = found.union(m.apply_range(to).to_union_map())
    return str(found)


def within(e):
    """Times of the instances that run, and of no others."""
    found = union(first(e))
    for s in e.scop.statements:
        other = found.subtract_domain(isl.Set.universe(s.domain.get_space()).to_union_set())
        found = other.union(found.intersect_domain(s.domain.to_union_set()))
    return found


def claimed(e):
    """Roles with their instances, and sizes."""
    return re.findall(r"\w+:? \w+[\[(][^\])]*[\])]|\w+ = -?\d+", first(e))


def renamed(e):
    """A program whose iterators have other names."""
    return re.sub(r"\b([ijkxyrab])\b", r"\1_\1", first(e))


def in_a_line(e):
    return " ".join(re.sub(r"//.*", "", first(e)).split())


def texts(words, numbers):
    """Values by name, each in another form."""

    def form(e):
        return {
            n: words(v) if isinstance(v, str) else numbers(v) for n, v in first(e).items()
        }  # fmt: skip

    return form


def counting(e):
    """A function that is no function, but can be called."""

    class Cells:
        def __call__(self, N):
            return first(e)(N)

    return Cells()


def label(form):
    """Label functions, each term `(coefficient, dimension)` and the constant in another form."""

    def made(e):
        def one(text):
            terms = re.findall(r"(\d+|⊤|⊥)(c[jk])", text)
            return form(terms, text.rpartition(" ")[2])

        given = first(e)
        return {n: one(t) for n, t in given.items()} if isinstance(given, dict) else one(given)

    return made


def listed(e):
    """The points of a slice, one by one."""
    points = isl.points(isl.Set(first(e)), {})
    return "{ " + "; ".join(f"S[{j}, {k}]" for j, k in sorted(points, reverse=True)) + " }"


def signs(and_, or_, not_):
    """A formula with other signs."""

    def made(e):
        return first(e).replace(" and ", and_).replace(" or ", or_).replace("not ", not_)

    return made


def numbers(e):
    return [int(x) for x in re.findall(r"\d+", first(e))]


SPELLED = {"⊤": "top", "⊥": "bottom"}
SETS = (lambda e: union(first(e)), lambda e: str(union(first(e))), both, spread)
PROGRAMS = (
    lambda e: pn.parse(first(e)),
    lambda e: str(pn.parse(first(e))),
    renamed,
    in_a_line,
    lambda e: f"\n\n{first(e)}\n\n".replace(";", " ;\n"),
)
VALUES = (
    texts(str.upper, float),
    texts(lambda w: f"  {w}\n", np.int64),
    texts(str.title, Fraction),
    lambda e: OrderedDict(reversed(first(e).items())),
    lambda e: MappingProxyType(first(e)),
)
RIGHT = {
    SetTask: (*SETS, halves, lambda e: first(e).replace("N]", "N, M]", 1)),
    SliceTask: (*SETS[:2], spread, listed, lambda e: isl.Set(first(e))),
    StorageTask: (*SETS, lambda e: isl.Map(first(e))),
    ScheduleTask: (*SETS[:2], spread, stretched, within),
    RefusalTask: (
        lambda e: "; ".join(reversed(claimed(e))),
        lambda e: " and ".join(claimed(e)),
        lambda e: ",\n\n".join(claimed(e)),
        lambda e: first(e).replace("(", "[ ").replace(")", " ]"),
        lambda e: re.sub(r"([a-z]+) (\w+\()", r"\1:  \2", first(e)) + " ;",
    ),
    ProgramTask: PROGRAMS,
    OwnProgram: PROGRAMS,
    TimeTask: PROGRAMS,
    FunctionTask: (
        lambda e: lambda N: first(e)(N),
        lambda e: functools.partial(first(e)),
        counting,
        lambda e: lambda n: np.int64(first(e)(n)),
        lambda e: lambda n, more=0: float(first(e)(n) + more),
    ),
    LabelTask: (
        label(lambda t, c: " + ".join([c, *(f"{k}*{d}" for k, d in reversed(t))])),
        label(lambda t, c: " + ".join([*(f"{d}·{k}" for k, d in t), c])),
        label(lambda t, c: " + ".join([*(f"{SPELLED.get(k, k)} {d}" for k, d in t), c])),
        label(lambda t, c: "+".join([*(f"{k.replace('⊤', 'T')}{d}" for k, d in t), c])),
        label(lambda t, c: "  " + " + ".join([*(f"{k.replace('⊥', '?')} {d}" for k, d in t), c])),
    ),
    StreamTask: (
        numbers,
        lambda e: tuple(numbers(e)),
        lambda e: f"({first(e)})",
        lambda e: first(e).replace(", ", "\n"),
        lambda e: first(e).replace(", ", " ; ") + ";",
    ),
    FormulaTask: (
        signs(" & ", " | ", "!"),
        signs(" && ", " || ", "~"),
        signs(" ∧ ", " ∨ ", "¬"),
        lambda e: f"\n{first(e)}\n".replace(" ", "   "),
        lambda e: " and ".join(f"({c})" for c in reversed(first(e).split(" and "))),
    ),
    RemovalTask: (
        lambda e: first(e).split(", "),
        lambda e: tuple(first(e).split(", ")),
        lambda e: f"[{first(e)}]",
        lambda e: first(e).replace(",", " <"),
        lambda e: "\n".join(f"{k}. {t}" for k, t in enumerate(first(e).split(", "))),
    ),
    InputTask: (
        numbers,
        lambda e: tuple(numbers(e)),
        lambda e: f"[{first(e)}]",
        lambda e: f" {{ {first(e)} }}\n",
        lambda e: first(e).replace(", ", "\n,"),
    ),
}

# -- wrong ones --------------------------------------------------------------------------------


class Yes(str):
    """A text that says that it is every other one."""

    __hash__ = None

    def __eq__(self, other):
        return True

    def strip(self, *_):
        return self


class Anything:
    """An object that says so."""

    __hash__ = None

    def __eq__(self, other):
        return True


def classmates(e):
    """The answer of somebody with another program, of which it is seen that it is wrong here."""
    for k in range(40):
        other = labs.exercise(e.name, student=f"student {k}")
        if plainly.wrong(e, other):
            return first(other)
    raise AssertionError("nobody has another answer")


def up_to_six(e):
    """The right answer, for small sizes."""
    right = first(e)
    match e._task:
        case SetTask() | ScheduleTask():
            return union(right).intersect_params(isl.Set("[N] -> { : N <= 6 }").params())
        case StorageTask():
            return isl.Map(right).lower_bound_val(isl.IN, 0, isl.Val(0)).upper_bound_val(
                isl.IN, 0, isl.Val(6))  # fmt: skip
        case RefusalTask():
            return re.sub(r"N = \d+", "N = 0", right)
        case ProgramTask() | TimeTask():
            head, _, body = right.strip().partition("\n")
            return f"{head}\nif N <= 6 then\n{body}\nfi"
        case FunctionTask():
            return lambda N: right(N) if N <= 6 else 0
        case OwnProgram():
            return right.strip().rpartition("\nfor ")[0]  # half of it
        case LabelTask() if isinstance(right, str):
            return right.rpartition(" ")[2]  # the first entry only
        case SliceTask():
            return "{ S[j, k] : 1 = 0 }"
        case FormulaTask():
            return "x and not x"
        case RemovalTask():
            return first(e).rpartition(",")[0]
        case InputTask() | StreamTask():
            return numbers(e)[:3]
    return dict([next(iter(right.items()))])


def next_ones(e):
    """An answer to another exercise."""
    names = labs.exercises()
    other = names[(names.index(e.name) + 7) % len(names)]
    return first(labs.exercise(other, student=e.student))


WRONG = {
    "a classmate's": classmates,
    "nothing": lambda e: " ... ",
    "another type": lambda e: 2.5,
    "small sizes only": up_to_six,
    "the exercise": lambda e: e,
    "what judges it": lambda e: e._task,
    "all that is right, at once": lambda e: e._right,
    "an object of isl": lambda e: isl.UnionSet("{ S[1]; T[2] }"),
    "an assessment": lambda e: labs.Assessment(e, e.points, e.points, ()),
    "a text that equals all": lambda e: Yes("S"),
    "an object that equals all": lambda e: Anything(),
    "another exercise's": next_ones,
}


def forms(e):
    found = [made for kind, made in RIGHT.items() if isinstance(e._task, kind)]
    return found[0] if found else VALUES


def every(name):
    task = labs.exercise(name, student="")._task
    timed = isinstance(task, TimeTask)
    for student in [""] if timed else ["", "ada"]:
        marks = [pytest.mark.long] * (isinstance(task, (*SLOW, TimeTask)) or student != "")
        yield pytest.param(labs.exercise(name, student=student), marks=marks,
                           id=f"{name}-{student or 'notebook'}")  # fmt: skip


EVERY = [e for name in labs.exercises() for e in every(name)]


@pytest.mark.parametrize("e", EVERY)
def test_unusual_forms_are_right(e):
    assert len(forms(e)) >= 5
    for k, form in enumerate(forms(e)):
        found = labs.check(e, form(e))
        assert found, f"form {k}: {form(e)}\n{found}"


@pytest.mark.parametrize("e", EVERY)
def test_what_hopes_to_be_taken_for_right_is_not(e):
    assert len(WRONG) >= 8
    for what, made in WRONG.items():
        found = labs.check(e, made(e))
        assert found.points <= e.points / 2, f"{what}: {made(e)}\n{found}"
        assert found.findings
