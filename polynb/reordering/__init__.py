"""Live-range reordering (Verdoolaege, Cohen: IMPACT'16): permutable bands in spite of reused
memory."""

from polynb.reordering.algorithm import reorder
from polynb.reordering.band import SearchBudget
from polynb.reordering.constraints import (
    Constraint,
    ScheduleConstraints,
    cpu,
    from_isl,
    gpu,
    none,
    preset,
)
from polynb.reordering.isl_scheduler import IslOptions, isl_schedule
from polynb.reordering.scheduler import NoSchedule, build

__all__ = [
    "Constraint",
    "IslOptions",
    "NoSchedule",
    "ScheduleConstraints",
    "SearchBudget",
    "build",
    "cpu",
    "from_isl",
    "gpu",
    "isl_schedule",
    "none",
    "preset",
    "reorder",
]
