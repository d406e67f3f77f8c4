"""How a computation of isl may end, but for its result."""

from __future__ import annotations

from polynb.errors import PolynbError


class IslError(PolynbError):
    """isl refused a computation."""


class BudgetExhausted(IslError):
    """A computation used more isl operations or seconds than it was given; nothing was changed.

    `limit` says how much that was: "20 operations", "2 seconds"."""

    limit = "budget"


class Interrupted(BaseException):
    """A signal stopped isl, and its handler lets the program go on: what was being computed has to
    begin anew. No `Exception`: nobody but `bounded` knows how."""
