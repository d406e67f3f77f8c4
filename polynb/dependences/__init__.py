"""Scop -> relations: flow at access granularity, anti, output, input, live-in, live-out."""

from polynb.dependences.analysis import Dependences, analyze
from polynb.dependences.flow import Flow
from polynb.dependences.live_ranges import LiveRanges, live_ranges
from polynb.dependences.memory import overwrites, same_cell
from polynb.dependences.model import Edge

__all__ = [
    "Dependences",
    "Edge",
    "Flow",
    "LiveRanges",
    "analyze",
    "live_ranges",
    "overwrites",
    "same_cell",
]
