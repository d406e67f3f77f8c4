"""Which arrays of two programs are compared: all that either leaves changed, but for temporaries.

An array that only one of them writes is compared with what was in it before; that the other does
not so much as mention it changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from polynb.scop.model import Array, Scop


def compared(before: Scop, after: Scop) -> tuple[str, ...]:
    """The arrays that are live-out in the first program; and in the second, if they are no
    temporaries of the first."""
    own = (n for n, a in before.arrays.items() if a.live_out)
    more = (n for n, a in after.arrays.items() if a.live_out and _role(before, n) != "temp")
    return tuple(dict.fromkeys((*own, *more)))


def incomparable(before: Scop, after: Scop) -> str:
    """Why there is nothing to compare, "" where there is: an array of another type or number of
    dimensions, or one that the second program does not hand back."""
    for name in compared(before, after):
        a, b = before.arrays.get(name), after.arrays.get(name)
        if a is None or b is None:
            continue
        if _kind(a) != _kind(b):
            return f"{name} is {_kind(a)} before, and {_kind(b)} after"
        if a.live_out and b.role == "temp":
            return f"{name} is a temporary of the program after: nobody sees what is left in it"
    for name in sorted(before.arrays.keys() & after.arrays.keys()):
        a, b = before.arrays[name], after.arrays[name]
        if a.live_in and b.live_in and len(a.extents) != len(b.extents):
            return f"{name} is {_kind(a)} before, and {_kind(b)} after"
    return ""


def leave_nothing(*programs: Scop) -> bool:
    """Whether all that programs write is temporary, so that nothing of it is compared."""
    return not any(p.arrays[s.write.array].live_out for p in programs for s in p.statements)


def completed(scop: Scop, other: Scop) -> Scop:
    """The program with the arrays that only the other one has: it leaves them as they are."""
    more = {n: a for n, a in other.arrays.items() if n not in scop.arrays}
    untouched = {n: replace(a, role="input", live_in=True) for n, a in more.items()}
    return replace(scop, arrays={**scop.arrays, **untouched}) if more else scop


def _role(scop: Scop, name: str) -> str:
    array = scop.arrays.get(name)
    return "" if array is None else array.role


def _kind(a: Array) -> str:
    of = f" of {a.dimensions} dimension{'s' * (a.dimensions > 1)}" if a.dimensions else ""
    return f"{'an array' if of else 'a scalar'}{of} of {a.type}"
