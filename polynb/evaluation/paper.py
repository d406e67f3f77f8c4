"""What the paper reports (CC'18, Tables 1, 3 and 4), to stand beside what is measured here.

Times are those of its Xeon E3-1225 v3 with 4 threads, in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.tuning.counts import Counts


@dataclass(frozen=True)
class Reported:
    """One benchmark: the counts of Table 1, naive and propagated (EP), and the times of Tables 3
    and 4 (best and worst are those of random subsets; local Laplacian has none). PolyMage's is
    that of clang, the compiler of all the others; of gcc and icc there are times besides."""

    naive: Counts
    propagated: Counts
    naive_ms: float
    propagated_ms: float
    best_ms: float | None = None
    worst_ms: float | None = None
    polly_ms: float | None = None
    polymage_ms: float | None = None
    halide_ms: float | None = None
    forked_polly_ms: float | None = None
    polymage_gcc_ms: float | None = None
    polymage_icc_ms: float | None = None


PAPER: Final = {
    "unsharp_mask": Reported(
        Counts(5, 12, 4, 20),
        Counts(2, 3, 1, 28),
        *(47.79, 8.53, 8.5, 59.0, 57.55, 9.11, None, 47.55, 9.01, 9.00),
    ),
    "harris": Reported(
        Counts(12, 22, 11, 65),
        Counts(2, 2, 1, 26),
        *(82.12, 7.29, 7.2, 98.6, 96.82, 5.99, None, 82.23, 6.59, 9.61),
    ),
    "bilateral_grid": Reported(
        Counts(7, 25, 8, 90),
        Counts(4, 18, 6, 57),
        *(24.53, 16.29, 16.3, 25.7, 25.55, 23.21, 15.25, 24.00, 28.52, 26.20),
    ),
    "camera_pipe": Reported(
        Counts(30, 67, 41, 288),
        Counts(5, 4, 13, 675),
        *(40.40, 10.46, 8.4, 149.4, 47.38, 14.09, 5.76, 35.13, 13.95, 11.68),
    ),
    "pyramid_blending": Reported(
        Counts(43, 123, 58, 272),
        Counts(14, 31, 23, 967),
        *(113.97, 53.73, 55.2, 138.6, 145.554, 47.76, None, 114.19, 45.94, 41.40),
    ),
    "interpolate": Reported(
        Counts(39, 186, 182, 294),
        Counts(19, 71, 53, 299),
        *(72.14, 26.51, 33.2, 1285.0, 78.83, 56.62, 36.64, 70.77, 40.99, 41.08),
    ),
    "local_laplacian": Reported(
        Counts(69, 461, 814, 1533),
        Counts(37, 168, 441, 3846),
        *(140.46, 111.62, None, None, None, 97.11, 96.71, 270.30, 86.29, 82.39),
    ),
}
"""In the order of Table 1, by the gallery's names."""
