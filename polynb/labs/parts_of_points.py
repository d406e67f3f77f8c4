"""What the points are for that an answer has which is not right as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from polynb.labs.exercise import Task
from polynb.labs.tasks.functions import FunctionTask
from polynb.labs.tasks.labelling import StreamTask
from polynb.labs.tasks.labels import LabelTask
from polynb.labs.tasks.own_programs import ReadingTask, ResetTask
from polynb.labs.tasks.programs import ProgramTask
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.schedules import ScheduleTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.slices import SliceTask
from polynb.labs.tasks.traces import SlowTask
from polynb.labs.tasks.values import ValuesTask

FOR: Final[Mapping[type, str]] = {
    SetTask: "half of the share of its instances that are right",
    FunctionTask: "half of the share of sizes at which it is right",
    ScheduleTask: "it is legal; half of the points are for the pairs that are as asked",
    ProgramTask: "its results are the same; half of the points are for what else is asked",
    RefusalTask: "a tenth for each part of the claim that holds, one after the other",
    ValuesTask: "each value that is right has its share",
    SlowTask: "each value that is right has its share",
    LabelTask: "each coefficient that is right has its share",
    StreamTask: "half of the share of label functions that come out",
    SliceTask: "a quarter for one polyhedron, inside of the square",
    ResetTask: "a twentieth for what it shows, in another shape than is asked for",
    ReadingTask: "a twentieth for what it shows, in other cells than are asked for",
}


def counted_of(task: Task) -> str:
    """What some of the points of such a task are for; "" of one whose findings say it."""
    return FOR.get(type(task), "")
