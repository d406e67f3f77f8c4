"""Long lines of C, broken where a person would break them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

WIDTH = 100  # columns
_INDENT = 4  # of the lines that continue one
_LEAST = 40  # columns of a line that is broken


def indented(lines: Iterable[str]) -> Iterator[str]:
    """The lines inside of something."""
    return (line if line.startswith("#") else f"  {line}" for line in lines)


def laid_out(lines: Iterable[str]) -> str:
    """The lines as text. Long ones are broken at spaces, of which no token of C contains any: as
    far outside of parentheses as possible, before a sum's operator rather than another, late."""
    return "".join(f"{part}\n" for line in lines for part in _parts(line))


def _parts(line: str) -> Iterator[str]:
    code, mark, comment = line.partition("  // ")
    if code.startswith("#"):
        yield line
        return
    indent = len(code) - len(code.lstrip())
    depths, start, pad = _depths(code), indent, indent
    while len(code) - start + pad > WIDTH:
        room = WIDTH - pad if pad < WIDTH else _LEAST  # an indentation may leave none
        end = _break(code, depths, start, start + room)
        if end is None:
            break
        yield " " * pad + code[start:end]
        start, pad = end + 1, indent + _INDENT
    yield " " * pad + code[start:] + mark + comment


def _depths(code: str) -> list[int]:
    """How many parentheses and brackets are open before each character."""
    found, depth = [], 0
    for c in code:
        found.append(depth)
        depth += (c in "([{") - (c in ")]}")
    return found


def _break(code: str, depths: list[int], start: int, stop: int) -> int | None:
    """The best space to break at, at most at `stop`; the first one after it if there is none."""
    last = min(stop + 1, len(code))
    spaces = [k for k in range(start + _LEAST, last) if code[k] == " " and code[k + 1] != "{"]
    if spaces:

        def preference(k: int) -> tuple[int, int, int]:
            return depths[k], _strength(code[k - 1], code[k + 1 : k + 3]), -k

        return min(spaces, key=preference)
    later = code.find(" ", stop)
    return None if later < 0 else later


def _strength(before: str, after: str) -> int:
    """Arguments and sums fall apart first, then other operations; operators start lines."""
    if before == "," or after in ("+ ", "- "):
        return 0
    return 1 if after.startswith(tuple("*/%<>&|^?:")) else 2
