"""The few things that are asked of lark's trees (without importing lark)."""

from __future__ import annotations

from typing import Any, TypeAlias

Item: TypeAlias = Any  # lark.Tree or lark.Token; an optional part that is missing is None


def kind(item: Item) -> str:
    """A tree's rule or a token's terminal."""
    return str(item.data if hasattr(item, "data") else item.type)


def children(item: Item) -> list[Item]:
    """The direct parts of a tree."""
    return list(item.children)


def range_of(item: Item) -> tuple[int, int]:
    """The offsets of the first character and behind the last one."""
    place = item.meta if hasattr(item, "meta") else item
    return place.start_pos, place.end_pos
