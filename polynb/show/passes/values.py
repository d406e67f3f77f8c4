"""Numbers as a line has them."""

from __future__ import annotations


def number_of(text: str) -> int | str:
    """A number; what is none goes to the library as it is, which says what is allowed."""
    try:
        return int(text)
    except ValueError:
        return text


def order_of(text: str) -> tuple[int | str, ...]:
    """`1,0`"""
    return tuple(number_of(part) for part in text.split(","))


def sizes_of(text: str) -> int | str | tuple[int | str, ...]:
    """A size for all loops, or one for each: `32`, `32,64`."""
    sizes = order_of(text)
    return sizes[0] if len(sizes) == 1 else sizes
