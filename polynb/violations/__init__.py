"""Live ranges that a transformation violates (Trifunovic and Cohen, GRAPHITE, 2010)."""

from polynb.violations.dataflow import array_dataflow
from polynb.violations.images import images
from polynb.violations.intervals import Interval, intervals
from polynb.violations.vio import ViolatedRanges, violated_ranges

__all__ = [
    "Interval",
    "ViolatedRanges",
    "array_dataflow",
    "images",
    "intervals",
    "violated_ranges",
]
