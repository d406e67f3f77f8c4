"""Values that iterations pass on, in scalars, strips and tables (CC'18, 5.4, and beyond)."""

from polynb.recurrences.carry import (
    FORMS,
    Carried,
    NotCarried,
    Tabulated,
    carry_recurrences,
    with_recurrences,
)

__all__ = [
    "FORMS",
    "Carried",
    "NotCarried",
    "Tabulated",
    "carry_recurrences",
    "with_recurrences",
]
