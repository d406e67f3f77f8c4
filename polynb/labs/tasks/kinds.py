"""Tasks and what they ask for, by the names that files of exercises have for them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from polynb.arguments import one_of
from polynb.errors import PolynbError
from polynb.labs.exercise import Task
from polynb.labs.tasks.asking import AtMost, Goes, Rivals, Stays
from polynb.labs.tasks.formulas import FormulaTask
from polynb.labs.tasks.functions import FunctionTask
from polynb.labs.tasks.labelling import StreamTask
from polynb.labs.tasks.labels import LabelTask
from polynb.labs.tasks.own_checker import CheckerTask
from polynb.labs.tasks.own_programs import ReadingTask, ResetTask
from polynb.labs.tasks.programs import FewCells, Gone, OneNest, ProgramTask
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.removing import RemovalTask
from polynb.labs.tasks.schedules import (
    Apart,
    AtOneTime,
    InOrder,
    NeverAgainst,
    ScheduleTask,
    SomeStays,
    Soon,
)
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.slices import SliceTask
from polynb.labs.tasks.storing import StorageTask
from polynb.labs.tasks.times import TimeTask
from polynb.labs.tasks.traces import InputTask, SlowTask, StepsByOne
from polynb.labs.tasks.values import ValuesTask
from polynb.labs.tasks.verdicts import VerdictsTask

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

TASKS: Final[Mapping[str, type[DataclassInstance]]] = {
    "set": SetTask,
    "values": ValuesTask,
    "order": ScheduleTask,
    "witness": RefusalTask,
    "verdicts": VerdictsTask,
    "storage": StorageTask,
    "program": ProgramTask,
    "faster program": TimeTask,
    "reset": ResetTask,
    "reading": ReadingTask,
    "function": FunctionTask,
    "labels": LabelTask,
    "stream": StreamTask,
    "slice": SliceTask,
    "slow access": SlowTask,
    "input": InputTask,
    "removal order": RemovalTask,
    "formula": FormulaTask,
    "own checker": CheckerTask,
}
ASKED: Final[Mapping[str, type[DataclassInstance]]] = {
    "in order": InOrder,
    "at one time": AtOneTime,
    "never against": NeverAgainst,
    "some stays": SomeStays,
    "apart": Apart,
    "soon": Soon,
    "one nest": OneNest,
    "gone": Gone,
    "few cells": FewCells,
    "stays": Stays,
    "goes": Goes,
    "rivals": Rivals,
    "at most": AtMost,
    "steps by one": StepsByOne,
}


def task(fields: Mapping[str, Any], program: str) -> Task:
    """The task that `answer = "set"` and its fields describe; most are about the exercise's
    program. Raises PolynbError for an unknown kind or field."""
    kind = TASKS[one_of("answer", fields.get("answer"), TASKS, "task")]
    rest = {name: value for name, value in fields.items() if name != "answer"}
    if "program" in _fields(kind):
        rest.setdefault("program", program)
    if isinstance(rest.get("asked"), tuple):
        rest["asked"] = tuple(map(_asked, rest["asked"]))
    found: Task = _made(kind, rest)
    return found


def _asked(fields: Mapping[str, object]) -> Any:
    kind = ASKED[one_of("kind", fields.get("kind"), ASKED, "property")]
    return _made(kind, {name: value for name, value in fields.items() if name != "kind"})


def _made(kind: type[DataclassInstance], fields: Mapping[str, object]) -> Any:
    try:
        return kind(**fields)
    except TypeError as error:
        hint = f"its fields are {', '.join(_fields(kind))}"
        raise PolynbError(f"a task is not as it should be: {error}", hint=hint) from None


def _fields(kind: type[DataclassInstance]) -> list[str]:
    return [f.name for f in dataclasses.fields(kind)]
