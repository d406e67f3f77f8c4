"""Live ranges that a transformation violates (Trifunovic and Cohen, GRAPHITE, 2010), and
transformations proposed move by move, each with its verdict."""

from polynb.violations.dataflow import array_dataflow
from polynb.violations.intervals import Interval, intervals
from polynb.violations.repair import Repair, Repairs, repairs
from polynb.violations.transforming import Transformation, transform
from polynb.violations.vio import ViolatedRanges, images, violated_ranges

__all__ = [
    "Interval",
    "Repair",
    "Repairs",
    "Transformation",
    "ViolatedRanges",
    "array_dataflow",
    "images",
    "intervals",
    "repairs",
    "transform",
    "violated_ranges",
]
