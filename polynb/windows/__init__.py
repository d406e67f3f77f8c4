"""Pipelines in strips of rows, whose intermediate pictures are windows of a few rows."""

from polynb.windows.algorithm import STRIP, TOGETHER, row_windows
from polynb.windows.rows import RowTimes
from polynb.windows.steps import ComputedBefore, InStrips, NotInStrips, Windowed

__all__ = [
    "STRIP",
    "TOGETHER",
    "ComputedBefore",
    "InStrips",
    "NotInStrips",
    "RowTimes",
    "Windowed",
    "row_windows",
]
